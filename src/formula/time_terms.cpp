#include "formula/time_terms.hpp"

#include <algorithm>
#include <cmath>
#include <unordered_map>
#include <unordered_set>

namespace ricochet::formula {
namespace {

constexpr int highest_power = 8;
constexpr std::size_t most_terms = 100;

class TimeTerms {
 public:
  using Term = TimeTermNodes;
  using Sum = std::vector<Term>;
  using Found = std::optional<Sum>;

  explicit TimeTerms(Graph& graph) : graph_(graph) {}

  const Found& of(NodeId node) {
    const auto known = known_.find(node);
    if (known != known_.end()) return known->second;
    Found found = find(node);
    if (found && found->size() > most_terms) found.reset();
    return known_.emplace(node, std::move(found)).first->second;
  }

 private:
  NodeId zero() { return graph_.number(0.0); }
  Sum constant(NodeId value) { return {{0, zero(), zero(), value, zero()}}; }
  Sum of_rate(NodeId rate, NodeId value) { return {{0, rate, zero(), value, zero()}}; }

  Found find(NodeId id) {
    if (graph_.is_constant(id)) return constant(id);
    const Node node = graph_.at(id);
    switch (node.operation) {
      case Operation::symbol:
        if (node.banks != bank_bit(Bank::time)) return std::nullopt;
        return Sum{{1, zero(), zero(), graph_.number(1.0), zero()}};
      case Operation::negate: return scaled(of(node.a), graph_.number(-1.0));
      case Operation::add: return sum(of(node.a), of(node.b));
      case Operation::subtract: return sum(of(node.a), scaled(of(node.b), graph_.number(-1.0)));
      case Operation::multiply: return product(of(node.a), of(node.b));
      case Operation::divide: return product(of(node.a), inverse(of(node.b)));
      case Operation::power: return power(of(node.a), node.b);
      case Operation::exp:
      case Operation::sinh:
      case Operation::cosh: return exponential(node.operation, of(node.a));
      case Operation::sin:
      case Operation::cos: return wave(node.operation, of(node.a));
      default: return std::nullopt;
    }
  }

  bool equal_exponents(const Term& a, const Term& b) const {
    return a.power == b.power && a.rate == b.rate && a.frequency == b.frequency;
  }
  void add(Sum& sum, const Term& term) {
    if (graph_.is_zero(term.cosine) && graph_.is_zero(term.sine)) return;
    for (Term& known : sum) {
      if (!equal_exponents(known, term)) continue;
      known.cosine = graph_.add(known.cosine, term.cosine);
      known.sine = graph_.add(known.sine, term.sine);
      return;
    }
    sum.push_back(term);
  }
  Found sum(Found a, const Found& b) {
    if (!a || !b) return std::nullopt;
    for (const Term& term : *b) add(*a, term);
    return a;
  }
  Found scaled(Found sum, NodeId factor) {
    if (!sum) return sum;
    for (Term& term : *sum) {
      term.cosine = graph_.multiply(factor, term.cosine);
      term.sine = graph_.multiply(factor, term.sine);
    }
    return sum;
  }

