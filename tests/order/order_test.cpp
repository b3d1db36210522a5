// Orders of the time-stepping schemes on the ball and on the impact oscillator, in three windows and three
// norms, against an independent measurement (fits averaged over eight grid phases).
#include <gtest/gtest.h>

#include <cmath>
#include <optional>

#include "support/orders.hpp"

namespace ricochet {
namespace {

using testing::Exact;
using testing::ExactBall;
using testing::ExactOscillator;
using testing::Orders;

// Orders of q in the sup norm, q in L1, v in L1; nothing where the scheme is exact to round-off.
struct Expected {
  std::optional<double> q_sup, q_l1, v_l1;
};

struct Case {
  const char* name;
  Scheme scheme;
  bool ball;
  Expected free, one, many;
};

void PrintTo(const Case& c, std::ostream* out) { *out << c.name; }

constexpr std::nullopt_t exact = std::nullopt;

const Case cases[] = {
    {"ball_moreau", Moreau{}, true, {0.99, 1.00, exact}, {1.03, 1.03, 1.05}, {1.03, 1.02, 0.95}},
    {"ball_mabrouk", Mabrouk{}, true, {0.99, 1.00, 1.00}, {1.06, 1.04, 0.99}, {1.05, 1.04, 0.98}},
    {"ball_dissipative", MoreauJeanDissipative{}, true, {exact, exact, exact}, {1.05, 1.07, 1.05}, {1.02, 1.04, 0.95}},
    {"oscillator_moreau", Moreau{}, false, {1.00, 1.00, 2.00}, {0.99, 0.99, 0.97}, {0.98, 0.98, 0.97}},
    {"oscillator_mabrouk", Mabrouk{}, false, {1.00, 1.00, 1.00}, {0.97, 0.98, 1.00}, {0.97, 0.97, 0.97}},
    {"oscillator_dissipative",
     MoreauJeanDissipative{},
     false,
     {1.02, 1.05, 1.01},
     {0.96, 0.97, 0.94},
     {0.96, 0.96, 0.96}},
    {"ball_paoli_schatzman", PaoliSchatzman{}, true, {exact, exact, 1.00}, {0.99, 0.98, 1.00}, {0.98, 1.00, 0.95}},
    {"ball_paoli_schatzman_plain",
     PaoliSchatzman{.start = PaoliSchatzman::Start::plain},
     true,
     {0.99, 1.00, exact},
     {0.99, 1.00, 0.99},
     {0.98, 0.97, 0.87}},
    {"ball_paoli_schatzman_newmark",
     PaoliSchatzman{.force = PaoliSchatzman::Force::newmark},
     true,
     {exact, exact, 1.00},
     {0.99, 0.98, 1.00},
     {0.98, 1.00, 0.95}},
    {"oscillator_paoli_schatzman", PaoliSchatzman{}, false, {2.00, 2.00, 1.00}, {1.00, 1.00, 1.00}, {1.00, 0.99, 0.99}},
    {"oscillator_paoli_schatzman_plain",
     PaoliSchatzman{.start = PaoliSchatzman::Start::plain},
     false,
     {1.00, 1.00, 2.00},
     {1.00, 1.00, 0.99},
     {1.00, 0.99, 0.99}},
    {"oscillator_paoli_schatzman_newmark",
     PaoliSchatzman{.force = PaoliSchatzman::Force::newmark},
     false,
     {1.99, 1.98, 1.00},
     {1.00, 1.01, 1.00},
     {1.00, 0.99, 1.00}},
    {"ball_newmark", Newmark{}, true, {exact, exact, exact}, {1.05, 1.07, 1.05}, {1.02, 1.04, 0.95}},
    {"oscillator_newmark", Newmark{}, false, {2.00, 2.00, 2.00}, {0.98, 0.98, 0.97}, {0.97, 0.97, 0.97}},
    {"ball_hht", Hht{}, true, {exact, exact, exact}, {1.05, 1.07, 1.05}, {1.02, 1.04, 0.95}},
    {"oscillator_hht", Hht{}, false, {2.00, 2.00, 2.00}, {0.98, 0.99, 0.97}, {0.97, 0.97, 0.97}},
    {"ball_generalized_alpha", GeneralizedAlpha{}, true, {exact, exact, exact}, {1.05, 1.07, 1.05}, {1.02, 1.04, 0.95}},
    {"oscillator_generalized_alpha",
     GeneralizedAlpha{},
     false,
     {2.00, 2.00, 2.00},
     {0.98, 0.98, 0.97},
     {0.97, 0.97, 0.97}},
    {"ball_nsga", Nsga{}, true, {exact, exact, exact}, {0.96, 1.00, 0.91}, {0.97, 0.95, 0.85}},
    {"oscillator_nsga", Nsga{}, false, {2.00, 2.00, 2.00}, {1.01, 1.02, 1.01}, {1.00, 1.00, 1.00}},
    {"ball_extrapolated_moreau",
     ExtrapolatedMoreau{},
     true,
     {exact, exact, exact},
     {1.09, 1.11, 1.06},
     {1.07, 1.08, 1.00}},
    {"oscillator_extrapolated_moreau",
     ExtrapolatedMoreau{},
     false,
     {exact, exact, exact},
     {1.15, 1.15, 1.34},
     {1.14, 1.14, 1.15}},
    {"ball_d1_minus", D1Minus{}, true, {exact, exact, exact}, {0.99, 1.00, 0.99}, {0.99, 1.03, 0.87}},
    {"oscillator_d1_minus", D1Minus{}, false, {2.00, 2.00, 2.00}, {1.01, 1.01, 1.00}, {0.98, 0.99, 0.99}},
    {"ball_splitting", Splitting{}, true, {exact, exact, exact}, {0.99, 1.00, 0.99}, {0.98, 1.00, 0.84}},
    {"ball_splitting_without_forces",
     Splitting{.contact_forces = false},
     true,
     {exact, exact, exact},
     {0.99, 1.00, 0.99},
     {0.99, 1.03, 0.87}},
    // In flight the position reaches round-off at the third step of five.
    {"oscillator_splitting", Splitting{}, false, {5.00, 5.00, 4.99}, {1.01, 1.01, 1.00}, {0.98, 0.99, 0.99}},
    {"oscillator_splitting_without_forces",
     Splitting{.contact_forces = false},
     false,
     {5.00, 5.00, 4.99},
     {1.01, 1.01, 1.00},
     {0.98, 0.99, 0.99}},
    {"ball_moreau_jean", MoreauJean{}, true, {exact, exact, exact}, {1.05, 1.07, 1.05}, {1.02, 1.04, 0.95}},
    {"ball_moreau_jean_theta_1",
     MoreauJean{.theta = 1.0},
     true,
     {0.99, 1.00, exact},
     {0.98, 0.97, 0.91},
     {0.98, 0.99, 0.87}},
    {"ball_moreau_jean_forecast_1",
     MoreauJean{.forecast = 1.0},
     true,
     {exact, exact, exact},
     {0.90, 0.91, 0.91},
     {0.94, 0.98, 0.87}},
    {"oscillator_moreau_jean", MoreauJean{}, false, {2.00, 2.00, 2.00}, {0.98, 0.98, 0.97}, {0.97, 0.97, 0.97}},
    {"oscillator_moreau_jean_theta_1",
     MoreauJean{.theta = 1.0},
     false,
     {0.99, 0.99, 1.00},
     {0.98, 0.97, 0.99},
     {0.97, 0.97, 0.97}},
    {"oscillator_moreau_jean_forecast_1",
     MoreauJean{.forecast = 1.0},
     false,
     {2.00, 2.00, 2.00},
     {1.05, 1.06, 1.05},
     {1.05, 1.04, 1.02}},
};

class Order : public ::testing::TestWithParam<Case> {
 protected:
  void check(double window, const Expected& expected) {
    const Case& c = GetParam();
    const auto model = lagrangian(c.ball ? testing::ball_description(2.0, 0.5) : testing::oscillator_description(0.8));
    const Exact solution = c.ball ? Exact(ExactBall(2.0, 0.5)) : Exact(ExactOscillator(0.8));
    const Orders orders = fit(*model, solution, c.scheme, window);
    compare("q in the sup norm", orders.q_sup, orders.largest.q_sup, orders.finest.q_sup, expected.q_sup);
    compare("q in L1", orders.q_l1, orders.largest.q_l1, orders.finest.q_l1, expected.q_l1);
    compare("v in L1", orders.v_l1, orders.largest.v_l1, orders.finest.v_l1, expected.v_l1);
  }

