// A grid that gets finer where neighbours differ.
#include "ricochet/study/refinement.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <set>

namespace ricochet {
namespace {

double value(const Refinement& grid, std::uint64_t node, std::size_t axis) {
  return static_cast<double>(grid.place(node)[axis]) / static_cast<double>(Refinement::unit);
}

template <class Kind>
void grow_all(Refinement& grid, const Kind& kind) {
  while (!grid.grow([&](std::uint64_t a, std::uint64_t b) { return kind(a) != kind(b); }).empty()) continue;
}

// Steps of a function are enclosed to the finest level, and nothing is spent elsewhere.
TEST(Refinement, FindsStepsAlongAnAxis) {
  Refinement grid({11}, 1000);
  const double steps[] = {2.345678, 7.1};
  grow_all(grid, [&](std::uint64_t i) {
    const double x = value(grid, i, 0);
    return (x > steps[0]) + (x > steps[1]);
  });
  EXPECT_EQ(grid.count(), 11u + 2u * Refinement::most_levels);
  for (const double step : steps) {
    double below = 0.0, above = 10.0;
    for (std::uint64_t i = 0; i < grid.count(); ++i) {
      const double x = value(grid, i, 0);
      if (x <= step) below = std::max(below, x);
      if (x > step) above = std::min(above, x);
    }
    EXPECT_EQ(above - below, 1.0 / static_cast<double>(Refinement::unit)) << step;
  }
}

// The boundary of a disc in the plane: nodes gather along it, level by level, and all of it is found, also where it
// passes through the side of a cell whose corners agree.
TEST(Refinement, FollowsABoundaryInThePlane) {
  Refinement grid({8, 8}, 4000);
  const auto inside = [&](std::uint64_t i) {
    return std::hypot(value(grid, i, 0) - 3.3, value(grid, i, 1) - 3.6) < 2.5;
  };
  grow_all(grid, inside);
  EXPECT_LE(grid.count(), 64u + 4000u);
  EXPECT_GT(grid.count(), 64u + 3990u);
  int deepest = 0;
  for (std::uint64_t i = 64; i < grid.count(); ++i) {
    deepest = std::max(deepest, grid.level(i));
    const double distance = std::abs(std::hypot(value(grid, i, 0) - 3.3, value(grid, i, 1) - 3.6) - 2.5);
    EXPECT_LE(distance, 3.0 * std::pow(0.5, grid.level(i) - 1)) << i;
  }
  EXPECT_GE(deepest, 5);
  // Everywhere along the circle there is a node within the size of the last level but one.
  for (double angle = 0.0; angle < 6.28; angle += 0.05) {
    double nearest = 1e9;
    for (std::uint64_t i = 64; i < grid.count(); ++i)
      nearest = std::min(nearest, std::hypot(value(grid, i, 0) - 3.3 - 2.5 * std::cos(angle),
                                             value(grid, i, 1) - 3.6 - 2.5 * std::sin(angle)));
    EXPECT_LE(nearest, std::pow(0.5, deepest - 2)) << angle;
  }
}

TEST(Refinement, NodesAreTheMiddlesOfTheirEnds) {
  Refinement grid({3, 4}, 60);
  grow_all(grid, [&](std::uint64_t i) { return (i * 7) % 5; });
  std::set<Refinement::Place> seen;
  for (std::uint64_t i = 0; i < grid.count(); ++i) {
    EXPECT_TRUE(seen.insert(grid.place(i)).second);
    if (i < grid.first_count()) continue;
    const auto [a, b] = grid.ends(i);
    EXPECT_LT(a, i);
    EXPECT_LT(b, i);
    for (std::size_t k = 0; k < 2; ++k) EXPECT_EQ(grid.place(a)[k] + grid.place(b)[k], 2 * grid.place(i)[k]);
  }
  EXPECT_LE(grid.count(), 72u);
}

TEST(Refinement, WhereNothingDiffersNothingIsAdded) {
  Refinement grid({5, 5}, 100);
  EXPECT_TRUE(grid.grow([](std::uint64_t, std::uint64_t) { return false; }).empty());
  EXPECT_EQ(grid.count(), 25u);
  Refinement one({1}, 100);
  EXPECT_TRUE(one.grow([](std::uint64_t, std::uint64_t) { return true; }).empty());
}

}  // namespace
}  // namespace ricochet
