// Moreau-Jean θ scheme with forecast γ_f; see docs/schemes/moreau-jean.md.
#pragma once

#include "ricochet/scheme/scheme.hpp"

namespace ricochet {

struct MoreauJean {
  double theta = 0.5;     // θ in [0, 1]: weight of the end of the step
  double forecast = 0.5;  // γ_f ≥ 0: a contact is active where g + γ_f h U ≤ 0

  operator Scheme() const;  // NOLINT: a scheme by its parameters
};

}  // namespace ricochet
