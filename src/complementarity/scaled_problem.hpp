// A problem with blocks in the scaled variables of block_law.hpp: W' = D⁻¹ W D⁻¹, dense or sparse by columns, blocks on
// its diagonal apart.
#pragma once

#include <vector>

#include "complementarity/block_law.hpp"
#include "ricochet/core/pattern.hpp"

namespace ricochet {

class ScaledProblem {
 public:
  // W of the given problem is dense or sparse and must stay. `scale` is D⁻¹.
  void set(const ComplementarityProblem& given, const std::vector<double>& scale);

  int n() const { return n_; }
  const std::vector<Block>& blocks() const { return blocks_; }
  const double* b() const { return b_.data(); }
  double size() const { return size_; }  // max |b|
  // W of a block with itself, by columns.
  const double* own(std::size_t block) const { return own_.data() + 9 * block; }
  const double* dense() const { return pattern_ == nullptr ? W_.data() : nullptr; }
  const Pattern* pattern() const { return pattern_; }
  const double* values() const { return W_.data(); }

  // U := W P + b
  void rates(const double* P, double* U) const;
  // U += step · column j of W
  void add_column(int j, double step, double* U) const {
    if (pattern_ == nullptr) {
      const double* column = W_.data() + static_cast<std::size_t>(j) * static_cast<std::size_t>(n_);
      for (int i = 0; i < n_; ++i) U[i] += step * column[i];
    } else {
      for (int k = pattern_->start[j]; k < pattern_->start[j + 1]; ++k) U[pattern_->row[k]] += step * W_[k];
    }
  }
  // The largest distance from a law, relative to max |b|, where round-off of W P does not count (memory.hpp).
  double residual(const double* P, const double* U, double tolerance) const;

  void to_scaled(const double* given, double* P) const;
  void to_given(const double* P, double* given) const;

 private:
  int n_ = 0;
  double size_ = 0.0;
  const Pattern* pattern_ = nullptr;
  std::vector<Block> blocks_;
  std::vector<double> scale_, b_, W_, own_;
};

}  // namespace ricochet
