#include "core/sparse_solve.hpp"

#include <Eigen/OrderingMethods>
#include <Eigen/SparseLU>
#include <cmath>
#include <limits>

namespace ricochet {

struct SparseSolve::Lu {
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
  definite_ = is_symmetric(A) && ldlt_.factorise(A) && ldlt_.negative_pivots() == 0;
  if (definite_) return true;
  for (int k = 0; k < pattern_.size(); ++k)
    if (!std::isfinite(A[k])) return false;

  if (!lu_) {
    lu_ = std::make_unique<Lu>();
    lu_->matrix.resize(pattern_.rows, pattern_.cols);
    lu_->matrix.resizeNonZeros(pattern_.size());
    std::copy(pattern_.start.begin(), pattern_.start.end(), lu_->matrix.outerIndexPtr());
    std::copy(pattern_.row.begin(), pattern_.row.end(), lu_->matrix.innerIndexPtr());
    lu_->x.resize(pattern_.cols);
    std::copy(A, A + pattern_.size(), lu_->matrix.valuePtr());
    lu_->factors.analyzePattern(lu_->matrix);
  }
  std::copy(A, A + pattern_.size(), lu_->matrix.valuePtr());
  lu_->factors.factorize(lu_->matrix);
  return lu_->factors.info() == Eigen::Success;
}

void SparseSolve::solve(double* x) const {
  if (definite_) return ldlt_.solve(x);
  Eigen::Map<Eigen::VectorXd> vector(x, pattern_.cols);
  lu_->x = vector;
  vector = lu_->factors.solve(lu_->x);
}

}  // namespace ricochet
