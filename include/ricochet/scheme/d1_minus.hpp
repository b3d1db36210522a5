// The half-explicit time-discontinuous Galerkin scheme D1-minus; see docs/schemes/d1-minus.md.
#pragma once

#include "ricochet/scheme/scheme.hpp"

namespace ricochet {

struct D1Minus {
  operator Scheme() const { return {"d1-minus"}; }  // NOLINT: a scheme by its parameters
};

}  // namespace ricochet
