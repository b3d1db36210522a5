#include "ricochet/study/checked_formulas.hpp"

#include <map>
#include <utility>

#include "model/description_symbols.hpp"
#include "ricochet/core/error.hpp"

namespace ricochet {

using formula::Bank;
using formula::Interval;
using formula::NodeId;

namespace {

constexpr formula::Banks of_time = formula::bank_bit(Bank::time) | formula::bank_bit(Bank::parameter);

}  // namespace

struct CheckedFormulas::Formulas {
  explicit Formulas(const LagrangianDescription& description) : table(symbols_of(description)) {
    for (const auto& [name, value] : evaluate_parameters(description.parameters)) parameters.push_back(value);
  }

  NodeId read(const std::string& text) { return formula::parse(graph, text, table); }
  void add(const std::string& label, NodeId node) { values.emplace_back(label, node); }
  void add_bounded(BoundedKind kind, const std::string& name, NodeId node) { bounded[{kind, name}] = node; }
  // −1 without one
  NodeId find(BoundedKind kind, const std::string& name) const {
    const auto place = bounded.find({kind, name});
    return place == bounded.end() ? -1 : place->second;
  }

  Interval range(NodeId node, const Interval& t, const std::vector<double>* q) const {
    return formula::range(graph, node, [&](formula::Symbol symbol) -> Interval {
      if (symbol.bank == Bank::parameter) return Interval::point(parameters[symbol.index]);
      if (symbol.bank == Bank::time) return t;
      if (symbol.bank == Bank::coordinate && q != nullptr && has_positions) return Interval::point((*q)[symbol.index]);
      return {};
    });
  }

  formula::Graph graph = {};
  formula::SymbolTable table;
  std::vector<double> parameters = {};
  std::vector<std::vector<NodeId>> mass = {};
  std::vector<NodeId> gap = {};
  std::map<std::pair<BoundedKind, std::string>, NodeId> bounded = {};
  std::vector<std::pair<std::string, NodeId>> values = {};  // that there must be, with what they are of
  std::string unread = {};                                  // a formula with other symbols
  bool has_positions = true;
};

namespace {

// e = (1 − d)/(1 + d) = 2/(1 + d) − 1
NodeId restitution_of_index(formula::Graph& graph, NodeId d) {
  const NodeId one = graph.number(1.0);
  return graph.subtract(graph.divide(graph.number(2.0), graph.add(one, d)), one);
}

}  // namespace

CheckedFormulas::CheckedFormulas(const LagrangianDescription& description)
    : formulas_(std::make_unique<Formulas>(description)) {
  Formulas& all = *formulas_;
  formula::Graph& graph = all.graph;
  // M given, or ∂²T/∂v_i∂v_j
  const int nq = static_cast<int>(description.coordinates.size());
  const NodeId T = description.kinetic.empty() ? NodeId{-1} : all.read(description.kinetic);
  for (int i = 0; i < nq && (T >= 0 || !description.mass.empty()); ++i) {
    std::vector<NodeId>& row = all.mass.emplace_back();
    const NodeId momentum = T < 0 ? T : graph.derivative(T, {Bank::velocity, i});
    for (int j = 0; j < nq; ++j)
      row.push_back(T < 0 ? all.read(description.mass[i][j].text()) : graph.derivative(momentum, {Bank::velocity, j}));
  }
  for (const ConstraintDescription& constraint : description.constraints) {
    all.gap.push_back(all.read(constraint.gap));
    all.add("gap of " + constraint.name, all.gap.back());
    if (constraint.restitution)
      all.add_bounded(BoundedKind::restitution, constraint.name, all.read(constraint.restitution->text()));
    else if (constraint.dissipation_index)
      all.add_bounded(BoundedKind::restitution, constraint.name,
                      restitution_of_index(graph, all.read(constraint.dissipation_index->text())));
    if (constraint.friction)
      all.add_bounded(BoundedKind::friction, constraint.name, all.read(constraint.friction->text()));
    // Without one it is 0.
    const Quantity tangential = constraint.tangential_restitution.value_or(Quantity(0.0));
    if (constraint.friction)
      all.add_bounded(BoundedKind::tangential_restitution, constraint.name, all.read(tangential.text()));
    for (const std::string& slip : constraint.slip) all.add("slip of " + constraint.name, all.read(slip));
  }
  for (const JointDescription& joint : description.joints)
    for (const std::vector<std::string>* rows : {&joint.equation, &joint.rate})
      for (const std::string& row : *rows) all.add("joint " + joint.name, all.read(row));
  for (const FrictionDescription& friction : description.frictions) {
    all.add_bounded(BoundedKind::limit, friction.name, all.read(friction.limit.text()));
    for (const std::string& slip : friction.slip) all.add("slip of " + friction.name, all.read(slip));
  }
  for (const auto& [name, force] : description.force) all.add("force on " + name, all.read(force.text()));
  for (const StateDescription& state : description.states) all.add("rate of " + state.name, all.read(state.rate));
  // Energies give forces by their slopes.
  for (const auto& [text, bank] :
       {std::pair{&description.potential, Bank::coordinate}, std::pair{&description.dissipation, Bank::velocity}}) {
    if (text->empty()) continue;
    const NodeId energy = all.read(*text);
    all.add(bank == Bank::coordinate ? "potential" : "dissipation", energy);
    for (int i = 0; i < nq; ++i) all.add("force on " + description.coordinates[i], graph.derivative(energy, {bank, i}));
  }
}
CheckedFormulas::~CheckedFormulas() = default;

void CheckedFormulas::add_value(const std::string& label, const std::string& text) {
  try {
    formulas_->add(label, formulas_->read(text));
  } catch (const Error&) {
    formulas_->unread = label;
  }
}
void CheckedFormulas::forget_positions() { formulas_->has_positions = false; }

Interval CheckedFormulas::mass(int i, int j, const Interval& t, const std::vector<double>* q) const {
  return formulas_->range(formulas_->mass[i][j], t, q);
}
Interval CheckedFormulas::gap(int j, const Interval& t, const std::vector<double>* q) const {
  return formulas_->range(formulas_->gap[j], t, q);
}
Interval CheckedFormulas::bounded(BoundedKind kind, const std::string& name, const Interval& t,
                                  const std::vector<double>* q) const {
  const NodeId node = formulas_->find(kind, name);
  if (node >= 0) return formulas_->range(node, t, q);
  Interval nothing;
  nothing.is_number = false;
  return nothing;
}
int CheckedFormulas::mark(BoundedKind kind, const std::string& name) const { return formulas_->find(kind, name); }
bool CheckedFormulas::is_of_time(BoundedKind kind, const std::string& name) const {
  const NodeId node = formulas_->find(kind, name);
  return node >= 0 && (formulas_->graph.banks(node) & ~of_time) == 0;
}

std::string CheckedFormulas::lost(const Interval& t, const std::vector<double>* q) const {
  for (const auto& [label, node] : formulas_->values)
    if (!formulas_->range(node, t, q).is_number) return label;
  return formulas_->unread;
}

std::vector<CheckedFormulas::TableUse> CheckedFormulas::tables(const Interval& t) const {
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
