// The motion between impacts as an ODE for the engines of runge_kutta/: y = (q, v, z, work),
//
//     q' = v,   v' = a = M⁻¹(F + H λ),   z' = rate(t, q, v, z),   work' = (input, damping, friction),
//
// with joints and the contacts that are closed held by Γ_j = H_jᵀa + c_j = 0 (λ of either sign: the caller watches that
// of contacts), the other contacts absent. The index-1 system M a = F + Hλ, Hᵀa + c = 0 [Acary 2018, (23) with its
// right sign] is solved for λ at every evaluation; λ is handed out as stage output, and ∫λ dt are the last components
// of y while a contact is closed. Friction has fixed modes (contact/friction_modes.hpp); how far each one is from the
// end of its mode is a further output, not negative before:
//
//     slides: s·U_S, up to round-off;   sticks: μ λ_N − ‖λ_S‖, or L − ‖λ_S‖, up to round-off.
#pragma once

#include <cmath>
#include <optional>
#include <vector>

#include "contact/contact_kinematics.hpp"
#include "contact/delassus.hpp"
#include "contact/friction_forces.hpp"
#include "core/mask_array.hpp"
#include "core/zeros.hpp"
#include "ricochet/core/status.hpp"
#include "scheme/kernel/free_flight.hpp"
#include "scheme/kernel/motion_vector.hpp"

namespace ricochet {

class HeldContactsOde : public MotionVector {
 public:
  explicit HeldContactsOde(const Model& model) : MotionVector(model) {
    if (model.nf() > 0) friction_.emplace(layout_, ComplementaritySettings{});
    open_all();
    prepare_linear();
    flies_ = !is_linear_ && !has_joints();
  }

  // Sizes. Components: q, v, z, then the works if there can be any; `with_impulses` then with friction its own work,
  // and the impulses of contacts and slips.
  int size(bool with_impulses) const {
    return with_impulses ? impulse_begin() + nc_ + nr_ - held_ : motion_size() + (has_free_work_ ? 2 : 0);
  }
  int impulse_begin() const { return motion_size() + (has_work_ ? 2 : 0) + (has_friction() ? 1 : 0); }
  int outputs() const { return nc_ + modes_.size(); }

  // Which contacts are closed.
  void open_all() {
    for (int j = 0; j < nr_; ++j) closed_[j] = j >= nc_ && j < held_;
    count_ = 0;
  }
  void set_closed(int j, bool closed) {
    count_ += static_cast<int>(closed) - static_cast<int>(closed_[j]);
    closed_[j] = closed;
  }
  bool is_closed(int j) const { return closed_[j]; }
  int closed_count() const { return count_; }
  // With the limits that stick: two may be redundant.
  int held_count() const {
    int count = count_;
    for (int k = modes_.size() - 1; k >= 0 && modes_[k].contact < 0; --k)
      count += modes_[k].mode == FrictionMode::stick ? 1 : 0;
    return count;
  }
  // What frictions do, as far as their contacts are closed; from t on.
  bool has_friction() const { return modes_.size() > 0; }
  FrictionModes& modes() { return modes_; }
  const FrictionModes& modes() const { return modes_; }
  void set_out(double t) { set_out_at_ = t; }
  // Whether contacts or frictions act: y then carries impulses, and there are outputs to watch.
  bool is_held() const { return count_ > 0 || modes_.has_limits(); }
  bool acts(int k) const { return modes_.acts(k, closed_.data()); }
  // Whether forces and moving obstacles can ever do work, and friction where something is held.
  bool has_work(bool held) const { return held ? has_work_ : has_free_work_; }
  // Whether friction has any that are booked. Their error is not controlled, so that the account does not change the
  // motion, and a surface that slides past moves without it.
  bool books_friction() const { return !skips_account_ && has_friction(); }
  // Works are not looked at: none are calculated, and y has none but that of friction where something is held. Sizes
  // change.
  void skip_account() {
    skips_account_ = true;
    has_free_work_ = false, has_work_ = has_friction();
  }
  // Whether y carries the impulses of the contacts, and what friction does.
  void carry_impulses(bool carry) { carries_impulses_ = carry; }

  double input(const double* y) const { return carries_works() ? y[motion_size()] : 0.0; }
  double damping(const double* y) const { return carries_works() ? y[motion_size() + 1] : 0.0; }
  double friction(const double* y) const { return carries_friction() ? y[motion_size() + 2] : 0.0; }
  double impulse(const double* y, int j) const { return carries_impulses_ ? y[impulse_begin() + j] : 0.0; }

  double slip_impulse(const double* y, int s) const { return carries_impulses_ ? y[impulse_begin() + nc_ + s] : 0.0; }

  // The right-hand side; `lambda`, if there is one, gets the outputs: nc contact forces, then the distances of
  // frictions from the end of their modes. False if M is singular or the closed contacts contradict.
  bool operator()(double t, const double* y, double* dy, double* lambda);

