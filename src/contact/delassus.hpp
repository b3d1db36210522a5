// The Delassus matrix W = Gᵀ X̂ H, where X̂ H P are the velocities that impulses P cause and Gᵀ measures the rates, and
// the problem on it: 0 ≤ W P + b ⊥ P ≥ 0 on the active contacts, W P + b = 0 on the active rows of joints, P = 0 on the
// others; with slips Coulomb's law on each contact that has friction, and dry friction. G = H, unless a scheme measures
// rates elsewhere than where the impulses act. The only place that hands matrices to a complementarity solver.
//
// Few rows: X̂ H and W are dense, set column by column. Many: a SparseDelassus, which knows the matrices behind W and
// takes G = H always: (G − H)ᵀv then belongs into b.
#pragma once

#include <algorithm>
#include <cmath>
#include <memory>
#include <type_traits>
#include <vector>

#include "complementarity/planar_contact.hpp"
#include "contact/block_order.hpp"
#include "contact/sparse_delassus.hpp"
#include "core/semidefinite_solve.hpp"
#include "core/shape.hpp"
#include "ricochet/complementarity/problem.hpp"
#include "ricochet/contact/hard_problems.hpp"
#include "ricochet/core/lanes.hpp"
#include "ricochet/model/model.hpp"

namespace ricochet {

// Which rows a problem has: those of contacts and joints, or the slips too.
enum class ContactRows { without_slips, with_slips };

// What a problem came to, for those who have to tell of it.
struct ContactProblemEnd {
  ComplementarityResult result;
  int contacts = 0;
  bool is_large = false;
  int single_contact = -1;  // of a problem that was not solved, where it had only one: its W is not positive
  double diagonal = 0.0;    // that W
  std::vector<int> first_contacts = {};
};

template <class Value, class Shape = AnyShape>
class Delassus {
 public:
  // n: unknowns of the matrix behind W, the coordinates or more; answers ≥ n: of what its factors answer for few.
  Delassus(int n, const Layout& layout, const ComplementaritySettings& settings = {}, int answers = 0,
           ContactRows rows = ContactRows::without_slips)
      : n_(answers > n ? answers : n),
        nc_(layout.nc()),
        held_(nc_ + layout.nb()),
        nr_(rows == ContactRows::with_slips ? layout.rows.cols : int{held_}),
        gradient_(layout.rows),
        places_(places_of_rows(layout, nr_ > held_)),
        settings_(settings) {
    is_planar_ = nr_ == 2 && nc_ == 1 && places_[0].friction >= 0;
    if (may_be_large && SparseDelassus::is_wanted(n, nr_, settings)) {
      order_ = std::make_unique<BlockOrder>(layout, nr_ > held_);
      large_ = std::make_unique<SparseDelassus>(n, order_->gradient(), order_->cones(), settings);
      return;
    }
    const std::size_t nr = static_cast<std::size_t>(nr_);
    W_.assign(nr * nr, Value(0.0));
    X_.assign(static_cast<std::size_t>(n_) * nr, Value(0.0));
    last_P_.assign(nr, Value(0.0));
    settings_.warm_start = true;
    index_.reserve(nr);
    local_W_.reserve(nr * nr);
    local_b_.reserve(nr);
    local_P_.reserve(nr);
    cones_.reserve(nr);
    local_bounds_.reserve(nr);
    equalities_.reserve(nr_);
    joint_rates_.assign(nr, 0.0);
  }

  bool is_large() const { return may_be_large && large_ != nullptr; }

