// What studies take as text: lists of schemes and steps, windows, references.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "ricochet/io/scenario_toml.hpp"
#include "ricochet/study/checked_reference.hpp"
#include "ricochet/study/convergence.hpp"

namespace ricochet {

// All throw InputError with the name of the option ("--schemes").

// "moreau-jean:theta=1,mannshardt:tableau=gauss-3": names with parameters, each as it was written.
std::vector<SchemeChoice> parse_schemes(std::string_view text);
// "1e-2,5e-3", or "0.04:5" for five steps, each half of the one before. Falling, without doubles.
std::vector<double> parse_steps(std::string_view text, std::string_view option = "--steps");
// "0:1.6".
TimeSpan parse_window(std::string_view text);
// A number.
double parse_number(std::string_view text, std::string_view option);

// A complaint of the numerics under the name of the option that it is about, or at its place in the scenario.
[[noreturn]] void refuse_study(const ScenarioFile& file, const InputError& error);

// Five steps down to the one given, as far as they fit into the window.
std::vector<double> default_steps(double h, double longest);

// A problem as studies take it; borrows the model.
StudyProblem study_problem(const Problem& problem);

// A reference with what there is to say about it.
struct StudyReference {
  std::string kind;  // "exact", "event-driven", "mannshardt" or the name of a file
  CheckedReference checked;
  std::vector<std::string> notes = {};
  // Errors at or below are those of the reference or of round-off.
  Errors floor(const Model& model, TimeSpan window) const;
};

// `kind` as above; empty: the known answer if it has formulas for the window, otherwise event-driven.
StudyReference study_reference(const ScenarioFile& file, const Problem& problem, const std::string& kind,
                               TimeSpan window);
// One that is computed; if none is asked for and event-driven stops, mannshardt takes its place.
StudyReference computed_reference(const StudyProblem& problem, const std::string& kind, TimeSpan window);
// The window that is asked for, which must lie in the run, or that of the known answer or of the run.
TimeSpan study_window(const std::optional<TimeSpan>& asked, const ScenarioFile& file, const Problem& problem,
                      const std::string& kind);

}  // namespace ricochet
