// Nonsmooth generalized-α scheme; see docs/schemes/generalized-alpha.md.
#pragma once

#include "ricochet/scheme/scheme.hpp"

namespace ricochet {

struct GeneralizedAlpha {
  double rho_infinity = 0.8;  // ρ∞ in [0, 1]: spectral radius for fast vibrations
  double forecast = 0.5;      // a contact is active where g + forecast h U ≤ 0

  operator Scheme() const;  // NOLINT: a scheme by its parameters
};

}  // namespace ricochet
