#include "ricochet/formula/interval.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

namespace ricochet::formula {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity(), pi = 3.14159265358979323846;

// Bounds a little further apart: the elementary functions are right to some units of the last place.
Interval widened(double lower, double upper, bool is_number) {
  constexpr double few = 8.0 * std::numeric_limits<double>::epsilon();
  const auto moved = [](double x, double to) {
    if (std::isnan(x) || std::isinf(x)) return x == -to ? std::copysign(std::numeric_limits<double>::max(), x) : to;
    return std::nextafter(x + std::copysign(few * std::abs(x), to), to);
  };
  return {moved(lower, -infinity), moved(upper, infinity), is_number};
}

Interval hull(const Interval& a, const Interval& b) {
  return {std::min(a.lower, b.lower), std::max(a.upper, b.upper), a.is_number && b.is_number};
}

// 0 times a bound without limit is 0: the numbers themselves are finite.
double product(double x, double y) { return x == 0.0 || y == 0.0 ? 0.0 : x * y; }

Interval multiply(const Interval& a, const Interval& b) {
  const auto [least, most] = std::minmax(
      {product(a.lower, b.lower), product(a.lower, b.upper), product(a.upper, b.lower), product(a.upper, b.upper)});
  return widened(least, most, a.is_number && b.is_number);
}

Interval divide(const Interval& a, const Interval& b) {
  if (b.contains(0.0)) return {-infinity, infinity, false};
  return multiply(a, widened(1.0 / b.upper, 1.0 / b.lower, b.is_number));
}

template <class Function>
Interval rising(const Interval& a, const Function& function) {
  return widened(function(a.lower), function(a.upper), a.is_number);
}

// A rising function that is defined from `least` to `most` only.
template <class Function>
Interval rising_within(const Interval& a, double least, double most, const Function& function) {
  const bool inside = a.lower >= least && a.upper <= most;
  if (a.upper < least || a.lower > most) return {-infinity, infinity, false};
  return rising({std::max(a.lower, least), std::min(a.upper, most), a.is_number && inside}, function);
}

Interval absolute(const Interval& a) {
  const double near = a.contains(0.0) ? 0.0 : std::min(std::abs(a.lower), std::abs(a.upper));
  return {near, std::max(std::abs(a.lower), std::abs(a.upper)), a.is_number};
}

// cos(a − shift), which is 1 at shift + 2kπ and −1 in the middle between.
Interval wave(const Interval& a, double shift) {
  constexpr double far = 1e3, slack = 1e-12;
  if (!(a.upper - a.lower < 2.0 * pi) || std::abs(a.lower) > far || std::abs(a.upper) > far)
    return {-1.0, 1.0, a.is_number};
  const auto reaches = [&](double top) { return top + 2.0 * pi * std::ceil((a.lower - top) / (2.0 * pi)) <= a.upper; };
  const double x = std::cos(a.lower - shift), y = std::cos(a.upper - shift);
  return {reaches(shift + pi) ? -1.0 : std::max(-1.0, std::min(x, y) - slack),
          reaches(shift) ? 1.0 : std::min(1.0, std::max(x, y) + slack), a.is_number};
}

Interval tangent(const Interval& a) {
  const double turns = std::floor(a.lower / pi + 0.5);
  if (!(std::abs(a.lower) < 1e3 && a.upper < (turns + 0.5) * pi - 1e-9)) return {-infinity, infinity, false};
  return rising(a, [](double x) { return std::tan(x); });
}

Interval whole_power(const Interval& a, double n) {
  if (n < 0.0) return divide(Interval::point(1.0), whole_power(a, -n));
  const bool even = std::fmod(n, 2.0) == 0.0;
  return rising(even ? absolute(a) : a, [n](double x) { return std::pow(x, n); });
}

Interval power(const Interval& a, const Interval& b) {
  if (b.lower == b.upper && b.lower == std::trunc(b.lower)) return whole_power(a, b.lower);
  if (b.lower == b.upper && b.lower > 0.0)
    return rising_within(a, 0.0, infinity, [&](double x) { return std::pow(x, b.lower); });
  // a^b = exp(b log a)
  if (!(a.lower > 0.0)) return {-infinity, infinity, false};
  return calculate(Operation::exp, multiply(b, calculate(Operation::log, a)));
}

Interval truth(bool always, bool never, bool is_number) { return {always ? 1.0 : 0.0, never ? 0.0 : 1.0, is_number}; }

Interval choose(const Interval& condition, const Interval& a, const Interval& b) {
  if (!condition.contains(0.0)) return {a.lower, a.upper, a.is_number && condition.is_number};
  Interval chosen = condition.lower == condition.upper ? b : hull(a, b);
  chosen.is_number = chosen.is_number && condition.is_number;
  return chosen;
}

Interval compare(Operation operation, const Interval& a, const Interval& b) {
  const bool is_number = a.is_number && b.is_number, apart = a.upper < b.lower || b.upper < a.lower;
  const bool same = a.lower == a.upper && b.lower == b.upper && a.lower == b.lower;
  switch (operation) {
    case Operation::less: return truth(a.upper < b.lower, a.lower >= b.upper, is_number);
    case Operation::less_equal: return truth(a.upper <= b.lower, a.lower > b.upper, is_number);
    case Operation::equal: return truth(same, apart, is_number);
    default: return truth(apart, same, is_number);
  }
}

bool is_bounded(const Interval& a) { return std::isfinite(a.lower) && std::isfinite(a.upper); }

Interval bounds(Operation operation, const Interval& a, const Interval& b, const Interval& c) {
  using enum Operation;
  const bool both = a.is_number && b.is_number;
  const auto sign_of = [](double x) { return x > 0.0 ? 1.0 : x < 0.0 ? -1.0 : 0.0; };
  switch (operation) {
    case negate: return {-a.upper, -a.lower, a.is_number};
    case add: return widened(a.lower + b.lower, a.upper + b.upper, both);
    case subtract: return widened(a.lower - b.upper, a.upper - b.lower, both);
    case multiply: return formula::multiply(a, b);
    case divide: return formula::divide(a, b);
    case power: return formula::power(a, b);
    case sin: return wave(a, pi / 2.0);
    case cos: return wave(a, 0.0);
    case tan: return tangent(a);
    case asin: return rising_within(a, -1.0, 1.0, [](double x) { return std::asin(x); });
    case acos: return calculate(subtract, Interval::point(pi / 2.0), calculate(asin, a));
    case atan: return rising(a, [](double x) { return std::atan(x); });
    case atan2: return widened(-pi, pi, both);
    case sinh: return rising(a, [](double x) { return std::sinh(x); });
    case cosh: return rising(absolute(a), [](double x) { return std::cosh(x); });
    case tanh: return rising(a, [](double x) { return std::tanh(x); });
    case exp: {
      const Interval e = rising(a, [](double x) { return std::exp(x); });
      return {std::max(0.0, e.lower), e.upper, e.is_number};
    }
    case log:
    case log10: {
      const double unit = operation == log ? 1.0 : std::log(10.0);
      const Interval l = rising_within(a, 0.0, infinity, [&](double x) { return std::log(x) / unit; });
      return {l.lower, l.upper, l.is_number && a.lower > 0.0};
    }
    case sqrt: {
      const Interval root = rising_within(a, 0.0, infinity, [](double x) { return std::sqrt(x); });
      return {std::max(0.0, root.lower), root.upper, root.is_number};
    }
    case abs: return absolute(a);
    case sign: return {sign_of(a.lower), sign_of(a.upper), a.is_number};
    case step: return truth(a.lower >= 0.0, a.upper < 0.0, a.is_number);
    case min: return {std::min(a.lower, b.lower), std::min(a.upper, b.upper), both};
    case max: return {std::max(a.lower, b.lower), std::max(a.upper, b.upper), both};
    case floor: return {std::floor(a.lower), std::floor(a.upper), a.is_number};
    case curve: {
      const auto [least, most] = curve_of(b.lower).bounds(a.lower, a.upper);
      return widened(least, most, a.is_number);
    }
    case select: return choose(a, b, c);
    case number:
    case symbol: return {};
    default: return compare(operation, a, b);
  }
}

}  // namespace

