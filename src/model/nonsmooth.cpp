#include "ricochet/model/lagrangian.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <string_view>

#include "core/place.hpp"
#include "model/description_symbols.hpp"
#include "model/friction_forces.hpp"
#include "ricochet/formula/graph.hpp"
#include "ricochet/formula/parse.hpp"

namespace ricochet {
namespace {

using formula::Bank;
using formula::Graph;
using formula::Node;
using formula::NodeId;
using formula::Operation;

std::string_view nonsmooth_name(Operation operation) {
  switch (operation) {
    case Operation::abs: return "abs";
    case Operation::sign: return "sign";
    case Operation::step: return "step";
    case Operation::floor: return "floor";
    case Operation::min: return "min";
    case Operation::max: return "max";
    case Operation::select: return "if";
    case Operation::atan2: return "atan2";  // jumps by 2 pi where x < 0 and y passes 0
    default: return formula::is_comparison(operation) ? "comparison" : "";
  }
}

// b of u^b, ½ of √u; nothing for what is no such power.
std::optional<double> exponent_of(const Graph& graph, const Node& node) {
  if (node.operation == Operation::sqrt) return 0.5;
  if (node.operation != Operation::power || !graph.is_number(node.b)) return std::nullopt;
  return graph.at(node.b).value;
}

// Also of what is a kink in disguise: √(u²) = |u|, acos(cos u) and asin(sin u), which are saw teeth.
std::string_view kink_name(const Graph& graph, const Node& node) {
  const auto is = [&](NodeId id, Operation operation) { return id >= 0 && graph.at(id).operation == operation; };
  // (u^a)^b is |u|^ab for even a.
  if (const std::optional<double> outer = exponent_of(graph, node)) {
    const double inner = exponent_of(graph, graph.at(node.a)).value_or(1.0);
    if (std::fmod(inner, 2.0) == 0.0 && std::fmod(inner * *outer, 2.0) != 0.0) return "the root of a square";
  }
  if (node.operation == Operation::acos && is(node.a, Operation::cos)) return "acos(cos)";
  if (node.operation == Operation::asin && is(node.a, Operation::sin)) return "asin(sin)";
  if (node.operation == Operation::atan && is(node.a, Operation::tan)) return "atan(tan)";
  if (node.operation == Operation::curve && !formula::curve_of(graph.at(node.b).value).is_smooth())
    return "a table with straight lines";
  return nonsmooth_name(node.operation);
}

class Search {
 public:
  explicit Search(const LagrangianDescription& description) : table_(symbols_of(description)) {}

  // Each function once a field.
  void look(const std::string& field, const std::string& text) {
    if (text.empty()) return;
    Graph graph;
    const NodeId root = formula::parse(graph, text, table_);
    std::vector<NodeId> open = {root};
    std::vector<char> seen(graph.size(), 0);
    std::vector<std::string_view> names;
    while (!open.empty()) {
      const NodeId id = open.back();
      open.pop_back();
      if (seen[id]++ || graph.is_constant(id)) continue;
      const Node& node = graph.at(id);
      if (node.operation == Operation::symbol) continue;
      if (const std::string_view name = kink_name(graph, node);
          !name.empty() && std::find(names.begin(), names.end(), name) == names.end())
        names.push_back(name);
      for (const NodeId operand : {node.a, node.b, node.c})
        if (operand >= 0) open.push_back(operand);
    }
    // The comparison in an if says no more than the if.
    const bool has_if = std::find(names.begin(), names.end(), "if") != names.end();
    for (const std::string_view name : names)
      if (!(has_if && name == "comparison")) found_.push_back({field, std::string(name)});
  }
  void look(const std::string& field, const Quantity& quantity) {
    if (!quantity.is_number()) look(field, quantity.formula());
  }

  bool jumps_with_velocity(const Quantity& quantity) const {
    if (quantity.is_number()) return false;
    Graph graph;
    return graph.has_jumps(formula::parse(graph, quantity.formula(), table_), formula::bank_bit(Bank::velocity));
  }

  std::vector<NonsmoothFunction> take() { return std::move(found_); }

 private:
  formula::SymbolTable table_;
  std::vector<NonsmoothFunction> found_;
};

}  // namespace

std::vector<std::string> forces_like_friction(const LagrangianDescription& description) {
  const Search search(description);
  std::vector<std::string> fields;
  for (const auto& [name, quantity] : description.force)
    if (search.jumps_with_velocity(quantity)) fields.push_back("force." + name);
  return fields;
}

std::vector<NonsmoothFunction> nonsmooth_functions(const LagrangianDescription& description) {
  Search search(description);
  search.look("kinetic", description.kinetic);
  for (std::size_t i = 0; i < description.mass.size(); ++i)
    for (std::size_t j = 0; j < description.mass[i].size(); ++j)
      search.look(path_to(path_to("mass", i), j), description.mass[i][j]);
  search.look("potential", description.potential);
  search.look("dissipation", description.dissipation);
  for (const auto& [name, quantity] : description.force) search.look("force." + name, quantity);
  for (std::size_t i = 0; i < description.states.size(); ++i)
    search.look(path_to("state", i, "rate"), description.states[i].rate);
  for (std::size_t i = 0; i < description.constraints.size(); ++i) {
    const ConstraintDescription& constraint = description.constraints[i];
    search.look(path_to("constraint", i, "gap"), constraint.gap);
    if (constraint.friction) search.look(path_to("constraint", i, "friction"), *constraint.friction);
    for (const std::string& slip : constraint.slip) search.look(path_to("constraint", i, "slip"), slip);
  }
  for (std::size_t i = 0; i < description.joints.size(); ++i) {
    for (const std::string& equation : description.joints[i].equation)
      search.look(path_to("joint", i, "equation"), equation);
    for (const std::string& rate : description.joints[i].rate) search.look(path_to("joint", i, "rate"), rate);
  }
  for (std::size_t i = 0; i < description.frictions.size(); ++i) {
    for (const std::string& slip : description.frictions[i].slip) search.look(path_to("friction", i, "slip"), slip);
    search.look(path_to("friction", i, "limit"), description.frictions[i].limit);
  }
  return search.take();
}

}  // namespace ricochet
