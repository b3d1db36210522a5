// What the solvers share: their memory, the residual, W as a system or as a dense matrix.
#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "complementarity/free_rows.hpp"
#include "complementarity/newton_system.hpp"
#include "ricochet/complementarity/problem.hpp"

namespace ricochet {

struct ComplementarityWorkspace::Memory {
  DenseSystem dense;
  SparseSystem sparse;
  SchurSystem schur;
  double tolerance = 1e-10;     // of the solve under way
  std::vector<double> dense_W;  // W of another form, formed for a dense solver
  std::vector<double> scale, w, x, y, direction, step, correction, D, shifted;
  std::vector<double> tableau;  // lemke
  std::vector<int> basis;
  Flags active, next;
  FreeRows free_rows;
};

using ComplementarityMemory = ComplementarityWorkspace::Memory;

// W behind the interface of Newton's method.
NewtonSystem& system_of(const ComplementarityProblem& problem, ComplementarityMemory& memory);

// W by columns: the caller's, or formed in memory.
const double* dense_form(const ComplementarityProblem& problem, ComplementarityMemory& memory);

// s_i = W_ii^(−1/2), 1 where the diagonal vanishes; kept in memory.scale.
void set_scale(const NewtonSystem& system, int n, ComplementarityMemory& memory);

// max |b s|: the size that residuals are measured against.
double size_of_b(const ComplementarityProblem& problem, const ComplementarityMemory& memory);

// |min(P/s, w s)| of row i, |w s| of a free one; w is in memory.w.
inline double row_residual(const ComplementarityProblem& problem, const ComplementarityMemory& memory, const double* P,
                           int i) {
  const double s = memory.scale[i], w = memory.w[i] * s;
  const bool is_free = problem.cones != nullptr && problem.cones[i] == Cone::free;
  return std::abs(is_free ? w : std::min(P[i] / s, w));
}

// Its largest relative to max |b s|, where round-off of W P does not count: w = W P + b, left in memory.w, cannot be
// known better than 64 ε max |P/s|. (At most 10⁴ times: a P that runs away is not a solution.)
double natural_residual(const ComplementarityProblem& problem, NewtonSystem& system, ComplementarityMemory& memory,
                        const double* P);

bool all_finite(int n, const double* x);

// From the active set in memory.active: exchanges until nothing contradicts it, at most `limit` times. With
// `floor` > 0 that much of its diagonal is added to W, which makes the problem regular.
ComplementarityResult exchange_active(const ComplementarityProblem& problem, NewtonSystem& system,
                                      ComplementarityMemory& memory, int limit, double floor, double* P);

// Redundant contacts make W singular. The proximal point method solves regular problems in its place,
//     0 ≤ (W + δ D) P + (b − δ D P_last) ⊥ P ≥ 0,   D = diag(W),
// by exchanges; their solutions converge to one of the given problem if it has any.
ComplementarityResult proximal(const ComplementarityProblem& problem, NewtonSystem& system,
                               ComplementarityMemory& memory, int limit, double* P);

// Given the active set: P_A from (W + floor·diag W)_AA P_A = −b_A, refined; P = 0 elsewhere. Not clipped.
bool solve_on_active(const ComplementarityProblem& problem, NewtonSystem& system, ComplementarityMemory& memory,
                     double floor, double* P);

// The same for the active set that a system has been factorised for. The factors may be those of a neighbour of W (its
// symmetric part, a little more on the diagonal): refined while it helps. `size` is that of b; `work` is as long as P.
struct ActiveRows {
  int n;
  const double* b;
  const Flags& active;
  const double* scale;
  double size, floor;
};
bool solve_refined(const ActiveRows& rows, NewtonSystem& system, double* work, double* P);

// A problem with free rows: the given solver without them, then P completed. See free_rows.hpp.
ComplementarityResult solve_with_free_rows(const ComplementarityProblem& problem, const SolverEntry& solver,
                                           const SolverOptions& options, ComplementarityMemory& memory, double* P);

using SolverFunction = ComplementarityResult(const ComplementarityProblem&, const SolverOptions&,
                                             ComplementarityMemory&, double* P);
SolverFunction lemke, active_set, interior_point, gauss_seidel, projected_gradient, automatic;

}  // namespace ricochet
