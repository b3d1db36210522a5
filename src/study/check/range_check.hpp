// Mass, bounded numbers, walls and values over the whole range of time: what intervals show of the formulas, or what a
// search finds.
#pragma once

#include <array>
#include <vector>

#include "ricochet/study/check.hpp"

namespace ricochet {

struct RangeCheck {
  std::vector<Finding> findings = {};
  bool holds = true;                              // nothing was found that the theory excludes
  bool mass_is_known = false;                     // shown everywhere, or refuted
  std::array<bool, bounded_kinds> is_known = {};  // the same of numbers, by BoundedKind
  bool values_are_known = true;                   // gaps, joints and forces have some everywhere
  bool walls_are_known = true;                    // those that move leave room, or do not
};
// Without formulas walls and values are looked at, at some times.
RangeCheck check_ranges(const Model& model, const CheckedFormulas* formulas, const State& start, TimeSpan span);

}  // namespace ricochet
