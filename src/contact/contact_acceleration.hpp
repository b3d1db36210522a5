// Forces of lasting contacts and of joints: a = M⁻¹(F + Hλ) with 0 ≤ Γ = Hᵀa + c ⊥ λ ≥ 0 on the closed contacts, Γ = 0
// on the joints (c = vᵀ g_qq v + 2 (∂H/∂t)ᵀ v + ∂²g/∂t²) [Acary 2018, (20)-(24)]; friction by its modes, which the
// caller sets and which the accelerations then decide (friction_forces.hpp). Without modes there is none.
#pragma once

#include <optional>
#include <type_traits>
#include <vector>

#include "contact/contact_kinematics.hpp"
#include "contact/delassus.hpp"
#include "contact/friction_forces.hpp"
#include "contact/mass_factors.hpp"
#include "core/mask_array.hpp"
#include "core/zeros.hpp"
#include "ricochet/core/status.hpp"
#include "ricochet/model/model.hpp"

namespace ricochet {

template <class Value>
class ContactAcceleration {
 public:
  explicit ContactAcceleration(const Mechanics<Value>& model, const ComplementaritySettings& solver = {})
      : model_(model), delassus_(nq_, model.layout(), solver) {
    open_all();
    if constexpr (is_single)
      if (model.nf() > 0) friction_.emplace(model, solver);
  }

  // Which contacts are closed; joints always act.
  void open_all() {
    for (int j = 0; j < nr_; ++j) closed_[j] = Mask<Value>(j >= nc_);
  }
  void close(int j, const Mask<Value>& where = true) { closed_[j] = where; }
  const Mask<Value>* closed() const { return closed_.data(); }
  bool any_closed() const {
    for (int j = 0; j < nc_; ++j)
      if (any(closed_[j])) return true;
    return false;
  }

  // What frictions do: before solve() those that slide and those that rest, after it which of these stick. Only for
  // models with friction.
  FrictionModes& modes() { return friction_->modes; }
  // A contact that slides and has no acceleration, or two (FrictionForces).
  FrictionForces::Paradox paradox() const {
    return friction_ ? friction_->forces.paradox() : FrictionForces::Paradox{};
  }

  // Those that touch, to round-off, and do not separate.
  void close_touching(const Value& t, const Value* q, const Value* v) {
    constexpr double touch = 1e-12;
    if (nc_ == 0) return;
    contacts_.place_gaps(t, q);
    contacts_.place_rates(t, q);
    for (int j = 0; j < nc_; ++j) {
      const Value slow = Value(touch) * contacts_.rate_size(j, v);
      closed_[j] = (contacts_.gap(j) <= Value(touch) * contacts_.size_along(j, q)) & (contacts_.rate(j, v) <= slow);
    }
  }

  // False where the mass is singular or the contact problem was not solved.
  Mask<Value> solve(const Value& t, const Value* q, const Value* v, const Value* z) {
    failure_ = FailureKind::none;
    if (!mass_.place(t, q)) return note(false, FailureKind::mass_not_positive_definite);
    model_.force(t, q, v, z, F_.data());
    for (int i = 0; i < nq_; ++i) a_[i] = total_[i] = F_[i];
    mass_.solve(a_.data());
    for (Value& lambda : lambda_) lambda = 0.0;
    if (!acts()) return true;
    for (int i = 0; i < nq_; ++i) free_[i] = a_[i];

    contacts_.place_accelerations(t, q, v);
    if constexpr (is_single) {
      if (friction_) friction_->used = friction_->modes.any();
      if (friction_ && friction_->used) return solve_with_friction(t, q);
    }
    delassus_.set(mass_.factors(), contacts_.gradients(), closed_.data());
    Value sum = 0.0;
    for (int j = 0; j < nr_; ++j)
      if (any(closed_[j])) sum += b_[j] = separation(j);
    if (!all(finite(sum))) return note(finite(sum), FailureKind::not_finite);
    const Mask<Value> good = delassus_.solve(closed_.data(), b_.data(), lambda_.data());
    delassus_.add_push(lambda_.data(), a_.data());
    for (int j = 0; j < nr_; ++j)
      if (any(closed_[j])) contacts_.add_gradient(j, lambda_[j], total_.data());
    return note(good, FailureKind::complementarity_not_solved);
  }

  // Γ_j of a closed contact, Hᵀa + c.
  Value separation(int j) const { return contacts_.acceleration(j, a_.data()); }
  // What Γ_j of a closed contact is a sum of: where bodies rest on each other these cancel, and round-off is theirs.
  Value terms(int j) const {
    return contacts_.size_along(j, free_.data()) + problem().diagonal(j) * absolute(lambda_[j]);
  }
  // Γ of all contacts with the forces of the closed ones, at the point of the last solve().
  const Value* separations(const Value& t, const Value* q, const Value* v) {
    contacts_.place_accelerations(t, q, v);
    for (int j = 0; j < nc_; ++j) b_[j] = separation(j);
    return b_.data();
  }

