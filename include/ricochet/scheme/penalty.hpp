// Compliant contacts: a spring and a damper that give the restitution; see docs/schemes/penalty.md.
#pragma once

#include <optional>
#include <string>

#include "ricochet/scheme/scheme.hpp"

namespace ricochet {

struct Penalty {
  enum class Steps { adaptive, fixed };
  enum class Flow { automatic, exact, runge_kutta };
  std::optional<double> stiffness = std::nullopt;    // k of every contact; by default from the penetration
  std::optional<double> penetration = std::nullopt;  // depth of impacts; by default contacts last a tenth of the step
  Steps steps = Steps::adaptive;                     // fixed: one Runge-Kutta step a step
  std::optional<double> slip_speed = std::nullopt;   // v_s; by default a thousandth of the slips at the start
  std::string tableau = "dormand-prince";            // of the motion, or dop853
  double rtol = 1e-8;                                // for adaptive steps
  std::optional<double> atol = std::nullopt;         // by default rtol/100 of the sizes that there have been
  Flow flow = Flow::automatic;                       // exact: in closed form where the model is linear

  operator Scheme() const;  // NOLINT: a scheme by its parameters
};

// ζ in [0, 1] of the damper κ = 2ζ√(k m) that gives the restitution e in [0, 1]: ζ = −ln e/√(π² + ln² e), 1 for e = 0.
double damping_ratio(double restitution);
// And back: e = exp(−πζ/√(1 − ζ²)), 0 from ζ = 1 on.
double restitution_of_ratio(double zeta);
// e of the force k δⁿ (1 + α δ') for an impact with the rate v, a = α v: a − ln(1 + a) = −e a − ln(1 − e a). And back.
double restitution_of_hysteresis(double a);
double hysteresis_of_restitution(double restitution);

}  // namespace ricochet
