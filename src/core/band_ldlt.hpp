// A = L D Lᵀ of a symmetric matrix whose entries all lie near the diagonal: contiguous arrays, no indices.
#pragma once

#include <vector>

#include "ricochet/core/pattern.hpp"

namespace ricochet {

class BandLdlt {
 public:
  static constexpr int widest = 8;

  // The largest distance of an entry from the diagonal, and whether a band of that width is small and well filled.
  static int width(const Pattern& pattern);
  static bool suits(const Pattern& pattern);

  // The pattern holds both triangles and the diagonal.
  void analyse(const Pattern& pattern);

  // Values in the order of the pattern. False if a pivot is zero or not finite.
  bool factorise(const double* A);

  // x := A⁻¹ x
  void solve(double* x) const;

  int negative_pivots() const { return negative_pivots_; }
  double pivot(int i) const { return 1.0 / D_inverse_[i]; }
  int factor_size() const { return static_cast<int>(L_.size()); }

 private:
  bool factorise_twisted(const double* A);
  bool factorise_rows(const double* A);
  void solve_twisted(double* x) const;
  template <int Width>
  void solve_rows(double* x) const;
  bool take_pivot(int i, double pivot);

  int n_ = 0, width_ = 0, negative_pivots_ = 0;
  std::vector<int> source_;  // by rows, from the diagonal to the left: where the entry is in the pattern, −1 if nowhere
  std::vector<double> L_;    // by rows, from the entry next to the diagonal to the left; see the source for width 1
  std::vector<double> D_inverse_;
};

}  // namespace ricochet
