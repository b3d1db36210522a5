// A bead that slides in a bowl, x² + y² ≤ 1 seen from inside, and the pendulum that swings as it does.
#pragma once

#include <gtest/gtest.h>

#include <cmath>
#include <memory>

#include "ricochet/ricochet.hpp"

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

// A bead slides from there until t; `error`: the angle between it and the pendulum.
struct Slide {
  Solution solution;
  double error = 0.0;
};
inline Slide slide_in_bowl(const Scheme& scheme, double h, double until = 2.0) {
  const TimeSpan span{0.0, until};
  const Solution pendulum = simulate(*bowl_as_pendulum(), {.q = {-1.0}}, span, EventDriven{.rtol = 1e-12}, {.h = h});
  Slide slide{simulate(*bowl(), bowl_start(), span, scheme, {.h = h})};
  EXPECT_EQ(slide.solution.status, Status::completed) << slide.solution.failure.message;
  const std::vector<double>& q = slide.solution.final.q;
  slide.error = std::abs(std::atan2(q[0], -q[1]) - pendulum.final.q[0]);
  return slide;
}

}  // namespace ricochet::testing
