// The two-step form of the scheme, its linear solve, and what it refuses.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <cmath>

#include "ricochet/ricochet.hpp"
#include "support/problems.hpp"

namespace ricochet {
namespace {

using ::testing::HasSubstr;

// A pipe as four masses on springs with a stop at the last: the step of Paoli 2001, (3.12), by hand in its two-step
// form,
//     (1+e) S ū + h² ∂ψ_K(ū) ∋ X,   S = M + ¼h²A,   U_{i+1} = (1+e) ū − e U_{i−1},
//     X = ¼h²(ℓ_{i+1} + 2ℓ_i + ℓ_{i−1}) + 2M U_i − ½h²A U_i − (1−e) S U_{i−1},
// ū by one solve, and where it leaves K one correction of rank one (Lemma 3.2).
TEST(PaoliSchatzman, NewmarkForceIsTheLinearSolveOf312) {
  const double e = 0.4, h = 0.02, stop = 0.05;
  const auto model = lagrangian({.coordinates = {"a", "b", "c", "d"},
                                 .kinetic = "(a_dot^2 + b_dot^2 + 2*c_dot^2 + d_dot^2)/2",
                                 .potential = "(30*a^2 + 30*(b - a)^2 + 30*(c - b)^2 + 30*(d - c)^2)/2",
                                 .force = {{"b", "2*sin(5*t)"}},
                                 .constraints = {{.name = "stop", .gap = "0.05 - d", .restitution = e}}});
  Eigen::Matrix4d M = Eigen::Vector4d(1.0, 1.0, 2.0, 1.0).asDiagonal(), A;
  A << 60, -30, 0, 0, -30, 60, -30, 0, 0, -30, 60, -30, 0, 0, -30, 30;
  const Eigen::Matrix4d S = M + 0.25 * h * h * A;
  const Eigen::Vector4d response = S.inverse() * Eigen::Vector4d(0, 0, 0, 1);
  const auto load = [](double t) { return Eigen::Vector4d(0.0, 2.0 * std::sin(5.0 * t), 0.0, 0.0); };

  const int steps = 400;
  const Solution solution =
      simulate(*model, {.q = {0, 0, 0, 0}, .v = {0.3, 0, 0, 1.0}}, {0.0, steps * h},
               PaoliSchatzman{.start = PaoliSchatzman::Start::plain, .force = PaoliSchatzman::Force::newmark},
               {.h = h * (1.0 + 1e-13)});
  ASSERT_EQ(solution.statistics.steps, 400u);
  Eigen::Vector4d before = Eigen::Vector4d::Zero(), now = h * Eigen::Vector4d(0.3, 0, 0, 1.0);
  int hits = 0;
  for (int i = 1; i < steps; ++i) {
    for (int k = 0; k < 4; ++k) ASSERT_NEAR(solution.trajectory.q[4 * i + k], now[k], 1e-11) << "node " << i;
    const Eigen::Vector4d loads = 0.25 * (load((i + 1) * h) + 2.0 * load(i * h) + load((i - 1) * h));
    const Eigen::Vector4d X = h * h * loads + 2.0 * M * now - 0.5 * h * h * A * now - (1.0 - e) * S * before;
    Eigen::Vector4d u = S.inverse() * X / (1.0 + e);
    if (u[3] > stop) u -= (u[3] - stop) / response[3] * response, ++hits;
    const Eigen::Vector4d next = (1.0 + e) * u - e * before;
    before = now, now = next;
  }
  EXPECT_GT(hits, 4);
}

// The kick with half an acceleration from a start in contact carries the contact force: nothing begins below the floor.
TEST(PaoliSchatzman, StartsInContactWithoutRattling) {
  const auto two = lagrangian({.coordinates = {"x", "y"},
                               .kinetic = "(x_dot^2 + y_dot^2)/2",
                               .potential = "9.81*(x + y)",
                               .constraints = {{.name = "floor", .gap = "x", .restitution = 0.5},
                                               {.name = "stack", .gap = "y - x - 1", .restitution = 0.5}}});
  const Solution solution = simulate(*two, {.q = {0.0, 1.0}}, {0.0, 1.0}, PaoliSchatzman{}, {.h = 0.01});
  EXPECT_EQ(solution.impact_count, 0u);
  EXPECT_NEAR(solution.final.q[0], 0.0, 1e-14);
  EXPECT_NEAR(solution.final.q[1], 1.0, 1e-14);
}

std::string refusal(const LagrangianDescription& description, const Scheme& scheme) {
  const auto model = lagrangian(description);
  try {
    make_stepper(*model, scheme);
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

TEST(PaoliSchatzman, RefusesDifferentRestitutionsAndFormulas) {
  LagrangianDescription two = testing::random_linear_description();
  EXPECT_EQ(refusal(two, PaoliSchatzman{}), "");
  two.constraints[1].restitution = 0.3;
  EXPECT_THAT(refusal(two, PaoliSchatzman{}), HasSubstr("that of left is 0.7, that of right is 0.3"));
  two.constraints[1].restitution = "0.7 - 0.1*a";
  EXPECT_THAT(refusal(two, PaoliSchatzman{}), HasSubstr("one is a formula"));
}

TEST(FeasiblePosition, RefusesRebounds) {
  EXPECT_THAT(refusal(testing::ball_description(2.0, 0.5), FeasiblePosition{}),
              HasSubstr("every restitution must be 0, one is 0.5; paoli-schatzman takes any"));
}

// Explicit central forces are stable for h ω < 2 only, the newmark-like force always.
TEST(PaoliSchatzman, NewmarkForceHasNoStabilityLimit) {
  const auto spring = lagrangian({.coordinates = {"x"}, .kinetic = "x_dot^2/2", .potential = "x^2/2"});
  const auto end = [&](const char* force, double h) {
    return std::abs(simulate(*spring, {.q = {1.0}, .v = {0.0}}, {0.0, 500.0 * h},
                             Scheme{"paoli-schatzman", {{"force", force}}}, {.h = h})
                        .final.q[0]);
  };
  EXPECT_LT(end("central", 1.9), 100.0);
  EXPECT_GT(end("central", 2.1), 1e6);
  EXPECT_LT(end("newmark", 21.0), 1000.0);
}

}  // namespace
}  // namespace ricochet
