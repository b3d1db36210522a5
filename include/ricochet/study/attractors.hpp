// Which trajectories end in the same motion: basins of attraction, and branches of attractors along a parameter.
//
// Motions are told apart by their points, in the columns of the state (q, v, z; not t). The size S_j of column j is the
// largest |value| it has in all points of the sweep, or a thousandth of the largest one on the way of all motions if
// that is more (where all motions come to rest, points differ by round-off of nothing), and two values are the same if
// they differ by no more than tolerance·S_j. At one value of the parameters, which is called a cell here,
//   - periodic trajectories share an attractor if their periods are equal and their last points are the same, one by
//     one, from some point of the cycle on;
//   - trajectories without a period share one if in every column the ranges of their points overlap by more than half
//     of what both cover together. A range within tolerance·S_j counts as one value.
// A trajectory is compared with the first of each attractor of its cell, and takes the first one that fits.
//
// Attractors of neighbouring cells are one branch if they have the same period and the same number of impacts in it,
// and their points have moved by no more than `longest_move`·S_j; without a period, if their ranges overlap as above.
// Each continues in the nearest one only. Branches are numbered in the order of the trajectories.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <vector>

#include "ricochet/study/sweep.hpp"

namespace ricochet {

// A branch, or with initial values alone an attractor.
struct AttractorSummary {
  std::int64_t period = 0;         // 0: it does not repeat
  double impacts = 0.0;            // of one period; NaN without
  std::uint64_t trajectories = 0;  // that end on it
  std::uint64_t first = 0;         // of them
};

class Attractors {
 public:
  static constexpr std::int32_t none = -1;  // of one that failed, has not settled, or of which nothing was kept
  static constexpr double longest_move = 0.2;

  Attractors(const SweepColumns& columns, double tolerance);

  // First all trajectories, in any order: the size of the columns.
  void measure(const SweepTrajectory& trajectory);
  // Then all in their order, each with its cell.
  void add(const SweepTrajectory& trajectory, std::uint64_t cell = 0);
  // Then pairs of cells that are neighbours.
  void link(std::uint64_t cell, std::uint64_t neighbour);
  // At last the numbers, in the order of the trajectories.
  void name();

  // Whether two that were added in cells of their own are one motion, at the same parameters or a step away. Without a
  // motion both are alike.
  bool is_one(std::size_t a, std::size_t b, bool same_cell) const;

  std::int32_t number(std::size_t place) const { return numbers_[place]; }  // of the trajectory that was added there
  const std::vector<AttractorSummary>& branches() const { return branches_; }

 private:
  struct Motion {
    std::int64_t period = 0;
    double impacts = 0.0;
    std::vector<double> points;           // of a periodic one: the cycle, row after row
    std::vector<double> lowest, highest;  // of one without a period
  };
  Motion motion_of(const SweepTrajectory& trajectory) const;
  bool same(const Motion& a, const Motion& b) const;
  bool same_ranges(const Motion& a, const Motion& b) const;
  double distance(const Motion& a, const Motion& b) const;
  double move(const Motion& a, const Motion& b) const;
  std::int32_t root(std::int32_t motion) const;

  std::size_t width_;                 // of a point
  std::vector<std::size_t> columns_;  // of the state in it
  std::vector<double> sizes_;
  double tolerance_;
  std::vector<Motion> known_;                                 // all attractors of all cells
  std::vector<std::int32_t> parents_;                         // of known_: those of one branch have one root
  std::map<std::uint64_t, std::vector<std::int32_t>> cells_;  // which attractors each has
  std::vector<std::int32_t> numbers_;                         // of trajectories: in known_, then of branches
  std::vector<AttractorSummary> branches_;
};

}  // namespace ricochet
