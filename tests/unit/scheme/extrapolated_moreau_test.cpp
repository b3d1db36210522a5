// Extrapolation of Moreau's midpoint scheme: orders in smooth motion, and the plain scheme wherever something touches.
#include "ricochet/scheme/extrapolated_moreau.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "ricochet/ricochet.hpp"
#include "support/problems.hpp"

namespace ricochet {
namespace {

using testing::ball_description;

// A driven, damped pendulum with an auxiliary state: everything of the smooth motion is nonlinear.
std::unique_ptr<Model> pendulum() {
  return lagrangian({.coordinates = {"x"},
                     .kinetic = "(1 + 0.3*sin(x)^2)*x_dot^2/2",
                     .potential = "-2*cos(x)",
                     .dissipation = "0.05*x_dot^2",
                     .force = {{"x", "0.4*cos(1.7*t) - 0.2*p"}},
                     .states = {{.name = "p", .rate = "x_dot - p^2", .initial = 0.1}}});
}
const State start{.q = {0.4}, .v = {0.9}, .z = {0.1}};

Solution run(const Model& model, int columns, double h) {
  return simulate(model, start, {0.0, 2.0}, ExtrapolatedMoreau{.columns = columns}, {.h = h});
}

TEST(ExtrapolatedMoreau, OrderIsTwiceTheColumns) {
  const auto model = pendulum();
  const State exact = run(*model, 6, 0.01).final;
  for (int columns = 1; columns <= 4; ++columns) {
    const auto error = [&](double h) {
      const State final = run(*model, columns, h).final;
      return std::abs(final.q[0] - exact.q[0]) + std::abs(final.v[0] - exact.v[0]) + std::abs(final.z[0] - exact.z[0]);
    };
    const double h = columns < 4 ? 0.1 : 0.2;
    EXPECT_NEAR(std::log2(error(h) / error(0.5 * h)), 2.0 * columns, 0.4) << columns << " columns, " << error(h);
  }
  // Five and six reach round-off at once.
  for (const int columns : {5, 6}) EXPECT_NEAR(run(*model, columns, 0.05).final.q[0], exact.q[0], 1e-13);
}

// Works of forces and damping are extrapolated with the motion, so what is left over is as small as the error.
TEST(ExtrapolatedMoreau, EnergyAccountIsOfTheSameOrder) {
  const auto model = pendulum();
  for (int columns = 1; columns <= 3; ++columns) {
    const auto left = [&](double h) {
      const EnergyLedger energy = run(*model, columns, h).energy;
      EXPECT_TRUE(energy.numerical_is_remainder);
      EXPECT_LT(energy.damping, -0.05);
      EXPECT_NE(energy.input, 0.0);
      return std::abs(energy.numerical);
    };
    EXPECT_GT(std::log2(left(0.1) / left(0.05)), 2.0 * columns - 0.5) << columns;
    if (columns == 3) EXPECT_LT(left(0.05), 1e-8);
  }
}

TEST(ExtrapolatedMoreau, OneColumnIsMoreauJean) {
  const auto ball = lagrangian(ball_description(2.0, 0.5));
  const Solution one = simulate(*ball, {.q = {1.0}}, {0.0, 4.0}, ExtrapolatedMoreau{.columns = 1}, {.h = 0.013});
  const Solution plain = simulate(*ball, {.q = {1.0}}, {0.0, 4.0}, MoreauJean{}, {.h = 0.013});
  EXPECT_EQ(one.trajectory.q, plain.trajectory.q);
  EXPECT_EQ(one.trajectory.v, plain.trajectory.v);
  EXPECT_EQ(one.trajectory.impulse, plain.trajectory.impulse);
  EXPECT_EQ(one.impacts, plain.impacts);
}

// Where a contact is forecast to close in some part of a step, the finest solution counts: that of moreau-jean with
// the step of a part, contact for contact.
TEST(ExtrapolatedMoreau, TheFinestSolutionCountsWhereSomethingTouches) {
  const auto model = lagrangian(testing::random_linear_description());
  constexpr int columns = 3;
  const double h = 0.01;
  const auto scheme = make_stepper(*model, ExtrapolatedMoreau{.columns = columns}),
             base = make_stepper(*model, MoreauJean{});
  State state = testing::random_linear_start();
  scheme->begin(state);
  int touched = 0, extrapolated = 0;
  for (int k = 0; k < 2000; ++k) {
    State fine = state;
    base->begin(fine);
    StepReport report, base_report;
    const double t0 = state.t, t1 = (k + 1) * h;
    for (int i = 1; i <= columns; ++i)
      ASSERT_EQ(base->advance(fine, h / columns, i == columns ? t1 : t0 + i * (h / columns), base_report),
                FailureKind::none);
    ASSERT_EQ(scheme->advance(state, h, t1, report), FailureKind::none);
    ASSERT_EQ(report.contacts.size(), base_report.contacts.size()) << "step " << k;
    if (!report.contacts.empty()) {
      ++touched;
      EXPECT_EQ(state, fine);
      EXPECT_EQ(report.energy.impact.value(), base_report.energy.impact.value());
      for (std::size_t i = 0; i < report.contacts.size(); ++i) {
        EXPECT_EQ(report.contacts[i].t, base_report.contacts[i].t);
        EXPECT_EQ(report.contacts[i].impulse, base_report.contacts[i].impulse);
        EXPECT_EQ(report.contacts[i].rate_minus, base_report.contacts[i].rate_minus);
        EXPECT_EQ(report.contacts[i].rate_plus, base_report.contacts[i].rate_plus);
      }
    } else if (state.q != fine.q) {
      ++extrapolated;
    }
  }
  EXPECT_GT(touched, 5);
  EXPECT_GT(extrapolated, 1500);
}

TEST(ExtrapolatedMoreau, ColumnsAreAWholeNumber) {
  const auto ball = lagrangian(ball_description(2.0, 0.5));
  const auto make = [&](double columns) { make_stepper(*ball, {"extrapolated-moreau", {{"columns", columns}}}); };
  EXPECT_NO_THROW(make(6.0));
  EXPECT_THROW(make(2.5), InputError);
  EXPECT_THROW(make(0.0), InputError);
  EXPECT_THROW(make(7.0), InputError);
}

TEST(ExtrapolatedMoreau, AFailedStepLeavesTheStateAsItWas) {
  const auto wall = lagrangian({.coordinates = {"x"}, .kinetic = "x_dot^2/2", .force = {{"x", "log(x)"}}});
  const Solution solution = simulate(*wall, {.q = {0.1}, .v = {-1.0}}, {0.0, 1.0}, ExtrapolatedMoreau{}, {.h = 0.01});
  EXPECT_EQ(solution.status, Status::failed);
  EXPECT_EQ(solution.failure.kind, FailureKind::not_finite);
  EXPECT_GT(solution.final.q[0], 0.0);
  EXPECT_LT(solution.final.q[0], 0.02);
  EXPECT_FALSE(solution.failure.message.empty());
}

// Parts of a step reverse a rate that rebounds, and extrapolation would make more of it: what lands with e = 0.9 comes
// to rest nevertheless.
TEST(ExtrapolatedMoreau, RatesThatReboundDieOut) {
  const auto ball = lagrangian({.coordinates = {"x"},
                                .kinetic = "x_dot^2/2",
                                .potential = "9.81*x",
                                .constraints = {{.name = "floor", .gap = "x", .restitution = 0.9}}});
  const Solution solution = simulate(*ball, {.q = {1e-4}}, {0.0, 2.0}, ExtrapolatedMoreau{}, {.h = 1e-3});
  ASSERT_EQ(solution.status, Status::completed) << solution.failure.message;
  for (std::size_t i = solution.trajectory.t.size() - 100; i < solution.trajectory.t.size(); ++i)
    EXPECT_LT(std::abs(solution.trajectory.v[i]), 1e-7 * 9.81e-3);
}

// Steps that do not resolve the waves of a bar: they are not extrapolated, which would make more of them in each step.
TEST(ExtrapolatedMoreau, WavesThatAreNotResolvedDoNotGrow) {
  LagrangianDescription bar;
  bar.constraints = {{.name = "wall", .gap = "u0", .restitution = 0.0}};
  constexpr int n = 20;
  for (int i = 0; i < n; ++i) {
    bar.coordinates.push_back("u" + std::to_string(i));
    bar.kinetic += (i > 0 ? " + u" : "u") + std::to_string(i) + "_dot^2/2";
    if (i > 0) bar.potential += (i > 1 ? " + (u" : "(u") + std::to_string(i) + " - u" + std::to_string(i - 1) + ")^2/2";
  }
  const auto model = lagrangian(bar);
  for (const int columns : {2, 3, 4, 6})
    for (const double h : {1.0, 1.7, 3.0, 10.0}) {
      const State start{.q = std::vector<double>(n, 5.0), .v = std::vector<double>(n, -1.0)};
      const Solution solution =
          simulate(*model, start, {0.0, 1000.0}, ExtrapolatedMoreau{.columns = columns}, {.h = h});
      ASSERT_EQ(solution.status, Status::completed) << solution.failure.message;
      EXPECT_LT(solution.energy.final, 1.05 * solution.energy.initial) << columns << " " << h;
    }
}

}  // namespace
}  // namespace ricochet
