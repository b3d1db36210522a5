// docs/scenario-reference.md, made from the tables of the keys and the catalogue of schemes.
#pragma once

#include <string>

namespace ricochet {

std::string key_listing();

}  // namespace ricochet
