// The relief valve of the gallery, written by hand: Dormand-Prince with dense output, its seat and its maxima found on
// it.
//     lift'' = −κ lift' − (lift + δ) + p,   p' = β (flow − lift √p),   lift ≥ 0,   e = 0.8
#pragma once

#include <algorithm>
#include <cmath>

class ReliefValveByHand {
 public:
  ReliefValveByHand(double flow, double tolerance) : flow_(flow), tolerance_(tolerance) { f(y_, k1_); }

  // The sum of the last `kept` maxima, after `skipped` others, or of those before `until`.
  double maxima(int skipped, int kept, double until) {
    double sum = 0.0, h = 1e-3;
    for (int count = 0; count < skipped + kept && t_ < until;) {
      step(h);
      const double error = largest_error();
      const double factor = std::clamp(0.9 * std::pow(error, -0.2), 0.2, 5.0);
      if (!(error <= 1.0)) {
        h *= std::min(factor, 0.9);
        continue;
      }
      dense(h);
      const double seat = y1_[0] < 0.0 ? root(0) : 2.0;
      const double top = y_[1] > 0.0 && y1_[1] <= 0.0 ? root(1) : 2.0;
      if (top < seat && ++count > skipped) sum += value(0, top);
      if (seat <= 1.0) {
        hit(seat, h);
      } else {
        for (int i = 0; i < 3; ++i) y_[i] = y1_[i], k1_[i] = k7_[i];
        t_ += h;
      }
      h *= factor;
    }
    return sum;
  }

 private:
  static constexpr double kappa = 1.25, delta = 10.0, beta = 20.0, restitution = 0.8;

  void f(const double* y, double* dy) const {
    dy[0] = y[1];
    dy[1] = -kappa * y[1] - (y[0] + delta) + y[2];
    dy[2] = beta * (flow_ - y[0] * std::sqrt(std::max(y[2], 0.0)));
  }

  void step(double h) {
    double k2[3], s[3];
    for (int i = 0; i < 3; ++i) s[i] = y_[i] + h * (1.0 / 5 * k1_[i]);
    f(s, k2);
    for (int i = 0; i < 3; ++i) s[i] = y_[i] + h * (3.0 / 40 * k1_[i] + 9.0 / 40 * k2[i]);
    f(s, k3_);
    for (int i = 0; i < 3; ++i) s[i] = y_[i] + h * (44.0 / 45 * k1_[i] - 56.0 / 15 * k2[i] + 32.0 / 9 * k3_[i]);
    f(s, k4_);
    for (int i = 0; i < 3; ++i)
      s[i] = y_[i] +
             h * (19372.0 / 6561 * k1_[i] - 25360.0 / 2187 * k2[i] + 64448.0 / 6561 * k3_[i] - 212.0 / 729 * k4_[i]);
    f(s, k5_);
    for (int i = 0; i < 3; ++i)
      s[i] = y_[i] + h * (9017.0 / 3168 * k1_[i] - 355.0 / 33 * k2[i] + 46732.0 / 5247 * k3_[i] + 49.0 / 176 * k4_[i] -
                          5103.0 / 18656 * k5_[i]);
    f(s, k6_);
    for (int i = 0; i < 3; ++i)
      y1_[i] = y_[i] + h * (35.0 / 384 * k1_[i] + 500.0 / 1113 * k3_[i] + 125.0 / 192 * k4_[i] -
                            2187.0 / 6784 * k5_[i] + 11.0 / 84 * k6_[i]);
    f(y1_, k7_);
    for (int i = 0; i < 3; ++i)
      e_[i] = h * (71.0 / 57600 * k1_[i] - 71.0 / 16695 * k3_[i] + 71.0 / 1920 * k4_[i] - 17253.0 / 339200 * k5_[i] +
                   22.0 / 525 * k6_[i] - 1.0 / 40 * k7_[i]);
  }
  double largest_error() const {
    double largest = 1e-10;
    for (int i = 0; i < 3; ++i)
      largest = std::max(largest, std::abs(e_[i]) / (tolerance_ * (1.0 + std::max(std::abs(y_[i]), std::abs(y1_[i])))));
    return largest;
  }
  // Hairer, Nørsett, Wanner, II.6
  void dense(double h) {
    for (int i = 0; i < 3; ++i) {
      r_[i][0] = y_[i];
      r_[i][1] = y1_[i] - y_[i];
      r_[i][2] = h * k1_[i] - r_[i][1];
      r_[i][3] = r_[i][1] - h * k7_[i] - r_[i][2];
      r_[i][4] = h * (-12715105075.0 / 11282082432 * k1_[i] + 87487479700.0 / 32700410799 * k3_[i] -
                      10690763975.0 / 1880347072 * k4_[i] + 701980252875.0 / 199316789632 * k5_[i] -
                      1453857185.0 / 822651844 * k6_[i] + 69997945.0 / 29380423 * k7_[i]);
    }
  }
  double value(int i, double x) const {
    const double* r = r_[i];
    return r[0] + x * (r[1] + (1.0 - x) * (r[2] + x * (r[3] + (1.0 - x) * r[4])));
  }
  // Illinois' false position on the dense output, where component i passes from above to below 0.
  double root(int i) const {
    double a = 0.0, b = 1.0, fa = std::max(value(i, a), 0.0), fb = value(i, b);
    for (int k = 0, side = 0; k < 100 && b - a > 1e-14; ++k) {
      const double x = fa - fb > 0.0 ? (a * fb - b * fa) / (fb - fa) : 0.5 * (a + b), fx = value(i, x);
      if (fx > 0.0) {
        a = x, fa = fx;
        if (side == 1) fb *= 0.5;
        side = 1;
      } else {
        b = x, fb = fx;
        if (side == -1) fa *= 0.5;
        side = -1;
      }
      if (std::abs(fx) < 1e-15) return x;
    }
    return b;
  }
  // Newton's law on the seat; what hardly leaves it stays until the pressure lifts it.
  void hit(double at, double h) {
    const double v = value(1, at), p = value(2, at);
    t_ += at * h;
    y_[0] = 0.0, y_[1] = -restitution * v, y_[2] = p;
    if (y_[1] < 1e-9 && p < delta) {
      t_ += (delta - p) / (beta * flow_);
      y_[1] = 0.0, y_[2] = delta;
    }
    f(y_, k1_);
  }

  const double flow_, tolerance_;
  double t_ = 0.0, y_[3] = {0.2, 0.0, 0.0}, y1_[3] = {}, e_[3] = {}, r_[3][5] = {};
  double k1_[3] = {}, k3_[3] = {}, k4_[3] = {}, k5_[3] = {}, k6_[3] = {}, k7_[3] = {};
};
