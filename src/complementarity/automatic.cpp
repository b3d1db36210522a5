// Chooses a solver by size, form and whether a guess is at hand.
//
//   1. one unknown: P = max(0, −b/W);
//   2. W given as Hᵀ A⁻¹ H, or without free rows, with few unknowns: formed, one solve each;
//   3. a guess, or a small problem: active set, given up after a few exchanges if the problem is large;
//   4. what is left: Lemke's method when small, interior point when large.
#include <algorithm>
#include <cmath>

#include "complementarity/memory.hpp"

namespace ricochet {
namespace {

constexpr int few = 32;        // unknowns up to which W = Hᵀ A⁻¹ H is formed
constexpr int small = 200;     // unknowns up to which pivoting is cheap
constexpr int exchanges = 12;  // active-set iterations granted to a large problem

ComplementarityResult single(const ComplementarityProblem& problem, ComplementarityMemory& memory, double* P) {
  const double W = *dense_form(problem, memory), b = *problem.b;
  *P = b < 0.0 ? -b / W : 0.0;
  if (b < 0.0 && !(W > 0.0)) {
    *P = 0.0;
    return {ComplementarityStatus::no_solution, 1.0, 0};
  }
  return {};
}

}  // namespace

ComplementarityResult automatic(const ComplementarityProblem& given, const SolverOptions& settings,
                                ComplementarityMemory& memory, double* P) {
  const int n = given.n;
  if (n == 1) return single(given, memory, P);
  ComplementarityProblem problem = given;
  const bool may_be_formed = std::holds_alternative<SchurForm>(given.W) || std::holds_alternative<SystemForm>(given.W);
  if (n <= few && may_be_formed) problem.W = DenseForm{dense_form(given, memory)};

  SolverOptions first = settings;
  if (first.max_iterations == 0) first.max_iterations = n <= small ? 20 + n : exchanges;
  ComplementarityResult result = active_set(problem, first, memory, P);
  if (result.status == ComplementarityStatus::solved) return result;
  const int spent = result.iterations;
  result = n <= small ? lemke(problem, settings, memory, P) : interior_point(problem, settings, memory, P);
  result.iterations += spent;
  return result;
}

}  // namespace ricochet
