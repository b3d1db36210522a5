// What a contact did in a step.
#pragma once

#include <array>
#include <cmath>
#include <optional>

namespace ricochet {

// What friction did at a contact: along one slip in the plane, two in space.
enum class SlipStatus : unsigned char { none, stick, slide, reverse };  // none: no friction
struct SlipReport {
  std::array<double, 2> minus = {}, plus = {}, impulse = {};  // the slip before and after, the impulse of friction
  SlipStatus status = SlipStatus::none;

  // −½(U⁻ + U⁺)ᵀP
  double loss() const { return -0.5 * ((minus[0] + plus[0]) * impulse[0] + (minus[1] + plus[1]) * impulse[1]); }
  // The impulse within the cone sticks; on it, it slides on or back.
  void decide(double bound) {
    constexpr double round_off = 1e-9;
    if (std::hypot(impulse[0], impulse[1]) < (1.0 - round_off) * bound) {
      status = SlipStatus::stick;
    } else {
      status = minus[0] * plus[0] + minus[1] * plus[1] < 0.0 ? SlipStatus::reverse : SlipStatus::slide;
    }
  }
  bool operator==(const SlipReport&) const = default;
};

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
  std::optional<double> loss = std::nullopt;  // energy lost along the normal, where it is not −½(U⁻ + U⁺) P
  SlipReport slip = {};
  // Whether contacts that were closed together break continuous dependence (contact/impact.hpp). Left open by schemes
  // whose contacts belong to the whole step: run/ then looks at its end.
  std::optional<bool> discontinuous = std::nullopt;
};

}  // namespace ricochet
