// ricochet compare --suite: one problem for each situation that a scheme for impacts must master.
#include <algorithm>

#include "ricochet/core/error.hpp"
#include "ricochet/task/compare.hpp"

namespace ricochet {

const std::vector<SuiteProblem>& suite_problems() {
  static const std::vector<SuiteProblem> problems = {
      {"free flight", "gallery:impact-oscillator", TimeSpan{0.0, 1.5}},
      {"one impact", "gallery:lecture-ball", TimeSpan{0.0, 1.6}},
      {"accumulation", "gallery:lecture-ball", TimeSpan{0.0, 4.0}},
      {"impact with e = 0", "gallery:inelastic-ball"},
      {"lift-off with e = 0", "gallery:lifted-block"},
      {"sticking", "gallery:table-chatter"},
      {"periodic orbit", "gallery:periodic-orbit"},
      {"chaotic attractor", "gallery:chaotic-oscillator", std::nullopt, "2*pi/w", {"time.until=32000"}},
      {"several contacts", "gallery:falling-stick"},
      {"M(q), curved gaps", "gallery:double-pendulum-wall"},
      {"moving obstacle", "gallery:moving-table", TimeSpan{0.0, 2.0}},
      {"elastic wave", "gallery:elastic-bar"},
      {"stiff", "gallery:two-ball-oscillator", TimeSpan{0.0, 0.8}},
      {"coupled states", "gallery:relief-valve"},
  };
  return problems;
}

SuiteOutcome compare_suite(const CompareRequest& request) {
  SuiteOutcome result;
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
    const ScenarioFile file = open_scenario(problems[i].scenario, problems[i].set);
    if (one.steps.empty()) {
      const double h = file.build().settings.h;
      one.steps = {4.0 * h, h};
    }
    try {
      result.comparisons.push_back(compare_scenario(file, one));
    } catch (const InterruptedError&) {
      if (result.comparisons.empty()) throw;
      result.comparisons.back().interrupted = true;
      break;
    }
    result.problems.push_back(problems[i]);
    if (result.comparisons.back().interrupted) break;
  }
  return result;
}

}  // namespace ricochet
