// After how many points a motion repeats: against what is known of maps over their whole range.
#include "study/sweep/period.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <numbers>
#include <vector>

#include "ricochet/study/sweep.hpp"

namespace ricochet {
namespace {

using std::numbers::pi;
constexpr std::int64_t not_settled = SweepTrajectory::not_settled;

// t, x, x_dot of points.
std::vector<double> rows(int count, const std::function<std::pair<double, double>(int)>& state) {
  std::vector<double> points;
  for (int k = 0; k < count; ++k) {
    const auto [x, v] = state(k);
    points.insert(points.end(), {static_cast<double>(k), x, v});
  }
  return points;
}
std::int64_t period_of(const std::vector<double>& points, double tolerance) {
  return find_period(points, 1, 1, 0, tolerance);
}

TEST(Period, IsTheSmallestThatRepeats) {
  const auto circle = [](int k) { return std::pair(std::cos(2.0 * pi * k / 3.0), std::sin(2.0 * pi * k / 3.0)); };
  std::vector<double> points = rows(12, circle);
  EXPECT_EQ(period_of(points, 1e-9), 3);
  points[3 * 7 + 1] += 1e-3;
  EXPECT_EQ(period_of(points, 1e-9), 0);
  EXPECT_EQ(period_of(points, 1e-2), 3);
  EXPECT_EQ(period_of({}, 1e-9), 0);
  EXPECT_EQ(period_of({0.0, 1.0, 1.0}, 1e-9), 0);
}

// What came before may have been the transient.
TEST(Period, TheLastPartDecides) {
  const auto late = [](int k) { return std::pair(k < 20 ? std::sin(k * k) : k % 2 == 0 ? 0.3 : -0.4, 1.0); };
  EXPECT_EQ(period_of(rows(50, late), 1e-9), 2);
  // Settled in the last quarter only.
  const auto later = [](int k) { return std::pair(k < 36 ? std::sin(k * k) : k % 2 == 0 ? 0.3 : -0.4, 1.0); };
  EXPECT_EQ(period_of(rows(50, later), 1e-9), not_settled);
}

// Multipliers that are real, of either sign, or turn: x_k = x* + μᵏ c.
TEST(Period, ApproachIsNotSettledUntilItIsOver) {
  for (const double multiplier : {0.9, -0.9, 0.98, -0.98, 0.995})
    for (const double angle : {0.0, 0.7}) {
      const auto approach = [&](int k) {
        const double part = std::pow(std::abs(multiplier), k) * (multiplier < 0.0 && k % 2 == 1 ? -1.0 : 1.0);
        return std::pair(1.0 + 0.1 * part * std::cos(angle * k), 0.5 + 0.1 * part * std::sin(angle * k + 0.4));
      };
      // A spiral that shrinks by a tenth over all points cannot be told from a motion on a torus.
      if (angle > 0.0 && std::abs(multiplier) > 0.97) continue;
      EXPECT_EQ(period_of(rows(64, approach), 1e-6), not_settled) << multiplier << " " << angle;
      EXPECT_EQ(period_of(rows(64, approach), 0.3), 1) << multiplier << " " << angle;
    }
}

// Points that drift slowly have not settled, though each is close to the next.
TEST(Period, DriftAddsUp) {
  EXPECT_EQ(period_of(rows(100, [](int k) { return std::pair(1.0 + 1e-7 * k, 1.0); }), 1e-6), not_settled);
  EXPECT_EQ(period_of(rows(100, [](int k) { return std::pair(1.0 + 1e-9 * k, 1.0); }), 1e-6), 1);
}

// x' = r x (1 − x): period 1 up to 3, 2 up to 1 + √6, 4 up to 3.5440903596, 8 up to 3.5644072661, 3 from 1 + √8 to
// 3.8414990075, where it doubles. After few iterations and with few points: the period, or not settled, but never
// another number.
TEST(Period, LogisticMapOverItsRange) {
  const std::vector<std::pair<double, int>> known = {
      {2.6, 1}, {3.0, 2}, {1.0 + std::sqrt(6.0), 4}, {3.5440903596, 8}, {3.5644072661, 0}};
  int settled = 0, all = 0;
  for (double r = 2.6005; r < 3.5644; r += 0.001) {
    int expected = 0;
    for (const auto& [from, period] : known)
      if (r >= from) expected = period;
    for (const int transient : {50, 100, 1000}) {
      double x = 0.4;
      for (int k = 0; k < transient; ++k) x = r * x * (1.0 - x);
      const std::int64_t found = period_of(rows(50, [&](int) { return std::pair(x = r * x * (1.0 - x), 1.0); }), 1e-6);
      EXPECT_TRUE(found == expected || found == not_settled)
          << r << " " << transient << ": " << found << " for " << expected;
      all += transient == 1000, settled += transient == 1000 && found == expected;
    }
  }
  EXPECT_GT(settled, 9 * all / 10);
  for (double r = 1.0 + std::sqrt(8.0) + 1e-3; r < 3.8414; r += 1e-4) {
    double x = 0.5;
    for (int k = 0; k < 2000; ++k) x = r * x * (1.0 - x);
    const std::int64_t found = period_of(rows(50, [&](int) { return std::pair(x = r * x * (1.0 - x), 1.0); }), 1e-6);
    EXPECT_TRUE(found == 3 || found == not_settled) << r << ": " << found;
  }
}

// Chaos is neither periodic nor about to be, but for few of many starts.
TEST(Period, ChaosDoesNotRepeat) {
  int wrong = 0, unsettled = 0;
  for (int start = 0; start < 2000; ++start) {
    double x = 0.1 + 0.8 * start / 2000.0;
    for (int k = 0; k < 100; ++k) x = 3.9 * x * (1.0 - x);
    const std::int64_t found = period_of(rows(50, [&](int) { return std::pair(x = 3.9 * x * (1.0 - x), 1.0); }), 1e-3);
    wrong += found > 0, unsettled += found < 0;
  }
  EXPECT_EQ(wrong, 0);
  EXPECT_LE(unsettled, 10);
}

}  // namespace
}  // namespace ricochet
