// Moreau-Jean with steps that follow a tolerance; see docs/schemes/moreau-jean-adaptive.md.
#pragma once

#include <string>

#include "ricochet/scheme/scheme.hpp"

namespace ricochet {

struct MoreauJeanAdaptive {
  double theta = 0.5;                 // θ in [0, 1]: weight of the end of the step
  double forecast = 0.5;              // γ ≥ 0: a contact is active where g + γ h U ≤ 0
  double rtol = 1e-8;                 // relative and
  double atol = 1e-10;                // absolute error allowed in a step, > 0
  std::string estimate = "variable";  // or "order-0", "order-1", "order-2"
  std::string violation = "on";       // or "off", which does not converge
  double violation_tolerance = 0.0;   // allowed deepening of a violation in a step; 0: what rtol and atol mean for g
  double largest_step = 0.0;          // 0: the recording interval
  double smallest_step = 0.0;         // the run ends there; 0: 1e-13 of the recording interval
  double safety = 0.9;                // α in (0, 1]
  double smallest_factor = 0.2;       // α_min in (0, 1)
  double largest_factor = 5.0;        // α_max > 1

  operator Scheme() const;  // NOLINT: a scheme by its parameters
};

}  // namespace ricochet
