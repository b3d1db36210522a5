// The outcome of an analysis in words, as JSON and as tables.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "ricochet/present/study_page.hpp"
#include "ricochet/task/analyse.hpp"

namespace ricochet {

// One JSON object. `result` is what the user called the file.
std::string to_json(const AnalyseOutcome& outcome, std::string_view result);
std::string summary(const AnalyseOutcome& outcome);
// Tables, spectra, envelopes and distributions, of at most six quantities and contacts each.
StudyPage study_page(const AnalyseOutcome& outcome);

// CSV tables by the ending of their file's name: "contacts", "distributions", "quantities", "spectrum", "spectrogram",
// "envelope"; only those that have rows.
std::vector<std::pair<std::string, std::string>> csv_tables(const AnalyseOutcome& outcome);

}  // namespace ricochet
