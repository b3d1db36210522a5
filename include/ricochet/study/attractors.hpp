// Which trajectories end in the same motion: basins of attraction.
//
// Motions are told apart by their points, in the columns of the state (q, v, z; not t). The size S_j of column j is the
// largest |value| it has in all points of the sweep, and two values are the same if they differ by no more than
// tolerance·S_j. Then
//   - periodic trajectories share an attractor if their periods are equal and their last points are the same, one by
//     one, from some point of the cycle on;
//   - trajectories without a period share one if in every column the ranges of their points overlap by more than half
//     of what both cover together. A range within tolerance·S_j counts as one value.
// A trajectory is compared with the first of each attractor, and takes the first one that fits. Numbers are given in
// the order of the trajectories: 0 to that of the first one, and so on.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "ricochet/study/sweep.hpp"

namespace ricochet {

class Attractors {
 public:
  static constexpr std::int32_t none = -1;  // of a trajectory that failed, or of which nothing was kept

  Attractors(const SweepColumns& columns, double tolerance);

  // First all trajectories, in any order: the size of the columns.
  void measure(const SweepTrajectory& trajectory);
  // Then all in their order.
  std::int32_t number(const SweepTrajectory& trajectory);
  std::size_t count() const { return known_.size(); }

 private:
  struct Motion {
    std::int64_t period = 0;
    std::vector<double> points;           // of a periodic one: the cycle, row after row
    std::vector<double> lowest, highest;  // of one without a period
  };
  Motion motion_of(const SweepTrajectory& trajectory) const;
  bool same(const Motion& a, const Motion& b) const;
  bool same_cycle(const Motion& a, const Motion& b) const;
  bool same_ranges(const Motion& a, const Motion& b) const;

  std::size_t width_;                 // of a point
  std::vector<std::size_t> columns_;  // of the state in it
  std::vector<double> sizes_;
  double tolerance_;
  std::vector<Motion> known_;
};

}  // namespace ricochet
