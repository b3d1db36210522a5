#include "ricochet/io/compare_scenario.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "io/study_hdf5.hpp"
#include "io/study_json.hpp"
#include "ricochet/core/error.hpp"
#include "ricochet/core/quantity.hpp"
#include "ricochet/core/version.hpp"
#include "scenario/formulas.hpp"

namespace ricochet {

namespace {

using io::errors_json;
using io::Json;
using io::number_or_null;

constexpr int default_phases = 4;

// A number, or a formula of the model's parameters.
double period_of(const std::string& text, const Problem& problem) {
  if (text.empty()) return 0.0;
  const double period = Formulas({{"--period", text}}, problem.parameters)(0.0).at(0);
  if (!(period > 0.0) || !std::isfinite(period))
    throw InputError("--period", "must be a positive number, got " + to_text(period));
  return period;
}

std::string setting(double h, const std::optional<double>& tolerance) {
  return tolerance ? fmt::format("rtol {:.2g}", *tolerance) : fmt::format("{:.4g}", h);
}

// What the statistics say, in sentences.
std::vector<std::string> statistics_text(const ScenarioComparison& result) {
  const StatisticsComparison& statistics = *result.statistics;
  std::vector<std::string> text;
  text.push_back(fmt::format(
      "Trajectories computed with two tolerances part at t = {:.4g}, long before the end at {:.4g}: the motion is "
      "chaotic, or does not depend continuously on the data. So means and distributions are compared.",
      result.agreed_until, result.window.until));
  text.push_back(
      fmt::format("The reference at another tolerance differs by {:.2g} in the impact rate, {:.2g} in the "
                  "RMS and {:.2g} in the distribution of impacts: smaller differences mean nothing.",
                  statistics.noise.rate_error, statistics.noise.rms_error,
                  std::max(statistics.noise.phase_distance, statistics.noise.speed_distance)));
  // The cheapest point that is as near as twice the noise.
  const SchemeStatistics* best = nullptr;
  const StatisticsPoint* point = nullptr;
  const double noise = std::max({statistics.noise.phase_distance, statistics.noise.speed_distance, 0.02});
  for (const SchemeStatistics& scheme : statistics.schemes)
    for (const StatisticsPoint& one : scheme.points) {
      if (!one.failure.empty() || std::max(one.phase_distance, one.speed_distance) > 2.0 * noise) continue;
      if (point == nullptr || one.seconds < point->seconds) best = &scheme, point = &one;
    }
  if (point != nullptr)
    text.push_back(fmt::format("Cheapest with the same distribution of impacts: {} with {} {} ({:.2g} s).", best->label,
                               point->tolerance ? "" : "a step of", setting(point->h, point->tolerance),
                               point->seconds));
  for (const SchemeStatistics& scheme : statistics.schemes) {
    if (!scheme.refused.empty())
      text.push_back(fmt::format("{} does not take this problem: {}", scheme.label, scheme.refused));
    for (const StatisticsPoint& one : scheme.points)
      if (!one.failure.empty()) {
        text.push_back(fmt::format("{} failed with {}: {}", scheme.label, setting(one.h, one.tolerance), one.failure));
        break;
      }
  }
  return text;
}

ScenarioComparison study(const ScenarioFile& file, const Problem& problem, const CompareRequest& request) {
  if (!(request.accuracy > 0.0 && request.accuracy < 1.0))
    throw InputError("--accuracy", "must be between 0 and 1, got " + to_text(request.accuracy));
  const TimeSpan window = study_window(request.window, file, problem, request.reference);
  const double period = period_of(request.period, problem);
  const StudyReference reference = study_reference(file, problem, request.reference, window);
  ScenarioComparison result = compare_problem(study_problem(problem), reference, window, period, request);
  result.title = file.scenario().title;
  if (result.statistics) result.recommendation = statistics_text(result);
  return result;
}

StudyPlot work_plot(const ScenarioComparison& result, const char* title, const char* label,
                    double (*work)(const WorkPoint&)) {
  StudyPlot plot{title, {label, true}, {"error of q, relative to its size", true}};
  for (const SchemeComparison& scheme : result.study.schemes) {
    StudySeries series{scheme.label, {}, {}};
    for (const WorkPoint& point : scheme.points) {
      if (!point.failure.empty()) continue;
      series.x.push_back(work(point));
      series.y.push_back(relative_error(result.study, point));
    }
    if (!series.x.empty()) plot.series.push_back(std::move(series));
  }
  return plot;
}

StudyTable work_table(const Comparison& study) {
  StudyTable table{
      "Work and precision",
      {"scheme", "step", "error of q", "v in L1", "energy", "CPU ms", "steps", "force evaluations", "deepest entry"}};
  for (const SchemeComparison& scheme : study.schemes)
    for (const WorkPoint& point : scheme.points) {
      std::vector<std::string> row = {scheme.label, setting(point.h, point.tolerance)};
      if (!point.failure.empty()) {
        row.insert(row.end(), {"failed", "", "", "", "", "", ""});
      } else {
        const auto text = [](double x) { return std::isnan(x) ? std::string("-") : fmt::format("{:.2g}", x); };
        row.insert(row.end(), {text(relative_error(study, point)), text(point.errors[Norm::v_l1]),
                               text(point.errors[Norm::energy]), fmt::format("{:.3g}", 1e3 * point.seconds),
                               fmt::format("{:.0f}", point.steps), fmt::format("{:.0f}", point.force_evaluations),
                               text(point.violation)});
      }
      table.rows.push_back(std::move(row));
    }
  return table;
}

StudyTable statistics_table(const StatisticsComparison& statistics) {
  StudyTable table{
      "Means and distributions",
      {"scheme", "step", "agrees until", "impact rate", "its error", "error of RMS", "phases", "speeds", "CPU s"}};
  const auto row = [&](const std::string& label, const std::string& step, const StatisticsPoint& point) {
    table.rows.push_back({label, step, fmt::format("{:.3g}", point.agrees_until),
                          fmt::format("{:.4g}", point.statistics.impact_rate), fmt::format("{:.2g}", point.rate_error),
                          fmt::format("{:.2g}", point.rms_error), fmt::format("{:.2g}", point.phase_distance),
                          fmt::format("{:.2g}", point.speed_distance),
                          point.seconds > 0.0 ? fmt::format("{:.2g}", point.seconds) : "-"});
  };
  row("reference again", "other tolerance", statistics.noise);
  for (const SchemeStatistics& scheme : statistics.schemes)
    for (const StatisticsPoint& point : scheme.points) {
      if (point.failure.empty())
        row(scheme.label, setting(point.h, point.tolerance), point);
      else
        table.rows.push_back({scheme.label, setting(point.h, point.tolerance), "failed", "", "", "", "", "", ""});
    }
  return table;
}

// The distribution function of the impacts' phases, as steps joined.
StudyPlot distribution_plot(const ScenarioComparison& result) {
  StudyPlot plot{result.period > 0.0 ? "Phases of the impacts: distribution" : "Times between impacts: distribution",
                 {result.period > 0.0 ? "phase" : "time", false},
                 {"share of the impacts", false}};
  const auto add = [&](const std::string& name, std::vector<double> values) {
    std::sort(values.begin(), values.end());
    StudySeries series{name, {}, {}};
    const std::size_t stride = std::max<std::size_t>(1, values.size() / 500);
    for (std::size_t i = 0; i < values.size(); i += stride) {
      series.x.push_back(values[i]);
      series.y.push_back(static_cast<double>(i + 1) / static_cast<double>(values.size()));
    }
    if (!series.x.empty()) plot.series.push_back(std::move(series));
  };
  add("reference", result.statistics->reference.phases);
  for (const SchemeStatistics& scheme : result.statistics->schemes)
    if (!scheme.points.empty() && scheme.points.back().failure.empty())
      add(scheme.label, scheme.points.back().statistics.phases);
  return plot;
}

Json point_json(const Comparison& study, const WorkPoint& point) {
  Json json = {{"h", point.h}, {"tolerance", point.tolerance ? Json(*point.tolerance) : Json(nullptr)}};
  if (!point.failure.empty()) {
    json["failure"] = point.failure;
    return json;
  }
  json["error"] = number_or_null(relative_error(study, point));
  json["errors"] = errors_json(point.errors);
  json["seconds"] = point.seconds;
  json["steps"] = point.steps;
  json["force_evaluations"] = point.force_evaluations;
  json["energy_drift"] = number_or_null(point.energy_drift);
  json["violation_max"] = point.violation;
  return json;
}

Json statistics_json(const StatisticsPoint& point) {
  Json json = {{"h", point.h}, {"tolerance", point.tolerance ? Json(*point.tolerance) : Json(nullptr)}};
  if (!point.failure.empty()) {
    json["failure"] = point.failure;
    return json;
  }
  json["agrees_until"] = point.agrees_until;
  json["impact_rate"] = point.statistics.impact_rate;
  json["rms"] = io::numbers(point.statistics.rms);
  json["rate_error"] = number_or_null(point.rate_error);
  json["rms_error"] = number_or_null(point.rms_error);
  json["phase_distance"] = point.phase_distance;
  json["speed_distance"] = point.speed_distance;
  json["seconds"] = point.seconds;
  return json;
}

}  // namespace

ScenarioComparison compare_problem(const StudyProblem& problem, const StudyReference& reference, TimeSpan window,
                                   double period, const CompareRequest& request) {
  ScenarioComparison result;
  result.accuracy = request.accuracy;
  result.window = window;
  result.period = period;
  result.reference = reference.kind;
  result.reference_description = reference.checked.motion->description();
  result.agreed = reference.checked.agreed;
  result.agreed_until = reference.checked.agreed_until;

  ComparisonSettings settings;
  settings.schemes = request.schemes;
  settings.steps = request.steps.empty() ? default_steps(problem.h, window.until - problem.span.from) : request.steps;
  settings.tolerances =
      request.tolerances.empty() ? std::vector<double>{1e-3, 1e-4, 1e-5, 1e-7, 1e-9} : request.tolerances;
  settings.phases = request.phases.value_or(default_phases);
  settings.window = window;
  settings.work = request.work;
  if (result.agreed_until < window.until) {
    result.statistics = compare_statistics(problem, reference.checked, settings, period);
  } else {
    result.notes = reference.notes;
    result.study = compare(problem, *reference.checked.motion, settings);
    result.recommendation = recommendation(result.study, request.accuracy);
  }
  return result;
}

ScenarioComparison compare_scenario(const ScenarioFile& file, const CompareRequest& request) {
  const Problem problem = file.build();
  try {
    ScenarioComparison result = study(file, problem, request);
    result.interrupted = request.work.interrupt != nullptr && request.work.interrupt->load();
    return result;
  } catch (const InputError& error) {
    refuse_study(file, error);
  }
}

StudyPage study_page(const ScenarioComparison& result) {
  StudyPage page{"compare", result.title.empty() ? "Comparison" : "Comparison: " + result.title};
  page.text.push_back(fmt::format("Reference: {}.", result.reference_description));
  if (result.statistics) {
    page.plots.push_back(distribution_plot(result));
    page.tables.push_back(statistics_table(*result.statistics));
  } else {
    page.plots.push_back(work_plot(result, "Error against CPU time", "CPU seconds",
                                   [](const WorkPoint& point) { return point.seconds; }));
    page.plots.push_back(
        work_plot(result, "Error against steps", "steps", [](const WorkPoint& point) { return point.steps; }));
    page.plots.push_back(work_plot(result, "Error against force evaluations", "force evaluations",
                                   [](const WorkPoint& point) { return point.force_evaluations; }));
    page.tables.push_back(work_table(result.study));
  }
  for (const std::string& sentence : result.recommendation) page.text.push_back(sentence);
  page.notes = result.notes;
  return page;
}

std::string to_json(const ScenarioComparison& result, std::string_view scenario) {
  Json json = {{"scenario", scenario},
               {"title", result.title},
               {"version", version},
               {"window", {result.window.from, result.window.until}},
               {"accuracy", result.accuracy},
               {"reference",
                {{"kind", result.reference},
                 {"description", result.reference_description},
                 {"agreed", errors_json(result.agreed)},
                 {"agreed_until", result.agreed_until}}},
               {"chaotic", result.statistics.has_value()},
               {"schemes", Json::object()},
               {"refused", Json::object()}};
  const auto add = [&](const auto& schemes, const auto& point_of) {
    for (const auto& scheme : schemes) {
      if (!scheme.refused.empty()) {
        json["refused"][scheme.label] = scheme.refused;
        continue;
      }
      Json& list = json["schemes"][scheme.label] = Json::array();
      for (const auto& point : scheme.points) list.push_back(point_of(point));
    }
  };
  if (result.statistics) {
    const MotionStatistics& reference = result.statistics->reference;
    json["statistics"] = {{"impact_rate", reference.impact_rate},
                          {"rms", io::numbers(reference.rms)},
                          {"impacts", reference.speeds.size()},
                          {"noise", statistics_json(result.statistics->noise)}};
    add(result.statistics->schemes, statistics_json);
  } else {
    add(result.study.schemes, [&](const WorkPoint& point) { return point_json(result.study, point); });
  }
  json["recommendation"] = result.recommendation;
  json["notes"] = result.notes;
  return io::dump(json);
}

void write_study(const std::filesystem::path& path, const ScenarioComparison& result, std::string_view scenario) {
  StudyFile file;
  file.texts = {{"scenario", std::string(scenario)},
                {"title", result.title},
                {"version", std::string(version)},
                {"study", "compare"},
                {"reference", result.reference_description}};
  const auto column = [&](const std::string& name, const auto& points, const auto& value) {
    StudyArray array{name, {}};
    for (const auto& point : points) array.values.push_back(value(point));
    file.arrays.push_back(std::move(array));
  };
  for (const SchemeComparison& scheme : result.study.schemes) {
    if (!scheme.refused.empty()) continue;
    const std::string base = "schemes/" + scheme.label + "/";
    column(base + "h", scheme.points, [](const WorkPoint& p) { return p.h; });
    column(base + "tolerance", scheme.points, [](const WorkPoint& p) { return p.tolerance.value_or(NAN); });
    column(base + "seconds", scheme.points, [](const WorkPoint& p) { return p.seconds; });
    column(base + "steps", scheme.points, [](const WorkPoint& p) { return p.steps; });
    column(base + "force_evaluations", scheme.points, [](const WorkPoint& p) { return p.force_evaluations; });
    for (std::size_t n = 0; n < norm_count; ++n)
      column(base + std::string(norm_names[n]), scheme.points, [&](const WorkPoint& p) { return p.errors.at(n); });
  }
  if (result.statistics)
    for (const SchemeStatistics& scheme : result.statistics->schemes) {
      if (!scheme.refused.empty()) continue;
      const std::string base = "schemes/" + scheme.label + "/";
      column(base + "h", scheme.points, [](const StatisticsPoint& p) { return p.h; });
      column(base + "tolerance", scheme.points, [](const StatisticsPoint& p) { return p.tolerance.value_or(NAN); });
      column(base + "impact_rate", scheme.points, [](const StatisticsPoint& p) { return p.statistics.impact_rate; });
      column(base + "phase_distance", scheme.points, [](const StatisticsPoint& p) { return p.phase_distance; });
      column(base + "speed_distance", scheme.points, [](const StatisticsPoint& p) { return p.speed_distance; });
    }
  write_study_file(path, file);
}

}  // namespace ricochet
