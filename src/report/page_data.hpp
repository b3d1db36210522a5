// The data of a run's page as JSON.
#pragma once

#include <string>

#include "ricochet/report/page.hpp"

namespace ricochet::report {

std::string run_json(const StoredResult& result, const PageSettings& settings);

}  // namespace ricochet::report
