// A = L D Lᵀ for sparse symmetric matrices that need no pivoting: positive definite or quasi-definite ones; A = L D R
// for those that are symmetric only in structure. The structure is analysed once; factorise() and solve() then allocate
// nothing.
#pragma once

#include <vector>

#include "core/band_ldlt.hpp"
#include "ricochet/core/linear_solve.hpp"
#include "ricochet/core/pattern.hpp"

namespace ricochet {

class SparseLdlt final : public LinearSolve {
 public:
  enum class Ordering {
    automatic,  // natural where it fills little, as for bands, otherwise minimum degree
    natural,
    minimum_degree,
  };

  // The pattern holds both triangles and the diagonal.
  void analyse(const Pattern& pattern, Ordering ordering = Ordering::automatic);

  // Values in the order of the pattern. False if a pivot is zero or not finite.
  bool factorise(const double* A);

  // The same without symmetry of the values; for a structure analysed with minimum_degree.
  bool factorise_general(const double* A);

  // x := A⁻¹ x
  void solve(double* x) const override;

  int size() const { return n_; }
  bool analysed() const { return analysed_; }
  // Entries of L below the diagonal.
  int factor_size() const { return banded_ ? band_.factor_size() : static_cast<int>(L_.size()); }
  int negative_pivots() const { return banded_ ? band_.negative_pivots() : negative_pivots_; }
  double pivot(int i) const { return banded_ ? band_.pivot(i) : 1.0 / D_inverse_[place_[i]]; }  // of row i
  bool is_natural() const { return identity_; }
  bool is_banded() const { return banded_; }

 private:
  void choose_ordering(const Pattern& pattern, Ordering ordering);
  void permute_upper(const Pattern& pattern);
  template <bool IsSymmetric>
  bool eliminate(const double* A);
  void find_rows();

  int n_ = 0, negative_pivots_ = 0;
  bool analysed_ = false, identity_ = true, banded_ = false;
  BandLdlt band_;                                       // in place of all that follows
  std::vector<int> order_, place_;                      // order_[k]: original index of pivot k; place_ its inverse
  std::vector<int> upper_start_, upper_row_, source_;   // upper triangle of the permuted matrix, and where values are
  std::vector<int> mirror_;                             // where those of the lower triangle are
  std::vector<int> row_start_, row_;                    // row k of L: its columns, ready for elimination
  std::vector<int> column_start_, column_end_, index_;  // columns of L
  std::vector<double> L_, D_inverse_, R_;               // R_: none if it is Lᵀ
  std::vector<double> work_, other_work_;
  mutable std::vector<double> permuted_;
};

}  // namespace ricochet
