// Errors of schemes over a range of steps, and their orders. See docs/converge.md.
#pragma once

#include "ricochet/io/scenario/scenario_file.hpp"
#include "ricochet/task/study.hpp"

namespace ricochet {

// Without schemes: that of the problem.
struct ConvergeRequest : StudyRequest {
  bool local = false;  // errors of one step across an impact
};

struct ConvergeOutcome : StudyOutcome {
  Errors floor;  // errors at or below are those of the reference or of round-off
  int phases = 8;
  Convergence study;                // without `local`
  std::optional<LocalStudy> local;  // with it
};

// Throws InputError with the name of what is asked for ("window"), or of what cannot be run. `scenario`, if there is
// one, says what is known of the problem.
ConvergeOutcome converge_problem(const Problem& problem, const ConvergeRequest& request,
                                 const Scenario* scenario = nullptr);
// Throws ScenarioError for what cannot be run.
ConvergeOutcome converge_scenario(const ScenarioFile& file, const ConvergeRequest& request);

}  // namespace ricochet
