#include "ricochet/study/comparison.hpp"

#include <algorithm>
#include <cmath>

#include "ricochet/core/error.hpp"
#include "ricochet/core/quantity.hpp"
#include "study/accuracy/level_points.hpp"

namespace ricochet {
namespace {

constexpr double short_run = 0.02;  // seconds: shorter ones are timed several times
constexpr int most_repeats = 5;

// Where atol does not follow the motion by itself.
bool has_fixed_atol(const Scheme& scheme) {
  const ParameterSpec* atol = find_parameter(find_scheme(scheme.name), "atol");
  return atol != nullptr && atol->positive;
}

bool is_given(const Scheme& scheme, std::string_view name) {
  return std::any_of(scheme.values.begin(), scheme.values.end(),
                     [&](const auto& value) { return value.first == name; });
}

// A run that keeps nothing: its time, its work, its energy. Short ones are repeated, and the fastest counts.
Solution timed_run(const StudyProblem& problem, const Level& level, double until, const std::atomic<bool>* interrupt,
                   double& seconds) {
  const RunSettings settings{
      .h = level.h, .record_every = 0, .keep = false, .solver = problem.solver, .interrupt = interrupt};
  Solution solution;
  seconds = INFINITY;
  double spent = 0.0;
  for (int i = 0; i < most_repeats && spent < short_run; ++i) {
    const double begin = cpu_time();
    solution = simulate(*problem.model, problem.start, {problem.span.from, until}, level.scheme, settings);
    const double taken = cpu_time() - begin;
    seconds = std::min(seconds, taken);
    spent += taken;
  }
  return solution;
}

WorkPoint work_point(const StudyProblem& problem, const Level& level, const ComparisonSettings& settings,
                     const MeasuringStick& stick) {
  WorkPoint point{level.h, level.tolerance, Errors(0.0)};
  const Solution timed = timed_run(problem, level, settings.window.until, settings.work.interrupt, point.seconds);
  point.steps = static_cast<double>(timed.statistics.accepted + timed.statistics.rejected);
  point.force_evaluations = static_cast<double>(timed.statistics.force_evaluations);
  point.energy_drift = timed.energy.turnover > 0.0 ? timed.energy.numerical / timed.energy.turnover : 0.0;
  point.violation = timed.violation_max;
  point.failure = timed.failure.message;
  if (timed.status != Status::completed) {
    point.errors = Errors();
    return point;
  }
  std::vector<MeasuredRun> runs;
  for (const double h : phase_steps(level.h, settings.phases))
    runs.push_back(measured_run(problem, level.scheme, h, settings.window, stick, settings.work.interrupt));
  average(runs, point.errors, point.failure);
  return point;
}

}  // namespace

std::vector<SchemeChoice> whole_catalogue() {
  std::vector<SchemeChoice> choices;
  for (const SchemeEntry& entry : catalogue()) choices.push_back({std::string(entry.name), entry});
  return choices;
}

// Compliant contacts last a share of the step: for them the step is what makes the error.
std::vector<Level> levels_of(const SchemeChoice& choice, const ComparisonSettings& settings) {
  const Traits does = traits(choice.scheme);
  std::vector<Level> levels;
  const bool by_tolerance = does.chooses_steps && !does.compliant &&
                            find_parameter(find_scheme(choice.scheme.name), "rtol") != nullptr &&
                            !is_given(choice.scheme, "rtol");
  if (!by_tolerance) {
    for (const double h : settings.steps) levels.push_back({choice.scheme, h});
    return levels;
  }
  // The interval at which they are recorded limits their steps: a hundredth of the window leaves them free.
  const double interval = std::max(settings.steps.front(), (settings.window.until - settings.window.from) / 100.0);
  for (const double tolerance : settings.tolerances) {
    Level level{choice.scheme, interval, tolerance};
    level.scheme.values.emplace_back("rtol", tolerance);
    if (has_fixed_atol(choice.scheme) && !is_given(choice.scheme, "atol"))
      level.scheme.values.emplace_back("atol", 1e-2 * tolerance);
    levels.push_back(std::move(level));
  }
  return levels;
}

Comparison compare(const StudyProblem& problem, const ReferenceMotion& reference, const ComparisonSettings& settings) {
  const double longest = settings.window.until - problem.span.from;
  if (settings.steps.empty()) throw InputError("steps", "none is given");
  if (settings.tolerances.empty()) throw InputError("tolerances", "none is given");
  for (const double h : settings.steps)
    if (!(h > 0.0) || h > longest)
      throw InputError("steps", "must be positive and no longer than the window, got " + to_text(h));
  check_phases(settings.phases);
  // Without graphs: their distance costs more than the runs.
  const MeasuringStick stick{&reference};

  Comparison result;
  result.size = size_of(*problem.model, reference, settings.window);
  const std::vector<SchemeChoice> schemes = settings.schemes.empty() ? whole_catalogue() : settings.schemes;
  result.schemes = level_points<SchemeComparison>(
      problem, schemes, settings, [&](const Level& level) { return work_point(problem, level, settings, stick); });
  for (std::size_t s = 0; s < schemes.size(); ++s) {
    const Traits does = traits(schemes[s].scheme);
    result.schemes[s].chooses_steps = does.chooses_steps;
    result.schemes[s].locates = does.locates_impacts;
  }
  return result;
}

double relative_error(const Comparison& comparison, const WorkPoint& point) {
  const double size = comparison.size[Norm::q_sup];
  return point.errors[Norm::q_sup] / (size > 0.0 ? size : 1.0);
}

}  // namespace ricochet
