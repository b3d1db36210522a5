// The schemes with the contact law at position level: what is known of their motions at the nodes.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "support/orders.hpp"
#include "support/references.hpp"

namespace ricochet {
namespace {

using testing::ball_description;

constexpr double epsilon = std::numeric_limits<double>::epsilon();

// All positions of a system with one coordinate over so many steps of length h.
std::vector<double> positions(const LagrangianDescription& description, const State& start, const Scheme& scheme,
                              double h, int steps) {
  const auto model = lagrangian(description);
  const Solution solution = simulate(*model, start, {0.0, h * steps}, scheme, {.h = h * (1.0 + 1e-14)});
  EXPECT_EQ(solution.status, Status::completed) << solution.failure.message;
  EXPECT_EQ(solution.statistics.steps, static_cast<std::uint64_t>(steps));
  return solution.trajectory.q;
}

const Scheme starts[] = {{"paoli-schatzman", {{"start", "acceleration"}}}, {"paoli-schatzman", {{"start", "plain"}}}};

// The force-free ball q₀ = 1, v₀ = −1 (Paoli 2001, section 3, (3.4)). Node p is the last one of the flight in:
//     1 − h (1−e)/(1+e) < t_p ≤ 1 + 2 e h/(1+e),
//     q_{p+1} = −e q_{p−1},   q_{p+2} = −e q_p,   q_i = q_{p+2} + e h (i − p − 2) from there on:
// the velocity is reversed in two steps, and at most two nodes lie outside.
TEST(PaoliSchatzman, ForceFreeBall) {
  int pairs = 0;
  long most_outside = 0;
  for (int k = 0; k <= 24; ++k)
    for (int j = 0; j < 24; ++j) {
      const double e = k / 24.0, h = 0.31 * std::pow(0.83, j);
      const int steps = static_cast<int>(1.0 / h) + 12;
      const std::vector<double> q =
          positions(ball_description(0.0, e), {.q = {1.0}, .v = {-1.0}}, starts[j % 2], h, steps);
      const auto where = ::testing::Message() << "e = " << e << ", h = " << h;

      int p = 0;
      while (p < steps && std::abs(q[p + 1] - (1.0 - (p + 1) * h)) < 1e-12) ++p;
      ASSERT_LT(p + 3, steps) << where;
      EXPECT_GT(p * h, 1.0 - (1.0 - e) / (1.0 + e) * h - 1e-12) << where;
      EXPECT_LE(p * h, 1.0 + 2.0 * e * h / (1.0 + e) + 1e-12) << where;

      EXPECT_NEAR(q[p + 1], -e * q[p - 1], 1e-13) << where;
      EXPECT_NEAR(q[p + 2], -e * q[p], 1e-13) << where;
      for (int i = p + 3; i <= steps; ++i) EXPECT_NEAR(q[i], q[p + 2] + e * h * (i - p - 2), 1e-13) << where;

      const long outside = std::count_if(q.begin(), q.end(), [](double x) { return x < -1e-13; });
      EXPECT_LE(outside, 2) << where;
      most_outside = std::max(most_outside, outside);
      ++pairs;
    }
  EXPECT_EQ(pairs, 600);
  EXPECT_EQ(most_outside, 2);
}

// The same bound with a force and several impacts: two nodes outside at each of the three of the oscillator, at
// π/2, 3π/2 and 5π/2.
TEST(PaoliSchatzman, TwoNodesOutsideAtEachImpact) {
  const double pi = 3.14159265358979323846;
  for (const double e : {0.1, 0.4, 0.8, 1.0})
    for (int j = 0; j < 20; ++j) {
      const double h = 0.05 * std::pow(0.83, j);
      const int steps = static_cast<int>(3.0 * pi / h);
      const std::vector<double> q =
          positions(testing::oscillator_description(e), {.q = {1.0}, .v = {0.0}}, {"paoli-schatzman"}, h, steps);
      int outside[3] = {};
      for (int i = 0; i <= steps; ++i) outside[static_cast<int>(i * h / pi)] += q[i] < 0.0;
      for (const int count : outside) EXPECT_LE(count, 2) << "e = " << e << ", h = " << h;
    }
}

// The ball q'' = −2 is exact in flight: what is left is round-off, which must not grow like ε/h².
TEST(PaoliSchatzman, RoundOffInFlight) {
  for (const char* force : {"central", "mabrouk", "newmark"}) {
    const Scheme scheme{"paoli-schatzman", {{"force", force}}};
    const double h = 3e-4;
    const std::vector<double> q = positions(ball_description(2.0, 0.5), {.q = {1.0}, .v = {0.0}}, scheme, h, 3000);
    double worst = 0.0;
    for (int i = 0; i <= 3000; ++i) worst = std::max(worst, std::abs(q[i] - (1.0 - i * h * (i * h))));
    EXPECT_LT(worst, 1e-13) << force;
  }
}

// A start in contact under a force that presses: no rattle, with either start.
TEST(PaoliSchatzman, RestStaysExactlyWhereItIs) {
  for (const Scheme& scheme : starts)
    for (const double e : {0.0, 0.3, 1.0})
      for (const double x : positions(ball_description(2.0, e), {.q = {0.0}, .v = {0.0}}, scheme, 0.01, 400))
        ASSERT_EQ(x, 0.0) << "e = " << e;
}

// On a floor in uniform motion: g is taken at the time of the average position, t̄ = t_i + h (1−e)/(1+e).
TEST(PaoliSchatzman, RestsOnAMovingFloor) {
  for (const Scheme& scheme : starts)
    for (const double e : {0.0, 0.3, 1.0}) {
      LagrangianDescription description = ball_description(2.0, e);
      description.constraints[0].gap = "x - 0.3*t";
      const double h = 0.01;
      const std::vector<double> q = positions(description, {.q = {0.0}, .v = {0.3}}, scheme, h, 400);
      for (int i = 0; i <= 400; ++i) ASSERT_NEAR(q[i], 0.3 * i * h, 1e-13) << "e = " << e << ", node " << i;
    }
}

// Every node lies inside to round-off, and each constraint is closed at so many nodes: nothing is proved by a motion
// that stays away.
void expect_feasible(const LagrangianDescription& description, const State& start, double until, double h, int least) {
  const auto model = lagrangian(description);
  for (const char* word : {"acceleration", "plain"}) {
    const Scheme scheme{"feasible-position", {{"start", word}}};
    const Solution solution = simulate(*model, start, {0.0, until}, scheme, {.h = h});
    ASSERT_EQ(solution.status, Status::completed) << solution.failure.message;
    const std::vector<double>& gap = solution.trajectory.gap;
    EXPECT_GE(*std::min_element(gap.begin(), gap.end()), -4.0 * epsilon) << "start = " << word;
    EXPECT_LE(solution.violation_max, 4.0 * epsilon) << "start = " << word;
    const std::size_t nc = description.constraints.size();
    for (std::size_t j = 0; j < nc; ++j) {
      int closed = 0;
      for (std::size_t i = j; i < gap.size(); i += nc) closed += gap[i] < 1e-12;
      EXPECT_GE(closed, least) << "constraint " << j;
    }
  }
}

TEST(FeasiblePosition, FeasibleOnAMovingTable) {
  const testing::Reference table = testing::moving_table_e0();
  for (const double h : {1e-2, 1e-3, 1e-4}) expect_feasible(table.description, table.start, 3.0, h, 20);
}

// The table again, started plainly: 9.81 t h/2 too high in the first flight, and exactly where it should be while it
// rests. Largest error over the times of the reference: 1.96e-3 at h = 2e-3, 1.23e-4 at h/16, order 1.000.
TEST(FeasiblePosition, FiguresOnAMovingTable) {
  const testing::Reference table = testing::moving_table_e0();
  const auto model = lagrangian(table.description);
  std::vector<double> steps, errors;
  for (double h = 2e-3; h > 1e-4; h /= 2.0) {
    const Scheme scheme{"feasible-position", {{"start", "plain"}}};
    const Trajectory path = simulate(*model, table.start, {0.0, 3.0}, scheme, {.h = h}).trajectory;
    double worst = 0.0;
    for (const testing::ReferencePoint& point : table.points) {
      const double x = path.q.at(static_cast<std::size_t>(std::lround(point.t / h)));
      worst = std::max(worst, std::abs(x - point.q[0]));
      const bool rests = point.t == 0.5 || point.t == 1.0 || point.t == 1.5 || point.t == 2.0;
      if (rests) EXPECT_NEAR(x, point.q[0], 1e-15) << "h = " << h << ", t = " << point.t;
    }
    steps.push_back(h);
    errors.push_back(worst);
  }
  EXPECT_NEAR(errors.front(), 1.96e-3, 0.005e-3);
  EXPECT_NEAR(errors.back(), 1.23e-4, 0.005e-4);
  EXPECT_NEAR(testing::slope(steps, errors), 1.0, 0.001);
}

// Curved gaps, one of them with M(q): touched in passing, and with the wall moved to where gravity presses on it.
TEST(FeasiblePosition, FeasibleAtACurvedGap) {
  for (testing::Reference reference : {testing::pendulum_wall(), testing::double_pendulum_wall()}) {
    ConstraintDescription& wall = reference.description.constraints[0];
    wall.restitution = 0.0;
    for (const double h : {1e-2, 1e-3}) expect_feasible(reference.description, reference.start, 4.0, h, 1);
    wall.gap += " - 2*d";
    for (const double h : {1e-2, 1e-3}) expect_feasible(reference.description, reference.start, 4.0, h, 100);
  }
}

TEST(FeasiblePosition, FeasibleInACorner) {
  LagrangianDescription corner = testing::corner_description(0.0);
  for (const double h : {1e-2, 1e-3}) expect_feasible(corner, {.q = {-1.0, 0.7}, .v = {1.0, -0.9}}, 2.0, h, 20);
  // Pressed into it, from above and from the side.
  corner.potential = "3*y - 2*x";
  for (const double h : {1e-2, 1e-3}) expect_feasible(corner, {.q = {-1.0, 0.7}}, 2.0, h, 20);
}

}  // namespace
}  // namespace ricochet
