// A problem with blocks in the scaled variables of block_law.hpp: W' = D⁻¹ W D⁻¹, dense or sparse by columns, or
// W' = H'ᵀ M⁻¹ H' with H' = H D⁻¹; blocks on its diagonal apart.
#pragma once

#include <vector>

#include "complementarity/block_law.hpp"
#include "ricochet/core/pattern.hpp"

namespace ricochet {

class ScaledProblem {
 public:
  // What the given problem points to must stay. `scale` is D⁻¹, `inner` solves with M where W = Hᵀ M⁻¹ H.
  void set(const ComplementarityProblem& given, const std::vector<double>& scale, const LinearSolve* inner);

  int n() const { return n_; }
  const std::vector<Block>& blocks() const { return blocks_; }
  const double* b() const { return b_.data(); }
  double size() const { return size_; }  // max |b|
  // W of a block with itself, by columns; none where W = Hᵀ M⁻¹ H with an M that is not diagonal.
  const double* own(std::size_t block) const { return own_.empty() ? nullptr : own_.data() + 9 * block; }
  // W, or H if there is an M.
  bool is_dense() const { return pattern_ == nullptr; }
  const Pattern* pattern() const { return pattern_; }
  const double* values() const { return W_.data(); }
  const SchurForm* schur() const { return schur_.gradient != nullptr ? &schur_ : nullptr; }

  // y := W x of a dense or sparse W
  void multiply(const double* x, double* y) const;
  // U := W P + b
  void rates(const double* P, double* U);
  // For single changes of P after rates(): U, or in its place x = M⁻¹ H P, follows.
  bool can_change() const { return !own_.empty(); }
  void block_rates(const Block& block, const double* U, double* own) const;
  void change(int j, double step, double* U);
  // The largest distance from a law, relative to max |b|, where round-off of W P does not count (memory.hpp).
  double residual(const double* P, const double* U, double tolerance) const;

  void to_scaled(const double* given, double* P) const;
  void to_given(const double* P, double* given) const;

 private:
  void set_sparse(const Pattern& pattern, const double* values, bool scales_rows);
  void set_own();
  double mobile_product(int i, int j) const;
  void add_column(int j, double step, double* U) const;

  int n_ = 0;
  double size_ = 0.0;
  const Pattern* pattern_ = nullptr;
  SchurForm schur_;
  const LinearSolve* inner_ = nullptr;
  std::vector<Block> blocks_;
  std::vector<double> scale_, b_, W_, own_, x_, mobility_;  // mobility_: of a diagonal M, 1/M_ii
};

}  // namespace ricochet
