// One run, from its description to its outcome.
#pragma once

#include <atomic>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "ricochet/io/result/result_writer.hpp"
#include "ricochet/io/scenario/scenario_file.hpp"
#include "ricochet/run/solution.hpp"
#include "ricochet/task/hard_problems.hpp"

namespace ricochet {

struct RunRequest {
  // Opens what the run is recorded in, such as a result file; nothing is recorded if empty.
  std::function<std::unique_ptr<ResultWriter>(const ResultHeader& header)> open_result = {};
  const std::atomic<bool>* interrupt = nullptr;  // set it to end the run cleanly
  std::function<void()> begin = {};  // called when all is built, and from then on there is something to lose
  Observer* observer = nullptr;      // watches beside the writer
  std::size_t keep_problems = 0;     // so many of the hardest contact problems are kept
};

struct RunOutcome {
  std::string title;
  Scheme scheme;
  std::vector<std::string> coordinates, states, constraints, observations;
  std::vector<std::string> joints;    // the reactions of their rows: "pin.reaction.1"
  std::vector<std::string> slips;     // "floor.slip", in space "floor.slip.1" and "floor.slip.2"
  std::filesystem::path output;       // the result file, if any
  double h = 0.0;                     // the even step
  Solution solution;                  // without its trajectory
  std::vector<KeptProblem> problems;  // the hardest, if they were asked for
};

// What cannot be recorded is refused before anything is computed, by what open_result throws; later by WriteError.
// Throws InputError for what cannot be run; `text` is that of the scenario.
RunOutcome run_problem(const Problem& problem, const std::string& title, const std::string& text,
                       const RunRequest& request);
// Throws ScenarioError for what cannot be run.
RunOutcome run_scenario(const ScenarioFile& file, const RunRequest& request);

// A value of a scheme's parameter as text, and the values of all of them, given or default.
std::string to_text(const ParameterValue& value);
std::vector<std::pair<std::string, ParameterValue>> all_parameters(const Scheme& scheme);

// The forces of the joints' rows: "pin.reaction.1", "pin.reaction.2", …
std::vector<std::string> reaction_names(const Layout& layout);
// The slips of all frictions: "floor.slip", in space "floor.slip.1", "floor.slip.2".
std::vector<std::string> slip_names(const Layout& layout);

// What a result file says about its run or sweep; `text` is the scenario's.
ResultHeader result_header(const std::string& title, const std::string& text, const Scheme& scheme,
                           const Layout& layout, const Outputs* outputs = nullptr);

}  // namespace ricochet
