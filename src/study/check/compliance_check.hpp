// What contacts that give way make of impacts.
#pragma once

#include <vector>

#include "ricochet/model/model.hpp"
#include "ricochet/study/check.hpp"

namespace ricochet {

// A finding for each contact that says how it gives way, with the restitution that this implies.
std::vector<Finding> check_compliance(const Model& model, const State& start);

}  // namespace ricochet
