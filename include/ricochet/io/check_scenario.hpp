// ricochet check, from a scenario to what is said of it.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "ricochet/io/scenario_toml.hpp"
#include "ricochet/study/check.hpp"

namespace ricochet {

struct ScenarioCheck {
  std::string title;
  std::string scheme;
  std::vector<std::string> coordinates, constraints;
  CheckReport report;
};

// Throws ScenarioError for what is no problem at all. A start inside an obstacle is a finding.
ScenarioCheck check_scenario(const ScenarioFile& file);

// One JSON object. `scenario` is what the user called it. Numbers that are not finite are null; at most 1000 pairs.
std::string to_json(const ScenarioCheck& check, std::string_view scenario);

}  // namespace ricochet
