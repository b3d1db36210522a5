// The linear complementarity problem: find P with 0 ≤ W P + b ⊥ P ≥ 0. Nothing of mechanics here.
#pragma once

#include <string_view>
#include <vector>

namespace ricochet {

// W dense by columns, n × n, positive semidefinite (symmetric or slightly not).
struct ComplementarityProblem {
  int n = 0;
  const double* W = nullptr;
  const double* b = nullptr;
};

struct ComplementaritySettings {
  double tolerance = 1e-10;  // largest accepted residual, relative to the size of b; > 0
  int max_iterations = 0;    // pivots; 0: 50 + 10 n
};

enum class ComplementarityStatus { solved, no_solution, iteration_limit, not_finite };

struct ComplementarityResult {
  ComplementarityStatus status = ComplementarityStatus::solved;
  double residual = 0.0;  // max |min(P, W P + b)| in the scaled problem with unit diagonal, relative to max |b|
  int iterations = 0;
};

std::string_view name(ComplementarityStatus status);

// Memory of a solver: grows to the largest problem met, then stays.
struct ComplementarityWorkspace {
  std::vector<double> tableau, scale, vector;
  std::vector<int> basis;
};

// Lemke's method with the lexicographic rule: exact for small dense problems, never cycles, and finds
// a solution for every positive semidefinite W that has one. P is n long.
// C. E. Lemke, Management Science 11 (1965) 681, doi:10.1287/mnsc.11.7.681.
ComplementarityResult lemke(const ComplementarityProblem& problem, const ComplementaritySettings& settings,
                            ComplementarityWorkspace& workspace, double* P);

}  // namespace ricochet
