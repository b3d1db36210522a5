// What a formula can give where its symbols lie in intervals: bounds in real arithmetic, widened by more than the
// round-off of evaluation. They hold always and are seldom the narrowest ones: x − x over [0, 1] is in [−1, 1].
#pragma once

#include <functional>
#include <limits>

#include "ricochet/formula/graph.hpp"

namespace ricochet::formula {

struct Interval {
  double lower = -std::numeric_limits<double>::infinity(), upper = std::numeric_limits<double>::infinity();
  bool is_number =
      true;  // false: for some of the values there may be none, as for √x over [−1, 1]; nothing is sure then

  static Interval point(double x) { return {x, x}; }
  bool contains(double x) const { return lower <= x && x <= upper; }
};

Interval calculate(Operation operation, const Interval& a, const Interval& b = {}, const Interval& c = {});

Interval range(const Graph& graph, NodeId node, const std::function<Interval(Symbol)>& symbol);

}  // namespace ricochet::formula
