// The same motion in other units, other gaps, another order of names, far away, in a moving and in a turned frame; a
// count that is known exactly; motions that run backwards; random systems.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "ricochet/ricochet.hpp"
#include "support/every_scheme.hpp"
#include "support/random_cases.hpp"

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
// g ≥ 0 is s g ≥ 0, with another s for each gap: a particle falls or flies into a wedge, and rests there in the end.
TEST_P(Invariance, GapsScaledApart) {
  std::mt19937 random(16);
  std::uniform_real_distribution<double> uniform(0.0, 1.0);
  for (int trial = 0; trial < std::max(10, testing::random_cases() / 5); ++trial) {
    const double angle = 0.1 + 1.3 * uniform(random), m = std::pow(10.0, 6.0 * uniform(random) - 3.0);
    const double y = 0.1 + uniform(random), x = 0.9 * y * std::tan(angle) * (2.0 * uniform(random) - 1.0);
    const double u = 2.0 * uniform(random) - 1.0, v = 2.0 * uniform(random) - 1.0;
    const double left = std::pow(10.0, 18.0 * uniform(random) - 9.0),
                 right = std::pow(10.0, 18.0 * uniform(random) - 9.0);
    const auto final_q = [&](double s, double z) {
      const auto wedge = lagrangian(
          {.coordinates = {"x", "y"},
           .kinetic = "m*(x_dot^2 + y_dot^2)/2",
           .potential = "m*g*y",
           .parameters =
               {{"m", m}, {"g", trial % 2 * 9.81}, {"c", std::cos(angle)}, {"d", std::sin(angle)}, {"s", s}, {"z", z}},
           .constraints = {{.name = "left", .gap = "s*(c*x + d*y)", .restitution = 0.0},
                           {.name = "right", .gap = "z*(d*y - c*x)", .restitution = 0.0}}});
      const Solution solution =
          simulate(*wedge, {.q = {x, y}, .v = {u, v}}, {0.0, 3.0}, scheme(), {.h = 0.01, .record_every = 0});
      EXPECT_EQ(solution.status, Status::completed) << solution.failure.message;
      return solution.final.q;
    };
    const std::vector<double> plain = final_q(1.0, 1.0), scaled = final_q(left, right);
    for (std::size_t i = 0; i < 2; ++i) EXPECT_NEAR(scaled[i], plain[i], 1e-6) << trial << " " << left << " " << right;
  }
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
  std::vector<std::uint64_t> digits = {3, 31, 314, 3141};
  if (testing::is_long()) digits.push_back(31415);
  double ratio = 1.0;
  for (const std::uint64_t wanted : digits) {
    EXPECT_EQ(count(ratio, EventDriven{}), wanted);
    EXPECT_EQ(count(ratio, Mannshardt{}), wanted);
    if (wanted < 3000 || testing::is_long()) EXPECT_EQ(count(ratio, MoreauJeanAdaptive{}), wanted);
    ratio *= 100.0;
  }
}

// Two masses on springs, the heavier one along y, in coordinates that are turned by an angle: M, K and the walls are
// full.
TEST_P(Invariance, Rotations) {
  const double e = has().inelastic_only ? 0.0 : 0.5;
  const auto final_position = [&](double angle) {
    const double c = std::cos(angle), s = std::sin(angle);
    const auto turned = lagrangian({.coordinates = {"x", "y"},
                                    .kinetic = "((c*x_dot + s*y_dot)^2 + 3*(c*y_dot - s*x_dot)^2)/2",
                                    .potential = "(20*(c*x + s*y)^2 + 50*(c*y - s*x)^2)/2 + 4*(c*y - s*x)",
                                    .dissipation = "0.1*(x_dot^2 + y_dot^2)/2",
                                    .parameters = {{"c", c}, {"s", s}},
                                    .constraints = {{.name = "floor", .gap = "c*y - s*x + 0.1", .restitution = e},
                                                    {.name = "side", .gap = "0.3 - (c*x + s*y)", .restitution = e}}});
    Scheme with = scheme();
    if (has().chooses_steps && find_parameter(*GetParam(), "rtol") != nullptr) with.values = {{"rtol", 1e-9}};
    if (with.name == "moreau-jean-adaptive") with.values = {{"rtol", 1e-7}, {"atol", 1e-9}};
    const Solution solution =
        simulate(*turned, {.q = {c * 0.1 - s * 0.3, s * 0.1 + c * 0.3}, .v = {c * 2.0 + s, s * 2.0 - c}}, {0.0, 1.0},
                 with, {.h = 1.0 / 256.0, .record_every = 0});
    EXPECT_EQ(solution.status, Status::completed) << solution.failure.message;
    EXPECT_GT(solution.impact_count, 1u);
    const std::vector<double>& q = solution.final.q;
    return std::pair(c * q[0] + s * q[1], c * q[1] - s * q[0]);
  };
  const auto [x, y] = final_position(0.0);
  for (const double angle : {0.3, 1.0, 2.5, -1.2}) {
    const auto [x_turned, y_turned] = final_position(angle);
    const double tolerance = has().chooses_steps ? 1e-4 : 1e-9;
    EXPECT_NEAR(x_turned, x, tolerance) << angle;
    EXPECT_NEAR(y_turned, y, tolerance) << angle;
  }
}

