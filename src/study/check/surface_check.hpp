// Mass, gaps and bounded numbers away from the start: at sampled times of the run, and where each gap closes.
#pragma once

#include <vector>

#include "ricochet/study/check.hpp"
#include "study/check/range_check.hpp"

namespace ricochet {

struct SurfaceCheck {
  std::vector<Finding> findings = {};
  bool is_sampled = false;  // something varies, so that what was found holds at the points looked at only
  bool holds = true;        // nothing was found there that the theory excludes
};
// `known`: what need not be looked at.
SurfaceCheck check_surfaces(const Model& model, const State& start, TimeSpan span, const RangeCheck& known);

}  // namespace ricochet
