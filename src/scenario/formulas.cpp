#include "scenario/formulas.hpp"

#include "ricochet/core/error.hpp"
#include "ricochet/formula/graph.hpp"
#include "ricochet/formula/parse.hpp"

namespace ricochet {

Formulas::Formulas(const std::vector<Item>& items, const Parameters& parameters, const std::string& variable) {
  formula::SymbolTable table;
  std::vector<double> values;
  const formula::Symbol x = {formula::Bank::coordinate, 0};
  for (const auto& [name, value] : parameters) {
    table.add(name, {formula::Bank::parameter, static_cast<int>(values.size())});
    values.push_back(value);
  }
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

}  // namespace ricochet