  // X̂ = A⁻¹, A by its factors: `which` says whose columns are needed. Everything is the caller's and must stay.
  template <class Factors>
  void set(const Factors& A, const Value* H, const Mask<Value>* which) {
    set(A, H, H, which);
  }
  template <class Factors>
  void set(const Factors& A, const Value* G, const Value* H, const Mask<Value>* which) {
    if constexpr (may_be_large)
      if (large_) [[unlikely]]
        return set_large(A, H);
    for (int j = 0; j < nr_; ++j)
      if (any(which[j])) set_column(A, G, H, j);
  }
  template <class Factors>
  void set_column(const Factors& A, const Value* G, const Value* H, int j) {
    Value* x = column(j);
    for (int i = 0; i < n_; ++i) x[i] = 0.0;
    for (int k = gradient_.start[j]; k < gradient_.start[j + 1]; ++k) x[gradient_.row[k]] = H[k];
    A.solve(x);
    set_column(G, j);
  }
  // Any other X̂, for many constraints.
  void set(const ImpulseResponse& response, const double* H) { large_->set(response, order_->gradients(H)); }

  // x += X̂ H P
  void add_push(const Value* P, Value* x) {
    if constexpr (may_be_large)
      if (large_) [[unlikely]] {
        const double* push = large_->push(order_->impulses(P));
        for (int i = 0; i < large_->size(); ++i) x[i] += push[i];
        return;
      }
    for (int j = 0; j < nr_; ++j)
      if (any(P[j] != Value(0.0)))
        for (int i = 0; i < n_; ++i) x[i] += column(j)[i] * P[j];
  }

  // The impulses that the next problem is begun with.
  std::vector<Value> guesses() const { return {last_P_.begin(), last_P_.end()}; }
  void set_guesses(const std::vector<Value>& guesses, const Mask<Value>& where) {
    for (std::size_t j = 0; j < last_P_.size(); ++j) last_P_[j] = select(where, guesses[j], last_P_[j]);
  }
  void forget(int lane) {
    for (Value& P : last_P_) set_lane(P, lane, 0.0);
  }

  // Few constraints: column j of X̂ H, to be read or set, …
  Value* column(int j) { return X_.data() + static_cast<std::size_t>(j) * static_cast<std::size_t>(n_); }
  // … and with it column j of W; row j, where G_j is another one than before.
  void set_column(const Value* G, int j) {
    const Value* x = column(j);
    for (int i = 0; i < nr_; ++i) W_[static_cast<std::size_t>(j) * nr_ + i] = column_dot(gradient_, G, i, x);
  }
  void set_row(const Value* G, int j) {
    for (int i = 0; i < nr_; ++i) W_[static_cast<std::size_t>(i) * nr_ + j] = column_dot(gradient_, G, j, column(i));
  }

  // W_jj, if column j has been set.
  Value diagonal(int j) const {
    if constexpr (may_be_large)
      if (large_) return large_->own(order_->place(j));
    return W_[static_cast<std::size_t>(j) * nr_ + j];
  }
  // use(i, W_ij) for the entries of column j that may differ from 0.
  template <class Use>
  void each_entry(int j, const Use& use) const {
    if constexpr (may_be_large)
      if (large_) return large_->each_entry(order_->place(j), [&](int i, double W) { use(order_->row(i), W); });
    for (int i = 0; i < nr_; ++i) use(i, W_[static_cast<std::size_t>(j) * nr_ + i]);
  }

  // (W P)_j; column k of W must have been set wherever P_k is not 0.
  Value row_dot(int j, const Value* P) const {
    if constexpr (may_be_large)
      if (large_) return large_->row_dot(order_->place(j), order_->impulses(P));
    Value sum = 0.0;
    for (int k = 0; k < nr_; ++k) sum += W_[static_cast<std::size_t>(k) * nr_ + j] * P[k];
    return sum;
  }

  // Fills P; false where the problem was not solved. bounds: of problems with slips, one a friction: μ, or a limit.
  Mask<Value> solve(const Mask<Value>* active, const Value* b, Value* P, const Value* bounds = nullptr) {
    if constexpr (may_be_large)
      if (settings_.hardest != nullptr) [[unlikely]]
        return solve_and_keep(active, b, P, bounds);
    return find(active, b, P, bounds);
  }

