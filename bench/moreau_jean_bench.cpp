// Steps of Moreau-Jean from formulas, ledger on, nothing recorded, against the same scheme written by hand with the
// same flags and elementary functions.
#include <benchmark/benchmark.h>

#include <cmath>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "against_hand.hpp"
#include "ricochet/formula/elementary.hpp"
#include "ricochet/ricochet.hpp"

namespace rc = ricochet;

namespace {

constexpr int steps = 1'000'000;
constexpr double h = 1e-5;

void run(const rc::Model& model, const rc::State& start, int count) {
  const rc::Solution solution =
      rc::simulate(model, start, {0.0, count * h}, rc::MoreauJean{}, {.h = h, .record_every = 0, .keep = false});
  benchmark::DoNotOptimize(solution.final.q.data());
}

// ------------------------------------------------------------------ a ball

void ball_by_hand(double q) {
  double m = 1.0, g = 9.81, e = 0.9, theta = 0.5, gamma = 0.5, step = h;
  rc::hide(m, g, e, theta, gamma, step);
  const double inverse = 1.0 / m, kick = -step * g, reach = gamma * step, weight = 0.5 - theta;
  double v = 0.0, impact = 0.0, numerical = 0.0, violation = 0.0;
  for (int k = 0; k < steps; ++k) {
    violation = -q > violation ? -q : violation;
    double v1 = v + kick;
    if (q + reach * v <= 0.0) {
      const double P = -m * (v1 + e * v);
      if (P > 0.0) {
        v1 += P * inverse;
        impact += 0.5 * (v + v1) * P;
      }
    }
    numerical += weight * (v1 - v) * kick * m;
    q += step * (v + theta * (v1 - v));
    v = v1;
  }
  benchmark::DoNotOptimize(q);
  benchmark::DoNotOptimize(impact);
  benchmark::DoNotOptimize(numerical);
  benchmark::DoNotOptimize(violation);
}

// At rest, far above the floor, or dropped: eight seconds of bouncing, then rest.
void ball(benchmark::State& state, double height) {
  const auto model = rc::lagrangian({.coordinates = {"x"},
                                     .kinetic = "m*x_dot^2/2",
                                     .potential = "m*g*x",
                                     .parameters = {{"m", 1.0}, {"g", 9.81}},
                                     .constraints = {{.name = "floor", .gap = "x", .restitution = 0.9}}});
  rc::against_hand(
      state, 5.0, steps, [&] { ball_by_hand(height); }, [&] { run(*model, {.q = {height}, .v = {0.0}}, steps); });
}
BENCHMARK_CAPTURE(ball, at_rest, 0.0)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(ball, in_flight, 1e6)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(ball, dropped, 1.0)->Unit(benchmark::kMillisecond);

// ------------------------------------------------------------------ a ball with friction

// Beside the same ball without, in place of one by hand: far above the floor, or thrown along it.
void friction(benchmark::State& state, double height, double limit) {
  const auto model = [](std::optional<rc::Quantity> mu, std::vector<std::string> slip) {
    return rc::lagrangian(
        {.coordinates = {"x", "y"},
         .kinetic = "(x_dot^2 + y_dot^2)/2",
         .potential = "9.81*y",
         .constraints = {
             {.name = "floor", .gap = "y", .restitution = 0.0, .friction = std::move(mu), .slip = std::move(slip)}}});
  };
  const auto without = model({}, {}), with = model(0.3, {"x_dot"});
  const rc::State start{.q = {0.0, height}, .v = {1e3, 0.0}};
  rc::against_hand(
      state, limit, steps, [&] { run(*without, start, steps); }, [&] { run(*with, start, steps); });
}
BENCHMARK_CAPTURE(friction, in_flight, 1e6, 1.1)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(friction, sliding, 0.0, 2.0)->Unit(benchmark::kMillisecond);

// ------------------------------------------------------------------ two masses

// Two masses on a spring, each with a stop: the 2 × 2 iteration matrix is inverted once.
void two_masses_by_hand() {
  double m = 1.0, k = 100.0, e = 0.8, theta = 0.5, gamma = 0.5, offset = 0.1;
  rc::hide(m, k, e, theta, gamma, offset);
  const double a = h * theta, d = m + a * a * k, o = -a * a * k, det = d * d - o * o;
  const double i11 = d / det, i12 = -o / det;
  double q1 = 0.0, q2 = 0.05, v1 = 1.0, v2 = -1.0, impact = 0.0, violation = 0.0;
  for (int s = 0; s < steps; ++s) {
    const double g1 = q1 + offset, g2 = offset - q2;
    violation = std::max({violation, -g1, -g2});
    const double stretch = (q2 + a * v2) - (q1 + a * v1), r = h * k * stretch;
    double w1 = v1 + (i11 - i12) * r, w2 = v2 - (i11 - i12) * r;
    const bool left = g1 + gamma * h * v1 <= 0.0, right = g2 - gamma * h * v2 <= 0.0;
    if (left || right) {
      double P1 = 0.0, P2 = 0.0;
      if (left && right) {
        // W = [[i11, −i12], [−i12, i11]], both pushing.
        const double b1 = w1 + e * v1, b2 = -w2 - e * v2, dw = i11 * i11 - i12 * i12;
        P1 = -(i11 * b1 + i12 * b2) / dw;
        P2 = -(i12 * b1 + i11 * b2) / dw;
      } else if (left) {
        P1 = -(w1 + e * v1) / i11;
      } else {
        P2 = (w2 + e * v2) / i11;
      }
      P1 = P1 > 0.0 ? P1 : 0.0;
      P2 = P2 > 0.0 ? P2 : 0.0;
      w1 += i11 * P1 - i12 * P2;
      w2 += i12 * P1 - i11 * P2;
      impact += 0.5 * (v1 + w1) * P1 - 0.5 * (v2 + w2) * P2;
    }
    q1 += h * ((1.0 - theta) * v1 + theta * w1);
    q2 += h * ((1.0 - theta) * v2 + theta * w2);
    v1 = w1;
    v2 = w2;
  }
  benchmark::DoNotOptimize(q1);
  benchmark::DoNotOptimize(q2);
  benchmark::DoNotOptimize(impact);
  benchmark::DoNotOptimize(violation);
}

void two_masses(benchmark::State& state) {
  const auto masses = rc::lagrangian({.coordinates = {"x", "y"},
                                      .kinetic = "m*(x_dot^2 + y_dot^2)/2",
                                      .potential = "k*(y - x)^2/2",
                                      .parameters = {{"m", 1.0}, {"k", 100.0}},
                                      .constraints = {{.name = "left", .gap = "x + 0.1", .restitution = 0.8},
                                                      {.name = "right", .gap = "0.1 - y", .restitution = 0.8}}});
  rc::against_hand(state, 4.0, steps, two_masses_by_hand, [&] {
    run(*masses, {.q = {0.0, 0.05}, .v = {1.0, -1.0}}, steps);
  });
}
BENCHMARK(two_masses)->Unit(benchmark::kMillisecond);

// ------------------------------------------------------------------ a double pendulum

// A nonlinear model with a curved gap: Newton at every step, ended by the tolerances of scheme/kernel/iterations.hpp.
// Sines and cosines of a place are calculated once for all that needs them.
class PendulumByHand {
 public:
  explicit PendulumByHand(double gravity) : gravity_(gravity) {}

