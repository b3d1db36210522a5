#include "complementarity/newton_system.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace ricochet {

// Dense: the active rows and columns are packed and factorised with pivoting, so W need not be symmetric.

void DenseSystem::set(int n, const double* W) {
  n_ = n;
  W_ = W;
  rows_.reserve(static_cast<std::size_t>(n));
  packed_.resize(static_cast<std::size_t>(n));
}

void DenseSystem::multiply(const double* x, double* y) {
  std::fill(y, y + n_, 0.0);
  for (int j = 0; j < n_; ++j) {
    if (x[j] == 0.0) continue;
    const double* column = W_ + static_cast<std::size_t>(j) * n_;
    for (int i = 0; i < n_; ++i) y[i] += column[i] * x[j];
  }
}

bool DenseSystem::factorise(const Flags& active, const double* D, double floor) {
  rows_.clear();
  for (int i = 0; i < n_; ++i)
    if (active[i]) rows_.push_back(i);
  const int m = static_cast<int>(rows_.size());
  factors_.resize(m);
  for (int j = 0; j < m; ++j) {
    const double* column = W_ + static_cast<std::size_t>(rows_[j]) * n_;
    for (int i = 0; i < m; ++i) factors_(i, j) = column[rows_[i]];
    factors_(j, j) += floor * column[rows_[j]] + (D != nullptr ? D[rows_[j]] : 0.0);
  }
  return factors_.factorise();
}

void DenseSystem::solve(double* x) {
  const int m = static_cast<int>(rows_.size());
  for (int i = 0; i < m; ++i) packed_[i] = x[rows_[i]];
  factors_.solve(packed_.data());
  std::fill(x, x + n_, 0.0);
  for (int i = 0; i < m; ++i) x[rows_[i]] = packed_[i];
}

// Sparse: rows outside the active set become those of the identity, so the structure is analysed only once.

void SparseSystem::set(const SparseForm& W) {
  const bool same_pattern = W.revision != 0 && W_.revision != 0 && W.pattern == W_.pattern;
  const bool same_values = same_pattern && W.revision == W_.revision && W.values == W_.values;
  W_ = W;
  if (same_values) return;
  factorised_ = false;
  if (factors_.analysed() && (same_pattern || pattern_ == *W.pattern)) return;
  pattern_ = *W.pattern;
  factors_.analyse(pattern_);
  values_.resize(static_cast<std::size_t>(pattern_.size()));
  diagonal_.assign(static_cast<std::size_t>(pattern_.cols), 0);
  for (int j = 0; j < pattern_.cols; ++j)
    for (int k = pattern_.start[j]; k < pattern_.start[j + 1]; ++k)
      if (pattern_.row[k] == j) diagonal_[j] = k;
}

void SparseSystem::multiply(const double* x, double* y) {
  std::fill(y, y + pattern_.rows, 0.0);
  multiply_add(pattern_, W_.values, x, 1.0, y);
}

bool SparseSystem::factorise(const Flags& active, const double* D, double floor) {
  if (factorised_ && D == nullptr && floor == floor_ && active == active_) return true;
  active_ = active;
  floor_ = floor;
  for (int j = 0; j < pattern_.cols; ++j) {
    for (int k = pattern_.start[j]; k < pattern_.start[j + 1]; ++k)
      values_[k] = active[j] && active[pattern_.row[k]] ? W_.values[k] : 0.0;
    double& d = values_[diagonal_[j]];
    d = active[j] ? d * (1.0 + floor) + (D != nullptr ? D[j] : 0.0) : 1.0;
  }
  const bool good = factors_.factorise(values_.data());
  factorised_ = good && D == nullptr;
  return good;
}

void SparseSystem::solve(double* x) {
  for (int i = 0; i < pattern_.cols; ++i)
    if (!active_[i]) x[i] = 0.0;
  factors_.solve(x);
}

// Schur.

void SchurSystem::set(int n, const SchurForm& W) {
  W_ = W;
  n_ = n;
  m_ = W.matrix->cols;
  work_.resize(static_cast<std::size_t>(m_ + n_));
  if (!(matrix_pattern_ == *W.matrix && gradient_pattern_ == *W.gradient)) {
    matrix_pattern_ = *W.matrix;
    gradient_pattern_ = *W.gradient;
    own_ = joint_factors_ = {};
  }
  inner_ = W.factors;
  if (inner_ == nullptr) {
    if (!own_.analysed()) own_.analyse(matrix_pattern_);
    own_.factorise(W.A);
    inner_ = &own_;
  }
  estimate_diagonal();
}

