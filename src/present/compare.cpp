#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "present/study_parts.hpp"

namespace ricochet {

namespace {

StudyPlot work_plot(const CompareOutcome& result, const char* title, const char* label, double WorkPoint::*work) {
  StudyPlot plot{title, {label, true}, {"error of q, relative to its size", true}};
  for (const SchemeComparison& scheme : result.study.schemes) {
    StudySeries series{scheme.label, {}, {}};
    for (const WorkPoint& point : scheme.points) {
      if (!point.failure.empty()) continue;
      series.x.push_back(point.*work);
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
StudyPlot distribution_plot(const CompareOutcome& result) {
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

void add_numbers(Json& json, const Comparison& study, const WorkPoint& point) {
  json["error"] = relative_error(study, point);
  json["errors"] = errors_json(point.errors);
  json["seconds"] = point.seconds;
  json["steps"] = point.steps;
  json["force_evaluations"] = point.force_evaluations;
  json["energy_drift"] = point.energy_drift;
  json["violation_max"] = point.violation;
}

void add_numbers(Json& json, const Comparison&, const StatisticsPoint& point) {
  json["agrees_until"] = point.agrees_until;
  json["impact_rate"] = point.statistics.impact_rate;
  json["rms"] = point.statistics.rms;
  json["rate_error"] = point.rate_error;
  json["rate_deviation"] = point.rate_deviation;
  json["rms_error"] = point.rms_error;
  json["phase_distance"] = point.phase_distance;
  json["speed_distance"] = point.speed_distance;
  json["seconds"] = point.seconds;
}

template <class Point>
Json point_json(const Comparison& study, const Point& point) {
  Json json = {{"h", point.h}, {"tolerance", point.tolerance}};
  if (point.failure.empty())
    add_numbers(json, study, point);
  else
    json["failure"] = point.failure;
  return json;
}

}  // namespace

std::string setting(double h, const std::optional<double>& tolerance) {
  return tolerance ? fmt::format("rtol {:.2g}", *tolerance) : fmt::format("{:.4g}", h);
}

std::vector<std::string> notes(const CompareOutcome& result) {
  return result.statistics ? std::vector<std::string>() : reference_notes(result.reference, result.window);
}

StudyPage study_page(const CompareOutcome& result) {
  StudyPage page{"compare", result.title.empty() ? "Comparison" : "Comparison: " + result.title};
  page.text.push_back(fmt::format("Reference: {}.", result.reference.description));
  if (result.statistics) {
    page.plots.push_back(distribution_plot(result));
    page.tables.push_back(statistics_table(*result.statistics));
  } else {
    page.plots.push_back(work_plot(result, "Error against CPU time", "CPU seconds", &WorkPoint::seconds));
    page.plots.push_back(work_plot(result, "Error against steps", "steps", &WorkPoint::steps));
    page.plots.push_back(
        work_plot(result, "Error against force evaluations", "force evaluations", &WorkPoint::force_evaluations));
    page.tables.push_back(work_table(result.study));
  }
  for (const std::string& sentence : recommendation(result)) page.text.push_back(sentence);
  page.notes = notes(result);
  show_units(page, result.display);
  return page;
}

Json compare_json(const CompareOutcome& result, std::string_view scenario) {
  Json json = study_json(result, scenario);
  json["accuracy"] = result.accuracy;
  json["reference"] = reference_json(result.reference);
  json["reference"]["agreed_until"] = result.reference.agreed_until;
  json["chaotic"] = result.statistics.has_value();
  for (const char* key : {"schemes", "refused"}) json[key] = Json::object();
  const auto add = [&](const auto& schemes) {
    for (const auto& scheme : schemes) {
      if (!scheme.refused.empty()) {
        json["refused"][scheme.label] = scheme.refused;
        continue;
      }
      Json& list = json["schemes"][scheme.label] = Json::array();
      for (const auto& point : scheme.points) list.push_back(point_json(result.study, point));
    }
  };
  if (result.statistics) {
    const MotionStatistics& reference = result.statistics->reference;
    json["statistics"] = {{"impact_rate", reference.impact_rate},
                          {"rms", reference.rms},
                          {"impacts", reference.speeds.size()},
                          {"noise", point_json(result.study, result.statistics->noise)}};
    add(result.statistics->schemes);
  } else {
    add(result.study.schemes);
  }
  json["recommendation"] = recommendation(result);
  json["notes"] = notes(result);
  return json;
}

std::string to_json(const CompareOutcome& result, std::string_view scenario) {
  return compare_json(result, scenario).dump(2);
}

StudyFile study_file(const CompareOutcome& result, std::string_view scenario) {
  StudyFile file = titled_file("compare", result, scenario);
  file.texts.emplace_back("page", to_json(study_page(result)));
  // One array a quantity: a value for each point of a scheme that takes the problem.
  const auto add = [&](const auto& schemes, const std::string& name, const auto& value) {
    for (const auto& scheme : schemes) {
      if (!scheme.refused.empty()) continue;
      StudyArray array{"schemes/" + path_part(scheme.label) + "/" + name, {}};
      for (const auto& point : scheme.points) array.values.push_back(std::invoke(value, point));
      file.arrays.push_back(std::move(array));
    }
  };
  const auto add_settings = [&](const auto& schemes) {
    add(schemes, "h", [](const auto& point) { return point.h; });
    add(schemes, "tolerance", [](const auto& point) { return point.tolerance.value_or(NAN); });
  };
  if (result.statistics) {
    const std::vector<SchemeStatistics>& schemes = result.statistics->schemes;
    add_settings(schemes);
    add(schemes, "impact_rate", [](const StatisticsPoint& point) { return point.statistics.impact_rate; });
    add(schemes, "phase_distance", &StatisticsPoint::phase_distance);
    add(schemes, "speed_distance", &StatisticsPoint::speed_distance);
  } else {
    const std::vector<SchemeComparison>& schemes = result.study.schemes;
    add_settings(schemes);
    add(schemes, "seconds", &WorkPoint::seconds);
    add(schemes, "steps", &WorkPoint::steps);
    add(schemes, "force_evaluations", &WorkPoint::force_evaluations);
    for (std::size_t n = 0; n < norm_count; ++n)
      add(schemes, std::string(norm_names[n]), [&](const WorkPoint& point) { return point.errors.at(n); });
  }
  return file;
}

}  // namespace ricochet
