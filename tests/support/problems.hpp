// Problems with exact solutions, shared by the tests.
#pragma once

#include <gtest/gtest.h>

#include <cmath>
#include <memory>
#include <string>
#include <vector>

#include "ricochet/ricochet.hpp"

namespace ricochet::testing {

inline LagrangianDescription ball_description(double gravity, double restitution) {
  return {.coordinates = {"x"},
          .kinetic = "m*x_dot^2/2",
          .potential = "m*g*x",
          .parameters = {{"m", 1.0}, {"g", gravity}},
          .constraints = {{.name = "floor", .gap = "x", .restitution = restitution}}};
}

// A ball on a table that swings gently: it stays on it, exactly.
inline Solution ride_on_table(const Scheme& scheme) {
  LagrangianDescription description = ball_description(9.81, 0.5);
  description.constraints[0].gap = "x - 0.1*sin(3*t)";
  Solution solution = simulate(*lagrangian(description), {.q = {0.0}, .v = {0.3}}, {0.0, 5.0}, scheme, {.h = 0.01});
  EXPECT_EQ(solution.status, Status::completed) << solution.failure.message;
  EXPECT_EQ(solution.impact_count, 0u);
  for (std::size_t i = 0; i < solution.trajectory.t.size(); ++i)
    EXPECT_NEAR(solution.trajectory.q[i], 0.1 * std::sin(3.0 * solution.trajectory.t[i]), 1e-14);
  return solution;
}

inline LagrangianDescription oscillator_description(double restitution) {
  return {.coordinates = {"x"},
          .kinetic = "m*x_dot^2/2",
          .potential = "k*x^2/2",
          .parameters = {{"m", 1.0}, {"k", 1.0}},
          .constraints = {{.name = "stop", .gap = "x", .restitution = restitution}}};
}

struct Point {
  double q, v;
};

// Ball from height 1 at rest under gravity g: impacts at t₁ = √(2/g), t_{n+1} = t_n + 2 V eⁿ/g, V = √(2 g).
class ExactBall {
 public:
  ExactBall(double g, double e) : g_(g), e_(e) {}
  Point operator()(double t) const {
    const double V = std::sqrt(2.0 * g_);
    double begin = 0.0, q = 1.0, v = 0.0, end = V / g_, speed = V;
    // Flights shorter than round-off: at rest.
    while (t >= end) {
      speed *= e_;
      begin = end;
      q = 0.0;
      v = speed;
      const double flight = 2.0 * speed / g_;
      if (!(begin + flight > begin)) return {0.0, 0.0};
      end = begin + flight;
    }
    const double s = t - begin;
    return {q + v * s - 0.5 * g_ * s * s, v - g_ * s};
  }

 private:
  double g_, e_;
};

// x'' + x = 0 from 1 at rest on x ≥ 0: impacts at π/2 + nπ, each arc a cosine of amplitude eⁿ.
class ExactOscillator {
 public:
  explicit ExactOscillator(double e) : e_(e) {}
  Point operator()(double t) const {
    const double pi = 3.14159265358979323846;
    const double n = std::floor(t / pi + 0.5);
    const double amplitude = std::pow(e_, n), s = t - n * pi;
    return {amplitude * std::cos(s), -amplitude * std::sin(s)};
  }

 private:
  double e_;
};

// Two masses on springs with two stops, damped, loaded, and one of the stops moving: linear, four of everything.
inline LagrangianDescription random_linear_description() {
  return {.coordinates = {"a", "b", "c", "d"},
          .kinetic =
              "(2*a_dot^2 + 1.5*b_dot^2 + c_dot^2 + 0.7*d_dot^2)/2 + 0.3*a_dot*b_dot - 0.2*b_dot*c_dot + "
              "0.1*a_dot*d_dot",
          .potential = "(3*a^2 + 2*(b - a)^2 + 4*(c - b)^2 + (d - c)^2)/2 + 0.4*a + 0.1*d",
          .constraints = {{.name = "left", .gap = "a + 0.5*c + 0.05", .restitution = 0.7},
                          {.name = "right", .gap = "0.3 - d + 0.2*b", .restitution = 0.7}}};
}

inline State random_linear_start() { return {.q = {0.2, 0.1, 0.15, -0.3}, .v = {-1.0, 0.5, -0.7, 1.4}}; }

}  // namespace ricochet::testing
