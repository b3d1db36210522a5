// Nonsmooth Newmark, HHT and generalized-α schemes; see docs/schemes/newmark.md, hht.md and generalized-alpha.md.
#pragma once

#include <string>

#include "ricochet/scheme/scheme.hpp"

namespace ricochet {

struct Newmark {
  // "average-acceleration" (γ, β) = (½, ¼), "linear-acceleration" (½, 1/6), "fox-goodwin" (½, 1/12),
  // "central-difference" (½, 0), "damped": γ with β = ¼(γ + ½)², or "custom": γ and β.
  std::string choice = "average-acceleration";
  double gamma = 0.5;     // γ in [½, 1], for "damped" and "custom"
  double beta = 0.25;     // β in [0, 1], for "custom"
  double forecast = 0.5;  // a contact is active where g + forecast h U ≤ 0

  operator Scheme() const;  // NOLINT: a scheme by its parameters
};

struct Hht {
  double alpha = 0.1;  // α in [0, 1/3]: γ = ½ + α, β = ¼(1 + α)²; the force is that of t₁ − α h
  double forecast = 0.5;

  operator Scheme() const;  // NOLINT
};

struct GeneralizedAlpha {
  double rho_infinity = 0.8;  // ρ∞ in [0, 1]: spectral radius for fast vibrations
  double forecast = 0.5;

  operator Scheme() const;  // NOLINT
};

}  // namespace ricochet
