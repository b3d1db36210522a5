#include "ricochet/study/convergence.hpp"

#include <algorithm>
#include <cmath>

#include "ricochet/core/error.hpp"
#include "ricochet/core/quantity.hpp"
#include "study/accuracy/level_points.hpp"

namespace ricochet {
namespace {

void check_steps(const std::vector<double>& steps, double longest) {
  if (steps.empty()) throw InputError("steps", "none is given");
  for (const double h : steps) {
    if (!(h > 0.0) || !std::isfinite(h)) throw InputError("steps", "must be positive, got " + to_text(h));
    if (h > longest)
      throw InputError("steps", to_text(h) + " is longer than the window, which ends after " + to_text(longest));
  }
}

void check_window(TimeSpan window, TimeSpan span) {
  if (!(window.until > window.from) || !lies_in(window, span))
    throw InputError("window", "must lie in the span of the run, from " + to_text(span.from) + " to " +
                                   to_text(span.until) + ", got " + to_text(window.from) + ":" + to_text(window.until));
}

void fit(SchemeConvergence& scheme, const std::vector<double>& steps, const Errors& floor) {
  for (std::size_t n = 0; n < norm_count; ++n) {
    std::vector<double> errors;
    for (const Errors& at_step : scheme.errors) errors.push_back(at_step.at(n));
    scheme.fits[n] = fit_order(steps, errors, floor.at(n));
    scheme.at_floor[n] = static_cast<std::size_t>(
        std::count_if(errors.begin(), errors.end(), [&](double error) { return error <= floor.at(n); }));
  }
}

}  // namespace

void average(const std::vector<MeasuredRun>& runs, Errors& mean, std::string& failure) {
  mean = Errors(0.0);
  for (const MeasuredRun& run : runs) {
    for (std::size_t n = 0; n < norm_count; ++n) mean.at(n) += run.errors.at(n) / static_cast<double>(runs.size());
    if (failure.empty()) failure = run.failure;
  }
}

void check_phases(int phases, int most) {
  if (phases < 1 || phases > most)
    throw InputError("phases", "must be 1 to " + std::to_string(most) + ", got " + std::to_string(phases));
}

std::vector<double> phase_steps(double h, int phases) {
  check_phases(phases);
  if (phases == 1) return {h};
  std::vector<double> steps;
  for (int i = 0; i < phases; ++i) steps.push_back(h * (0.98317 - 0.0371 * i));
  return steps;
}

MeasuredRun measured_run(const StudyProblem& problem, const Scheme& scheme, double h, TimeSpan window,
                         const MeasuringStick& stick, const std::atomic<bool>* interrupt) {
  const RunSettings settings{.h = h, .record_impacts = true, .solver = problem.solver, .interrupt = interrupt};
  const double from = problem.span.from;
  const double steps = std::max(1.0, std::floor((window.until - from) / h * (1.0 + 1e-12)));
  const double until = std::min(window.until, from + steps * h);
  const Solution solution = simulate(*problem.model, problem.start, {from, until}, scheme, settings);
  MeasuredRun run{solution.status, solution.failure.message, {}, solution.statistics};
  if (solution.status == Status::completed) run.errors = measure(*problem.model, solution.trajectory, window, stick);
  return run;
}

Convergence converge(const StudyProblem& problem, const ReferenceMotion& reference,
                     const ConvergenceSettings& settings) {
  check_window(settings.window, problem.span);
  check_steps(settings.steps, settings.window.until - problem.span.from);
  Convergence result{settings.steps, {}};
  std::sort(result.steps.rbegin(), result.steps.rend());
  const std::size_t levels = result.steps.size();
  const std::size_t phases = phase_steps(1.0, settings.phases).size();
  std::vector<MeasuringStick> sticks;
  for (const double h : result.steps)
    sticks.push_back(measuring_stick(reference, settings.window, phase_steps(h, settings.phases).back()));

  struct Job {
    std::size_t scheme, level, phase;
  };
  std::vector<Job> jobs;
  for (std::size_t s = 0; s < settings.schemes.size(); ++s) {
    const SchemeChoice& choice = settings.schemes[s];
    SchemeConvergence& scheme = result.schemes.emplace_back();
    scheme.label = choice.label;
    scheme.refused = refusal(problem, choice);
    scheme.chooses_steps = traits(choice.scheme).chooses_steps;
    scheme.errors.resize(levels);
    scheme.failures.resize(levels);
    if (!scheme.refused.empty()) continue;
    for (std::size_t i = 0; i < levels; ++i)
      for (std::size_t k = 0; k < phases; ++k) jobs.push_back({s, i, k});
  }

  // The long runs first.
  std::stable_sort(jobs.begin(), jobs.end(), [](const Job& a, const Job& b) { return a.level > b.level; });
  std::vector<std::vector<std::vector<MeasuredRun>>> runs(settings.schemes.size(),
                                                          std::vector(levels, std::vector<MeasuredRun>(phases)));
  for_each_job(jobs.size(), settings.work, [&](std::size_t i) {
    const Job& job = jobs[i];
    const double h = phase_steps(result.steps[job.level], settings.phases)[job.phase];
    runs[job.scheme][job.level][job.phase] = measured_run(problem, settings.schemes[job.scheme].scheme, h,
                                                          settings.window, sticks[job.level], settings.work.interrupt);
  });

  for (std::size_t s = 0; s < result.schemes.size(); ++s) {
    SchemeConvergence& scheme = result.schemes[s];
    if (!scheme.refused.empty()) continue;
    for (std::size_t i = 0; i < levels; ++i) average(runs[s][i], scheme.errors[i], scheme.failures[i]);
    if (!scheme.chooses_steps) fit(scheme, result.steps, settings.floor);
  }
  return result;
}

}  // namespace ricochet
