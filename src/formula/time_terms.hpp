// Functions of the time that are finite sums
//
//     Σ t^k exp(α t) (a cos ωt + b sin ωt),   k = 0, 1, 2, …
//
// as expressions of the parameters: recognised on the graph from constants, powers of t, exp, sin, cos, sinh and cosh
// of linear arguments, their sums and, by the addition theorems, their products. What is recognised depends on the form
// of an expression only, never on the values of parameters.
#pragma once

#include <optional>
#include <vector>

#include "ricochet/formula/graph.hpp"

namespace ricochet::formula {

// α, ω, a and b are constant nodes.
struct TimeTermNodes {
  int power = 0;
  NodeId rate = -1, frequency = -1, cosine = -1, sine = -1;
};

// Nothing if the node is not such a sum, or one of over a hundred terms or powers over 8.
std::optional<std::vector<TimeTermNodes>> time_terms(Graph& graph, NodeId node);

}  // namespace ricochet::formula
