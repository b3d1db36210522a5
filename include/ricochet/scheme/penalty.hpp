// Compliant contacts: a spring and a damper that give the restitution; see docs/schemes/penalty.md.
#pragma once

#include <string>

#include "ricochet/scheme/scheme.hpp"

namespace ricochet {

struct Penalty {
  double stiffness = 0.0;            // k of every contact; 0: from penetration
  double penetration = 0.0;          // depth that impacts may reach; 0: contacts last a tenth of the step
  std::string steps = "adaptive";    // or "fixed": one Runge-Kutta step a step
  double rtol = 1e-8, atol = 1e-10;  // for adaptive steps; ≥ 0, > 0

  operator Scheme() const;  // NOLINT: a scheme by its parameters
};

// ε in [0, 1] of the damper c = 2ε√(k m) that gives the restitution e in [0, 1]: ε = −ln e/√(π² + ln² e), 1 for e = 0.
double damping_ratio(double restitution);

}  // namespace ricochet
