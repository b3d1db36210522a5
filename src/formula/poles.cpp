#include "formula/poles.hpp"

#include <algorithm>

namespace ricochet::formula {
namespace {

// What is 0 where a node is, factor by factor.
void add_zeros(const Graph& graph, NodeId node, std::vector<NodeId>& zeros) {
  std::vector<NodeId> open = {node};
  while (!open.empty()) {
    const NodeId id = open.back();
    open.pop_back();
    if (graph.is_constant(id)) continue;
    const Node& n = graph.at(id);
    switch (n.operation) {
      case Operation::multiply: open.push_back(n.b); [[fallthrough]];
      case Operation::negate:
      case Operation::divide:
      case Operation::power:
      case Operation::abs:
      case Operation::sqrt: open.push_back(n.a); break;
      default: zeros.push_back(id);
    }
  }
}

std::vector<NodeId> each_once(std::vector<NodeId> nodes) {
  std::sort(nodes.begin(), nodes.end());
  nodes.erase(std::unique(nodes.begin(), nodes.end()), nodes.end());
  return nodes;
}

}  // namespace

std::vector<NodeId> poles(Graph& graph, const std::vector<NodeId>& nodes) {
  std::vector<NodeId> found;
  if (nodes.empty()) return found;
  // Operands have smaller ids than their node.
  std::vector<char> needed(static_cast<std::size_t>(*std::max_element(nodes.begin(), nodes.end())) + 1, 0);
  for (const NodeId node : nodes) needed[node] = 1;
  for (NodeId id = static_cast<NodeId>(needed.size()) - 1; id >= 0; --id) {
    const Node n = graph.at(id);
    if (!needed[id] || n.operation <= Operation::symbol) continue;
    for (const NodeId operand : {n.a, n.b, n.c})
      if (operand >= 0) needed[operand] = 1;
    const bool is_polynomial = n.operation == Operation::power && graph.is_number(n.b) && graph.at(n.b).value >= 0.0;
    if (n.operation == Operation::divide) add_zeros(graph, n.b, found);
    if (n.operation == Operation::power && !is_polynomial) add_zeros(graph, n.a, found);
    if (n.operation == Operation::tan && !graph.is_constant(n.a)) found.push_back(graph.apply(Operation::cos, n.a));
  }
  return each_once(std::move(found));
}

std::vector<NodeId> zeros(const Graph& graph, const std::vector<NodeId>& nodes) {
  std::vector<NodeId> found;
  for (const NodeId node : nodes) add_zeros(graph, node, found);
  return each_once(std::move(found));
}

}  // namespace ricochet::formula
