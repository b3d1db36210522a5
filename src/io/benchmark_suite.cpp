// ricochet compare --suite: one problem for each situation that a scheme for impacts must master.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "io/study_json.hpp"
#include "ricochet/core/error.hpp"
#include "ricochet/io/compare_scenario.hpp"

namespace ricochet {

namespace {

// Where trajectories part, the distance of the distributions stands for the error.
std::string cell(const ScenarioComparison& comparison, const std::string& label) {
  if (comparison.statistics) {
    for (const SchemeStatistics& scheme : comparison.statistics->schemes) {
      if (scheme.label != label) continue;
      if (!scheme.refused.empty()) return "refuses";
      const StatisticsPoint& point = scheme.points.back();
      if (!point.failure.empty()) return "fails";
      return fmt::format("{:.2g} d", std::max(point.phase_distance, point.speed_distance));
    }
    return "";
  }
  for (const SchemeComparison& scheme : comparison.study.schemes) {
    if (scheme.label != label) continue;
    if (!scheme.refused.empty()) return "refuses";
    const WorkPoint& point = scheme.points.back();
    if (!point.failure.empty()) return "fails";
    return fmt::format("{:.1e}", relative_error(comparison.study, point));
  }
  return "";
}

std::string time_cell(const ScenarioComparison& comparison, const std::string& label) {
  const auto find = [&](const auto& schemes) -> std::string {
    for (const auto& scheme : schemes)
      if (scheme.label == label && scheme.refused.empty() && scheme.points.back().failure.empty())
        return fmt::format("{:.2g}", 1e3 * scheme.points.back().seconds);
    return "";
  };
  return comparison.statistics ? find(comparison.statistics->schemes) : find(comparison.study.schemes);
}

std::vector<std::string> labels_of(const SuiteResult& result) {
  std::vector<std::string> labels;
  const auto add = [&](const auto& schemes) {
    for (const auto& scheme : schemes)
      if (std::find(labels.begin(), labels.end(), scheme.label) == labels.end()) labels.push_back(scheme.label);
  };
  for (const ScenarioComparison& comparison : result.comparisons) {
    add(comparison.study.schemes);
    if (comparison.statistics) add(comparison.statistics->schemes);
  }
  return labels;
}

StudyTable suite_table(const SuiteResult& result, const char* title,
                       std::string (*value)(const ScenarioComparison&, const std::string&)) {
  StudyTable table{title, {"scheme"}};
  for (const SuiteProblem& problem : result.problems) table.columns.push_back(problem.situation);
  for (const std::string& label : labels_of(result)) {
    std::vector<std::string>& row = table.rows.emplace_back(1, label);
    for (const ScenarioComparison& comparison : result.comparisons) row.push_back(value(comparison, label));
  }
  return table;
}

// A bar inside a cell would begin a new one.
std::string markdown_cell(std::string text) {
  for (std::size_t at = text.find('|'); at != std::string::npos; at = text.find('|', at + 2)) text.insert(at, "\\");
  return text;
}

}  // namespace

const std::vector<SuiteProblem>& suite_problems() {
  static const std::vector<SuiteProblem> problems = {
      {"free flight", "gallery:impact-oscillator", TimeSpan{0.0, 1.5}},
      {"one impact", "gallery:lecture-ball", TimeSpan{0.0, 1.6}},
      {"accumulation", "gallery:lecture-ball", TimeSpan{0.0, 4.0}},
      {"sticking", "gallery:table-chatter"},
      {"periodic orbit", "gallery:periodic-orbit"},
      {"chaotic attractor", "gallery:chaotic-oscillator", std::nullopt, "2*pi/w"},
      {"several contacts", "gallery:falling-stick"},
      {"M(q), curved gaps", "gallery:double-pendulum-wall"},
      {"moving obstacle", "gallery:moving-table", TimeSpan{0.0, 1.4}},
      {"elastic wave", "gallery:elastic-bar"},
      {"stiff", "gallery:two-ball-oscillator", TimeSpan{0.0, 0.8}},
      {"coupled states", "gallery:relief-valve"},
  };
  return problems;
}

SuiteResult compare_suite(const CompareRequest& request) {
  SuiteResult result;
  const std::vector<SuiteProblem>& problems = suite_problems();
  for (std::size_t i = 0; i < problems.size(); ++i) {
    CompareRequest one = request;
    one.window = problems[i].window;
    one.period = problems[i].period;
    if (!one.phases) one.phases = 2;
    // The whole suite is the measure of progress.
    if (request.work.progress)
      one.work.progress = [&request, i, &problems](std::uint64_t done, std::uint64_t all) {
        request.work.progress(i * 1000 + 1000 * done / std::max<std::uint64_t>(all, 1), problems.size() * 1000);
      };
    const ScenarioFile file = open_scenario(problems[i].scenario);
    if (one.steps.empty()) one.steps = {4.0 * file.build().settings.h, file.build().settings.h};
    result.comparisons.push_back(compare_scenario(file, one));
    result.problems.push_back(problems[i]);
    if (result.comparisons.back().interrupted) break;
  }
  return result;
}

StudyPage study_page(const SuiteResult& result) {
  StudyPage page{"suite", "Benchmark suite for vibro-impact"};
  page.text.push_back(
      "Each scheme at the scenario's own step, or at the smallest tolerance if it chooses its steps. Errors are those "
      "of "
      "q in the sup norm, relative to the size of q, over two grid phases; d marks the distance between the "
      "distributions of impacts (phases and speeds), where trajectories part.");
  page.tables.push_back(suite_table(result, "Errors", cell));
  page.tables.push_back(suite_table(result, "CPU time in ms", time_cell));
  StudyTable problems{"Problems", {"situation", "scenario", "window", "reference"}};
  for (std::size_t i = 0; i < result.problems.size(); ++i) {
    const ScenarioComparison& comparison = result.comparisons[i];
    problems.rows.push_back({result.problems[i].situation, result.problems[i].scenario,
                             fmt::format("{:.4g} to {:.4g}", comparison.window.from, comparison.window.until),
                             comparison.reference_description});
  }
  page.tables.push_back(std::move(problems));
  for (std::size_t i = 0; i < result.problems.size(); ++i) {
    const std::vector<std::string>& text = result.comparisons[i].recommendation;
    if (!text.empty()) page.text.push_back(fmt::format("{}: {}", result.problems[i].situation, text.front()));
    for (StudyPlot plot : study_page(result.comparisons[i]).plots) {
      plot.title = result.problems[i].situation + ": " + plot.title;
      page.plots.push_back(std::move(plot));
    }
  }
  return page;
}

std::string to_json(const SuiteResult& result) {
  io::Json json = io::Json::array();
  for (std::size_t i = 0; i < result.problems.size(); ++i) {
    io::Json one = io::Json::parse(to_json(result.comparisons[i], result.problems[i].scenario));
    one["situation"] = result.problems[i].situation;
    json.push_back(std::move(one));
  }
  return io::dump({{"suite", json}});
}

std::string to_markdown(const StudyPage& page) {
  std::string text = fmt::format("# {}\n", page.title);
  for (const std::string& paragraph : page.text) text += fmt::format("\n{}\n", paragraph);
  for (const StudyTable& table : page.tables) {
    text += fmt::format("\n## {}\n\n|", table.title);
    for (const std::string& column : table.columns) text += fmt::format(" {} |", markdown_cell(column));
    text += "\n|";
    for (std::size_t i = 0; i < table.columns.size(); ++i) text += i == 0 ? "---|" : "---:|";
    for (const std::vector<std::string>& row : table.rows) {
      text += "\n|";
      for (const std::string& entry : row) text += fmt::format(" {} |", markdown_cell(entry));
    }
    text += "\n";
  }
  return text;
}

}  // namespace ricochet
