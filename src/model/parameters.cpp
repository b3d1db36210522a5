// Values of parameters: numbers, or formulas of each other in any order.
#include <algorithm>
#include <cmath>
#include <utility>

#include "ricochet/core/error.hpp"
#include "ricochet/formula/graph.hpp"
#include "ricochet/formula/parse.hpp"
#include "ricochet/formula/tape.hpp"
#include "ricochet/model/lagrangian.hpp"

namespace ricochet {
namespace {

using formula::Bank;
using formula::Graph;
using formula::NodeId;
using NamedNumbers = std::vector<std::pair<std::string, double>>;

formula::SymbolTable parameter_symbols(const auto& parameters) {
  formula::SymbolTable table;
  int index = 0;
  for (const auto& [name, value] : parameters) {
    try {
      table.add(name, {Bank::parameter, index++});
    } catch (const Error& error) {
      throw InputError("parameters." + name, error.what());
    }
  }
  return table;
}

NodeId parse_constant(Graph& graph, const std::string& text, const formula::SymbolTable& table,
                      const std::string& field) {
  const formula::NodeId node = formula::parse(graph, text, table, field);
  if (!graph.is_constant(node)) throw InputError(field, "must not depend on the time t: it is a constant of the model");
  return node;
}

double value_of(const Graph& graph, NodeId node, const std::vector<double>& parameters, const std::string& field) {
  const formula::Tape tape(graph, {node});
  double value = 0.0;
  tape.evaluate(formula::Inputs<double>{}, tape.constants(parameters.data()).data(), &value);
  if (!std::isfinite(value)) throw InputError(field, "must be a finite number, got " + to_text(value));
  return value;
}

}  // namespace

std::vector<std::pair<std::string, double>> evaluate_parameters(const NamedQuantities& parameters) {
  const formula::SymbolTable table = parameter_symbols(parameters);
  const int n = static_cast<int>(parameters.size());
  Graph graph;
  std::vector<NodeId> nodes;
  for (const auto& [name, quantity] : parameters) {
    if (quantity.is_number() && !std::isfinite(quantity.number()))
      throw InputError("parameters." + name, "must be a finite number, got " + quantity.text());
    nodes.push_back(parse_constant(graph, quantity.text(), table, "parameters." + name));
  }

  // In rounds: whatever depends only on known parameters becomes known.
  std::vector<double> values(parameters.size(), 0.0);
  std::vector<bool> known(parameters.size(), false);
  for (int done = 0; done < n;) {
    const int before = done;
    for (int i = 0; i < n; ++i) {
      if (known[i]) continue;
      bool ready = true;
      for (int k = 0; k < n && ready; ++k) ready = known[k] || !graph.depends_on(nodes[i], {Bank::parameter, k});
      if (!ready) continue;
      values[i] = value_of(graph, nodes[i], values, "parameters." + parameters[i].first);
      known[i] = true;
      ++done;
    }
    if (done == before) {
      const auto first = std::find(known.begin(), known.end(), false) - known.begin();
      throw InputError("parameters." + parameters[first].first,
                       "depends on itself, directly or through other parameters");
    }
  }
  NamedNumbers result;
  for (int i = 0; i < n; ++i) result.emplace_back(parameters[i].first, values[i]);
  return result;
}

double evaluate_quantity(const Quantity& quantity, const NamedNumbers& parameters, const std::string& field) {
  if (quantity.is_number()) {
    if (!std::isfinite(quantity.number()))
      throw InputError(field, "must be a finite number, got " + to_text(quantity.number()));
    return quantity.number();
  }
  Graph graph;
  const NodeId node = parse_constant(graph, quantity.formula(), parameter_symbols(parameters), field);
  std::vector<double> values;
  for (const auto& [name, value] : parameters) values.push_back(value);
  return value_of(graph, node, values, field);
}

}  // namespace ricochet
