// The outcome of a run in words and as JSON.
#pragma once

#include <string>
#include <string_view>

#include "ricochet/task/run.hpp"

namespace ricochet {

// One JSON object. `scenario` is what the user called it. Numbers that are not finite are null.
std::string to_json(const RunOutcome& run, std::string_view scenario);
// What happened, for a terminal.
std::string summary(const RunOutcome& run);
// What did not go as wanted, a line each: "note: …", "error: …".
std::string remarks(const RunOutcome& run);

}  // namespace ricochet
