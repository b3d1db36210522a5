// Trajectories of a sweep that nobody computed.
#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "ricochet/study/sweep.hpp"

namespace ricochet::sweep_test {

// Every value tells where it belongs; rows of three columns, as many as the index says.
inline SweepTrajectory trajectory(std::uint64_t index, const std::string& failure = {}) {
  SweepTrajectory result{.index = index, .failure = failure, .steps = 100 + index, .impacts = 10 + index};
  const double i = static_cast<double>(index);
  for (std::uint64_t row = 0; row < index % 5; ++row)
    for (int column = 0; column < 3; ++column)
      result.points.push_back(100.0 * i + 10.0 * static_cast<double>(row) + column);
  result.period = static_cast<std::int64_t>(index % 3);
  result.lyapunov = index % 2 == 0 ? 0.1 * i : std::numeric_limits<double>::quiet_NaN();
  if (failure.empty()) {
    result.final = {i, -i};
    result.statistics = {i + 0.25, i + 0.5};
    result.histogram = {1.0, 2.0, i};
  }
  return result;
}

inline SweepColumns columns() { return {.points = {"t", "x", "x_dot"}, .statistics = {}, .state = {"x", "x_dot"}}; }

}  // namespace ricochet::sweep_test
