// Values of parameters: numbers, or formulas of each other in any order.
#include <algorithm>
#include <cmath>
#include <utility>

#include "formula/operations.hpp"
#include "ricochet/core/error.hpp"
#include "ricochet/core/quantity.hpp"
#include "ricochet/formula/graph.hpp"
#include "ricochet/formula/parse.hpp"
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

// A formula in a graph of its own: what is done with one costs nothing for the others.
struct Constant {
  Graph graph;
  NodeId node = -1;
};

// The parameters, each behind those that its formula names. Throws InputError for one that comes back to itself.
std::vector<int> ordered(const std::vector<Constant>& formulas, const NamedQuantities& parameters) {
  const std::size_t n = formulas.size();
  std::vector<std::vector<int>> users(n);
  std::vector<std::size_t> missing(n, 0);
  std::vector<int> order;
  for (std::size_t i = 0; i < n; ++i) {
    for (const formula::Symbol& symbol : formulas[i].graph.symbols(formulas[i].node)) {
      users[symbol.index].push_back(static_cast<int>(i));
      ++missing[i];
    }
    if (missing[i] == 0) order.push_back(static_cast<int>(i));
  }
  for (std::size_t k = 0; k < order.size(); ++k)
    for (const int i : users[order[k]])
      if (--missing[i] == 0) order.push_back(i);
  if (order.size() == n) return order;
  const auto first = std::find_if(missing.begin(), missing.end(), [](std::size_t left) { return left > 0; });
  throw InputError("parameters." + parameters[first - missing.begin()].first,
                   "depends on itself, directly or through other parameters");
}

// By the operations of tapes, without making one.
double value_of(const Graph& graph, NodeId node, const std::vector<double>& parameters, const std::string& field) {
  using formula::Operation;
  std::vector<double> values;
  values.reserve(static_cast<std::size_t>(node) + 1);
  const auto of = [&](NodeId id) { return id < 0 ? 0.0 : values[id]; };
  for (NodeId id = 0; id <= node; ++id) {
    const formula::Node& x = graph.at(id);
    if (x.operation == Operation::number)
      values.push_back(x.value);
    else if (x.operation == Operation::symbol)
      values.push_back(graph.is_constant(id) ? parameters[x.b] : 0.0);  // 0*t is none of the value's operands
    else
      values.push_back(formula::calculate(x.operation, of(x.a), of(x.b), of(x.c), x.b >= 0 && graph.is_number(x.b)));
  }
  if (!std::isfinite(values.back())) throw InputError(field, "must be a finite number, got " + to_text(values.back()));
  return values.back();
}

}  // namespace

std::vector<std::pair<std::string, double>> evaluate_parameters(const NamedQuantities& parameters) {
  const formula::SymbolTable table = parameter_symbols(parameters);
  const int n = static_cast<int>(parameters.size());
  std::vector<Constant> formulas(parameters.size());
  for (int i = 0; i < n; ++i) {
    const auto& [name, quantity] = parameters[i];
    if (quantity.is_number() && !std::isfinite(quantity.number()))
      throw InputError("parameters." + name, "must be a finite number, got " + quantity.text());
    formulas[i].node = parse_constant(formulas[i].graph, quantity.text(), table, "parameters." + name);
  }

  // Each after those that it depends on.
  NamedNumbers result;
  std::vector<double> values(parameters.size(), 0.0);
  for (const int i : ordered(formulas, parameters))
    values[i] = value_of(formulas[i].graph, formulas[i].node, values, "parameters." + parameters[i].first);
  for (int i = 0; i < n; ++i) result.emplace_back(parameters[i].first, values[i]);
  return result;
}

void check_compliance(const NamedQuantities& compliance, const std::string& field) {
  const std::vector<std::string> names = {"stiffness", "exponent", "damping", "hysteresis"};
  const auto find = [&](const char* name) {
    const auto place =
        std::find_if(compliance.begin(), compliance.end(), [&](const auto& x) { return x.first == name; });
    return place == compliance.end() ? nullptr : &place->second;
  };
  for (const auto& [name, value] : compliance) {
    if (std::find(names.begin(), names.end(), name) == names.end()) {
      const std::string_view near = nearest(name, names);
      throw InputError(field, "has no '" + name + "'; " +
                                  (near.empty() ? "it has stiffness, exponent, damping and hysteresis"
                                                : "did you mean '" + std::string(near) + "'?"));
    }
    const double least = name == "exponent" ? 1.0 : 0.0;
    if (!value.is_number() ||
        (value.number() >= least && std::isfinite(value.number()) && (name != "stiffness" || value.number() > 0.0)))
      continue;
    throw InputError(field + "." + name, (name == "stiffness"  ? "must be positive, got "
                                          : name == "exponent" ? "must be at least 1, got "
                                                               : "must not be negative, got ") +
                                             value.text());
  }
  if (compliance.empty()) return;
  if (find("stiffness") == nullptr) throw InputError(field + ".stiffness", "is missing: the force per depth");
  if (find("damping") != nullptr && find("hysteresis") != nullptr)
    throw InputError(field + ".hysteresis", "give damping, a damper beside the spring, or hysteresis, not both");
  const Quantity* exponent = find("exponent");
  if (find("damping") != nullptr && exponent != nullptr && *exponent != Quantity(1.0))
    throw InputError(field + ".damping",
                     "goes with exponent = 1: a damper beside a spring that begins softly would push at once; give "
                     "hysteresis = α, force k δⁿ (1 + α δ')");
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
