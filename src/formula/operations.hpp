// What each operation calculates: one definition for folding, evaluation and lanes.
#pragma once

#include "ricochet/formula/elementary.hpp"
#include "ricochet/formula/graph.hpp"

namespace ricochet::formula {

// Powers with a literal exponent up to this size are repeated multiplication.
inline constexpr int largest_multiplied_power = 8;

inline bool is_multiplied_power(double exponent) {
  return exponent == std::trunc(exponent) && std::fabs(exponent) <= largest_multiplied_power;
}

// xⁿ for 1 ≤ n: x^2k = (x^k)², x^(2k+1) = x^2k x. The tape multiplies in the same order.
inline double multiplied_power(double x, int n) {
  if (n == 1) return x;
  if (n % 2 == 1) return multiplied_power(x, n - 1) * x;
  const double half = multiplied_power(x, n / 2);
  return half * half;
}

// A power whose exponent is a literal number.
inline double literal_power(double x, double exponent) {
  if (!is_multiplied_power(exponent)) return elementary::pow(x, exponent);
  const int n = static_cast<int>(exponent);
  if (n == 0) return 1.0;
  return n > 0 ? multiplied_power(x, n) : 1.0 / multiplied_power(x, -n);
}

// `power` is the general one here.
template <Operation operation, class Value>
[[gnu::always_inline]] inline Value calculate(const Value& a, const Value& b, const Value& c) {
  using O = Operation;
  namespace e = elementary;
  const auto truth = [](const auto& mask) __attribute__((always_inline)) {
    return select(mask, Value(1.0), Value(0.0));
  };
  if constexpr (operation == O::negate) return -a;
  if constexpr (operation == O::add) return a + b;
  if constexpr (operation == O::subtract) return a - b;
  if constexpr (operation == O::multiply) return a * b;
  if constexpr (operation == O::divide) return a / b;
  if constexpr (operation == O::power) return e::pow(a, b);
  if constexpr (operation == O::sin) return e::sin(a);
  if constexpr (operation == O::cos) return e::cos(a);
  if constexpr (operation == O::tan) return e::tan(a);
  if constexpr (operation == O::asin) return e::asin(a);
  if constexpr (operation == O::acos) return e::acos(a);
  if constexpr (operation == O::atan) return e::atan(a);
  if constexpr (operation == O::atan2) return e::atan2(a, b);
  if constexpr (operation == O::sinh) return e::sinh(a);
  if constexpr (operation == O::cosh) return e::cosh(a);
  if constexpr (operation == O::tanh) return e::tanh(a);
  if constexpr (operation == O::exp) return e::exp(a);
  if constexpr (operation == O::log) return e::log(a);
  if constexpr (operation == O::log10) return e::log10(a);
  if constexpr (operation == O::sqrt) return e::sqrt(a);
  if constexpr (operation == O::abs) return e::abs(a);
  if constexpr (operation == O::sign) return e::sign(a);
  if constexpr (operation == O::step) return e::step(a);
  if constexpr (operation == O::min) return e::min(a, b);
  if constexpr (operation == O::max) return e::max(a, b);
  if constexpr (operation == O::floor) return e::floor(a);
  if constexpr (operation == O::less) return truth(a < b);
  if constexpr (operation == O::less_equal) return truth(a <= b);
  if constexpr (operation == O::equal) return truth(a == b);
  if constexpr (operation == O::not_equal) return truth(a != b);
  if constexpr (operation == O::select) return select(a != Value(0.0), b, c);
}

// The operations that calculate something, to write the same line for each.
// clang-format off
#define RICOCHET_FORMULA_OPERATIONS(X) \
  X(negate) X(add) X(subtract) X(multiply) X(divide) X(power) \
  X(sin) X(cos) X(tan) X(asin) X(acos) X(atan) X(atan2) X(sinh) X(cosh) X(tanh) X(exp) X(log) X(log10) X(sqrt) \
  X(abs) X(sign) X(step) X(min) X(max) X(floor) X(less) X(less_equal) X(equal) X(not_equal) X(select)
// clang-format on

// The same by a runtime choice, for one double: the value of a node with these operands. The exponent
// of a power is taken as a literal if `literal_exponent`.
inline double calculate(Operation operation, double a, double b, double c, bool literal_exponent) {
  if (operation == Operation::power && literal_exponent) return literal_power(a, b);
  switch (operation) {
#define RICOCHET_CASE(name) \
  case Operation::name: return calculate<Operation::name>(a, b, c);
    RICOCHET_FORMULA_OPERATIONS(RICOCHET_CASE)
#undef RICOCHET_CASE
    case Operation::number:
    case Operation::symbol: break;
  }
  return elementary::not_a_number;
}

}  // namespace ricochet::formula
