// Orbits with lasting contact, friction and joints against closed forms and against other descriptions of the motion.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <numbers>

#include "ricochet/io/scenario/scenario_file.hpp"
#include "ricochet/ricochet.hpp"
#include "ricochet/scenario/orbit_plan.hpp"
#include "ricochet/study/continuation.hpp"
#include "unit/study/orbit/orbit_samples.hpp"

namespace ricochet {
namespace {

using std::numbers::pi;
using testing::system_of;
using Mode = OrbitFriction::Mode;

// The begin of the arc behind the first event of a kind.
double time_of(const Orbit& orbit, ArcEnd end) {
  double t = orbit.chain.t;
  for (const OrbitArc& arc : orbit.chain.arcs) {
    t += arc.tau;
    if (arc.end == end) return t;
  }
  return std::nan("");
}

// A ball under gravity 1 on a table −A cos t.
LagrangianDescription ball_on_table(double A, double e) {
  LagrangianDescription ball;
  ball.coordinates = {"x"};
  ball.parameters = {{"A", A}};
  ball.kinetic = "x_dot^2/2";
  ball.potential = "x";
  ball.constraints = {{.name = "table", .gap = "x + A*cos(t)", .restitution = e}};
  return ball;
}

// It leaves the table where that falls faster than the ball, A cos t = −1, whatever was before: both multipliers are 0.
TEST(HeldOrbit, BallRestsOnTheTable) {
  const double A = 1.5;
  const OrbitSearch found = find_orbit(system_of(ball_on_table(A, 0.0), 2.0 * pi), {0.0, {1.0}, {0.0}}, {});
  ASSERT_EQ(found.failure, "");
  EXPECT_EQ(found.orbit.inadmissible, "");
  EXPECT_NEAR(std::fmod(time_of(found.orbit, ArcEnd::opens), 2.0 * pi), std::acos(-1.0 / A), 1e-12);
  ASSERT_EQ(found.orbit.multipliers.size(), 2U);
  for (const std::complex<double>& mu : found.orbit.multipliers) EXPECT_EQ(std::abs(mu), 0.0);
  EXPECT_TRUE(found.orbit.stable);
}

// With a rebound the impacts accumulate before it rests.
TEST(HeldOrbit, ImpactsAccumulate) {
  const double A = 1.2;
  const OrbitSearch found = find_orbit(system_of(ball_on_table(A, 0.3), 2.0 * pi), {0.0, {1.0}, {0.0}}, {});
  ASSERT_EQ(found.failure, "");
  EXPECT_EQ(found.orbit.inadmissible, "");
  EXPECT_GT(found.orbit.impacts.size(), 5U);
  EXPECT_NEAR(std::fmod(time_of(found.orbit, ArcEnd::opens), 2.0 * pi), std::acos(-1.0 / A), 1e-12);
  for (const std::complex<double>& mu : found.orbit.multipliers) EXPECT_EQ(std::abs(mu), 0.0);
}

// A flight as long as the period, A sin t = π where A cos t = −1, leaves no time to rest.
TEST(HeldOrbit, RestEndsWhereAFlightTakesThePeriod) {
  const OrbitFamily family = [](double A) { return system_of(ball_on_table(A, 0.0), 2.0 * pi); };
  const OrbitSearch found = find_orbit(family(2.5), {0.0, {1.0}, {0.0}}, {});
  ASSERT_EQ(found.failure, "");
  const Continuation all = continue_orbit(family, found.orbit, 2.5, {.from = 2.0, .until = 3.5});
  int met = 0;
  for (const SpecialPoint& point : all.points)
    if (point.kind == SpecialKind::sticking) {
      ++met;
      EXPECT_NEAR(point.parameter, std::sqrt(1.0 + pi * pi), 1e-8);
    }
  EXPECT_EQ(met, 1);
}

// A mass on a spring and on a belt: x'' + x = 0.2 (x' − ½) + 1 while it slides, x = 1 where it begins to. Stick and
// slide in closed form: u = x − 0.9, u'' = 0.2 u' − u from (0.1, ½) until u' = ½ again.
TEST(HeldOrbit, StickSlipOnABelt) {
  LagrangianDescription belt;
  belt.coordinates = {"x"};
  belt.kinetic = "x_dot^2/2";
  belt.potential = "x^2/2";
  belt.force = {{"x", "0.2*(x_dot - 0.5)"}};
  belt.frictions = {{.name = "belt", .slip = {"x_dot - 0.5"}, .limit = 1.0}};
  const OrbitSearch found = find_orbit(system_of(belt), {0.0, {0.0}, {0.5}}, {.step = 0.5});
  ASSERT_EQ(found.failure, "");
  EXPECT_EQ(found.orbit.inadmissible, "");
  const double w = std::sqrt(0.99);
  const auto u = [&](double t) { return std::exp(0.1 * t) * (0.1 * std::cos(w * t) + 0.49 / w * std::sin(w * t)); };
  const auto rate = [&](double t) {
    return 0.1 * u(t) + std::exp(0.1 * t) * (0.49 * std::cos(w * t) - 0.1 * w * std::sin(w * t)) - 0.5;
  };
  double low = 4.0, high = 6.0;
  for (int k = 0; k < 200; ++k) (rate(0.5 * (low + high)) < 0.0 ? low : high) = 0.5 * (low + high);
  const double slides = low, sticks = (1.0 - (u(slides) + 0.9)) / 0.5;
  EXPECT_NEAR(found.orbit.period, slides + sticks, 1e-11);
  ASSERT_EQ(found.orbit.chain.arcs.size(), 2U);
  for (const OrbitArc& arc : found.orbit.chain.arcs)
    EXPECT_NEAR(arc.tau, arc.end == ArcEnd::stops ? slides : sticks, 1e-11);
  ASSERT_EQ(found.orbit.multipliers.size(), 1U);
  EXPECT_EQ(std::abs(found.orbit.multipliers[0]), 0.0);
}

// Glocker's woodpecker, gallery:woodpecker: three contacts with friction, and a height that comes back lower.
TEST(HeldOrbit, Woodpecker) {
  LagrangianDescription bird;
  bird.coordinates = {"y", "M", "S"};
  bird.parameters = {{"mM", 0.0003}, {"JM", 5e-9},   {"mS", 0.0045}, {"JS", 7e-7},   {"c", 0.0056},
                     {"g", 9.81},    {"r0", 0.0025}, {"rM", 0.0031}, {"hM", 0.0058}, {"lM", 0.010},
                     {"lG", 0.015},  {"hS", 0.02},   {"lS", 0.0201}, {"mu", 0.3}};
  bird.kinetic = "mM*y_dot^2/2 + JM*M_dot^2/2 + mS*(y_dot + lM*M_dot + lG*S_dot)^2/2 + JS*S_dot^2/2";
  bird.potential = "(mM + mS)*g*y + mS*g*(lM*M + lG*S) + c*(M - S)^2/2";
  bird.constraints = {
      {.name = "contact1",
       .gap = "lM + lG - lS - r0 - hS*S",
       .restitution = 0.5,
       .friction = "mu",
       .slip = {"y_dot + lM*M_dot + (lG - lS)*S_dot"}},
      {.name = "contact2", .gap = "rM - r0 + hM*M", .restitution = 0.0, .friction = "mu", .slip = {"y_dot + rM*M_dot"}},
      {.name = "contact3",
       .gap = "rM - r0 - hM*M",
       .restitution = 0.0,
       .friction = "mu",
       .slip = {"y_dot + rM*M_dot"}}};
  const State start{0.0, {0.0, 0.0894, 0.12}, {-0.1355, -2.157, 16.9}};
  const OrbitSearch found = find_orbit(system_of(bird), start, {.settle = 20.0, .drift = {0}, .step = 0.01});
  ASSERT_EQ(found.failure, "");
  EXPECT_EQ(found.orbit.inadmissible, "");
  EXPECT_NEAR(found.orbit.period, 0.14597606514375, 1e-12);
  EXPECT_NEAR(found.orbit.chain.shift[0], -0.0194, 5e-5);
  ASSERT_EQ(found.orbit.multipliers.size(), 4U);
  EXPECT_NEAR(found.orbit.multipliers[0].real(), -0.839, 5e-4);
  EXPECT_TRUE(found.orbit.stable);
}

// A clock finds its own period, gallery:clock-escapement: pushed along curved pallets, a wheel that is a tooth further
// each time. T and the multiplier by another program: the square of the slope of the half-period map.
TEST(HeldOrbit, ClockEscapement) {
  for (const std::string turned : {"0.0710186296418304", "0.0710186296418304 + 2*pi"}) {
    const Scenario clock =
        load_scenario("gallery:clock-escapement", {"initial.q.phi=\"" + turned + "\"", "initial.v.phi=0"});
    const OrbitPlan plan = plan_orbit(clock);
    const OrbitSearch found = find_orbit(plan.system, plan.start, plan.settings);
    ASSERT_EQ(found.failure, "") << turned;
    EXPECT_EQ(found.orbit.inadmissible, "");
    EXPECT_NEAR(found.orbit.period, 6.101476379074392, 1e-12);
    ASSERT_EQ(found.orbit.impacts.size(), 2U);
    EXPECT_NEAR(found.orbit.impacts[0].rate_minus, -0.601650773627885, 1e-11);
    ASSERT_EQ(found.orbit.multipliers.size(), 3U);
    EXPECT_NEAR(found.orbit.multipliers[0].real(), 0.420312868, 1e-8);
    EXPECT_LT(std::abs(found.orbit.multipliers[1]), 1e-6);
    EXPECT_TRUE(found.orbit.stable);
  }
}

// A forced pendulum at a wall, by its angle and by the place of its mass on a rod.
TEST(HeldOrbit, JointsAreLeftOut) {
  LagrangianDescription angle;
  angle.coordinates = {"a"};
  angle.kinetic = "a_dot^2/2";
  angle.potential = "-cos(a)";
  angle.dissipation = "0.1*a_dot^2/2";
  angle.force = {{"a", "0.4*cos(2*t)*cos(a)"}};
  angle.constraints = {{.name = "wall", .gap = "0.15 - sin(a)", .restitution = 0.7}};
  LagrangianDescription place;
  place.coordinates = {"x", "y"};
  place.kinetic = "(x_dot^2 + y_dot^2)/2";
  place.potential = "y";
  place.dissipation = "0.1*(x_dot^2 + y_dot^2)/2";
  place.force = {{"x", "0.4*cos(2*t)"}};
  place.constraints = {{.name = "wall", .gap = "0.15 - x", .restitution = 0.7}};
  place.joints = {{.name = "rod", .equation = {"(x^2 + y^2 - 1)/2"}}};
  const OrbitSearch one = find_orbit(system_of(angle, pi), {0.0, {0.0}, {0.0}}, {});
  const OrbitSearch two = find_orbit(system_of(place, pi), {0.0, {0.0, -1.0}, {0.0, 0.0}}, {});
  ASSERT_EQ(one.failure, "");
  ASSERT_EQ(two.failure, "");
  EXPECT_EQ(two.orbit.inadmissible, "");
  EXPECT_NEAR(std::sin(one.orbit.state.q[0]), two.orbit.state.q[0], 1e-10);
  ASSERT_EQ(one.orbit.multipliers.size(), two.orbit.multipliers.size());
  for (std::size_t i = 0; i < one.orbit.multipliers.size(); ++i)
    EXPECT_LT(std::abs(one.orbit.multipliers[i] - two.orbit.multipliers[i]), 1e-8);
}

}  // namespace
}  // namespace ricochet
