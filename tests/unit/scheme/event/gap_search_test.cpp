// The search for closing gaps along a step.
#include "scheme/event/gap_search.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "ricochet/ricochet.hpp"

namespace ricochet {
namespace {

using Watch = GapSearch::Watch;

const double tolerance[] = {1e-10};

// x(θ) = Π (θ − r_k) · lead, as the dense output of a step of length 1 at t = 0.
DenseOutput path(const std::vector<double>& roots, double lead, double offset = 0.0) {
  std::vector<double> p = {lead};
  for (const double root : roots) {
    p.insert(p.begin(), 0.0);
    for (std::size_t k = 0; k + 1 < p.size(); ++k) p[k] -= root * p[k + 1];
  }
  DenseOutput dense(1);
  dense.begin(0.0, 1.0, roots.size() > 4 ? 7 : 4);
  for (std::size_t k = 0; k < p.size(); ++k) dense.coefficients(0)[k] = p[k];
  dense.coefficients(0)[0] += offset;
  return dense;
}

std::unique_ptr<Model> wall(const std::string& gap) {
  return lagrangian({.coordinates = {"x"},
                     .kinetic = "x_dot^2/2",
                     .constraints = {{.name = "wall", .gap = gap, .restitution = 0.5}}});
}

// The same gap three times: linear and fixed, written as a curved one, and moving by nothing.
TEST(GapSearch, FindsTheFirstOfSeveralCrossings) {
  for (const char* gap : {"x", "exp(x) - 1", "x + 0*t"}) {
    const auto model = wall(gap);
    GapSearch search(*model);
    search.watch(0) = Watch::open;
    const DenseOutput twice = path({0.31, 0.37}, 1.0);  // dips below 0 in between, positive at both ends
    const auto event = search.first(twice, tolerance);
    ASSERT_TRUE(event) << gap;
    EXPECT_NEAR(event->theta, 0.31, 1e-9) << gap;
    EXPECT_FALSE(event->grazing);
    const auto four = search.first(path({0.2, 0.4, 0.6, 0.8}, 5.0), tolerance);
    ASSERT_TRUE(four);
    EXPECT_NEAR(four->theta, 0.2, 1e-7) << gap;
    EXPECT_FALSE(search.first(path({0.3, 0.3}, 1.0, 0.01), tolerance)) << "misses by 0.01: " << gap;
    EXPECT_FALSE(search.first(path({1.2, -0.2}, -1.0), tolerance)) << gap;
  }
}

// Steps of order 8 are polynomials of degree 7: the first of up to seven crossings, pairs of them close together.
TEST(GapSearch, FindsTheFirstCrossingOfDegreeSeven) {
  std::mt19937_64 random(3);
  std::uniform_real_distribution<double> place(-0.5, 1.5), distance(1e-4, 0.1);
  for (const char* gap : {"x", "x + 0*t"}) {
    const auto model = wall(gap);
    GapSearch search(*model);
    search.watch(0) = Watch::open;
    int found = 0;
    for (int i = 0; i < 300; ++i) {
      std::vector<double> roots;
      while (roots.size() < 6) {
        roots.push_back(place(random));
        roots.push_back(roots.back() + distance(random));
      }
      roots.push_back(i % 2 == 0 ? place(random) : 3.0);
      // positive at the begin
      double lead = 100.0, first = 2.0;
      for (const double root : roots) {
        if (root > 0.0) lead = -lead;
        if (root > 0.0) first = std::min(first, root);
      }
      const auto event = search.first(path(roots, lead), tolerance);
      ASSERT_EQ(event.has_value(), first < 1.0) << gap << " " << first;
      found += event.has_value();
      if (event && !event->grazing) EXPECT_NEAR(event->theta, first, 1e-5) << gap;
    }
    EXPECT_GT(found, 100);
  }
  const auto model = wall("x");
  GapSearch search(*model);
  search.watch(0) = Watch::open;
  const std::vector<double> double_root = {0.4, 0.4, -1.0, -1.0, -2.0};
  EXPECT_TRUE(search.first(path(double_root, 1.0, 3e-11), tolerance)->grazing);
  EXPECT_FALSE(search.first(path(double_root, 1.0, -1e-6), tolerance)->grazing);
  EXPECT_FALSE(search.first(path(double_root, 1.0, 1e-6), tolerance));
  search.watch(0) = Watch::bounced;
  EXPECT_NEAR(search.first(path({0.0, 1e-3, -1.0, -1.0, -2.0}, -1.0), tolerance)->theta, 1e-3, 1e-9);
}

TEST(GapSearch, GrazingIsToldFromCrossing) {
  const auto model = wall("x");
  GapSearch search(*model);
  search.watch(0) = Watch::open;
  const auto touches = search.first(path({0.4, 0.4}, 1.0, 3e-11), tolerance);
  ASSERT_TRUE(touches);
  EXPECT_TRUE(touches->grazing);
  EXPECT_NEAR(touches->theta, 0.4, 1e-9);
  const auto crosses = search.first(path({0.4, 0.4}, 1.0, -1e-6), tolerance);
  ASSERT_TRUE(crosses);
  EXPECT_FALSE(crosses->grazing);
  EXPECT_NEAR(crosses->theta, 0.4 - 1e-3, 1e-9);
  EXPECT_FALSE(search.first(path({0.4, 0.4}, 1.0, 1e-9), tolerance)) << "misses by more than the tolerance";
}

// What comes to 0 right behind another contact's minimum is found where it does, and not a little later.
TEST(GapSearch, BehindAGrazingMinimumOthersCloseAtOnce) {
  const auto model = lagrangian(
      {.coordinates = {"x", "y"},
       .kinetic = "(x_dot^2 + y_dot^2)/2",
       .constraints = {{.name = "a", .gap = "x", .restitution = 0.5}, {.name = "b", .gap = "y", .restitution = 0.5}}});
  GapSearch search(*model);
  search.watch(0) = search.watch(1) = Watch::open;
  const double landing = 0.4 + 5e-10, tolerances[] = {1e-10, 1e-10};
  DenseOutput dense(2);
  dense.begin(0.0, 1.0);
  const double x[] = {0.16 + 3e-11, -0.8, 1.0, 0.0, 0.0}, y[] = {landing, -1.0, 0.0, 0.0, 0.0};
  std::copy(x, x + 5, dense.coefficients(0));
  std::copy(y, y + 5, dense.coefficients(1));
  const auto first = search.first(dense, tolerances);
  ASSERT_TRUE(first && first->grazing);
  EXPECT_EQ(first->constraint, 0);
  const auto next = search.next(dense, tolerances, *first);
  ASSERT_TRUE(next);
  EXPECT_EQ(next->constraint, 1);
  EXPECT_FALSE(next->grazing);
  EXPECT_NEAR(next->theta, landing, 1e-14);
}

// A bounce that rises ever faster does not come back by what interpolation, or differences of gaps, leave out.
TEST(GapSearch, WhatRisesDoesNotComeBack) {
  const auto model = lagrangian({.coordinates = {"x", "y"},
                                 .kinetic = "(x_dot^2 + y_dot^2)/2",
                                 .constraints = {{.name = "a", .gap = "y + 0.7*sin(x)", .restitution = 0.5}}});
  std::mt19937_64 random(5);
  std::uniform_real_distribution<double> exponent(-30.0, -27.0), factor(-1.0, 1.0);
  for (int i = 0; i < 300; ++i) {
    GapSearch search(*model);
    search.watch(0) = Watch::bounced;
    DenseOutput dense(2);
    dense.begin(0.0, 1.0, 7);
    const double slope = std::pow(10.0, exponent(random));
    const double y[] = {-1e-23 * factor(random), slope, 0.0, 3e-6, -1e-8, 1e-11 * factor(random), 1e-12, 0.0};
    const double x[] = {1e-23 * factor(random), 0.1 * slope, 0.0, 1e-7, 0.0, 0.0, 0.0, 0.0};
    std::copy(x, x + 8, dense.coefficients(0));
    std::copy(y, y + 8, dense.coefficients(1));
    const auto event = search.first(dense, tolerance);
    EXPECT_FALSE(event) << event->theta << " of " << y[0] << " " << slope;
  }
}

// After a bounce the gap is 0 at the begin: only the landing counts, however short the flight.
TEST(GapSearch, LandingAfterABounce) {
  for (const char* gap : {"x", "x + 0*t"}) {
    const auto model = wall(gap);
    GapSearch search(*model);
    search.watch(0) = Watch::bounced;
    for (const double landing : {0.5, 1e-3, 1e-7}) {
      const auto event = search.first(path({0.0, landing}, -1.0), tolerance);
      ASSERT_TRUE(event) << gap << " " << landing;
      EXPECT_NEAR(event->theta, landing, 1e-6 * landing) << gap;
    }
    EXPECT_FALSE(search.first(path({0.0, 1.5}, -1.0), tolerance));
  }
}

// A contact that opens with zero rate must not close again by round-off.
TEST(GapSearch, PartingNeedsMoreThanRoundOff) {
  const auto model = wall("x");
  GapSearch search(*model);
  search.watch(0) = Watch::parting;
  EXPECT_FALSE(search.first(path({0.0, 0.0}, 1.0, -1e-16), tolerance));
  EXPECT_TRUE(search.first(path({0.0, 0.0}, -1.0), tolerance));
}

// A curved, moving gap: the root is that of the gap, not of its interpolant.
TEST(GapSearch, PolishesOnTheGap) {
  const auto model = wall("cos(2*x) - 0.3*exp(-t)");
  GapSearch search(*model);
  search.watch(0) = Watch::open;
  DenseOutput dense(1);
  dense.begin(0.0, 1.0);
  dense.coefficients(0)[0] = 0.1;
  dense.coefficients(0)[1] = 0.9;
  const auto event = search.first(dense, tolerance);
  ASSERT_TRUE(event);
  const double theta = event->theta, x = 0.1 + 0.9 * theta;
  EXPECT_NEAR(std::cos(2.0 * x) - 0.3 * std::exp(-theta), 0.0, 1e-14);
}

}  // namespace
}  // namespace ricochet
