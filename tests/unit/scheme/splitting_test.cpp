// Facts about the splitting scheme: lasting contacts with and without contact forces, adaptive steps through impacts.
#include "ricochet/scheme/splitting.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "ricochet/ricochet.hpp"
#include "support/bowl.hpp"
#include "support/problems.hpp"
#include "support/references.hpp"

namespace ricochet {
namespace {

using testing::ball_description;

Solution drop(double restitution, const Scheme& scheme, double until, double h) {
  const auto ball = lagrangian(ball_description(2.0, restitution));
  return simulate(*ball, {.q = {1.0}, .v = {0.0}}, {0.0, until}, scheme, {.h = h});
}

// v = e/(1 + e) h|f| is the fixed point of a step without contact forces; the body sinks by (1 − e)/(2(1 + e)) h|f| per
// unit time.
TEST(Splitting, SinksWithoutContactForces) {
  for (const double e : {0.0, 0.25, 0.5, 0.9}) {
    const auto ball = lagrangian(ball_description(2.0, e));
    const double h = 0.01, v = e / (1.0 + e) * h * 2.0, sinking = 0.5 * (1.0 - e) / (1.0 + e) * h * 2.0;
    const Solution solution =
        simulate(*ball, {.q = {0.0}, .v = {v}}, {0.0, 4.0}, Splitting{.contact_forces = false}, {.h = h});
    ASSERT_EQ(solution.status, Status::completed);
    EXPECT_NEAR(solution.final.v[0], v, 1e-12) << "e = " << e;
    EXPECT_NEAR(solution.final.q[0], -4.0 * sinking, 1e-12) << "e = " << e;
    EXPECT_EQ(solution.impact_count, 0u);
  }
  // From elsewhere it goes there.
  const Solution solution = drop(0.5, Splitting{.contact_forces = false}, 10.0, 0.01);
  EXPECT_NEAR(solution.final.v[0], 0.01 * 2.0 / 3.0, 1e-12);
}

TEST(Splitting, SaysThatItSinks) {
  const Solution off = drop(0.5, Splitting{.contact_forces = false}, 0.1, 0.01), on = drop(0.5, Splitting{}, 0.1, 0.01);
  ASSERT_EQ(off.notes.size(), 1u);
  EXPECT_NE(off.notes[0].find("sinks"), std::string::npos);
  EXPECT_TRUE(on.notes.empty());
}

// After the accumulation at t = 3 the ball lies on the floor: no sinking, no rattling.
TEST(Splitting, BallComesToRestOnTheFloor) {
  for (const double h : {0.03, 0.011, 0.0037}) {
    const Solution solution = drop(0.5, Splitting{}, 10.0, h);
    ASSERT_EQ(solution.status, Status::completed);
    EXPECT_NEAR(solution.final.q[0], 0.0, 1e-14) << h;
    EXPECT_NEAR(solution.final.v[0], 0.0, 1e-14) << h;
    const std::size_t last = solution.trajectory.impulse.size() - 1;
    EXPECT_NEAR(solution.trajectory.impulse[last], 2.0 * (10.0 / static_cast<double>(last)), 1e-12)
        << "it carries its weight";
  }
}

// One predicate, g ≤ 0, for impact and closing: a node that lands at g = 0, or a little before it, keeps its velocity.
TEST(Splitting, NodeOnTheSurfaceRebounds) {
  const auto ball = lagrangian(ball_description(0.0, 0.5));
  for (const double start : {1.0, 1.0 + 1e-15, 1.0 - 1e-15}) {
    const Solution solution = simulate(*ball, {.q = {start}, .v = {-1.0}}, {0.0, 2.0}, Splitting{}, {.h = 0.25});
    ASSERT_EQ(solution.impact_count, 1u);
    EXPECT_NEAR(solution.final.v[0], 0.5, 1e-14);
    EXPECT_NEAR(solution.impacts[0].t, 1.0, 1e-14);
  }
}

// On a table that swings gently the ball stays on it, exactly; the table's work is input.
TEST(Splitting, RidesOnAMovingTable) {
  for (const char* steps : {"fixed", "adaptive"}) {
    const Solution solution = testing::ride_on_table(Scheme{"splitting", {{"steps", steps}}});
    EXPECT_NEAR(solution.energy.final - solution.energy.initial, solution.energy.input, 1e-10);
  }
}

// A bead that slides in a bowl, x² + y² ≤ 1 seen from inside: lasting contact on a curved gap, with the order of the
// table.
TEST(Splitting, SlidesInABowl) {
  const auto error = [&](const char* tableau, double h) {
    const testing::Slide slide = testing::slide_in_bowl(Splitting{.tableau = tableau}, h);
    EXPECT_LT(slide.solution.violation_max, 1e-13);
    return slide.error;
  };
  EXPECT_NEAR(std::log2(error("heun", 0.01) / error("heun", 0.005)), 2.0, 0.15);
  EXPECT_NEAR(std::log2(error("rk4", 0.02) / error("rk4", 0.01)), 4.0, 0.3);
  EXPECT_NEAR(std::log2(error("rkf45", 0.04) / error("rkf45", 0.02)), 5.0, 0.4);
  EXPECT_LT(error("rkf45", 0.02), 1e-6);
}

// A table that outruns gravity: the contact opens where the force would have to pull, and does not pull.
TEST(Splitting, ContactOpensByItself) {
  LagrangianDescription description = ball_description(9.81, 0.0);
  description.constraints[0].gap = "x - 0.1*sin(12*t)";
  const auto model = lagrangian(description);
  // Free flight from sin(12 t₁) = 9.81/14.4 on.
  const double t1 = std::asin(9.81 / 14.4) / 12.0, s = 0.2 - t1;
  const double x = 0.1 * std::sin(12.0 * t1) + 1.2 * std::cos(12.0 * t1) * s - 0.5 * 9.81 * s * s;
  for (const auto& [steps, h, allowed] : {std::tuple("fixed", 1e-3, 1e-6), {"adaptive", 1e-2, 1e-6}}) {
    const Solution solution =
        simulate(*model, {.q = {0.0}, .v = {1.2}}, {0.0, 0.2}, Scheme{"splitting", {{"steps", steps}}}, {.h = h});
    ASSERT_EQ(solution.status, Status::completed);
    EXPECT_NEAR(solution.final.q[0], x, allowed) << steps;
    for (const double P : solution.trajectory.impulse) EXPECT_GE(P, 0.0);
  }
}

// Errors of adaptive steps follow the tolerance: through impacts, and through an accumulation to rest.
TEST(Splitting, AdaptiveErrorsFollowTheTolerance) {
  const auto ball = lagrangian(ball_description(2.0, 0.5)),
             oscillator = lagrangian(testing::oscillator_description(0.8));
  const auto error = [](const Model& model, const auto& exact, double until, double tolerance) {
    const Splitting scheme{.steps = Splitting::Steps::adaptive, .rtol = tolerance, .atol = tolerance};
    const Solution solution = simulate(model, {.q = {1.0}, .v = {0.0}}, {0.0, until}, scheme, {.h = 0.1});
    EXPECT_EQ(solution.status, Status::completed) << solution.failure.message;
    double worst = 0.0;
    for (std::size_t i = 0; i < solution.trajectory.t.size(); ++i)
      worst = std::max(worst, std::abs(solution.trajectory.q[i] - exact(solution.trajectory.t[i]).q));
    return worst;
  };
  for (const double tolerance : {1e-4, 1e-6, 1e-8, 1e-10}) {
    EXPECT_LT(error(*ball, testing::ExactBall(2.0, 0.5), 4.0, tolerance), tolerance);
    EXPECT_LT(error(*oscillator, testing::ExactOscillator(0.8), 10.0, tolerance), 5.0 * tolerance);
  }
}

// M(q), curved and moving gaps, rest and lift-off, bursts of impacts and their accumulation.
TEST(Splitting, AdaptiveMeetsTheReferences) {
  for (const testing::Reference& reference :
       {testing::pendulum_wall(), testing::double_pendulum_wall(), testing::moving_table_e0(),
        testing::moving_table_e05(), testing::two_ball_oscillator_e0(), testing::two_ball_oscillator_e05()}) {
    const auto model = lagrangian(reference.description);
    State state = reference.start;
    double t = 0.0;
    for (const testing::ReferencePoint& point : reference.points) {
      const Solution solution =
          simulate(*model, state, {t, point.t},
                   Splitting{.steps = Splitting::Steps::adaptive, .rtol = 1e-11, .atol = 1e-12}, {.h = 0.05});
      ASSERT_EQ(solution.status, Status::completed) << solution.failure.message;
      for (std::size_t i = 0; i < point.q.size(); ++i) {
        EXPECT_NEAR(solution.final.q[i], point.q[i], 1e-8) << reference.name << " at t = " << point.t;
        EXPECT_NEAR(solution.final.v[i], point.v[i], 1e-6) << reference.name << " at t = " << point.t;
      }
      state = solution.final;
      t = point.t;
    }
  }
}

// Every impact of the accumulation down to the tolerance is a record, at its time and with its rates.
TEST(Splitting, AdaptiveImpactsAreLocated) {
  const Solution solution = drop(0.5, Splitting{.steps = Splitting::Steps::adaptive}, 4.0, 0.5);
  ASSERT_GE(solution.impact_count, 10u);
  for (std::size_t n = 0; n < 10; ++n) {
    EXPECT_NEAR(solution.impacts[n].t, 3.0 - std::pow(2.0, 1.0 - static_cast<double>(n)), 1e-7);
    EXPECT_NEAR(solution.impacts[n].rate_minus, -std::pow(2.0, 1.0 - static_cast<double>(n)), 1e-7);
    EXPECT_NEAR(solution.impacts[n].rate_plus, -0.5 * solution.impacts[n].rate_minus, 1e-14);
  }
  EXPECT_EQ(solution.final.q[0], 0.0);
  EXPECT_GT(solution.statistics.rejected, 0u);
}

// A gap that closes and opens again inside a long step is not missed.
TEST(Splitting, AdaptiveSeesADipInsideAStep) {
  LagrangianDescription description = ball_description(0.0, 1.0);
  description.constraints[0].gap = "x - exp(-50*(t - 1)^2)";
  const auto model = lagrangian(description);
  const Splitting scheme{.steps = Splitting::Steps::adaptive, .rtol = 1e-3, .atol = 1e-3};
  const Solution solution = simulate(*model, {.q = {0.9}, .v = {0.0}}, {0.0, 2.5}, scheme, {.h = 0.2});
  EXPECT_EQ(solution.impact_count, 1u);
  EXPECT_GT(solution.final.v[0], 1.0);
}

// Two masses hit their stops on springs, one of them an obstacle that moves: same motion as with small fixed steps.
TEST(Splitting, AdaptiveAgreesWithSmallSteps) {
  LagrangianDescription description = testing::random_linear_description();
  description.constraints[1].gap += " - 0.05*sin(2*t)";
  const auto model = lagrangian(description);
  const auto end = [&](const Scheme& scheme, double h) {
    return simulate(*model, testing::random_linear_start(), {0.0, 3.0}, scheme, {.h = h, .record_every = 0}).final;
  };
  const State exact = end(Splitting{.steps = Splitting::Steps::adaptive, .rtol = 1e-11, .atol = 1e-11}, 0.1);
  const State tolerant = end(Splitting{.steps = Splitting::Steps::adaptive}, 0.1), small = end(Splitting{}, 1e-5);
  for (std::size_t i = 0; i < 4; ++i) {
    EXPECT_NEAR(tolerant.q[i], exact.q[i], 1e-6);
    EXPECT_NEAR(small.q[i], exact.q[i], 1e-4);
  }
}

// Auxiliary states go along with the motion: z' = v, so z − z₀ = q − q₀ whatever the impacts do.
TEST(Splitting, CarriesStates) {
  LagrangianDescription description = ball_description(2.0, 0.5);
  description.states = {{.name = "p", .rate = "x_dot", .initial = 0.0}};
  const auto model = lagrangian(description);
  for (const char* steps : {"fixed", "adaptive"}) {
    const Solution solution = simulate(*model, {.q = {1.0}, .v = {0.0}, .z = {0.25}}, {0.0, 2.5},
                                       Scheme{"splitting", {{"steps", steps}}}, {.h = 0.01});
    EXPECT_GT(solution.impact_count, 2u);
    EXPECT_NEAR(solution.final.z[0] - 0.25, solution.final.q[0] - 1.0, 1e-13);
  }
}

TEST(Splitting, RefusesWhatItCannotDo) {
  const auto ball = lagrangian(ball_description(2.0, 0.5));
  const auto refused = [&](const Splitting& scheme) { EXPECT_THROW(make_stepper(*ball, scheme), InputError); };
  refused({.tableau = "gauss-2"});
  refused({.tableau = "rk4", .steps = Splitting::Steps::adaptive});
  refused({.contact_forces = false, .steps = Splitting::Steps::adaptive});
  refused({.steps = Splitting::Steps::adaptive, .atol = -1.0});
}

}  // namespace
}  // namespace ricochet
