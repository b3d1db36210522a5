// What the solvers share: their memory, the residual, W as a system or as a dense matrix.
#pragma once

#include <algorithm>
#include <cmath>
#include <memory>
#include <vector>

#include "complementarity/alart_curnier.hpp"
#include "complementarity/free_rows.hpp"
#include "complementarity/interior_blocks.hpp"
#include "complementarity/newton_system.hpp"
#include "complementarity/scaled_problem.hpp"
#include "core/interrupt.hpp"
#include "ricochet/complementarity/problem.hpp"

namespace ricochet {

inline constexpr int largest_formed = 2000;  // rows up to which W of another form is formed for a dense solver

// Made when it is first asked for: large, and no use to a few dense rows.
template <class T>
class WhenNeeded {
 public:
  T& operator*() {
    if (!made_) made_ = std::make_unique<T>();
    return *made_;
  }
  T* operator->() { return &**this; }

 private:
  std::unique_ptr<T> made_;
};

struct ComplementarityWorkspace::Memory {
  DenseSystem dense;
  WhenNeeded<SparseSystem> sparse;
  WhenNeeded<SchurSystem> schur;
  double tolerance = 1e-10;     // of the solve under way
  std::vector<double> dense_W;  // W of another form, formed for a dense solver
  std::vector<double> scale, w, x, y, direction, step, correction, D, shifted;
  std::vector<double> unit_b, unit_bounds;  // of extreme sizes, in another unit
  std::vector<double> tableau;              // lemke
  std::vector<int> basis;
  Flags active, next;
  WhenNeeded<FreeRows> free_rows;
  ScaledProblem scaled;
  WhenNeeded<AlartCurnier> newton;
  WhenNeeded<InteriorBlocks> interior;
  std::vector<double> scaled_P, scaled_U;
  std::vector<double> pivot_W, pivot_b, pivot_P, pivot_sign;  // stewart_trinkle
  std::vector<int> pivot_row;
};

using ComplementarityMemory = ComplementarityWorkspace::Memory;

// W behind the interface of Newton's method.
NewtonSystem& system_of(const ComplementarityProblem& problem, ComplementarityMemory& memory);

// W by columns: the caller's, or formed in memory.
const double* dense_form(const ComplementarityProblem& problem, ComplementarityMemory& memory);

// s_i = W_ii^(−1/2), 1 where the diagonal vanishes, one for the tangents of a block (block_law.hpp); kept in
// memory.scale.
void set_scale(const ComplementarityProblem& problem, const NewtonSystem& system, ComplementarityMemory& memory);

// max |b s|: the size that residuals are measured against.
double size_of_b(const ComplementarityProblem& problem, const ComplementarityMemory& memory);

// The block at row i with the bound of the scaled problem.
inline Block scaled_block(const ComplementarityProblem& problem, const double* scale, int i) {
  Block block = block_at(problem, i);
  if (block.cone == Cone::coulomb) block.bound *= scale[i] / scale[i + 1];
  if (block.cone == Cone::disc) block.bound /= scale[i];
  return block;
}

// The distance from its law of the block that begins at row i, in the scaled problem; 0 for rows within a block. w is
// in memory.w.
inline double row_residual(const ComplementarityProblem& problem, const ComplementarityMemory& memory, const double* P,
                           int i) {
  const Block block = scaled_block(problem, memory.scale.data(), i);
  double own_P[3], own_U[3];
  for (int k = 0; k < block.size; ++k) {
    const double s = memory.scale[i + k];
    own_P[k] = P[i + k] / s, own_U[k] = memory.w[i + k] * s;
  }
  return block_residual(block, own_P, own_U);
}

// A residual against the size of b, in which round-off of a W P with max |P| = push does not count.
double relative_residual(double residual, double size, double push, double tolerance);

// memory.w := W P + b
void place_w(const ComplementarityProblem& problem, NewtonSystem& system, ComplementarityMemory& memory,
             const double* P);

// The largest of them relative to `size`, that of b, where round-off of W P does not count: w = W P + b in memory.w
// cannot be known better than 64 ε max |P/s|. (At most 10⁴ times: a P that runs away is not a solution.)
double residual_of_w(const ComplementarityProblem& problem, const ComplementarityMemory& memory, double size,
                     const double* P);
// Both.
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

// Given the active set: P_A from (W + floor·diag W)_AA P_A = −b_A, refined; P = 0 elsewhere. Not clipped. `size` is
// that of b.
bool solve_on_active(const ComplementarityProblem& problem, NewtonSystem& system, ComplementarityMemory& memory,
                     double size, double floor, double* P);

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

using SolverFunction = ComplementarityResult(const ComplementarityProblem&, const SolverOptions&,
                                             ComplementarityMemory&, double* P);

// A problem with free rows: the given solver without them, then P completed. See free_rows.hpp.
ComplementarityResult solve_with_free_rows(const ComplementarityProblem& problem, SolverFunction* solver,
                                           const SolverOptions& options, ComplementarityMemory& memory, double* P);

// Problems with blocks.
SolverFunction solve_blocks, block_gauss_seidel, block_interior_point, block_lemke, alart_curnier;

// Lemke's method for the planar problem in memory.scaled; see stewart_trinkle.cpp.
bool is_planar(const ScaledProblem& problem);
int pivot_rows(const ScaledProblem& problem);  // of the problem it solves
ComplementarityResult pivot_blocks(const SolverOptions& settings, ComplementarityMemory& memory);

// Two or three planar blocks in memory.scaled, from and to memory.scaled_P; false if it is not for this problem, or
// does not solve it. See enumeration.cpp.
bool enumerate_blocks(const SolverOptions& settings, ComplementarityMemory& memory, ComplementarityResult& result);

SolverFunction lemke, active_set, interior_point, gauss_seidel, projected_gradient, automatic;

}  // namespace ricochet
