// Modes in words, as JSON and as a table.
#pragma once

#include <string>
#include <string_view>

#include "ricochet/task/modes.hpp"

namespace ricochet {

// One JSON object. `scenario` is what the user called it.
std::string to_json(const ModesOutcome& outcome, std::string_view scenario);
// Frequencies, damping and participation, for a terminal.
std::string summary(const ModesOutcome& outcome);
// One row a mode: numbers, participation, then the shape, one column a coordinate.
std::string to_csv(const ModesOutcome& outcome);

}  // namespace ricochet
