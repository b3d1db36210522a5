// Forces of lasting contacts and of joints: a = M⁻¹(F + Hλ) with 0 ≤ Γ = Hᵀa + c ⊥ λ ≥ 0 on the closed contacts, Γ = 0
// on the joints
// (c = vᵀ g_qq v + 2 (∂H/∂t)ᵀ v + ∂²g/∂t²) [Acary 2018, (20)-(24)].
#pragma once

#include <vector>

#include "contact/contact_kinematics.hpp"
#include "contact/delassus.hpp"
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
    for (int j = 0; j < nr_; ++j) lambda_[j] = 0.0;
    if (!acts()) return true;

    contacts_.place_accelerations(t, q, v);
    delassus_.set(mass_.factors(), contacts_.gradients(), closed_.data());
    for (int j = 0; j < nr_; ++j)
      if (any(closed_[j])) b_[j] = separation(j);
    const Mask<Value> good = delassus_.solve(closed_.data(), b_.data(), lambda_.data());
    delassus_.add_push(lambda_.data(), a_.data());
    for (int j = 0; j < nr_; ++j)
      if (any(closed_[j])) contacts_.add_gradient(j, lambda_[j], total_.data());
    return note(good, FailureKind::complementarity_not_solved);
  }

  // Γ_j of a closed contact, Hᵀa + c.
  Value separation(int j) const { return contacts_.acceleration(j, a_.data()); }
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
  const Delassus<Value>& problem() const { return delassus_; }

 private:
  bool acts() const { return nr_ > nc_ || any_closed(); }
  Mask<Value> note(const Mask<Value>& good, FailureKind kind) {
    if (failure_ == FailureKind::none && !all(good)) failure_ = kind;
    return good;
  }

  const Mechanics<Value>& model_;
  const int nq_ = model_.nq(), nc_ = model_.nc(), nr_ = nc_ + model_.nb();
  ContactKinematics<Value> contacts_{model_};
  Delassus<Value> delassus_;
  MassFactors<Value> mass_{model_};
  std::vector<Value> F_ = zeros<Value>(nq_), a_ = F_, total_ = F_, b_ = zeros<Value>(nr_), lambda_ = b_;
  MaskArray<Value> closed_{nr_};
  FailureKind failure_ = FailureKind::none;
};

}  // namespace ricochet
