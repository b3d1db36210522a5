#include "scenario/build/formulas.hpp"

#include <memory>

#include "formula/poles.hpp"
#include "formula/time_terms.hpp"
#include "ricochet/core/error.hpp"
#include "ricochet/formula/graph.hpp"
#include "ricochet/formula/parse.hpp"

namespace ricochet {

ParameterSymbols::ParameterSymbols(const Parameters& parameters) {
  for (const auto& [name, value] : parameters) {
    table.add(name, {formula::Bank::parameter, static_cast<int>(values.size())});
    values.push_back(value);
  }
}

Formulas::Formulas(const std::vector<Item>& items, const Parameters& parameters, const std::string& variable) {
  auto [table, values] = ParameterSymbols(parameters);
  const formula::Symbol x = {formula::Bank::coordinate, 0};
  if (!variable.empty() && !table.find(variable)) table.add(variable, x);

  formula::Graph graph;
  std::vector<formula::NodeId> nodes;
  for (const Item& item : items) {
    nodes.push_back(formula::parse(graph, item.text, table, item.field));
    if (!variable.empty()) nodes.push_back(graph.derivative(nodes.back(), x));
  }
  tape_ = formula::Tape(graph, nodes);
  constants_ = tape_.constants(values.data());
}

TimePoles time_poles(const std::string& formula, const Parameters& parameters) {
  const auto [table, values] = ParameterSymbols(parameters);
  formula::Graph graph;
  const std::vector<formula::NodeId> poles = formula::poles(graph, {formula::parse(graph, formula, table)});
  if (poles.empty()) return {};
  auto tape = std::make_shared<const formula::Tape>(graph, poles);
  return {tape->output_count(), [tape, constants = tape->constants(values.data())](double t, double* functions) {
            tape->evaluate(formula::Inputs<double>{.t = &t}, constants.data(), functions);
          }};
}

std::optional<TimeSum> time_sum(const std::string& formula, const Parameters& parameters) {
  const auto [table, values] = ParameterSymbols(parameters);
  formula::Graph graph;
  const auto nodes = formula::time_terms(graph, formula::parse(graph, formula, table));
  if (!nodes) return std::nullopt;
  std::vector<formula::NodeId> parts;
  for (const formula::TimeTermNodes& term : *nodes)
    parts.insert(parts.end(), {term.rate, term.frequency, term.cosine, term.sine});
  const formula::Tape tape(graph, parts);
  std::vector<double> numbers(parts.size());
  tape.evaluate(formula::Inputs<double>{}, tape.constants(values.data()).data(), numbers.data());
  TimeSum sum;
  for (std::size_t i = 0; i < nodes->size(); ++i)
    sum.push_back({(*nodes)[i].power, numbers[4 * i], numbers[4 * i + 1], numbers[4 * i + 2], numbers[4 * i + 3]});
  return sum;
}

}  // namespace ricochet
