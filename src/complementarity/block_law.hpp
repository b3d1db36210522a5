// The laws of blocks of rows: Coulomb's cone and the disc of dry friction. All here is in scaled variables: with one
// scale d_N = √W_NN for the normal row of a contact and one, d_T = √(tr W_TT/dim), for its tangents,
//
//     P' = d P,   U' = U/d,   μ' = μ d_T/d_N,   L' = d L
//
// keep the laws and make W' of unit diagonal.
#pragma once

#include "ricochet/complementarity/problem.hpp"

namespace ricochet {

struct Block {
  int first = 0, size = 1;
  Cone cone = Cone::nonnegative;
  double bound = 0.0;  // μ or L
};

// The block that begins at a row of the problem as it is given.
inline Block block_at(const ComplementarityProblem& problem, int first) {
  Block block{first};
  if (problem.cones == nullptr) return block;
  block.cone = problem.cones[first];
  if (block.cone != Cone::coulomb && block.cone != Cone::disc) return block;
  block.bound = problem.bounds[first];
  while (first + block.size < problem.n && problem.cones[first + block.size] == Cone::tangent) ++block.size;
  return block;
}

bool has_blocks(const ComplementarityProblem& problem);

// Contradictions in cones and bounds: throws InputError.
void check_blocks(const ComplementarityProblem& problem);

// The distance from the law: |min(P, U)|; |U|; ‖P − Π(P − Ũ)‖ with the projection Π on the cone ‖P_T‖ ≤ μ P_N and
// De Saxcé's Ũ = U + μ ‖U_T‖ e_N, or with that on the disc ‖P‖ ≤ L and Ũ = U.
double block_residual(const Block& block, const double* P, const double* U);

// Solves U = W P + b with the law of the block, exactly; W by columns, size × size. Of several solutions the open one,
// or the one nearest to the P given. `is_unique` is told for contacts if asked for. False if there is none.
bool solve_block(const Block& block, const double* W, const double* b, double* P, bool* is_unique = nullptr);

}  // namespace ricochet
