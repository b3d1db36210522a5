// The outcome of a check in words and as JSON.
#pragma once

#include <string>
#include <string_view>

#include "ricochet/task/check.hpp"

namespace ricochet {

// One JSON object. `scenario` is what the user called it. Numbers that are not finite are null; at most 1000 pairs.
std::string to_json(const CheckOutcome& check, std::string_view scenario);
// Findings with numbers, then the verdict.
std::string summary(const CheckOutcome& check);

}  // namespace ricochet