  Found product(const Found& a, const Found& b) {
    if (!a || !b || a->size() * b->size() > most_terms) return std::nullopt;
    Sum all;
    for (const Term& x : *a)
      for (const Term& y : *b) {
        if (x.power + y.power > highest_power) return std::nullopt;
        add_product(x, y, all);
      }
    return all;
  }
  // (a cos x + b sin x)(c cos y + d sin y) = ½[(ac − bd) cos(x + y) + (ad + bc) sin(x + y)
  //                                          + (ac + bd) cos(x − y) + (bc − ad) sin(x − y)]
  void add_product(const Term& x, const Term& y, Sum& all) {
    const auto times = [&](NodeId a, NodeId b) { return graph_.multiply(a, b); };
    const int power = x.power + y.power;
    const NodeId rate = graph_.add(x.rate, y.rate);
    if (graph_.is_zero(x.frequency) || graph_.is_zero(y.frequency)) {
      const Term& wave = graph_.is_zero(x.frequency) ? y : x;
      const NodeId factor = graph_.is_zero(x.frequency) ? x.cosine : y.cosine;
      add(all, {power, rate, wave.frequency, times(factor, wave.cosine), times(factor, wave.sine)});
      return;
    }
    const NodeId half = graph_.number(0.5);
    const NodeId ac = times(x.cosine, y.cosine), bd = times(x.sine, y.sine), ad = times(x.cosine, y.sine),
                 bc = times(x.sine, y.cosine);
    add(all, {power, rate, graph_.add(x.frequency, y.frequency), times(half, graph_.subtract(ac, bd)),
              times(half, graph_.add(ad, bc))});
    const NodeId difference = graph_.subtract(x.frequency, y.frequency);
    add(all, {power, rate, difference, times(half, graph_.add(ac, bd)),
              graph_.is_zero(difference) ? zero() : times(half, graph_.subtract(bc, ad))});
  }
  // Of one exponential: 1/(c e^{αt}).
  Found inverse(const Found& a) {
    if (!a || a->size() != 1) return std::nullopt;
    const Term& term = a->front();
    if (term.power != 0 || !graph_.is_zero(term.frequency)) return std::nullopt;
    return of_rate(graph_.negate(term.rate), graph_.divide(graph_.number(1.0), term.cosine));
  }
  Found power(const Found& base, NodeId exponent) {
    if (!base || !graph_.is_number(exponent)) return std::nullopt;
    const double n = graph_.at(exponent).value;
    if (!(std::abs(n) <= highest_power) || n != std::floor(n)) return std::nullopt;
    const Found factor = n < 0.0 ? inverse(base) : base;
    Found result = constant(graph_.number(1.0));
    for (int k = 0; k < static_cast<int>(std::abs(n)); ++k) result = product(result, factor);
    return result;
  }

  // p + s t
  struct Line {
    NodeId offset, slope;
  };
  std::optional<Line> line(const Found& a) {
    if (!a) return std::nullopt;
    Line line{zero(), zero()};
    for (const Term& term : *a) {
      if (term.power > 1 || !graph_.is_zero(term.rate) || !graph_.is_zero(term.frequency)) return std::nullopt;
      (term.power == 0 ? line.offset : line.slope) = term.cosine;
    }
    return line;
  }
  Found exponential(Operation operation, const Found& argument) {
    const std::optional<Line> x = line(argument);
    if (!x) return std::nullopt;
    const Sum grows = of_rate(x->slope, graph_.apply(Operation::exp, x->offset));
    if (operation == Operation::exp) return grows;
    const Sum decays = of_rate(graph_.negate(x->slope), graph_.apply(Operation::exp, graph_.negate(x->offset)));
    const double sign = operation == Operation::cosh ? 0.5 : -0.5;
    return sum(scaled(grows, graph_.number(0.5)), scaled(decays, graph_.number(sign)));
  }
  Found wave(Operation operation, const Found& argument) {
    const std::optional<Line> x = line(argument);
    if (!x) return std::nullopt;
    const NodeId s = graph_.apply(Operation::sin, x->offset), c = graph_.apply(Operation::cos, x->offset);
    if (operation == Operation::cos) return Sum{{0, zero(), x->slope, c, graph_.negate(s)}};
    return Sum{{0, zero(), x->slope, s, c}};
  }

  Graph& graph_;
  std::unordered_map<NodeId, Found> known_;
};

}  // namespace

std::optional<std::vector<TimeTermNodes>> time_terms(Graph& graph, NodeId root) {
  // Operands come before what is made of them: no recursion however deep the expression is.
  std::vector<NodeId> below = {root};
  std::unordered_set<NodeId> seen = {root};
  for (std::size_t i = 0; i < below.size(); ++i) {
    const Node node = graph.at(below[i]);
    if (graph.is_constant(below[i]) || node.operation == Operation::symbol) continue;
    for (const NodeId operand : {node.a, node.b, node.c})
      if (operand >= 0 && seen.insert(operand).second) below.push_back(operand);
  }
  std::sort(below.begin(), below.end());
  TimeTerms terms(graph);
  for (const NodeId node : below)
    if (!terms.of(node)) return std::nullopt;
  return terms.of(root);
}

}  // namespace ricochet::formula
