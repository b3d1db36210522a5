// Schemes with the contact law at position level; see docs/schemes/paoli-schatzman.md and feasible-position.md.
#pragma once

#include <string>

#include "ricochet/scheme/scheme.hpp"

namespace ricochet {

struct PaoliSchatzman {
  std::string start = "acceleration";  // or "plain": q₁ = q₀ + h v₀
  std::string force = "central";       // or "mabrouk", "newmark"

  operator Scheme() const;  // NOLINT: a scheme by its parameters
};

struct FeasiblePosition {
  std::string start = "acceleration";  // or "plain"

  operator Scheme() const;  // NOLINT
};

}  // namespace ricochet
