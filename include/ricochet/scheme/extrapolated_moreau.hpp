// Moreau's midpoint scheme, extrapolated where nothing touches; see docs/schemes/extrapolated-moreau.md.
#pragma once

#include "ricochet/scheme/scheme.hpp"

namespace ricochet {

struct ExtrapolatedMoreau {
  int columns = 3;  // 1 to 6: order 2 · columns in free flight

  operator Scheme() const;  // NOLINT: a scheme by its parameters
};

}  // namespace ricochet
