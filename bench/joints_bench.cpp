// Steps of a chain of links with pins: in Cartesian coordinates, 3 coordinates and 2 rows of joints a link, and in its
// angles, without joints and with a full mass matrix. `growth` is the exponent of the cost in the number of links.
#include <benchmark/benchmark.h>

#include <cmath>
#include <ctime>
#include <memory>
#include <string>

#include "ricochet/ricochet.hpp"
#include "support/link_chain.hpp"

namespace rc = ricochet;

namespace {

// A step, with the time that the thread needed: a busy machine does not count.
template <class Chain>
class Steps {
 public:
  Steps(int links, const rc::Scheme& scheme)
      : chain_({.links = links}), state_(chain_.wave()), stepper_(rc::make_stepper(chain_, scheme)) {
    stepper_->begin(state_);
    seconds();
  }
  double seconds() {
    const double begin = now();
    failed_ = failed_ || stepper_->advance(state_, h, state_.t + h, report_) != rc::FailureKind::none;
    return now() - begin;
  }
  bool failed() const { return failed_; }

 private:
  static constexpr double h = 1e-3;
  static double now() {
    timespec time{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
  }

  const Chain chain_;
  rc::State state_;
  rc::StepReport report_;
  std::unique_ptr<rc::Stepper> stepper_;
  bool failed_ = false;
};

// Few and many links in turns, so that a busy machine slows both.
template <class Chain>
void chain_step(benchmark::State& state, const rc::Scheme& scheme, int few, int many) {
  Steps<Chain> small(few, scheme), large(many, scheme);
  double few_seconds = 0.0, many_seconds = 0.0;
  for (auto _ : state) {
    few_seconds += small.seconds();
    many_seconds += large.seconds();
  }
  if (small.failed() || large.failed()) state.SkipWithError("a step failed");
  const double steps = static_cast<double>(state.iterations());
  state.counters["ms of " + std::to_string(few)] = 1e3 * few_seconds / steps;
  state.counters["ms of " + std::to_string(many)] = 1e3 * many_seconds / steps;
  state.counters["growth"] = std::log(many_seconds / few_seconds) / std::log(static_cast<double>(many) / few);
}
void links_with_pins(benchmark::State& state, const rc::Scheme& scheme) {
  chain_step<rc::testing::LinkChain>(state, scheme, 125, 1000);
}
void links_in_angles(benchmark::State& state, const rc::Scheme& scheme) {
  chain_step<rc::testing::ChainInAngles>(state, scheme, 32, 125);
}
BENCHMARK_CAPTURE(links_with_pins, moreau_jean, rc::Scheme{"moreau-jean"})->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(links_with_pins, newmark, rc::Scheme{"newmark"})->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(links_with_pins, nsga, rc::Scheme{"nsga"})->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(links_with_pins, d1_minus, rc::Scheme{"d1-minus"})->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(links_with_pins, event_driven, rc::Scheme{"event-driven"})->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(links_in_angles, d1_minus, rc::Scheme{"d1-minus"})->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(links_in_angles, event_driven, rc::Scheme{"event-driven"})->Unit(benchmark::kMillisecond);

}  // namespace
