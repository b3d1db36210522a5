// The hardest contact problems of a run in FCLIB's format (docs/solve.md).
#pragma once

#include <filesystem>

#include "ricochet/contact/hard_problems.hpp"
#include "ricochet/io/format/fclib.hpp"

namespace ricochet {

struct KeptProblem {
  double t = 0.0;
  ComplementarityResult result = {};
  io::FclibProblem problem = {};
  io::FclibSolution solution = {};
  std::filesystem::path file = {};  // where it was written, if it was
};

KeptProblem kept_problem(const HardProblems::Entry& entry);

}  // namespace ricochet