  // W P = target on those held, P of either sign; where they are redundant the P of least norm. False if W cannot be
  // factorised.
  bool solve_equalities(const bool* held, const double* target, double* P) {
    if (large_) {
      const bool good = large_->solve_equalities(order_->mask(held), order_->rates(target), order_->solution(P));
      order_->return_solution(P);
      return good;
    }
    index_.clear();
    for (int j = 0; j < nr_; ++j)
      if (held[j]) index_.push_back(j);
    const int n = static_cast<int>(index_.size());
    for (int j = 0; j < nr_; ++j) P[j] = 0.0;
    if (n == 0) return true;
    if (n == 1) return solve_equality(index_[0], target, P);
    take_local_W(0);
    if (!equalities_.factorise(n, local_W_.data())) return false;
    for (int i = 0; i < n; ++i) local_P_[i] = target[index_[i]];
    equalities_.solve(local_P_.data());
    for (int i = 0; i < n; ++i) P[index_[i]] = local_P_[i];
    return true;
  }

  const ComplementarityResult& last_result() const { return large_ ? large_->last_result() : last_result_; }
  int last_contacts() const {
    if (large_) return large_->last_contacts();
    return static_cast<int>(std::count_if(index_.begin(), index_.end(), [this](int j) { return j < nc_; }));
  }
  ContactProblemEnd last_end() const {
    const int single = !large_ && index_.size() == 1 ? index_[0] : -1;
    std::vector<int> first;
    for (std::size_t k = 0; !large_ && k < index_.size() && first.size() < 3; ++k)
      if (index_[k] < nc_) first.push_back(index_[k]);
    return {last_result(), last_contacts(), is_large(), single, single < 0 ? 0.0 : diagonal(single), std::move(first)};
  }

 private:
  static constexpr bool may_be_large = std::is_same_v<Value, double> && !Shape::is_constant;

  Mask<Value> find(const Mask<Value>* active, const Value* b, Value* P, const Value* bounds) {
    if constexpr (may_be_large)
      if (large_) [[unlikely]]
        return solve_large(active, b, P, bounds);
    if (nr_ > held_ && is_planar_) return solve_planar(active, b, P, bounds);
    // One contact: P = max(0, −b/W), for all lanes at once. With joints, or two or more anywhere, lane by lane.
    int candidates = nr_ > nc_ ? 2 : 0, last = -1;
    for (int j = 0; j < nr_; ++j) {
      P[j] = 0.0;
      if (any(active[j])) {
        ++candidates;
        last = j;
      }
    }
    if (candidates == 0) return true;
    if (candidates == 1) {
      const Value W = W_[static_cast<std::size_t>(last) * nr_ + last];
      P[last] = select(active[last], larger(Value(0.0), -b[last] / W), Value(0.0));
      const Mask<Value> solved = (!active[last]) | (W > Value(0.0));
      if (!all(solved)) [[unlikely]]
        index_.assign(1, last);
      return solved;
    }
    Mask<Value> solved = true;
    for (int i = 0; i < width<Value>; ++i) set_lane(solved, i, solve_lane(i, active, b, P, bounds));
    return solved;
  }

  // One that is solved when a run keeps its hardest problems.
  [[gnu::noinline]] bool solve_and_keep(const bool* active, const double* b, double* P, const double* bounds) {
    last_result_ = {};  // closed forms say nothing
    const bool solved = find(active, b, P, bounds);
    ComplementarityResult result = last_result();
    if (!solved && result.status == ComplementarityStatus::solved) result.status = ComplementarityStatus::no_solution;
    if (!settings_.hardest->wants(result)) return solved;
    std::vector<int> before = index_;
    gather(active, 0);
    std::swap(before, index_);
    take_cones(active, bounds, 0);
    if (std::all_of(cones_.begin(), cones_.end(), [](Cone cone) { return cone == Cone::free; })) return solved;
    HardProblems::Entry& entry = settings_.hardest->add(result);
    entry.cones = cones_;
    entry.bounds = local_bounds_;
    std::vector<int> place(static_cast<std::size_t>(nr_), -1);
    for (std::size_t k = 0; k < before.size(); ++k) {
      place[before[k]] = static_cast<int>(k);
      entry.b.push_back(b[before[k]]);
      entry.P.push_back(P[before[k]]);
    }
    for (std::size_t k = 0; k < before.size(); ++k)
      each_entry(before[k], [&](int i, double W) {
        if (place[i] < 0 || W == 0.0) return;
        entry.row.push_back(place[i]);
        entry.col.push_back(static_cast<int>(k));
        entry.W.push_back(W);
      });
    return solved;
  }