  static void compare(const char* what, double order, double largest, double finest, std::optional<double> expected) {
    if (expected) {
      EXPECT_NEAR(order, *expected, 0.15) << what << ", errors from " << largest << " to " << finest;
    } else {
      EXPECT_LT(std::max(largest, finest), 1e-12) << what << " should be exact to round-off";
    }
  }
};

TEST_P(Order, FreeFlight) { check(GetParam().ball ? 0.9 : 1.5, GetParam().free); }
TEST_P(Order, AcrossOneImpact) { check(GetParam().ball ? 1.6 : 3.0, GetParam().one); }
TEST_P(Order, AcrossManyImpacts) { check(GetParam().ball ? 4.0 : 10.0, GetParam().many); }

INSTANTIATE_TEST_SUITE_P(Schemes, Order, ::testing::ValuesIn(cases),
                         [](const auto& instance) { return std::string(instance.param.name); });

// The ball's exact solution against known figures.
TEST(ExactSolutions, Ball) {
  const ExactBall ball(2.0, 0.5);
  EXPECT_NEAR(ball(0.5).q, 0.75, 1e-15);
  EXPECT_NEAR(ball(1.25).q, 0.1875, 1e-15);
  EXPECT_NEAR(ball(1.25).v, 0.5, 1e-15);
  EXPECT_EQ(ball(3.5).q, 0.0);
  EXPECT_EQ(ball(3.5).v, 0.0);
}

TEST(ExactSolutions, Oscillator) {
  const ExactOscillator oscillator(0.8);
  EXPECT_NEAR(oscillator(2.0).q, 0.8 * std::cos(2.0 - 3.14159265358979323846), 1e-15);
  EXPECT_NEAR(oscillator(20.0).q, std::pow(0.8, 6) * std::cos(20.0 - 6.0 * 3.14159265358979323846), 1e-14);
}

}  // namespace
}  // namespace ricochet
