// A contact problem of FCLIB, solved.
#pragma once

#include <string>

#include "ricochet/complementarity/problem.hpp"
#include "ricochet/io/format/fclib.hpp"

namespace ricochet {

struct SolveOutcome {
  bool is_global = false;
  int contacts = 0, dimension = 3, equations = 0;  // equations: those of λ
  std::string solver;
  ComplementarityResult result = {};
  double residual = 0.0;  // of the solution, without allowance for round-off
  double seconds = 0.0;   // of the solver, and of the factors of M
  io::FclibSolution solution = {};
};

// Throws InputError for settings out of their range, and for an M that cannot be factorised.
SolveOutcome solve_contact_problem(const io::FclibProblem& problem, const ComplementaritySettings& settings);

}  // namespace ricochet