// Masses on springs among a few walls at random.
struct RandomSystem {
  LagrangianDescription description;
  State start;
};
RandomSystem random_system(std::mt19937& random, int n, double e, double room) {
  std::uniform_real_distribution<double> uniform(-1.0, 1.0);
  RandomSystem system;
  auto& [description, start] = system;
  for (int i = 0; i < n; ++i) {
    const std::string x = fmt::format("x{}", i);
    description.coordinates.push_back(x);
    description.kinetic += fmt::format("{}{}*{}_dot^2/2", i == 0 ? "" : " + ", 1.5 + uniform(random), x);
    description.potential += fmt::format("{}{}*({} - {})^2/2", i == 0 ? "" : " + ", 5.0 + 4.0 * uniform(random), x,
                                         i == 0 ? "0" : fmt::format("x{}", i - 1));
    start.q.push_back(0.1 * uniform(random));
    start.v.push_back(2.0 * uniform(random));
    description.constraints.push_back({.name = fmt::format("wall{}", i),
                                       .gap = fmt::format("{}{} + {}", uniform(random) > 0.0 ? "" : "-1*", x, room),
                                       .restitution = e});
  }
  return system;
}

// Every scheme ends, keeps to the walls and gains no energy, repeats itself to the bit, and those that locate impacts
// agree.
TEST_P(Invariance, RandomSystems) {
  std::mt19937 random(7);
  for (int trial = 0; trial < 8; ++trial) {
    const int n = 2 + trial % 3;
    const RandomSystem system = random_system(random, n, has().inelastic_only ? 0.0 : 0.6, 0.3);
    const auto model = lagrangian(system.description);
    const double h = 1e-3;
    const auto run = [&](const Scheme& with) {
      return simulate(*model, system.start, {0.0, 1.0}, with, {.h = h, .record_every = 10});
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

// The errors of a scheme, over many random systems and phases of the grid, fall with its order: in flight, where the
// walls are out of reach, and across impacts. What events give at 1e-12 stands for the truth.
TEST_P(Invariance, AgreementWithinTheOrder) {
  const int trials = std::max(4, testing::random_cases() / 10);
  const SchemeEntry& entry = *GetParam();
  for (const bool hits : {false, true}) {
    if (hits && has().compliant) continue;
    std::mt19937 random(11);
    double coarse = 0.0, fine = 0.0, size = 0.0;
    for (int trial = 0; trial < trials; ++trial) {
      const double e = has().inelastic_only ? 0.0 : 0.7;
      const RandomSystem system = random_system(random, 1 + trial % 2, e, hits ? 0.3 : 30.0);
      const auto model = lagrangian(system.description);
      const auto final_q = [&](const Scheme& with, double h) {
        const Solution solution = simulate(*model, system.start, {0.0, 1.0}, with, {.h = h, .record_every = 0});
        EXPECT_EQ(solution.status, Status::completed) << solution.failure.message;
        return solution.final.q;
      };
      const std::vector<double> truth = final_q(EventDriven{.rtol = 1e-12}, 0.01);
      const auto error = [&](double h) {
        const std::vector<double> q = final_q(scheme(), h);
        double sum = 0.0;
        for (std::size_t i = 0; i < q.size(); ++i) sum += std::abs(q[i] - truth[i]);
        return sum;
      };
      for (const double phase : {0.98, 0.93, 0.87, 0.81}) {
        coarse += error(0.016 * phase);
        fine += error(0.002 * phase);
      }
      for (const double q : truth) size += 4.0 * std::abs(q);
    }
    SCOPED_TRACE(fmt::format("{}: {} and {} of {}", hits ? "impacts" : "flight", coarse, fine, size));
    if (has().chooses_steps) {
      EXPECT_LT(fine, 1e-3 * size);
      continue;
    }
    const double order = hits ? entry.impact_order : entry.flight_order;
    EXPECT_LT(fine, coarse * std::pow(0.125, order - 0.25) + 1e-11 * size);
    EXPECT_LT(fine, 0.02 * size);
  }
}

INSTANTIATE_TEST_SUITE_P(Catalogue, Invariance, ::testing::ValuesIn(testing::entries()), testing::entry_name);

}  // namespace
}  // namespace ricochet
