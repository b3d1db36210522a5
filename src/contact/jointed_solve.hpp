// Systems with joints: A x = y + H_B λ, H_Bᵀx = r, for the factors of a matrix A that may be unsymmetric. By the
// columns Y = A⁻¹H_B and W = H_BᵀY; where joints are redundant, the λ of least norm.
#pragma once

#include <vector>

#include "core/semidefinite_solve.hpp"
#include "core/zeros.hpp"
#include "ricochet/model/model.hpp"

namespace ricochet {

class JointedSolve {
 public:
  explicit JointedSolve(const Layout& layout)
      : rows_(layout.rows), nq_(layout.nq()), nc_(layout.nc()), nb_(layout.nb()) {
    factors_.reserve(nb_);
  }

  // H of all rows; both must stay. False if W has no factors.
  template <class Factors>
  bool set(const Factors& A, const double* H) {
    H_ = H;
    if (nb_ == 0) return true;
    for (int j = 0; j < nb_; ++j) {
      double* x = column(j);
      for (int i = 0; i < nq_; ++i) x[i] = 0.0;
      for (int k = rows_.start[nc_ + j]; k < rows_.start[nc_ + j + 1]; ++k) x[rows_.row[k]] = H[k];
      A.solve(x);
      for (int i = 0; i < nb_; ++i) W_[static_cast<std::size_t>(j) * nb_ + i] = along(i, x);
    }
    return factors_.factorise(nb_, W_.data());
  }

  // x = A⁻¹y is made the solution; λ is added to `lambda`.
  void constrain(const double* r, double* x, double* lambda) {
    if (nb_ == 0) return;
    for (int j = 0; j < nb_; ++j) change_[j] = r[j] - along(j, x);
    factors_.solve(change_.data());
    for (int j = 0; j < nb_; ++j) {
      lambda[j] += change_[j];
      for (int i = 0; i < nq_; ++i) x[i] += column(j)[i] * change_[j];
    }
  }
  // The same with r = 0 and nobody who asks for λ.
  void constrain(double* x) { constrain(nothing_.data(), x, unasked_.data()); }

  double along(int j, const double* x) const { return column_dot(rows_, H_, nc_ + j, x); }  // of joint row j

 private:
  double* column(int j) { return Y_.data() + static_cast<std::size_t>(j) * static_cast<std::size_t>(nq_); }

  const Pattern& rows_;
  const int nq_, nc_, nb_;
  const double* H_ = nullptr;
  std::vector<double> Y_ = zeros(nq_ * nb_), W_ = zeros(nb_ * nb_), change_ = zeros(nb_), nothing_ = change_,
                      unasked_ = change_;
  SemidefiniteSolve factors_;
};

}  // namespace ricochet
