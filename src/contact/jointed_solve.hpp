// Systems with joints: A x = y + H_B λ, H_Bᵀx = r, for the factors of a matrix A that may be unsymmetric. By the
// columns Y = A⁻¹H_B and W = H_BᵀY; where joints are redundant, the λ of least norm. Many rows on a symmetric matrix:
// by a Delassus, which keeps W sparse.
#pragma once

#include <memory>
#include <vector>

#include "contact/delassus.hpp"
#include "core/mask_array.hpp"
#include "core/semidefinite_solve.hpp"
#include "core/zeros.hpp"
#include "ricochet/model/model.hpp"

namespace ricochet {

class JointedSolve {
 public:
  explicit JointedSolve(const Layout& layout)
      : rows_(layout.rows), nq_(layout.nq()), nc_(layout.nc()), nb_(layout.nb()) {
    if (nb_ <= SparseDelassus::few) return;
    sparse_ = std::make_unique<Delassus<double>>(nq_, layout);
    if (!sparse_->is_large()) sparse_.reset();
    for (int j = nc_; j < nc_ + nb_; ++j) held_[j] = true;
  }

  // H of all rows; both must stay. False if W has no factors.
  template <class Factors>
  bool set(const Factors& A, const double* H) {
    H_ = H;
    if (nb_ == 0) return true;
    is_sparse_ = sparse_ != nullptr && A.is_definite();
    if (is_sparse_) {
      sparse_->set(A, H, held_.data());
      return true;
    }
    if (W_.empty()) Y_ = zeros(nq_ * nb_), W_ = zeros(nb_ * nb_), factors_.reserve(nb_);
    for (int j = 0; j < nb_; ++j) {
      double* x = column(j);
      for (int i = 0; i < nq_; ++i) x[i] = 0.0;
      for (int k = rows_.start[nc_ + j]; k < rows_.start[nc_ + j + 1]; ++k) x[rows_.row[k]] = H[k];
      A.solve(x);
      for (int i = 0; i < nb_; ++i) W_[static_cast<std::size_t>(j) * nb_ + i] = along(i, x);
    }
    return factors_.factorise(nb_, W_.data());
  }

  // x = A⁻¹y is made the solution; λ is added to `lambda`. False if W has no factors.
  bool constrain(const double* r, double* x, double* lambda) {
    if (nb_ == 0) return true;
    if (is_sparse_) return constrain_sparse(r, x, lambda);
    for (int j = 0; j < nb_; ++j) change_[j] = r[j] - along(j, x);
    factors_.solve(change_.data());
    for (int j = 0; j < nb_; ++j) {
      lambda[j] += change_[j];
      for (int i = 0; i < nq_; ++i) x[i] += column(j)[i] * change_[j];
    }
    return true;
  }
  // The same with r = 0 and nobody who asks for λ.
  void constrain(double* x) { constrain(nothing_.data(), x, unasked_.data()); }

  double along(int j, const double* x) const { return column_dot(rows_, H_, nc_ + j, x); }  // of joint row j

 private:
  bool constrain_sparse(const double* r, double* x, double* lambda) {
    for (int j = 0; j < nb_; ++j) target_[nc_ + j] = r[j] - along(j, x);
    if (!sparse_->solve_equalities(held_.data(), target_.data(), P_.data())) return false;
    for (int j = 0; j < nb_; ++j) lambda[j] += P_[nc_ + j];
    sparse_->add_push(P_.data(), x);
    return true;
  }
  double* column(int j) { return Y_.data() + static_cast<std::size_t>(j) * static_cast<std::size_t>(nq_); }

  const Pattern& rows_;
  const int nq_, nc_, nb_;
  const double* H_ = nullptr;
  std::vector<double> Y_, W_, change_ = zeros(nb_), nothing_ = change_, unasked_ = change_;
  SemidefiniteSolve factors_;
  bool is_sparse_ = false;
  std::unique_ptr<Delassus<double>> sparse_;
  MaskArray<double> held_{nc_ + nb_};
  std::vector<double> target_ = zeros(nc_ + nb_), P_ = target_;
};

}  // namespace ricochet
