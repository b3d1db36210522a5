// A sparse matrix as data: a pattern with its values. Models are built from these.
#pragma once

#include <vector>

#include "ricochet/core/pattern.hpp"

namespace ricochet {

struct SparseMatrix {
  Pattern pattern = {};
  std::vector<double> values = {};  // in the pattern's order

  int rows() const { return pattern.rows; }
  int cols() const { return pattern.cols; }
  double at(int row, int col) const;  // 0 where the pattern has no entry
  bool operator==(const SparseMatrix&) const = default;
};

struct Triplet {
  int row = 0, col = 0;
  double value = 0.0;
};

// Entries given more than once are added up.
SparseMatrix sparse_from_triplets(int rows, int cols, std::vector<Triplet> entries);

// Entries outside the first matrix's pattern count as 0 in it, and the other way round.
SparseMatrix add(const SparseMatrix& A, double a, const SparseMatrix& B, double b);

SparseMatrix transposed(const SparseMatrix& A);
bool is_symmetric(const SparseMatrix& A, double tolerance);

}  // namespace ricochet
