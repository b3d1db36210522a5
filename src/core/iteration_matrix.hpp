// The matrix of a step, Σ factor · A over matrices with patterns of their own: dense LU for small systems and lanes,
// sparse factors for large ones.
#pragma once

#include <algorithm>
#include <initializer_list>
#include <type_traits>
#include <utility>
#include <vector>

#include "core/dense_lu.hpp"
#include "core/sparse_solve.hpp"

namespace ricochet {

// Size: the number of rows if the compiler knows it, 0 for any.
template <class Value, int Size = 0>
class IterationMatrix {
 public:
  // n rows; the parts sit in the first rows and columns and must outlive this. `further`: entries outside the parts
  // will be set by (i, j).
  void resize(int n, std::initializer_list<const Pattern*> parts, bool further = false) {
    parts_.assign(parts);
    if constexpr (may_be_sparse) {
      if (n > smallest_sparse && !further && analyse(n)) return;
    }
    dense_.resize(n);
  }

  void set_zero() {
    if (is_sparse()) {
      std::fill(values_.begin(), values_.end(), Value(0.0));
    } else {
      dense_.set_zero();
    }
  }

  // += factor · A, A in the order of the part's pattern.
  void add(int part, const Value* A, const Value& factor) {
    if (is_sparse()) {
      const std::vector<int>& place = places_[part];
      for (std::size_t k = 0; k < place.size(); ++k) values_[place[k]] += factor * A[k];
    } else {
      dense_.add(*parts_[part], A, factor);
    }
  }
  Value& operator()(int i, int j) { return dense_(i, j); }

  // False where the matrix is singular or not finite.
  Mask<Value> factorise() {
    if constexpr (may_be_sparse)
      if (is_sparse()) return sparse_.factorise(values_.data());
    return dense_.factorise();
  }

  // x := A⁻¹ x
  void solve(Value* x) const {
    if constexpr (may_be_sparse)
      if (is_sparse()) return sparse_.solve(x);
    dense_.solve(x);
  }

  bool is_sparse() const { return may_be_sparse && !values_.empty(); }

  const DenseLu<Value, Size>& dense() const { return dense_; }  // its factors, if it is not

  // The matrix itself, if it is sparse.
  const Pattern& pattern() const { return sparse_.pattern(); }
  const Value* values() const { return values_.data(); }
  bool is_definite() const { return is_sparse() && sparse_.is_definite(); }  // and symmetric; after factorise()

 private:
  static constexpr bool may_be_sparse = std::is_same_v<Value, double> && Size == 0;
  static constexpr int smallest_sparse = 16;

  // The union of the parts and their transposes with the diagonal; false if that is nearly full.
  bool analyse(int n) {
    std::vector<std::pair<int, int>> entries;  // column, row
    for (int i = 0; i < n; ++i) entries.emplace_back(i, i);
    for (const Pattern* part : parts_)
      for (int j = 0; j < part->cols; ++j)
        for (int k = part->start[j]; k < part->start[j + 1]; ++k) {
          entries.emplace_back(j, part->row[k]);
          entries.emplace_back(part->row[k], j);
        }
    std::sort(entries.begin(), entries.end());
    entries.erase(std::unique(entries.begin(), entries.end()), entries.end());
    if (static_cast<double>(entries.size()) > 0.25 * n * n) return false;

    Pattern all{n, n, std::vector<int>(static_cast<std::size_t>(n) + 1, 0), {}};
    for (const auto& [column, row] : entries) {
      ++all.start[static_cast<std::size_t>(column) + 1];
      all.row.push_back(row);
    }
    for (std::size_t j = 0; j < static_cast<std::size_t>(n); ++j) all.start[j + 1] += all.start[j];
    places_.clear();
    for (const Pattern* part : parts_) places_.push_back(places_in(all, *part));
    values_.assign(entries.size(), Value(0.0));
    sparse_.analyse(all);
    return true;
  }

  std::vector<const Pattern*> parts_;
  DenseLu<Value, Size> dense_;
  SparseSolve sparse_;
  std::vector<std::vector<int>> places_;  // of each part's entries among the values
  std::vector<Value> values_;             // empty if dense
};

}  // namespace ricochet
