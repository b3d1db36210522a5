// What the options of a verb change in its scenario.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "ricochet/io/scenario_toml.hpp"

namespace ricochet::cli {

// --scheme, every --set, --step and --until, in this order.
Settings settings_of(const std::vector<std::string>& set, const std::optional<std::string>& scheme = {},
                     const std::optional<std::string>& step = {}, const std::optional<std::string>& until = {});

}  // namespace ricochet::cli
