#include "complementarity/scaled_problem.hpp"

#include <algorithm>
#include <cmath>

#include "complementarity/memory.hpp"

namespace ricochet {
void ScaledProblem::set(const ComplementarityProblem& given, const std::vector<double>& scale,
                        const LinearSolve* inner) {
  n_ = given.n;
  const std::size_t n = static_cast<std::size_t>(n_);
  scale_.assign(scale.begin(), scale.begin() + n_);
  const double* s = scale_.data();
  b_.resize(n);
  size_ = 0.0;
  for (int i = 0; i < n_; ++i) {
    b_[i] = given.b[i] * s[i];
    size_ = std::max(size_, std::abs(b_[i]));
  }
  blocks_.clear();
  blocks_.reserve(n);
  for (int i = 0; i < n_; i += blocks_.back().size) blocks_.push_back(scaled_block(given, s, i));

  pattern_ = nullptr;
  schur_ = {};
  inner_ = inner;
  mobility_.clear();
  if (const auto* sparse = std::get_if<SparseForm>(&given.W)) {
    set_sparse(*sparse->pattern, sparse->values, true);
  } else if (const auto* schur = std::get_if<SchurForm>(&given.W)) {
    schur_ = *schur;
    set_sparse(*schur->gradient, schur->H, false);
    x_.resize(static_cast<std::size_t>(schur->gradient->rows));
    if (is_diagonal(*schur->matrix))
      for (int i = 0; i < schur->matrix->cols; ++i) mobility_.push_back(1.0 / schur->A[i]);
  } else {
    const double* W = std::get<DenseForm>(given.W).values;
    W_.resize(n * n);
    for (std::size_t j = 0; j < n; ++j)
      for (std::size_t i = 0; i < n; ++i) W_[j * n + i] = s[i] * W[j * n + i] * s[j];
  }
  set_own();
}

void ScaledProblem::set_sparse(const Pattern& pattern, const double* values, bool scales_rows) {
  pattern_ = &pattern;
  W_.resize(static_cast<std::size_t>(pattern.size()));
  for (int j = 0; j < n_; ++j)
    for (int k = pattern.start[j]; k < pattern.start[j + 1]; ++k)
      W_[k] = (scales_rows ? scale_[pattern.row[k]] : 1.0) * values[k] * scale_[j];
}

void ScaledProblem::set_own() {
  own_.clear();
  if (schur() != nullptr && mobility_.empty()) return;
  own_.resize(9 * blocks_.size());
  const std::size_t n = static_cast<std::size_t>(n_);
  for (std::size_t k = 0; k < blocks_.size(); ++k) {
    const auto [first, size, cone, bound] = blocks_[k];
    for (int j = 0; j < size; ++j) {
      double* column = own_.data() + 9 * k + static_cast<std::size_t>(j * size);
      std::fill(column, column + size, 0.0);
      if (is_dense()) {
        for (int i = 0; i < size; ++i) column[i] = W_[static_cast<std::size_t>(first + j) * n + first + i];
      } else if (schur() == nullptr) {
        for (int e = pattern_->start[first + j]; e < pattern_->start[first + j + 1]; ++e)
          if (const int i = pattern_->row[e] - first; i >= 0 && i < size) column[i] = W_[e];
      } else {
        for (int i = 0; i < size; ++i) column[i] = mobile_product(first + i, first + j);
      }
    }
  }
}

// H_iᵀ M⁻¹ H_j of a diagonal M; rows ascend in both columns.
double ScaledProblem::mobile_product(int i, int j) const {
  const Pattern& H = *pattern_;
  double sum = 0.0;
  for (int k = H.start[i], l = H.start[j]; k < H.start[i + 1] && l < H.start[j + 1];) {
    if (H.row[k] == H.row[l]) sum += W_[k] * W_[l] * mobility_[H.row[k]];
    const int row = H.row[k];
    k += row <= H.row[l];
    l += H.row[l] <= row;
  }
  return sum;
}

void ScaledProblem::rates(const double* P, double* U) {
  if (schur() != nullptr) {
    std::fill(x_.begin(), x_.end(), 0.0);
    multiply_add(*pattern_, W_.data(), P, 1.0, x_.data());
    inner_->solve(x_.data());
    for (int j = 0; j < n_; ++j) U[j] = column_dot(*pattern_, W_.data(), j, x_.data()) + b_[j];
    return;
  }
  multiply(P, U);
  for (int i = 0; i < n_; ++i) U[i] += b_[i];
}

void ScaledProblem::multiply(const double* x, double* y) const {
  std::fill(y, y + n_, 0.0);
  for (int j = 0; j < n_; ++j)
    if (x[j] != 0.0) add_column(j, x[j], y);
}

void ScaledProblem::add_column(int j, double step, double* U) const {
  if (is_dense()) {
    const double* column = W_.data() + static_cast<std::size_t>(j) * static_cast<std::size_t>(n_);
    for (int i = 0; i < n_; ++i) U[i] += step * column[i];
  } else {
    for (int k = pattern_->start[j]; k < pattern_->start[j + 1]; ++k) U[pattern_->row[k]] += step * W_[k];
  }
}

void ScaledProblem::block_rates(const Block& block, const double* U, double* own) const {
  for (int i = 0; i < block.size; ++i) {
    const int j = block.first + i;
    own[i] = schur() == nullptr ? U[j] : column_dot(*pattern_, W_.data(), j, x_.data()) + b_[j];
  }
}

void ScaledProblem::change(int j, double step, double* U) {
  if (schur() == nullptr) return add_column(j, step, U);
  for (int k = pattern_->start[j]; k < pattern_->start[j + 1]; ++k)
    x_[pattern_->row[k]] += step * W_[k] * mobility_[pattern_->row[k]];
}

double ScaledProblem::residual(const double* P, const double* U, double tolerance) const {
  double worst = 0.0, push = 0.0;
  for (const Block& block : blocks_) worst = std::max(worst, block_residual(block, P + block.first, U + block.first));
  for (int i = 0; i < n_; ++i) push = std::max(push, std::abs(P[i]));
  return relative_residual(worst, size_, push, tolerance);
}

void ScaledProblem::to_scaled(const double* given, double* P) const {
  for (int i = 0; i < n_; ++i) P[i] = given[i] / scale_[i];
}
void ScaledProblem::to_given(const double* P, double* given) const {
  for (int i = 0; i < n_; ++i) given[i] = P[i] * scale_[i];
}

}  // namespace ricochet
