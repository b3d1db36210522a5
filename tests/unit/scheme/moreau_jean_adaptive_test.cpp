// Steps of moreau-jean-adaptive: the error follows the tolerance, and why the violation of the gaps must count.
#include "ricochet/scheme/moreau_jean_adaptive.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fmt/format.h>

#include <cmath>

#include "scheme/kernel/motion_tolerances.hpp"
#include "scheme/kernel/step_proposal.hpp"
#include "support/bowl.hpp"
#include "support/orders.hpp"
#include "support/references.hpp"

namespace ricochet {
namespace {

using testing::ball_description;
using testing::ExactBall;
using ::testing::HasSubstr;

// The ball on [0, 4], through its accumulation at 3: errors of q at the recorded nodes and base steps, over eight
// recording intervals.
struct Outcome {
  double mean = 0.0, worst = 0.0, base_steps = 0.0;
};

Outcome run_ball(double interval, const MoreauJeanAdaptive& scheme) {
  const auto ball = lagrangian(ball_description(2.0, 0.5));
  const ExactBall exact(2.0, 0.5);
  Outcome outcome;
  constexpr int phases = 8;
  for (int i = 0; i < phases; ++i) {
    const double h = interval * (0.98317 - 0.0371 * i);
    const Solution solution = simulate(*ball, {.q = {1.0}}, {0.0, std::floor(4.0 / h) * h}, scheme, {.h = h});
    EXPECT_EQ(solution.status, Status::completed) << solution.failure.message;
    double error = 0.0;
    for (std::size_t k = 0; k < solution.trajectory.t.size(); ++k)
      error = std::max(error, std::abs(solution.trajectory.q[k] - exact(solution.trajectory.t[k]).q));
    outcome.mean += error / phases;
    outcome.worst = std::max(outcome.worst, error);
    // A linear system: one iteration a base step, three base steps a trial.
    EXPECT_EQ(solution.statistics.newton_iterations, 3 * (solution.statistics.accepted + solution.statistics.rejected));
    outcome.base_steps += static_cast<double>(solution.statistics.newton_iterations) / phases;
  }
  return outcome;
}

// An independent prototype has errors of 1.8e-2, 1.3e-3, 1.4e-4, 1.4e-5 with 174, 306, 450, 639 base steps.
TEST(MoreauJeanAdaptive, ErrorFollowsTheToleranceOnTheBall) {
  const double tolerances[] = {1e-2, 1e-3, 1e-4, 1e-5}, base_steps[] = {174.0, 306.0, 450.0, 639.0};
  for (int i = 0; i < 4; ++i) {
    const double tolerance = tolerances[i];
    const Outcome outcome = run_ball(0.1, {.rtol = tolerance, .atol = tolerance});
    EXPECT_LT(outcome.mean, 2.0 * tolerance);
    EXPECT_GT(outcome.mean, 0.3 * tolerance);
    EXPECT_NEAR(outcome.base_steps, base_steps[i], 0.2 * base_steps[i]) << tolerance;
  }
}

TEST(MoreauJeanAdaptive, EveryEstimateConvergesWithViolationControlAndNoneWithout) {
  using Estimate = MoreauJeanAdaptive::Estimate;
  for (const Estimate estimate : {Estimate::variable, Estimate::order_0, Estimate::order_1, Estimate::order_2}) {
    SCOPED_TRACE(static_cast<int>(estimate));
    for (const double tolerance : {1e-2, 1e-3, 1e-4, 1e-5}) {
      MoreauJeanAdaptive scheme{.rtol = tolerance, .atol = tolerance, .estimate = estimate};
      EXPECT_LT(run_ball(0.25, scheme).worst, 4.0 * tolerance);
      scheme.violation = false;
      const Outcome blind = run_ball(0.25, scheme);
      EXPECT_GT(blind.worst, 0.08) << tolerance;
      EXPECT_LT(blind.worst, 0.23) << tolerance;
      EXPECT_GT(blind.mean, 0.02) << tolerance;
    }
  }
}

// An impact after σ h. One step forecasts it for σ ≤ ½, two halves for σ ≤ ¾; where both miss it they agree.
TEST(MoreauJeanAdaptive, DoublingIsBlindToAQuarterOfTheImpacts) {
  const auto ball = lagrangian(ball_description(2.0, 0.5));
  const double h = 1e-3, v = -2.0;
  int blind = 0;
  constexpr int phases = 1000;
  for (int i = 0; i < phases; ++i) {
    const double sigma = (i + 0.5) / phases;
    const State start{.q = {-sigma * h * v}, .v = {v}};
    const auto advance = [&](int parts) {
      const auto stepper = make_stepper(*ball, MoreauJean{});
      State state = start;
      StepReport report;
      stepper->begin(state);
      for (int k = 1; k <= parts; ++k)
        EXPECT_EQ(stepper->advance(state, h / parts, k * h / parts, report), FailureKind::none);
      return state;
    };
    const State one = advance(1), two = advance(2);
    const double apart = std::max(std::abs(one.q[0] - two.q[0]) / h, std::abs(one.v[0] - two.v[0]));
    if (apart < 1e-10) {
      ++blind;
      EXPECT_LT(two.q[0], 0.0) << "both are past the floor, sigma = " << sigma;
      EXPECT_LT(two.v[0], v) << "and still fall";
    }
  }
  EXPECT_NEAR(static_cast<double>(blind) / phases, 0.25, 0.01);
}

TEST(MoreauJeanAdaptive, SaysWhyItDoesNotConvergeWithoutViolationControl) {
  const auto ball = lagrangian(ball_description(2.0, 0.5));
  EXPECT_TRUE(simulate(*ball, {.q = {1.0}}, {0.0, 1.5}, MoreauJeanAdaptive{}, {.h = 0.1}).notes.empty());
  const Solution off = simulate(*ball, {.q = {1.0}}, {0.0, 1.5}, MoreauJeanAdaptive{.violation = false}, {.h = 0.1});
  ASSERT_EQ(off.notes.size(), 1u);
  EXPECT_THAT(off.notes[0], HasSubstr("does not converge"));
  const auto free = lagrangian({.coordinates = {"x"}, .kinetic = "x_dot^2/2"});
  EXPECT_TRUE(make_stepper(*free, MoreauJeanAdaptive{.violation = false})->notes().empty());
  const Scheme mixed = MoreauJeanAdaptive{.theta = 0.6, .estimate = MoreauJeanAdaptive::Estimate::order_2};
  ASSERT_EQ(make_stepper(*ball, mixed)->notes().size(), 2u);
  EXPECT_THAT(make_stepper(*ball, mixed)->notes()[0], HasSubstr("order-2"));
  EXPECT_THAT(make_stepper(*ball, mixed)->notes()[1], HasSubstr("where they jump"));
}

// Mechanisms, a table that shakes, a stiff spring: local errors of the size of the tolerance add up to its power 2/3.
TEST(MoreauJeanAdaptive, ReferenceMotions) {
  using namespace testing;
  for (const Reference& reference : {pendulum_wall(), double_pendulum_wall(), moving_table_e0(), moving_table_e05(),
                                     two_ball_oscillator_e0(), two_ball_oscillator_e05()}) {
    SCOPED_TRACE(reference.name);
    const auto model = lagrangian(reference.description);
    for (const double rtol : {1e-4, 1e-6, 1e-8}) {
      const auto stepper = make_stepper(*model, MoreauJeanAdaptive{.rtol = rtol, .atol = 1e-2 * rtol});
      State state = reference.start;
      if (state.v.empty()) state.v.assign(state.q.size(), 0.0);
      StepReport report;
      stepper->begin(state);
      double worst = 0.0;
      for (const ReferencePoint& point : reference.points) {
        ASSERT_EQ(stepper->advance(state, point.t - state.t, point.t, report), FailureKind::none);
        for (std::size_t i = 0; i < point.q.size(); ++i) worst = std::max(worst, std::abs(state.q[i] - point.q[i]));
      }
      EXPECT_LT(worst, std::pow(rtol, 2.0 / 3.0)) << "rtol = " << rtol;
    }
  }
}

// Flights within the tolerated gap are no impacts: the count is that of the bounces that can be told from rest.
TEST(MoreauJeanAdaptive, CountsEveryBounceOnce) {
  const auto ball = lagrangian(ball_description(2.0, 0.99));
  const Solution solution = simulate(*ball, {.q = {1.0}}, {0.0, 250.0}, MoreauJeanAdaptive{}, {.h = 0.1});
  ASSERT_EQ(solution.status, Status::completed);
  // U falls from 2 by 0.99 an impact, down to 2 √(atol · 2).
  const double bounces = std::log(2.0 * std::sqrt(2e-10) / 2.0) / std::log(0.99);
  EXPECT_NEAR(static_cast<double>(solution.impact_count), bounces, 0.02 * bounces);
  for (std::size_t n = 0; n < 700; ++n)
    EXPECT_NEAR(solution.impacts.at(n).rate_minus, -2.0 * std::pow(0.99, n), 1e-7) << n;
  EXPECT_NEAR(solution.final.q[0], 0.0, 1e-9);
}

TEST(MoreauJeanAdaptive, KeepsTheEnergyOfAThousandElasticImpacts) {
  const auto ball = lagrangian(ball_description(2.0, 1.0));
  const Solution solution = simulate(*ball, {.q = {1.0}}, {0.0, 2000.0}, MoreauJeanAdaptive{}, {.h = 0.1});
  EXPECT_EQ(solution.impact_count, 1000u);
  EXPECT_NEAR(solution.energy.final, 2.0, 1e-9);
}

// A bead slides in a bowl: local errors of the size of the tolerance add up to tol^(2/3), as in flight.
TEST(MoreauJeanAdaptive, LastingContactOnACurvedObstacle) {
  for (const double rtol : {1e-4, 1e-6, 1e-8}) {
    const auto [solution, error] =
        testing::slide_in_bowl(MoreauJeanAdaptive{.rtol = rtol, .atol = 1e-2 * rtol}, 0.05, 3.0);
    const double scale = std::pow(rtol, 2.0 / 3.0);
    EXPECT_LT(error, 3.0 * scale) << rtol;
    EXPECT_LT(std::abs(solution.energy.initial - solution.energy.final), 20.0 * scale) << rtol;
    EXPECT_LT(solution.violation_max, scale) << rtol;
  }
}

// Where a contact lasts the order is that of flight: on a curve few steps are tried in vain, and a third of those are
// needed that the order of impacts takes.
TEST(MoreauJeanAdaptive, LastingContactTakesTheOrderOfFlight) {
  using Estimate = MoreauJeanAdaptive::Estimate;
  const auto tried = [](Estimate estimate) {
    const MoreauJeanAdaptive scheme{.rtol = 1e-8, .atol = 1e-8, .estimate = estimate};
    const auto counts = testing::slide_in_bowl(scheme, 0.25, 1.0).solution.statistics;
    return std::pair(counts.accepted, counts.rejected);
  };
  const auto [accepted, rejected] = tried(Estimate::variable);
  const auto [accepted_0, rejected_0] = tried(Estimate::order_0);
  EXPECT_LT(20 * rejected, accepted);
  EXPECT_LT(3 * (accepted + rejected), accepted_0 + rejected_0);
}

// A slip that stops and goes back: the step and its halves may agree on a wrong velocity, but not on one worse than
// what is tolerated.
TEST(MoreauJeanAdaptive, ASlipThatTurnsBack) {
  constexpr double g = 9.81, a = 0.3, mu = 0.2;
  const auto block = lagrangian(
      {.coordinates = {"x", "y"},
       .kinetic = "(x_dot^2 + y_dot^2)/2",
       .potential = "9.81*(y*cos(0.3) - x*sin(0.3))",
       .constraints = {{.name = "slope", .gap = "y", .restitution = 0.0, .friction = mu, .slip = {"x_dot"}}}});
  const double up = g * (std::sin(a) + mu * std::cos(a)), down = g * (std::sin(a) - mu * std::cos(a)), turn = 2.0 / up;
  const double v = down * (1.0 - turn), x = -0.5 * up * turn * turn + 0.5 * v * (1.0 - turn);
  for (const double tolerance : {1e-4, 1e-6, 1e-8, 1e-10})
    for (const double h : {0.5, 0.1, 0.013}) {
      const Solution solution = simulate(*block, {.q = {0.0, 0.0}, .v = {-2.0, 0.0}}, {0.0, 1.0},
                                         MoreauJeanAdaptive{.rtol = tolerance, .atol = tolerance}, {.h = h});
      ASSERT_EQ(solution.status, Status::completed) << solution.failure.message;
      EXPECT_NEAR(solution.final.q[0], x, 3.0 * tolerance) << h;
      EXPECT_NEAR(solution.final.v[0], v, 3.0 * tolerance) << h;
    }
}

// What lets go within a step that is exact otherwise: the step and its halves agree to hold it for up to a quarter
// more.
TEST(MoreauJeanAdaptive, WhatLetsGoIsNotHeld) {
  const auto lifted = lagrangian({.coordinates = {"x"},
                                  .kinetic = "x_dot^2/2",
                                  .force = {{"x", "t - 1"}},
                                  .constraints = {{.name = "floor", .gap = "x", .restitution = 0.0}}});
  const auto pulled = lagrangian({.coordinates = {"x"},
                                  .kinetic = "x_dot^2/2",
                                  .force = {{"x", "t"}},
                                  .frictions = {{.name = "dry", .slip = {"x_dot"}, .limit = 1.0}}});
  for (const Model* model : {lifted.get(), pulled.get()})
    for (const double tolerance : {1e-4, 1e-6, 1e-8})
      for (const double h : {0.35, 0.26, 0.52, 0.102}) {  // t = 1 is in the last quarter of a step
        const double until = h * std::ceil(2.0 / h), s = until - 1.0;
        const Solution solution = simulate(*model, {.q = {0.0}}, {0.0, until},
                                           MoreauJeanAdaptive{.rtol = tolerance, .atol = tolerance}, {.h = h});
        ASSERT_EQ(solution.status, Status::completed) << solution.failure.message;
        EXPECT_NEAR(solution.final.v[0], 0.5 * s * s, std::pow(tolerance, 2.0 / 3.0)) << h << " " << tolerance;
        EXPECT_NEAR(solution.final.q[0], s * s * s / 6.0, 3.0 * std::pow(tolerance, 2.0 / 3.0)) << h;
      }
}

// θ = 1 is of first order in flight, and the estimate knows.
TEST(MoreauJeanAdaptive, FirstOrderInFlight) {
  const auto spring = lagrangian({.coordinates = {"x"}, .kinetic = "x_dot^2/2", .potential = "x^2/2"});
  for (const double tolerance : {1e-4, 1e-6, 1e-8}) {
    const Scheme scheme = MoreauJeanAdaptive{.theta = 1.0, .rtol = tolerance, .atol = tolerance};
    const Solution s = simulate(*spring, {.q = {1.0}}, {0.0, 1.5}, scheme, {.h = 0.5});
    EXPECT_LT(std::abs(s.final.q[0] - std::cos(1.5)), 2.0 * std::sqrt(tolerance));
    EXPECT_GT(std::abs(s.final.q[0] - std::cos(1.5)), 0.03 * std::sqrt(tolerance));
  }
}

// Where times are large, positions cannot be better than the resolution of time.
TEST(MoreauJeanAdaptive, LateTimes) {
  const auto ball = lagrangian(ball_description(2.0, 0.5));
  for (const double from : {1e6, 1e10}) {
    const Solution solution = simulate(*ball, {.q = {1.0}}, {from, from + 4.0}, MoreauJeanAdaptive{}, {.h = 0.1});
    EXPECT_EQ(solution.status, Status::completed) << solution.failure.message;
    EXPECT_NEAR(solution.final.q[0], 0.0, 1e-15 * from + 1e-9);
  }
}

TEST(MoreauJeanAdaptive, StopsAtTheSmallestStepAndSaysWhy) {
  const auto ball = lagrangian(ball_description(2.0, 0.5));
  const Scheme scheme = MoreauJeanAdaptive{.violation_tolerance = 1e-18, .smallest_step = 1e-6};
  const Solution solution = simulate(*ball, {.q = {1.0}}, {0.0, 2.0}, scheme, {.h = 0.3});
  EXPECT_EQ(solution.status, Status::failed);
  EXPECT_EQ(solution.failure.kind, FailureKind::step_too_small);
  EXPECT_NEAR(solution.failure.t, 1.0, 1e-5);
  EXPECT_THAT(solution.failure.message, HasSubstr("smaller than 1e-06"));
  EXPECT_THAT(solution.failure.message, HasSubstr("floor"));
  // What was reached inside the last interval is kept.
  EXPECT_EQ(solution.trajectory.t.back(), solution.failure.t);
  EXPECT_NEAR(solution.trajectory.q.back(), 0.0, 1e-5);
  EXPECT_GT(solution.statistics.rejected, 5u);
}

// x'' = x³ reaches infinity at a finite time.
TEST(MoreauJeanAdaptive, StopsBeforeASingularity) {
  const auto runaway = lagrangian({.coordinates = {"x"}, .kinetic = "x_dot^2/2", .force = {{"x", "x^3"}}});
  for (const double until : {1.312, 1.35, 10.0}) {
    const Solution solution =
        simulate(*runaway, {.q = {1.0}, .v = {1.0}}, {0.0, until}, MoreauJeanAdaptive{}, {.h = 0.1});
    EXPECT_EQ(solution.failure.kind, FailureKind::step_too_small);
    EXPECT_NEAR(solution.failure.t, 1.31102, 1e-4);
    EXPECT_TRUE(std::isfinite(solution.final.q[0]));
    EXPECT_LT(solution.statistics.accepted, 20000u);
  }
}

// Free fall is exact: nothing but the largest step limits it, and the steps of an interval are even.
TEST(MoreauJeanAdaptive, TheLargestStepIsAlwaysInForce) {
  const auto ball = lagrangian(ball_description(2.0, 0.5));
  const auto accepted = [&](double largest) {
    return simulate(*ball, {.q = {1.0}}, {0.0, 0.8}, MoreauJeanAdaptive{.largest_step = largest}, {.h = 0.1})
        .statistics.accepted;
  };
  EXPECT_EQ(accepted(0.0), 8u);
  EXPECT_EQ(accepted(1.0), 8u);
  EXPECT_EQ(accepted(0.1), 8u);
  EXPECT_EQ(accepted(0.02), 40u);
  EXPECT_EQ(accepted(0.03), 32u);
}

TEST(MoreauJeanAdaptive, CountsItsSteps) {
  const auto ball = lagrangian(ball_description(2.0, 0.5));
  const Solution own = simulate(*ball, {.q = {1.0}}, {0.0, 2.5}, MoreauJeanAdaptive{}, {.h = 0.1});
  EXPECT_EQ(own.statistics.steps, 25u);
  EXPECT_GT(own.statistics.accepted, 50u);
  EXPECT_GT(own.statistics.rejected, 10u);
  EXPECT_EQ(own.trajectory.t.size(), 26u);
  const Solution fixed = simulate(*ball, {.q = {1.0}}, {0.0, 2.5}, MoreauJean{}, {.h = 0.1});
  EXPECT_EQ(fixed.statistics.accepted, 25u);
  EXPECT_EQ(fixed.statistics.rejected, 0u);
}

TEST(MoreauJeanAdaptive, RefusesWhatCannotBe) {
  const auto ball = lagrangian(ball_description(2.0, 0.5));
  EXPECT_THROW(make_stepper(*ball, MoreauJeanAdaptive{.atol = -1.0}), InputError);
  EXPECT_THROW(make_stepper(*ball, MoreauJeanAdaptive{.safety = 0.0}), InputError);
  EXPECT_THROW(make_stepper(*ball, MoreauJeanAdaptive{.smallest_factor = 0.0}), InputError);
  EXPECT_THROW(make_stepper(*ball, MoreauJeanAdaptive{.largest_factor = 1.0}), InputError);
  EXPECT_THROW(make_stepper(*ball, MoreauJeanAdaptive{.largest_step = 1e-3, .smallest_step = 1e-2}), InputError);
  EXPECT_NO_THROW(make_stepper(*ball, MoreauJeanAdaptive{.rtol = 0.0}));
}

// Auxiliary states count in the error: x'' = −p, p' = x'.
TEST(MoreauJeanAdaptive, AuxiliaryStatesFollowTheTolerance) {
  const auto model = lagrangian({.coordinates = {"x"},
                                 .kinetic = "x_dot^2/2",
                                 .force = {{"x", "-p"}},
                                 .states = {{.name = "p", .rate = "x_dot", .initial = 1.0}}});
  for (const double tolerance : {1e-4, 1e-6, 1e-8}) {
    const Scheme scheme = MoreauJeanAdaptive{.rtol = tolerance, .atol = tolerance};
    const Solution s = simulate(*model, {.q = {1.0}, .v = {0.0}, .z = {1.0}}, {0.0, 2.0}, scheme, {.h = 0.5});
    EXPECT_NEAR(s.final.q[0], std::cos(2.0), 2.0 * std::pow(tolerance, 2.0 / 3.0));
    EXPECT_NEAR(s.final.z[0], std::cos(2.0), 2.0 * std::pow(tolerance, 2.0 / 3.0));
  }
}

// With a number, and without one from the largest sizes that there have been.
TEST(MotionTolerances, AreAbsoluteOrFollowTheMotion) {
  const auto model = lagrangian({.coordinates = {"x", "y"}, .kinetic = "(x_dot^2 + y_dot^2)/2", .potential = "3*y"});
  MotionTolerances given(*model, 0.1, 0.01);
  given.begin({.q = {1.0, 0.0}, .v = {0.0, 0.0}});
  given.set_trial(1.0);
  EXPECT_NEAR(given.q(0, 1.0, -2.0, 5.0), 0.21, 1e-15);
  EXPECT_NEAR(given.v(1, 3.0, 2.0, 7.0), 0.31, 1e-15);
  MotionTolerances follows(*model, 1e-4, std::nullopt);
  follows.begin({.q = {1.0, 0.0}, .v = {0.0, 0.0}});
  follows.set_out({.q = {1.0, 0.0}, .v = {0.0, 0.0}}, 2.0);
  follows.see({.q = {-8.0, 0.0}, .v = {0.0, 0.0}});
  follows.set_trial(0.5);
  EXPECT_NEAR(follows.q(0, 0.0, 0.0, 0.0), 8e-6, 1e-16) << "what it was";
  EXPECT_NEAR(follows.v(1, 0.0, 0.0, 0.0), 6e-6, 1e-16) << "what a force makes of it in an interval";
  EXPECT_NEAR(follows.q(1, 0.0, 0.0, 5.0), 1e-5, 1e-12) << "what the trial makes of it in an interval";
}

// Lengths, masses and times in other units are the same motion: sizes are nowhere told by a number with one.
TEST(MoreauJeanAdaptive, HasNoUnit) {
  const auto end_of = [](double L, double M, double T, std::uint64_t& impacts) {
    const auto number = [](double value) { return fmt::format("({:.17g})", value); };
    const std::string m = number(M), k = number(3.0 * M / (T * T)), g = number(2.0 * M * L / (T * T)),
                      l = number(0.25 * L);
    const auto model = lagrangian({.coordinates = {"x", "y"},
                                   .kinetic = m + "*(x_dot^2 + 2*y_dot^2)/2",
                                   .potential = g + "*x + " + k + "*(x - y)^2",
                                   .constraints = {{.name = "floor", .gap = "x", .restitution = 0.75},
                                                   {.name = "wall", .gap = l + " - y", .restitution = 0.5}}});
    const Solution s = simulate(*model, {.q = {0.5 * L, 0.0}, .v = {0.0, 0.0}}, {0.0, 8.0 * T},
                                MoreauJeanAdaptive{.rtol = 1e-5}, {.h = 0.125 * T});
    EXPECT_EQ(s.status, Status::completed) << s.failure.message;
    impacts = s.impact_count;
    return std::vector{s.final.q[0] / L, s.final.q[1] / L, s.final.v[0] * T / L, s.final.v[1] * T / L};
  };
  std::uint64_t impacts = 0, others = 0;
  const std::vector<double> plain = end_of(1.0, 1.0, 1.0, impacts);
  EXPECT_GT(impacts, 3u);
  for (const double L : {0x1p-60, 0x1p-30, 0x1p30})
    for (const double M : {0x1p-20, 0x1p21})
      for (const double T : {0x1p-20, 0x1p10}) {
        EXPECT_EQ(end_of(L, M, T, others), plain) << L << " " << M << " " << T;
        EXPECT_EQ(others, impacts) << L << " " << M << " " << T;
      }
}
// A nanometre is a length too.
TEST(MoreauJeanAdaptive, CountsTheBouncesOfSmallBalls) {
  for (const double L : {1e-12, 1e-9, 1.0, 1e6}) {
    const auto ball = lagrangian(ball_description(2.0 * L, 0.8));
    const Solution s = simulate(*ball, {.q = {L}}, {0.0, 8.0}, MoreauJeanAdaptive{}, {.h = 0.1});
    EXPECT_EQ(s.impact_count, 10u) << L;
  }
}
// A bead that slides in a bowl has no impacts, whatever its restitution and the tolerance are: where the drift of its
// steps lets it fall, it lands without one.
TEST(MoreauJeanAdaptive, TellsNoImpactsOfSlides) {
  for (const double e : {0.0, 0.5, 0.9, 0.99, 1.0})
    for (const double rtol : {1e-3, 1e-4, 1e-5, 1e-6})
      for (const double h : {0.1, 0.01}) {
        const Solution s =
            simulate(*testing::bowl(e), testing::bowl_start(), {0.0, 2.0}, MoreauJeanAdaptive{.rtol = rtol}, {.h = h});
        EXPECT_EQ(s.status, Status::completed) << s.failure.message;
        EXPECT_EQ(s.impact_count, 0U) << e << " " << rtol << " " << h;
        EXPECT_NEAR(s.energy.impact, 0.0, 4.0 * std::pow(rtol, 2.0 / 3.0)) << e << " " << rtol << " " << h;
      }
}
// One that falls into it does.
TEST(MoreauJeanAdaptive, TellsImpactsInABowl) {
  for (const double e : {0.3, 0.6, 0.9})
    for (const double x : {0.1, 0.2, 0.5}) {
      const auto bowl = testing::bowl(e);
      const State start{.q = {x, 0.0}, .v = {0.0, 0.0}};
      const auto fast = [](const Solution& s) {
        std::vector<double> times;
        for (const Impact& impact : s.impacts)
          if (impact.rate_minus < -0.5) times.push_back(impact.t);
        return times;
      };
      const TimeSpan span{0.0, 1.2};
      const auto times = [&](const Scheme& scheme) { return fast(simulate(*bowl, start, span, scheme, {.h = 0.01})); };
      const std::vector<double> known = times(EventDriven{}), found = times(MoreauJeanAdaptive{.rtol = 1e-7});
      ASSERT_EQ(found.size(), known.size()) << e << " " << x;
      for (std::size_t k = 0; k < known.size(); ++k) EXPECT_NEAR(found[k], known[k], 1e-6) << e << " " << x;
    }
}

// What has been at rest is struck: its error is told from what moves then.
TEST(MoreauJeanAdaptive, StrikesWhatHasBeenAtRest) {
  const auto balls = lagrangian({.coordinates = {"x", "y"},
                                 .kinetic = "(x_dot^2 + y_dot^2)/2",
                                 .potential = "0",
                                 .constraints = {{.name = "balls", .gap = "y - x", .restitution = 1.0}}});
  const Solution s =
      simulate(*balls, {.q = {-1.0, 0.0}, .v = {1.0, 0.0}}, {0.0, 2.0}, MoreauJeanAdaptive{.rtol = 1e-6}, {.h = 0.3});
  ASSERT_EQ(s.status, Status::completed) << s.failure.message;
  EXPECT_NEAR(s.final.q[1], 1.0, 1e-5);
  EXPECT_LT(s.statistics.accepted + s.statistics.rejected, 100u);
}

TEST(StepProposal, ShrinksAndGrowsByTheError) {
  StepProposal proposal({.safety = 0.9, .smallest = 0.2, .largest = 5.0});
  EXPECT_EQ(proposal.next(10.0, 1.0).h, 1.0);
  proposal.rejected(1.0, 8.0, 2);
  EXPECT_NEAR(proposal.proposed(), 0.45, 1e-15);
  proposal.accepted(0.45, 1e-6, 2);
  EXPECT_NEAR(proposal.proposed(), 0.45, 1e-15) << "no growth right after a rejection";
  proposal.accepted(0.45, 0.125, 2);
  EXPECT_NEAR(proposal.proposed(), 0.45 * 1.8, 1e-15);
  proposal.accepted(0.1, 1e-30, 0);
  EXPECT_NEAR(proposal.proposed(), 0.81, 1e-15) << "a short step says nothing against a longer one";
  proposal.rejected(0.5, 1e9, 0);
  EXPECT_NEAR(proposal.proposed(), 0.1, 1e-15);
  proposal.accepted(0.1, 1.0, 0);
  EXPECT_NEAR(proposal.proposed(), 0.09, 1e-15);
  proposal.accepted(0.09, 0.8, 0);
  EXPECT_NEAR(proposal.proposed(), 0.09, 1e-15) << "a little growth is not worth new factors";
  proposal.failed(0.09);
  EXPECT_NEAR(proposal.proposed(), 0.018, 1e-15);
}

// The same bits step after step and interval after interval: factors are kept.
TEST(StepProposal, StepsOfAnIntervalAreEven) {
  StepProposal proposal({});
  const double interval = 0.1, h = interval / 4;
  double first = 0.0;
  for (int k = 0; k < 5; ++k) {
    double remaining = interval;
    for (int i = 0; i < 4; ++i) {
      const auto [trial, is_last] = proposal.next(remaining, 0.027);
      if (first == 0.0) first = trial;
      EXPECT_EQ(trial, first);
      EXPECT_NEAR(trial, h, 1e-15);
      EXPECT_EQ(is_last, i == 3);
      proposal.accepted(trial, 0.7, 2);
      remaining -= trial;
    }
  }
}

}  // namespace
}  // namespace ricochet
