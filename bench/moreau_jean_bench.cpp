// One step of Moreau-Jean from formulas, ledger on, nothing recorded, against the same scheme written by hand.
#include <benchmark/benchmark.h>

#include "ricochet/ricochet.hpp"

namespace rc = ricochet;

namespace {

constexpr int steps = 1'000'000;
constexpr double h = 1e-5;

void report(benchmark::State& state) {
  state.counters["ns/step"] = benchmark::Counter(static_cast<double>(state.iterations()) * steps * 1e-9,
                                                 benchmark::Counter::kIsRate | benchmark::Counter::kInvert);
}

void run(benchmark::State& state, const rc::Model& model, const rc::State& start) {
  for (auto _ : state) {
    const rc::Solution solution =
        rc::simulate(model, start, {0.0, steps * h}, rc::MoreauJean{}, {.h = h, .record_every = 0, .keep = false});
    benchmark::DoNotOptimize(solution.final.q.data());
  }
  report(state);
}

// Values the compiler cannot see, as the ones of a scenario are.
template <class... Values>
void hide(Values&... values) {
  const auto through_memory = [](double& value) {
    volatile double copy = value;
    value = copy;
  };
  (through_memory(values), ...);
}

void ball_by_hand(benchmark::State& state) {
  double m = 1.0, g = 9.81, e = 0.9, theta = 0.5, gamma = 0.5, step = h;
  hide(m, g, e, theta, gamma, step);
  const double inverse = 1.0 / m, kick = -step * g, reach = gamma * step, weight = 0.5 - theta;
  for (auto _ : state) {
    double q = 1.0, v = 0.0, impact = 0.0, numerical = 0.0, violation = 0.0;
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
  report(state);
}
BENCHMARK(ball_by_hand);

void ball_from_formulas(benchmark::State& state) {
  const auto ball = rc::lagrangian({.coordinates = {"x"},
                                    .kinetic = "m*x_dot^2/2",
                                    .potential = "m*g*x",
                                    .parameters = {{"m", 1.0}, {"g", 9.81}},
                                    .constraints = {{.name = "floor", .gap = "x", .restitution = 0.9}}});
  run(state, *ball, {.q = {1.0}, .v = {0.0}});
}
BENCHMARK(ball_from_formulas);

// Two masses on a spring, each with a stop: the 2 × 2 iteration matrix is inverted once.
void two_masses_by_hand(benchmark::State& state) {
  double m = 1.0, k = 100.0, e = 0.8, theta = 0.5, gamma = 0.5, offset = 0.1;
  hide(m, k, e, theta, gamma, offset);
  const double a = h * theta, d = m + a * a * k, o = -a * a * k, det = d * d - o * o;
  const double i11 = d / det, i12 = -o / det;
  for (auto _ : state) {
    double q1 = 0.0, q2 = 0.05, v1 = 1.0, v2 = -1.0, impact = 0.0;
    for (int s = 0; s < steps; ++s) {
      const double stretch = (q2 + a * v2) - (q1 + a * v1), r = h * k * stretch;
      double w1 = v1 + (i11 - i12) * r, w2 = v2 - (i11 - i12) * r;
      const bool left = q1 + offset + gamma * h * v1 <= 0.0, right = offset - q2 - gamma * h * v2 <= 0.0;
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
  }
  report(state);
}
BENCHMARK(two_masses_by_hand);

void two_masses_from_formulas(benchmark::State& state) {
  const auto masses = rc::lagrangian({.coordinates = {"x", "y"},
                                      .kinetic = "m*(x_dot^2 + y_dot^2)/2",
                                      .potential = "k*(y - x)^2/2",
                                      .parameters = {{"m", 1.0}, {"k", 100.0}},
                                      .constraints = {{.name = "left", .gap = "x + 0.1", .restitution = 0.8},
                                                      {.name = "right", .gap = "0.1 - y", .restitution = 0.8}}});
  run(state, *masses, {.q = {0.0, 0.05}, .v = {1.0, -1.0}});
}
BENCHMARK(two_masses_from_formulas);

// A nonlinear model with a curved gap: Newton at every step.
void double_pendulum_from_formulas(benchmark::State& state) {
  const auto pendulum =
      rc::lagrangian({.coordinates = {"a", "b"},
                      .kinetic = "a_dot^2 + b_dot^2/2 + a_dot*b_dot*cos(a - b)",
                      .potential = "-2*g*cos(a) - g*cos(b)",
                      .parameters = {{"g", 9.81}},
                      .constraints = {{.name = "wall", .gap = "sin(a) + sin(b) + 0.5", .restitution = 0.5}}});
  run(state, *pendulum, {.q = {0.8, 0.6}, .v = {0.0, 0.0}});
}
BENCHMARK(double_pendulum_from_formulas);

}  // namespace
