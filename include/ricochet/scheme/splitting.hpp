// Splitting: smooth motion over a step, then the impacts at its end; see docs/schemes/splitting.md.
#pragma once

#include <string>

#include "ricochet/scheme/scheme.hpp"

namespace ricochet {

struct Splitting {
  std::string contact_forces = "on";  // or "off": a body at rest then sinks
  std::string tableau = "rkf45";      // an explicit table
  std::string steps = "fixed";        // or "adaptive": steps follow rtol and atol in flight and at impacts
  double rtol = 1e-8, atol = 1e-10;   // for adaptive steps; ≥ 0, > 0

  operator Scheme() const;  // NOLINT: a scheme by its parameters
};

}  // namespace ricochet
