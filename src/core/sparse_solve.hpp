// A sparse square matrix to solve with, whatever it is: LDLᵀ if it is symmetric and positive definite, otherwise LU
// with pivoting.
#pragma once

#include <memory>
#include <vector>

#include "core/sparse_ldlt.hpp"

namespace ricochet {

class SparseSolve final : public LinearSolve {
 public:
  SparseSolve();
  ~SparseSolve() override;
  SparseSolve(SparseSolve&&) noexcept;
  SparseSolve& operator=(SparseSolve&&) noexcept;

  void analyse(const Pattern& pattern);

  // Values in the order of the pattern. False if the matrix is singular or not finite.
  bool factorise(const double* A);

  // x := A⁻¹ x
  void solve(double* x) const override;

  bool analysed() const { return analysed_; }
  bool is_definite() const { return definite_; }
  const Pattern& pattern() const { return pattern_; }
  double pivot(int i) const { return ldlt_.pivot(i); }  // of row i, if definite

 private:
  struct Lu;
  void find_mirror();
  bool is_symmetric(const double* A) const;

  Pattern pattern_;
  std::vector<int> mirror_;  // where the entry of the other triangle is; empty if it has none
  SparseLdlt ldlt_;
  std::unique_ptr<Lu> lu_;
  bool analysed_ = false, definite_ = false;
};

}  // namespace ricochet
