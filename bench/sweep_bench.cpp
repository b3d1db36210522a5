// Trajectories of a forced impact oscillator in lanes, from formulas, against the same scheme written by hand:
//     x'' + 2 ζ x' + x = A cos ωt,   x ≤ x_max,   e = 0.8,   h = 1e-3.
#include <benchmark/benchmark.h>

#include <chrono>
#include <filesystem>

#include "against_hand.hpp"
#include "formula/execute.hpp"
#include "relief_valve_by_hand.hpp"
#include "ricochet/formula/elementary.hpp"
#include "ricochet/formula/pack.hpp"
#include "ricochet/io/scenario/scenario_file.hpp"
#include "ricochet/ricochet.hpp"
#include "ricochet/scenario/sweep_plan.hpp"
#include "ricochet/task/sweep.hpp"
#include "scheme/kernel/lane_stepper.hpp"

namespace rc = ricochet;

namespace {

constexpr int steps = 200'000;
constexpr double h = 1e-3;

// Moreau-Jean with θ = γ = ½, written for this oscillator. Both parts of the lanes are carried through a step together.
using Part = rc::formula::Pack<4>;

[[gnu::target("avx2"), gnu::noinline]] void oscillators_by_hand(const double* w, double zeta, double A, double x_max,
                                                                double e, double* q, double* v) {
  Part x[2], u[2], omega[2], f0[2];
  const double a = 0.5 * h, m = 1.0 + h * zeta + a * a;
  const Part inverse = 1.0 / m, two_zeta = 2.0 * zeta, reach = x_max, rebound = e, step = h, half = a, amplitude = A;
  for (int p = 0; p < 2; ++p) {
    x[p] = rc::formula::load<Part>(q + 4 * p), u[p] = rc::formula::load<Part>(v + 4 * p);
    omega[p] = rc::formula::load<Part>(w + 4 * p);
    f0[p] = amplitude;
  }
  for (int k = 1; k <= steps; ++k) {
    const Part t1 = k * h;
    for (int p = 0; p < 2; ++p) {
      const Part f1 = amplitude * rc::formula::elementary::cos(omega[p] * t1);
      const Part load = f0[p] + Part(0.5) * (f1 - f0[p]);
      const Part force = load - (x[p] + half * u[p]) - two_zeta * u[p];
      Part u1 = u[p] + inverse * (step * force);
      const auto active = reach - x[p] - half * u[p] <= Part(0.0);
      if (any(active)) {
        const Part b = -u1 - rebound * u[p];
        const Part P = select(active, select(b < Part(0.0), -b * Part(m), Part(0.0)), Part(0.0));
        u1 = u1 - inverse * P;
      }
      x[p] = x[p] + step * (u[p] + Part(0.5) * (u1 - u[p]));
      u[p] = u1;
      f0[p] = f1;
    }
  }
  for (int p = 0; p < 2; ++p) {
    rc::formula::store(q + 4 * p, x[p]);
    rc::formula::store(v + 4 * p, u[p]);
  }
}

double frequency(int lane) { return 2.0 + 0.1 * lane; }

void lanes_by_hand(double amplitude) {
  alignas(64) double w[rc::lane_count], q[rc::lane_count] = {}, v[rc::lane_count] = {};
  for (int l = 0; l < rc::lane_count; ++l) w[l] = frequency(l);
  oscillators_by_hand(w, 0.05, amplitude, 0.5, 0.8, q, v);
  benchmark::DoNotOptimize(q[0] + v[3]);
}

rc::LagrangianDescription oscillator() {
  return {.coordinates = {"x"},
          .kinetic = "x_dot^2/2",
          .potential = "x^2/2",
          .dissipation = "zeta*x_dot^2",
          .force = {{"x", "A*cos(w*t)"}},
          .parameters = {{"w", 2.0}, {"zeta", 0.05}, {"A", 1.0}, {"x_max", 0.5}},
          .constraints = {{.name = "stop", .gap = "x_max - x", .restitution = 0.8}}};
}

// With the amplitude 1 the stop is out of reach; with 3 every motion hits it.
void lanes(benchmark::State& state, double limit, double amplitude) {
  if (!rc::formula::has_avx2()) return state.SkipWithError("needs AVX2");
  const rc::LagrangianFamily family(oscillator());
  const auto model = family.lanes({2.0, 0.05, amplitude, 0.5});
  for (int l = 0; l < rc::lane_count; ++l)
    model->set(l, std::vector<double>{frequency(l), 0.05, amplitude, 0.5}.data());
  const rc::Scheme scheme = rc::MoreauJean{};
  const auto own = [&] {
    const auto stepper = rc::find_scheme("moreau-jean").make_lanes(*model, scheme, {});
    rc::LaneMotion motion;
    motion.until = steps * h, motion.h = h, motion.steps = steps;
    motion.q = motion.v = {rc::Lanes(0.0)};
    for (int l = 0; l < rc::lane_count; ++l) stepper->begin(motion, l);
    for (std::uint64_t done = 0; done < steps;) done += stepper->advance(motion, steps - done);
    benchmark::DoNotOptimize(motion.q.data());
  };
  rc::against_hand(
      state, limit, 1.0 * steps * rc::lane_count, [&] { lanes_by_hand(amplitude); }, own);
}
BENCHMARK_CAPTURE(lanes, in_flight, 2.5, 1.0)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(lanes, with_impacts, 2.5, 3.0)->Unit(benchmark::kMillisecond);

// The whole engine: a bifurcation diagram over the frequency, on one thread and on two. The time is that of the clock.
class Diagram final : public rc::SweepCases, public rc::SweepWork {
 public:
  Diagram(int trajectories, int periods) : trajectories_(trajectories), periods_(periods), family_(oscillator()) {}
  rc::SweepCase at(std::uint64_t i) const override {
    rc::SweepCase a_case;
    const double w = 2.0 + 2.0 * static_cast<double>(i) / trajectories_;
    a_case.parameters = {w, 0.05, 1.0, 0.5};
    a_case.model = family_.model(a_case.parameters);
    a_case.start = {.q = {0.0}, .v = {0.0}};
    a_case.scheme = rc::MoreauJean{};
    a_case.step = h;
    a_case.period = 6.283185307179586 / w;
    a_case.transient = 0.8 * periods_ * a_case.period;
    a_case.duration = 0.2 * periods_ * a_case.period;
    return a_case;
  }
  const rc::LagrangianFamily* family() const override { return &family_; }
  std::optional<rc::SweepChain> next() override {
    const int i = next_++;
    if (i >= trajectories_) return std::nullopt;
    return rc::SweepChain{{static_cast<std::uint64_t>(i)}};
  }
  void finished(rc::SweepTrajectory&& trajectory) override { steps_ += trajectory.steps; }
  void begin() { next_ = 0; }
  double steps() const { return static_cast<double>(steps_.load()); }

