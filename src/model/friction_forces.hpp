// Forces that jump with a velocity, as −sign(x_dot) does: dry friction, written as what it is not.
#pragma once

#include <string>
#include <vector>

#include "ricochet/model/lagrangian.hpp"

namespace ricochet {

// Their fields, "force.x". The description must be one that lagrangian() takes.
std::vector<std::string> forces_like_friction(const LagrangianDescription& description);

}  // namespace ricochet
