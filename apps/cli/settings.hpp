// What the options of a verb change in its scenario.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "ricochet/io/scenario_toml.hpp"

namespace ricochet::cli {

// --scheme, every --set, --step and --until, in this order.
Settings settings_of(const std::vector<std::string>& set, const std::optional<std::string>& scheme = {},
                     const std::optional<std::string>& step = {}, const std::optional<std::string>& until = {});

// As given, or the scenario's stem in the current folder: gallery:NAME and some/where/NAME.toml give NAME.h5.
std::filesystem::path result_path(const std::optional<std::string>& given, const std::string& scenario);

}  // namespace ricochet::cli
