// A bead that slides in a bowl, x² + y² ≤ 1 seen from inside, and the pendulum that swings as it does.
#pragma once

#include <cmath>
#include <memory>

#include "ricochet/core/state.hpp"
#include "ricochet/model/lagrangian.hpp"

namespace ricochet::testing {

inline std::unique_ptr<Model> bowl(double e = 0.0) {
  return lagrangian({.coordinates = {"x", "y"},
                     .kinetic = "(x_dot^2 + y_dot^2)/2",
                     .potential = "9.81*y",
                     .constraints = {{.name = "bowl", .gap = "1 - sqrt(x^2 + y^2)", .restitution = e}}});
}

inline std::unique_ptr<Model> bowl_as_pendulum() {
  return lagrangian({.coordinates = {"a"}, .kinetic = "a_dot^2/2", .potential = "-9.81*cos(a)", .constraints = {}});
}

// At rest where the pendulum hangs at a.
inline State bowl_start(double a = -1.0) { return {.q = {std::sin(a), -std::cos(a)}, .v = {0.0, 0.0}}; }

}  // namespace ricochet::testing
