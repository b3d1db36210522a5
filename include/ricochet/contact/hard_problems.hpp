// The contact problems of a run that were hardest to solve, kept to be looked at: those that were not solved first,
// then by iterations, then by residual; of equal ones the earlier.
#pragma once

#include <algorithm>
#include <tuple>
#include <vector>

#include "ricochet/complementarity/problem.hpp"

namespace ricochet {

class HardProblems {
 public:
  explicit HardProblems(std::size_t most) : most_(most) {}

  struct Entry {
    double t = 0.0;  // the begin of the step, or of the recording interval of schemes that choose their steps
    ComplementarityResult result = {};
    std::vector<int> row = {}, col = {};  // of the entries of W that differ from 0
    std::vector<double> W = {};
    std::vector<double> b = {}, P = {}, bounds = {};  // one a row, as ComplementarityProblem has them
    std::vector<Cone> cones = {};
  };

  void set_time(double t) { t_ = t; }
  bool wants(const ComplementarityResult& result) const {
    return entries_.size() < most_ || (most_ > 0 && hardness(result) > hardness(entries_.back().result));
  }
  // The place of a problem that is wanted, to be filled; the easiest is dropped for it.
  Entry& add(const ComplementarityResult& result) {
    if (entries_.size() == most_) entries_.pop_back();
    const auto place = std::find_if(entries_.begin(), entries_.end(),
                                    [&](const Entry& entry) { return hardness(result) > hardness(entry.result); });
    return *entries_.insert(place, {.t = t_, .result = result});
  }
  const std::vector<Entry>& all() const { return entries_; }  // the hardest first

 private:
  static std::tuple<bool, int, double> hardness(const ComplementarityResult& result) {
    return {result.status != ComplementarityStatus::solved, result.iterations, result.residual};
  }

  std::size_t most_;
  double t_ = 0.0;
  std::vector<Entry> entries_;
};

}  // namespace ricochet
