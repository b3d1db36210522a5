// Periodic orbits against closed forms and against long runs.
#include "ricochet/study/orbit.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <numbers>
#include <random>

#include "ricochet/ricochet.hpp"
#include "support/random_cases.hpp"
#include "unit/study/orbit/orbit_samples.hpp"

namespace ricochet {
namespace {

using std::numbers::pi;
using testing::oscillator;
using testing::system_of;

double determinant_of(const Orbit& orbit) {
  std::complex<double> product = 1.0;
  for (const std::complex<double>& mu : orbit.multipliers) product *= mu;
  return product.real();
}

TEST(Orbit, PeriodOneOfTheForcedOscillator) {
  const OrbitSearch found = find_orbit(system_of(oscillator(1.0, 1.0), 2.0 * pi), {0.0, {0.0}, {0.0}}, {});
  ASSERT_EQ(found.failure, "");
  const Orbit& orbit = found.orbit;
  EXPECT_EQ(orbit.inadmissible, "");
  ASSERT_EQ(orbit.impacts.size(), 1U);
  EXPECT_NEAR(std::fmod(orbit.impacts[0].t, 2.0 * pi), 0.0759521649383, 1e-12);
  EXPECT_NEAR(orbit.impacts[0].rate_plus, 1.35658635007591, 1e-12);
  EXPECT_NEAR(orbit.period, 2.0 * pi, 1e-14);
  ASSERT_EQ(orbit.multipliers.size(), 2U);
  EXPECT_NEAR(orbit.multipliers[0].real(), -0.584295314, 1e-9);
  EXPECT_NEAR(orbit.multipliers[0].imag(), 0.005600351, 1e-9);
  EXPECT_NEAR(determinant_of(orbit), 0.64 * std::exp(-0.2 * pi), 1e-12);
  EXPECT_TRUE(orbit.stable);
  EXPECT_LT(orbit.residual, 1e-13);
}

// A ball under gravity 1 on a table −Γ cos t: the exact map of Holmes, with a moving table.
TEST(Orbit, BallOnAMovingTable) {
  LagrangianDescription ball;
  ball.coordinates = {"x"};
  ball.kinetic = "x_dot^2/2";
  ball.potential = "x";
  ball.constraints = {{.name = "table", .gap = "x + 1.5*cos(t)", .restitution = 0.5}};
  const double phase = pi - std::asin(pi / 3.0 / 1.5);
  // At the top of a flight from the table at that phase to the table a period later.
  const State top{phase + pi, {-1.5 * std::cos(phase) + 0.5 * pi * pi}, {0.0}};
  const OrbitSearch found = find_orbit(system_of(ball, 2.0 * pi), top, {.guessed = 1});
  ASSERT_EQ(found.failure, "");
  EXPECT_EQ(found.orbit.inadmissible, "");
  EXPECT_NEAR(found.orbit.impacts.at(0).t - 2.0 * pi, phase, 1e-12);
  EXPECT_NEAR(found.orbit.multipliers.at(0).real(), -0.883398660381, 1e-10);
  EXPECT_NEAR(found.orbit.multipliers.at(1).real(), -0.28299793877, 1e-10);
  EXPECT_NEAR(determinant_of(found.orbit), 0.25, 1e-11);
  // The mean of (c − u²/2)² over |u| ≤ π.
  const double c = top.q[0];
  EXPECT_NEAR(found.orbit.rms.at(0), std::sqrt(c * c - c * pi * pi / 3.0 + std::pow(pi, 4) / 20.0), 1e-12);
}

// Below the stop: x = 10 A sin t, with a state at the beginning of each period of the load.
TEST(Orbit, NormsAndReturns) {
  for (const unsigned periods : {1U, 3U}) {
    const OrbitSearch found =
        find_orbit(system_of(oscillator(0.05, 1.0), 2.0 * pi), {0.0, {0.0}, {0.5}}, {.guessed = periods});
    ASSERT_EQ(found.failure, "");
    EXPECT_NEAR(found.orbit.rms.at(0), 0.5 / std::sqrt(2.0), 1e-10);
    EXPECT_EQ(found.orbit.returns.size(), found.orbit.chain.periods);
    for (const State& state : found.orbit.returns) EXPECT_NEAR(state.v[0], 0.5, 1e-11);
  }
}

// x'' + x = A cos(Ωt + φ), x ≥ 0, e = 0.8 with one impact a period in closed form (Peterka).
TEST(Orbit, PeterkasOrbit) {
  LagrangianDescription model;
  model.coordinates = {"x"};
  model.kinetic = "x_dot^2/2";
  model.potential = "x^2/2";
  model.force = {{"x", "-0.6583282847164481*cos(2.2*t + 2.803786574972142)"}};
  model.constraints = {{.name = "wall", .gap = "x", .restitution = 0.8}};
  const double T = 2.0 * pi / 2.2;
  const OrbitSearch found = find_orbit(system_of(model, T), {0.0, {0.3}, {0.0}}, {});
  ASSERT_EQ(found.failure, "");
  EXPECT_EQ(found.orbit.inadmissible, "");
  ASSERT_EQ(found.orbit.impacts.size(), 1U);
  EXPECT_NEAR(found.orbit.impacts[0].rate_minus, -1.25, 1e-11);
  EXPECT_NEAR(found.orbit.impacts[0].rate_plus, 1.0, 1e-11);
  EXPECT_NEAR(std::abs(found.orbit.multipliers.at(0)), 0.8, 1e-10);
  EXPECT_NEAR(std::abs(found.orbit.multipliers.at(1)), 0.8, 1e-10);
}

TEST(Orbit, WithoutImpactsItIsTheForcedMotion) {
  const OrbitSearch found = find_orbit(system_of(oscillator(0.05, 1.0), 2.0 * pi), {0.0, {0.0}, {0.0}}, {});
  ASSERT_EQ(found.failure, "");
  EXPECT_TRUE(found.orbit.impacts.empty());
  EXPECT_NEAR(found.orbit.state.q[0], 0.0, 1e-13);
  EXPECT_NEAR(found.orbit.state.v[0], 0.5, 1e-13);
  EXPECT_NEAR(std::abs(found.orbit.multipliers.at(0)), std::exp(-0.1 * pi), 1e-13);
}

// The motion swings with four times the period of the load for long, and seems to repeat after four periods first.
TEST(Orbit, ThePeriodIsTheShortest) {
  LagrangianDescription model = oscillator(0.5, 4.0);
  model.dissipation = "0.01*x_dot^2";
  const OrbitSearch found = find_orbit(system_of(model, 0.5 * pi), {0.0, {0.0}, {0.0}}, {});
  ASSERT_EQ(found.failure, "");
  EXPECT_EQ(found.orbit.chain.periods, 1U);
  EXPECT_NEAR(found.orbit.period, 0.5 * pi, 1e-14);
}

// det = e^{2m} exp(−∫ c/m dt), whatever the orbit is; 0 where it rests on the stop for a while.
TEST(Orbit, DeterminantOfRandomDampedOscillators) {
  constexpr int cases = 200;
  std::mt19937 random(22);
  std::uniform_real_distribution<double> part(0.0, 1.0);
  int found_some = 0, rest = 0;
  for (int i = 0; i < cases; ++i) {
    const double m = 0.5 + part(random), c = 0.05 + 0.5 * part(random), k = 4.0 * part(random), e = part(random);
    const double w = 0.5 + 2.0 * part(random), A = 0.5 + 2.0 * part(random), stop = part(random) - 0.3;
    LagrangianDescription model;
    model.coordinates = {"x"};
    model.kinetic = fmt::format("{}*x_dot^2/2", m);
    model.potential = fmt::format("{}*x^2/2", k);
    model.dissipation = fmt::format("{}*x_dot^2/2", c);
    model.force = {{"x", fmt::format("{}*cos({}*t)", A, w)}};
    model.constraints = {{.name = "stop", .gap = fmt::format("{} - x", stop), .restitution = e}};
    const OrbitSearch found = find_orbit(system_of(model, 2.0 * pi / w), {0.0, {stop - 0.5}, {0.0}}, {});
    if (!found.failure.empty()) continue;
    ++found_some;
    if (found.orbit.multipliers.empty()) continue;  // pressed against the stop for good
    const double impacts = static_cast<double>(found.orbit.impacts.size());
    const double expected = std::pow(e, 2.0 * impacts) * std::exp(-c / m * found.orbit.period);
    const std::vector<OrbitArc>& arcs = found.orbit.chain.arcs;
    if (std::any_of(arcs.begin(), arcs.end(), [](const OrbitArc& arc) { return arc.held.any(); })) {
      ++rest;
      EXPECT_EQ(determinant_of(found.orbit), 0.0) << i;
    } else
      EXPECT_NEAR(determinant_of(found.orbit) / expected, 1.0, 1e-8) << i << ", " << impacts << " impacts, e = " << e;
    EXPECT_TRUE(found.orbit.inadmissible.empty()) << i << ": " << found.orbit.inadmissible;
  }
  EXPECT_GT(found_some, 190);
  EXPECT_GT(rest, 10);
}

TEST(Orbit, VanDerPol) {
  LagrangianDescription model;
  model.coordinates = {"x"};
  model.kinetic = "x_dot^2/2";
  model.potential = "x^2/2";
  model.force = {{"x", "(1 - x^2)*x_dot"}};
  const OrbitSearch found =
      find_orbit({std::shared_ptr<const Model>(lagrangian(model))}, {0.0, {1.0}, {0.0}}, {.step = 0.05});
  ASSERT_EQ(found.failure, "");
  EXPECT_NEAR(found.orbit.period, 6.6632868593231301, 1e-11);
  ASSERT_EQ(found.orbit.multipliers.size(), 1U);
  EXPECT_TRUE(found.orbit.stable);
}

// Where a cycle without impacts repels, one round from section to section is guess enough. Backwards in time it is the
// cycle that attracts, with the inverse multiplier.
TEST(Orbit, SectionsTellRounds) {
  const auto van_der_pol = [](const char* force) {
    LagrangianDescription model;
    model.coordinates = {"x"};
    model.kinetic = "x_dot^2/2";
    model.potential = "x^2/2";
    model.force = {{"x", force}};
    return OrbitSystem{std::shared_ptr<const Model>(lagrangian(model))};
  };
  const auto section = [](const State& state) { return state.q[0]; };
  const OrbitSearch attracts = find_orbit(van_der_pol("0.1*(1 - x^2)*x_dot"), {0.0, {1.5}, {0.0}},
                                          {.settle = 300.0, .step = 0.1, .section = section});
  ASSERT_EQ(attracts.failure, "");
  EXPECT_NEAR(attracts.orbit.state.q[0], 0.0, 1e-12);  // t = 300, to round-off
  EXPECT_GT(attracts.orbit.state.v[0], 1.9);
  const OrbitSystem backwards = van_der_pol("-0.1*(1 - x^2)*x_dot");
  const OrbitSearch repels =
      find_orbit(backwards, {0.0, {2.0}, {0.0}}, {.settle = 20.0, .guessed = 1, .step = 0.1, .section = section});
  ASSERT_EQ(repels.failure, "");
  EXPECT_FALSE(repels.orbit.stable);
  EXPECT_NEAR(repels.orbit.period, attracts.orbit.period, 1e-11);
  EXPECT_NEAR(repels.orbit.state.v[0], attracts.orbit.state.v[0], 1e-9);
  EXPECT_NEAR(repels.orbit.multipliers.at(0).real() * attracts.orbit.multipliers.at(0).real(), 1.0, 1e-9);
  // a section that is never passed
  const OrbitSearch none = find_orbit(
      backwards, {0.0, {2.0}, {0.0}},
      {.settle = 20.0, .guessed = 1, .step = 0.1, .section = [](const State& state) { return state.q[0] - 10.0; }});
  EXPECT_THAT(none.failure, ::testing::HasSubstr("nowhere"));
}

// Two contacts, M(q), curved gaps.
LagrangianDescription forced_double_pendulum() {
  LagrangianDescription model;
  model.coordinates = {"a", "b"};
  model.kinetic = "a_dot^2 + b_dot^2/2 + a_dot*b_dot*cos(a - b)";
  model.potential = "-2*9.81*cos(a) - 9.81*cos(b)";
  model.dissipation = "0.4*a_dot^2/2 + 0.3*(b_dot - a_dot)^2/2";
  model.force = {{"a", "8*cos(5*t)"}};
  model.constraints = {{.name = "elbow", .gap = "0.25 - sin(a)", .restitution = 0.7},
                       {.name = "tip", .gap = "0.6 - sin(a) - sin(b)", .restitution = 0.5}};
  return model;
}

TEST(Orbit, DoublePendulumEqualsALongRun) {
  const OrbitSystem system = system_of(forced_double_pendulum(), 2.0 * pi / 5.0);
  const OrbitSearch found = find_orbit(system, {0.0, {0.0, 0.0}, {0.0, 0.0}}, {});
  ASSERT_EQ(found.failure, "");
  EXPECT_EQ(found.orbit.inadmissible, "");
  EXPECT_LT(found.orbit.residual, 1e-12);
  const double until = 400.0 * 2.0 * pi / 5.0;
  const Solution run = simulate(*system.model, {0.0, {0.0, 0.0}, {0.0, 0.0}}, {0.0, until}, EventDriven{.rtol = 1e-12},
                                {.h = until, .record_every = 0, .keep = false, .account = false});
  const State& state = found.orbit.state;
  for (int i = 0; i < 2; ++i) {
    EXPECT_NEAR(run.final.q[i], state.q[i], 1e-8);
    EXPECT_NEAR(run.final.v[i], state.v[i], 1e-8);
  }
  EXPECT_GE(found.orbit.impacts.size(), 1U);
}

// Self-excited in front of a stop: the period is unknown.
TEST(Orbit, WithoutALoad) {
  LagrangianDescription model;
  model.coordinates = {"x"};
  model.kinetic = "x_dot^2/2";
  model.potential = "x^2/2";
  model.dissipation = "-0.02*x_dot^2/2";
  model.constraints = {{.name = "stop", .gap = "1 - x", .restitution = 0.7}};
  const OrbitSearch found =
      find_orbit({std::shared_ptr<const Model>(lagrangian(model))}, {0.0, {0.0}, {1.2}}, {.step = 0.5});
  ASSERT_EQ(found.failure, "");
  EXPECT_EQ(found.orbit.inadmissible, "");
  ASSERT_EQ(found.orbit.impacts.size(), 1U);
  ASSERT_EQ(found.orbit.multipliers.size(), 1U);
  // Of both multipliers one is 1: the other is the determinant.
  EXPECT_NEAR(found.orbit.multipliers[0].real(), 0.49 * std::exp(0.02 * found.orbit.period), 1e-10);
}

// y comes back shifted, and nothing depends on it.
TEST(Orbit, ShiftedCoordinate) {
  LagrangianDescription model = oscillator(1.0, 1.0);
  model.coordinates = {"x", "y"};
  model.kinetic = "x_dot^2/2 + y_dot^2/2";
  model.force.push_back({"y", "0.5*x - 0.2*(y_dot - 1)"});
  const OrbitSearch found = find_orbit(system_of(model, 2.0 * pi), {0.0, {0.0, 0.0}, {0.0, 0.0}}, {.drift = {1}});
  ASSERT_EQ(found.failure, "");
  EXPECT_EQ(found.orbit.inadmissible, "");
  // The mean of y' − 1 is that of 2.5 x; that of x is the impulse of the stop in a period.
  const double impulse = 1.8 / 0.8 * 1.35658635007591;
  EXPECT_NEAR(found.orbit.chain.shift[1], 2.0 * pi - 2.5 * impulse, 1e-10);
  EXPECT_EQ(found.orbit.multipliers.size(), 3U);
}

TEST(Orbit, SaysWhyThereIsNone) {
  // damped without a load
  LagrangianDescription at_rest = oscillator(0.0, 1.0);
  at_rest.force.clear();
  EXPECT_THAT(
      find_orbit({std::shared_ptr<const Model>(lagrangian(at_rest))}, {0.0, {0.5}, {0.0}}, {.step = 0.5}).failure,
      ::testing::HasSubstr("comes to rest"));
  // a wrong period, and none
  EXPECT_THROW(find_orbit(system_of(oscillator(1.0, 1.0), 5.0), {0.0, {0.0}, {0.0}}, {}), InputError);
  EXPECT_THROW(find_orbit(system_of(oscillator(1.0, 1.0), std::nan("")), {0.0, {0.0}, {0.0}}, {.step = 0.1}),
               InputError);
}

}  // namespace
}  // namespace ricochet
