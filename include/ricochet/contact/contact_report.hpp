// What a contact did in a step.
#pragma once

#include <optional>

namespace ricochet {

// A contact that pushed in a step. Whether it is an impact or lasting contact is decided in run/.
struct ContactReport {
  int constraint = 0;
  double t = 0.0;                   // where the gap, followed at its rate, closes; inside the step
  double rate_minus = 0.0;          // U before
  double rate_plus = 0.0;           // U after
  double impulse = 0.0;             // P > 0
  double smooth_rate_change = 0.0;  // what the smooth forces alone did to U in the step
  bool unfinished = false;          // U⁺ has not reached −e U⁻ yet: the next step may go on with this impact
  bool located = false;             // an event that the scheme has located: an impact whatever its rate
  std::optional<double> loss = std::nullopt;  // energy lost, where it is not −½(U⁻ + U⁺) P
  // Whether contacts that were closed together break continuous dependence (contact/impact.hpp). Left open by schemes
  // whose contacts belong to the whole step: run/ then looks at its end.
  std::optional<bool> discontinuous = std::nullopt;
};

}  // namespace ricochet
