// Whether joints can be held, at the start and, where they move, at some times of the run.
#pragma once

#include <vector>

#include "ricochet/study/check.hpp"

namespace ricochet {

struct JointCheck {
  std::vector<Finding> findings = {};
  bool is_sampled = false;  // what is said holds at some times
};
JointCheck check_joints(const Model& model, const State& start, TimeSpan span);

}  // namespace ricochet
