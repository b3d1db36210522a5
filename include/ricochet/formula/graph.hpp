// Expressions as one graph in which equal subexpressions are the same node (hash-consing), with
// symbolic derivatives.
//
// Nodes are simplified when they are made, by rules that hold in real arithmetic:
//   x*1 = x, x*0 = 0, x+0 = x, x−x = 0, 0/x = 0, x^1 = x, x^0 = 1, −(−x) = x, numbers are folded,
//   operands of + and * are ordered, constant factors are collected (2*(m*(3*x)) = (6*m)*x),
//   a + (−b) = a − b.
// x*0, 0/x and x−x are taken as 0 although x might be infinite or NaN. Sums are never regrouped, so
// no digits are lost that the text kept. Folding uses the functions of evaluation: a folded number
// has the bits that evaluation would give. Parameters stay symbols and are never folded.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "ricochet/formula/curve.hpp"

namespace ricochet::formula {

// Where the value of a symbol comes from. `auxiliary` are further inputs a model may have.
enum class Bank : std::uint8_t { parameter, time, coordinate, velocity, state, auxiliary };

struct Symbol {
  Bank bank = Bank::parameter;
  int index = 0;
  auto operator<=>(const Symbol&) const = default;
};

// Sets of banks are bit masks.
using Banks = std::uint8_t;
constexpr Banks bank_bit(Bank bank) { return static_cast<Banks>(1u << static_cast<unsigned>(bank)); }

// clang-format off
enum class Operation : std::uint8_t {
  number, symbol,
  negate, add, subtract, multiply, divide, power,
  sin, cos, tan, asin, acos, atan, atan2, sinh, cosh, tanh, exp, log, log10, sqrt,
  abs, sign, step,  // sign(0) = 0; step(x) = 1 for x ≥ 0, otherwise 0
  min, max, floor,
  curve,  // curve(x, handle): the value of a Curve at x; the handle is a number
  less, less_equal, equal, not_equal,  // 1 or 0
  select,                              // select(c, a, b): a where c is not 0, otherwise b
};
// clang-format on

constexpr bool is_comparison(Operation operation) {
  return operation >= Operation::less && operation <= Operation::not_equal;
}

// Number of operands.
constexpr int arity(Operation operation) {
  using enum Operation;
  if (operation <= symbol) return 0;
  if (operation == select) return 3;
  const bool two = (operation >= add && operation <= power) || operation == atan2 || operation == min ||
                   operation == max || operation == curve || is_comparison(operation);
  return two ? 2 : 1;
}

using NodeId = std::int32_t;

struct Node {
  Operation operation = Operation::number;
  Banks banks = 0;                // what the value depends on
  NodeId a = -1, b = -1, c = -1;  // operands; a symbol keeps its bank and index in a and b
  double value = 0.0;             // of a number
  bool operator==(const Node&) const = default;
};

class Graph {
 public:
  NodeId number(double value);
  NodeId symbol(Symbol symbol);

  NodeId negate(NodeId a);
  NodeId add(NodeId a, NodeId b);
  NodeId subtract(NodeId a, NodeId b);
  NodeId multiply(NodeId a, NodeId b);
  NodeId divide(NodeId a, NodeId b);
  NodeId power(NodeId a, NodeId b);
  // Any operation by its name; as many operands as arity() says.
  NodeId apply(Operation operation, NodeId a, NodeId b = -1, NodeId c = -1);
  // curve(x). The graph keeps the curve, and so do the tapes made of it.
  NodeId apply(std::shared_ptr<const Curve> curve, NodeId x);

  // ∂node/∂symbol. The work is linear in the number of nodes below.
  // |x|, min, max and if are differentiated piece by piece; sign, step, floor and comparisons give 0.
  NodeId derivative(NodeId node, Symbol symbol);
  // The node with each of the symbols replaced by its expression, all at once.
  NodeId substitute(NodeId node, std::span<const std::pair<Symbol, NodeId>> replacements);

  // Queries. A node is constant if it depends on nothing but numbers and parameters.
  Banks banks(NodeId node) const { return at(node).banks; }
  bool is_constant(NodeId node) const { return (banks(node) & ~bank_bit(Bank::parameter)) == 0; }
  bool depends_on(NodeId node, Symbol symbol) const;
  std::vector<Symbol> symbols(NodeId node) const;  // all it depends on, in ascending order
  // Whether a value that depends on `banks` passes through an operation that is flat between jumps (sign, step, floor,
  // a comparison): the derivative is 0 and says nothing about it.
  bool has_jumps(NodeId node, Banks banks) const;
  bool is_number(NodeId node) const { return at(node).operation == Operation::number; }
  bool is_zero(NodeId node) const { return is_number(node) && at(node).value == 0.0; }
  bool is_one(NodeId node) const { return is_number(node) && at(node).value == 1.0; }

  const Node& at(NodeId node) const { return nodes_[node]; }
  const std::vector<std::shared_ptr<const Curve>>& curves() const { return curves_; }
  int size() const { return static_cast<int>(nodes_.size()); }  // operands have smaller ids than their node

 private:
  struct Factors;
  NodeId intern(const Node& node);
  NodeId make(Operation operation, NodeId a, NodeId b = -1, NodeId c = -1);
  NodeId make_commutative(Operation operation, NodeId a, NodeId b);
  Factors factors(NodeId x, bool numbers_only) const;
  NodeId scale(NodeId coefficient, NodeId rest);
  bool is_negative(NodeId x) const;
  bool is_safe(NodeId coefficient) const;
  NodeId differentiate(NodeId id, NodeId da, NodeId db, NodeId dc);
  std::vector<NodeId> reachable(NodeId root, Banks banks) const;
  template <class Rule>
  NodeId rewrite(NodeId root, Banks banks, const Rule& rule);

  std::shared_ptr<const Curve> slope_of(const Curve& curve);

  std::vector<Node> nodes_;
  std::vector<std::shared_ptr<const Curve>> curves_;
  std::vector<std::pair<const Curve*, std::shared_ptr<const Curve>>> slopes_;  // derivatives that were needed
  std::vector<NodeId> table_;                                                  // open addressing, −1 is free
};

}  // namespace ricochet::formula
