// The outcome of a solved contact problem in words and as JSON.
#pragma once

#include <string>
#include <string_view>

#include "ricochet/task/solve.hpp"

namespace ricochet {

// One JSON object. `problem` is what the user called it.
std::string to_json(const SolveOutcome& outcome, std::string_view problem);
std::string summary(const SolveOutcome& outcome);
// What went wrong, in a sentence; empty if it was solved.
std::string complaint(const SolveOutcome& outcome);

}  // namespace ricochet
