// Moreau-Jean with positions that move with v_½; see docs/schemes/moreau-jean-dissipative.md.
#pragma once

#include "ricochet/scheme/scheme.hpp"

namespace ricochet {

struct MoreauJeanDissipative {
  double theta = 0.6;     // θ in [½, 1]: weight of the end of the step in the force
  double forecast = 0.5;  // γ_f ≥ 0: a contact is active where g + γ_f h U ≤ 0

  operator Scheme() const;  // NOLINT: a scheme by its parameters
};

}  // namespace ricochet
