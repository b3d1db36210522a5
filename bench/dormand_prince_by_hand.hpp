// Dormand-Prince on the oscillator y'' = −k y, written by hand: what the engines are compared with.
#pragma once

#include <algorithm>
#include <cmath>

// One step of Dormand-Prince for n = 2, all in local variables.
struct ByHand {
  double stiffness, y[2] = {1.0, 0.0}, y1[2] = {}, e[2] = {}, k1[2] = {}, k3[2] = {}, k4[2] = {}, k5[2] = {},
                    k6[2] = {}, k7[2] = {};

  explicit ByHand(double k) : stiffness(k) { f(y, k1); }
  void f(const double* x, double* dx) const { dx[0] = x[1], dx[1] = -stiffness * x[0]; }
  void step(double h) {
    double k2[2], s[2];
    for (int i = 0; i < 2; ++i) s[i] = y[i] + h * (1.0 / 5 * k1[i]);
    f(s, k2);
    for (int i = 0; i < 2; ++i) s[i] = y[i] + h * (3.0 / 40 * k1[i] + 9.0 / 40 * k2[i]);
    f(s, k3);
    for (int i = 0; i < 2; ++i) s[i] = y[i] + h * (44.0 / 45 * k1[i] - 56.0 / 15 * k2[i] + 32.0 / 9 * k3[i]);
    f(s, k4);
    for (int i = 0; i < 2; ++i)
      s[i] =
          y[i] + h * (19372.0 / 6561 * k1[i] - 25360.0 / 2187 * k2[i] + 64448.0 / 6561 * k3[i] - 212.0 / 729 * k4[i]);
    f(s, k5);
    for (int i = 0; i < 2; ++i)
      s[i] = y[i] + h * (9017.0 / 3168 * k1[i] - 355.0 / 33 * k2[i] + 46732.0 / 5247 * k3[i] + 49.0 / 176 * k4[i] -
                         5103.0 / 18656 * k5[i]);
    f(s, k6);
    for (int i = 0; i < 2; ++i)
      y1[i] = y[i] + h * (35.0 / 384 * k1[i] + 500.0 / 1113 * k3[i] + 125.0 / 192 * k4[i] - 2187.0 / 6784 * k5[i] +
                          11.0 / 84 * k6[i]);
    f(y1, k7);
    for (int i = 0; i < 2; ++i)
      e[i] = h * (71.0 / 57600 * k1[i] - 71.0 / 16695 * k3[i] + 71.0 / 1920 * k4[i] - 17253.0 / 339200 * k5[i] +
                  22.0 / 525 * k6[i] - 1.0 / 40 * k7[i]);
  }
  void accept() {
    for (int i = 0; i < 2; ++i) y[i] = y1[i], k1[i] = k7[i];
  }
  double error(double rtol, double atol) const {
    double largest = 0.0;
    for (int i = 0; i < 2; ++i)
      largest = std::max(largest, std::abs(e[i]) / (atol + rtol * std::max(std::abs(y[i]), std::abs(y1[i]))));
    return largest;
  }
  // y₀ + θ(r₂ + (1−θ)(r₃ + θ(r₄ + (1−θ) r₅))), Hairer, Nørsett, Wanner
  void dense(double h, double r[2][5]) const {
    for (int i = 0; i < 2; ++i) {
      r[i][0] = y[i];
      r[i][1] = y1[i] - y[i];
      r[i][2] = h * k1[i] - r[i][1];
      r[i][3] = r[i][1] - h * k7[i] - r[i][2];
      r[i][4] = h * (-12715105075.0 / 11282082432 * k1[i] + 87487479700.0 / 32700410799 * k3[i] -
                     10690763975.0 / 1880347072 * k4[i] + 701980252875.0 / 199316789632 * k5[i] -
                     1453857185.0 / 822651844 * k6[i] + 69997945.0 / 29380423 * k7[i]);
    }
  }
};