// Only for those who solve: products need no joint matrix.
void SchurSystem::analyse() {
  const Pattern &A = matrix_pattern_, &H = gradient_pattern_;
  // Rows of H, to put Hᵀ below A.
  std::vector<std::vector<std::pair<int, int>>> rows(static_cast<std::size_t>(m_));
  for (int j = 0; j < n_; ++j)
    for (int k = H.start[j]; k < H.start[j + 1]; ++k) rows[H.row[k]].emplace_back(j, k);
  joint_ = {m_ + n_, m_ + n_, {0}, {}};
  from_A_.assign(static_cast<std::size_t>(A.size()), 0);
  from_H_.assign(static_cast<std::size_t>(2 * H.size()), 0);
  from_D_.assign(static_cast<std::size_t>(n_), 0);
  const auto put = [&](int row) {
    joint_.row.push_back(row);
    return static_cast<int>(joint_.row.size()) - 1;
  };
  for (int j = 0; j < m_; ++j) {
    for (int k = A.start[j]; k < A.start[j + 1]; ++k) from_A_[k] = put(A.row[k]);
    for (const auto& [column, k] : rows[j]) from_H_[H.size() + k] = put(m_ + column);
    joint_.start.push_back(static_cast<int>(joint_.row.size()));
  }
  for (int j = 0; j < n_; ++j) {
    for (int k = H.start[j]; k < H.start[j + 1]; ++k) from_H_[k] = put(H.row[k]);
    from_D_[j] = put(m_ + j);
    joint_.start.push_back(static_cast<int>(joint_.row.size()));
  }
  values_.assign(static_cast<std::size_t>(joint_.size()), 0.0);
  joint_factors_.analyse(joint_, SparseLdlt::Ordering::minimum_degree);
}

// W_jj is only needed for scaling: H_jᵀ diag(A)⁻¹ H_j has its size. A column without entries gets 1.
void SchurSystem::estimate_diagonal() {
  const Pattern &A = *W_.matrix, &H = *W_.gradient;
  for (int j = 0; j < m_; ++j) work_[j] = diagonal_entry(A, W_.A, j);
  diagonal_.assign(static_cast<std::size_t>(n_), 0.0);
  for (int j = 0; j < n_; ++j) {
    for (int k = H.start[j]; k < H.start[j + 1]; ++k) diagonal_[j] += W_.H[k] * W_.H[k] / work_[H.row[k]];
    if (diagonal_[j] == 0.0) diagonal_[j] = 1.0;
  }
}

void SchurSystem::multiply(const double* x, double* y) {
  std::fill(work_.begin(), work_.begin() + m_, 0.0);
  multiply_add(*W_.gradient, W_.H, x, 1.0, work_.data());
  inner_->solve(work_.data());
  for (int j = 0; j < n_; ++j) y[j] = column_dot(*W_.gradient, W_.H, j, work_.data());
}

bool SchurSystem::factorise(const Flags& active, const double* D, double floor) {
  // Without pivoting the matrix must stay quasi-definite by a margin; refinement takes its effect away again.
  floor = std::max(floor, 1e-10);
  if (!joint_factors_.analysed()) analyse();
  active_ = active;
  const Pattern& H = *W_.gradient;
  for (std::size_t k = 0; k < from_A_.size(); ++k) values_[from_A_[k]] = W_.A[k];
  for (int j = 0; j < n_; ++j) {
    for (int k = H.start[j]; k < H.start[j + 1]; ++k) {
      const double value = active[j] ? W_.H[k] : 0.0;
      values_[from_H_[k]] = value;
      values_[from_H_[H.size() + k]] = value;
    }
    values_[from_D_[j]] = active[j] ? -(floor * diagonal_[j] + (D != nullptr ? D[j] : 0.0)) : -1.0;
  }
  return joint_factors_.factorise(values_.data());
}

// A y + H x = 0, Hᵀ y − D x = −r  ⟺  (Hᵀ A⁻¹ H + D) x = r
void SchurSystem::solve(double* x) {
  std::fill(work_.begin(), work_.begin() + m_, 0.0);
  for (int j = 0; j < n_; ++j) work_[m_ + j] = active_[j] ? -x[j] : 0.0;
  joint_factors_.solve(work_.data());
  for (int j = 0; j < n_; ++j) x[j] = active_[j] ? work_[m_ + j] : 0.0;
}

}  // namespace ricochet
