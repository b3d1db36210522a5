// Orders in lasting contact on a curved gap: a bead that slides in a bowl, without friction, against the pendulum that
// swings as it does. Figures of an independent measurement: position in the sup norm, in L1, velocity in L1.
#include <gtest/gtest.h>

#include "support/bowl.hpp"
#include "support/orders.hpp"

namespace ricochet {
namespace {

using testing::Errors;

// Nodes of [0, 0.4]; errors are lengths of vectors.
Errors slide(const Scheme& scheme, double h) {
  const double start = std::acos(-1.0) / 2.0 - 0.5;
  const TimeSpan span{0.0, 0.4};
  const Trajectory bead = simulate(*testing::bowl(), testing::bowl_start(start), span, scheme, {.h = h}).trajectory;
  const Trajectory exact =
      simulate(*testing::bowl_as_pendulum(), {.q = {start}}, span, EventDriven{.rtol = 1e-12}, {.h = h}).trajectory;
  Errors errors;
  for (std::size_t i = 0; i < bead.t.size(); ++i) {
    const double a = exact.q[i], rate = exact.v[i];
    const double q = std::hypot(bead.q[2 * i] - std::sin(a), bead.q[2 * i + 1] + std::cos(a));
    const double v = std::hypot(bead.v[2 * i] - rate * std::cos(a), bead.v[2 * i + 1] - rate * std::sin(a));
    errors.q_sup = std::max(errors.q_sup, q);
    errors.q_l1 += h * q;
    errors.v_l1 += h * v;
  }
  return errors;
}

struct Case {
  Scheme scheme;
  double q_sup, q_l1, v_l1;
  double largest, smallest;  // errors of the position, at most
};

TEST(BowlOrder, LastingContactOnACurvedGap) {
  const Case cases[] = {{MoreauJean{}, 2.00, 1.98, 2.02, 1.6e-4, 1.0e-5},
                        {Newmark{}, 2.00, 1.98, 2.02, 1.6e-4, 1.0e-5},
                        {Hht{}, 2.00, 1.98, 2.02, 1.6e-4, 1.0e-5},
                        {GeneralizedAlpha{.rho_infinity = 0.8}, 2.00, 1.98, 2.02, 1.6e-4, 1.0e-5},
                        {Nsga{}, 1.97, 1.98, 1.97, 9.6e-5, 6.3e-6},
                        {MoreauJean{.theta = 1.0}, 0.99, 1.00, 1.02, 5e-3, 1.2e-3},
                        {Moreau{}, 1.00, 1.01, 1.01, 1e-2, 2.5e-3}};
  for (const Case& c : cases) {
    const std::vector<double> h = {0.005, 0.0025, 0.00125};
    std::vector<double> q_sup, q_l1, v_l1;
    for (const double step : h) {
      const Errors errors = slide(c.scheme, step);
      q_sup.push_back(errors.q_sup), q_l1.push_back(errors.q_l1), v_l1.push_back(errors.v_l1);
    }
    EXPECT_NEAR(testing::slope(h, q_sup), c.q_sup, 0.15) << c.scheme.name;
    EXPECT_NEAR(testing::slope(h, q_l1), c.q_l1, 0.15) << c.scheme.name;
    EXPECT_NEAR(testing::slope(h, v_l1), c.v_l1, 0.15) << c.scheme.name;
    EXPECT_LT(q_sup.front(), c.largest) << c.scheme.name;
    EXPECT_LT(q_sup.back(), c.smallest) << c.scheme.name;
  }
}

// Extrapolation goes on in lasting contact: order 2k, with steps long enough to show it.
TEST(BowlOrder, ExtrapolatedLastingContact) {
  for (const auto& [columns, first] : {std::pair{2, 0.04}, std::pair{3, 0.1}}) {
    const std::vector<double> h = {first, first / 2.0, first / 4.0};
    std::vector<double> q_sup;
    for (const double step : h) q_sup.push_back(slide(ExtrapolatedMoreau{.columns = columns}, step).q_sup);
    EXPECT_NEAR(testing::slope(h, q_sup), 2.0 * columns, 0.15) << q_sup.front() << " to " << q_sup.back();
  }
}

}  // namespace
}  // namespace ricochet
