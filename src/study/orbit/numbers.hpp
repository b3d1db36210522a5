// Orbits and points of branches as numbers and back, every bit kept: what a walk remembers of its steps.
//
// One list of members a type serves both ways.
#pragma once

#include <array>
#include <complex>
#include <concepts>
#include <cstddef>
#include <string>
#include <type_traits>
#include <vector>

#include "ricochet/core/error.hpp"
#include "ricochet/study/special_curves.hpp"
#include "study/orbit/branch_points.hpp"

namespace ricochet::branches {

// Calls `pass` with each member.
void members(OrbitFriction& x, auto&& pass) { pass(x.mode, x.s); }
void members(OrbitHold& x, auto&& pass) { pass(x.contacts, x.frictions); }
void members(OrbitBlow& x, auto&& pass) { pass(x.contacts, x.frictions); }
void members(OrbitArc& x, auto&& pass) { pass(x.y, x.tau, x.end, x.which, x.struck, x.blows, x.held); }
void members(OrbitChain& x, auto&& pass) { pass(x.t, x.periods, x.arcs, x.shift, x.unknown_shifts); }
void members(OrbitImpact& x, auto&& pass) { pass(x.t, x.constraint, x.rate_minus, x.rate_plus, x.arc); }
void members(State& x, auto&& pass) { pass(x.t, x.q, x.v, x.z); }
void members(EnergyLedger& x, auto&& pass) {
  pass(x.initial, x.final, x.input, x.damping, x.impact, x.friction, x.numerical, x.numerical_is_remainder, x.turnover);
}
void members(Orbit& x, auto&& pass) {
  pass(x.chain, x.period, x.impacts, x.multipliers, x.stable, x.residual, x.iterations, x.state, x.returns, x.rms,
       x.energy, x.inadmissible);
}
void members(OrbitSearch& x, auto&& pass) { pass(x.orbit, x.failure, x.simulated, x.moved); }
void members(LowestMargin& x, auto&& pass) { pass(x.which, x.arc, x.s, x.value); }
void members(Point& x, auto&& pass) {
  pass(x.chain, x.p, x.tangent, x.tests, x.orbit, x.lowest, x.iterations, x.cosine);
}

void members(OrbitCurve& x, auto&& pass) { pass(x.kind, x.first, x.second, x.begin, x.end); }

template <class T>
concept WholeNumber = std::integral<T> || std::is_enum_v<T>;

class NumberWriter {
 public:
  std::vector<double> numbers;

  template <class... All>
  void operator()(All&... all) {
    (put(all), ...);
  }

 private:
  void put(const double& x) { numbers.push_back(x); }
  void put(const WholeNumber auto& x) { numbers.push_back(static_cast<double>(x)); }
  void put(std::complex<double>& x) { numbers.insert(numbers.end(), {x.real(), x.imag()}); }
  template <class T>
  void put_list(T& list) {
    for (auto& entry : list) put(entry);
  }
  template <class T>
  void put(std::vector<T>& list) {
    numbers.push_back(static_cast<double>(list.size()));
    put_list(list);
  }
  void put(std::string& text) {
    numbers.push_back(static_cast<double>(text.size()));
    put_list(text);
  }
  template <class T, std::size_t n>
  void put(std::array<T, n>& list) {
    put_list(list);
  }
  template <class T>
  void put(T& x) requires requires {
    members(x, *this);
  }
  { members(x, *this); }
};

class NumberReader {
 public:
  explicit NumberReader(const std::vector<double>& numbers) : numbers_(numbers) {}

  template <class... All>
  void operator()(All&... all) {
    (take(all), ...);
  }

 private:
  double next() {
    if (place_ == numbers_.size()) throw Error("what was kept of a step along a branch is damaged");
    return numbers_[place_++];
  }
  std::size_t size() {
    const double size = next();
    if (!(size >= 0.0 && size <= static_cast<double>(numbers_.size()))) throw Error("what was kept is damaged");
    return static_cast<std::size_t>(size);
  }
  void take(double& x) { x = next(); }
  template <WholeNumber T>
  void take(T& x) {
    if constexpr (std::is_enum_v<T>) {
      x = static_cast<T>(static_cast<int>(next()));
    } else {
      x = static_cast<T>(next());
    }
  }
  void take(std::complex<double>& x) {
    const double real = next();
    x = {real, next()};
  }
  template <class T>
  void take_list(T& list) {
    for (auto& entry : list) take(entry);
  }
  template <class T>
  void take(std::vector<T>& list) {
    list.resize(size());
    take_list(list);
  }
  void take(std::string& text) {
    text.resize(size());
    take_list(text);
  }
  template <class T, std::size_t n>
  void take(std::array<T, n>& list) {
    take_list(list);
  }
  template <class T>
  void take(T& x) requires requires {
    members(x, *this);
  }
  { members(x, *this); }

  const std::vector<double>& numbers_;
  std::size_t place_ = 0;
};

// What `work` gives, or gave when it was done before. An end that was asked for is not kept.
template <class Result, class Work>
Result remembered(StepMemory* memory, const std::atomic<bool>* interrupt, const Work& work) {
  Result result;
  if (memory == nullptr) return work();
  if (const std::optional<std::vector<double>> known = memory->recall()) {
    NumberReader reader(*known);
    reader(result);
    return result;
  }
  result = work();
  if (is_set(interrupt)) return result;
  NumberWriter writer;
  writer(result);
  memory->keep(std::move(writer.numbers));
  return result;
}

}  // namespace ricochet::branches
