// What friction may do to a problem: several accelerations or none (Painlevé), impacts that gain energy. At the start.
#pragma once

#include <vector>

#include "ricochet/study/check.hpp"

namespace ricochet {

// `contacts`: what touches there. Nothing where there is no friction.
std::vector<Finding> check_friction(const Model& model, const State& start, const StartCheck& contacts);

}  // namespace ricochet
