// Nonsmooth generalized-α scheme with contacts and joints at position and velocity level; see docs/schemes/nsga.md.
#pragma once

#include "ricochet/scheme/scheme.hpp"

namespace ricochet {

struct Nsga {
  double rho_infinity = 0.8;  // ρ∞ in [0, 1]: spectral radius for fast vibrations

  operator Scheme() const;  // NOLINT: a scheme by its parameters
};

}  // namespace ricochet
