// Where formulas may become infinite or 0: functions of which each pole is a zero, found on the graph.
#pragma once

#include <vector>

#include "ricochet/formula/graph.hpp"

namespace ricochet::formula {

// Denominators and bases of powers, factor by factor, and cos x for tan x; those that are constant are left out. They
// change sign at poles of even order too: x for 1/x². Not each of their zeros is a pole: sin(x)/x.
std::vector<NodeId> poles(Graph& graph, const std::vector<NodeId>& nodes);
// Functions of which each zero of the nodes is one, factor by factor too.
std::vector<NodeId> zeros(const Graph& graph, const std::vector<NodeId>& nodes);

}  // namespace ricochet::formula
