// Functions in formulas that break the smoothness which the theory assumes.
#pragma once

#include <string>
#include <vector>

#include "ricochet/model/lagrangian.hpp"

namespace ricochet {

struct NonsmoothFunction {
  std::string field;     // "potential", "constraint[0].gap"
  std::string function;  // "abs", "sign", "step", "floor", "min", "max", "if", "comparison"
  bool operator==(const NonsmoothFunction&) const = default;
};

// abs, sign, step, floor, min, max, if and comparisons of what changes in a run, in the formulas of mass, forces,
// states and gaps. The description must be one that lagrangian() takes.
std::vector<NonsmoothFunction> nonsmooth_functions(const LagrangianDescription& description);

}  // namespace ricochet
