// What studies of schemes share: which of them take a problem, means over runs, a point for each scheme and level.
#pragma once

#include <cstddef>
#include <ctime>
#include <vector>

#include "ricochet/core/error.hpp"
#include "ricochet/study/comparison.hpp"
#include "study/parallel.hpp"

namespace ricochet {

// Why a scheme does not take the problem; empty if it does. Bad parameters throw.
inline std::string refusal(const StudyProblem& problem, const SchemeChoice& choice) {
  check(choice.scheme);
  try {
    make_stepper(*problem.model, choice.scheme, problem.solver);
  } catch (const InputError& error) {
    return error.message();
  }
  return {};
}

// The mean of the errors of several runs, not a number if one of them failed; `failure` is that of the first that did.
void average(const std::vector<MeasuredRun>& runs, Errors& mean, std::string& failure);

// CPU time of the calling thread, in seconds.
inline double cpu_time() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

// SchemeResult has label, refused and points; point(level) makes one. A scheme that does not take the problem has none.
template <class SchemeResult, class MakePoint>
std::vector<SchemeResult> level_points(const StudyProblem& problem, const std::vector<SchemeChoice>& schemes,
                                       const ComparisonSettings& settings, const MakePoint& point) {
  struct Job {
    std::size_t scheme, point;
    Level level;
  };
  std::vector<SchemeResult> results(schemes.size());
  std::vector<Job> jobs;
  for (std::size_t s = 0; s < schemes.size(); ++s) {
    results[s].label = schemes[s].label;
    results[s].refused = refusal(problem, schemes[s]);
    if (!results[s].refused.empty()) continue;
    for (Level& level : levels_of(schemes[s], settings)) {
      jobs.push_back({s, results[s].points.size(), std::move(level)});
      results[s].points.emplace_back();
    }
  }
  for_each_job(jobs.size(), settings.work,
               [&](std::size_t i) { results[jobs[i].scheme].points[jobs[i].point] = point(jobs[i].level); });
  return results;
}

}  // namespace ricochet
