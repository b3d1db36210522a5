#include "model/pencil.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "ricochet/core/error.hpp"

namespace ricochet {
namespace {

constexpr double tolerated_asymmetry = 1e-10;

void check_sizes(const SparseMatrix& K, const SparseMatrix& M) {
  if (K.rows() != K.cols() || M.rows() != M.cols() || K.rows() != M.rows())
    throw InputError("", fmt::format("modes need square stiffness and mass of one size, got {} by {} and {} by {}",
                                     K.rows(), K.cols(), M.rows(), M.cols()));
  if (!is_symmetric(K, tolerated_asymmetry)) throw InputError("stiffness", "must be symmetric to have modes");
  if (!is_symmetric(M, tolerated_asymmetry)) throw InputError("mass", "must be symmetric");
}

}  // namespace

Pencil::Pencil(const SparseMatrix& stiffness, const SparseMatrix& mass) : K_(stiffness), M_(mass) {
  check_sizes(K_, M_);
  // M alone on the common pattern, so that one analysis serves every combination of K and M.
  const SparseMatrix alone = add(K_, 0.0, M_, 1.0);
  ldlt_.analyse(alone.pattern);
  constexpr double smallest_pivot = 1e-14;
  if (!factorise(alone, smallest_pivot)) throw InputError("mass", "must be positive definite");
  for (int i = 0; i < size(); ++i) scale_ = std::max(scale_, K_.at(i, i) / M_.at(i, i));
}

bool Pencil::factorise(const SparseMatrix& A, double smallest) {
  if (!ldlt_.factorise(A.values.data()) || ldlt_.negative_pivots() > 0) return false;
  for (int i = 0; i < size(); ++i)
    if (!(ldlt_.pivot(i) > smallest * A.at(i, i))) return false;
  return true;
}

bool Pencil::factorise(double shift, double smallest) {
  shift_ = shift;
  return factorise(add(K_, 1.0, M_, shift), smallest);
}

bool Pencil::is_above(double bound) { return factorise(add(K_, -1.0, M_, bound), 0.0); }

void Pencil::apply(const double* x, double* y) const {
  multiply_mass(x, y);
  ldlt_.solve(y);
}

void Pencil::multiply_mass(const double* x, double* y) const {
  // M is symmetric: its columns are its rows.
  for (int i = 0; i < size(); ++i) y[i] = column_dot(M_.pattern, M_.values.data(), i, x);
}

}  // namespace ricochet
