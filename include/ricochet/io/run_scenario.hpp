// From a scenario to its result file in one call, and what to tell of it.
#pragma once

#include <atomic>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "ricochet/io/scenario_toml.hpp"
#include "ricochet/run/observer.hpp"
#include "ricochet/run/solution.hpp"

namespace ricochet {

// A result file that failed while the run went on (disk full, …).
class WriteError : public FileError {
 public:
  using FileError::FileError;
};

struct RunRequest {
  std::filesystem::path output = {};             // by its ending .h5, .csv or .npz; none if empty
  const std::atomic<bool>* interrupt = nullptr;  // set it to end the run cleanly
  Observer* observer = nullptr;                  // watches beside the writer
};

struct ScenarioRun {
  std::string title;
  std::string scheme;
  std::vector<std::pair<std::string, ParameterValue>> parameters;  // of the scheme, defaults too
  std::vector<std::string> coordinates, states, constraints, observations;
  std::filesystem::path output;  // the result file, if any
  double h = 0.0;                // the even step
  Solution solution;             // without its trajectory
};

// Throws ScenarioError for what cannot be run, InputError or FileError for a result file that cannot be written, both
// before anything is computed; WriteError later.
ScenarioRun run_scenario(const ScenarioFile& file, const RunRequest& request);

// One JSON object. `scenario` is what the user called it. Numbers that are not finite are null.
std::string to_json(const ScenarioRun& run, std::string_view scenario);

// A value of a scheme's parameter as text, and the values of all of them, given or default.
std::string to_text(const ParameterValue& value);
std::vector<std::pair<std::string, ParameterValue>> all_parameters(const Scheme& scheme);

}  // namespace ricochet
