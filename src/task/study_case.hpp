// A problem that is ready for a study: its window, its reference and its steps.
#pragma once

#include "ricochet/core/error.hpp"
#include "ricochet/io/scenario/scenario_file.hpp"
#include "ricochet/study/checked_reference.hpp"
#include "ricochet/task/study.hpp"

namespace ricochet {

struct StudyCase {
  StudyProblem problem;  // borrows the model
  CheckedReference reference;
  StudyOutcome outcome;
  std::vector<double> steps;
};

// Throws InputError with the name of what is asked for.
StudyCase study_case(const Problem& problem, const StudyRequest& request, const Scenario* scenario);

// A study of a file: complaints about the problem get their place in it, those about the request stay as they are.
bool is_of_request(const InputError& error);
template <class Study>
auto study_scenario(const ScenarioFile& file, const Study& study) {
  const Problem problem = file.build();
  try {
    return study(problem);
  } catch (const InputError& error) {
    if (is_of_request(error)) throw;
    throw file.located(error);
  }
}

}  // namespace ricochet
