// The kinetic angles between constraints that can be closed together, and what they mean for continuous dependence.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "ricochet/study/check.hpp"
#include "study/angles.hpp"

namespace ricochet {

class PairStudy {
 public:
  PairStudy(const Model& model, const State& start, TimeSpan span, const Scheme& scheme, const RunSettings& settings);

  void go();

  std::vector<ConstraintPair> pairs;
  std::uint64_t skipped = 0;  // pairs not looked at
  bool skipped_are_orthogonal = true;
  std::vector<std::string> remarks;  // what was done, one sentence each
  std::optional<bool> continuous;

 private:
  struct Point {
    double t = 0.0;
    std::vector<double> q;
    std::string how;
  };

  class Watch;

  void choose_pairs();
  void choose_neighbours();
  void limit_work();
  void close_linear();
  bool close_at_times(const class LinearGaps& gaps, ConstraintPair& pair);
  void close_by_points();
  void follow_run();
  std::vector<Point> scattered_points() const;
  void try_point(ConstraintPair& pair, const Point& point);
  void take(ConstraintPair& pair, const Angles::Angle& angle, bool closed);
  void decide();

  const Model& model_;
  const Layout& layout_;
  const State& start_;
  const TimeSpan span_;
  const Scheme& scheme_;
  const RunSettings& settings_;
  Angles angles_;
  const bool angles_fixed_;     // the same everywhere
  std::vector<char> measured_;  // by pair: its angle is one of a point where both are closed
  std::vector<double> extent_;  // by coordinate: how far the run went
  std::map<std::pair<int, int>, Point> seen_in_run_;
};

}  // namespace ricochet
