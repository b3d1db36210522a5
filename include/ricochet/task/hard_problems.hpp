// The hardest contact problems of a run in FCLIB's format (docs/solve.md).
#pragma once

#include <filesystem>
#include <vector>

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

// NAME-problem-1.hdf5, … beside the result NAME.h5.
std::vector<std::filesystem::path> problem_files(const std::filesystem::path& result, int count);

}  // namespace ricochet
