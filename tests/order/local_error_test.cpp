// Local errors of one step of moreau-jean across an impact of the ball q'' = f, q ≥ 0 (Acary 2018, (120), (121) and
// the example that ends in (126), its printed signs and terms corrected). The impact falls at t* = t_k + σ h:
//     q_k = −σ h v_k − ½ f (σ h)²,   v⁻ = v_k + σ h f < 0,   v⁺ = −e v⁻,
// errors are exact − computed, p the impulse of the step. The step meets the impact if the forecast q_k + γ h v_k ≤ 0.
#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <vector>

#include "support/orders.hpp"

namespace ricochet {
namespace {

constexpr double always = 4.0, never = 0.0;  // forecasts that catch every impact of the step, and none

// One step of length h from (q, v) across the impact at σ.
struct Case {
  double v, theta, e, f, sigma, h;
  double q() const { return -sigma * h * v - 0.5 * f * sigma * h * sigma * h; }
  double v_minus() const { return v + sigma * h * f; }
};

struct LocalError {
  double q, v;
  double p;  // the impulse of the step
};

struct Step {
  State end;
  double p;
};

Step one_step(double q, double v, double f, double e, double h, const Scheme& scheme) {
  const auto ball = lagrangian({.coordinates = {"x"},
                                .kinetic = "x_dot^2/2",
                                .potential = "-f*x",
                                .parameters = {{"f", f}},
                                .constraints = {{.name = "floor", .gap = "x", .restitution = e}}});
  const auto stepper = make_stepper(*ball, scheme);
  State state{.t = 0.0, .q = {q}, .v = {v}};
  StepReport report;
  stepper->begin(state);
  EXPECT_EQ(stepper->advance(state, h, h, report), FailureKind::none);
  EXPECT_LE(report.contacts.size(), 1u);
  return {state, report.contacts.empty() ? 0.0 : report.contacts[0].impulse};
}

LocalError local_error(const Case& c, double forecast) {
  const Step step = one_step(c.q(), c.v, c.f, c.e, c.h, MoreauJean{.theta = c.theta, .forecast = forecast});
  const double rest = (1.0 - c.sigma) * c.h, v_plus = -c.e * c.v_minus();
  const double q_exact = v_plus * rest + 0.5 * c.f * rest * rest, v_exact = v_plus + c.f * rest;
  return {q_exact - step.end.q[0], v_exact - step.end.v[0], step.p};
}

// Random cases with one impact in the step: no second one follows, q(t_{k+1}) ≥ 0.
std::vector<Case> random_cases(int count) {
  std::mt19937_64 generator(126);
  const auto uniform = [&](double a, double b) { return std::uniform_real_distribution<double>(a, b)(generator); };
  std::vector<Case> cases;
  while (static_cast<int>(cases.size()) < count) {
    const Case c{uniform(-3.0, -0.5), uniform(0.0, 1.0), uniform(0.0, 1.0),
                 uniform(-4.0, 4.0),  uniform(0.0, 1.0), uniform(1e-3, 0.1)};
    const double rest = (1.0 - c.sigma) * c.h;
    const bool once = c.v_minus() < 0.0 && -c.e * c.v_minus() + 0.5 * c.f * rest >= 0.0;
    if (once && c.q() > 0.0 && c.sigma > 1e-3) cases.push_back(c);
  }
  return cases;
}

// p = 0, the impact is not forecast:
//   e_v = −(1+e)(v_k + h f σ),
//   e_q = −q_k − h (e(1−σ) + 1) v_k − f h² [e(1−σ)σ − ½(1−σ)² + θ].
TEST(LocalError, WithoutForecast) {
  for (const Case& c : random_cases(500)) {
    const auto [v, theta, e, f, sigma, h] = c;
    const LocalError error = local_error(c, never);
    ASSERT_EQ(error.p, 0.0);
    EXPECT_NEAR(error.v, -(1.0 + e) * (v + h * f * sigma), 1e-14);
    const double late = 1.0 - sigma;
    EXPECT_NEAR(error.q, -c.q() - h * (e * late + 1.0) * v - f * h * h * (e * late * sigma - 0.5 * late * late + theta),
                1e-14);
    // The same with q_k put in.
    EXPECT_NEAR(
        error.q,
        -h * (1.0 + e) * late * v - f * h * h * (e * late * sigma - 0.5 * late * late - 0.5 * sigma * sigma + theta),
        1e-14);
  }
}

// p > 0, the impact is forecast in its step:
//   e_v = h f (1 − σ − e σ),
//   e_q = −q_k − h ((1+e)(1−θ) − e σ) v_k − f h² [e(1−σ)σ − ½(1−σ)²].
TEST(LocalError, WithForecast) {
  for (const Case& c : random_cases(500)) {
    const auto [v, theta, e, f, sigma, h] = c;
    const LocalError error = local_error(c, always);
    ASSERT_GT(error.p, 0.0);
    EXPECT_NEAR(error.v, h * f * (1.0 - sigma - e * sigma), 1e-14);
    const double late = 1.0 - sigma;
    EXPECT_NEAR(
        error.q,
        -c.q() - h * ((1.0 + e) * (1.0 - theta) - e * sigma) * v - f * h * h * (e * late * sigma - 0.5 * late * late),
        1e-14);
    // The same with q_k put in.
    EXPECT_NEAR(error.q,
                -h * (1.0 + e) * (1.0 - theta - sigma) * v -
                    f * h * h * (e * late * sigma - 0.5 * late * late - 0.5 * sigma * sigma),
                1e-14);
  }
}

// Which of the two it is: the forecast alone decides. Both happen with γ = ½.
TEST(LocalError, ForecastDecides) {
  int met = 0, missed = 0;
  for (const Case& c : random_cases(500)) {
    const bool forecast = c.q() + 0.5 * c.h * c.v <= 0.0;
    EXPECT_EQ(local_error(c, 0.5).p > 0.0, forecast) << "sigma = " << c.sigma;
    ++(forecast ? met : missed);
  }
  EXPECT_GT(met, 100);
  EXPECT_GT(missed, 100);
}

// Orders in h at a fixed σ: slopes over h = 10⁻³/2^j, small enough for the leading term where σ is close to 1 − θ.
struct LocalOrders {
  double q, v;
};

LocalOrders local_orders(Case c, double forecast) {
  std::vector<double> steps, q, v;
  for (int j = 0; j < 8; ++j) {
    c.h = 1e-3 / std::pow(2.0, j);
    const LocalError error = local_error(c, forecast);
    steps.push_back(c.h);
    q.push_back(std::abs(error.q));
    v.push_back(std::abs(error.v));
  }
  return {testing::slope(steps, q), testing::slope(steps, v)};
}

// (120): e_v = O(h) if the impact is forecast, (121): e_v = O(1) if not; e_q = O(h) in any case.
TEST(LocalError, Orders) {
  for (const double sigma : {0.2, 0.45, 0.7, 0.95})
    for (const double theta : {0.5, 0.75, 1.0})
      for (const double e : {0.25, 0.5, 1.0}) {
        const Case c{-1.0, theta, e, -2.0, sigma, 1e-3};
        const LocalOrders with = local_orders(c, always), without = local_orders(c, never);
        const auto where = ::testing::Message() << "sigma = " << sigma << ", theta = " << theta << ", e = " << e;
        EXPECT_NEAR(with.q, 1.0, 0.05) << where;
        EXPECT_NEAR(with.v, 1.0, 0.05) << where;
        EXPECT_NEAR(without.q, 1.0, 0.05) << where;
        EXPECT_NEAR(without.v, 0.0, 0.05) << where;
      }
}

// The one place where a position is better: an impact at σ = 1 − θ, met in its step.
TEST(LocalError, SecondOrderWhereTheVelocitySwitches) {
  for (const double theta : {0.25, 0.5, 0.75})
    EXPECT_NEAR(local_orders({-1.0, theta, 0.5, -2.0, 1.0 - theta, 1e-3}, always).q, 2.0, 0.05) << theta;
}

// The step [3 − h, 3 + h] over the end of the accumulation of the ball f = −2, e = ½ (second (126), corrected):
//   v_k = 2 h − 3/2ⁿ with 2⁻ⁿ ≤ h < 2¹⁻ⁿ, v_{k+1} = −e v_k, so e_v = h − (3/2)/2ⁿ = O(h).
TEST(LocalError, AcrossTheEndOfAnAccumulation) {
  for (int n = 4; n < 20; ++n) {
    // v_k < 0: the ball falls, and a long forecast meets the floor.
    const double h = 1.25 * std::ldexp(1.0, -n);
    const testing::Point begin = testing::ExactBall(2.0, 0.5)(3.0 - h);
    EXPECT_NEAR(begin.v, 2.0 * h - 3.0 * std::ldexp(1.0, -n), 1e-14);
    ASSERT_LT(begin.v, 0.0);
    const Step step = one_step(begin.q, begin.v, -2.0, 0.5, 2.0 * h, MoreauJean{.forecast = always});
    ASSERT_GT(step.p, 0.0);
    const double error = 0.0 - step.end.v[0];
    EXPECT_NEAR(error, h - 1.5 * std::ldexp(1.0, -n), 1e-14);
    EXPECT_LE(std::abs(error), h);
  }
}

}  // namespace
}  // namespace ricochet
