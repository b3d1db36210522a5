// The outcomes of converge and compare: in sentences, as JSON, as a page, and as arrays for a file.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "ricochet/io/result/study_file.hpp"
#include "ricochet/present/study_page.hpp"
#include "ricochet/task/compare.hpp"
#include "ricochet/task/converge.hpp"

namespace ricochet {

// What the numbers do not say, one sentence each.
std::vector<std::string> notes(const ConvergeOutcome& outcome);
std::vector<std::string> notes(const CompareOutcome& outcome);

// Plain sentences drawn from the data: the cheapest scheme that reaches `accuracy` (relative, of q), the one that keeps
// energy best, those that failed and why; where trajectories part, what the statistics say.
std::vector<std::string> recommendation(const Comparison& comparison, double accuracy);
std::vector<std::string> recommendation(const CompareOutcome& outcome);

// One JSON object. `scenario` is what the user called it. Numbers that are not finite are null.
std::string to_json(const ConvergeOutcome& outcome, std::string_view scenario);
std::string to_json(const CompareOutcome& outcome, std::string_view scenario);
std::string to_json(const SuiteOutcome& outcome);

StudyPage study_page(const ConvergeOutcome& outcome);
StudyPage study_page(const CompareOutcome& outcome);
StudyPage study_page(const SuiteOutcome& outcome);
// The page without its plots, for a terminal and as Markdown; notes are said elsewhere.
std::string to_text(const StudyPage& page);
std::string to_markdown(const StudyPage& page);

// /steps, /errors/SCHEME/NORM with orders as attributes; /schemes/SCHEME/seconds and so on.
StudyFile study_file(const ConvergeOutcome& outcome, std::string_view scenario);
StudyFile study_file(const CompareOutcome& outcome, std::string_view scenario);

}  // namespace ricochet
