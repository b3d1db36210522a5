// Steps of the Runge-Kutta engines on the oscillator against Dormand-Prince written by hand. Both run in turn in one
// benchmark: `ratio` is theirs whatever else the machine does.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <chrono>
#include <cmath>

#include "dormand_prince_by_hand.hpp"
#include "runge_kutta/adaptive.hpp"
#include "runge_kutta/implicit.hpp"

namespace rc = ricochet;

namespace {

struct Oscillator {
  double stiffness;
  bool operator()(double, const double* y, double* dy) {
    dy[0] = y[1];
    dy[1] = -stiffness * y[0];
    return true;
  }
};

// As a model's functions are: not to be seen through by the compiler.
struct HiddenOscillator : Oscillator {
  [[gnu::noinline]] bool operator()(double t, const double* y, double* dy) { return Oscillator::operator()(t, y, dy); }
};

struct OscillatorWithJacobian : Oscillator {
  bool jacobian(double, const double*, double* J) {
    J[0] = 0.0, J[1] = -stiffness, J[2] = 1.0, J[3] = 0.0;
    return true;
  }
};

// A value the compiler cannot see.
volatile double hidden_one = 1.0;

constexpr int steps = 100'000;
constexpr double until = 2000.0, rtol = 1e-10, atol = 1e-12;

// Fixed steps with their error estimate.
long fixed_by_hand(double stiffness) {
  ByHand hand(stiffness);
  for (int k = 0; k < steps; ++k) {
    hand.step(0.01);
    benchmark::DoNotOptimize(hand.error(rtol, atol));
    hand.accept();
  }
  benchmark::DoNotOptimize(hand.y[0]);
  return steps;
}

template <class Rhs>
long fixed_by_engine(double stiffness) {
  Rhs rhs{{stiffness}};
  rc::ExplicitRungeKutta engine(rc::find_tableau("dormand-prince"), 2);
  double y[] = {1.0, 0.0}, e[2];
  for (int k = 0; k < steps; ++k) {
    engine.step(rhs, 0.01 * k, 0.01, y, y, k == 0 ? rc::Start::fresh : rc::Start::continued);
    engine.error(e);
    benchmark::DoNotOptimize(e[0]);
    benchmark::DoNotOptimize(e[1]);
  }
  benchmark::DoNotOptimize(y[0]);
  return steps;
}

// Step control and dense output, as event location needs them; the crossings are counted.
long adaptive_by_hand(double stiffness) {
  ByHand hand(stiffness);
  double t = 0.0, h = 0.01, r[2][5];
  long count = 0, crossings = 0;
  for (; t < until; ++count) {
    h = std::min(h, until - t);
    hand.step(h);
    const double error = hand.error(rtol, atol);
    if (error <= 1.0) {
      hand.dense(h, r);
      benchmark::DoNotOptimize(r);
      crossings += hand.y[0] * hand.y1[0] < 0.0 ? 1 : 0;
      hand.accept();
      t += h;
    }
    h *= std::clamp(0.9 * std::pow(error, -0.2), 0.2, 5.0);
  }
  benchmark::DoNotOptimize(crossings);
  return count;
}

template <class Rhs>
long adaptive_by_engine(double stiffness) {
  Rhs rhs{{stiffness}};
  rc::AdaptiveRungeKutta ode(rc::find_tableau("dormand-prince"), 2, {.rtol = rtol, .atol = atol});
  rc::DenseOutput dense(2);
  const double start[] = {1.0, 0.0};
  long crossings = 0;
  ode.begin(rhs, 0.0, start, until);
  while (ode.t() < until) {
    const double before = ode.y()[0];
    ode.advance(rhs, until);
    ode.dense_output(rhs, dense);
    benchmark::DoNotOptimize(dense.coefficients(0));
    crossings += before * ode.y()[0] < 0.0 ? 1 : 0;
  }
  benchmark::DoNotOptimize(crossings);
  return ode.accepted() + ode.rejected();
}

// Both in turn; the ratio is that of the whole way, steps of different number included.
void compare(benchmark::State& state, long (*by_hand)(double), long (*by_engine)(double)) {
  using Clock = std::chrono::steady_clock;
  const double stiffness = hidden_one;
  double hand_seconds = 0.0, engine_seconds = 0.0, hand_steps = 0.0, engine_steps = 0.0;
  for (auto _ : state) {
    const auto begin = Clock::now();
    hand_steps += static_cast<double>(by_hand(stiffness));
    const auto middle = Clock::now();
    engine_steps += static_cast<double>(by_engine(stiffness));
    const std::chrono::duration<double> hand = middle - begin, engine = Clock::now() - middle;
    hand_seconds += hand.count();
    engine_seconds += engine.count();
    state.SetIterationTime(engine.count());
  }
  state.counters["hand ns/step"] = 1e9 * hand_seconds / hand_steps;
  state.counters["ns/step"] = 1e9 * engine_seconds / engine_steps;
  state.counters["ratio"] = engine_seconds / hand_seconds;
}
BENCHMARK_CAPTURE(compare, dormand_prince_fixed, fixed_by_hand, fixed_by_engine<Oscillator>)->UseManualTime();
BENCHMARK_CAPTURE(compare, dormand_prince_fixed_hidden, fixed_by_hand, fixed_by_engine<HiddenOscillator>)
    ->UseManualTime();
BENCHMARK_CAPTURE(compare, dormand_prince_adaptive, adaptive_by_hand, adaptive_by_engine<Oscillator>)->UseManualTime();
BENCHMARK_CAPTURE(compare, dormand_prince_adaptive_hidden, adaptive_by_hand, adaptive_by_engine<HiddenOscillator>)
    ->UseManualTime();

// Implicit steps; J given, or by differences.
template <class Rhs>
void implicit_step(benchmark::State& state, const char* tableau) {
  Rhs rhs{{hidden_one}};
  rc::ImplicitRungeKutta engine(rc::find_tableau(tableau), 2);
  double y[] = {1.0, 0.0};
  for (auto _ : state) {
    for (int k = 0; k < steps; ++k)
      engine.step(rhs, 0.01 * k, 0.01, y, y, k == 0 ? rc::Start::fresh : rc::Start::continued);
    benchmark::DoNotOptimize(y[0]);
  }
  const double all = static_cast<double>(state.iterations()) * steps;
  state.counters["ns/step"] = benchmark::Counter(all * 1e-9, benchmark::Counter::kIsRate | benchmark::Counter::kInvert);
  state.counters["iterations/step"] = static_cast<double>(engine.iterations()) / all;
}
void implicit_by_jacobian(benchmark::State& state, const char* tableau) {
  implicit_step<OscillatorWithJacobian>(state, tableau);
}
void implicit_by_differences(benchmark::State& state, const char* tableau) {
  implicit_step<HiddenOscillator>(state, tableau);
}
BENCHMARK_CAPTURE(implicit_by_jacobian, gauss_2, "gauss-2");
BENCHMARK_CAPTURE(implicit_by_differences, gauss_2, "gauss-2");
BENCHMARK_CAPTURE(implicit_by_jacobian, radau_iia_3, "radau-iia-3");

}  // namespace
