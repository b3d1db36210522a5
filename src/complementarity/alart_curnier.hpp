// Newton's method for problems with blocks, on Alart and Curnier's equations in the scaled variables of block_law.hpp:
// with x = P_N − U_N, y = P_T − U_T
//
//     Φ_N = P_N − max(0, x),   Φ_T = P_T − Π(y) on the disc of radius μ max(0, x) (1)
//
// and alike for the other laws. W may be singular: redundant contacts. The proximal point method solves a regular
// problem about the last P in its place,
//
//     U_δ = W P + b + δ (P − P_last),                                                                              (2)
//
// to a tenth of Φ, then with a tenth of δ, or with ten times δ if that took too many steps: ten to thirty steps of
// Newton in all. One step is
//
//     (A + B (W + δ I)) ΔP = −Φ,   A, B block diagonal,                                                            (3)
//
// solved dense for rows with B ≠ 0, or sparse. Where W = Hᵀ M⁻¹ H is not formed, ΔP is taken out block by block and
// what is left has the size and nearly the sparsity of M:
//
//     S = (A + δ B)⁻¹ B,   c = (A + δ B)⁻¹ Φ,   (M + H S Hᵀ) Δx = −H c,   ΔP = −c − S Hᵀ Δx. (4)
//
// P. Alart, A. Curnier, Comput. Methods Appl. Mech. Eng. 92 (1991) 353, doi:10.1016/0045-7825(91)90022-X; V. Acary,
// M. Brémond, O. Huber, in: Advanced Topics in Nonsmooth Dynamics, Springer 2018, doi:10.1007/978-3-319-75972-2_10.
#pragma once

#include <vector>

#include "complementarity/scaled_problem.hpp"
#include "core/sparse_solve.hpp"

namespace ricochet {

// Φ of a block and its derivatives by P and U, by columns.
struct LawDerivative {
  double Phi[3], A[9], B[9];
};
LawDerivative alart_curnier_law(const Block& block, const double* P, const double* U);

class AlartCurnier {
 public:
  // From P with U = W P + b, which it keeps so. The residual reached; `iterations` counts factorisations, up to
  // `limit`.
  double solve(ScaledProblem& problem, double tolerance, int limit, int& iterations, double* P, double* U);

 private:
  double evaluate(ScaledProblem& problem, const double* P);
  bool step(ScaledProblem& problem);
  bool step_dense(const ScaledProblem& problem);
  bool step_sparse(const ScaledProblem& problem);
  bool step_schur(const ScaledProblem& problem);
  void analyse();
  bool solve_sparse(double* x);
  bool set_blocks(const ScaledProblem& problem);
  void set_sparse_pattern(const ScaledProblem& problem);
  void set_schur_pattern(const ScaledProblem& problem);

  double delta_ = 0.0;
  std::vector<LawDerivative> laws_, trial_laws_;
  std::vector<double> center_, trial_, trial_U_, direction_, best_;
  // (3) dense
  std::vector<int> rows_;
  std::vector<double> J_;
  // (3) or (4) sparse
  Pattern given_pattern_, other_pattern_, pattern_;
  std::vector<int> block_of_, place_, touched_, touched_start_;  // touched_: rows of M of each block
  std::vector<double> values_, x_, S_, h_;
  std::vector<double> right_, solution_;
  SparseLdlt factors_;
  SparseSolve pivoted_;
};

}  // namespace ricochet
