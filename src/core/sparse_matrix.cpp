#include "ricochet/core/sparse_matrix.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <string>
#include <tuple>

#include "ricochet/core/error.hpp"

namespace ricochet {
namespace {

void check_places(int rows, int cols, const std::vector<Triplet>& entries) {
  if (rows < 0 || cols < 0) throw InputError("", "a matrix cannot have a negative number of rows or columns");
  for (const Triplet& entry : entries)
    if (entry.row < 0 || entry.row >= rows || entry.col < 0 || entry.col >= cols)
      throw InputError("", "the entry in row " + std::to_string(entry.row) + ", column " + std::to_string(entry.col) +
                               " (counted from 0) lies outside of a " + std::to_string(rows) + " by " +
                               std::to_string(cols) + " matrix");
}

SparseMatrix with_room(int rows, int cols, std::size_t entries) {
  SparseMatrix A{{rows, cols, {0}, {}}, {}};
  A.pattern.start.reserve(static_cast<std::size_t>(cols) + 1);
  A.pattern.row.reserve(entries);
  A.values.reserve(entries);
  return A;
}

void append(SparseMatrix& A, int row, double value) {
  A.pattern.row.push_back(row);
  A.values.push_back(value);
}

void end_column(SparseMatrix& A) { A.pattern.start.push_back(static_cast<int>(A.pattern.row.size())); }

}  // namespace

double SparseMatrix::at(int i, int j) const {
  const auto first = pattern.row.begin() + pattern.start[j], last = pattern.row.begin() + pattern.start[j + 1];
  const auto found = std::lower_bound(first, last, i);
  return found == last || *found != i ? 0.0 : values[static_cast<std::size_t>(found - pattern.row.begin())];
}

SparseMatrix sparse_from_triplets(int rows, int cols, std::vector<Triplet> entries) {
  check_places(rows, cols, entries);
  // A stable sort: entries of one place are added in the order in which they were given.
  std::stable_sort(entries.begin(), entries.end(),
                   [](const Triplet& a, const Triplet& b) { return std::tie(a.col, a.row) < std::tie(b.col, b.row); });
  SparseMatrix A = with_room(rows, cols, entries.size());
  auto entry = entries.begin();
  for (int j = 0; j < cols; ++j) {
    for (int last = -1; entry != entries.end() && entry->col == j; ++entry) {
      if (entry->row == last) {
        A.values.back() += entry->value;
      } else {
        append(A, last = entry->row, entry->value);
      }
    }
    end_column(A);
  }
  return A;
}

SparseMatrix add(const SparseMatrix& A, double a, const SparseMatrix& B, double b) {
  if (A.rows() != B.rows() || A.cols() != B.cols())
    throw InputError("", "matrices that are added must have the same size, got " + std::to_string(A.rows()) + " by " +
                             std::to_string(A.cols()) + " and " + std::to_string(B.rows()) + " by " +
                             std::to_string(B.cols()));
  SparseMatrix sum = with_room(A.rows(), A.cols(), std::max(A.values.size(), B.values.size()));
  for (int j = 0; j < A.cols(); ++j) {
    // Both columns side by side, by ascending row.
    int k = A.pattern.start[j], l = B.pattern.start[j];
    const int k_end = A.pattern.start[j + 1], l_end = B.pattern.start[j + 1];
    while (k < k_end || l < l_end) {
      const int row_a = k < k_end ? A.pattern.row[k] : A.rows(), row_b = l < l_end ? B.pattern.row[l] : B.rows();
      double value = 0.0;
      if (row_a <= row_b) value += a * A.values[k++];
      if (row_b <= row_a) value += b * B.values[l++];
      append(sum, std::min(row_a, row_b), value);
    }
    end_column(sum);
  }
  return sum;
}

SparseMatrix transposed(const SparseMatrix& A) {
  std::vector<Triplet> entries;
  for (int j = 0; j < A.cols(); ++j)
    for (int k = A.pattern.start[j]; k < A.pattern.start[j + 1]; ++k)
      entries.push_back({j, A.pattern.row[k], A.values[k]});
  return sparse_from_triplets(A.cols(), A.rows(), std::move(entries));
}

// Two entries may differ by the tolerance times the largest entry of the matrix.
bool is_symmetric(const SparseMatrix& A, double tolerance) {
  if (A.rows() != A.cols()) return false;
  double largest = 0.0;
  for (const double value : A.values) largest = std::max(largest, std::abs(value));
  for (int j = 0; j < A.cols(); ++j)
    for (int k = A.pattern.start[j]; k < A.pattern.start[j + 1]; ++k)
      if (!(std::abs(A.values[k] - A.at(j, A.pattern.row[k])) <= tolerance * largest)) return false;
  return true;
}

}  // namespace ricochet