  // −oᵀλ, what moving obstacles and driven joints do in a unit of time; at the point of the last solve().
  Value obstacle_power(const Value& t, const Value* q) {
    if (!acts()) return 0.0;
    contacts_.place_obstacles(t, q);
    return contacts_.obstacle_work(lambda_.data());
  }

  const Value* value() const { return a_.data(); }            // a
  const Value* force() const { return F_.data(); }            // F
  const Value* total_force() const { return total_.data(); }  // F + Hλ
  const Value* multiplier() const { return lambda_.data(); }
  const Value* reactions() const { return lambda_.data() + nc_; }         // of the rows of joints
  const ContactKinematics<Value>& contacts() const { return contacts_; }  // placed where a contact is closed
  FailureKind failure() const { return failure_; }
  const Delassus<Value>& problem() const {
    if constexpr (is_single)
      if (friction_ && friction_->used) return friction_->delassus;
    return delassus_;
  }

 private:
  static constexpr bool is_single = std::is_same_v<Value, double>;
  // What only models with friction need.
  struct WithFriction {
    WithFriction(const Model& model, const ComplementaritySettings& solver)
        : modes(model.layout()),
          forces(model.layout(), solver),
          delassus(model.nq(), model.layout(), dense(solver), 0, ContactRows::with_slips),
          bounds(zeros(model.nf())),
          size(zeros(model.layout().rows.cols)),
          needed(model.layout().rows.cols) {}
    static ComplementaritySettings dense(ComplementaritySettings settings) {
      settings.matrix = ContactMatrix::dense;
      return settings;
    }
    FrictionModes modes;
    FrictionForces forces;
    Delassus<double> delassus;
    std::vector<double> bounds, size;
    MaskArray<double> needed;
    bool used = false;  // in the last solve()
  };

  bool acts() const {
    if constexpr (is_single)
      if (friction_ && friction_->modes.any_acts(closed_.data())) return true;
    return nr_ > nc_ || any_closed();
  }

  Mask<Value> solve_with_friction(const Value& t, const Value* q) requires is_single {
    contacts_.place_bounds(t, q);
    WithFriction& friction = *friction_;
    const int nf = friction.modes.size();
    for (int j = 0; j < nr_; ++j) friction.needed[j] = closed_[j];
    for (int k = 0; k < nf; ++k) {
      friction.bounds[k] = contacts_.bound(k);
      if (!friction.modes.acts(k, closed_.data())) continue;
      if (!(friction.bounds[k] >= 0.0)) return note(false, FailureKind::friction_out_of_range);
      for (int m = 0; m < friction.modes[k].rows; ++m) friction.needed[friction.modes[k].row + m] = true;
    }
    friction.delassus.set(mass_.factors(), contacts_.gradients(), friction.needed.data());
    for (std::size_t j = 0; j < b_.size(); ++j) {
      if (!friction.needed[j]) continue;
      b_[j] = separation(static_cast<int>(j));
      friction.size[j] = contacts_.size_along(static_cast<int>(j), a_.data());
    }
    const bool good = friction.forces.choose(
        {friction.delassus, closed_.data(), b_.data(), friction.size.data(), friction.bounds.data()}, friction.modes,
        lambda_.data());
    friction.delassus.add_push(lambda_.data(), a_.data());
    for (std::size_t j = 0; j < b_.size(); ++j)
      if (friction.needed[j]) contacts_.add_gradient(static_cast<int>(j), lambda_[j], total_.data());
    return note(good, FailureKind::complementarity_not_solved);
  }
  Mask<Value> note(const Mask<Value>& good, FailureKind kind) {
    if (failure_ == FailureKind::none && !all(good)) failure_ = kind;
    return good;
  }

  const Mechanics<Value>& model_;
  const int nq_ = model_.nq(), nc_ = model_.nc(), nr_ = nc_ + model_.nb();
  ContactKinematics<Value> contacts_{model_};
  Delassus<Value> delassus_;
  MassFactors<Value> mass_{model_};
  std::vector<Value> F_ = zeros<Value>(nq_), a_ = F_, free_ = F_, total_ = F_,
                     b_ = zeros<Value>(model_.layout().rows.cols), lambda_ = b_;
  MaskArray<Value> closed_{nr_};
  std::optional<WithFriction> friction_;
  FailureKind failure_ = FailureKind::none;
};

}  // namespace ricochet
