// Nonsmooth Hilber-Hughes-Taylor scheme; see docs/schemes/hht.md.
#pragma once

#include "ricochet/scheme/scheme.hpp"

namespace ricochet {

struct Hht {
  double alpha = 0.1;     // α in [0, 1/3]: γ = ½ + α, β = ¼(1 + α)²; the force is that of t₁ − α h
  double forecast = 0.5;  // a contact is active where g + forecast h U ≤ 0

  operator Scheme() const;  // NOLINT: a scheme by its parameters
};

}  // namespace ricochet