Interval calculate(Operation operation, const Interval& a, const Interval& b, const Interval& c) {
  Interval result = bounds(operation, a, b, c);
  // What has no bounds where its operands have some may overflow, and infinities are no numbers to go on with.
  const int operands = arity(operation);
  if (is_bounded(a) && (operands < 2 || is_bounded(b)) && (operands < 3 || is_bounded(c)))
    result.is_number = result.is_number && is_bounded(result);
  return result;
}

Interval range(const Graph& graph, NodeId node, const std::function<Interval(Symbol)>& symbol) {
  // Operands have smaller ids than their node: those that are needed are known from above, their values from below.
  std::vector<char> needed(static_cast<std::size_t>(node) + 1, 0);
  needed[node] = 1;
  const auto is_value = [&](NodeId id) { return graph.at(id).operation <= Operation::symbol; };
  for (NodeId id = node; id >= 0; --id)
    if (needed[id] && !is_value(id))
      for (const NodeId operand : {graph.at(id).a, graph.at(id).b, graph.at(id).c})
        if (operand >= 0) needed[operand] = 1;
  std::vector<Interval> values(needed.size());
  for (NodeId id = 0; id <= node; ++id) {
    if (!needed[id]) continue;
    const Node& n = graph.at(id);
    const auto of = [&](NodeId operand) { return operand < 0 ? Interval{} : values[operand]; };
    if (n.operation == Operation::number)
      values[id] = std::isfinite(n.value) ? Interval::point(n.value) : Interval{-infinity, infinity, false};
    else if (n.operation == Operation::symbol)
      values[id] = symbol({static_cast<Bank>(n.a), n.b});
    else if (n.operation == Operation::multiply && n.a == n.b)
      values[id] = calculate(Operation::power, of(n.a), Interval::point(2.0));
    else
      values[id] = calculate(n.operation, of(n.a), of(n.b), of(n.c));
  }
  return values[node];
}

}  // namespace ricochet::formula
