// Contacts and joints at position level, all at once: q = q_free + X̂ H ν with
//
//     0 ≤ g(t, q) ⊥ ν ≥ 0 for every contact,   g_B(t, q) = 0 for the joints that have a position,   H at q.
//
// By linearised problems. H is taken where the caller says, the last q of a step that iterates, and again on the way
// while the violation does not fall fast.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "contact/contact_kinematics.hpp"
#include "contact/delassus.hpp"
#include "contact/row_resolution.hpp"
#include "core/mask_array.hpp"
#include "core/zeros.hpp"

namespace ricochet {

class PositionProblem {
 public:
  PositionProblem(const Model& model, const ComplementaritySettings& solver)
      : nq_(model.nq()),
        nc_(model.nc()),
        nr_(nc_ + model.nb()),
        delassus_(nq_, model.layout(), solver),
        rows_(model),
        resolution_(model) {
    nu_.resize(static_cast<std::size_t>(model.layout().rows.cols));  // those of slips stay 0
    const std::vector<bool> has_position = model.layout().joint_has_position();
    for (int j = nc_; j < nr_; ++j) active_[j] = has_position[static_cast<std::size_t>(j - nc_)];
    has_joints_ = std::any_of(active_.data() + nc_, active_.data() + nr_, [](bool is_held) { return is_held; });
  }

  bool is_large() const { return delassus_.is_large(); }
  Delassus<double>& delassus() { return delassus_; }
  const double* gradients() const { return rows_.gradients(); }

  // Responses that never change: H at any place, for all rows; `respond(which)` sets them.
  template <class Respond>
  void prepare(const double* q, const Respond& respond) {
    rows_.place_gradients(0.0, q);
    for (int j = 0; j < nr_; ++j) joins_[j] = true;
    respond(joins_.data());
    is_constant_ = true;
  }

  // A new step: nobody pushes.
  void begin() {
    for (int j = 0; j < nc_; ++j) active_[j] = false;
    for (double& x : nu_) x = 0.0;
    for (double& x : unresolved_) x = 0.0;
    is_active_ = has_joints_;
    joined_ = 0;
  }

  // q: where H is taken first; then the solution. `respond(which)` sets the responses of those rows to H as it is now.
  // False if it did not get there.
  template <class Respond>
  bool solve(double t, const double* q_free, const Respond& respond, double* q) {
    constexpr int most_iterations = 30;
    for (int j = 0; j < nr_; ++j) resolution_.size(j) = 0.0;
    last_nu_ = nu_;
    rows_.place_obstacles(t, q);
    if (is_active_ && !is_constant_) turn(t, q, respond);
    move(q_free, q);
    double last = std::numeric_limits<double>::infinity();
    for (int iteration = 0; iteration < most_iterations; ++iteration) {
      rows_.place_gaps(t, q);
      const bool joined = join(t, q, respond);
      const double largest = violation(t, q);
      const bool stalls = !joined && largest >= 0.5 * last;
      // Exact, or as near as round-off lets it be.
      if (!is_active_ || largest <= 4.0 || (stalls && largest <= most_round_off)) return true;
      if (!is_constant_ && !joined && largest > 0.1 * last) {
        turn(t, q, respond);
        move(q_free, q);
        rows_.place_gaps(t, q);
      }
      last = joined ? std::numeric_limits<double>::infinity() : largest;
      for (int j = 0; j < nr_; ++j)
        if (active_[j]) b_[j] = rows_.gap(j) - rows_.along(j, shift_.data());
      if (!delassus_.solve(active_.data(), b_.data(), nu_.data())) return false;
      if (stalls && is_resolved(t, q)) return true;
      move(q_free, q);
    }
    return false;
  }

  // Of the last solution.
  bool pushes() const { return is_active_; }                                                 // whether anybody may
  bool is_closed(int j) const { return nu_[j] > 0.0 || rows_.gap(j) <= round_off(j, 4.0); }  // contact j
  const double* multiplier() const { return nu_.data(); }

  // Steps that iterate: what rows pushed in the last solution, and not in the one before, although their formulas do
  // not resolve it, is round-off of q; …
  void see_unresolved(double t, const double* q) {
    for (int j = 0; j < nr_; ++j) b_[j] = nu_[j] - last_nu_[j];
    place_step();
    resolution_.move(t, q, step_.data());
    for (int j = 0; j < nr_; ++j)
      if (!should_vanish(j) || resolution_.answers(j, step_.data(), rows_.gap(j), rows_)) b_[j] = 0.0;
    place_step();
    for (int i = 0; i < nq_; ++i) unresolved_[i] = std::max(unresolved_[i], std::abs(step_[i]));
  }
  // … the most of it in this step, of q_i.
  double unresolved(int i) const { return unresolved_[i]; }

