// The tape against the same formula written in C++, with its derivatives by q1 and v1:
//   m*l^2*sin(q1)*v1^2 - k*(q1-q2) + A*cos(w*t)
#include <benchmark/benchmark.h>

#include <cmath>
#include <string>
#include <vector>

#include "ricochet/core/lanes.hpp"
#include "ricochet/formula/elementary.hpp"
#include "ricochet/formula/graph.hpp"
#include "ricochet/formula/parse.hpp"
#include "ricochet/formula/tape.hpp"

namespace {

using ricochet::Lanes;
using ricochet::formula::Bank;
using ricochet::formula::Graph;
using ricochet::formula::Inputs;
using ricochet::formula::NodeId;
using ricochet::formula::SymbolTable;
using ricochet::formula::Tape;
namespace elementary = ricochet::formula::elementary;

constexpr double parameter_values[] = {1.3, 0.7, 25.0, 2.0, 3.1};  // m, l, k, A, w
constexpr int sample_count = 256;

SymbolTable symbols() {
  SymbolTable table;
  int index = 0;
  for (const char* name : {"m", "l", "k", "A", "w"}) table.add(name, {Bank::parameter, index++});
  for (int i = 0; i < 2; ++i) {
    table.add("q" + std::to_string(i + 1), {Bank::coordinate, i});
    table.add("v" + std::to_string(i + 1), {Bank::velocity, i});
  }
  return table;
}

Tape benchmark_tape() {
  Graph graph;
  const NodeId f = parse(graph, "m*l^2*sin(q1)*v1^2 - k*(q1-q2) + A*cos(w*t)", symbols());
  return {graph, {f, graph.derivative(f, {Bank::coordinate, 0}), graph.derivative(f, {Bank::velocity, 0})}};
}

// Points along a motion.
template <class Value>
struct Sample {
  Value t, q[2], v[2];
};
template <class Value>
std::vector<Sample<Value>> samples() {
  std::vector<Sample<Value>> result(sample_count);
  for (int i = 0; i < sample_count; ++i) {
    auto& s = result[static_cast<std::size_t>(i)];
    for (int k = 0; k < ricochet::width<Value>; ++k) {
      const double t = 0.01 * i + 0.003 * k;
      ricochet::set_lane(s.t, k, t);
      ricochet::set_lane(s.q[0], k, std::sin(3.0 * t));
      ricochet::set_lane(s.q[1], k, 0.5 * std::cos(2.0 * t));
      ricochet::set_lane(s.v[0], k, 3.0 * std::cos(3.0 * t));
      ricochet::set_lane(s.v[1], k, -std::sin(2.0 * t));
    }
  }
  return result;
}

// The three values as one would write them, with the parameters known at run time only.
template <class Value>
struct Parameters {
  Value m, l, k, A, w;
};
struct LibraryFunctions {
  static double sin(double x) { return std::sin(x); }
  static double cos(double x) { return std::cos(x); }
};
struct OwnFunctions {
  template <class Value>
  [[gnu::always_inline]] static Value sin(const Value& x) {
    return elementary::sin(x);
  }
  template <class Value>
  [[gnu::always_inline]] static Value cos(const Value& x) {
    return elementary::cos(x);
  }
};
template <class Functions, class Value>
[[gnu::always_inline]] inline void by_hand(const Parameters<Value>& p, const Sample<Value>& s, Value* out) {
  const Value sine = Functions::sin(s.q[0]), cosine = Functions::cos(s.q[0]);
  const Value ml2 = p.m * p.l * p.l;
  out[0] = ml2 * sine * s.v[0] * s.v[0] - p.k * (s.q[0] - s.q[1]) + p.A * Functions::cos(p.w * s.t);
  out[1] = ml2 * cosine * s.v[0] * s.v[0] - p.k;
  out[2] = 2.0 * ml2 * sine * s.v[0];
}

// Lanes are calculated in packs: this is the same for one pack of them.
template <class Pack>
struct PackLanes {
  template <class Functions>
  [[gnu::always_inline]] static void by_hand_lanes(const Parameters<Lanes>& p, const Sample<Lanes>& s, Lanes* out) {
    constexpr int width = ricochet::formula::pack_width<Pack>;
    const auto part = [](const Lanes& x, int i) __attribute__((always_inline)) {
      return ricochet::formula::load<Pack>(reinterpret_cast<const double*>(&x) + i);
    };
    for (int i = 0; i < ricochet::lane_count; i += width) {
      const Parameters<Pack> pp{part(p.m, i), part(p.l, i), part(p.k, i), part(p.A, i), part(p.w, i)};
      const Sample<Pack> ss{part(s.t, i), {part(s.q[0], i), part(s.q[1], i)}, {part(s.v[0], i), part(s.v[1], i)}};
      Pack result[3];
      by_hand<Functions>(pp, ss, result);
      for (int k = 0; k < 3; ++k) ricochet::formula::store(reinterpret_cast<double*>(out + k) + i, result[k]);
    }
  }
};

template <class Value>
Parameters<Value> hidden_parameters() {
  const double* p = parameter_values;
  Parameters<Value> result{p[0], p[1], p[2], p[3], p[4]};
  benchmark::DoNotOptimize(&result);
  benchmark::ClobberMemory();
  return result;
}

template <class Value, class Evaluate>
void measure(benchmark::State& state, const Evaluate& evaluate) {
  const auto points = samples<Value>();
  Value out[3];
  benchmark::DoNotOptimize(&out);
  for (auto _ : state) {
    for (const auto& s : points) {
      evaluate(s, out);
      benchmark::ClobberMemory();
    }
  }
  state.SetItemsProcessed(state.iterations() * sample_count * ricochet::width<Value>);
  state.counters["ns_per_evaluation"] =
      benchmark::Counter(static_cast<double>(state.iterations()) * sample_count * 1e-9,
                         benchmark::Counter::kIsRate | benchmark::Counter::kInvert);
}

template <class Value>
void formula_tape(benchmark::State& state) {
  const Tape tape = benchmark_tape();
  const std::vector<Value> parameters(std::begin(parameter_values), std::end(parameter_values));
  const auto constants = tape.constants(parameters.data());
  measure<Value>(state, [&](const Sample<Value>& s, Value* out) {
    tape.evaluate<Value>({.t = &s.t, .q = s.q, .v = s.v}, constants.data(), out);
  });
}
BENCHMARK(formula_tape<double>)->Name("formula/scalar/tape");
BENCHMARK(formula_tape<Lanes>)->Name("formula/lanes/tape");

void formula_by_hand(benchmark::State& state) {
  const auto p = hidden_parameters<double>();
  measure<double>(state, [&](const Sample<double>& s, double* out) { by_hand<LibraryFunctions>(p, s, out); });
}
BENCHMARK(formula_by_hand)->Name("formula/scalar/by_hand_std");

void formula_by_hand_own(benchmark::State& state) {
  const auto p = hidden_parameters<double>();
  measure<double>(state, [&](const Sample<double>& s, double* out) { by_hand<OwnFunctions>(p, s, out); });
}
BENCHMARK(formula_by_hand_own)->Name("formula/scalar/by_hand_own_sin");

void formula_by_hand_lanes(benchmark::State& state) {
  const auto p = hidden_parameters<Lanes>();
  measure<Lanes>(state, [&](const Sample<Lanes>& s, Lanes* out) {
    PackLanes<ricochet::formula::NativePack>::by_hand_lanes<OwnFunctions>(p, s, out);
  });
}
BENCHMARK(formula_by_hand_lanes)->Name("formula/lanes/by_hand");

#if defined(__x86_64__)
__attribute__((target("avx2"), noinline)) void by_hand_avx2(const Parameters<Lanes>& p, const Sample<Lanes>& s,
                                                            Lanes* out) {
  PackLanes<ricochet::formula::Pack<4>>::by_hand_lanes<OwnFunctions>(p, s, out);
}
void formula_by_hand_lanes_avx2(benchmark::State& state) {
  if (!__builtin_cpu_supports("avx2")) return state.SkipWithError("this machine has no AVX2");
  const auto p = hidden_parameters<Lanes>();
  measure<Lanes>(state, [&](const Sample<Lanes>& s, Lanes* out) { by_hand_avx2(p, s, out); });
}
BENCHMARK(formula_by_hand_lanes_avx2)->Name("formula/lanes/by_hand_avx2");
#endif

// Three outputs that are constant: only copied.
template <class Value>
void formula_constant(benchmark::State& state) {
  Graph graph;
  const Tape tape(graph,
                  {parse(graph, "m*l^2", symbols()), parse(graph, "k/2", symbols()), parse(graph, "0", symbols())});
  const std::vector<Value> parameters(std::begin(parameter_values), std::end(parameter_values));
  const auto constants = tape.constants(parameters.data());
  measure<Value>(state, [&](const Sample<Value>& s, Value* out) {
    tape.evaluate<Value>({.t = &s.t, .q = s.q, .v = s.v}, constants.data(), out);
  });
}
BENCHMARK(formula_constant<double>)->Name("formula/scalar/constant");
BENCHMARK(formula_constant<Lanes>)->Name("formula/lanes/constant");

// Arithmetic alone: what an instruction costs.
template <class Value>
void formula_arithmetic(benchmark::State& state) {
  Graph graph;
  const Tape tape(graph,
                  {parse(graph, "(q1+q2)*(v1-v2)+(q1*v2-v1)*(q2+t)-(q1+t)*(q2-v1)+v2*(q1-v2)*(t+v1)", symbols())});
  measure<Value>(state, [&](const Sample<Value>& s, Value* out) {
    tape.evaluate<Value>({.t = &s.t, .q = s.q, .v = s.v}, nullptr, out);
  });
  state.counters["instructions"] = tape.instruction_count();
}
BENCHMARK(formula_arithmetic<double>)->Name("formula/scalar/arithmetic");
BENCHMARK(formula_arithmetic<Lanes>)->Name("formula/lanes/arithmetic");

}  // namespace
