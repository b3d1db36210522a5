// Event-driven integration with index sets; see docs/schemes/event-driven.md.
#pragma once

#include "ricochet/scheme/scheme.hpp"

namespace ricochet {

struct EventDriven {
  double rtol = 1e-8, atol = 1e-10;  // of the smooth motion
  double closing = 1e-8;             // a flight shorter than this share of the longest one closes the contact
  double gap_tolerance = 0.0;        // ε_g: gaps below it count as closed; 0: atol + rtol |q|
  double rate_tolerance = 1e-10;     // ε_U: rates below this share of the fastest one of the contact count as 0

  operator Scheme() const;  // NOLINT: a scheme by its parameters
};

}  // namespace ricochet
