// Pages without a script, for builds without npm.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "ricochet/io/result_reader.hpp"

namespace ricochet::report {

std::string plain_run_page(const StoredResult& result, const std::vector<std::string>& notes);
std::string plain_study_page(const nlohmann::ordered_json& study);

}  // namespace ricochet::report
