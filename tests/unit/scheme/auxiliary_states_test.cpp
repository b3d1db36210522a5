// Auxiliary first-order states z' = rate(t, q, v, z): which schemes take them, that these agree with each other and
// with closed forms through impacts, and with what order.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "ricochet/ricochet.hpp"
#include "support/orders.hpp"

namespace ricochet {
namespace {

// The relief valve of the gallery: the pressure lifts the disc, the lift lets the pressure off.
std::unique_ptr<Model> valve() {
  return lagrangian({.coordinates = {"lift"},
                     .kinetic = "lift_dot^2/2",
                     .potential = "(lift + delta)^2/2",
                     .dissipation = "kappa*lift_dot^2/2",
                     .force = {{"lift", "pressure"}},
                     .parameters = {{"kappa", 1.25}, {"delta", 10.0}, {"beta", 20.0}, {"flow", 3.0}},
                     .states = {{.name = "pressure", .rate = "beta*(flow - lift*sqrt(pressure))", .initial = 1.0}},
                     .constraints = {{.name = "seat", .gap = "lift", .restitution = 0.8}}});
}

State valve_start() { return {.q = {0.2}, .v = {0.0}, .z = {1.0}}; }

Solution run_valve(const Scheme& scheme, double until, double h) {
  const auto model = valve();
  return simulate(*model, valve_start(), {0.0, until}, scheme, {.h = h});
}

const Scheme tight_event_driven{"event-driven", {{"rtol", 1e-13}, {"atol", 1e-14}}};

// A ball, x'' = −2 from height 1 with e = ½, and z' = v − z, z(0) = 1. In a flight of v₀ − 2 s that began with z₀:
// z = (z₀ − v₀ − 2) e^(−s) + v₀ + 2 − 2 s. Impacts at 1 and 2 leave with 1 and ½; z has a kink there and no jump.
std::unique_ptr<Model> ball() {
  return lagrangian({.coordinates = {"x"},
                     .kinetic = "x_dot^2/2",
                     .potential = "2*x",
                     .states = {{.name = "z", .rate = "x_dot - z", .initial = 1.0}},
                     .constraints = {{.name = "floor", .gap = "x", .restitution = 0.5}}});
}

double exact_z(double t) {
  double z0 = 1.0, v0 = 0.0;
  const auto flight = [&](double s) { return (z0 - v0 - 2.0) * std::exp(-s) + v0 + 2.0 - 2.0 * s; };
  for (const double speed : {1.0, 0.5}) {
    if (t < 1.0) break;
    z0 = flight(1.0), v0 = speed, t -= 1.0;
  }
  return flight(t);
}

// Largest error of z over the nodes, averaged over grid phases: a single step may be lucky.
double ball_error(const Scheme& scheme, double h, double until) {
  const auto model = ball();
  double mean = 0.0;
  constexpr int phases = 8;
  for (int i = 0; i < phases; ++i) {
    const State start{.q = {1.0}, .v = {0.0}, .z = {1.0}};
    const Solution solution = simulate(*model, start, {0.0, until}, scheme, {.h = h * (0.98317 - 0.0371 * i)});
    EXPECT_EQ(solution.status, Status::completed) << scheme.name << ": " << solution.failure.message;
    EXPECT_EQ(solution.trajectory.z.size(), solution.trajectory.t.size());
    double worst = 0.0;
    for (std::size_t k = 0; k < solution.trajectory.t.size(); ++k)
      worst = std::max(worst, std::abs(solution.trajectory.z[k] - exact_z(solution.trajectory.t[k])));
    mean += worst / phases;
  }
  return mean;
}

double order(double coarse, double fine, double factor) { return std::log(coarse / fine) / std::log(factor); }

TEST(AuxiliaryStates, ClosedFormBeforeAnImpact) {
  const auto halving = [](const Scheme& scheme, double h) {
    return order(ball_error(scheme, h, 0.95), ball_error(scheme, 0.5 * h, 0.95), 2.0);
  };
  EXPECT_NEAR(halving({"moreau-jean"}, 0.02), 2.0, 0.1);
  EXPECT_NEAR(halving({"moreau-jean", {{"theta", 1.0}}}, 0.02), 1.0, 0.1);
  EXPECT_NEAR(halving({"splitting", {{"tableau", std::string("heun")}}}, 0.02), 2.0, 0.1);
  EXPECT_NEAR(halving({"splitting", {{"tableau", std::string("rk4")}}}, 0.1), 4.0, 0.2);
  EXPECT_NEAR(halving({"mannshardt"}, 0.1), 4.0, 0.2);
  EXPECT_LT(ball_error(tight_event_driven, 0.1, 0.95), 1e-12);
}

// Across two impacts: order one where the grid places them, exact where they are located.
TEST(AuxiliaryStates, ClosedFormThroughImpacts) {
  for (const char* name : {"moreau-jean", "splitting"}) {
    std::vector<double> steps = {0.04, 0.02, 0.01, 0.005, 0.0025}, errors;
    for (const double h : steps) errors.push_back(ball_error({name}, h, 2.4));
    EXPECT_NEAR(testing::slope(steps, errors), 1.0, 0.15)
        << name << " from " << errors.front() << " to " << errors.back();
    EXPECT_LT(errors.back(), 2.5 * steps.back()) << name << ": an impact a step late changes v by 3 for a step";
  }
  EXPECT_LT(ball_error(tight_event_driven, 0.1, 2.4), 1e-12);
  EXPECT_LT(ball_error({"mannshardt", {{"tableau", std::string("gauss-3")}, {"bracket", 0.0}}}, 0.02, 2.4), 1e-12);
}

// Where the state acts back on the motion: two schemes that locate impacts agree to all digits, and those on a grid
// converge to the same motion with order one, in q and in z.
TEST(AuxiliaryStates, SchemesAgreeOnTheReliefValve) {
  const double until = 5.0;
  const State exact = run_valve(tight_event_driven, until, 0.1).final;
  const State other =
      run_valve({"mannshardt", {{"tableau", std::string("gauss-3")}, {"bracket", 0.0}}}, until, 1e-3).final;
  EXPECT_NEAR(other.q[0], exact.q[0], 1e-11);
  EXPECT_NEAR(other.v[0], exact.v[0], 1e-11);
  EXPECT_NEAR(other.z[0], exact.z[0], 1e-10);
  for (const char* name : {"moreau-jean", "splitting"}) {
    std::vector<double> steps = {8e-3, 4e-3, 2e-3, 1e-3}, q, z;
    for (const double h : steps) {
      double q_mean = 0.0, z_mean = 0.0;
      for (int i = 0; i < 24; ++i) {
        const State end = run_valve({name}, until, h * (0.98317 - 0.0123 * i)).final;
        q_mean += std::abs(end.q[0] - exact.q[0]) / 24.0;
        z_mean += std::abs(end.z[0] - exact.z[0]) / 24.0;
      }
      q.push_back(q_mean);
      z.push_back(z_mean);
    }
    EXPECT_NEAR(testing::slope(steps, q), 1.0, 0.25) << name << ", q from " << q.front() << " to " << q.back();
    EXPECT_NEAR(testing::slope(steps, z), 1.0, 0.25) << name << ", z from " << z.front() << " to " << z.back();
  }
}

// Before the first impact, at 2.2534, nothing but the smooth motion counts.
TEST(AuxiliaryStates, OrderOfTheReliefValveBeforeItsFirstImpact) {
  const State exact = run_valve(tight_event_driven, 2.0, 0.1).final;
  const auto halving = [&](const Scheme& scheme, double h) {
    const State coarse = run_valve(scheme, 2.0, h).final, fine = run_valve(scheme, 2.0, 0.5 * h).final;
    return std::pair(order(std::abs(coarse.q[0] - exact.q[0]), std::abs(fine.q[0] - exact.q[0]), 2.0),
                     order(std::abs(coarse.z[0] - exact.z[0]), std::abs(fine.z[0] - exact.z[0]), 2.0));
  };
  for (const auto& [scheme, h, p] : {std::tuple(Scheme{"moreau-jean"}, 2e-3, 2.0),
                                     {Scheme{"moreau-jean", {{"theta", 1.0}}}, 1e-3, 1.0},
                                     {Scheme{"splitting", {{"tableau", std::string("rk4")}}}, 1e-2, 4.0},
                                     {Scheme{"mannshardt"}, 1e-2, 4.0}}) {
    const auto [q, z] = halving(scheme, h);
    EXPECT_NEAR(q, p, 0.2) << scheme.name;
    EXPECT_NEAR(z, p, 0.2) << scheme.name;
  }
}

// Every scheme either takes auxiliary states and is right, or refuses them with a sentence before the run.
TEST(AuxiliaryStates, EverySchemeTakesOrRefusesThem) {
  const State exact = run_valve(tight_event_driven, 3.0, 0.1).final;
  for (const SchemeEntry& entry : catalogue()) {
    const Scheme scheme = entry;
    if (traits(scheme).takes_states) {
      const State end = run_valve(scheme, 3.0, 1e-3).final;
      EXPECT_NEAR(end.q[0], exact.q[0], 1e-2) << entry.name;
      EXPECT_NEAR(end.z[0], exact.z[0], 1e-1) << entry.name;
      continue;
    }
    try {
      run_valve(scheme, 3.0, 1e-3);
      ADD_FAILURE() << entry.name << " ran";
    } catch (const InputError& error) {
      EXPECT_EQ(error.field(), "scheme.name");
      EXPECT_EQ(error.message(), scheme.name + " cannot take auxiliary states (pressure); moreau-jean can");
    }
  }
}

}  // namespace
}  // namespace ricochet
