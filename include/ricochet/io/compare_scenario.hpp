// ricochet compare, from a scenario to the work and precision of all schemes. See docs/compare.md.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "ricochet/io/study_options.hpp"
#include "ricochet/study/comparison.hpp"
#include "ricochet/study/study_page.hpp"

namespace ricochet {

struct CompareRequest {
  std::vector<SchemeChoice> schemes = {};  // none: all of the catalogue
  std::vector<double> steps = {};          // none: five, from 16 times the scenario's step
  std::vector<double> tolerances = {};     // none: 1e-3 to 1e-9
  std::optional<int> phases = std::nullopt;
  std::optional<TimeSpan> window = std::nullopt;
  std::string reference = {};
  double accuracy = 1e-3;   // wanted, of q relative to its size
  std::string period = {};  // a number or a formula of the parameters: of the load, for the phases of impacts
  StudyWork work = {};
};

struct ScenarioComparison {
  std::string title;
  std::string reference, reference_description;
  Errors agreed;
  TimeSpan window;
  double agreed_until = 0.0;  // the end of the window, unless two settings of the reference part before
  double accuracy = 1e-3;
  double period = 0.0;
  Comparison study;                                // where trajectories can be compared
  std::optional<StatisticsComparison> statistics;  // where they cannot
  std::vector<std::string> recommendation;
  std::vector<std::string> notes;
  bool interrupted = false;
};

// The comparison on a problem whose reference is known, over the window. Where trajectories part it has statistics,
// with phases in the period, and no recommendation.
ScenarioComparison compare_problem(const StudyProblem& problem, const StudyReference& reference, TimeSpan window,
                                   double period, const CompareRequest& request);

// Throws ScenarioError for what cannot be run, InputError for what is asked of it.
ScenarioComparison compare_scenario(const ScenarioFile& file, const CompareRequest& request);

std::string to_json(const ScenarioComparison& result, std::string_view scenario);
StudyPage study_page(const ScenarioComparison& result);
void write_study(const std::filesystem::path& path, const ScenarioComparison& result, std::string_view scenario);

// The benchmark suite: problems of the gallery, each for one situation.
struct SuiteProblem {
  std::string situation, scenario;      // "accumulation", "gallery:lecture-ball"
  std::optional<TimeSpan> window = {};  // part of the run
  std::string period = {};              // of the load
};
const std::vector<SuiteProblem>& suite_problems();

struct SuiteResult {
  std::vector<SuiteProblem> problems;
  std::vector<ScenarioComparison> comparisons;
};
SuiteResult compare_suite(const CompareRequest& request);
std::string to_json(const SuiteResult& result);
StudyPage study_page(const SuiteResult& result);
// The page as Markdown, without plots.
std::string to_markdown(const StudyPage& page);

}  // namespace ricochet
