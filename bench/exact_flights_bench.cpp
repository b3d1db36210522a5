// 100,000 impacts of the forced oscillator x'' + 0.04 x' + x = 3 cos ωt against a stop at 0.5, e = 0.8: exact flights
// of the event-driven scheme against a loop over the closed form written by hand, with the same elementary functions.
// Both run in turn in one benchmark: `ratio` is theirs whatever else the machine does.
#include <benchmark/benchmark.h>

#include <chrono>
#include <cmath>

#include "ricochet/formula/elementary.hpp"
#include "ricochet/ricochet.hpp"

namespace rc = ricochet;

namespace {

constexpr double gamma_ = 0.02, stop = 0.5, e = 0.8, amplitude = 3.0;
constexpr int impacts = 100'000;

// x(s) = e^{−γs} (a cos ω_d s + b sin ω_d s) + P cos ωt + Q sin ωt, t = t₀ + s; the gap is 0.5 − x.
class ByHand {
 public:
  explicit ByHand(double omega) : omega_(omega) {
    const double k = 1.0 - omega * omega, c = 2.0 * gamma_ * omega, D = k * k + c * c;
    P_ = amplitude * k / D;
    Q_ = amplitude * c / D;
  }
  // The time of the last of so many impacts.
  double run(int count) {
    double t = 0.0;
    set_out(t, 0.0, 0.0);
    bool leaves = false;
    for (int k = 0; k < count; ++k) {
      const double s = landing(t, leaves);
      place(t, s);
      t += s;
      set_out(t, stop, -e * v_);
      leaves = true;
    }
    return t;
  }

 private:
  void set_out(double t, double x, double v) {
    double sine, cosine;
    rc::formula::elementary::sincos(omega_ * t, sine, cosine);
    const double xp = P_ * cosine + Q_ * sine, vp = omega_ * (Q_ * cosine - P_ * sine);
    a_ = x - xp;
    b_ = ((v - vp) + gamma_ * a_) / omega_d_;
    // |x''| is at most so much
    bound_ = std::sqrt(a_ * a_ + b_ * b_) + omega_ * omega_ * std::sqrt(P_ * P_ + Q_ * Q_);
    x_ = x;
    v_ = v;
  }
  void place(double t, double s) {
    double sd, cd, sf, cf;
    rc::formula::elementary::sincos(omega_d_ * s, sd, cd);
    rc::formula::elementary::sincos(omega_ * (t + s), sf, cf);
    const double decay = rc::formula::elementary::exp(-gamma_ * s);
    const double u = decay * (a_ * cd + b_ * sd), w = decay * omega_d_ * (b_ * cd - a_ * sd);
    x_ = u + P_ * cf + Q_ * sf;
    v_ = w - gamma_ * u + omega_ * (Q_ * cf - P_ * sf);
  }
  // Steps that cannot miss the stop, then Newton's where x' is bounded away from 0.
  double landing(double t, bool leaves) {
    double s = leaves ? 2.0 * -v_ / bound_ : 0.0;
    while (true) {
      place(t, s);
      const double g = stop - x_, rate = -v_;
      if (rate < 0.0 && 4.0 * g * bound_ < rate * rate) break;
      s += (rate + std::sqrt(rate * rate + 2.0 * bound_ * g)) / bound_;
    }
    for (int k = 0; k < 20; ++k) {
      const double step = (stop - x_) / v_;
      s += step;
      if (std::abs(step) < 1e-8) return s;
      place(t, s);
    }
    return s;
  }

  double omega_, P_ = 0.0, Q_ = 0.0, a_ = 0.0, b_ = 0.0, bound_ = 0.0, x_ = 0.0, v_ = 0.0;
  const double omega_d_ = std::sqrt(1.0 - gamma_ * gamma_);
};

double by_events(double omega, bool account, double until) {
  const auto model = rc::lagrangian({.coordinates = {"x"},
                                     .kinetic = "x_dot^2/2",
                                     .potential = "x^2/2",
                                     .dissipation = "0.02*x_dot^2",
                                     .force = {{"x", rc::Quantity("3*cos(w*t)")}},
                                     .parameters = {{"w", omega}},
                                     .constraints = {{.name = "stop", .gap = "0.5 - x", .restitution = e}}});
  const rc::Solution solution = rc::simulate(*model, {.q = {0.0}}, {0.0, until}, rc::EventDriven{},
                                             {.h = until, .record_every = 0, .keep = false, .account = account});
  return static_cast<double>(solution.impact_count);
}

void exact_flights(benchmark::State& state, double omega, bool account) {
  using clock = std::chrono::steady_clock;
  double hand = 0.0, events = 0.0, found = 0.0;
  const auto seconds = [](clock::time_point from) {
    return std::chrono::duration<double>(clock::now() - from).count();
  };
  for (auto _ : state) {
    const auto first = clock::now();
    const double until = ByHand(omega).run(impacts);
    hand += seconds(first);
    const auto second = clock::now();
    found += by_events(omega, account, until);
    events += seconds(second);
  }
  const double runs = static_cast<double>(state.iterations());
  state.counters["ns_by_hand"] = 1e9 * hand / (runs * impacts);
  state.counters["ns_by_events"] = 1e9 * events / found;
  state.counters["ratio"] = (events / found) / (hand / (runs * impacts));
}

}  // namespace

BENCHMARK_CAPTURE(exact_flights, forced, 2.8, false)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(exact_flights, forced_with_account, 2.8, true)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(exact_flights, resonant, 1.0, false)->Unit(benchmark::kMillisecond);
