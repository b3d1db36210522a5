// What a sweep has to tell, as JSON.
#pragma once

#include <string>
#include <string_view>

#include "ricochet/task/sweep.hpp"

namespace ricochet {

// One JSON object. `scenario` is what the user called it. Numbers that are not finite are null.
std::string to_json(const SweepOutcome& outcome, std::string_view scenario);

}  // namespace ricochet
