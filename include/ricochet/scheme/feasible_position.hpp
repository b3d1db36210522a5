// Paoli's position scheme, inelastic; see docs/schemes/feasible-position.md.
#pragma once

#include "ricochet/scheme/scheme.hpp"

namespace ricochet {

struct FeasiblePosition {
  enum class Start { acceleration, plain };
  Start start = Start::acceleration;  // plain: q₁ = q₀ + h v₀

  operator Scheme() const;  // NOLINT: a scheme by its parameters
};

}  // namespace ricochet
