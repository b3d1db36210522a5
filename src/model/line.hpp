// What bars and beams have in common: checks of the data, numbers of the unknowns, sums of element matrices.
#pragma once

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "ricochet/model/finite_elements.hpp"

namespace ricochet {

// Products of valid data may still overflow or vanish.
void check_coefficients(double mass, double stiffness);

// Positive finite numbers, at least one element, and not so many that unknowns and entries cannot be counted. Throws
// InputError.
void check(const LineGeometry& geometry);

// A field without matrices: values at the nodes that are not held become unknowns. Values are numbered by node,
// letters[k] names the k-th of a node.
Field number_unknowns(double length, int elements, FieldInterpolation interpolation, const std::string& letters,
                      const std::vector<int>& held);

// Sums c · (matrix of an element) over all elements; values are those of its nodes, row by row.
template <std::size_t size>
SparseMatrix assemble(const Field& field, const double (&element)[size][size], double c) {
  const int shift = static_cast<int>(size / 2);  // values at a node
  std::vector<Triplet> entries;
  entries.reserve(size * size * static_cast<std::size_t>(field.elements));
  for (int e = 0; e < field.elements; ++e)
    for (std::size_t i = 0; i < size; ++i)
      for (std::size_t j = 0; j < size; ++j) {
        const int row = field.place[e * shift + i], col = field.place[e * shift + j];
        if (row >= 0 && col >= 0 && element[i][j] != 0.0) entries.push_back({row, col, c * element[i][j]});
      }
  return sparse_from_triplets(field.size(), field.size(), std::move(entries));
}

}  // namespace ricochet
