// What the presentations of converge and compare share.
#pragma once

#include "io/format/json.hpp"
#include "ricochet/present/study.hpp"

namespace ricochet {

Json errors_json(const Errors& errors);
// What the JSON of both begins with, and what it says of the reference.
Json study_json(const StudyOutcome& outcome, std::string_view scenario);
Json reference_json(const ReferenceOutcome& reference);
Json compare_json(const CompareOutcome& outcome, std::string_view scenario);

// Aligned, without its title.
std::string table_text(const StudyTable& table);

// Axes and columns that are called after a quantity get its label and unit; x' is the rate of x, and steps and times
// have the unit of t.
void show_units(StudyPage& page, const std::vector<Display>& display);
// "x [m]"
std::string in_unit(const std::string& words, const std::string& unit);

// The step of a point, or its tolerance.
std::string setting(double h, const std::optional<double>& tolerance);

// What the reference does not tell of itself.
std::vector<std::string> reference_notes(const ReferenceOutcome& reference, TimeSpan window);

// A file with its texts, still without arrays.
StudyFile titled_file(const char* study, const StudyOutcome& outcome, std::string_view scenario);
// A label as a part of a path: '/' would begin a group.
std::string path_part(std::string label);

}  // namespace ricochet
