// Known motions of mechanisms with joints, and orders: position in the sup norm, in L1, velocity in L1 over the nodes
// of a window, errors as lengths of vectors, against the event-driven motion at 1e-12. Figures of an independent
// measurement, with the same window and steps.
#include <gtest/gtest.h>

#include "ricochet/ricochet.hpp"
#include "support/mechanisms.hpp"
#include "support/orders.hpp"

namespace ricochet {
namespace {

using testing::Errors;
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

Errors errors_of(const Model& model, const State& start, double until, const Scheme& scheme, double h) {
  const TimeSpan span{0.0, until};
  const Trajectory motion = simulate(model, start, span, scheme, {.h = h}).trajectory;
  const Trajectory exact = simulate(model, start, span, EventDriven{.rtol = 1e-12}, {.h = h}).trajectory;
  const std::size_t n = start.q.size();
  Errors errors;
  for (std::size_t i = 0; i < motion.t.size(); ++i) {
    double q = 0.0, v = 0.0;
    for (std::size_t k = i * n; k < (i + 1) * n; ++k) {
      q = std::hypot(q, motion.q[k] - exact.q[k]);
      v = std::hypot(v, motion.v[k] - exact.v[k]);
    }
    errors.q_sup = std::max(errors.q_sup, q);
    errors.q_l1 += h * q;
    errors.v_l1 += h * v;
  }
  return errors;
}

struct Case {
  Scheme scheme;
  double q_sup, q_l1, v_l1;
};

void expect_orders(const Model& model, const State& start, double until, double first, const std::vector<Case>& cases) {
  for (const Case& c : cases) {
    const std::vector<double> h = {first, first / 2.0, first / 4.0};
    std::vector<double> q_sup, q_l1, v_l1;
    for (const double step : h) {
      const Errors errors = errors_of(model, start, until, c.scheme, step);
      q_sup.push_back(errors.q_sup), q_l1.push_back(errors.q_l1), v_l1.push_back(errors.v_l1);
    }
    EXPECT_NEAR(testing::slope(h, q_sup), c.q_sup, 0.15) << c.scheme.name;
    EXPECT_NEAR(testing::slope(h, q_l1), c.q_l1, 0.15) << c.scheme.name;
    EXPECT_NEAR(testing::slope(h, v_l1), c.v_l1, 0.15) << c.scheme.name;
  }
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
