#include "ricochet/io/converge_scenario.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "ricochet/core/error.hpp"
#include "ricochet/core/quantity.hpp"

namespace ricochet {

namespace {

constexpr int default_phases = 8, default_local_phases = 16;

std::string order_text(const OrderFit& fit, std::size_t at_floor) {
  if (fit.points < 2) return at_floor > 0 ? "exact" : "-";
  if (std::isnan(fit.spread)) return fmt::format("{:.2f}", fit.order);
  return fmt::format("{:.2f} ± {:.2f}", fit.order, fit.spread);
}

StudyTable order_table(const Convergence& study) {
  StudyTable table{"Fitted orders", {"scheme"}};
  for (const std::string_view name : norm_names) table.columns.emplace_back(name);
  for (const SchemeConvergence& scheme : study.schemes) {
    if (!scheme.refused.empty()) continue;
    std::vector<std::string>& row = table.rows.emplace_back(1, scheme.label);
    for (std::size_t n = 0; n < norm_count; ++n)
      row.push_back(scheme.chooses_steps ? "-" : order_text(scheme.fits[n], scheme.at_floor[n]));
  }
  return table;
}

StudyTable error_table(const SchemeConvergence& scheme, const std::vector<double>& steps) {
  StudyTable table{"Errors of " + scheme.label, {"step"}};
  for (const std::string_view name : norm_names) table.columns.emplace_back(name);
  for (std::size_t i = 0; i < steps.size(); ++i) {
    std::vector<std::string>& row = table.rows.emplace_back(1, fmt::format("{:.6g}", steps[i]));
    for (std::size_t n = 0; n < norm_count; ++n) {
      const double error = scheme.errors[i].at(n);
      row.push_back(std::isnan(error) ? (scheme.failures[i].empty() ? "-" : "failed") : fmt::format("{:.3g}", error));
    }
  }
  return table;
}

StudyPlot order_plot(const Convergence& study, std::size_t norm) {
  StudyPlot plot{fmt::format("Error against the step: {}", norm_titles[norm]), {"step", true}, {"error", true}};
  for (const SchemeConvergence& scheme : study.schemes) {
    if (!scheme.refused.empty()) continue;
    StudySeries series{scheme.label, study.steps, {}};
    for (const Errors& errors : scheme.errors) series.y.push_back(errors.at(norm));
    if (std::none_of(series.y.begin(), series.y.end(), [](double y) { return std::isfinite(y); })) continue;
    const std::string order = order_text(scheme.fits[norm], scheme.at_floor[norm]);
    if (!scheme.chooses_steps) series.note = order == "exact" ? "exact to round-off" : "order " + order;
    plot.series.push_back(std::move(series));
  }
  return plot;
}

void add_local(StudyPage& page, const LocalStudy& local) {
  StudyTable table{"Orders of one step across an impact, by the phase of the impact in the step", {"scheme", "error"}};
  table.columns.push_back("mean");
  for (const double sigma : local.phases) table.columns.push_back(fmt::format("{:.3g}", sigma));
  for (const LocalErrors& scheme : local.schemes) {
    if (!scheme.refused.empty()) continue;
    const auto add = [&](const char* what, const OrderFit& mean, const std::vector<OrderFit>& fits) {
      std::vector<std::string> row = {scheme.label, what, order_text(mean, 1)};
      for (const OrderFit& fit : fits) row.push_back(fit.points < 2 ? "exact" : fmt::format("{:.2f}", fit.order));
      table.rows.push_back(std::move(row));
    };
    add("q", scheme.q_mean, scheme.q_orders);
    add("v", scheme.v_mean, scheme.v_orders);
    for (const auto& [what, errors] : {std::pair{"q", &scheme.q}, std::pair{"v", &scheme.v}}) {
      StudyPlot plot{fmt::format("{}: error of {} after one step", scheme.label, what),
                     {"phase of the impact in the step", false},
                     {"error", true}};
      for (std::size_t i = 0; i < local.steps.size(); ++i)
        plot.series.push_back({fmt::format("h = {:.4g}", local.steps[i]), local.phases, (*errors)[i]});
      page.plots.push_back(std::move(plot));
    }
  }
  page.tables.push_back(std::move(table));
}

std::string reference_text(const ScenarioConvergence& result) {
  std::string text = fmt::format("Reference: {}.", result.reference_description);
  if (!std::isnan(result.agreed[Norm::q_sup]))
    text += fmt::format(" The two settings agree to {:.2g} in q and {:.2g} in v (L1).", result.agreed[Norm::q_sup],
                        result.agreed[Norm::v_l1]);
  return text;
}

// What the errors do not say.
void add_notes(ScenarioConvergence& result) {
  for (const SchemeConvergence& scheme : result.study.schemes) {
    if (scheme.chooses_steps && scheme.refused.empty())
      result.notes.push_back(scheme.label +
                             " chooses its steps: its errors follow rtol and atol, so no orders are fitted");
    for (std::size_t i = 0; i < result.study.steps.size(); ++i)
      if (!scheme.failures[i].empty())
        result.notes.push_back(
            fmt::format("{} with the step {}: {}", scheme.label, to_text(result.study.steps[i]), scheme.failures[i]));
  }
}

ScenarioConvergence study(const ScenarioFile& file, const Problem& problem, const ConvergeRequest& request) {
  const TimeSpan window = study_window(request.window, file, problem, request.reference);
  const StudyReference reference = study_reference(file, problem, request.reference, window);
  ScenarioConvergence result = converge_problem(study_problem(problem), problem.scheme, reference, window, request);
  result.title = file.scenario().title;
  add_notes(result);
  return result;
}

}  // namespace

ScenarioConvergence converge_problem(const StudyProblem& problem, const Scheme& scheme, const StudyReference& reference,
                                     TimeSpan window, const ConvergeRequest& request) {
  ScenarioConvergence result;
  result.window = window;
  result.phases = request.phases.value_or(request.local ? default_local_phases : default_phases);
  result.reference = reference.kind;
  result.reference_description = reference.checked.motion->description();
  result.agreed = reference.checked.agreed;
  result.floor = reference.floor(*problem.model, window);
  result.notes = reference.notes;

  std::vector<SchemeChoice> schemes = request.schemes;
  if (schemes.empty()) schemes.push_back({scheme.name, scheme});
  const double longest = window.until - problem.span.from;
  const std::vector<double> steps = request.steps.empty() ? default_steps(problem.h, longest) : request.steps;
  if (request.local) {
    result.local = local_errors(
        problem, *reference.checked.motion,
        {schemes, steps, result.phases, window, result.floor[Norm::q_sup], result.floor[Norm::v_hausdorff]});
  } else {
    result.study = converge(problem, *reference.checked.motion,
                            {schemes, steps, result.phases, window, result.floor, request.work});
  }
  return result;
}

ScenarioConvergence converge_scenario(const ScenarioFile& file, const ConvergeRequest& request) {
  const Problem problem = file.build();
  try {
    ScenarioConvergence result = study(file, problem, request);
    result.interrupted = request.work.interrupt != nullptr && request.work.interrupt->load();
    return result;
  } catch (const InputError& error) {
    refuse_study(file, error);
  }
}

StudyPage study_page(const ScenarioConvergence& result) {
  StudyPage page{"converge", result.title.empty() ? "Convergence" : "Convergence: " + result.title};
  page.text.push_back(reference_text(result));
  page.text.push_back(fmt::format("Window: t = {:.6g} to {:.6g}.", result.window.from, result.window.until));
  if (result.local) {
    page.text.push_back(fmt::format("One step across the impact at t = {:.6g}.", result.local->t_impact));
    add_local(page, *result.local);
  } else {
    if (result.phases > 1)
      page.text.push_back(fmt::format("Errors are means over {} grids with steps close to each other.", result.phases));
    for (std::size_t n = 0; n < norm_count; ++n)
      if (StudyPlot plot = order_plot(result.study, n); !plot.series.empty()) page.plots.push_back(std::move(plot));
    page.tables.push_back(order_table(result.study));
    for (const SchemeConvergence& scheme : result.study.schemes) {
      if (scheme.refused.empty())
        page.tables.push_back(error_table(scheme, result.study.steps));
      else
        page.text.push_back(fmt::format("{} does not take this problem: {}", scheme.label, scheme.refused));
    }
  }
  page.notes = result.notes;
  return page;
}

}  // namespace ricochet
