// The outcomes of orbit and continue: in sentences, as JSON, as a page, and as arrays for files.
#pragma once

#include <string>
#include <string_view>

#include "ricochet/io/result/study_file.hpp"
#include "ricochet/present/study_page.hpp"
#include "ricochet/task/orbit.hpp"

namespace ricochet {

// One JSON object. `scenario` is what the user called it. Numbers that are not finite are null.
std::string to_json(const OrbitOutcome& outcome, std::string_view scenario);
std::string to_json(const ContinueOutcome& outcome, std::string_view scenario);

// Why there is nothing to show; empty if there is.
std::string complaint(const OrbitOutcome& outcome);
std::string complaint(const ContinueOutcome& outcome);

StudyPage study_page(const OrbitOutcome& outcome);
StudyPage study_page(const ContinueOutcome& outcome);

// /motion, /impacts, /multipliers; /branches/N/parameter and so on, /points.
StudyFile study_file(const OrbitOutcome& outcome, std::string_view scenario);
StudyFile study_file(const ContinueOutcome& outcome, std::string_view scenario);

// All points of all branches, one a line.
std::string branches_csv(const ContinueOutcome& outcome);
// With a second parameter: all points of all curves.
std::string curves_csv(const ContinueOutcome& outcome);

}  // namespace ricochet
