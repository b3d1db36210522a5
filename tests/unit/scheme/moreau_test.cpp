// Facts about Moreau's schemes.
#include "ricochet/scheme/moreau.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "ricochet/ricochet.hpp"
#include "support/orders.hpp"
#include "support/problems.hpp"

namespace ricochet {
namespace {

using testing::ball_description;

// Force-free ball [Paoli 2008, 2001]: q_k = 1 − k h up to the first node with g ≤ 0, then e h a step.
TEST(Moreau, ForceFreeBallInClosedForm) {
  const auto ball = lagrangian(ball_description(0.0, 0.3));
  for (const Scheme& scheme : {Scheme(Moreau{}), Scheme(Mabrouk{})})
    for (const double h : {0.07, 0.013, 0.0311}) {
      const int n = static_cast<int>(2.0 / h);
      const Solution solution = simulate(*ball, {.q = {1.0}, .v = {-1.0}}, {0.0, n * h}, scheme, {.h = h});
      const int p = static_cast<int>(std::ceil(1.0 / h));
      for (int k = 0; k <= n; ++k) {
        const double expected = k <= p ? 1.0 - k * h : 1.0 - p * h + (k - p) * 0.3 * h;
        ASSERT_NEAR(solution.trajectory.q[k], expected, 1e-13) << scheme.name << " " << h << " node " << k;
      }
    }
}

// A small restitution recovers penetration at speed e|u| only: about 1/e nodes in a row lie outside.
TEST(Moreau, NodesOutsideGrowLikeOneOverE) {
  const double h = 0.0123;
  const auto outside = [&](double e) {
    const auto ball = lagrangian(ball_description(0.0, e));
    const Solution solution = simulate(*ball, {.q = {1.0}, .v = {-1.0}}, {0.0, 3.0}, Moreau{}, {.h = h});
    int count = 0;
    for (const double q : solution.trajectory.q) count += q < 0.0;
    return count;
  };
  EXPECT_LE(outside(1.0), 2);
  EXPECT_GE(outside(0.05), 5);
  EXPECT_LE(outside(0.05), 20);
}

// With damping the implicit scheme is stable where the explicit force of moreau-inelastic is not: h c/m = 2.5.
TEST(MoreauInelastic, ExplicitDampingLimitsTheStep) {
  const auto damped = lagrangian({.coordinates = {"x"}, .kinetic = "x_dot^2/2", .dissipation = "25*x_dot^2/2"});
  const State start{.q = {0.0}, .v = {1.0}};
  const Solution implicit = simulate(*damped, start, {0.0, 5.0}, Moreau{}, {.h = 0.1});
  const Solution explicit_force = simulate(*damped, start, {0.0, 5.0}, MoreauInelastic{}, {.h = 0.1});
  EXPECT_LT(std::abs(implicit.final.v[0]), 1e-6);
  EXPECT_GT(std::abs(explicit_force.final.v[0]), 1e6);
}

TEST(MoreauInelastic, RefusesElasticImpactsAndStates) {
  const auto ball = lagrangian(ball_description(2.0, 0.5));
  EXPECT_THROW(simulate(*ball, {.q = {1.0}}, {0.0, 1.0}, MoreauInelastic{}, {.h = 0.1}), InputError);
  const auto valve = lagrangian({.coordinates = {"x"},
                                 .kinetic = "x_dot^2/2",
                                 .force = {{"x", "-p"}},
                                 .states = {{.name = "p", .rate = "x_dot", .initial = 0.0}}});
  for (const Scheme& scheme :
       {Scheme(Moreau{}), Scheme(Mabrouk{}), Scheme(MoreauInelastic{}), Scheme(MoreauJeanDissipative{})})
    EXPECT_THROW(simulate(*valve, {.q = {1.0}, .v = {0.0}, .z = {0.0}}, {0.0, 1.0}, scheme, {.h = 0.1}), InputError);
}

// Curved gaps and a mass that depends on the configuration: order one against the reference of the double pendulum.
TEST(MoreauFamily, DoublePendulumAgainstTheWall) {
  const auto pendulum =
      lagrangian({.coordinates = {"a", "b"},
                  .kinetic = "a_dot^2 + b_dot^2/2 + a_dot*b_dot*cos(a - b)",
                  .potential = "-2*g*cos(a) - g*cos(b)",
                  .parameters = {{"g", 9.81}},
                  .constraints = {{.name = "wall", .gap = "sin(a) + sin(b) + 0.5", .restitution = 0.5}}});
  const double exact[] = {0.24003776332722754, 0.4481285185289122};
  for (const Scheme& scheme : {Scheme(Moreau{}), Scheme(Mabrouk{}), Scheme(MoreauJeanDissipative{})}) {
    const auto error = [&](double h) {
      double mean = 0.0;
      for (int i = 0; i < 8; ++i) {
        const Solution s = simulate(*pendulum, {.q = {0.8, 0.6}, .v = {0.0, 0.0}}, {0.0, 2.0}, scheme,
                                    {.h = h * (0.98317 - 0.0371 * i)});
        mean += (std::abs(s.final.q[0] - exact[0]) + std::abs(s.final.q[1] - exact[1])) / 8.0;
      }
      return mean;
    };
    const std::vector<double> steps = {8e-3, 4e-3, 2e-3, 1e-3, 5e-4, 2.5e-4};
    std::vector<double> errors;
    for (const double h : steps) errors.push_back(error(h));
    EXPECT_NEAR(testing::slope(steps, errors), 1.0, 0.2) << scheme.name;
  }
}

}  // namespace
}  // namespace ricochet
