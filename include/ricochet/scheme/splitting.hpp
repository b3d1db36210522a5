// Splitting: smooth motion over a step, then the impacts at its end; see docs/schemes/splitting.md.
#pragma once

#include <optional>
#include <string>

#include "ricochet/scheme/scheme.hpp"

namespace ricochet {

struct Splitting {
  enum class Steps { fixed, adaptive };
  bool contact_forces = true;                 // without them a body at rest sinks
  std::string tableau = "rkf45";              // an explicit table
  Steps steps = Steps::fixed;                 // adaptive: they follow rtol and atol in flight and at impacts
  double rtol = 1e-8;                         // for adaptive steps
  std::optional<double> atol = std::nullopt;  // by default rtol/100 of the sizes that there have been

  operator Scheme() const;  // NOLINT: a scheme by its parameters
};

}  // namespace ricochet
