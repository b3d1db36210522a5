// Fitted orders: errors over several steps, each averaged over several grid phases.
//
// The error across an impact depends on where in its step the impact falls. So each h in 0.04/2^j is
// replaced by the eight steps h (0.98317 − 0.0371 i), the errors are averaged, and a line is fitted.
#pragma once

#include <algorithm>
#include <cmath>
#include <functional>
#include <vector>

#include "support/problems.hpp"

namespace ricochet::testing {

// Norms over the nodes of a window: sup and L1 = h Σ|·|. The sup norm of v does not converge across impacts.
struct Errors {
  double q_sup = 0.0, q_l1 = 0.0, v_l1 = 0.0;
};

using Exact = std::function<Point(double)>;

inline Errors measure(const Model& model, const Exact& exact, const Scheme& scheme, double window, double h) {
  const double until = std::floor(window / h) * h;
  const Solution solution = simulate(model, {.q = {exact(0.0).q}, .v = {exact(0.0).v}}, {0.0, until}, scheme, {.h = h});
  const Trajectory& path = solution.trajectory;
  Errors errors;
  for (std::size_t i = 0; i < path.t.size(); ++i) {
    const Point point = exact(path.t[i]);
    errors.q_sup = std::max(errors.q_sup, std::abs(path.q[i] - point.q));
    errors.q_l1 += h * std::abs(path.q[i] - point.q);
    errors.v_l1 += h * std::abs(path.v[i] - point.v);
  }
  return errors;
}

inline Errors averaged(const Model& model, const Exact& exact, const Scheme& scheme, double window, double h) {
  Errors mean;
  constexpr int phases = 8;
  for (int i = 0; i < phases; ++i) {
    const Errors one = measure(model, exact, scheme, window, h * (0.98317 - 0.0371 * i));
    mean.q_sup += one.q_sup / phases;
    mean.q_l1 += one.q_l1 / phases;
    mean.v_l1 += one.v_l1 / phases;
  }
  return mean;
}

// Slope of the least-squares line through (log h, log error); errors below the floor are round-off and left out.
inline double slope(const std::vector<double>& h, const std::vector<double>& error, double floor = 0.0) {
  double n = 0.0, sx = 0.0, sy = 0.0, sxx = 0.0, sxy = 0.0;
  for (std::size_t i = 0; i < h.size(); ++i) {
    if (error[i] < floor) continue;
    const double x = std::log(h[i]), y = std::log(error[i]);
    n += 1.0, sx += x, sy += y, sxx += x * x, sxy += x * y;
  }
  return (n * sxy - sx * sy) / (n * sxx - sx * sx);
}

struct Orders {
  double q_sup = 0.0, q_l1 = 0.0, v_l1 = 0.0;
  Errors largest, finest;
};

inline Orders fit(const Model& model, const Exact& exact, const Scheme& scheme, double window) {
  std::vector<double> steps, q_sup, q_l1, v_l1;
  Orders orders;
  for (int j = 0; j < 5; ++j) {
    const double h = 0.04 / std::pow(2.0, j);
    const Errors errors = averaged(model, exact, scheme, window, h);
    steps.push_back(h);
    q_sup.push_back(errors.q_sup);
    q_l1.push_back(errors.q_l1);
    v_l1.push_back(errors.v_l1);
    if (j == 0) orders.largest = errors;
    orders.finest = errors;
  }
  constexpr double round_off = 1e-13;
  orders.q_sup = slope(steps, q_sup, round_off);
  orders.q_l1 = slope(steps, q_l1, round_off);
  orders.v_l1 = slope(steps, v_l1, round_off);
  return orders;
}

}  // namespace ricochet::testing
