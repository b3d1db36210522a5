// What a step does not resolve, and what only round-off does.
#include "run/resolution.hpp"

#include <gtest/gtest.h>

#include <limits>

#include "ricochet/ricochet.hpp"

namespace ricochet {
namespace {

// Two bodies that move as one from where both gaps are 0: their distance on the way is round-off of the way.
TEST(Resolution, RoundOffOfAWayFromNothingIsNoSwing) {
  const auto pile = lagrangian({.coordinates = {"x", "y"},
                                .kinetic = "(x_dot^2 + y_dot^2)/2",
                                .constraints = {{.name = "floor", .gap = "x", .restitution = 0.0},
                                                {.name = "top", .gap = "y - x", .restitution = 0.0}}});
  for (const double unit : {1.0, 1e-17, 1e-300})
    for (int k = 0; k < 200; ++k) {
      const double speed = (1.0 + k / 199.0) * unit;
      const double other = speed * (1.0 + std::numeric_limits<double>::epsilon());
      EXPECT_FALSE(wild_gap_in_step(*pile, {0.0, {0.0, 0.0}, {speed, other}}, 1e-3)) << speed;
    }
}

TEST(Resolution, ASwingAtNothingIsOne) {
  const auto body = lagrangian({.coordinates = {"x"},
                                .kinetic = "x_dot^2/2",
                                .constraints = {{.name = "wall", .gap = "x + 1e-6*sin(1e9*x)", .restitution = 0.0}}});
  EXPECT_EQ(wild_gap_in_step(*body, {0.0, {0.0}, {1e-3}}, 1e-3), 0);
}

}  // namespace
}  // namespace ricochet
