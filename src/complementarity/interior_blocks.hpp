// An interior point method for problems with blocks, which comes near a solution in some 15 to 30 factorisations
// whatever the size and the start; Newton's method (alart_curnier.hpp) takes it from there. With σ, which is ‖U_T‖ in
// the end, Coulomb's law is
//
//     P_N ≥ 0,  U_N ≥ 0,  P_N U_N = 0,   x = (μ P_N, P_T),  y = (σ, U_T) in the cone x₀ ≥ ‖x_T‖,  x∘y = 0, (1) x∘y =
//     (x₀ y₀ + x_T·y_T, x₀ y_T + y₀ x_T),
//
// and alike that of a disc with L in place of μ P_N. Both products are led to 0 along P_N U_N = τ, x∘y = τ (1, 0) by
// Mehrotra's predictor and corrector. σ is taken out of the linear equations block by block, which leaves those of
// block_step.hpp.
//
// V. Acary, P. Armand, H. M. Nguyen, M. Shpakovych, Second-order cone programming for frictional contact mechanics
// using interior point algorithm, Optim. Methods Softw. 39 (2024), doi:10.1080/10556788.2023.2296438 (there with
// the cones of De Saxcé and σ from outside); S. J. Wright, Primal-Dual Interior-Point Methods, SIAM 1997.
#pragma once

#include <vector>

#include "complementarity/block_step.hpp"

namespace ricochet {

class InteriorBlocks {
 public:
  // P and U = W P + b as near to a solution as it gets, or as `enough`. The residual; `iterations` counts
  // factorisations, up to `limit`.
  double solve(ScaledProblem& problem, double enough, int limit, int& iterations, double* P, double* U);

 private:
  void start(double* P);
  double gap(double length) const;
  double cone_product(std::size_t block) const;
  double largest_product() const;
  double longest() const;
  bool factorise();
  bool find_direction(double target, bool is_corrected);

  ScaledProblem* problem_ = nullptr;
  std::vector<LawDerivative> laws_;
  // off_: W P + b − U; product_off_: what x·y is to change by
  std::vector<double> P_, U_, sigma_, off_, dP_, dU_, dsigma_, product_off_, Phi_;
  BlockStep step_;
};

}  // namespace ricochet