  double run(int count) {
    place(q_, here_);
    force(here_, v_, F0_);
    for (int k = 0; k < count; ++k)
      if (!step()) return 0.0;
    return q_[0];
  }
  double impact() const { return impact_; }

 private:
  struct Waves {
    double sa, ca, sb, cb, s, c;
  };
  static void place(const double* q, Waves& w) {
    rc::formula::elementary::sincos(q[0], w.sa, w.ca);
    rc::formula::elementary::sincos(q[1], w.sb, w.cb);
    rc::formula::elementary::sincos(q[0] - q[1], w.s, w.c);
  }
  void force(const Waves& w, const double* v, double* F) const {
    F[0] = -w.s * v[1] * v[1] - 2.0 * gravity_ * w.sa;
    F[1] = w.s * v[0] * v[0] - gravity_ * w.sb;
  }
  // A x = y, rows swapped where that is safer.
  static void solve(const double A[4], double* y) {
    const double det = 1.0 / (A[0] * A[3] - A[1] * A[2]);
    const double x = (y[0] * A[3] - A[1] * y[1]) * det;
    y[1] = (A[0] * y[1] - A[2] * y[0]) * det;
    y[0] = x;
  }

  bool step() {
    constexpr double theta = 0.5, gamma = 0.5, e = 0.5, epsilon = 2.220446049250313e-16;
    const double g = here_.sa + here_.sb + 0.5, rate = here_.ca * v_[0] + here_.cb * v_[1];
    violation_ = std::max(violation_, -g);
    const bool active = g + gamma * h * rate <= 0.0;
    double v1[2] = {v_[0], v_[1]}, q1[2], P = 0.0, U0 = 0.0, H[2] = {}, last = 0.0;
    Waves end{};
    for (int k = 0; k < 50; ++k) {
      double q_theta[2];
      for (int i = 0; i < 2; ++i) {
        const double dq = h * (v_[i] + theta * (v1[i] - v_[i]));
        q1[i] = q_[i] + dq, q_theta[i] = q_[i] + theta * dq;
      }
      const double c = rc::formula::elementary::cos(q_theta[0] - q_theta[1]);
      place(q1, end);
      double F[2], y[2];
      force(end, v1, F);
      const double dv[2] = {v1[0] - v_[0], v1[1] - v_[1]};
      y[0] = h * (F0_[0] + theta * (F[0] - F0_[0])) - (2.0 * dv[0] + c * dv[1]);
      y[1] = h * (F0_[1] + theta * (F[1] - F0_[1])) - (c * dv[0] + dv[1]);
      const double a = h * theta, aa = a * a, bb = v1[1] * v1[1] * end.c, cc = v1[0] * v1[0] * end.c;
      const double A[4] = {2.0 + aa * (bb + 2.0 * gravity_ * end.ca), c - aa * bb + a * 2.0 * end.s * v1[1],
                           c - aa * cc - a * 2.0 * end.s * v1[0], 1.0 + aa * (cc + gravity_ * end.cb)};
      solve(A, y);
      double v_new[2] = {v1[0] + y[0], v1[1] + y[1]};
      if (active) {
        H[0] = rc::formula::elementary::cos(q_theta[0]), H[1] = rc::formula::elementary::cos(q_theta[1]);
        double X[2] = {H[0], H[1]};
        solve(A, X);
        U0 = H[0] * v_[0] + H[1] * v_[1];
        P = std::max(0.0, -(H[0] * v_new[0] + H[1] * v_new[1] + e * U0) / (H[0] * X[0] + H[1] * X[1]));
        v_new[0] += X[0] * P, v_new[1] += X[1] * P;
      }
      // Changes relative to their tolerances, squared.
      const double mass[2] = {2.0, 1.0};
      double speed[2], energy = 0.0, change = 0.0;
      for (int i = 0; i < 2; ++i) {
        speed[i] = std::max({std::abs(v_new[i]), std::abs(v_[i]), std::abs(v1[i] + y[i])});
        energy += mass[i] * speed[i] * speed[i];
      }
      for (int i = 0; i < 2; ++i) {
        const double s = 1e-12 * speed[i], place = 4.0 * epsilon * q_[i] / h, x = v_new[i] - v1[i];
        change = std::max(change, mass[i] * x * x / (mass[i] * (s * s + place * place) + 1e-30 * energy + 1e-308));
        v1[i] = v_new[i];
      }
      const double fall = change / last;
      const bool done =
          change <= 1.0 || (k > 0 && ((fall < 0.25 && fall * change <= 0.25) || (fall > 0.25 && change <= 1e6)));
      last = change;
      if (done) return finish(v1, P, U0, H);
    }
    return false;
  }
  bool finish(const double* v1, double P, double U0, const double* H) {
    impact_ += 0.5 * (U0 + H[0] * v1[0] + H[1] * v1[1]) * P;
    for (int i = 0; i < 2; ++i) {
      q_[i] += h * (v_[i] + 0.5 * (v1[i] - v_[i]));
      v_[i] = v1[i];
    }
    place(q_, here_);
    force(here_, v_, F0_);
    return std::isfinite(q_[0] + q_[1] + v_[0] + v_[1]);
  }

  double gravity_, q_[2] = {0.8, 0.6}, v_[2] = {}, F0_[2] = {}, impact_ = 0.0, violation_ = 0.0;
  Waves here_{};
};

void double_pendulum(benchmark::State& state) {
  constexpr int count = steps / 5;
  const auto pendulum =
      rc::lagrangian({.coordinates = {"a", "b"},
                      .kinetic = "a_dot^2 + b_dot^2/2 + a_dot*b_dot*cos(a - b)",
                      .potential = "-2*g*cos(a) - g*cos(b)",
                      .parameters = {{"g", 9.81}},
                      .constraints = {{.name = "wall", .gap = "sin(a) + sin(b) + 0.5", .restitution = 0.5}}});
  double g = 9.81;
  rc::hide(g);
  rc::against_hand(
      state, 4.0, count,
      [&] {
        PendulumByHand hand(g);
        benchmark::DoNotOptimize(hand.run(count));
        benchmark::DoNotOptimize(hand.impact());
      },
      [&] {
        run(*pendulum, {.q = {0.8, 0.6}, .v = {0.0, 0.0}}, count);
      });
}
BENCHMARK(double_pendulum)->Unit(benchmark::kMillisecond);

}  // namespace
