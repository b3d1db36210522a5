// docs/scenario-reference.md, made from the description of the keys and the catalogue of schemes.
#pragma once

#include <string>

namespace ricochet {

std::string scenario_reference();

}  // namespace ricochet
