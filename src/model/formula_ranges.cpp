#include "model/description_symbols.hpp"

namespace ricochet {

using formula::Bank;
using formula::Interval;
using formula::NodeId;

struct FormulaRanges::Formulas {
  formula::Graph graph = {};
  std::vector<double> parameters = {};
  std::vector<std::vector<NodeId>> mass = {};
  std::vector<NodeId> restitution = {}, gap = {}, others = {}, slopes = {};  // slopes: of energies, which are forces

  Interval range(NodeId node, const Interval& t, const std::vector<double>* q) const {
    return formula::range(graph, node, [&](formula::Symbol symbol) -> Interval {
      if (symbol.bank == Bank::parameter) return Interval::point(parameters[symbol.index]);
      if (symbol.bank == Bank::time) return t;
      if (symbol.bank == Bank::coordinate && q != nullptr) return Interval::point((*q)[symbol.index]);
      return {};
    });
  }
};

FormulaRanges::FormulaRanges(const LagrangianDescription& description) {
  auto formulas = std::make_unique<Formulas>();
  formula::Graph& graph = formulas->graph;
  const formula::SymbolTable table = symbols_of(description);
  const auto read = [&](const std::string& text) { return formula::parse(graph, text, table); };
  for (const auto& [name, value] : evaluate_parameters(description.parameters)) formulas->parameters.push_back(value);
  // M given, or ∂²T/∂v_i∂v_j
  const int nq = static_cast<int>(description.coordinates.size());
  const NodeId T = description.kinetic.empty() ? NodeId{-1} : read(description.kinetic);
  for (int i = 0; i < nq; ++i) {
    std::vector<NodeId>& row = formulas->mass.emplace_back();
    const NodeId momentum = T < 0 ? T : graph.derivative(T, {Bank::velocity, i});
    for (int j = 0; j < nq; ++j)
      row.push_back(T < 0 ? read(description.mass[i][j].text()) : graph.derivative(momentum, {Bank::velocity, j}));
  }
  const NodeId one = graph.number(1.0);
  for (const ConstraintDescription& constraint : description.constraints) {
    formulas->gap.push_back(read(constraint.gap));
    // e = (1 − d)/(1 + d) = 2/(1 + d) − 1
    formulas->restitution.push_back(
        constraint.restitution
            ? read(constraint.restitution->text())
            : graph.subtract(
                  graph.divide(graph.number(2.0), graph.add(one, read(constraint.dissipation_index->text()))), one));
  }
  // The other formulas count for the tables in them.
  for (const std::string* text : {&description.potential, &description.dissipation})
    if (!text->empty()) formulas->others.push_back(read(*text));
  for (const auto& [name, force] : description.force) formulas->others.push_back(read(force.text()));
  for (const StateDescription& state : description.states) formulas->others.push_back(read(state.rate));
  for (int i = 0; i < nq; ++i) {
    if (!description.potential.empty())
      formulas->slopes.push_back(graph.derivative(read(description.potential), {Bank::coordinate, i}));
    if (!description.dissipation.empty())
      formulas->slopes.push_back(graph.derivative(read(description.dissipation), {Bank::velocity, i}));
  }
  formulas_ = std::move(formulas);
}
FormulaRanges::~FormulaRanges() = default;

Interval FormulaRanges::mass(int i, int j, const Interval& t, const std::vector<double>* q) const {
  return formulas_->range(formulas_->mass[i][j], t, q);
}
Interval FormulaRanges::restitution(int j, const Interval& t, const std::vector<double>* q) const {
  return formulas_->range(formulas_->restitution[j], t, q);
}
Interval FormulaRanges::gap(int j, const Interval& t, const std::vector<double>* q) const {
  return formulas_->range(formulas_->gap[j], t, q);
}

bool FormulaRanges::have_values(const Interval& t, const std::vector<double>* q) const {
  for (const std::vector<NodeId>* nodes : {&formulas_->gap, &formulas_->others, &formulas_->slopes})
    for (const NodeId node : *nodes)
      if (!formulas_->range(node, t, q).is_number) return false;
  return true;
}

std::vector<FormulaRanges::TableUse> FormulaRanges::tables(const Interval& t) const {
  constexpr formula::Banks of_time = formula::bank_bit(Bank::time) | formula::bank_bit(Bank::parameter);
  const formula::Graph& graph = formulas_->graph;
  std::vector<TableUse> uses;
  for (NodeId id = 0; id < graph.size(); ++id) {
    const formula::Node& node = graph.at(id);
    if (node.operation != formula::Operation::curve || (graph.banks(node.a) & ~of_time) != 0) continue;
    const formula::Curve& curve = formula::curve_of(graph.at(node.b).value);
    if (curve.before() == 0.0 && curve.after() == 0.0 && curve.is_zero()) continue;
    uses.push_back({curve.name(),
                    {curve.from(), curve.until()},
                    formulas_->range(node.a, t, nullptr),
                    curve.before(),
                    curve.after()});
  }
  return uses;
}

}  // namespace ricochet
