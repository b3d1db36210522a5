// What walks over the graph: derivatives, substitution, dependencies. Nothing here recurses, so that
// depth does not matter: operands have smaller ids than their node, and ascending order is enough.
#include <algorithm>
#include <array>

#include "ricochet/formula/graph.hpp"

namespace ricochet::formula {

namespace {

std::array<NodeId, 3> operands(const Node& node) {
  switch (arity(node.operation)) {
    case 0: return {-1, -1, -1};
    case 1: return {node.a, -1, -1};
    case 2: return {node.a, node.b, -1};
    default: return {node.a, node.b, node.c};
  }
}

Symbol symbol_of(const Node& node) { return {static_cast<Bank>(node.a), node.b}; }

}  // namespace

// All nodes below root (and itself) that depend on one of the banks, in ascending order.
std::vector<NodeId> Graph::reachable(NodeId root, Banks banks) const {
  std::vector<NodeId> found, open;
  std::vector<bool> seen(static_cast<std::size_t>(root) + 1, false);
  const auto visit = [&](NodeId id) {
    if (id < 0 || (at(id).banks & banks) == 0 || seen[id]) return;
    seen[id] = true;
    open.push_back(id);
  };
  visit(root);
  while (!open.empty()) {
    const NodeId id = open.back();
    open.pop_back();
    found.push_back(id);
    for (const NodeId operand : operands(at(id))) visit(operand);
  }
  std::sort(found.begin(), found.end());
  return found;
}

bool Graph::depends_on(NodeId node, Symbol symbol) const {
  const std::vector<NodeId> below = reachable(node, bank_bit(symbol.bank));
  return std::any_of(below.begin(), below.end(),
                     [&](NodeId id) { return at(id).operation == Operation::symbol && symbol_of(at(id)) == symbol; });
}

std::vector<Symbol> Graph::symbols(NodeId node) const {
  std::vector<Symbol> result;
  for (const NodeId id : reachable(node, 0xff)) {
    if (at(id).operation == Operation::symbol) result.push_back(symbol_of(at(id)));
  }
  std::sort(result.begin(), result.end());
  return result;
}

// The node for root after each node that depends on the banks has been replaced by
// rule(id, images of its operands). `otherwise` is the image of a node that does not depend on them;
// −1 stands for the node itself.
template <class Rule>
NodeId Graph::rewrite(NodeId root, Banks banks, const Rule& rule) {
  const std::vector<NodeId> below = reachable(root, banks);
  std::vector<NodeId> images(below.size(), -1);
  const auto image = [&](NodeId id) {
    if (id < 0) return NodeId{-1};
    const auto place = std::lower_bound(below.begin(), below.end(), id);
    if (place == below.end() || *place != id) return rule.otherwise(id);
    return images[static_cast<std::size_t>(place - below.begin())];
  };
  for (std::size_t i = 0; i < below.size(); ++i) {
    const Node node = at(below[i]);
    const std::array<NodeId, 3> operand = operands(node);
    images[i] = rule(below[i], node, image(operand[0]), image(operand[1]), image(operand[2]));
  }
  return image(root);
}

NodeId Graph::substitute(NodeId node, std::span<const std::pair<Symbol, NodeId>> replacements) {
  struct Rule {
    Graph& graph;
    std::span<const std::pair<Symbol, NodeId>> replacements;
    NodeId otherwise(NodeId id) const { return id; }
    NodeId operator()(NodeId id, const Node& x, NodeId a, NodeId b, NodeId c) const {
      if (x.operation != Operation::symbol) return graph.apply(x.operation, a, b, c);
      for (const auto& [symbol, replacement] : replacements) {
        if (symbol == symbol_of(x)) return replacement;
      }
      return id;
    }
  };
  Banks banks = 0;
  for (const auto& [symbol, replacement] : replacements) banks |= bank_bit(symbol.bank);
  return rewrite(node, banks, Rule{*this, replacements});
}

NodeId Graph::derivative(NodeId node, Symbol symbol) {
  struct Rule {
    Graph& graph;
    Symbol symbol;
    NodeId zero;
    NodeId otherwise(NodeId) const { return zero; }
    NodeId operator()(NodeId id, const Node& x, NodeId da, NodeId db, NodeId dc) const {
      if (x.operation == Operation::symbol) return symbol_of(x) == symbol ? graph.number(1.0) : zero;
      const auto vanishes = [this](NodeId d) { return d < 0 || d == zero; };
      if (vanishes(da) && vanishes(db) && vanishes(dc)) return zero;
      return graph.differentiate(id, da, db, dc);
    }
  };
  return rewrite(node, bank_bit(symbol.bank), Rule{*this, symbol, number(0.0)});
}

std::shared_ptr<const Curve> Graph::slope_of(const Curve& curve) {
  for (const auto& [known, slope] : slopes_)
    if (known == &curve) return slope;
  slopes_.emplace_back(&curve, std::make_shared<const Curve>(curve.derivative()));
  return slopes_.back().second;
}

// The derivative of one node f from those of its operands a, b, c.
NodeId Graph::differentiate(NodeId f, NodeId da, NodeId db, NodeId dc) {
  const auto [operation, banks, a, b, c, value] = at(f);
  const auto one = [this] { return number(1.0); };
  const auto square = [this](NodeId x) { return power(x, number(2.0)); };
  switch (operation) {
    case Operation::negate: return negate(da);
    case Operation::add: return add(da, db);
    case Operation::subtract: return subtract(da, db);
    case Operation::multiply: return add(multiply(da, b), multiply(a, db));
    // (a/b)' = (a' − f b')/b
    case Operation::divide: return divide(subtract(da, multiply(f, db)), b);
    // (aᵇ)' = b aᵇ⁻¹ a' + f log(a) b'
    case Operation::power: {
      NodeId result = number(0.0);
      if (!is_zero(da)) result = multiply(multiply(b, power(a, subtract(b, one()))), da);
      if (!is_zero(db)) result = add(result, multiply(multiply(f, apply(Operation::log, a)), db));
      return result;
    }
    case Operation::sin: return multiply(apply(Operation::cos, a), da);
    case Operation::cos: return negate(multiply(apply(Operation::sin, a), da));
    case Operation::tan: return multiply(add(one(), square(f)), da);
    case Operation::asin: return divide(da, apply(Operation::sqrt, subtract(one(), square(a))));
    case Operation::acos: return negate(divide(da, apply(Operation::sqrt, subtract(one(), square(a)))));
    case Operation::atan: return divide(da, add(one(), square(a)));
    // atan2(y, x)' = (x y' − y x')/(x² + y²), a = y, b = x
    case Operation::atan2: return divide(subtract(multiply(b, da), multiply(a, db)), add(square(a), square(b)));
    case Operation::sinh: return multiply(apply(Operation::cosh, a), da);
    case Operation::cosh: return multiply(apply(Operation::sinh, a), da);
    case Operation::tanh: return multiply(subtract(one(), square(f)), da);
    case Operation::exp: return multiply(f, da);
    case Operation::log: return divide(da, a);
    case Operation::log10: return divide(da, multiply(apply(Operation::log, number(10.0)), a));
    case Operation::sqrt: return divide(da, multiply(number(2.0), f));
    case Operation::abs: return multiply(apply(Operation::sign, a), da);
    // one of the two, by the comparison that chose it
    case Operation::min: return apply(Operation::select, apply(Operation::less, b, a), db, da);
    case Operation::max: return apply(Operation::select, apply(Operation::less, a, b), db, da);
    case Operation::select: return apply(Operation::select, a, db, dc);
    case Operation::curve: {
      std::shared_ptr<const Curve> slope = slope_of(curve_of(at(b).value));
      return slope->is_zero() ? number(0.0) : multiply(apply(std::move(slope), a), da);
    }
    default: return number(0.0);  // piecewise constant
  }
}

bool Graph::has_jumps(NodeId node, Banks banks) const {
  const std::vector<NodeId> below = reachable(node, banks);
  return std::any_of(below.begin(), below.end(), [&](NodeId id) {
    const Operation operation = at(id).operation;
    return operation == Operation::sign || operation == Operation::step || operation == Operation::floor ||
           is_comparison(operation);
  });
}

}  // namespace ricochet::formula
