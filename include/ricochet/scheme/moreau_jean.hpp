// Moreau-Jean θ schemes with forecast γ; see docs/schemes/moreau-jean.md and moreau-jean-dissipative.md.
#pragma once

#include "ricochet/scheme/scheme.hpp"

namespace ricochet {

struct MoreauJean {
  double theta = 0.5;     // θ in [0, 1]: weight of the end of the step
  double forecast = 0.5;  // γ ≥ 0: a contact is active where g + γ h U ≤ 0

  operator Scheme() const;  // NOLINT: a scheme by its parameters
};

// Positions move with v_½ whatever θ is.
struct MoreauJeanDissipative {
  double theta = 0.6;     // θ in [½, 1]: weight of the end of the step in the force
  double forecast = 0.5;  // γ ≥ 0

  operator Scheme() const;  // NOLINT
};

}  // namespace ricochet
