// What every matrix that comes out of a file must satisfy.
#pragma once

#include <cstddef>

#include "ricochet/core/sparse_matrix.hpp"

namespace ricochet {

// Columns in order, rows ascending within each and inside the matrix, one value an entry.
inline bool holds_together(const SparseMatrix& matrix) {
  const Pattern& p = matrix.pattern;
  if (p.rows < 1 || p.cols < 1 || p.start.size() != static_cast<std::size_t>(p.cols) + 1 || p.start[0] != 0)
    return false;
  if (p.row.size() != matrix.values.size() || p.size() != static_cast<int>(p.row.size())) return false;
  for (int j = 0; j < p.cols; ++j) {
    for (int k = p.start[j]; k < p.start[j + 1]; ++k) {
      const int least = k == p.start[j] ? 0 : p.row[k - 1] + 1;
      if (p.row[k] < least || p.row[k] >= p.rows) return false;
    }
    if (p.start[j + 1] < p.start[j]) return false;
  }
  return true;
}

}  // namespace ricochet
