#include "ricochet/task/compare.hpp"

#include <cmath>

#include "core/interrupt.hpp"
#include "ricochet/core/quantity.hpp"
#include "scenario/build/formulas.hpp"
#include "task/study_case.hpp"

namespace ricochet {

namespace {

constexpr int compare_phases = 4;

// A number, or a formula of the model's parameters.
double period_of(const std::string& text, const Problem& problem) {
  if (text.empty()) return 0.0;
  const double period = Formulas({{"period", text}}, problem.parameters)(0.0).at(0);
  if (!(period > 0.0) || !std::isfinite(period))
    throw InputError("period", "must be a positive number, got " + to_text(period));
  return period;
}

}  // namespace

CompareOutcome compare_problem(const Problem& problem, const CompareRequest& request, const Scenario* scenario) {
  const InterruptScope scope(request.work.interrupt);
  if (!(request.accuracy > 0.0 && request.accuracy < 1.0))
    throw InputError("accuracy", "must be between 0 and 1, got " + to_text(request.accuracy));
  const int phases = request.phases.value_or(compare_phases);
  check_phases(phases);
  const double period = period_of(request.period, problem);
  const StudyCase study = study_case(problem, request, scenario);

  CompareOutcome outcome{study.outcome, request.accuracy, period, {}, {}};
  const ComparisonSettings settings{
      .schemes = request.schemes,
      .steps = study.steps,
      .tolerances = request.tolerances.empty() ? std::vector{1e-3, 1e-4, 1e-5, 1e-7, 1e-9} : request.tolerances,
      .phases = phases,
      .window = outcome.window,
      .work = request.work};
  if (outcome.reference.agreed_until < outcome.window.until)
    outcome.statistics = compare_statistics(study.problem, study.reference, settings, period);
  else
    outcome.study = compare(study.problem, *study.reference.motion, settings);
  outcome.interrupted = is_set(request.work.interrupt);
  return outcome;
}

CompareOutcome compare_scenario(const ScenarioFile& file, const CompareRequest& request) {
  return study_scenario(file,
                        [&](const Problem& problem) { return compare_problem(problem, request, &file.scenario()); });
}

}  // namespace ricochet
