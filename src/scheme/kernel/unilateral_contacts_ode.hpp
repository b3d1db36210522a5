// The motion between impacts with contacts that push but never pull, as an ODE for the engines of runge_kutta/:
// y = (q, v, z, work, impulses),
//
//     q' = v,   v' = a = M⁻¹(F + H λ),   z' = rate(t, q, v, z),   work' = (input, damping),   impulse' = λ
//
// with 0 ≤ Γ ⊥ λ ≥ 0 on the closed contacts, Γ = Hᵀa + c, and λ = 0 on the others: (142) of Acary 2018 at acceleration
// level. λ is handed out as stage output. held_contacts_ode.hpp holds closed contacts whatever the sign of λ.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "contact/contact_acceleration.hpp"
#include "ricochet/core/state.hpp"

namespace ricochet {

class UnilateralContactsOde {
 public:
  explicit UnilateralContactsOde(const Model& model, const ComplementaritySettings& solver = {})
      : model_(model),
        nq_(model.nq()),
        nc_(model.nc()),
        nz_(model.nz()),
        contacts_(model, solver),
        g_t_(static_cast<std::size_t>(nc_), 0.0) {}

  int motion_size() const { return 2 * nq_ + nz_; }
  int size() const { return motion_size() + 2 + nc_; }

  // Which contacts are closed, and the forces of the last evaluation.
  ContactAcceleration<double>& contacts() { return contacts_; }
  const ContactAcceleration<double>& contacts() const { return contacts_; }
  std::uint64_t evaluations() const { return evaluations_; }
  std::uint64_t problems() const { return problems_; }

  // y from a state, with works and impulses at 0; and back.
  void pack(const State& state, std::vector<double>& y) const {
    std::fill(y.begin(), y.end(), 0.0);
    std::copy(state.q.begin(), state.q.end(), y.begin());
    std::copy(state.v.begin(), state.v.end(), y.begin() + nq_);
    std::copy(state.z.begin(), state.z.end(), y.begin() + 2 * nq_);
  }
  void unpack(const double* y, State& state) const {
    std::copy(y, y + nq_, state.q.begin());
    std::copy(y + nq_, y + 2 * nq_, state.v.begin());
    std::copy(y + 2 * nq_, y + motion_size(), state.z.begin());
  }
  double input(const double* y) const { return y[motion_size()]; }
  double damping(const double* y) const { return y[motion_size() + 1]; }
  double impulse(const double* y, int j) const { return y[motion_size() + 2 + j]; }

  // False if M is singular or the contact problem was not solved: contacts().failure() says which.
  bool operator()(double t, const double* y, double* dy, double* lambda) {
    const double *q = y, *v = y + nq_, *z = y + 2 * nq_;
    ++evaluations_;
    const bool any_closed = contacts_.any_closed();
    if (any_closed) ++problems_;
    if (!contacts_.solve(t, q, v, z)) return false;
    std::copy(v, v + nq_, dy);
    std::copy(contacts_.value(), contacts_.value() + nq_, dy + nq_);
    if (nz_ > 0) model_.state_rate(t, q, v, z, dy + 2 * nq_);
    std::copy(contacts_.multiplier(), contacts_.multiplier() + nc_, lambda);
    std::copy(lambda, lambda + nc_, dy + motion_size() + 2);

    const Power<double> power = model_.power(t, q, v, z);
    dy[motion_size()] = power.input - (any_closed ? obstacle_power(t, q, lambda) : 0.0);
    dy[motion_size() + 1] = power.damping;
    return true;
  }

 private:
  // ∂g/∂tᵀ λ, which a moving obstacle takes out of the system.
  double obstacle_power(double t, const double* q, const double* lambda) {
    if (model_.layout().structure.fixed_gaps) return 0.0;
    model_.gap_time_derivative(t, q, g_t_.data());
    double sum = 0.0;
    for (int j = 0; j < nc_; ++j) sum += g_t_[j] * lambda[j];
    return sum;
  }

  const Model& model_;
  const int nq_, nc_, nz_;
  ContactAcceleration<double> contacts_;
  std::vector<double> g_t_;
  std::uint64_t evaluations_ = 0, problems_ = 0;
};

}  // namespace ricochet
