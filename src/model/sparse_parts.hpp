// Small helpers for the sparse matrices of models.
#pragma once

#include <algorithm>
#include <vector>

#include "ricochet/core/sparse_matrix.hpp"

namespace ricochet {

// Sparse vectors as the columns of a matrix.
template <class Items, class Vector>
SparseMatrix columns(int n, const Items& items, const Vector& vector) {
  std::vector<Triplet> entries;
  for (std::size_t j = 0; j < items.size(); ++j)
    for (const auto& [i, weight] : vector(items[j])) entries.push_back({i, static_cast<int>(j), weight});
  return sparse_from_triplets(n, static_cast<int>(items.size()), std::move(entries));
}

}  // namespace ricochet
