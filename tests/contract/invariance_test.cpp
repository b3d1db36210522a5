// The same motion in other units, other gaps, another order of names, far away and in a moving frame; a count that is
// known exactly; motions that run backwards; random systems.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "ricochet/ricochet.hpp"
#include "support/every_scheme.hpp"

namespace ricochet {
namespace {

// How a problem is written down.
struct Written {
  double length = 1.0, mass = 1.0, time = 1.0;  // units
  double gap = 1.0;                             // factor of the gaps
  double shift = 0.0, speed = 0.0;              // of the origin, in units of length and speed
  bool reversed = false;                        // the order of coordinates and constraints
};

class Invariance : public ::testing::TestWithParam<const SchemeEntry*> {
 protected:
  Scheme scheme() const { return *GetParam(); }
  Traits has() const { return traits(*GetParam()); }

  // Two masses on springs between two walls, damped, under gravity. Final positions in the units of the plain problem.
  std::vector<double> final_positions(const Written& as) const {
    const double e = has().inelastic_only ? 0.0 : 0.5, L = as.length, M = as.mass, T = as.time;
    const std::string x = "(x - o - w*t)", y = "(y - o - w*t)", u = "(x_dot - w)", v = "(y_dot - w)";
    LagrangianDescription description{
        .coordinates = {"x", "y"},
        .mass = {{"2*m", "0"}, {"0", "m"}},
        .potential = fmt::format("k*{0}^2/2 + 2*k*({1} - {0})^2/2 + m*g*{0}", x, y),
        .force = {{"x", fmt::format("-c*{}", u)}, {"y", fmt::format("-c*{}", v)}},
        .parameters = {{"m", 1.25 * M},
                       {"k", 30.0 * M / (T * T)},
                       {"c", 0.125 * M / T},
                       {"g", 4.0 * L / (T * T)},
                       {"l", L},
                       {"f", as.gap},
                       {"o", as.shift * L},
                       {"w", as.speed * L / T}},
        .constraints = {{.name = "low", .gap = fmt::format("f*({} + 0.0625*l)", x), .restitution = e},
                        {.name = "high", .gap = fmt::format("f*(0.75*l - {})", y), .restitution = e}}};
    State start{.q = {(0.25 + as.shift) * L, (0.5 + as.shift) * L},
                .v = {(-2.0 + as.speed) * L / T, (3.0 + as.speed) * L / T}};
    if (as.reversed) {
      std::swap(description.coordinates[0], description.coordinates[1]);
      std::swap(description.mass[0][0], description.mass[1][1]);
      std::swap(description.constraints[0], description.constraints[1]);
      std::swap(start.q[0], start.q[1]);
      std::swap(start.v[0], start.v[1]);
    }
    const auto model = lagrangian(description);
    Scheme with = scheme();
    if (with.name == "moreau-jean-adaptive")
      with = {with.name, {{"atol", 1e-6 * L}, {"rtol", 0.0}, {"estimate", "order-0"}}};
    const double until = 2.0;
    const Solution solution = simulate(*model, start, {0.0, until * T}, with, {.h = T / 256.0, .record_every = 0});
    EXPECT_EQ(solution.status, Status::completed) << solution.failure.message;
    EXPECT_GT(solution.impact_count, 0u);
    std::vector<double> q = solution.final.q;
    if (as.reversed) std::swap(q[0], q[1]);
    for (double& value : q) value = value / L - as.shift - as.speed * until;
    return q;
  }
  void expect_same(const Written& as, double tolerance) const {
    const std::vector<double> plain = final_positions({}), other = final_positions(as);
    for (std::size_t i = 0; i < 2; ++i) EXPECT_NEAR(other[i], plain[i], tolerance);
  }
};

// Powers of two change no digit.
TEST_P(Invariance, Units) {
  expect_same({.length = 1024.0}, 1e-13);
  expect_same({.length = 0x1p-40}, 1e-13);
  expect_same({.mass = 0x1p30}, 1e-13);
  expect_same({.mass = 0x1p-30}, 1e-13);
  expect_same({.time = 0x1p20}, 1e-13);
  expect_same({.time = 0x1p-20}, 1e-13);
  expect_same({.length = 1e-9, .mass = 1e-15, .time = 1e-6}, 1e-6);
}
TEST_P(Invariance, ScaledGaps) {
  expect_same({.gap = 0x1p20}, 1e-13);
  expect_same({.gap = 0x1p-20}, 1e-13);
}
TEST_P(Invariance, Order) { expect_same({.reversed = true}, 1e-9); }
TEST_P(Invariance, FarAway) { expect_same({.shift = 1024.0}, has().chooses_steps ? 1e-5 : 1e-7); }
TEST_P(Invariance, MovingFrame) {
  expect_same({.speed = 3.0}, has().chooses_steps || has().locates_impacts ? 1e-5 : 0.02);
}

// Another body, far away and fast, changes nothing: what is small for one coordinate is not measured by another. Two
// pendulums on one another beside a wall, which is curved in their angles.
TEST_P(Invariance, BesideAnother) {
  if (has().chooses_steps) GTEST_SKIP() << "tolerances decide its steps, those of the other body too";
  const auto final = [&](bool beside) {
    LagrangianDescription description{
        .coordinates = {"a", "b"},
        .kinetic = "a_dot^2 + b_dot^2/2 + a_dot*b_dot*cos(a - b)",
        .potential = "-20*cos(a) - 10*cos(b)",
        .constraints = {
            {.name = "wall", .gap = "sin(a) + sin(b) + 0.5", .restitution = has().inelastic_only ? 0.0 : 0.5}}};
    State start{.q = {0.5, 1.0}, .v = {0.0, 0.0}};
    if (beside) {
      description.coordinates.push_back("x");
      description.kinetic += " + 1e-3*x_dot^2/2";
      start.q.push_back(1e5), start.v.push_back(1e6);
    }
    const auto model = lagrangian(description);
    const Solution solution = simulate(*model, start, {0.0, 2.0}, scheme(), {.h = 1.0 / 256.0, .record_every = 0});
    EXPECT_EQ(solution.status, Status::completed) << solution.failure.message;
    EXPECT_GT(solution.impact_count, 0u);
    return solution.final;
  };
  // Round-off of the other's momentum, 1e-15 √(1e-3) 1e6, in some of the 512 steps.
  const double tolerance = 5e-9;
  const State alone = final(false), beside = final(true);
  for (std::size_t i = 0; i < 2; ++i) {
    EXPECT_NEAR(beside.q[i], alone.q[i], tolerance);
    EXPECT_NEAR(beside.v[i], alone.v[i], tolerance);
  }
}

// With e = 1 and without damping a motion runs back to where it began, as far as impacts are met in time.
TEST_P(Invariance, TimeReversal) {
  if (has().inelastic_only) GTEST_SKIP();
  const auto model = lagrangian({.coordinates = {"x"},
                                 .kinetic = "x_dot^2/2",
                                 .potential = "2*x^2 + x",
                                 .constraints = {{.name = "wall", .gap = "x + 0.25", .restitution = 1.0}}});
  const double h = 1e-3;
  const auto run = [&](const State& start) {
    return simulate(*model, start, {0.0, 1.5}, scheme(), {.h = h, .record_every = 0});
  };
  Solution there = run({.q = {0.5}, .v = {-1.0}});
  ASSERT_GT(there.impact_count, 0u);
  there.final.v[0] *= -1.0;
  const Solution back = run({.q = there.final.q, .v = there.final.v});
  const double tolerance = has().locates_impacts || has().chooses_steps ? 2e-3 : 20.0 * h;
  EXPECT_NEAR(back.final.q[0], 0.5, tolerance);
  EXPECT_NEAR(-back.final.v[0], -1.0, 4.0 * tolerance);
}

// A heavy block pushes a light one against a wall: with masses 100^n : 1 they count the digits of π
// [G. Galperin, Playing pool with π, Regul. Chaotic Dyn. 8 (2003) 375, doi:10.1070/RD2003v008n04ABEH000252].
TEST(Galperin, TheDigitsOfPi) {
  const auto count = [](double ratio, const Scheme& scheme) {
    const auto blocks = lagrangian({.coordinates = {"x", "y"},
                                    .kinetic = "(x_dot^2 + r*y_dot^2)/2",
                                    .parameters = {{"r", ratio}},
                                    .constraints = {{.name = "wall", .gap = "x", .restitution = 1.0},
                                                    {.name = "blocks", .gap = "y - x", .restitution = 1.0}}});
    return simulate(*blocks, {.q = {1.0, 2.0}, .v = {0.0, -1.0}}, {0.0, 8.0}, scheme, {.h = 0.05, .keep = false})
        .impact_count;
  };
  const std::uint64_t digits[] = {3, 31, 314, 3141};
  double ratio = 1.0;
  for (const std::uint64_t wanted : digits) {
    EXPECT_EQ(count(ratio, EventDriven{}), wanted);
    EXPECT_EQ(count(ratio, Mannshardt{}), wanted);
    if (wanted < 3000) EXPECT_EQ(count(ratio, MoreauJeanAdaptive{}), wanted);
    ratio *= 100.0;
  }
}

// Masses on springs, shaken, among a few walls at random: every scheme ends, keeps to the walls and gains no energy,
// repeats itself to the bit, and those that locate impacts agree.
TEST_P(Invariance, RandomSystems) {
  std::mt19937 random(7);
  std::uniform_real_distribution<double> uniform(-1.0, 1.0);
  for (int trial = 0; trial < 8; ++trial) {
    const int n = 2 + trial % 3;
    LagrangianDescription description;
    std::string kinetic, potential;
    State start;
    for (int i = 0; i < n; ++i) {
      const std::string x = fmt::format("x{}", i);
      description.coordinates.push_back(x);
      kinetic += fmt::format("{}{}*{}_dot^2/2", i == 0 ? "" : " + ", 1.5 + uniform(random), x);
      potential += fmt::format("{}{}*({} - {})^2/2", i == 0 ? "" : " + ", 5.0 + 4.0 * uniform(random), x,
                               i == 0 ? "0" : fmt::format("x{}", i - 1));
      start.q.push_back(0.1 * uniform(random));
      start.v.push_back(2.0 * uniform(random));
      description.constraints.push_back({.name = fmt::format("wall{}", i),
                                         .gap = fmt::format("{}*{} + 0.3", uniform(random) > 0.0 ? "" : "-1", x),
                                         .restitution = has().inelastic_only ? 0.0 : 0.6});
      if (description.constraints.back().gap[0] == '*') description.constraints.back().gap.erase(0, 1);
    }
    description.kinetic = kinetic, description.potential = potential;
    const auto model = lagrangian(description);
    const double h = 1e-3;
    const auto run = [&](const Scheme& with) {
      return simulate(*model, start, {0.0, 1.0}, with, {.h = h, .record_every = 10});
    };
    const Solution solution = run(scheme()), again = run(scheme());
    SCOPED_TRACE(fmt::format("trial {}", trial));
    ASSERT_EQ(solution.status, Status::completed) << solution.failure.message;
    EXPECT_EQ(solution.trajectory.q, again.trajectory.q);
    EXPECT_EQ(solution.trajectory.v, again.trajectory.v);
    double fastest = 1.0;
    for (const double v : solution.trajectory.v) fastest = std::max(fastest, std::abs(v));
    EXPECT_LT(solution.violation_max, 4.0 * h * fastest);
    EXPECT_LT(solution.energy.final, solution.energy.initial * 1.02 + 1e-9);
    if (has().inelastic_only || has().compliant) continue;
    const Solution reference = run(EventDriven{});
    for (int i = 0; i < n; ++i) EXPECT_NEAR(solution.final.q[i], reference.final.q[i], 100.0 * h * fastest);
  }
}

INSTANTIATE_TEST_SUITE_P(Catalogue, Invariance, ::testing::ValuesIn(testing::entries()), testing::entry_name);

}  // namespace
}  // namespace ricochet
