// The pair (K, M) of an eigenvalue problem K φ = λ M φ, shifted and factorised.
#pragma once

#include "core/sparse_ldlt.hpp"
#include "ricochet/core/sparse_matrix.hpp"

namespace ricochet {

class Pencil {
 public:
  // Throws unless K and M are symmetric, of one size, and M is positive definite.
  Pencil(const SparseMatrix& stiffness, const SparseMatrix& mass);

  int size() const { return K_.cols(); }
  const SparseMatrix& stiffness() const { return K_; }
  const SparseMatrix& mass() const { return M_; }

  // max K_ii/M_ii: not above the largest λ, and of its size.
  double scale() const { return scale_; }

  // Factorises K + shift·M. False unless it is positive definite, with no pivot below `smallest` of its diagonal entry.
  bool factorise(double shift, double smallest);

  // Whether bound·M − K is positive definite: whether bound lies above all λ.
  bool is_above(double bound);

  double shift() const { return shift_; }

  // y = (K + shift·M)⁻¹ M x
  void apply(const double* x, double* y) const;

  // y = M x
  void multiply_mass(const double* x, double* y) const;

 private:
  bool factorise(const SparseMatrix& A, double smallest);

  const SparseMatrix &K_, &M_;
  SparseLdlt ldlt_;
  double shift_ = 0.0, scale_ = 0.0;
};

}  // namespace ricochet
