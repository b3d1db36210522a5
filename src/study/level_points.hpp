// A point for each scheme and level of a comparison, on several threads.
#pragma once

#include <cstddef>
#include <vector>

#include "ricochet/study/comparison.hpp"
#include "study/parallel.hpp"
#include "study/refusal.hpp"

namespace ricochet {

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
