// ricochet converge, from a scenario to errors and orders, and what to tell of them. See docs/converge.md.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "ricochet/io/study_options.hpp"
#include "ricochet/study/study_page.hpp"

namespace ricochet {

struct ConvergeRequest {
  std::vector<SchemeChoice> schemes = {};  // none: that of the scenario
  std::vector<double> steps = {};          // none: five, from 16 times the scenario's step
  std::optional<int> phases = std::nullopt;
  std::optional<TimeSpan> window = std::nullopt;
  std::string reference = {};  // exact, event-driven, mannshardt, a file; empty: the best there is
  bool local = false;
  StudyWork work = {};
};

struct ScenarioConvergence {
  std::string title;
  std::string reference, reference_description;
  Errors agreed, floor;  // of the reference
  TimeSpan window;
  int phases = 8;
  Convergence study;                // without --local
  std::optional<LocalStudy> local;  // with it
  std::vector<std::string> notes;
  bool interrupted = false;
};

// The study of a problem whose reference is known, over the window; `scheme` is for requests that name none.
ScenarioConvergence converge_problem(const StudyProblem& problem, const Scheme& scheme, const StudyReference& reference,
                                     TimeSpan window, const ConvergeRequest& request);

// Throws ScenarioError for what cannot be run, InputError for what is asked of it.
ScenarioConvergence converge_scenario(const ScenarioFile& file, const ConvergeRequest& request);

// One JSON object; numbers that are not finite are null.
std::string to_json(const ScenarioConvergence& result, std::string_view scenario);
// Order plots and tables.
StudyPage study_page(const ScenarioConvergence& result);
std::string to_json(const StudyPage& page);

// HDF5: /steps, /errors/SCHEME/NORM, with orders as attributes. Throws InputError for another ending, FileError.
void write_study(const std::filesystem::path& path, const ScenarioConvergence& result, std::string_view scenario);

}  // namespace ricochet
