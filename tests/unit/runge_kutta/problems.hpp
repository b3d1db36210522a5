// Differential equations with known solutions, and fitted orders.
#pragma once

#include <algorithm>
#include <cmath>
#include <memory>
#include <vector>

#include "runge_kutta/explicit.hpp"
#include "runge_kutta/implicit.hpp"

namespace ricochet::testing {

// y₁' = 2t y₁ ln y₂, y₂' = −2t y₂ ln y₁:  y = (exp sin t², exp cos t²). Nonlinear, and t is in it.
struct Waves {
  bool operator()(double t, const double* y, double* dy) {
    dy[0] = 2.0 * t * y[0] * std::log(y[1]);
    dy[1] = -2.0 * t * y[1] * std::log(y[0]);
    return true;
  }
  static std::vector<double> exact(double t) { return {std::exp(std::sin(t * t)), std::exp(std::cos(t * t))}; }
};

// The same with ∂f/∂y.
struct WavesWithJacobian : Waves {
  int calls = 0;
  bool jacobian(double t, const double* y, double* J) {
    ++calls;
    J[0] = 2.0 * t * std::log(y[1]);
    J[1] = -2.0 * t * y[1] / y[0];
    J[2] = 2.0 * t * y[0] / y[1];
    J[3] = -2.0 * t * std::log(y[0]);
    return true;
  }
};

struct Oscillator {
  double stiffness = 1.0;
  bool operator()(double, const double* y, double* dy) {
    dy[0] = y[1];
    dy[1] = -stiffness * y[0];
    return true;
  }
};

// y' = rate y
struct Linear {
  double rate = -1.0;
  bool operator()(double, const double* y, double* dy) {
    dy[0] = rate * y[0];
    return true;
  }
  bool jacobian(double, const double*, double* J) {
    J[0] = rate;
    return true;
  }
};

// Nothing to evaluate from t = end on: refused, or NaN.
struct Ending {
  double end = 0.0;
  bool refuses = true;
  bool operator()(double t, const double* y, double* dy) {
    dy[0] = t < end ? -y[0] : std::nan("");
    return t < end || !refuses;
  }
};

// A bead on a circle of radius 1 in gravity: y = (q, v) in the plane, v' = (0, −g) + H λ with g(q) = |q|² − 1 = 0, so
// H = 2q, c = 2|v|², λ = −(Hᵀ(0, −g) + c)/|H|². λ is handed out.
struct Bead {
  double gravity = 9.81;
  bool operator()(double, const double* y, double* dy, double* outputs) {
    const double H[] = {2.0 * y[0], 2.0 * y[1]}, c = 2.0 * (y[2] * y[2] + y[3] * y[3]);
    outputs[0] = (H[1] * gravity - c) / (H[0] * H[0] + H[1] * H[1]);
    dy[0] = y[2];
    dy[1] = y[3];
    dy[2] = H[0] * outputs[0];
    dy[3] = H[1] * outputs[0] - gravity;
    return true;
  }
};

inline double largest_difference(const std::vector<double>& a, const std::vector<double>& b) {
  double largest = 0.0;
  for (std::size_t i = 0; i < a.size(); ++i) largest = std::max(largest, std::abs(a[i] - b[i]));
  return largest;
}

// Slope of the least-squares line through (log h, log error), of the points between round-off and too coarse a step.
struct Fit {
  double smallest = 5e-13, largest = 5e-4;
  std::vector<double> x = {}, y = {};
  void add(double h, double error) {
    if (error < smallest || error > largest) return;
    x.push_back(std::log(h));
    y.push_back(std::log(error));
  }
  double slope() const {
    const auto n = static_cast<double>(x.size());
    double sx = 0.0, sy = 0.0, sxx = 0.0, sxy = 0.0;
    for (std::size_t i = 0; i < x.size(); ++i) sx += x[i], sy += y[i], sxx += x[i] * x[i], sxy += x[i] * y[i];
    return (n * sxy - sx * sy) / (n * sxx - sx * sx);
  }
};

// Largest error at the nodes of n even steps over [0.5, 1.5].
template <class Engine, class Rhs>
double waves_error(Engine& engine, Rhs& rhs, int n) {
  const double h = 1.0 / n;
  std::vector<double> y = Rhs::exact(0.5);
  double error = 0.0;
  for (int k = 0; k < n; ++k) {
    const OdeStatus status =
        engine.step(rhs, 0.5 + k * h, h, y.data(), y.data(), k == 0 ? Start::fresh : Start::continued);
    if (status != OdeStatus::done) return std::nan("");
    error = std::max(error, largest_difference(y, Rhs::exact(0.5 + (k + 1) * h)));
  }
  return error;
}

// The largest error of a polynomial on its step.
inline double dense_error(const DenseOutput& dense) {
  double error = 0.0;
  std::vector<double> y(2);
  for (int i = 0; i <= 10; ++i) {
    dense.value(0.1 * i, y.data());
    error = std::max(error, largest_difference(y, Waves::exact(dense.t0() + 0.1 * i * dense.h())));
  }
  return error;
}

}  // namespace ricochet::testing
