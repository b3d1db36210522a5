// Work and precision of many schemes on one problem. See docs/compare.md.
#pragma once

#include "ricochet/io/scenario/scenario_file.hpp"
#include "ricochet/study/comparison.hpp"
#include "ricochet/task/study.hpp"

namespace ricochet {

// Without schemes: all of the catalogue.
struct CompareRequest : StudyRequest {
  std::vector<double> tolerances = {};  // none: 1e-3 to 1e-9
  double accuracy = 1e-3;               // wanted, of q relative to its size
  std::string period = {};              // a number or a formula of the parameters: of the load, for phases of impacts
};

struct CompareOutcome : StudyOutcome {
  double accuracy = 1e-3;
  double period = 0.0;                             // 0: none
  Comparison study;                                // where trajectories can be compared
  std::optional<StatisticsComparison> statistics;  // where they part
};

// As converge_problem() and converge_scenario().
CompareOutcome compare_problem(const Problem& problem, const CompareRequest& request,
                               const Scenario* scenario = nullptr);
CompareOutcome compare_scenario(const ScenarioFile& file, const CompareRequest& request);

// The benchmark suite: problems of the gallery, each for one situation.
struct SuiteProblem {
  std::string situation, scenario;      // "accumulation", "gallery:lecture-ball"
  std::optional<TimeSpan> window = {};  // part of the run
  std::string period = {};              // of the load
  std::vector<std::string> set = {};    // "time.until=4000": over what the scenario says
};
const std::vector<SuiteProblem>& suite_problems();

struct SuiteOutcome {
  std::vector<SuiteProblem> problems;
  std::vector<CompareOutcome> comparisons;
};
SuiteOutcome compare_suite(const CompareRequest& request);

}  // namespace ricochet
