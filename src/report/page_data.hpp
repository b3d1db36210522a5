// The data of a run's page as JSON. web/src/data.ts says what it holds.
#pragma once

#include <string>

#include "io/format/json.hpp"
#include "ricochet/report/page.hpp"

namespace ricochet::report {

// What the data of runs and of sweeps begin with. `parameters`: of the scheme, a JSON object as the file has it.
Json page_head(const char* kind, const std::string& title, const std::string& version, const std::string& scheme,
               const std::string& parameters);

std::string run_json(const StoredResult& result, const PageSettings& settings);

}  // namespace ricochet::report
