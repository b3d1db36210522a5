// A band of few diagonals, row by row: products with it run through memory once, in order, without indices.
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include "ricochet/core/pattern.hpp"

namespace ricochet {

class Diagonals {
 public:
  // False if the pattern has too many diagonals, or too few entries on them: nothing is kept then.
  bool set(const Pattern& pattern, const std::vector<double>& A) {
    constexpr int most = 8;
    const int n = pattern.cols;
    width_ = 0;
    for (int j = 0; j < n; ++j)
      for (int k = pattern.start[j]; k < pattern.start[j + 1]; ++k)
        width_ = std::max(width_, std::abs(pattern.row[k] - j));
    count_ = 2 * width_ + 1;
    values_.clear();
    if (width_ > most || 2.0 * pattern.size() < static_cast<double>(count_) * n) return false;
    values_.assign(static_cast<std::size_t>(count_) * static_cast<std::size_t>(n), 0.0);
    for (int j = 0; j < n; ++j)
      for (int k = pattern.start[j]; k < pattern.start[j + 1]; ++k)
        diagonal(j - pattern.row[k] + width_, n)[pattern.row[k]] = A[static_cast<std::size_t>(k)];
    n_ = n;
    return true;
  }
  bool is_set() const { return !values_.empty(); }
  int width() const { return width_; }  // of the band on each side

  // y_i −= Σ_j A_ij x_j for the rows from `first` on, x and y counted from there; x has its neighbours on both sides, 0
  // beyond the ends. Columns are added in their order, as multiply_add() does.
  void subtract(int first, int rows, const double* x, double* y) const {
    for (int d = 0; d < count_; ++d) {
      const double *A = values_.data() + static_cast<std::size_t>(d) * n_ + first, *at = x + (d - width_);
      for (int i = 0; i < rows; ++i) y[i] -= A[i] * at[i];
    }
  }

 private:
  double* diagonal(int d, int n) { return values_.data() + static_cast<std::size_t>(d) * static_cast<std::size_t>(n); }

  int n_ = 0, width_ = 0, count_ = 0;
  std::vector<double> values_;  // diagonal after diagonal, the lowest first, each by rows
};

}  // namespace ricochet
