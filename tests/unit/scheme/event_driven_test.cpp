// The event-driven scheme on cases that break others.
#include "ricochet/scheme/event_driven.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <cmath>
#include <random>

#include "ricochet/ricochet.hpp"
#include "support/problems.hpp"

namespace ricochet {
namespace {

using testing::ball_description;
using ::testing::Contains;
using ::testing::HasSubstr;

constexpr double pi = 3.14159265358979323846;

// Delassus' example: held bilaterally both contacts pull, yet only the first one opens. W = [1 −0.8; −0.8 1],
// Γ without forces (1, −0.5): λ₂ = 0.5 keeps the second closed, Γ₁ = 0.6.
LagrangianDescription delassus(const std::string& fx, const std::string& fy) {
  return {.coordinates = {"x", "y"},
          .kinetic = "(x_dot^2 + y_dot^2)/2",
          .force = {{"x", fx}, {"y", fy}},
          .constraints = {{.name = "one", .gap = "x", .restitution = 0.0},
                          {.name = "two", .gap = "-0.8*x + 0.6*y", .restitution = 0.0}}};
}

TEST(EventDriven, DelassusExampleAtTheStart) {
  const auto model = lagrangian(delassus("1", "0.5"));
  const Solution s = simulate(*model, {.q = {0.0, 0.0}}, {0.0, 1.0}, EventDriven{}, {.h = 0.1});
  ASSERT_EQ(s.status, Status::completed) << s.failure.message;
  EXPECT_NEAR(s.final.q[0], 0.5 * 0.6, 1e-9);
  EXPECT_NEAR(s.final.q[1], 0.5 * 0.8, 1e-9);
}

// The same from a force that turns suddenly after having pressed on both.
TEST(EventDriven, DelassusExampleInTheMotion) {
  const auto model = lagrangian(delassus("-1 + 2*step(t - 0.45)", "-1 + 1.5*step(t - 0.45)"));
  const Solution s = simulate(*model, {.q = {0.0, 0.0}}, {0.0, 1.0}, EventDriven{}, {.h = 0.1});
  ASSERT_EQ(s.status, Status::completed) << s.failure.message;
  EXPECT_NEAR(s.final.q[0], 0.5 * 0.6 * 0.55 * 0.55, 1e-7);
  EXPECT_NEAR(s.final.q[1], 0.5 * 0.8 * 0.55 * 0.55, 1e-7);
}

// e = 1 for 1,000 impacts: the energy is kept to 1e-9.
TEST(EventDriven, ElasticBallKeepsItsEnergy) {
  const auto ball = lagrangian(ball_description(2.0, 1.0));
  const Solution s = simulate(*ball, {.q = {1.0}, .v = {0.0}}, {0.0, 1999.5}, EventDriven{.rtol = 1e-10, .atol = 1e-12},
                              {.h = 0.5, .record_every = 0});
  ASSERT_EQ(s.status, Status::completed) << s.failure.message;
  EXPECT_EQ(s.impact_count, 1000u);
  EXPECT_NEAR(s.energy.final, 2.0, 1e-9);
  EXPECT_NEAR(s.impacts.back().t, 1999.0, 1e-7);
}

// Accumulation ends in finite work, and the result says when and after how many impacts.
TEST(EventDriven, AccumulationOfAlmostElasticImpacts) {
  for (const double e : {0.5, 0.9, 0.99}) {
    const auto ball = lagrangian(ball_description(2.0, e));
    // V = 2, flights 2 eⁿ: the end of the accumulation is 1 + 2 e/(1 − e).
    const double end = 1.0 + 2.0 * e / (1.0 - e);
    const Solution s = simulate(*ball, {.q = {1.0}, .v = {0.0}}, {0.0, end + 10.0},
                                EventDriven{.rtol = 1e-10, .atol = 1e-13}, {.h = 0.5, .record_every = 0});
    ASSERT_EQ(s.status, Status::completed) << s.failure.message;
    EXPECT_NEAR(s.final.q[0], 0.0, 1e-12);
    EXPECT_NEAR(s.final.v[0], 0.0, 1e-12);
    const double impacts = std::log(1e-8) / std::log(e);
    EXPECT_NEAR(static_cast<double>(s.impact_count), impacts, 2.0 + 0.01 * impacts) << e;
    EXPECT_NEAR(s.impacts.back().t, end, 1e-6 * end) << e;
    EXPECT_THAT(s.notes, Contains(HasSubstr("contact floor closed at t = "))) << e;
    EXPECT_NEAR(s.energy.final - s.energy.initial, s.energy.impact, 1e-8);
  }
}

// Two walls a hair apart crossed within one step: in order, and none is missed.
TEST(EventDriven, SeveralCrossingsWithinOneStep) {
  const auto corridor = lagrangian({.coordinates = {"x"},
                                    .kinetic = "x_dot^2/2",
                                    .constraints = {{.name = "left", .gap = "x", .restitution = 1.0},
                                                    {.name = "right", .gap = "0.01 - x", .restitution = 1.0}}});
  const Solution s = simulate(*corridor, {.q = {0.005}, .v = {1.0}}, {0.0, 1.0}, EventDriven{}, {.h = 1.0});
  ASSERT_EQ(s.status, Status::completed);
  ASSERT_EQ(s.impact_count, 100u);
  for (std::size_t i = 0; i < s.impacts.size(); ++i) {
    EXPECT_EQ(s.impacts[i].constraint, i % 2 == 0 ? 1 : 0);
    EXPECT_NEAR(s.impacts[i].t, 0.005 + 0.01 * static_cast<double>(i), 1e-9);
  }
}

// x = cos t over a floor at −1 + d: missed for d < 0, grazed for d = 0, hit twice a step for small d > 0, at rates
// √(2d).
TEST(EventDriven, BothSidesOfGrazing) {
  using Flow = EventDriven::Flow;
  const auto run = [](double d, Flow flow = Flow::automatic) {
    const auto spring = lagrangian({.coordinates = {"x"},
                                    .kinetic = "x_dot^2/2",
                                    .potential = "x^2/2",
                                    .parameters = {{"d", d}},
                                    .constraints = {{.name = "floor", .gap = "x + 1 - d", .restitution = 0.8}}});
    return simulate(*spring, {.q = {1.0}, .v = {0.0}}, {0.0, 5.0},
                    EventDriven{.flow = flow, .rtol = 1e-10, .atol = 1e-12}, {.h = 5.0});
  };
  EXPECT_EQ(run(-1e-6).impact_count, 0u);
  // Exact flights tell what tolerances do not.
  EXPECT_EQ(run(-1e-11).impact_count, 0u);
  EXPECT_GE(run(1e-11).impact_count, 1u);
  EXPECT_THAT(run(0.0).notes, Contains(HasSubstr("is grazed at t = 3.14")));
  const Solution hit = run(1e-6);
  ASSERT_GE(hit.impact_count, 1u);
  EXPECT_NEAR(hit.impacts[0].rate_minus, -std::sqrt(2e-6), 1e-5);
  EXPECT_NEAR(hit.impacts[0].t, pi - std::sqrt(2e-6), 1e-6);
  const Solution graze = run(-1e-11, Flow::runge_kutta);
  ASSERT_EQ(graze.impact_count, 1u);
  EXPECT_NEAR(graze.impacts[0].t, pi, 1e-4);
  EXPECT_EQ(graze.impacts[0].impulse, 0.0);
  EXPECT_THAT(graze.notes, Contains(HasSubstr("is grazed at t = 3.14")));
}

// Two masses on a spring, the lower one thrown on a floor that it stays on: with e = 0 for good, and after each
// lift-off with the energy that it had; with e = 1 the energy is that of the start.
TEST(EventDriven, LastingContactAfterAnImpact) {
  for (const double e : {0.0, 1.0}) {
    const auto jumper = lagrangian({.coordinates = {"x", "y"},
                                    .kinetic = "(x_dot^2 + y_dot^2)/2",
                                    .potential = "20*(y - x - 1)^2/2 + 9.81*(x + y)",
                                    .constraints = {{.name = "floor", .gap = "x", .restitution = e}}});
    const Solution s = simulate(*jumper, {.q = {0.2, 1.2}, .v = {0.0, 0.0}}, {0.0, 3.0},
                                EventDriven{.rtol = 1e-10, .atol = 1e-12}, {.h = 0.01});
    ASSERT_EQ(s.status, Status::completed) << s.failure.message;
    EXPECT_GE(s.impact_count, 1u);
    EXPECT_LE(s.violation_max, 1e-9);
    EXPECT_NEAR(s.energy.numerical, 0.0, 1e-8);
    if (e == 1.0) {
      EXPECT_NEAR(s.energy.final, s.energy.initial, 1e-8);
    }
    // In contact the floor carries; the second mass swings about its rest at 1 − 9.81/20.
    double impulse = 0.0;
    for (const double P : s.trajectory.impulse) impulse += P;
    EXPECT_NEAR(impulse - 3.0 * 2.0 * 9.81, s.final.v[0] + s.final.v[1], 1e-7) << "momentum";
  }
}

// A start at contact: at rest it stays, opening it leaves, closing it hits at once.
TEST(EventDriven, StartsAtContact) {
  const auto ball = lagrangian(ball_description(2.0, 0.5));
  const auto run = [&](double v) {
    return simulate(*ball, {.q = {0.0}, .v = {v}}, {0.0, 0.3}, EventDriven{}, {.h = 0.1});
  };
  EXPECT_EQ(run(0.0).final.q[0], 0.0);
  EXPECT_EQ(run(0.0).impact_count, 0u);
  EXPECT_NEAR(run(1.0).final.q[0], 0.3 - 0.09, 1e-9);
  EXPECT_NEAR(run(-1.0).final.q[0], 0.15 - 0.09, 1e-9);
  EXPECT_EQ(run(-1.0).impact_count, 1u);
}

// A table that falls away faster than the ball: the contact opens by itself where the force would have to pull.
TEST(EventDriven, GapThatOpensByItself) {
  LagrangianDescription description = ball_description(9.81, 0.0);
  description.constraints[0].gap = "x - 0.1*sin(12*t)";
  const auto model = lagrangian(description);
  const Solution s =
      simulate(*model, {.q = {0.0}, .v = {1.2}}, {0.0, 0.2}, EventDriven{.rtol = 1e-10, .atol = 1e-12}, {.h = 0.05});
  ASSERT_EQ(s.status, Status::completed) << s.failure.message;
  const double t1 = std::asin(9.81 / 14.4) / 12.0, rest = 0.2 - t1;
  EXPECT_NEAR(s.final.q[0], 0.1 * std::sin(12.0 * t1) + 1.2 * std::cos(12.0 * t1) * rest - 0.5 * 9.81 * rest * rest,
              1e-8);
  EXPECT_EQ(s.impact_count, 0u);
}

// A ball that lands without rebound where the table falls away faster lifts off at once, from as deep as it has landed.
TEST(EventDriven, LiftsOffWhereItLands) {
  std::mt19937 random(5);
  const auto between = [&](double a, double b) { return std::uniform_real_distribution(a, b)(random); };
  for (int i = 0; i < 40; ++i) {
    LagrangianDescription description = ball_description(9.81, 0.0);
    for (const auto& [name, value] :
         {std::pair("A", between(0.03, 0.2)), {"w", between(8.0, 40.0)}, {"B", 0.1 * (i % 4)}})
      description.parameters.emplace_back(name, value);
    description.constraints[0].gap = "x - A*sin(w*t) - B*sin(3*t)";
    const auto model = lagrangian(description);
    for (const auto flow : {EventDriven::Flow::exact, EventDriven::Flow::runge_kutta}) {
      const Solution s = simulate(*model, {.q = {between(0.01, 0.5)}, .v = {0.0}}, {0.0, 10.0},
                                  EventDriven{.flow = flow}, {.h = 0.05});
      EXPECT_EQ(s.status, Status::completed) << i << s.failure.message;
      EXPECT_LT(s.violation_max, 1e-6) << i;
    }
  }
}

// A bar that rests on five supports under a moment which never tips it: forces that cancel leave their round-off in the
// rates of its contacts, and a support that carries nothing for a while is no impact. Before, it chattered for ever.
TEST(EventDriven, ABarOnFiveSupportsRests) {
  LagrangianDescription description{.coordinates = {"y", "p"},
                                    .kinetic = "y_dot^2/2 + 0.05*p_dot^2",
                                    .potential = "9.81*y",
                                    .force = {{"p", "-3*sin(t)"}}};
  for (int k = 0; k < 5; ++k)
    description.constraints.push_back(
        {.name = "s" + std::to_string(k), .gap = "y + " + std::to_string(-1.0 + 0.5 * k) + "*p", .restitution = 0.8});
  const auto model = lagrangian(description);
  const State start{.q = {0.0, 0.0}, .v = {0.0, 0.0}};
  for (const double h : {1e-3, 0.37}) {
    const Solution s =
        simulate(*model, start, {0.0, 1.0}, EventDriven{.flow = EventDriven::Flow::runge_kutta}, {.h = h});
    ASSERT_EQ(s.status, Status::completed) << s.failure.message;
    EXPECT_LT(s.impact_count, 100u);
    EXPECT_LT(std::abs(s.final.v[0]) + std::abs(s.final.v[1]), 1e-12);
  }
}

// Lasting contact on a curved gap without drift: a bead in a bowl swings like a pendulum.
TEST(EventDriven, SlidesInABowl) {
  const auto bowl = lagrangian({.coordinates = {"x", "y"},
                                .kinetic = "(x_dot^2 + y_dot^2)/2",
                                .potential = "9.81*y",
                                .constraints = {{.name = "bowl", .gap = "1 - sqrt(x^2 + y^2)", .restitution = 0.0}}});
  const auto pendulum = lagrangian({.coordinates = {"a"}, .kinetic = "a_dot^2/2", .potential = "-9.81*cos(a)"});
  const EventDriven tight{.rtol = 1e-11, .atol = 1e-13};
  const double exact = simulate(*pendulum, {.q = {-1.0}}, {0.0, 20.0}, tight, {.h = 1.0}).final.q[0];
  const Solution s =
      simulate(*bowl, {.q = {std::sin(-1.0), -std::cos(1.0)}, .v = {0.0, 0.0}}, {0.0, 20.0}, tight, {.h = 1.0});
  ASSERT_EQ(s.status, Status::completed) << s.failure.message;
  EXPECT_NEAR(std::atan2(s.final.q[0], -s.final.q[1]), exact, 1e-8);
  EXPECT_LE(s.violation_max, 1e-12);
}

// An interrupt acts inside a recording interval too, and what was computed is kept.
TEST(EventDriven, InterruptInsideAnInterval) {
  const auto ball = lagrangian(ball_description(2.0, 1.0));
  const auto stepper = make_stepper(*ball, EventDriven{});
  std::atomic<bool> interrupt = false;
  StepReport report;
  report.interrupt = &interrupt;
  State state{.q = {1.0}, .v = {0.0}};
  stepper->begin(state);
  ASSERT_EQ(stepper->advance(state, 1.5, 1.5, report), FailureKind::none);
  interrupt = true;
  EXPECT_EQ(stepper->advance(state, 1e6, 1e6, report), FailureKind::interrupted);
  EXPECT_NEAR(state.t, 1.5, 1e-12);
  EXPECT_NEAR(state.q[0], 0.75, 1e-9);
}

// x'' = −x − x³ between a stop and its own energy: x'²/2 + x²/2 + x⁴/4 = ¾ with e = 1.
LagrangianDescription hard_spring() {
  return {.coordinates = {"x"},
          .kinetic = "x_dot^2/2",
          .potential = "x^2/2 + x^4/4",
          .constraints = {{.name = "stop", .gap = "x + 0.3", .restitution = 1.0}}};
}

// Rows come from the polynomials of steps: how many there are changes nothing, and they are as good as the steps.
TEST(EventDriven, RecordsDoNotCutSteps) {
  const auto spring = lagrangian(hard_spring());
  const EventDriven scheme{.rtol = 1e-10, .atol = 1e-12};
  const State start{.q = {1.0}, .v = {0.0}};
  const Solution all = simulate(*spring, start, {0.0, 20.0}, scheme, {.h = 0.01});
  const Solution none = simulate(*spring, start, {0.0, 20.0}, scheme, {.h = 0.01, .record_every = 0});
  EXPECT_EQ(all.statistics.accepted, none.statistics.accepted);
  EXPECT_LT(all.statistics.accepted, 400u);
  EXPECT_EQ(all.final.q, none.final.q);
  EXPECT_EQ(all.final.v, none.final.v);
  ASSERT_EQ(all.impacts.size(), none.impacts.size());
  EXPECT_GT(all.impacts.size(), 5u);
  for (std::size_t k = 0; k < all.trajectory.t.size(); ++k) {
    const double x = all.trajectory.q[k], v = all.trajectory.v[k];
    EXPECT_NEAR(0.5 * (v * v + x * x) + 0.25 * x * x * x * x, 0.75, 1e-8) << all.trajectory.t[k];
    EXPECT_GT(x, -0.3 - 1e-9);
  }
}

// With rows in every step, whose polynomials take three evaluations each: half at rtol 1e-10, a third at 1e-12.
TEST(EventDriven, OrderEightTakesFewerEvaluations) {
  const auto pendulum =
      lagrangian({.coordinates = {"a", "b"},
                  .kinetic = "a_dot^2 + b_dot^2/2 + a_dot*b_dot*cos(a - b)",
                  .potential = "-2*g*cos(a) - g*cos(b)",
                  .parameters = {{"g", 9.81}},
                  .constraints = {{.name = "wall", .gap = "sin(a) + sin(b) + 0.5", .restitution = 0.5}}});
  const State start{.q = {0.8, 0.6}, .v = {0.0, 0.0}};
  const auto evaluations = [&](const char* tableau, double rtol) {
    const EventDriven scheme{.tableau = tableau, .rtol = rtol};
    const Solution solution = simulate(*pendulum, start, {0.0, 4.0}, scheme, {.h = 0.01});
    return static_cast<double>(solution.statistics.force_evaluations);
  };
  EXPECT_LE(1.7 * evaluations("dop853", 1e-10), evaluations("dormand-prince", 1e-10));
  EXPECT_LE(3.0 * evaluations("dop853", 1e-12), evaluations("dormand-prince", 1e-12));
}

TEST(EventDriven, AuxiliaryStatesAreCarried) {
  const auto model = lagrangian({.coordinates = {"x"},
                                 .kinetic = "x_dot^2/2",
                                 .force = {{"x", "-p"}},
                                 .states = {{.name = "p", .rate = "x_dot", .initial = 1.0}}});
  const Solution s = simulate(*model, {.q = {1.0}, .v = {0.0}, .z = {1.0}}, {0.0, 2.0}, EventDriven{}, {.h = 0.5});
  EXPECT_NEAR(s.final.q[0], std::cos(2.0), 1e-7);
  EXPECT_NEAR(s.final.z[0], std::cos(2.0), 1e-7);
}

}  // namespace
}  // namespace ricochet
