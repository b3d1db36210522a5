// Which trajectories end in the same motion.
#include "ricochet/study/attractors.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "unit/io/result/sweep_support.hpp"

namespace ricochet {
namespace {

using testing::ElementsAre;

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
  std::vector<std::int32_t> result;
  for (const SweepTrajectory& trajectory : all) result.push_back(attractors.number(trajectory));
  return result;
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

}  // namespace
}  // namespace ricochet
