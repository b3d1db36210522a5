// Where a matrix may be non-zero. Values live apart from it, in the pattern's order, so that the
// same pattern serves doubles, lanes, small and large systems.
#pragma once

#include <vector>

namespace ricochet {

// Compressed columns: the entries of column j are start[j] … start[j+1]−1, entry k lies in row row[k];
// rows ascend within a column.
struct Pattern {
  int rows = 0, cols = 0;
  std::vector<int> start = {0}, row = {};

  int size() const { return start.back(); }  // number of entries
  // Where the entry of a row and column is among those of the pattern, which has it.
  int place(int i, int j) const;
  bool operator==(const Pattern&) const = default;

  static Pattern dense(int rows, int cols);
  static Pattern empty(int rows, int cols);
};

// The entries are the diagonal, all of it.
bool is_diagonal(const Pattern& pattern);

// Where the entries of a part are among those of a whole that has them all.
std::vector<int> places_in(const Pattern& whole, const Pattern& part);

// A_jj, 0 where the pattern has none.
template <class Value>
Value diagonal_entry(const Pattern& p, const Value* A, int j) {
  for (int k = p.start[j]; k < p.start[j + 1]; ++k)
    if (p.row[k] == j) return A[k];
  return Value(0.0);
}

// y += factor · A x
template <class Value>
[[gnu::always_inline]] inline void multiply_add(const Pattern& p, const Value* A, const Value* x, const Value& factor,
                                                Value* y) {
  for (int j = 0; j < p.cols; ++j) {
    const Value xj = factor * x[j];
    for (int k = p.start[j]; k < p.start[j + 1]; ++k) y[p.row[k]] += A[k] * xj;
  }
}

// (Aᵀ x)_j
template <class Value>
[[gnu::always_inline]] inline Value column_dot(const Pattern& p, const Value* A, int j, const Value* x) {
  Value sum = 0.0;
  for (int k = p.start[j]; k < p.start[j + 1]; ++k) sum += A[k] * x[p.row[k]];
  return sum;
}

// xᵀ A y
template <class Value>
[[gnu::always_inline]] inline Value bilinear(const Pattern& p, const Value* A, const Value* x, const Value* y) {
  Value sum = 0.0;
  for (int j = 0; j < p.cols; ++j) sum += column_dot(p, A, j, x) * y[j];
  return sum;
}

template <class Value>
[[gnu::always_inline]] inline Value dot(int n, const Value* x, const Value* y) {
  Value sum = 0.0;
  for (int i = 0; i < n; ++i) sum += x[i] * y[i];
  return sum;
}

}  // namespace ricochet
