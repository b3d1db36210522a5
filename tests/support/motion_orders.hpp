// Orders of a motion in several coordinates: position in the sup norm, in L1, velocity in L1 over the nodes of a
// window, errors as lengths of vectors, against the event-driven motion at 1e-12.
#pragma once

#include <gtest/gtest.h>

#include "ricochet/ricochet.hpp"
#include "support/orders.hpp"

namespace ricochet::testing {

inline Errors motion_errors(const Model& model, const State& start, double window, const Scheme& scheme, double h) {
  const TimeSpan span{0.0, std::floor(window / h + 1e-9) * h};
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

struct OrderCase {
  Scheme scheme;
  double q_sup, q_l1, v_l1;
};

// Three steps from `first` on, each averaged over some phases: one where nothing happens inside the steps.
inline void expect_orders(const Model& model, const State& start, double window, double first,
                          const std::vector<OrderCase>& cases, int phases = 1) {
  for (const OrderCase& c : cases) {
    const std::vector<double> h = {first, first / 2.0, first / 4.0};
    std::vector<double> q_sup(3, 0.0), q_l1 = q_sup, v_l1 = q_sup;
    for (std::size_t i = 0; i < h.size(); ++i)
      for (int phase = 0; phase < phases; ++phase) {
        const Errors errors = motion_errors(model, start, window, c.scheme, h[i] * (1.0 - 0.0371 * phase));
        q_sup[i] += errors.q_sup, q_l1[i] += errors.q_l1, v_l1[i] += errors.v_l1;
      }
    EXPECT_NEAR(slope(h, q_sup), c.q_sup, 0.15) << c.scheme.name;
    EXPECT_NEAR(slope(h, q_l1), c.q_l1, 0.15) << c.scheme.name;
    EXPECT_NEAR(slope(h, v_l1), c.v_l1, 0.15) << c.scheme.name;
  }
}

}  // namespace ricochet::testing
