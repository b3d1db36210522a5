// Facts about the scheme D1-minus: closed contacts are held, slow impacts close.
#include "ricochet/scheme/d1_minus.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "ricochet/ricochet.hpp"
#include "support/bowl.hpp"
#include "support/problems.hpp"

namespace ricochet {
namespace {

// After the accumulation at t = 3 the ball lies on the floor: no sinking, no rattling.
TEST(D1Minus, BallComesToRestOnTheFloor) {
  const auto ball = lagrangian(testing::ball_description(2.0, 0.5));
  for (const double h : {0.03, 0.011, 0.0037}) {
    const Solution solution = simulate(*ball, {.q = {1.0}, .v = {0.0}}, {0.0, 10.0}, D1Minus{}, {.h = h});
    ASSERT_EQ(solution.status, Status::completed);
    EXPECT_NEAR(solution.final.q[0], 0.0, 1e-14) << h;
    EXPECT_NEAR(solution.final.v[0], 0.0, 1e-14) << h;
    const std::size_t last = solution.trajectory.impulse.size() - 1;
    EXPECT_NEAR(solution.trajectory.impulse[last], 2.0 * (10.0 / static_cast<double>(last)), 1e-12)
        << "it carries its weight";
  }
}

// On a table that swings gently the ball stays on it, exactly; the table's work is input.
TEST(D1Minus, RidesOnAMovingTable) {
  const Solution solution = testing::ride_on_table(D1Minus{});
  EXPECT_NEAR(solution.energy.final - solution.energy.initial, solution.energy.input, 1e-4);
}

// A bead that slides in a bowl, x² + y² ≤ 1 seen from inside: lasting contact on a curved gap, of second order.
TEST(D1Minus, SlidesInABowl) {
  const auto error = [&](double h) {
    const testing::Slide slide = testing::slide_in_bowl(D1Minus{}, h);
    EXPECT_LT(slide.solution.violation_max, 1e-13);
    return slide.error;
  };
  EXPECT_NEAR(std::log2(error(0.01) / error(0.005)), 2.0, 0.15);
  EXPECT_LT(error(0.005), 1e-3);
}

// A ball on a table that swings down faster than a ball falls: it lies on the table until the contact would have to
// pull, then it flies.
TEST(D1Minus, ContactOpensByItself) {
  const auto table = [](double t) { return 0.1 * std::sin(12.0 * t); };  // outruns gravity: 0.1·144 > 9.81
  LagrangianDescription description = testing::ball_description(9.81, 0.0);
  description.constraints[0].gap = "x - 0.1*sin(12*t)";
  const auto model = lagrangian(description);
  const Solution solution = simulate(*model, {.q = {0.0}, .v = {1.2}}, {0.0, 0.2}, D1Minus{}, {.h = 1e-4});
  ASSERT_EQ(solution.status, Status::completed);
  // They part where sin(12 t₁) = 9.81/14.4.
  const double t1 = std::asin(9.81 / 14.4) / 12.0;
  for (std::size_t i = 0; i < solution.trajectory.t.size(); ++i) {
    const double t = solution.trajectory.t[i], x = solution.trajectory.q[i], s = t - t1;
    if (s < 0.0) {
      ASSERT_NEAR(x, table(t), 1e-13) << "held at t = " << t;
    } else {
      ASSERT_NEAR(x, table(t1) + 1.2 * std::cos(12.0 * t1) * s - 0.5 * 9.81 * s * s, 1e-4) << "in flight at t = " << t;
    }
  }
  EXPECT_GT(solution.final.q[0], table(0.2) + 0.01) << "far from the table at the end";
}

TEST(D1Minus, RefusesStates) {
  const auto valve = lagrangian(
      {.coordinates = {"x"}, .kinetic = "x_dot^2/2", .states = {{.name = "p", .rate = "x_dot", .initial = 0.0}}});
  EXPECT_THROW(make_stepper(*valve, D1Minus{}), InputError);
}

}  // namespace
}  // namespace ricochet
