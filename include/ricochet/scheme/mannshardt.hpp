// Runge-Kutta of any order between events, one Moreau step across each; see docs/schemes/mannshardt.md.
#pragma once

#include <string>

#include "ricochet/scheme/scheme.hpp"

namespace ricochet {

struct Mannshardt {
  std::string tableau = "gauss-2";  // a name from tableaus()
  double bracket = 0.0;             // C ≥ 0: events are located to C h^{p+1}, as well as numbers allow with 0
  bool repeat = true;               // false: one event a step

  operator Scheme() const;  // NOLINT: a scheme by its parameters
};

}  // namespace ricochet
