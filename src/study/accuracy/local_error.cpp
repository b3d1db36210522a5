// One step of a scheme across one impact of the reference, against the phase of the impact in the step.
#include <algorithm>
#include <cmath>
#include <limits>

#include "ricochet/core/error.hpp"
#include "ricochet/core/quantity.hpp"
#include "ricochet/study/convergence.hpp"
#include "study/accuracy/level_points.hpp"

namespace ricochet {
namespace {

// The first impact of the window with no other one closer than h, and a whole step on either side.
double lonely_impact(const ReferenceMotion& reference, TimeSpan window, double h) {
  const std::vector<double>& times = reference.impacts();
  for (std::size_t i = 0; i < times.size(); ++i) {
    if (times[i] - h < window.from || times[i] + h > window.until) continue;
    if (i > 0 && times[i] - times[i - 1] <= h) continue;
    if (i + 1 < times.size() && times[i + 1] - times[i] <= h) continue;
    return times[i];
  }
  throw InputError("steps", "no impact of the reference in the window stands alone within " + to_text(h) +
                                " before and after it: local errors need smaller steps or another window");
}

State state_of(const MotionSamples& samples, std::size_t row, const Model& model) {
  const auto part = [&](const std::vector<double>& rows, int n) {
    const auto begin = rows.begin() + static_cast<std::ptrdiff_t>(row) * n;
    return std::vector<double>(begin, begin + n);
  };
  return {samples.t[row], part(samples.q, model.nq()), part(samples.v, model.nq()), part(samples.z, model.nz())};
}

double largest_difference(const std::vector<double>& a, const std::vector<double>& b) {
  double worst = 0.0;
  for (std::size_t j = 0; j < a.size(); ++j) worst = std::max(worst, std::abs(a[j] - b[j]));
  return worst;
}

// Errors of q and v at the end of a step that begins on the reference; not numbers if the step fails.
std::pair<double, double> step_errors(const StudyProblem& problem, const ReferenceMotion& reference,
                                      const Scheme& scheme, double begin, double h) {
  const Model& model = *problem.model;
  const double end = begin + h;
  const MotionSamples exact = reference.sample({begin, end});
  State state = state_of(exact, 0, model);
  const State expected = state_of(exact, 1, model);
  const auto stepper = make_stepper(model, scheme, problem.solver);
  StepReport report;
  stepper->begin(state);
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  if (stepper->advance(state, h, end, report) != FailureKind::none) return {nan, nan};
  return {largest_difference(state.q, expected.q), largest_difference(state.v, expected.v)};
}

std::vector<double> column(const std::vector<std::vector<double>>& rows, std::size_t k) {
  std::vector<double> values;
  for (const std::vector<double>& row : rows) values.push_back(row[k]);
  return values;
}

std::vector<double> means(const std::vector<std::vector<double>>& rows) {
  std::vector<double> values;
  for (const std::vector<double>& row : rows) {
    double sum = 0.0;
    for (const double x : row) sum += x;
    values.push_back(sum / static_cast<double>(row.size()));
  }
  return values;
}

}  // namespace

LocalStudy local_errors(const StudyProblem& problem, const ReferenceMotion& reference, const LocalSettings& settings) {
  check_phases(settings.phases, most_local_phases);
  if (!reference.has_velocity())
    throw InputError("reference", "local errors need velocities, and " + reference.description() + " has none");
  if (problem.model->nz() > 0 && reference.sample({settings.window.from}).z.empty())
    throw InputError("reference", "local errors of a model with states need a computed reference");
  if (settings.steps.empty()) throw InputError("steps", "none is given");
  LocalStudy study;
  study.steps = settings.steps;
  std::sort(study.steps.rbegin(), study.steps.rend());
  if (!(study.steps.back() > 0.0)) throw InputError("steps", "must be positive, got " + to_text(study.steps.back()));
  study.t_impact = lonely_impact(reference, settings.window, study.steps.front());
  for (int i = 0; i < settings.phases; ++i) study.phases.push_back((i + 0.5) / settings.phases);

  for (const SchemeChoice& choice : settings.schemes) {
    LocalErrors& local = study.schemes.emplace_back();
    local.label = choice.label;
    local.refused = refusal(problem, choice);
    if (!local.refused.empty()) continue;
    for (const double h : study.steps) {
      std::vector<double>&q = local.q.emplace_back(), &v = local.v.emplace_back();
      for (const double sigma : study.phases) {
        const auto [error_q, error_v] = step_errors(problem, reference, choice.scheme, study.t_impact - sigma * h, h);
        q.push_back(error_q);
        v.push_back(error_v);
      }
    }
    for (std::size_t k = 0; k < study.phases.size(); ++k) {
      local.q_orders.push_back(fit_order(study.steps, column(local.q, k), settings.floor_q));
      local.v_orders.push_back(fit_order(study.steps, column(local.v, k), settings.floor_v));
    }
    local.q_mean = fit_order(study.steps, means(local.q), settings.floor_q);
    local.v_mean = fit_order(study.steps, means(local.v), settings.floor_v);
  }
  return study;
}

}  // namespace ricochet
