// The Hausdorff distance of graphs against brute force, and its limits.
#include "ricochet/study/hausdorff.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "ricochet/core/error.hpp"

namespace ricochet {
namespace {

// Points along the graph, no farther apart than `spacing`.
Graph dense(const Graph& graph, double spacing) {
  Graph points{{graph.t[0]}, {graph.x[0]}};
  for (std::size_t i = 1; i < graph.t.size(); ++i) {
    const double dt = graph.t[i] - graph.t[i - 1], dx = graph.x[i] - graph.x[i - 1];
    const double count = std::max(1.0, std::ceil(std::max(dt, std::abs(dx)) / spacing));
    for (double k = 1.0; k <= count; k += 1.0) {
      points.t.push_back(graph.t[i - 1] + dt * k / count);
      points.x.push_back(graph.x[i - 1] + dx * k / count);
    }
  }
  return points;
}

// Between the two sets of points: off by at most the spacing.
double brute_force(const Graph& a, const Graph& b) {
  double worst = 0.0;
  for (const auto& [from, to] : {std::pair{&a, &b}, std::pair{&b, &a}})
    for (std::size_t i = 0; i < from->t.size(); ++i) {
      double nearest = INFINITY;
      for (std::size_t k = 0; k < to->t.size(); ++k)
        nearest = std::min(nearest, std::max(std::abs(from->t[i] - to->t[k]), std::abs(from->x[i] - to->x[k])));
      worst = std::max(worst, nearest);
    }
  return worst;
}

// Random walks with jumps: some vertices share their time with the one before.
Graph random_graph(std::mt19937_64& generator, int vertices) {
  std::uniform_real_distribution<double> uniform(-1.0, 1.0);
  Graph graph{{0.0}, {uniform(generator)}};
  for (int i = 1; i < vertices; ++i) {
    const bool jump = uniform(generator) > 0.5;
    graph.t.push_back(graph.t.back() + (jump ? 0.0 : 0.1 * (1.0 + uniform(generator))));
    graph.x.push_back(jump ? uniform(generator) : graph.x.back() + 0.1 * uniform(generator));
  }
  return graph;
}

TEST(Hausdorff, RandomGraphsAgainstBruteForce) {
  std::mt19937_64 generator(20010815);
  constexpr double spacing = 2e-3;
  for (int trial = 0; trial < 60; ++trial) {
    const Graph a = random_graph(generator, 5 + trial % 20), b = random_graph(generator, 4 + trial % 17);
    const GraphDistance distance = hausdorff(a, b);
    const double expected = brute_force(dense(a, spacing), dense(b, spacing));
    EXPECT_LE(distance.value, expected + spacing) << trial;
    EXPECT_GE(distance.bound, expected - spacing) << trial;
    EXPECT_LE(distance.bound - distance.value, 1e-6 * distance.value + 1e-14) << trial;
    // It is a distance.
    EXPECT_NEAR(hausdorff(b, a).value, distance.value, 2e-6) << trial;
    EXPECT_LT(hausdorff(a, a).bound, 1e-15) << trial;
  }
}

TEST(Hausdorff, KnownDistances) {
  // A jump that comes 0.1 late.
  const Graph early{{0.0, 1.0, 1.0, 2.0}, {-1.0, -1.0, 1.0, 1.0}}, late{{0.0, 1.1, 1.1, 2.0}, {-1.0, -1.0, 1.0, 1.0}};
  EXPECT_NEAR(hausdorff(early, late).value, 0.1, 1e-12);
  // Two levels.
  EXPECT_NEAR(hausdorff({{0.0, 1.0}, {0.0, 0.0}}, {{0.0, 1.0}, {0.3, 0.3}}).value, 0.3, 1e-12);
  // The middle of a segment is the farthest point: from the corner of a roof to the line below it.
  const Graph flat{{0.0, 2.0}, {0.0, 0.0}}, roof{{0.0, 1.0, 2.0}, {0.0, 0.4, 0.0}};
  EXPECT_NEAR(hausdorff(flat, roof).value, 0.4, 1e-6);
  // One vertex is a graph too.
  EXPECT_NEAR(hausdorff({{0.0}, {0.0}}, {{0.0, 3.0}, {0.0, 1.0}}).value, 3.0, 1e-12);
}

// Far fewer comparisons than pairs of segments: two graphs of 195,000 vertices each.
TEST(Hausdorff, LargeGraphs) {
  Graph a, b;
  for (int i = 0; i < 195000; ++i) {
    const double t = 1e-4 * i;
    a.t.push_back(t);
    a.x.push_back(std::fmod(t, 1.0) - 0.5);
    b.t.push_back(t);
    b.x.push_back(std::fmod(t + 0.01, 1.0) - 0.5);
  }
  const GraphDistance distance = hausdorff(a, b);
  EXPECT_NEAR(distance.value, 0.01, 2e-4);
  EXPECT_LE(distance.bound - distance.value, 1e-6 * distance.value + 1e-14);
}

TEST(Hausdorff, Cut) {
  const Graph graph{{0.0, 1.0, 1.0, 2.0}, {0.0, 1.0, 5.0, 6.0}};
  const Graph half = cut(graph, 0.5), most = cut(graph, 1.5);
  EXPECT_EQ(half.t.back(), 0.5);
  EXPECT_EQ(half.x.back(), 0.5);
  EXPECT_EQ(most.t.size(), 4u);
  EXPECT_EQ(most.x.back(), 5.5);
  EXPECT_EQ(cut(graph, 9.0).t.size(), 4u);
}

TEST(Hausdorff, BadGraphs) {
  const Graph good{{0.0, 1.0}, {0.0, 0.0}};
  EXPECT_THROW(hausdorff({}, good), InputError);
  EXPECT_THROW(hausdorff({{0.0, 1.0}, {0.0}}, good), InputError);
  EXPECT_THROW(hausdorff({{1.0, 0.0}, {0.0, 0.0}}, good), InputError);
  EXPECT_THROW(hausdorff({{0.0, 1.0}, {0.0, NAN}}, good), InputError);
}

}  // namespace
}  // namespace ricochet
