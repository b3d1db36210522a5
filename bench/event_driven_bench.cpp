// 100,000 impacts of a linear oscillator against its wall at rtol 1e-10: the event-driven scheme against a loop written
// by hand, Dormand-Prince with dense output and a bracketing root finder. Both run in turn in one benchmark: `ratio` is
// theirs whatever else the machine does.
#include <benchmark/benchmark.h>

#include <chrono>

#include "dormand_prince_by_hand.hpp"
#include "ricochet/ricochet.hpp"

namespace rc = ricochet;

namespace {

constexpr double rtol = 1e-10, atol = 1e-12, pi = 3.14159265358979323846;
constexpr int impacts = 100'000;

// y at θ of the dense output.
double value(const double r[5], double x) {
  return r[0] + x * (r[1] + (1.0 - x) * (r[2] + x * (r[3] + (1.0 - x) * r[4])));
}

// Illinois' false position on the dense output.
double crossing(const double r[5]) {
  double a = 0.0, b = 1.0, fa = r[0], fb = r[0] + r[1];
  for (int k = 0; k < 60 && b - a > 1e-14; ++k) {
    const double x = (a * fb - b * fa) / (fb - fa), f = value(r, x);
    if (std::abs(f) < 1e-15) return x;
    if (f * fb < 0.0) {
      a = b, fa = fb;
    } else {
      fa *= 0.5;
    }
    b = x, fb = f;
    if (a > b) std::swap(a, b), std::swap(fa, fb);
  }
  return 0.5 * (a + b);
}

double by_hand(double stiffness, double e) {
  ByHand hand(stiffness);
  double t = 0.0, h = 0.01, r[2][5];
  for (int count = 0; count < impacts;) {
    hand.step(h);
    const double error = hand.error(rtol, atol), factor = std::clamp(0.9 * std::pow(error, -0.2), 0.2, 5.0);
    if (error > 1.0) {
      h *= factor;
      continue;
    }
    if (hand.y1[0] < 0.0) {
      hand.dense(h, r);
      const double x = crossing(r[0]);
      t += x * h;
      hand.y[1] = -e * value(r[1], x);
      hand.y[0] = 0.0;
      hand.f(hand.y, hand.k1);
      ++count;
      continue;
    }
    hand.accept();
    t += h;
    h *= factor;
  }
  return t;
}

double by_scheme(const rc::Model& model) {
  const rc::Solution solution =
      rc::simulate(model, {.q = {1.0}, .v = {0.0}}, {0.0, (impacts + 0.1) * pi},
                   rc::EventDriven{.rtol = rtol, .atol = atol}, {.h = 100.0 * pi, .record_every = 0, .keep = false});
  if (solution.impact_count != impacts) return 0.0;
  return solution.final.t;
}

volatile double hidden_one = 1.0;

void event_driven_impacts(benchmark::State& state) {
  const auto oscillator = rc::lagrangian({.coordinates = {"x"},
                                          .kinetic = "m*x_dot^2/2",
                                          .potential = "k*x^2/2",
                                          .parameters = {{"m", 1.0}, {"k", 1.0}},
                                          .constraints = {{.name = "wall", .gap = "x", .restitution = 1.0}}});
  double hand = 0.0, scheme = 0.0;
  const auto timed = [](double& seconds, const auto& run) {
    const auto begin = std::chrono::steady_clock::now();
    double result = run();
    benchmark::DoNotOptimize(result);
    seconds += std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    return result;
  };
  for (auto _ : state) {
    timed(hand, [] { return by_hand(hidden_one, hidden_one); });
    if (timed(scheme, [&] { return by_scheme(*oscillator); }) == 0.0) state.SkipWithError("impacts were missed");
  }
  const double runs = static_cast<double>(state.iterations()) * impacts;
  state.counters["us/impact by hand"] = 1e6 * hand / runs;
  state.counters["us/impact"] = 1e6 * scheme / runs;
  state.counters["ratio"] = scheme / hand;
}
BENCHMARK(event_driven_impacts)->Unit(benchmark::kMillisecond);

}  // namespace
