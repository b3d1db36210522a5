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

// Goes through all numbers of a structure, before those of a list its size: pass(x) puts x down, or reads it. Lists
// have at most so many entries.
template <class Pass>
class NumberWalk {
 public:
  NumberWalk(Pass pass, std::size_t most) : pass_(std::move(pass)), most_(static_cast<double>(most)) {}

  template <class... All>
  void operator()(All&... all) {
    (go(all), ...);
  }

 private:
  void go(double& x) { pass_(x); }
  template <WholeNumber T>
  void go(T& x) {
    double number = static_cast<double>(x);
    pass_(number);
    if constexpr (std::is_enum_v<T>) {
      x = static_cast<T>(static_cast<int>(number));
    } else {
      x = static_cast<T>(number);
    }
  }
  void go(std::complex<double>& x) {
    double real = x.real(), imaginary = x.imag();
    pass_(real), pass_(imaginary);
    x = {real, imaginary};
  }
  template <class List>
  void go_list(List& list) {
    double size = static_cast<double>(list.size());
    pass_(size);
    if (!(size >= 0.0 && size <= most_)) throw Error("what was kept is damaged");
    list.resize(static_cast<std::size_t>(size));
    for (auto& entry : list) go(entry);
  }
  template <class T>
  void go(std::vector<T>& list) {
    go_list(list);
  }
  void go(std::string& text) { go_list(text); }
  template <class T, std::size_t n>
  void go(std::array<T, n>& list) {
    for (auto& entry : list) go(entry);
  }
  template <class T>
  void go(T& x) requires requires {
    members(x, *this);
  }
  { members(x, *this); }

  Pass pass_;
  const double most_;
};

// What `work` gives, or gave when it was done before. An end that was asked for is not kept.
template <class Result, class Work>
Result remembered(StepMemory* memory, const std::atomic<bool>* interrupt, const Work& work) {
  Result result;
  if (memory == nullptr) return work();
  if (const std::optional<std::vector<double>> known = memory->recall()) {
    std::size_t place = 0;
    const auto next = [&](double& x) {
      if (place == known->size()) throw Error("what was kept of a step along a branch is damaged");
      x = (*known)[place++];
    };
    NumberWalk(next, known->size())(result);
    return result;
  }
  result = work();
  if (is_set(interrupt)) return result;
  std::vector<double> numbers;
  NumberWalk([&](double x) { numbers.push_back(x); }, std::numeric_limits<std::size_t>::max())(result);
  memory->keep(std::move(numbers));
  return result;
}

}  // namespace ricochet::branches
