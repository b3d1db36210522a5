// The contact problem of a step: 0 ≤ W P + b ⊥ P ≥ 0 on the active constraints, P = 0 on the others.
// The only place where a scheme hands its matrices to a complementarity solver.
//
// Few constraints: W is dense, set column by column. Many: a ContactSystem, which knows the matrices behind W.
#pragma once

#include <memory>
#include <type_traits>
#include <vector>

#include "ricochet/complementarity/problem.hpp"
#include "ricochet/core/lanes.hpp"
#include "ricochet/core/pattern.hpp"
#include "scheme/contact_system.hpp"

namespace ricochet {

template <class Value>
class ContactProblem {
 public:
  // n: unknowns of the matrix behind W, the gradient's rows or more.
  ContactProblem(int n, const Pattern& gradient, const ComplementaritySettings& settings = {})
      : nc_(gradient.cols), settings_(settings) {
    if (may_be_large && ContactSystem::is_wanted(n, nc_, settings)) {
      large_ = std::make_unique<ContactSystem>(n, gradient, settings);
      return;
    }
    const std::size_t nc = static_cast<std::size_t>(nc_);
    W_.assign(nc * nc, Value(0.0));
    last_P_.assign(nc, Value(0.0));
    settings_.warm_start = true;
    index_.reserve(nc);
  }

  // Where there are many constraints: set() it before anything else, and leave the columns alone.
  bool is_large() const { return may_be_large && large_ != nullptr; }
  ContactSystem& large() const { return *large_; }

  // The impulses that the next problem is begun with.
  const std::vector<Value>& guesses() const { return last_P_; }
  void set_guesses(const std::vector<Value>& guesses, const Mask<Value>& where) {
    for (std::size_t j = 0; j < last_P_.size(); ++j) last_P_[j] = select(where, guesses[j], last_P_[j]);
  }
  void forget(int lane) {
    for (Value& P : last_P_) set_lane(P, lane, 0.0);
  }

  // Column j of W = Hᵀ X, X = M̂⁻¹ H; x is column j of X.
  void set_column(const Pattern& gradient, const Value* H, int j, const Value* x) {
    for (int i = 0; i < nc_; ++i) W_[static_cast<std::size_t>(j) * nc_ + i] = column_dot(gradient, H, i, x);
  }

  // W_ij, if column j has been set; not where there are many.
  const Value& at(int i, int j) const { return W_[static_cast<std::size_t>(j) * nc_ + i]; }

  // (W P)_j; column k of W must have been set wherever P_k is not 0.
  Value row_dot(int j, const Value* P) const {
    if constexpr (may_be_large)
      if (large_) return large_->row_dot(j, P);
    Value sum = 0.0;
    for (int k = 0; k < nc_; ++k) sum += W_[static_cast<std::size_t>(k) * nc_ + j] * P[k];
    return sum;
  }

  // Fills P; false where the problem was not solved.
  Mask<Value> solve(const Mask<Value>* active, const Value* b, Value* P) {
    if constexpr (may_be_large)
      if (large_) [[unlikely]]
        return large_->solve(active, b, P);
    // One contact: P = max(0, −b/W), for all lanes at once. With two or more anywhere, lane by lane.
    int candidates = 0, last = -1;
    for (int j = 0; j < nc_; ++j) {
      P[j] = 0.0;
      if (any(active[j])) {
        ++candidates;
        last = j;
      }
    }
    if (candidates == 0) return true;
    if (candidates == 1) {
      const Value W = W_[static_cast<std::size_t>(last) * nc_ + last];
      P[last] = select(active[last], larger(Value(0.0), -b[last] / W), Value(0.0));
      return (!active[last]) | (W > Value(0.0));
    }
    Mask<Value> solved = true;
    for (int i = 0; i < width<Value>; ++i) set_lane(solved, i, solve_lane(i, active, b, P));
    return solved;
  }

  const ComplementarityResult& last_result() const { return large_ ? large_->last_result() : last_result_; }
  int last_size() const { return large_ ? large_->last_size() : static_cast<int>(index_.size()); }

 private:
  static constexpr bool may_be_large = std::is_same_v<Value, double>;

  bool solve_lane(int l, const Mask<Value>* active, const Value* b, Value* P) {
    index_.clear();
    for (int j = 0; j < nc_; ++j)
      if (lane(active[j], l)) index_.push_back(j);
    const int n = static_cast<int>(index_.size());
    if (n == 0) return true;
    if (n == 1) {
      const int j = index_[0];
      const double W = lane(W_[static_cast<std::size_t>(j) * nc_ + j], l);
      set_lane(P[j], l, larger(0.0, -lane(b[j], l) / W));
      return W > 0.0;
    }
    local_W_.resize(static_cast<std::size_t>(n) * n);
    local_b_.resize(static_cast<std::size_t>(n));
    local_P_.resize(static_cast<std::size_t>(n));
    for (int j = 0; j < n; ++j) {
      local_b_[j] = lane(b[index_[j]], l);
      for (int i = 0; i < n; ++i)
        local_W_[static_cast<std::size_t>(j) * n + i] =
            lane(W_[static_cast<std::size_t>(index_[j]) * nc_ + index_[i]], l);
    }
    // What pushed when the contacts were last solved for is the guess.
    for (int j = 0; j < n; ++j) local_P_[j] = lane(last_P_[index_[j]], l);
    last_result_ =
        ricochet::solve({n, DenseForm{local_W_.data()}, local_b_.data()}, settings_, workspace_, local_P_.data());
    for (int j = 0; j < n; ++j) {
      set_lane(P[index_[j]], l, local_P_[j]);
      set_lane(last_P_[index_[j]], l, local_P_[j]);
    }
    return last_result_.status == ComplementarityStatus::solved;
  }

  int nc_;
  std::vector<Value> W_, last_P_;
  std::vector<int> index_;
  std::vector<double> local_W_, local_b_, local_P_;
  ComplementaritySettings settings_;
  ComplementarityWorkspace workspace_;
  ComplementarityResult last_result_;
  std::unique_ptr<ContactSystem> large_;
};

}  // namespace ricochet
