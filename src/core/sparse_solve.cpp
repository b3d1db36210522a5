#include "core/sparse_solve.hpp"

#include <Eigen/OrderingMethods>
#include <Eigen/SparseLU>
#include <algorithm>
#include <cmath>
#include <limits>

namespace ricochet {

// Without symmetry: L D R in the structure of the matrix, which allocates nothing once it is analysed, where no pivots
// are needed, as for matrices of damped motions; otherwise LU with pivoting.
struct SparseSolve::Lu {
  // False if pivots are needed. One solve shows whether it is stable: backward errors of A x = b, b = A w, in each row
  // against its terms; w_i is of the size of x_i where A_ii x_i² is the same for all.
  bool factorise_unpivoted(const Pattern& pattern, const double* A) {
    const int n = pattern.cols;
    if (!general.analysed()) {
      general.analyse(pattern, SparseLdlt::Ordering::minimum_degree);
      b.resize(n), solution.resize(n), terms.resize(n);
    }
    if (!general.factorise_general(A) || general.negative_pivots() > 0) return false;
    for (int j = 0; j < n; ++j)
      for (int k = pattern.start[j]; k < pattern.start[j + 1]; ++k)
        if (pattern.row[k] == j) solution[j] = 1.0 / std::sqrt(std::abs(A[k]));
    std::fill(b.begin(), b.end(), 0.0);
    multiply_add(pattern, A, solution.data(), 1.0, b.data());
    std::copy(b.begin(), b.end(), solution.begin());
    general.solve(solution.data());
    std::fill(terms.begin(), terms.end(), 0.0);
    for (int j = 0; j < n; ++j)
      for (int k = pattern.start[j]; k < pattern.start[j + 1]; ++k) {
        const double term = A[k] * solution[j];
        b[pattern.row[k]] -= term;
        terms[pattern.row[k]] += std::abs(term);
      }
    constexpr double backward_error = 1e-10;
    for (int i = 0; i < n; ++i)
      if (!(std::abs(b[i]) <= backward_error * terms[i])) return false;
    return true;
  }

  bool factorise_pivoted(const Pattern& pattern, const double* A) {
    for (int k = 0; k < pattern.size(); ++k)
      if (!std::isfinite(A[k])) return false;
    if (matrix.cols() == 0) {
      matrix.resize(pattern.rows, pattern.cols);
      matrix.resizeNonZeros(pattern.size());
      std::copy(pattern.start.begin(), pattern.start.end(), matrix.outerIndexPtr());
      std::copy(pattern.row.begin(), pattern.row.end(), matrix.innerIndexPtr());
      x.resize(pattern.cols);
      std::copy(A, A + pattern.size(), matrix.valuePtr());
      factors.analyzePattern(matrix);
    }
    std::copy(A, A + pattern.size(), matrix.valuePtr());
    factors.factorize(matrix);
    return factors.info() == Eigen::Success;
  }

  bool unpivoted = false;
  SparseLdlt general;
  std::vector<double> b, solution, terms;
  Eigen::SparseMatrix<double> matrix;
  Eigen::SparseLU<Eigen::SparseMatrix<double>, Eigen::COLAMDOrdering<int>> factors;
  mutable Eigen::VectorXd x;
};

SparseSolve::SparseSolve() = default;
SparseSolve::~SparseSolve() = default;
SparseSolve::SparseSolve(SparseSolve&&) noexcept = default;
SparseSolve& SparseSolve::operator=(SparseSolve&&) noexcept = default;

void SparseSolve::analyse(const Pattern& pattern) {
  pattern_ = pattern;
  analysed_ = true;
  lu_.reset();
  find_mirror();
  if (!mirror_.empty()) ldlt_.analyse(pattern);
}

// Columns ascend while j grows, so the entries (j, i) of column i are met in order. Empty if the pattern is not
// symmetric or lacks a diagonal entry.
void SparseSolve::find_mirror() {
  mirror_.assign(pattern_.size(), -1);
  std::vector<int> next(pattern_.start.begin(), pattern_.start.end() - 1);
  int diagonal = 0;
  for (int j = 0; j < pattern_.cols; ++j)
    for (int k = pattern_.start[j]; k < pattern_.start[j + 1]; ++k) {
      const int i = pattern_.row[k], other = next[i]++;
      if (other >= pattern_.start[i + 1] || pattern_.row[other] != j) return mirror_.clear();
      mirror_[k] = other;
      diagonal += i == j;
    }
  if (diagonal != pattern_.cols) mirror_.clear();
}

bool SparseSolve::is_symmetric(const double* A) const {
  if (mirror_.empty()) return false;
  constexpr double round_off = 4.0 * std::numeric_limits<double>::epsilon();
  for (std::size_t k = 0; k < mirror_.size(); ++k) {
    const double other = A[mirror_[k]];
    if (!(std::abs(A[k] - other) <= round_off * (std::abs(A[k]) + std::abs(other)))) return false;
  }
  return true;
}

bool SparseSolve::factorise(const double* A) {
  if (pattern_.cols == 0) return true;  // which the factors below do not take
  const bool symmetric = is_symmetric(A);
  definite_ = symmetric && ldlt_.factorise(A) && ldlt_.negative_pivots() == 0;
  if (definite_) return true;
  if (!lu_) lu_ = std::make_unique<Lu>();
  lu_->unpivoted = !symmetric && !mirror_.empty() && lu_->factorise_unpivoted(pattern_, A);
  return lu_->unpivoted || lu_->factorise_pivoted(pattern_, A);
}

void SparseSolve::solve(double* x) const {
  if (pattern_.cols == 0) return;
  if (definite_) return ldlt_.solve(x);
  if (lu_->unpivoted) return lu_->general.solve(x);
  Eigen::Map<Eigen::VectorXd> vector(x, pattern_.cols);
  lu_->x = vector;
  vector = lu_->factors.solve(lu_->x);
}

}  // namespace ricochet
