// The outcomes of runs and sweeps: of runs in words, of both as JSON.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "ricochet/task/run.hpp"
#include "ricochet/task/sweep.hpp"

namespace ricochet {

// One JSON object. `scenario` is what the user called it. Numbers that are not finite are null.
std::string to_json(const RunOutcome& run, std::string_view scenario);
std::string to_json(const SweepOutcome& outcome, std::string_view scenario);
// "period 3, 2 impacts", "not periodic".
std::string motion_words(std::int64_t period, double impacts);
// What happened, for a terminal.
std::string summary(const RunOutcome& run);
// What did not go as wanted, a line each: "note: …", "error: …"; but for the notes that were told on the way.
std::string remarks(const RunOutcome& run, const std::vector<std::string>& told = {});

}  // namespace ricochet
