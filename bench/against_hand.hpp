// A row of the table of docs/benchmark.md: what a run costs beside the same work written by hand, and the most it may.
#pragma once

#include <benchmark/benchmark.h>

#include <algorithm>
#include <limits>

#include "cpu_time.hpp"

namespace ricochet {

// Both run in turns, so that a busy machine slows both; each counts with its fastest run. `count`: of what the times
// are given for, steps or impacts.
template <class Hand, class Own>
void against_hand(benchmark::State& state, double limit, double count, const Hand& hand, const Own& own) {
  double by_hand = std::numeric_limits<double>::infinity(), by_us = by_hand;
  for (auto _ : state) {
    by_hand = std::min(by_hand, seconds_of(hand));
    by_us = std::min(by_us, seconds_of(own));
  }
  state.counters["ns by hand"] = 1e9 * by_hand / count;
  state.counters["ns"] = 1e9 * by_us / count;
  state.counters["ratio"] = by_us / by_hand;
  state.counters["limit"] = limit;
  state.SetLabel(by_us <= limit * by_hand ? "within its limit" : "ABOVE ITS LIMIT");
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

}  // namespace ricochet
