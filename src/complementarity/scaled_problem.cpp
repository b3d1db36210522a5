#include "complementarity/scaled_problem.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "complementarity/memory.hpp"

namespace ricochet {

void ScaledProblem::set(const ComplementarityProblem& given, const std::vector<double>& scale) {
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

  if (const auto* sparse = std::get_if<SparseForm>(&given.W)) {
    pattern_ = sparse->pattern;
    W_.resize(static_cast<std::size_t>(pattern_->size()));
    for (int j = 0; j < n_; ++j)
      for (int k = pattern_->start[j]; k < pattern_->start[j + 1]; ++k)
        W_[k] = s[pattern_->row[k]] * sparse->values[k] * s[j];
  } else {
    pattern_ = nullptr;
    const double* W = std::get<DenseForm>(given.W).values;
    W_.resize(n * n);
    for (std::size_t j = 0; j < n; ++j)
      for (std::size_t i = 0; i < n; ++i) W_[j * n + i] = s[i] * W[j * n + i] * s[j];
  }

  own_.assign(9 * blocks_.size(), 0.0);
  for (std::size_t k = 0; k < blocks_.size(); ++k) {
    const auto [first, size, cone, bound] = blocks_[k];
    for (int j = 0; j < size; ++j) {
      double* column = own_.data() + 9 * k + static_cast<std::size_t>(j * size);
      if (pattern_ == nullptr) {
        for (int i = 0; i < size; ++i) column[i] = W_[static_cast<std::size_t>(first + j) * n + first + i];
      } else {
        for (int e = pattern_->start[first + j]; e < pattern_->start[first + j + 1]; ++e)
          if (const int i = pattern_->row[e] - first; i >= 0 && i < size) column[i] = W_[e];
      }
    }
  }
}

void ScaledProblem::rates(const double* P, double* U) const {
  std::copy(b_.begin(), b_.end(), U);
  for (int j = 0; j < n_; ++j)
    if (P[j] != 0.0) add_column(j, P[j], U);
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
