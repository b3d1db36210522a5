// Whether a matrix is symmetric and positive definite.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <type_traits>
#include <vector>

#include "core/sparse_solve.hpp"
#include "ricochet/core/lanes.hpp"

namespace ricochet {

// LDLᵀ without pivoting decides, on a matrix with both triangles and the diagonal in its pattern: every pivot must be
// positive against its diagonal entry. One object tests matrices of one pattern. Size: the number of rows if the
// compiler knows it, 0 for any.
template <class Value, int Size = 0>
class DefinitenessTest {
 public:
  Mask<Value> operator()(const Pattern& pattern, const Value* A) {
    if constexpr (std::is_same_v<Value, double> && Size == 0) {
      constexpr int smallest_sparse = 16;
      if (pattern.rows > smallest_sparse && pattern.size() <= 0.25 * pattern.rows * pattern.rows)
        return is_definite_sparse(pattern, A);
    }
    return is_definite_dense(pattern, A);
  }

 private:
  // A pivot that elimination has taken down to round-off of A_kk counts as zero.
  static constexpr double smallest_pivot = 1e-14;

  bool is_definite_sparse(const Pattern& pattern, const double* A) {
    if (!sparse_.analysed()) sparse_.analyse(pattern);
    if (!sparse_.factorise(A) || !sparse_.is_definite()) return false;
    for (int k = 0; k < pattern.rows; ++k)
      if (!(sparse_.pivot(k) > smallest_pivot * std::abs(diagonal_entry(pattern, A, k)))) return false;
    return true;
  }

  Mask<Value> is_definite_dense(const Pattern& pattern, const Value* A) {
    const int n = Size > 0 ? Size : pattern.rows;
    if constexpr (Size == 0) work_.resize(static_cast<std::size_t>(n) * n);
    std::fill(work_.begin(), work_.end(), Value(0.0));
    const auto at = [&](int i, int j) -> Value& { return work_[static_cast<std::size_t>(j) * n + i]; };
    for (int j = 0; j < n; ++j)
      for (int k = pattern.start[j]; k < pattern.start[j + 1]; ++k) at(pattern.row[k], j) = A[k];
    Mask<Value> definite = true;
    for (int j = 0; j < n; ++j)
      for (int i = j + 1; i < n; ++i)
        definite =
            definite & (absolute(at(i, j) - at(j, i)) <= Value(1e-10) * (absolute(at(i, j)) + absolute(at(j, i))));
    for (int k = 0; k < n; ++k) {
      const Value pivot = at(k, k);
      for (int j = k + 1; j < n; ++j) {
        const Value factor = at(j, k) / pivot;
        for (int i = j; i < n; ++i) at(i, j) -= at(i, k) * factor;
      }
      definite = definite & (pivot > Value(smallest_pivot) * absolute(diagonal_entry(pattern, A, k))) & finite(pivot);
    }
    return definite;
  }

  std::conditional_t<(Size > 0), std::array<Value, static_cast<std::size_t>(Size) * Size>, std::vector<Value>> work_;
  SparseSolve sparse_;
};

}  // namespace ricochet