 private:
  double round_off(int j, double units) const {
    return units * std::numeric_limits<double>::epsilon() * resolution_.size(j);
  }
  // H at q, and what X̂ H is there for those who may push.
  template <class Respond>
  void turn(double t, const double* q, const Respond& respond) {
    rows_.place_gradients(t, q);
    respond(active_.data());
  }
  // q = q_free + X̂ H ν
  void move(const double* q_free, double* q) {
    for (double& x : shift_) x = 0.0;
    if (is_active_) delassus_.add_push(nu_.data(), shift_.data());
    for (int i = 0; i < nq_; ++i) q[i] = q_free[i] + shift_[i];
  }
  // Contacts that are violated may push from now on; after some rounds all of them, as a load may pass from one to the
  // next through a whole column.
  template <class Respond>
  bool join(double t, const double* q, const Respond& respond) {
    constexpr int rounds = 3;
    bool any = false;
    for (int j = 0; j < nr_; ++j) {
      joins_[j] = j < nc_ && !active_[j] && rows_.gap(j) < 0.0;
      any = any || joins_[j];
    }
    if (!any) return false;
    if (++joined_ > rounds)
      for (int j = 0; j < nc_; ++j) joins_[j] = !active_[j];
    if (!is_active_ && !is_constant_) rows_.place_gradients(t, q);
    for (int j = 0; j < nc_; ++j) active_[j] = active_[j] || joins_[j];
    is_active_ = true;
    if (!is_constant_) respond(is_large() ? active_.data() : joins_.data());
    return true;
  }
  // X̂ H b
  void place_step() {
    for (double& x : step_) x = 0.0;
    delassus_.add_push(b_.data(), step_.data());
  }
  // Whether contact j, or a joint, should have its gap at 0.
  bool should_vanish(int j) const { return active_[j] && (j >= nc_ || rows_.gap(j) < 0.0 || nu_[j] > 0.0); }
  // The largest one, in units of the round-off of its row; where all of a gap goes to 0 together its size is that at
  // the begin.
  double violation(double t, const double* q) {
    constexpr double nothing = 1e-240;  // at rest at 0 there is nothing to compare with
    double largest = 0.0;
    for (int j = 0; j < nr_; ++j) {
      resolution_.size(j) = std::max(resolution_.size(j), rows_.gap_size(j, t, q) + nothing);
      if (should_vanish(j)) largest = std::max(largest, std::abs(rows_.gap(j)) / round_off(j, 1.0));
    }
    return largest;
  }
  // As near as formulas resolve, q = q_free + X̂ H ν, and W ν, whose terms are at most √W_jj √W_kk ν_k and may
  // cancel, as between light bodies or at right angles; on the way to the next ν.
  bool is_resolved(double t, const double* q) {
    for (int i = 0; i < nq_; ++i) step_[i] = -shift_[i];
    delassus_.add_push(nu_.data(), step_.data());
    const auto unit = [&](int j) { return std::sqrt(std::abs(delassus_.diagonal(j))); };
    double pushed = 0.0;
    for (int j = 0; j < nr_; ++j)
      if (nu_[j] != 0.0) pushed += unit(j) * std::abs(nu_[j]);
    for (int j = 0; j < nr_; ++j) {
      joins_[j] = should_vanish(j);
      if (joins_[j]) resolution_.size(j) += rows_.size_along(j, shift_.data()) + unit(j) * pushed;
    }
    return resolution_.is_reached(t, q, step_.data(), rows_.gaps(), rows_, joins_);
  }

  const int nq_, nc_, nr_;
  Delassus<double> delassus_;
  ContactKinematics<double> rows_;
  RowResolution<double> resolution_;
  int joined_ = 0;  // times in this step
  bool has_joints_ = false, is_active_ = false, is_constant_ = false;
  std::vector<double> nu_ = zeros(nr_), last_nu_ = nu_, b_ = nu_, shift_ = zeros(nq_), step_ = shift_,
                      unresolved_ = shift_;
  MaskArray<double> active_{nr_}, joins_{nr_};
};

}  // namespace ricochet
