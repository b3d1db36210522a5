// Facts about compliant contacts: restitution, contact time and depth of one contact, the rigid law in the limit, what
// is an impact and what is lasting contact, the energy in the spring.
#include "ricochet/scheme/penalty.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "ricochet/ricochet.hpp"
#include "support/bowl.hpp"
#include "support/large_models.hpp"
#include "support/orders.hpp"
#include "support/problems.hpp"
#include "support/references.hpp"

namespace ricochet {
namespace {

using testing::ball_description;
using ::testing::HasSubstr;

constexpr double pi = 3.14159265358979323846;

// A ball without forces meets the floor at t = π/ω with the rate −1; the mass is 1.
Solution hit(double restitution, double k, Penalty scheme, double contact_times) {
  const auto ball = lagrangian(ball_description(0.0, restitution));
  const double T = pi / std::sqrt(k);
  scheme.stiffness = k;
  return simulate(*ball, {.q = {T}, .v = {-1.0}}, {0.0, contact_times * T}, scheme, {.h = 0.7 * T});
}

Penalty tight(double tolerance) { return {.rtol = tolerance, .atol = 1e-2 * tolerance}; }

double sum(const std::vector<double>& x) { return std::accumulate(x.begin(), x.end(), 0.0); }

TEST(Penalty, DampingRatioAndRestitution) {
  for (const double e : {0.01, 0.1, 0.3, 0.5, 0.8, 0.9, 0.99}) {
    const double ratio = damping_ratio(e);
    EXPECT_NEAR(std::exp(-pi * ratio / std::sqrt(1.0 - ratio * ratio)), e, 1e-14);
  }
  EXPECT_EQ(damping_ratio(1.0), 0.0);
  EXPECT_EQ(damping_ratio(0.0), 1.0);
  EXPECT_NEAR(damping_ratio(1e-300), 1.0, 1e-4);
  // The translation that `ricochet schemes penalty` prints.
  for (const char* pair : {"1→0,", "0.9→0.03352", "0.5→0.2155", "0.1→0.5912", "0→1."})
    EXPECT_THAT(std::string(find_scheme("penalty").explanation), HasSubstr(pair));
}

TEST(Penalty, RestitutionIsExactWithoutOtherForces) {
  for (const double k : {1.0, 1e4, 1e8})
    for (const double e : {0.1, 0.5, 0.9}) {
      const Solution solution = hit(e, k, tight(1e-13), 6.0);
      ASSERT_EQ(solution.impact_count, 1u);
      const Impact& impact = solution.impacts[0];
      EXPECT_NEAR(impact.rate_minus, -1.0, 1e-15);
      EXPECT_NEAR(impact.rate_plus, e, 5e-14) << "k = " << k;
      EXPECT_NEAR(impact.impulse, 1.0 + e, 5e-14);
      EXPECT_NEAR(impact.energy_loss, 0.5 * (1.0 - e * e), 5e-14);
      EXPECT_NEAR(impact.t, pi / std::sqrt(k), 1e-14 / std::sqrt(k)) << "where the contact begins";
      EXPECT_NEAR(solution.final.v[0], e, 5e-14);
    }
}

// π/(ω√(1−ε²)), by the time that is missing in the flight after it; and the depth U/ω of an elastic contact.
TEST(Penalty, ContactTimeAndDepth) {
  for (const double e : {0.1, 0.5, 0.9, 1.0}) {
    const double k = 1e4, ratio = damping_ratio(e), expected = pi / std::sqrt(k * (1.0 - ratio * ratio));
    const Solution solution = hit(e, k, tight(1e-12), 6.0);
    const double flight = solution.final.q[0] / solution.final.v[0];
    EXPECT_NEAR(solution.final.t - solution.impacts.at(0).t - flight, expected, 1e-11) << "e = " << e;
    EXPECT_LE(solution.violation_max, 1.0 / std::sqrt(k));
    if (e == 1.0) {
      EXPECT_GT(solution.violation_max, 0.999 / std::sqrt(k));
    }
  }
}

// e = 0 is critical damping: the gap returns to 0 without passing it, g = −τ exp(−ωτ) from the begin on.
TEST(Penalty, InelasticContactIsCriticallyDamped) {
  const double k = 1e4, omega = 100.0;
  const Solution solution = hit(0.0, k, tight(1e-12), 4.0);
  const double since = 3.0 * pi / omega;
  EXPECT_NEAR(solution.final.q[0], -since * std::exp(-omega * since), 1e-12);
  EXPECT_NEAR(solution.final.v[0], (omega * since - 1.0) * std::exp(-omega * since), 1e-10);
  EXPECT_EQ(hit(0.0, k, {}, 40.0).impact_count, 1u);
}

// In the limit of large k the motion is the rigid one: errors like k^(−1/2).
TEST(Penalty, ConvergesToRigidContactsWithTheStiffness) {
  for (const testing::Reference& reference : {testing::pendulum_wall(), testing::double_pendulum_wall()}) {
    const auto model = lagrangian(reference.description);
    std::vector<double> stiffness, errors;
    for (double k = 1e5; k < 2e9; k *= 10.0) {
      double worst = 0.0;
      for (const testing::ReferencePoint& point : {reference.points[2], reference.points[4]}) {
        const Solution solution =
            simulate(*model, reference.start, {0.0, point.t}, Penalty{.stiffness = k}, {.h = 0.1});
        ASSERT_EQ(solution.status, Status::completed) << solution.failure.message;
        for (std::size_t i = 0; i < point.q.size(); ++i)
          worst = std::max(worst, std::abs(solution.final.q[i] - point.q[i]));
      }
      stiffness.push_back(k);
      errors.push_back(worst);
    }
    EXPECT_NEAR(testing::slope(stiffness, errors), -0.5, 0.05)
        << reference.name << " from " << errors.front() << " to " << errors.back();
  }
}

// Without a stiffness contacts last a tenth of the step: the motion then converges with the step, as that of the other
// schemes does.
TEST(Penalty, DefaultStiffnessGoesWithTheStep) {
  const auto model = lagrangian(testing::oscillator_description(0.8));
  const testing::ExactOscillator exact(0.8);
  std::vector<double> steps, errors;
  for (double h = 0.1; h > 5e-3; h /= 2.0) {
    const Solution solution = simulate(*model, {.q = {1.0}, .v = {0.0}}, {0.0, 10.0}, Penalty{}, {.h = h});
    steps.push_back(h);
    errors.push_back(std::abs(solution.final.q[0] - exact(10.0).q));
    ASSERT_EQ(solution.impact_count, 3u);
    EXPECT_THAT(solution.notes.back(), HasSubstr("stiffness"));
  }
  EXPECT_NEAR(testing::slope(steps, errors), 1.0, 0.05);
}

// Contacts that rest on each other begin and end by round-off: time goes on, and in the end the floor carries them all.
TEST(Penalty, ColumnOfFiftyBeadsAtRest) {
  const testing::BeadColumn column({.beads = 50, .mass = 0.03, .radius = 0.01});
  const State start = column.start(0.0, 0.0);
  const double k = 3e9, depth = 50 * 0.03 * 9.81 / k;
  const Solution solution = simulate(column, start, {0.0, 0.04}, Penalty{.stiffness = k}, {.h = 1e-5});
  ASSERT_EQ(solution.status, Status::completed) << solution.failure.message;
  EXPECT_NEAR(start.q[0] - solution.final.q[0], depth, 1e-3 * depth);
  EXPECT_LT(solution.statistics.force_evaluations, 400'000u);
}

// The depth that is allowed is reached by an elastic contact and not passed, also under gravity and at rest.
TEST(Penalty, DepthIsTheOneAllowed) {
  const double depth = 1e-3;
  for (const double e : {0.0, 0.5, 1.0}) {
    const auto ball = lagrangian(ball_description(9.81, e));
    const Solution falling =
        simulate(*ball, {.q = {1.0}, .v = {0.0}}, {0.0, 2.0}, Penalty{.penetration = depth}, {.h = 0.01});
    const Solution resting =
        simulate(*ball, {.q = {0.0}, .v = {0.0}}, {0.0, 1.0}, Penalty{.penetration = depth}, {.h = 1e-3});
    EXPECT_LT(falling.violation_max, depth * (1.0 + 1e-6));
    EXPECT_LT(resting.violation_max, depth * (1.0 + 1e-6));
    EXPECT_EQ(resting.impact_count, 0u);
    if (e < 1.0) {
      EXPECT_NEAR(resting.final.q[0], -0.5 * depth, 1e-2 * depth) << "half of it by the weight alone";
    } else {
      EXPECT_GT(falling.violation_max, 0.99 * depth);
    }
  }
}

// A body at rest lies at the depth m g/k, is carried, and gives no impacts.
TEST(Penalty, RestsAtItsStaticDepth) {
  for (const double e : {0.0, 0.3, 0.7}) {
    const auto ball = lagrangian(ball_description(9.81, e));
    const Solution solution =
        simulate(*ball, {.q = {0.0}, .v = {0.0}}, {0.0, 4.0}, Penalty{.stiffness = 1e5}, {.h = 0.1});
    EXPECT_EQ(solution.impact_count, 0u);
    EXPECT_NEAR(solution.final.q[0], -9.81e-5, 1e-10) << "e = " << e;
    EXPECT_NEAR(sum(solution.trajectory.impulse), 4.0 * 9.81, 1e-2);
    EXPECT_NEAR(solution.trajectory.impulse.back(), 0.1 * 9.81, 1e-6);
  }
}

// Through the accumulation of impacts to rest, in finite work.
TEST(Penalty, BallComesToRest) {
  const auto ball = lagrangian(ball_description(2.0, 0.5));
  const Solution solution =
      simulate(*ball, {.q = {1.0}, .v = {0.0}}, {0.0, 5.0}, Penalty{.stiffness = 1e8}, {.h = 0.1});
  ASSERT_EQ(solution.status, Status::completed);
  ASSERT_GE(solution.impact_count, 8u);
  EXPECT_LT(solution.impact_count, 30u);
  for (std::size_t n = 0; n < 8; ++n)
    EXPECT_NEAR(solution.impacts[n].t, 3.0 - std::pow(2.0, 1.0 - static_cast<double>(n)), 0.01);
  EXPECT_NEAR(solution.final.q[0], -2.0 / 1e8, 1e-12);
}

// An impact that lasts over several records is one, and its parts add up.
TEST(Penalty, LongImpactIsOneRecord) {
  const auto ball = lagrangian(ball_description(0.0, 0.6));
  const double k = 100.0, T = pi / 10.0;
  const Solution solution =
      simulate(*ball, {.q = {0.1}, .v = {-1.0}}, {0.0, 2.0}, Penalty{.stiffness = k}, {.h = T / 20.0});
  ASSERT_EQ(solution.impact_count, 1u);
  EXPECT_NEAR(solution.impacts[0].t, 0.1, 1e-9);
  EXPECT_NEAR(solution.impacts[0].rate_plus, 0.6, 1e-7);
  EXPECT_NEAR(solution.impacts[0].impulse, 1.6, 1e-7);
  EXPECT_NEAR(solution.impacts[0].energy_loss, 0.32, 1e-7);
  EXPECT_NEAR(sum(solution.trajectory.impulse), 1.6, 1e-7);
  EXPECT_NEAR(solution.energy.impact, -0.32, 1e-7);
}

// While a contact lasts the energy of its spring is out on loan: the account has it under impact, and back at the end.
TEST(Penalty, SpringEnergyIsBookedAsImpact) {
  const double k = 100.0;
  const auto half_way = [&](double e) {
    const auto ball = lagrangian(ball_description(0.0, e));
    const double until = 0.1 + 0.5 * pi / 10.0;
    return simulate(*ball, {.q = {0.1}, .v = {-1.0}}, {0.0, until}, Penalty{.stiffness = k}, {.h = 0.01});
  };
  const Solution elastic = half_way(1.0);
  EXPECT_NEAR(elastic.final.v[0], 0.0, 1e-7);
  EXPECT_NEAR(elastic.energy.impact, -0.5 * k * elastic.final.q[0] * elastic.final.q[0], 1e-8);
  EXPECT_NEAR(elastic.energy.final - elastic.energy.initial, elastic.energy.impact, 1e-8);
  EXPECT_EQ(elastic.impact_count, 1u) << "it is still going on, and on record";

  const EnergyLedger damped = half_way(0.5).energy;
  EXPECT_NEAR(damped.final - damped.initial, damped.impact, 1e-8);
  EXPECT_LT(std::abs(damped.numerical), 1e-8);
}

// A table that rises with speed 1 meets a ball at rest: U⁻ = −1, and the ball leaves with 1 + e. What the ball gains
// beyond the loss of the impact is the table's work.
TEST(Penalty, MovingObstacle) {
  LagrangianDescription description = ball_description(0.0, 0.5);
  description.constraints[0].gap = "x - t";
  const auto model = lagrangian(description);
  const Solution solution =
      simulate(*model, {.q = {0.5}, .v = {0.0}}, {0.0, 1.0}, Penalty{.stiffness = 1e6}, {.h = 0.1});
  ASSERT_EQ(solution.impact_count, 1u);
  EXPECT_NEAR(solution.impacts[0].t, 0.5, 1e-9);
  EXPECT_NEAR(solution.impacts[0].rate_minus, -1.0, 1e-12);
  EXPECT_NEAR(solution.impacts[0].rate_plus, 0.5, 1e-7);
  EXPECT_NEAR(solution.final.v[0], 1.5, 1e-7);
  EXPECT_NEAR(solution.energy.impact, -0.375, 1e-7);
  EXPECT_NEAR(solution.energy.input, 1.5, 1e-7);
}

// Into the vertex of a right angle: both walls at once, each as if it were alone.
TEST(Penalty, TwoContactsAtOnce) {
  const auto wedge = lagrangian(testing::wedge_description(90.0, 0.5));
  const Solution solution =
      simulate(*wedge, {.q = {0.8, 0.6}, .v = {-0.8, -0.6}}, {0.0, 2.0}, Penalty{.stiffness = 1e6}, {.h = 0.1});
  ASSERT_EQ(solution.impact_count, 2u);
  EXPECT_NEAR(solution.final.v[0], 0.4, 1e-7);
  EXPECT_NEAR(solution.final.v[1], 0.3, 1e-7);
}

// Three balls in a row that touch: the contacts overlap, momentum and energy are kept, and the last ball goes first.
TEST(Penalty, ContactsThatOverlap) {
  const auto row = lagrangian({.coordinates = {"a", "b", "c"},
                               .kinetic = "(a_dot^2 + b_dot^2 + c_dot^2)/2",
                               .constraints = {{.name = "first", .gap = "b - a", .restitution = 1.0},
                                               {.name = "second", .gap = "c - b", .restitution = 1.0}}});
  const Solution solution = simulate(*row, {.q = {-0.1, 0.0, 0.0}, .v = {1.0, 0.0, 0.0}}, {0.0, 1.0},
                                     Penalty{.stiffness = 1e4, .rtol = 1e-11, .atol = 1e-13}, {.h = 0.1});
  const std::vector<double>& v = solution.final.v;
  EXPECT_NEAR(v[0] + v[1] + v[2], 1.0, 1e-12);
  EXPECT_NEAR(v[0] * v[0] + v[1] * v[1] + v[2] * v[2], 1.0, 1e-9);
  // The rigid law gives (−1/3, 2/3, 2/3), one impact after the other (0, 0, 1); springs lie between.
  EXPECT_LT(v[0], -0.1);
  EXPECT_GT(v[2], 0.9);
}

// One step of the table a step: resolved contacts are right, others are refused with the step that would do.
TEST(Penalty, FixedSteps) {
  const double k = 1e4, longest = pi / 1000.0;
  const auto ball = lagrangian(ball_description(0.0, 0.5));
  const auto run = [&](double h) {
    return simulate(*ball, {.q = {0.1}, .v = {-1.0}}, {0.0, 0.3},
                    Penalty{.stiffness = k, .steps = Penalty::Steps::fixed}, {.h = h});
  };
  const Solution solution = run(longest);
  ASSERT_EQ(solution.impact_count, 1u);
  EXPECT_NEAR(solution.final.v[0], 0.5, 1e-5);
  EXPECT_NEAR(run(0.5 * longest).final.v[0], 0.5, 5e-7);
  EXPECT_EQ(solution.statistics.accepted, solution.statistics.steps);
  try {
    run(0.01);
    FAIL() << "0.01 is a third of the contact time";
  } catch (const InputError& error) {
    EXPECT_EQ(error.field(), "time.step");
    EXPECT_THAT(error.message(), HasSubstr("at most 0.0031415926"));
    EXPECT_THAT(error.message(), HasSubstr("floor"));
  }
}

// Where the stiffness follows from the impact, only the impact can tell.
TEST(Penalty, FixedStepsTooLongForADepth) {
  const auto ball = lagrangian(ball_description(0.0, 0.5));
  const Solution solution = simulate(*ball, {.q = {0.1}, .v = {-1.0}}, {0.0, 0.3},
                                     Penalty{.penetration = 1e-3, .steps = Penalty::Steps::fixed}, {.h = 0.01});
  EXPECT_EQ(solution.status, Status::failed);
  EXPECT_EQ(solution.failure.kind, FailureKind::step_too_small);
  EXPECT_NEAR(solution.failure.t, 0.1, 1e-9);
  EXPECT_THAT(solution.failure.message, HasSubstr("at most 0.000314159"));
  // With nothing given the contact lasts twenty steps.
  const Solution soft =
      simulate(*ball, {.q = {0.1}, .v = {-1.0}}, {0.0, 1.0}, Penalty{.steps = Penalty::Steps::fixed}, {.h = 0.01});
  EXPECT_EQ(soft.status, Status::completed);
  EXPECT_NEAR(soft.final.v[0], 0.5, 1e-6);
}

TEST(Penalty, CarriesStates) {
  LagrangianDescription description = ball_description(2.0, 0.5);
  description.states = {{.name = "p", .rate = "x_dot", .initial = 0.0}};
  const auto model = lagrangian(description);
  const Solution solution =
      simulate(*model, {.q = {1.0}, .v = {0.0}, .z = {0.25}}, {0.0, 2.5}, Penalty{.stiffness = 1e5}, {.h = 0.1});
  EXPECT_GE(solution.impact_count, 2u);
  EXPECT_NEAR(solution.final.z[0] - 0.25, solution.final.q[0] - 1.0, 1e-12);
}

TEST(Penalty, RestitutionThatLeavesItsRange) {
  LagrangianDescription description = ball_description(2.0, 0.5);
  description.constraints[0].restitution = "2*t";
  const auto model = lagrangian(description);
  const Solution solution = simulate(*model, {.q = {1.0}, .v = {0.0}}, {0.0, 2.0}, Penalty{}, {.h = 0.01});
  EXPECT_EQ(solution.failure.kind, FailureKind::restitution_out_of_range);
  EXPECT_NEAR(solution.failure.t, 1.0, 1e-9);
  EXPECT_THAT(solution.failure.message, HasSubstr("floor"));
}

// An obstacle that no push can keep away.
TEST(Penalty, GapWithoutGradient) {
  LagrangianDescription description = ball_description(0.0, 0.5);
  description.constraints[0].gap = "1 - t + x^3";
  const auto model = lagrangian(description);
  const Solution solution = simulate(*model, {.q = {0.0}, .v = {0.0}}, {0.0, 2.0}, Penalty{}, {.h = 0.01});
  EXPECT_EQ(solution.status, Status::failed);
  EXPECT_NEAR(solution.failure.t, 1.0, 1e-12);
  EXPECT_THAT(solution.failure.message, HasSubstr("the gradient of the gap of floor is zero"));
}

// Lasting contact on a curved gap: a bead slides in a bowl as a pendulum swings.
TEST(Penalty, SlidesInABowl) {
  const auto error = [&](double k) {
    const testing::Slide slide = testing::slide_in_bowl(Penalty{.stiffness = k}, 0.1);
    EXPECT_EQ(slide.solution.impact_count, 0u);
    return slide.error;
  };
  EXPECT_LT(error(1e5), 1e-3);
  EXPECT_LT(error(1e7), 1e-5);
}

TEST(Penalty, RefusesContradictoryParameters) {
  const auto ball = lagrangian(ball_description(2.0, 0.5));
  EXPECT_THROW(make_stepper(*ball, Penalty{.stiffness = 1e4, .penetration = 1e-3}), InputError);
  EXPECT_THROW(make_stepper(*ball, Penalty{.atol = -1.0}), InputError);
}

}  // namespace
}  // namespace ricochet
