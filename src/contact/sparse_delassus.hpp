// Problems with many rows, 0 ≤ W P + b ⊥ P ≥ 0 for contacts and W P + b = 0 for joints with W = Hᵀ X̂ H, where X̂ H
// gives the velocities that impulses cause: neither W nor X̂ H is formed as a whole.
//
//   few may push:                 their part of W, one solve each, kept while the set and the matrices stay
//   X̂ diagonal:                   W sparse, in the pattern of HᵀH
//   X̂⁻¹ sparse and definite:      through [X̂⁻¹ H; Hᵀ 0], as sparse as its parts (SchurForm)
//   anything else:                a dense W of those that may push, up to a limit
#pragma once

#include <cstdint>
#include <vector>

#include "ricochet/complementarity/problem.hpp"
#include "ricochet/core/linear_solve.hpp"
#include "ricochet/core/pattern.hpp"

namespace ricochet {

// How velocities answer to generalised impulses. Everything is the caller's and must stay.
struct ImpulseResponse {
  const LinearSolve* answer = nullptr;  // x := X̂ x
  // X̂⁻¹, if it is sparse, symmetric and positive definite. With two copies X̂ = X̂₁ + X̂₂, and this is the matrix with
  // the blocks X̂₁⁻¹ and X̂₂⁻¹. It may be a neighbour: what counts is `answer`.
  const Pattern* matrix = nullptr;
  const double* A = nullptr;
  int copies = 1;
};

// Any matrix with solve(x), lent.
class LentFactors final : public LinearSolve {
 public:
  template <class Factors>
  void lend(const Factors& factors) {
    factors_ = &factors;
    solve_ = [](const void* any, double* x) { static_cast<const Factors*>(any)->solve(x); };
  }
  void solve(double* x) const override { solve_(factors_, x); }

 private:
  const void* factors_ = nullptr;
  void (*solve_)(const void*, double*) = nullptr;
};

class SparseDelassus {
 public:
  static constexpr int few = 32;            // rows up to which W is kept dense
  static constexpr int most_formed = 2000;  // that may push at once where W must be formed

  // Whether a system of n unknowns and nr rows is treated here.
  static bool is_wanted(int n, int nr, const ComplementaritySettings& settings);

  // cones: one a row, of the form that a problem has; none if all are nonnegative.
  SparseDelassus(int n, const Pattern& gradient, std::vector<Cone> cones, const ComplementaritySettings& settings);
  SparseDelassus(const SparseDelassus&) = delete;
  SparseDelassus& operator=(const SparseDelassus&) = delete;

  // After every change of X̂ or H; both are read when they are needed.
  void set(const ImpulseResponse& response, const double* H);

  // P = 0 outside the active set. False if the problem was not solved. bounds: one a row, for those of friction.
  bool solve(const bool* active, const double* b, double* P, const double* bounds = nullptr);
  // W P = target on the active set, P of either sign.
  bool solve_equalities(const bool* active, const double* target, double* P);

  // X̂ H P, n long; valid until the next call.
  const double* push(const double* P);
  // use(i, W_ij) for the entries of column j that are known not to be zero, or for all of them.
  template <class Use>
  void each_entry(int j, const Use& use) {
    if (!has_sparse_W()) {
      const double* W = column(j);
      for (int i = 0; i < nr_; ++i) use(i, W[i]);
      return;
    }
    form_sparse();
    for (int k = product_.start[j]; k < product_.start[j + 1]; ++k) use(product_.row[k], W_[k]);
  }
  // (W P)_j
  double row_dot(int j, const double* P);
  // W_jj
  double own(int j);

  const ComplementarityResult& last_result() const { return last_result_; }
  int last_contacts() const {
    return static_cast<int>(std::count_if(index_.begin(), index_.end(), [this](int j) { return is_contact(j); }));
  }
  int size() const { return n_; }

 private:
  // The answer of two copies: all of it in the first.
  class Doubled final : public LinearSolve {
   public:
    explicit Doubled(const SparseDelassus& system) : system_(system) {}
    void solve(double* x) const override;

   private:
    const SparseDelassus& system_;
  };

  const Cone* cones() const { return cones_.empty() ? nullptr : cones_.data(); }
  // 0 ≤ U ⊥ P ≥ 0, with friction or without: switched off by a positive b.
  bool is_contact(int j) const {
    return cones_.empty() || cones_[j] == Cone::nonnegative || cones_[j] == Cone::coulomb;
  }
  bool has_sparse_W() const { return diagonal_response_ && product_is_sparse_; }
  bool has_schur() const { return response_.matrix != nullptr && !has_sparse_W(); }
  void find_product();
  void copy_gradient();
  void form_sparse();
  void form_local();
  void gather(const bool* active);
  const double* push_unit(int j);
  const double* column(int j);
  void mask_sparse(const bool* active);
  ComplementarityProblem sparse_problem(const bool* active, const double* b);
  ComplementarityProblem schur_problem(const bool* active, const double* b);
  ComplementarityProblem problem(const bool* active, const double* b);
  bool solve_local(const double* b, double* P);
  bool solve_whole(const bool* active, const double* b, double* P);
  bool keeps_local() const { return static_cast<int>(index_.size()) <= few_; }

  const int n_, nr_;
  const Pattern& gradient_;
  std::vector<Cone> cones_, local_cones_;
  const double* bounds_ = nullptr;
  std::vector<double> local_bounds_;
  ComplementaritySettings settings_;
  const int few_;  // that may push, up to which their part of W is formed
  ImpulseResponse response_;
  const double* H_ = nullptr;
  bool diagonal_response_ = false, product_is_sparse_ = false, product_known_ = false;

  // W in the pattern of HᵀH: entry `target` of every product H_ik X̂_k H_kj, by columns.
  Pattern product_;
  std::vector<int> row_start_, row_column_, row_entry_;  // H by rows
  std::vector<int> target_;
  std::vector<double> W_;
  bool W_formed_ = false;
  std::uint64_t revision_ = 0;  // of W, whole and masked

  // The part of W of those that may push.
  std::vector<int> index_, local_index_, local_of_;
  std::vector<double> local_W_, local_b_, local_P_;
  bool local_formed_ = false;

  // The whole problem with constraints switched off.
  Pattern copied_;
  std::vector<double> masked_W_, masked_H_, scale_, b_, root_;  // root_: √ of the masked diagonal
  std::vector<int> masked_index_;  // those that masked_W_ is of; none: W is another one by now
  Doubled doubled_{*this};

  std::vector<double> last_P_;  // −1 where a contact took no part
  std::vector<double> x_, column_, own_;
  bool own_known_ = false;  // own_ holds those that were asked for, −1 elsewhere
  ComplementarityWorkspace workspace_;
  ComplementarityResult last_result_;
};

}  // namespace ricochet
