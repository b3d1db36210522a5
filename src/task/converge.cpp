#include "ricochet/task/converge.hpp"

#include <algorithm>
#include <cmath>

#include "core/interrupt.hpp"
#include "task/study_case.hpp"

namespace ricochet {

namespace {

constexpr int converge_phases = 8, local_phases = 16;

// Errors at or below are those of the reference or of round-off.
Errors floor_of(const StudyCase& study) {
  constexpr double round_off = 1e-13, caution = 3.0;
  Errors floor = size_of(*study.problem.model, *study.reference.motion, study.outcome.window);
  for (std::size_t n = 0; n < norm_count; ++n) {
    const double agreed = study.reference.agreed.at(n);
    floor.at(n) = std::max(round_off * floor.at(n), std::isnan(agreed) ? 0.0 : caution * agreed);
  }
  return floor;
}

}  // namespace

ConvergeOutcome converge_problem(const Problem& problem, const ConvergeRequest& request, const Scenario* scenario) {
  const InterruptScope scope(request.work.interrupt);
  const int phases = request.phases.value_or(request.local ? local_phases : converge_phases);
  check_phases(phases, request.local ? most_local_phases : most_phases);
  const StudyCase study = study_case(problem, request, scenario);
  const ReferenceMotion& motion = *study.reference.motion;
  const TimeSpan window = study.outcome.window;

  ConvergeOutcome outcome{study.outcome, floor_of(study), phases, {}, {}};
  std::vector<SchemeChoice> schemes = request.schemes;
  if (schemes.empty()) schemes.push_back({problem.scheme.name, problem.scheme});
  if (request.local)
    outcome.local = local_errors(
        study.problem, motion,
        {schemes, study.steps, phases, window, outcome.floor[Norm::q_sup], outcome.floor[Norm::v_hausdorff]});
  else
    outcome.study =
        converge(study.problem, motion, {schemes, study.steps, phases, window, outcome.floor, request.work});
  outcome.interrupted = is_set(request.work.interrupt);
  return outcome;
}

ConvergeOutcome converge_scenario(const ScenarioFile& file, const ConvergeRequest& request) {
  return study_scenario(file,
                        [&](const Problem& problem) { return converge_problem(problem, request, &file.scenario()); });
}

}  // namespace ricochet