  // Those that take part, block after block, their cones and their part of W.
  void gather(const Mask<Value>* active, int l) {
    index_.clear();
    for (const RowPlace& place : places_)
      if (lane(active[place.leader], l)) index_.push_back(place.row);
  }
  const Cone* take_cones(const Mask<Value>* active, const Value* bounds, int l) {
    cones_.clear();
    local_bounds_.clear();
    for (const RowPlace& place : places_) {
      if (!lane(active[place.leader], l)) continue;
      cones_.push_back(place.cone);
      local_bounds_.push_back(place.friction < 0 ? 0.0 : lane(bounds[place.friction], l));
    }
    return cones_.data();
  }
  void take_local_W(int l) {
    const std::size_t n = index_.size();
    local_W_.resize(n * n);
    local_b_.resize(n);
    local_P_.resize(n);
    for (std::size_t j = 0; j < n; ++j)
      for (std::size_t i = 0; i < n; ++i)
        local_W_[j * n + i] = lane(W_[static_cast<std::size_t>(index_[j]) * nr_ + index_[i]], l);
  }

  // One contact in the plane and nothing else, for all lanes at once.
  Mask<Value> solve_planar(const Mask<Value>* active, const Value* b, Value* P, const Value* bounds) {
    P[0] = P[1] = 0.0;
    if (!any(active[0])) return true;
    const PlanarImpulse<Value> impulse = solve_planar_contact(W_[0], W_[2], W_[1], W_[3], b[0], b[1], bounds[0]);
    P[0] = select(active[0], impulse.N, Value(0.0));
    P[1] = select(active[0], impulse.T, Value(0.0));
    const Mask<Value> solved = (!active[0]) | ((W_[0] > Value(0.0)) & finite(impulse.N + impulse.T));
    if (!all(solved)) [[unlikely]]
      index_.assign(1, 0);
    return solved;
  }
  // Not a part of each step into which a problem of one contact is inlined.
  [[gnu::noinline]] bool solve_lane(int l, const Mask<Value>* active, const Value* b, Value* P, const Value* bounds) {
    gather(active, l);
    const int n = static_cast<int>(index_.size());
    if (n == 0) return true;
    if (n == 1 && index_[0] < nc_) {
      const int j = index_[0];
      const double W = lane(W_[static_cast<std::size_t>(j) * nr_ + j], l);
      set_lane(P[j], l, larger(0.0, -lane(b[j], l) / W));
      return W > 0.0;
    }
    take_local_W(l);
    for (int j = 0; j < n; ++j) local_b_[j] = lane(b[index_[j]], l);
    if (index_[0] >= nc_ && index_.back() < held_) {
      last_result_ = solve_joints(n);
    } else {
      // What pushed when the contacts were last solved for is the guess.
      for (int j = 0; j < n; ++j) local_P_[j] = lane(last_P_[index_[j]], l);
      const bool plain = nr_ == held_ && index_.back() < nc_;
      const Cone* cones = plain ? nullptr : take_cones(active, bounds, l);
      last_result_ = ricochet::solve({n, DenseForm{local_W_.data()}, local_b_.data(), cones, local_bounds_.data()},
                                     settings_, workspace_, local_P_.data());
    }
    for (int j = 0; j < n; ++j) {
      set_lane(P[index_[j]], l, local_P_[j]);
      set_lane(last_P_[index_[j]], l, local_P_[j]);
    }
    return last_result_.status == ComplementarityStatus::solved;
  }

