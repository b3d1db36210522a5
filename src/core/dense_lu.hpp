// LU factors of a small dense matrix over doubles or lanes: every lane pivots for itself.
#pragma once

#include <array>
#include <cstddef>
#include <limits>
#include <type_traits>
#include <vector>

#include "core/interrupt.hpp"
#include "core/mask_array.hpp"
#include "ricochet/core/lanes.hpp"
#include "ricochet/core/pattern.hpp"

namespace ricochet {

// Size: the number of rows if the compiler knows it, 0 for any.
template <class Value, int Size = 0>
class DenseLu {
 public:
  // Column-major n × n, to be filled before factorise().
  void resize(int n) {
    n_ = n;
    if constexpr (Size == 0) entries_.resize(static_cast<std::size_t>(n) * n);
    set_zero();
    swaps_.assign(static_cast<std::size_t>(n) * n);
  }
  void set_zero() {
    for (Value& entry : entries_) entry = 0.0;
  }
  Value& operator()(int i, int j) { return entries_[index(i, j)]; }
  int size() const { return Size > 0 ? Size : n_; }

  // The first rows and columns += factor · A.
  void add(const Pattern& pattern, const Value* A, const Value& factor) {
    for (int j = 0; j < pattern.cols; ++j)
      for (int k = pattern.start[j]; k < pattern.start[j + 1]; ++k) (*this)(pattern.row[k], j) += factor * A[k];
  }

  // False where a pivot vanishes or is not finite.
  Mask<Value> factorise() {
    Mask<Value> regular = true;
    any_swap_ = false;
    for (int k = 0; k < size(); ++k) {
      if (size() > large && is_interrupted()) {
        // Whoever solves all the same gets no numbers.
        for (int i = k; i < size(); ++i) (*this)(i, i) = std::numeric_limits<double>::quiet_NaN();
        return false;
      }
      bring_largest_up(k);
      const Value pivot = (*this)(k, k);
      regular = regular & finite(pivot) & (pivot != Value(0.0));
      const Value inverse = Value(1.0) / pivot;
      for (int i = k + 1; i < size(); ++i) (*this)(i, k) *= inverse;
      for (int j = k + 1; j < size(); ++j) {
        const Value above = (*this)(k, j);
        for (int i = k + 1; i < size(); ++i) (*this)(i, j) -= (*this)(i, k) * above;
      }
      (*this)(k, k) = inverse;
    }
    return regular;
  }

  // Of a symmetric matrix, if no rows were swapped, those of LDLᵀ.
  bool swapped() const { return any_swap_; }
  const Value& inverse_pivot(int k) const { return entries_[index(k, k)]; }

  // x := A⁻¹ x
  void solve(Value* x) const {
    if (any_swap_) {
      for (int k = 0; k < size(); ++k)
        for (int i = k + 1; i < size(); ++i) swap_where(swaps_[index(i, k)], x[k], x[i]);
    }
    for (int k = 0; k < size(); ++k)
      for (int i = k + 1; i < size(); ++i) x[i] -= entries_[index(i, k)] * x[k];
    for (int k = size() - 1; k >= 0; --k) {
      x[k] *= entries_[index(k, k)];
      for (int i = 0; i < k; ++i) x[i] -= entries_[index(i, k)] * x[k];
    }
  }

 private:
  static constexpr int large = 200;  // rows, from which on the user may become impatient

  std::size_t index(int i, int j) const { return static_cast<std::size_t>(j) * size() + i; }

  static void swap_where(const Mask<Value>& m, Value& a, Value& b) {
    const Value old = a;
    a = select(m, b, a);
    b = select(m, old, b);
  }

  // Row by row, the larger entry of column k moves into row k; the swaps are kept for solve().
  void bring_largest_up(int k) {
    for (int i = k + 1; i < size(); ++i) {
      const Mask<Value> swap = absolute((*this)(k, k)) < absolute((*this)(i, k));
      swaps_[index(i, k)] = swap;
      if (!any(swap)) continue;
      any_swap_ = true;
      for (int j = 0; j < size(); ++j) swap_where(swap, (*this)(k, j), (*this)(i, j));
    }
  }

  int n_ = 0;
  // L below the diagonal, U above, the inverse pivots on it.
  std::conditional_t<(Size > 0), std::array<Value, static_cast<std::size_t>(Size* Size)>, std::vector<Value>> entries_;
  MaskArray<Value> swaps_;
  bool any_swap_ = false;
};

}  // namespace ricochet
