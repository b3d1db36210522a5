// The kinetic angles between constraints that can be closed together, and what they mean for continuous dependence.
#pragma once

#include "ricochet/study/check.hpp"

namespace ricochet {

struct PairFindings {
  std::vector<ConstraintPair> pairs = {};
  std::uint64_t skipped = 0;  // pairs not looked at
  bool skipped_are_orthogonal = true;
  std::vector<std::string> remarks = {};  // what was done, one sentence each
  std::optional<bool> continuous = std::nullopt;
};

PairFindings study_pairs(const Model& model, const State& start, TimeSpan span, const Scheme& scheme,
                         const RunSettings& settings);

}  // namespace ricochet