 private:
  const int trajectories_, periods_;
  rc::LagrangianFamily family_;
  std::atomic<int> next_{0};
  std::atomic<std::uint64_t> steps_{0};
};

void diagram(benchmark::State& state) {
  Diagram work(128, 50);
  rc::SweepSettings settings;
  settings.threads = static_cast<int>(state.range(0));
  for (auto _ : state) {
    work.begin();
    rc::sweep(work, settings, work);
  }
  state.counters["ns/step"] =
      benchmark::Counter(work.steps() * 1e-9, benchmark::Counter::kIsRate | benchmark::Counter::kInvert);
}
BENCHMARK(diagram)->Arg(1)->Arg(2)->UseRealTime()->Unit(benchmark::kMillisecond);

// The published relief-valve sweep at 1e-10, on one core: 1,024 maxima passed over and 32 kept for each of its flows;
// beside it the loop written by hand, with the same tolerance and events.
void relief_valve(benchmark::State& state) {
  constexpr int flows = 64;
  const rc::Scenario scenario = rc::load_scenario("gallery:relief-valve-sweep");
  const rc::BuiltSweep built = rc::build_sweep(scenario);
  rc::SweepSettings settings = built.settings;
  settings.threads = 1;
  class Work final : public rc::SweepWork {
   public:
    std::optional<rc::SweepChain> next() override {
      if (next_ == flows) return std::nullopt;
      return rc::SweepChain{{next_++}};
    }
    void finished(rc::SweepTrajectory&&) override {}

   private:
    std::uint64_t next_ = 0;
  };
  double by_hand = 0.0, own = 0.0;
  for (auto _ : state) {
    by_hand += rc::seconds_of([] {
      for (int i = 0; i < flows; ++i)
        benchmark::DoNotOptimize(ReliefValveByHand(0.2 + i * 9.8 / (flows - 1), 1e-10).maxima(1024, 32, 1e4));
    });
    own += rc::seconds_of([&] {
      Work work;
      rc::sweep(*built.cases, settings, work);
    });
  }
  const double count = flows * static_cast<double>(state.iterations()), rate = count / own, hand = count / by_hand;
  state.counters["a second by hand"] = hand;
  state.counters["a second"] = rate;
  state.counters["at least"] = std::max(35.0, hand);
  state.SetLabel(rate >= std::max(35.0, hand) ? "within its limit" : "BELOW ITS LIMIT");
}
BENCHMARK(relief_valve)->Unit(benchmark::kMillisecond);

// 2,048 oscillators by exact flights on two threads, 100 periods passed over and 20 points kept, from the text of the
// scenario to the file of the result. The time is that of the clock; the fastest counts.
void exact_sweep(benchmark::State& state) {
  constexpr double limit = 0.2;
  const rc::ScenarioFile file(R"toml(
[model]
coordinates = ["x"]
parameters  = { w = 2.0 }
kinetic     = "x_dot^2/2"
potential   = "x^2/2"
dissipation = "0.02*x_dot^2"
force       = { x = "3*cos(w*t)" }
[[model.constraint]]
name = "stop"
gap = "0.5 - x"
restitution = 0.8
[initial]
q = { x = 0.0 }
[scheme]
name = "event-driven"
flow = "exact"
[time]
until = 10.0
step = 0.1
[sweep]
axis = [{ parameter = "model.parameters.w", range = [2.0, 4.0], count = 2048 }]
transient = "100*2*pi/w"
duration = "20*2*pi/w"
period = "2*pi/w"
record = "stroboscopic"
)toml",
                              "oscillators.toml", {}, nullptr);
  const std::filesystem::path output = std::filesystem::temp_directory_path() / "ricochet-bench-exact-sweep.h5";
  double fastest = std::numeric_limits<double>::infinity();
  for (auto _ : state) {
    rc::SweepRequest request;
    request.sink = rc::sweep_file_sink(output);
    request.threads = 2;
    request.restart = true;
    const auto begin = std::chrono::steady_clock::now();
    rc::sweep_scenario(file, request);
    fastest = std::min(fastest, std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count());
  }
  std::filesystem::remove(output);
  state.counters["seconds"] = fastest;
  state.counters["limit"] = limit;
  state.SetLabel(fastest <= limit ? "within its limit" : "ABOVE ITS LIMIT");
}
BENCHMARK(exact_sweep)->UseRealTime()->Unit(benchmark::kMillisecond);

}  // namespace
