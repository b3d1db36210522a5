// Known motions of mechanisms with joints, and orders: position in the sup norm, in L1, velocity in L1 over the nodes
// of a window, errors as lengths of vectors, against the event-driven motion at 1e-12. Figures of an independent
// measurement, with the same window and steps.
#include <gtest/gtest.h>

#include "ricochet/ricochet.hpp"
#include "support/mechanisms.hpp"
#include "support/motion_orders.hpp"

namespace ricochet {
namespace {

using testing::expect_orders;
using testing::KnownMotion;

double largest_difference(const std::vector<double>& a, const std::vector<double>& b) {
  double largest = 0.0;
  for (std::size_t i = 0; i < a.size(); ++i) largest = std::max(largest, std::abs(a[i] - b[i]));
  return largest;
}

void expect_known(const Model& model, const State& start, const std::vector<KnownMotion>& known, const Scheme& scheme,
                  double h, double tolerance) {
  for (const KnownMotion& sample : known) {
    const Solution solution = simulate(model, start, {0.0, sample.t}, scheme, {.h = h, .keep = false});
    ASSERT_EQ(solution.status, Status::completed) << scheme.name << ": " << solution.failure.message;
    EXPECT_LT(largest_difference(solution.final.q, sample.q), tolerance) << scheme.name << " at " << sample.t;
    EXPECT_LT(largest_difference(solution.final.v, sample.v), 40.0 * tolerance) << scheme.name << " at " << sample.t;
  }
}

TEST(JointReferences, EventDriven) {
  const EventDriven scheme{.rtol = 1e-12};
  expect_known(*testing::pendulum(), testing::pendulum_start(), testing::pendulum_known(), scheme, 0.1, 1e-9);
  expect_known(*testing::slider_crank(), testing::slider_crank_start(), testing::slider_crank_known(), scheme, 0.01,
               1e-9);
}

TEST(JointReferences, Mannshardt) {
  const Mannshardt scheme{.tableau = "gauss-3"};
  expect_known(*testing::pendulum(), testing::pendulum_start(), testing::pendulum_known(), scheme, 5e-3, 1e-9);
  expect_known(*testing::slider_crank(), testing::slider_crank_start(), testing::slider_crank_known(), scheme, 2.5e-4,
               1e-9);
}

TEST(JointOrder, Pendulum) {
  expect_orders(*testing::pendulum(), testing::pendulum_start(), 2.0, 0.01,
                {{MoreauJean{}, 1.96, 1.97, 1.98},
                 {Newmark{}, 1.96, 1.97, 1.98},
                 {Hht{}, 1.96, 1.97, 1.98},
                 {GeneralizedAlpha{.rho_infinity = 0.8}, 1.96, 1.97, 1.98},
                 {D1Minus{}, 2.40, 2.41, 2.12},
                 {Nsga{.rho_infinity = 0.8}, 1.99, 2.00, 2.00}});
  expect_orders(*testing::pendulum(), testing::pendulum_start(), 2.0, 0.002,
                {{MoreauJean{.theta = 1.0}, 1.0, 1.0, 1.0}, {Moreau{}, 1.0, 1.0, 1.0}});
}

TEST(JointOrder, SliderCrank) {
  expect_orders(*testing::slider_crank(), testing::slider_crank_start(), 0.4, 2e-3,
                {{MoreauJean{}, 1.99, 1.99, 2.00},
                 {Newmark{}, 1.99, 1.99, 2.00},
                 {GeneralizedAlpha{.rho_infinity = 0.8}, 1.99, 1.99, 2.00},
                 {D1Minus{}, 2.70, 2.42, 2.28},
                 {Nsga{.rho_infinity = 0.8}, 2.00, 2.00, 2.00}});
}

// With a mass that depends on the position.
TEST(JointOrder, SliderCrankInAngles) {
  const auto model = testing::slider_crank_in_angles();
  const State start = testing::in_angles(testing::slider_crank_start());
  expect_orders(*model, start, 0.4, 5e-4,
                {{MoreauJean{}, 2.0, 2.0, 2.0},
                 {Newmark{}, 2.0, 2.0, 2.0},
                 {Hht{}, 2.0, 2.0, 2.0},
                 {GeneralizedAlpha{.rho_infinity = 0.8}, 2.0, 2.0, 2.0},
                 {Nsga{.rho_infinity = 0.8}, 2.0, 2.0, 2.0}});
  const State end = simulate(*model, start, {0.0, 0.1}, EventDriven{.rtol = 1e-12}, {.h = 0.01}).final;
  EXPECT_LT(
      largest_difference(end.q, testing::in_angles({.q = testing::slider_crank_known()[1].q, .v = {0, 0, 0, 0, 0}}).q),
      1e-9);
}

}  // namespace
}  // namespace ricochet
