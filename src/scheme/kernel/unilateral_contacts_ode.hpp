// The motion between impacts with contacts that push but never pull, as an ODE for the engines of runge_kutta/:
// y = (q, v, z, work, impulses),
//
//     q' = v,   v' = a = M⁻¹(F + H λ),   z' = rate(t, q, v, z),   work' = (input, damping),   impulse' = λ
//
// with 0 ≤ Γ ⊥ λ ≥ 0 on the closed contacts, Γ = Hᵀa + c, and λ = 0 on the others: (142) of Acary 2018 at acceleration
// level. λ is handed out as stage output. held_contacts_ode.hpp holds closed contacts whatever the sign of λ.
#pragma once

#include "contact/contact_acceleration.hpp"
#include "scheme/kernel/motion_vector.hpp"

namespace ricochet {

class UnilateralContactsOde : public MotionVector {
 public:
  explicit UnilateralContactsOde(const Model& model, const ComplementaritySettings& solver = {})
      : MotionVector(model), contacts_(model, solver) {}

  int size() const { return motion_size() + 2 + nc_; }
  double impulse(const double* y, int j) const { return y[motion_size() + 2 + j]; }

  // Which contacts are closed, and the forces of the last evaluation.
  ContactAcceleration<double>& contacts() { return contacts_; }
  const ContactAcceleration<double>& contacts() const { return contacts_; }
  std::uint64_t problems() const { return problems_; }

  // False if M is singular or the contact problem was not solved: contacts().failure() says which.
  bool operator()(double t, const double* y, double* dy, double* lambda) {
    ++evaluations_;
    if (contacts_.any_closed()) ++problems_;
    if (!contacts_.solve(t, y, y + nq_, y + 2 * nq_)) return false;
    std::copy(contacts_.multiplier(), contacts_.multiplier() + nc_, lambda);
    std::copy(lambda, lambda + nc_, dy + motion_size() + 2);
    set_motion(t, y, contacts_.value(), dy);
    set_works(t, y, contacts_.obstacle_power(t, y), dy);
    return true;
  }

 private:
  ContactAcceleration<double> contacts_;
  std::uint64_t problems_ = 0;
};

}  // namespace ricochet
