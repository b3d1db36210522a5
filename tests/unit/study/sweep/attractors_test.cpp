// Which trajectories end in the same motion.
#include "ricochet/study/attractors.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "ricochet/io/scenario/scenario_file.hpp"
#include "ricochet/scenario/sweep_plan.hpp"
#include "unit/io/result/sweep_support.hpp"
#include "unit/study/sweep/sweep_runs.hpp"

namespace ricochet {
namespace {

using ::testing::ElementsAre;

// Points of (x, x_dot) one after the other; times that never agree come before them.
SweepTrajectory through(std::vector<std::pair<double, double>> states, std::int64_t period) {
  static double t = 0.0;
  SweepTrajectory result;
  for (const auto& [x, v] : states) result.points.insert(result.points.end(), {t += 1.0, x, v});
  result.period = period;
  return result;
}

std::vector<std::int32_t> numbers(const std::vector<SweepTrajectory>& all) {
  Attractors attractors(sweep_test::columns(), 1e-3);
  for (const SweepTrajectory& trajectory : all) attractors.measure(trajectory);
  for (const SweepTrajectory& trajectory : all) attractors.add(trajectory);
  attractors.name();
  std::vector<std::int32_t> result;
  for (std::size_t i = 0; i < all.size(); ++i) result.push_back(attractors.number(i));
  return result;
}

// Cells one after the other along a parameter, with a list of trajectories each.
Attractors along(const std::vector<std::vector<SweepTrajectory>>& cells) {
  Attractors attractors(sweep_test::columns(), 1e-3);
  for (const auto& cell : cells)
    for (const SweepTrajectory& trajectory : cell) attractors.measure(trajectory);
  for (std::size_t c = 0; c < cells.size(); ++c)
    for (const SweepTrajectory& trajectory : cells[c]) attractors.add(trajectory, c);
  for (std::size_t c = 1; c < cells.size(); ++c) attractors.link(c - 1, c);
  attractors.name();
  return attractors;
}

TEST(Attractors, OnePointEach) {
  EXPECT_THAT(numbers({through({{1, 2}}, 1), through({{-1, 2}}, 1), through({{1, -2}}, 1), through({{1.0005, 2}}, 1)}),
              ElementsAre(0, 1, 2, 0));
}

TEST(Attractors, ToleranceIsAPartOfTheColumnsSize) {
  // In x, 1e-3 of 1; in x_dot, 1e-3 of 1000.
  EXPECT_THAT(numbers({through({{1, 1000}}, 1), through({{0.9991, 999.1}}, 1), through({{0.9985, 1000}}, 1),
                       through({{1, 998.5}}, 1)}),
              ElementsAre(0, 0, 1, 2));
  // Rest at 0, up to round-off, beside a motion.
  EXPECT_THAT(numbers({through({{1, 1}}, 1), through({{1e-17, 0}}, 1), through({{-1e-18, 1e-16}}, 1)}),
              ElementsAre(0, 1, 1));
}

TEST(Attractors, CyclesFromAnyOfTheirPoints) {
  EXPECT_THAT(numbers({through({{1, 0}, {2, 0}, {3, 0}}, 3), through({{2, 0}, {3, 0}, {1, 0}}, 3),
                       through({{3, 0}, {1, 0}, {2, 0}}, 3), through({{3, 0}, {2, 0}, {1, 0}}, 3)}),
              ElementsAre(0, 0, 0, 1));
}

TEST(Attractors, TheLastCycleCounts) {
  EXPECT_THAT(numbers({through({{9, 9}, {5, 5}, {1, 0}, {2, 0}}, 2), through({{1, 0}, {2, 0}, {1, 0}}, 2)}),
              ElementsAre(0, 0));
}

TEST(Attractors, PeriodsTellApart) {
  EXPECT_THAT(numbers({through({{1, 0}, {1, 0}}, 1), through({{1, 0}, {1.0001, 0}}, 2), through({{1, 0}, {1, 0}}, 0)}),
              ElementsAre(0, 1, 2));
}

TEST(Attractors, WithoutAPeriodTheRangesDecide) {
  const auto box = [](double left, double right, double top) {
    return through({{left, 0}, {0.5 * (left + right), top}, {right, 0.5 * top}}, 0);
  };
  EXPECT_THAT(numbers({box(0, 1, 1), box(0.2, 1, 0.9), box(0.6, 1.6, 1), box(0, 1, 0.4)}), ElementsAre(0, 0, 1, 2));
  // Points on a line, the same value of x in all.
  EXPECT_THAT(
      numbers({through({{1, 0}, {1, 1}}, 0), through({{1, 0.1}, {1.0001, 1}}, 0), through({{2, 0}, {2, 1}}, 0)}),
      ElementsAre(0, 0, 1));
}

TEST(Attractors, NothingToTell) {
  SweepTrajectory failed = through({{1, 2}}, 1);
  failed.failure = "it broke";
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_THAT(numbers({failed, through({}, 0), through({{1, 2}}, 1), through({{nan, 2}}, 1)}),
              ElementsAre(Attractors::none, Attractors::none, 0, 1));
}

// Two branches move along a parameter, one of them from somewhere on: each keeps its number, though both move by far
// more than the tolerance.
TEST(Attractors, BranchesAlongAParameter) {
  std::vector<std::vector<SweepTrajectory>> cells;
  for (int k = 0; k < 40; ++k) {
    const double s = k / 40.0;
    cells.push_back({through({{std::cos(s), s}}, 1)});
    if (k >= 10) cells.back().push_back(through({{-s, 0.2}, {0.5 * s, -1}}, 2));
  }
  const Attractors found = along(cells);
  ASSERT_EQ(found.branches().size(), 2u);
  EXPECT_EQ(found.branches()[0].period, 1);
  EXPECT_EQ(found.branches()[0].trajectories, 40u);
  EXPECT_EQ(found.branches()[1].period, 2);
  EXPECT_EQ(found.branches()[1].trajectories, 30u);
  EXPECT_EQ(found.number(11), 1);
}

TEST(Attractors, BranchesEndWherePeriodImpactsOrPlaceJump) {
  const auto hit = [](double x, std::int64_t period, double impacts) {
    SweepTrajectory one = period == 1 ? through({{x, 1}}, 1) : through({{x, 1}, {-x, 1}}, 2);
    one.cycle_impacts = impacts;
    return one;
  };
  const Attractors found = along({{hit(0.5, 1, 1)},
                                  {hit(0.52, 1, 1)},
                                  {hit(0.54, 1, 2)},
                                  {hit(0.56, 2, 4)},
                                  {hit(0.58, 2, 4)},
                                  {hit(-1, 1, 2)},
                                  {hit(1, 1, 2)}});
  EXPECT_EQ(found.branches().size(), 5u);
  EXPECT_EQ(found.number(0), found.number(1));
  EXPECT_EQ(found.number(3), found.number(4));
}

// Up and down: what the way back has found first is the branch that the way there jumps to.
TEST(Attractors, BothWaysAreOneBranchWhereTheyMeet) {
  Attractors attractors(sweep_test::columns(), 1e-3);
  std::vector<SweepTrajectory> all;
  std::vector<std::uint64_t> cells;
  for (int backward = 0; backward < 2; ++backward)
    for (int k = 0; k < 20; ++k) {
      const bool low = backward == 0 ? k < 12 : k < 5;
      all.push_back(low ? through({{0.01 * k, 0}}, 1) : through({{1, 0.5 + 0.01 * k}}, 1));
      cells.push_back(static_cast<std::uint64_t>(k));
    }
  for (const SweepTrajectory& one : all) attractors.measure(one);
  for (std::size_t i = 0; i < all.size(); ++i) attractors.add(all[i], cells[i]);
  for (std::uint64_t c = 1; c < 20; ++c) attractors.link(c - 1, c);
  attractors.name();
  EXPECT_EQ(attractors.branches().size(), 2u);
  for (std::size_t i = 0; i < 40; ++i) EXPECT_EQ(attractors.number(i), all[i].points[1] == 1.0 ? 1 : 0) << i;
}

TEST(Attractors, WhatHasNotSettledHasNone) {
  EXPECT_THAT(numbers({through({{1, 2}, {1, 2}}, 1), through({{1, 2}, {1, 2}}, SweepTrajectory::not_settled)}),
              ElementsAre(0, Attractors::none));
}

// Numbers depend on the order, who shares one does not.
TEST(Attractors, OrderDoesNotDecideWhoSharesOne) {
  std::vector<SweepTrajectory> all;
  for (int i = 0; i < 30; ++i) all.push_back(through({{std::cos(i % 3), std::sin(i % 3)}}, 1));
  const std::vector<std::int32_t> forward = numbers(all);
  std::reverse(all.begin(), all.end());
  const std::vector<std::int32_t> backward = numbers(all);
  for (std::size_t i = 0; i < all.size(); ++i)
    for (std::size_t j = 0; j < all.size(); ++j)
      EXPECT_EQ(forward[i] == forward[j], backward[29 - i] == backward[29 - j]);
}

// A ball in wells V = x⁴/4 − b x²/2 with x in units of L, at rest at last: two of them with b = 1, one at 0 with
// b = −1. How small the velocities are in the end is round-off of nothing, or what is left of the transient.
constexpr const char* wells_text = R"toml(
[model]
coordinates = ["x"]
parameters = {{ L = {0}, b = {1} }}
kinetic = "x_dot^2/2"
potential = "L^2*((x/L)^4/4 - b*(x/L)^2/2)"
dissipation = "0.25*x_dot^2"
[initial]
q = {{ x = "0.5*L" }}
[scheme]
name = "{2}"
[time]
until = 1.0
step = 0.02
[sweep]
axis = [{{ parameter = "initial.q.x", range = [{4}, {5}], count = 8 }},
        {{ parameter = "initial.v.x", range = [{4}, {5}], count = 3 }}]
transient = 80.0
duration = 16.0
record = {3}
period = 1.0
measure = ["attractors"]
)toml";

std::size_t wells(double b, double unit, const std::string& scheme, const std::string& record, int lanes = lane_count) {
  const std::string text = fmt::format(fmt::runtime(wells_text), unit, b, scheme, record, -2 * unit, 2 * unit);
  const BuiltSweep sweep = build_sweep(parse_scenario(text, "wells.toml"));
  const auto slots = testing::run(*sweep.cases, sweep.settings, sweep.plan.count(), lanes);
  const Attractors attractors = attractors_of(sweep, [&](std::uint64_t i) { return slots.at(i); });
  for (const AttractorSummary& one : attractors.branches()) EXPECT_EQ(one.period, 1);
  std::uint64_t settled = 0;
  for (const AttractorSummary& one : attractors.branches()) settled += one.trajectories;
  EXPECT_EQ(settled, sweep.plan.count());
  return attractors.branches().size();
}

TEST(Attractors, EquilibriaAreNotSplitByRoundOff) {
  for (const double unit : {1.0, 1e-6, 1e7})
    for (const char* scheme : {"moreau-jean", "event-driven"}) {
      EXPECT_EQ(wells(1.0, unit, scheme, "\"stroboscopic\""), 2u) << unit << " " << scheme;
      EXPECT_EQ(wells(-1.0, unit, scheme, "\"stroboscopic\""), 1u) << unit << " " << scheme;
    }
  // One by one, as in lanes.
  EXPECT_EQ(wells(1.0, 1.0, "moreau-jean", "\"stroboscopic\"", 1), 2u);
}

}  // namespace
}  // namespace ricochet
