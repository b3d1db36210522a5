// The benchmark suite: schemes against situations.
#include <fmt/format.h>

#include <algorithm>

#include "present/study_parts.hpp"

namespace ricochet {

namespace {

// What `cell` says of the last point of the scheme with that label; nothing for a scheme that was not run.
template <class Schemes, class Cell>
std::string last_point(const Schemes& schemes, const std::string& label, const char* refused, const char* fails,
                       const Cell& cell) {
  for (const auto& scheme : schemes) {
    if (scheme.label != label) continue;
    if (!scheme.refused.empty()) return refused;
    return scheme.points.back().failure.empty() ? cell(scheme.points.back()) : fails;
  }
  return "";
}

// Where trajectories part, the distance of the distributions stands for the error, with that of the impact rate, an
// invariant of the attractor.
std::string statistics_cell(const StatisticsPoint& point) {
  return fmt::format("{:.2g} d, {:.1g} ± {:.1g} r", std::max(point.phase_distance, point.speed_distance),
                     point.rate_error, point.rate_deviation);
}

std::string error_cell(const CompareOutcome& comparison, const std::string& label) {
  if (comparison.statistics)
    return last_point(comparison.statistics->schemes, label, "refuses", "fails", statistics_cell);
  return last_point(comparison.study.schemes, label, "refuses", "fails", [&](const WorkPoint& point) {
    return fmt::format("{:.1e}", relative_error(comparison.study, point));
  });
}

std::string time_cell(const CompareOutcome& comparison, const std::string& label) {
  const auto text = [](const auto& point) { return fmt::format("{:.2g}", 1e3 * point.seconds); };
  return comparison.statistics ? last_point(comparison.statistics->schemes, label, "", "", text)
                               : last_point(comparison.study.schemes, label, "", "", text);
}

std::vector<std::string> labels_of(const SuiteOutcome& result) {
  std::vector<std::string> labels;
  const auto add = [&](const auto& schemes) {
    for (const auto& scheme : schemes)
      if (std::find(labels.begin(), labels.end(), scheme.label) == labels.end()) labels.push_back(scheme.label);
  };
  for (const CompareOutcome& comparison : result.comparisons) {
    add(comparison.study.schemes);
    if (comparison.statistics) add(comparison.statistics->schemes);
  }
  return labels;
}

StudyTable suite_table(const SuiteOutcome& result, const char* title,
                       std::string (*value)(const CompareOutcome&, const std::string&)) {
  StudyTable table{title, {"scheme"}};
  for (const SuiteProblem& problem : result.problems) table.columns.push_back(problem.situation);
  for (const std::string& label : labels_of(result)) {
    std::vector<std::string>& row = table.rows.emplace_back(1, label);
    for (const CompareOutcome& comparison : result.comparisons) row.push_back(value(comparison, label));
  }
  return table;
}

// What two computations of the same motion differ by where trajectories part: no scheme can be told to be nearer.
void add_noise(const SuiteOutcome& result, StudyTable& table) {
  std::vector<std::string> row = {"noise of the reference"};
  bool any = false;
  for (const CompareOutcome& comparison : result.comparisons) {
    row.push_back(comparison.statistics ? statistics_cell(comparison.statistics->noise) : "");
    any = any || comparison.statistics;
  }
  if (any) table.rows.push_back(std::move(row));
}

}  // namespace

StudyPage study_page(const SuiteOutcome& result) {
  StudyPage page{"suite", "Benchmark suite for vibro-impact"};
  page.text.push_back(
      "Each scheme at the scenario's own step, or at the smallest tolerance if it chooses its steps. Errors are those "
      "of q in the sup norm, relative to the size of q, over two grid phases. Where trajectories part, d marks the "
      "distance between the distributions of impacts (phases and speeds) and r the relative error of the impact rate "
      "with the standard deviation that motions of this length leave it, and the "
      "last row what two computations of the reference differ by. Where the reference is computed by event-driven in "
      "closed "
      "form, event-driven at any tolerance is the same motion, and its error of 0 says nothing.");
  page.tables.push_back(suite_table(result, "Errors", error_cell));
  add_noise(result, page.tables.back());
  page.tables.push_back(suite_table(result, "CPU time in ms", time_cell));
  StudyTable problems{"Problems", {"situation", "scenario", "window", "reference"}};
  for (std::size_t i = 0; i < result.problems.size(); ++i) {
    const CompareOutcome& comparison = result.comparisons[i];
    problems.rows.push_back({result.problems[i].situation, result.problems[i].scenario,
                             fmt::format("{:.6g} to {:.6g}", comparison.window.from, comparison.window.until),
                             comparison.reference.description});
  }
  page.tables.push_back(std::move(problems));
  for (std::size_t i = 0; i < result.problems.size(); ++i) {
    const std::vector<std::string> text = recommendation(result.comparisons[i]);
    if (!text.empty()) page.text.push_back(fmt::format("{}: {}", result.problems[i].situation, text.front()));
    for (StudyPlot plot : study_page(result.comparisons[i]).plots) {
      plot.title = result.problems[i].situation + ": " + plot.title;
      page.plots.push_back(std::move(plot));
    }
  }
  return page;
}

std::string to_json(const SuiteOutcome& result) {
  Json json = Json::array();
  for (std::size_t i = 0; i < result.problems.size(); ++i) {
    Json one = compare_json(result.comparisons[i], result.problems[i].scenario);
    one["situation"] = result.problems[i].situation;
    json.push_back(std::move(one));
  }
  return Json{{"suite", json}}.dump(2);
}

}  // namespace ricochet
