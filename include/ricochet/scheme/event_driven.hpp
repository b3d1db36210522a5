// Event-driven integration with index sets; see docs/schemes/event-driven.md.
#pragma once

#include <optional>
#include <string>

#include "ricochet/scheme/scheme.hpp"

namespace ricochet {

struct EventDriven {
  enum class Flow { automatic, exact, runge_kutta };
  Flow flow = Flow::automatic;                         // exact: in closed form, where the model has one
  std::string tableau = "automatic";                   // of the smooth motion; dop853 where rtol < 1e-7
  double rtol = 1e-8;                                  // of the smooth motion
  std::optional<double> atol = std::nullopt;           // by default rtol/100 of the sizes that there have been
  double closing = 1e-8;                               // a flight shorter than this share of the longest one closes
  std::optional<double> gap_tolerance = std::nullopt;  // ε_g: gaps below it are closed; by default rtol of the motion
  double rate_tolerance = 1e-10;                       // ε_U: rates below this share of the contact's fastest are 0

  operator Scheme() const;  // NOLINT: a scheme by its parameters
};

}  // namespace ricochet