  // The same without closed contacts, for engines that keep no outputs.
  class Free {
   public:
    explicit Free(HeldContactsOde& flow) : flow_(flow) {}
    [[gnu::always_inline]] bool operator()(double t, const double* y, double* dy) {
      if (!flow_.is_single_) return flow_.flies_ ? flow_.fly(t, y, dy) : flow_(t, y, dy, nullptr);
      ++flow_.evaluations_;
      dy[0] = y[1];
      dy[1] = flow_.a_linear_[0] - flow_.A_[0] * y[0] - flow_.B_[0] * y[1];
      return true;
    }

   private:
    HeldContactsOde& flow_;
  };

  bool has_joints() const { return held_ > nc_; }
  // Whether free motion is that of forces alone, without works.
  bool flies() const { return flies_ && !has_free_work_; }
  // Forces of the rows of joints at a state, with the contacts that are closed.
  void reactions(const State& state, double* lambda);

  // Of the last evaluation.
  const double* acceleration() const { return a_.data(); }
  // |M⁻¹F| + Σ_j |M⁻¹H_j λ_j|, the sizes of what adds up to it.
  const double* acceleration_magnitude() const { return magnitude_.data(); }
  // Round-off of λ_j, j closed.
  double force_noise(int j) const { return 1e-12 * contacts_.size_along(j, magnitude_.data()) / delassus_.diagonal(j); }
  const double* multipliers() const { return lambda_.data(); }  // λ of all rows
  const double* slip_multipliers() const { return lambda_.data() + held_; }
  // Of friction k that acts: its force, its slip, and that along its direction, with its rate.
  FrictionModes::Direction friction_force(int k) const { return modes_[k].force(lambda_.data()); }
  FrictionModes::Direction slip(int k, const double* v) const { return FrictionModes::slip(modes_[k], contacts_, v); }
  double slip_along(int k, const double* v) const { return FrictionModes::dot(slip(k, v), modes_[k].s); }
  double coefficient(int k) const { return bounds_[k]; }  // μ, or L
  // μ λ_N, or L.
  double bound(int k) const { return bounds_[k] * (modes_[k].contact < 0 ? 1.0 : lambda_[modes_[k].contact]); }
  // Round-off of its acceleration.
  double slip_acceleration_noise(int k) const {
    return 1e-13 * FrictionModes::size_along(modes_[k], contacts_, magnitude_.data());
  }
  double slip_along_rate(int k) const {
    const FrictionModes::Entry& entry = modes_[k];
    return entry.s[0] * contacts_.acceleration(entry.row, a_.data()) +
           (entry.rows > 1 ? entry.s[1] * contacts_.acceleration(entry.row + 1, a_.data()) : 0.0);
  }
  FailureKind failure() const { return failure_; }
  // Where the last evaluation failed: a contact that slides on without acceleration.
  FrictionForces::Paradox paradox() const {
    return friction_ && failure_ != FailureKind::none ? friction_->paradox() : FrictionForces::Paradox{};
  }

 private:
  bool carries_works() const { return has_work(carries_impulses_); }
  bool carries_friction() const { return carries_impulses_ && has_friction(); }
  bool find_free_work() const;
  void prepare_linear();
  bool lose_mass() {
    failure_ = FailureKind::mass_not_positive_definite;
    return false;
  }
  bool fly(double t, const double* y, double* dy);
  bool solve_contacts(double t, const double* q, const double* v);
  bool solve_normal();
  bool solve_friction(double t, const double* q, const double* v);
  void add_magnitude();
  void find_noise();
  double margin(double t, const double* v, int k) const;

  const Layout& layout_ = model_.layout();
  const int held_ = nc_ + model_.nb(), nr_ = layout_.rows.cols;  // contacts and joints; with the slips
  FrictionModes modes_{layout_};
  bool has_free_work_ = find_free_work(), has_work_ = has_free_work_ || has_friction();
  ContactKinematics<double> contacts_{model_};
  Delassus<double> delassus_{nq_, layout_, {}, 0, ContactRows::with_slips};
  std::optional<FrictionForces> friction_;
  std::vector<double> bounds_ = zeros(modes_.size());
  double set_out_at_ = 0.0;
  MaskArray<double> closed_{nr_}, needed_{nr_};
  int count_ = 0;
  bool carries_impulses_ = false, skips_account_ = false;
  // Free motion of a small linear system: a = a₀ − A q − B v, A = M⁻¹K, B = M⁻¹C.
  bool is_linear_ = false, is_single_ = false;  // single: one coordinate, no work
  bool flies_ = false;                          // nothing but forces acts on free motion
  std::vector<double> a_linear_, A_, B_;

  MassFactors<double> mass_{model_};
  std::vector<double> a_ = zeros(nq_), push_ = a_, magnitude_ = a_, noise_ = a_, b_ = zeros(nr_), lambda_ = b_,
                      size_ = b_;
  FailureKind failure_ = FailureKind::none;
};

}  // namespace ricochet
