// Making nodes: hash-consing and simplification.
#include "ricochet/formula/graph.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

#include "formula/operations.hpp"

namespace ricochet::formula {

namespace {

std::size_t hash(const Node& node) {
  std::uint64_t h = std::bit_cast<std::uint64_t>(node.value) ^ static_cast<std::uint64_t>(node.operation);
  const auto mix = [&h](std::uint64_t x) {
    h = (h ^ x) * 0x9e37'79b9'7f4a'7c15u;
    h ^= h >> 32;
  };
  mix(static_cast<std::uint32_t>(node.a));
  mix(static_cast<std::uint32_t>(node.b));
  mix(static_cast<std::uint32_t>(node.c));
  return static_cast<std::size_t>(h);
}

// Numbers are equal if their bits are: 0 and −0 are two, NaN equals itself.
bool same(const Node& x, const Node& y) {
  return x.operation == y.operation && x.a == y.a && x.b == y.b && x.c == y.c &&
         std::bit_cast<std::uint64_t>(x.value) == std::bit_cast<std::uint64_t>(y.value);
}

}  // namespace

// The node itself, or the equal one that exists.
NodeId Graph::intern(const Node& node) {
  // grow: at most half full
  if (2 * (nodes_.size() + 1) > table_.size()) {
    table_.assign(std::max<std::size_t>(64, 2 * table_.size()), -1);
    for (NodeId id = 0; id < size(); ++id) {
      std::size_t slot = hash(at(id)) & (table_.size() - 1);
      while (table_[slot] >= 0) slot = (slot + 1) & (table_.size() - 1);
      table_[slot] = id;
    }
  }
  std::size_t slot = hash(node) & (table_.size() - 1);
  while (table_[slot] >= 0) {
    if (same(at(table_[slot]), node)) return table_[slot];
    slot = (slot + 1) & (table_.size() - 1);
  }
  table_[slot] = size();
  nodes_.push_back(node);
  return size() - 1;
}

NodeId Graph::make(Operation operation, NodeId a, NodeId b, NodeId c) {
  Node node{.operation = operation, .banks = banks(a), .a = a, .b = b, .c = c};
  if (b >= 0) node.banks |= banks(b);
  if (c >= 0) node.banks |= banks(c);
  return intern(node);
}

NodeId Graph::make_commutative(Operation operation, NodeId a, NodeId b) {
  return make(operation, std::min(a, b), std::max(a, b));
}

NodeId Graph::number(double value) {
  if (std::isnan(value)) value = elementary::not_a_number;
  return intern({.value = value});
}

NodeId Graph::symbol(Symbol symbol) {
  return intern({.operation = Operation::symbol,
                 .banks = bank_bit(symbol.bank),
                 .a = static_cast<NodeId>(symbol.bank),
                 .b = symbol.index});
}

// ------------------------------------------------------------------------------------- factors

// x = coefficient · rest; −1 where there is none. The coefficient is a number in a constant
// expression, and a constant in one that varies.
struct Graph::Factors {
  NodeId coefficient = -1, rest = -1;
  bool negated = false;  // x = −rest
};

Graph::Factors Graph::factors(NodeId x, bool numbers_only) const {
  const auto is_coefficient = [&](NodeId y) { return numbers_only ? is_number(y) : is_constant(y); };
  if (is_coefficient(x)) return {.coefficient = x};
  const Node& node = at(x);
  if (node.operation == Operation::negate) return {.rest = node.a, .negated = true};
  if (node.operation == Operation::multiply) {
    if (is_coefficient(node.a)) return {node.a, node.b};
    if (is_coefficient(node.b)) return {node.b, node.a};
  }
  return {.rest = x};
}

// coefficient · rest, where rest has no coefficient of its own
NodeId Graph::scale(NodeId coefficient, NodeId rest) {
  if (coefficient < 0 || is_one(coefficient)) return rest;
  if (is_zero(coefficient)) return number(0.0);
  if (is_number(coefficient) && at(coefficient).value == -1.0) return negate(rest);
  return make_commutative(Operation::multiply, coefficient, rest);
}

// Does x carry a minus sign that a sum can take over?
bool Graph::is_negative(NodeId x) const {
  const Node& node = at(x);
  if (node.operation == Operation::number) return node.value < 0.0;
  if (node.operation == Operation::negate) return true;
  if (node.operation != Operation::multiply) return false;
  const Factors f = factors(x, is_constant(x));
  return f.coefficient >= 0 && f.coefficient != x && is_negative(f.coefficient);
}

// A collected coefficient must not overflow or vanish where the separate factors would not.
bool Graph::is_safe(NodeId coefficient) const {
  return !is_number(coefficient) || std::isnormal(at(coefficient).value);
}

// ---------------------------------------------------------------------------------- arithmetic

NodeId Graph::negate(NodeId a) {
  const Node node = at(a);
  switch (node.operation) {
    case Operation::number: return number(-node.value);
    case Operation::negate: return node.a;
    case Operation::subtract: return make(Operation::subtract, node.b, node.a);
    case Operation::multiply: {
      const Factors f = factors(a, is_constant(a));
      if (f.coefficient >= 0) return scale(negate(f.coefficient), f.rest);
      break;
    }
    default: break;
  }
  return make(Operation::negate, a);
}

NodeId Graph::add(NodeId a, NodeId b) {
  if (is_number(a) && is_number(b)) return number(at(a).value + at(b).value);
  if (is_zero(a)) return b;
  if (is_zero(b)) return a;
  if (a == b) return multiply(number(2.0), a);
  if (is_negative(b)) return subtract(a, negate(b));
  if (is_negative(a)) return subtract(b, negate(a));
  return make_commutative(Operation::add, a, b);
}

NodeId Graph::subtract(NodeId a, NodeId b) {
  if (is_number(a) && is_number(b)) return number(at(a).value - at(b).value);
  if (is_zero(b)) return a;
  if (is_zero(a)) return negate(b);
  if (a == b) return number(0.0);
  if (is_negative(b)) return add(a, negate(b));
  return make(Operation::subtract, a, b);
}

NodeId Graph::multiply(NodeId a, NodeId b) {
  if (is_number(a) && is_number(b)) return number(at(a).value * at(b).value);
  if (is_zero(a) || is_zero(b)) return number(0.0);
  if (is_one(a)) return b;
  if (is_one(b)) return a;

  // (C₁ X₁)(C₂ X₂) = (C₁ C₂)(X₁ X₂)
  const bool numbers_only = is_constant(a) && is_constant(b);
  const Factors f = factors(a, numbers_only), g = factors(b, numbers_only);
  NodeId coefficient = std::max(f.coefficient, g.coefficient);
  if (f.coefficient >= 0 && g.coefficient >= 0) {
    coefficient = multiply(f.coefficient, g.coefficient);
    if (!is_safe(coefficient)) return make_commutative(Operation::multiply, a, b);
  }
  NodeId rest = std::max(f.rest, g.rest);
  if (f.rest >= 0 && g.rest >= 0) {
    rest = f.rest == g.rest ? power(f.rest, number(2.0)) : make_commutative(Operation::multiply, f.rest, g.rest);
  }
  const NodeId product = scale(coefficient, rest);
  return f.negated != g.negated ? negate(product) : product;
}

NodeId Graph::divide(NodeId a, NodeId b) {
  if (is_number(a) && is_number(b)) return number(at(a).value / at(b).value);
  if (is_zero(a)) return number(0.0);
  if (is_number(b)) {
    // dividing by ±2ᵏ is multiplying by its inverse, exactly
    int exponent = 0;
    const double inverse = 1.0 / at(b).value;
    if (std::fabs(std::frexp(at(b).value, &exponent)) == 0.5 && std::isnormal(inverse))
      return multiply(a, number(inverse));
  }
  if (is_constant(a) && is_constant(b)) return make(Operation::divide, a, b);

  const Factors f = factors(a, false), g = factors(b, false);
  if (f.negated) return negate(divide(f.rest, b));
  if (g.negated) return negate(divide(a, g.rest));

  // (C₁ X₁)/(C₂ X₂) = (C₁/C₂)(X₁/X₂), where that makes the work smaller
  if (f.coefficient < 0) return make(Operation::divide, a, b);
  NodeId coefficient = f.coefficient;
  if (g.coefficient >= 0) {
    coefficient = divide(f.coefficient, g.coefficient);
    if (!is_safe(coefficient)) return make(Operation::divide, a, b);
  }
  if (f.rest < 0) return make(Operation::divide, coefficient, g.rest);
  const NodeId rest = g.rest < 0 ? f.rest : make(Operation::divide, f.rest, g.rest);
  return scale(coefficient, rest);
}

NodeId Graph::power(NodeId a, NodeId b) {
  if (is_number(b)) {
    const double exponent = at(b).value;
    if (is_number(a)) return number(literal_power(at(a).value, exponent));
    if (exponent == 0.0) return number(1.0);
    if (exponent == 1.0) return a;
  }
  if (is_one(a)) return a;
  return make(Operation::power, a, b);
}

// -------------------------------------------------------------------------- any other operation

NodeId Graph::apply(Operation operation, NodeId a, NodeId b, NodeId c) {
  switch (operation) {
    case Operation::negate: return negate(a);
    case Operation::add: return add(a, b);
    case Operation::subtract: return subtract(a, b);
    case Operation::multiply: return multiply(a, b);
    case Operation::divide: return divide(a, b);
    case Operation::power: return power(a, b);
    case Operation::select:
      if (is_number(a)) return at(a).value != 0.0 ? b : c;
      if (b == c) return b;
      break;
    case Operation::min:
    case Operation::max:
      if (a == b) return a;
      break;
    default: break;
  }
  const int n = arity(operation);
  const auto value = [this](NodeId x) { return x < 0 ? 0.0 : at(x).value; };
  if (is_number(a) && (n < 2 || is_number(b)) && n < 3)
    return number(calculate(operation, value(a), value(b), 0.0, false));
  return make(operation, a, b, c);
}

NodeId Graph::apply(std::shared_ptr<const Curve> curve, NodeId x) {
  const NodeId handle = number(curve_handle(*curve));
  if (std::find(curves_.begin(), curves_.end(), curve) == curves_.end()) curves_.push_back(std::move(curve));
  return apply(Operation::curve, x, handle);
}

}  // namespace ricochet::formula
