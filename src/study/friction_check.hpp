// What friction may do to a problem: several accelerations or none (Painlevé), impacts that gain energy. At the start.
#pragma once

#include <vector>

#include "ricochet/study/check.hpp"

namespace ricochet {

// `closed`: the contacts that touch there. Nothing where no contact has friction.
std::vector<Finding> check_friction(const Model& model, const State& start, const std::vector<int>& closed);

}  // namespace ricochet
