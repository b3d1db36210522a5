// The position scheme of Paoli and Schatzman; see docs/schemes/paoli-schatzman.md.
#pragma once

#include "ricochet/scheme/scheme.hpp"

namespace ricochet {

struct PaoliSchatzman {
  enum class Start { acceleration, plain };
  enum class Force { central, mabrouk, newmark };
  Start start = Start::acceleration;  // plain: q₁ = q₀ + h v₀
  Force force = Force::central;

  operator Scheme() const;  // NOLINT: a scheme by its parameters
};

}  // namespace ricochet