  // What SemidefiniteSolve does with one row.
  bool solve_equality(int j, const double* target, double* P) const {
    const double W = W_[static_cast<std::size_t>(j) * nr_ + j];
    P[j] = W > 0.0 ? target[j] / W : 0.0;
    return W >= 0.0 && std::isfinite(W);
  }

  // Nothing but joints: W P = −b, refined once. Where they have become dependent, b must still be one that some P
  // answers.
  ComplementarityResult solve_joints(int n) {
    using Status = ComplementarityStatus;
    constexpr double tolerance = 1e-8;
    if (!equalities_.factorise(n, local_W_.data())) return {Status::no_solution, 1.0, 0};
    for (int i = 0; i < n; ++i) local_P_[i] = 0.0;
    double size = 0.0, residual = 0.0;
    for (int round = 0; round < 3; ++round) {
      residual = 0.0;
      for (int i = 0; i < n; ++i) {
        double U = local_b_[i];
        for (int k = 0; k < n; ++k) U += local_W_[static_cast<std::size_t>(k) * n + i] * local_P_[k];
        const double scaled = std::abs(U) / std::sqrt(local_W_[static_cast<std::size_t>(i) * n + i]);
        residual = std::max(residual, scaled);
        if (round == 0) size = std::max(size, scaled);
        joint_rates_[i] = -U;
      }
      if (round == 2) break;
      equalities_.solve(joint_rates_.data());
      for (int i = 0; i < n; ++i) local_P_[i] += joint_rates_[i];
    }
    if (!std::isfinite(residual)) return {Status::not_finite, 0.0, 0};
    if (!(residual > tolerance * size)) return {Status::solved, 0.0, 1};
    return {Status::no_solution, residual / size, 1};
  }

  [[gnu::noinline]] bool solve_large(const bool* active, const double* b, double* P, const double* bounds) {
    const bool good =
        large_->solve(order_->mask(active), order_->rates(b), order_->solution(P), order_->bounds(bounds));
    order_->return_solution(P);
    return good;
  }

  template <class Factors>
  [[gnu::noinline]] void set_large(const Factors& A, const double* H) {
    lent_.lend(A);
    ImpulseResponse response{.answer = &lent_};
    if constexpr (requires { A.is_definite(); })
      if (A.is_definite()) response.matrix = &A.pattern(), response.A = A.values();
    large_->set(response, order_->gradients(H));
  }

  const Number<Shape::answers> n_;
  const Number<Shape::contacts> nc_, held_;  // rows from nc_ on are those of joints, from held_ on slips
  const Number<Shape::rows> nr_;
  const ShapedPattern<Shape, Shape::rows> gradient_;
  ShapedVector<Shape, Value, Shape::answers * Shape::rows> X_;  // X̂ H by columns
  ShapedVector<Shape, Value, Shape::rows * Shape::rows> W_;
  ShapedVector<Shape, Value, Shape::rows> last_P_;
  std::vector<RowPlace> places_;
  std::vector<int> index_;  // of those that take part
  bool is_planar_ = false;  // one contact with its slip, and nothing else
  std::vector<double> local_W_, local_b_, local_P_, local_bounds_;
  ComplementaritySettings settings_;
  ComplementarityWorkspace workspace_;
  ComplementarityResult last_result_;
  SemidefiniteSolve equalities_;
  std::vector<Cone> cones_;
  std::vector<double> joint_rates_;
  LentFactors lent_;
  std::unique_ptr<BlockOrder> order_;  // of the rows of many
  std::unique_ptr<SparseDelassus> large_;
};

}  // namespace ricochet
