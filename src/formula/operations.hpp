// What each operation calculates: one definition for folding, evaluation and lanes.
#pragma once

#include "formula/function_table.hpp"
#include "ricochet/formula/elementary.hpp"

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

// The operations that calculate something, to write the same line for each.
#define RICOCHET_FORMULA_OPERATIONS(X) \
  X(negate)                            \
  X(add)                               \
  X(subtract)                          \
  X(multiply)                          \
  X(divide) X(power) RICOCHET_FORMULA_FUNCTIONS(X) X(curve) X(less) X(less_equal) X(equal) X(not_equal) X(select)

// `power` is the general one here.
template <Operation operation, class Value>
[[gnu::always_inline]] inline Value calculate(const Value& a, const Value& b, const Value& c) {
  using O = Operation;
  const auto truth = [](const auto& mask) __attribute__((always_inline)) {
    return select(mask, Value(1.0), Value(0.0));
  };
  if constexpr (operation == O::negate) return -a;
  if constexpr (operation == O::add) return a + b;
  if constexpr (operation == O::subtract) return a - b;
  if constexpr (operation == O::multiply) return a * b;
  if constexpr (operation == O::divide) return a / b;
  if constexpr (operation == O::power) return elementary::pow(a, b);
#define RICOCHET_CALL(name)                                  \
  if constexpr (operation == O::name && arity(O::name) == 1) \
    return elementary::name(a);                              \
  else if constexpr (operation == O::name)                   \
    return elementary::name(a, b);
  RICOCHET_FORMULA_FUNCTIONS(RICOCHET_CALL)
#undef RICOCHET_CALL
  if constexpr (operation == O::curve) {
    Value y = a;
    for (int k = 0; k < pack_width<Value>; ++k) set_lane(y, k, curve_of(lane(b, k))(lane(a, k)));
    return y;
  }
  if constexpr (operation == O::less) return truth(a < b);
  if constexpr (operation == O::less_equal) return truth(a <= b);
  if constexpr (operation == O::equal) return truth(a == b);
  if constexpr (operation == O::not_equal) return truth(a != b);
  if constexpr (operation == O::select) return select(a != Value(0.0), b, c);
}

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
