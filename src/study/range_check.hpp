// Mass, restitution, walls and values over the whole range of time: what intervals show of the formulas, or what a
// search finds.
#pragma once

#include <vector>

#include "ricochet/study/check.hpp"

namespace ricochet {

struct RangeCheck {
  std::vector<Finding> findings = {};
  bool holds = true;                                         // nothing was found that the theory excludes
  bool mass_is_known = false, restitution_is_known = false;  // shown everywhere, or refuted
  bool values_are_known = true;                              // gaps and forces have some everywhere
};
// Without formulas only walls are looked at, at some times.
RangeCheck check_ranges(const Model& model, const FormulaRanges* formulas, const State& start, TimeSpan span);

}  // namespace ricochet
