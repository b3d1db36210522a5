// TomlDocument -> Scenario, over the description of the keys.
#pragma once

#include "io/scenario/toml_document.hpp"
#include "ricochet/scenario/scenario.hpp"

namespace ricochet::io {

// Throws ScenarioError for unknown and missing keys and for values of a wrong type.
Scenario read(const TomlDocument& document);

}  // namespace ricochet::io
