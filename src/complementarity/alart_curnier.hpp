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
// Newton in all, by block_step.hpp.
//
// P. Alart, A. Curnier, Comput. Methods Appl. Mech. Eng. 92 (1991) 353, doi:10.1016/0045-7825(91)90022-X; V. Acary,
// M. Brémond, O. Huber, in: Advanced Topics in Nonsmooth Dynamics, Springer 2018, doi:10.1007/978-3-319-75972-2_10.
#pragma once

#include <vector>

#include "complementarity/block_step.hpp"

namespace ricochet {

LawDerivative alart_curnier_law(const Block& block, const double* P, const double* U);

class AlartCurnier {
 public:
  // From P with U = W P + b, which it keeps so. The residual reached; `iterations` counts factorisations, up to
  // `limit`.
  double solve(ScaledProblem& problem, double tolerance, int limit, int& iterations, double* P, double* U);

 private:
  double evaluate(ScaledProblem& problem, const double* P);
  bool step(ScaledProblem& problem);

  double delta_ = 0.0;
  std::vector<LawDerivative> laws_, trial_laws_;
  std::vector<double> center_, trial_, trial_U_, direction_, best_, Phi_;
  BlockStep step_;
};

}  // namespace ricochet
