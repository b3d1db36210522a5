// Document -> Scenario, over the description of the keys.
#pragma once

#include "io/document.hpp"
#include "ricochet/scenario/scenario.hpp"

namespace ricochet::io {

// Throws ScenarioError for unknown and missing keys and for values of a wrong type.
Scenario read(const Document& document);

}  // namespace ricochet::io
