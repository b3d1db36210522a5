// One step of a Newton method for problems with blocks: with Φ the laws and their derivatives A by P, B by U,
//
//     (A + B (W + δ I)) ΔP = −Φ,   A, B block diagonal,                                                            (1)
//
// solved dense for rows with B ≠ 0, or sparse. Where W = Hᵀ M⁻¹ H is not formed, ΔP is taken out block by block and
// what is left has the size and nearly the sparsity of M:
//
//     S = (A + δ B)⁻¹ B,   c = (A + δ B)⁻¹ Φ,   (M + H S Hᵀ) Δx = −H c,   ΔP = −c − S Hᵀ Δx. (2)
#pragma once

#include <vector>

#include "complementarity/scaled_problem.hpp"
#include "core/sparse_solve.hpp"

namespace ricochet {

// Φ of a block and its derivatives by P and U, by columns.
struct LawDerivative {
  double Phi[3], A[9], B[9];
};

class BlockStep {
 public:
  // Both must stay for solve(). Where W is not formed A + δ B must be regular.
  bool factorise(const ScaledProblem& problem, const std::vector<LawDerivative>& laws, double delta);
  // x := ΔP of Φ. False if it is not finite.
  bool solve(const double* Phi, double* x);

 private:
  bool factorise_dense(double delta);
  bool factorise_sparse(double delta);
  bool factorise_schur(double delta);
  bool solve_dense(const double* Phi, double* x);
  bool solve_whole(const double* Phi, double* x);
  bool solve_schur(const double* Phi, double* x);
  bool set_blocks(const ScaledProblem& problem);
  void set_sparse_pattern(const ScaledProblem& problem);
  void set_schur_pattern(const ScaledProblem& problem);
  void analyse();
  bool factorise_values();
  bool factorise_pivoted();
  bool solve_values(double* x);

  const ScaledProblem* problem_ = nullptr;
  const std::vector<LawDerivative>* laws_ = nullptr;
  bool is_pivoted_ = false;
  std::vector<int> rows_, pivots_;  // dense
  Pattern given_pattern_, other_pattern_, pattern_;
  std::vector<int> block_of_, place_, touched_, touched_start_;  // touched_: rows of M of each block
  std::vector<double> values_, x_, S_, h_;
  std::vector<double> right_, solution_;
  SparseLdlt factors_;
  SparseSolve pivoted_;
};

}  // namespace ricochet
