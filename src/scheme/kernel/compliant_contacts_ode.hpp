// The motion with compliant contacts as an ODE for the engines of runge_kutta/: y = (q, v, z, work, impulses, works),
//
//     q' = v,   M v' = F + H λ,   λ_j = −k_j g_j − κ_j U_j on the contacts that are in touch, 0 on the others,
//     z' = rate(t, q, v, z),   work' = (input, damping),   impulse_j' = λ_j,   work_j' = λ_j U_j.
//
// Who is in touch does not change inside a step, so that f is smooth in it: the caller stops where a gap passes 0.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "contact/contact_kinematics.hpp"
#include "contact/mass_factors.hpp"
#include "ricochet/core/state.hpp"
#include "ricochet/core/status.hpp"
#include "ricochet/model/model.hpp"

namespace ricochet {

class CompliantContactsOde {
 public:
  explicit CompliantContactsOde(const Model& model)
      : model_(model),
        layout_(model.layout()),
        nq_(model.nq()),
        nc_(model.nc()),
        nz_(model.nz()),
        springs_(static_cast<std::size_t>(nc_)),
        contacts_(model),
        mass_(model),
        U_(zeros(nc_)),
        a_(zeros(nq_)),
        x_(zeros(nq_)) {}

  int motion_size() const { return 2 * nq_ + nz_; }
  int size() const { return motion_size() + 2 + 2 * nc_; }

  void touch(int j, double k, double kappa) {
    touching_ += springs_[j].touching ? 0 : 1;
    springs_[j] = {true, k, kappa};
  }
  void part(int j) {
    touching_ -= springs_[j].touching ? 1 : 0;
    springs_[j] = {};
  }
  bool touches(int j) const { return springs_[j].touching; }
  int touching() const { return touching_; }

  // y from a state, with works and impulses at 0; and back.
  void pack(const State& state, std::vector<double>& y) const {
    std::copy(state.q.begin(), state.q.end(), y.begin());
    std::copy(state.v.begin(), state.v.end(), y.begin() + nq_);
    std::copy(state.z.begin(), state.z.end(), y.begin() + 2 * nq_);
    std::fill(y.begin() + motion_size(), y.end(), 0.0);
  }
  void unpack(const double* y, State& state) const {
    std::copy(y, y + nq_, state.q.begin());
    std::copy(y + nq_, y + 2 * nq_, state.v.begin());
    std::copy(y + 2 * nq_, y + motion_size(), state.z.begin());
  }
  double& input(double* y) const { return y[motion_size()]; }
  double& damping(double* y) const { return y[motion_size() + 1]; }
  double& impulse(double* y, int j) const { return y[motion_size() + 2 + j]; }
  double& work(double* y, int j) const { return y[motion_size() + 2 + nc_ + j]; }

  // False if M is not positive definite.
  bool operator()(double t, const double* y, double* dy) {
    const double *q = y, *v = y + nq_, *z = y + 2 * nq_;
    ++evaluations_;
    if (!mass_.place(t, q, true)) return false;
    model_.force(t, q, v, z, a_.data());
    std::fill(dy + motion_size() + 2, dy + size(), 0.0);
    const double obstacles = touching_ > 0 ? push(t, q, v, dy) : 0.0;
    mass_.solve(a_.data());
    std::copy(v, v + nq_, dy);
    std::copy(a_.begin(), a_.end(), dy + nq_);
    if (nz_ > 0) model_.state_rate(t, q, v, z, dy + 2 * nq_);
    const Power<double> power = model_.power(t, q, v, z);
    dy[motion_size()] = power.input + obstacles;
    dy[motion_size() + 1] = power.damping;
    return true;
  }

  // Gaps and rates of all contacts.
  void measure(double t, const double* y) {
    if (nc_ == 0) return;
    contacts_.place_gaps(t, y);
    contacts_.place_rates(t, y);
    for (int j = 0; j < nc_; ++j) U_[j] = contacts_.rate(j, y + nq_);
  }
  double gap(int j) const { return contacts_.gap(j); }
  double rate(int j) const { return U_[j]; }
  const double* gradients() const { return contacts_.gradients(); }
  double along(int j, const double* x) const { return contacts_.along(j, x); }  // H_jᵀx

  // The size of what a gap is made of, after measure() at q.
  double gap_size(int j, const double* q) const {
    return contacts_.size_along(j, q) + std::abs(contacts_.gap(j) - contacts_.along(j, q));
  }

  // g_j'' with the forces that act now; after measure() and an evaluation at the same point.
  double separation(int j, double t, const double* y) {
    contacts_.place_accelerations(t, y, y + nq_);
    return contacts_.acceleration(j, a_.data());
  }
  // 1/(HᵀM⁻¹H); after measure() at the same point. Infinite if the gradient is zero, negative if M is not definite.
  double effective_mass(int j, double t, const double* q) {
    if (!mass_.place(t, q, true)) return -1.0;
    std::fill(x_.begin(), x_.end(), 0.0);
    contacts_.add_gradient(j, 1.0, x_.data());
    mass_.solve(x_.data());
    return 1.0 / along(j, x_.data());
  }
  std::uint64_t evaluations() const { return evaluations_; }
  const double* acceleration() const { return a_.data(); }

 private:
  struct Spring {
    bool touching = false;
    double k = 0.0, kappa = 0.0;
  };
  static std::vector<double> zeros(int n) { return std::vector<double>(static_cast<std::size_t>(n), 0.0); }

  // a += H λ, impulses and works; the power of moving obstacles, −∂g/∂tᵀ λ.
  double push(double t, const double* q, const double* v, double* dy) {
    double obstacles = 0.0;
    contacts_.place_gaps(t, q);
    contacts_.place_rates(t, q);
    for (int j = 0; j < nc_; ++j) {
      const Spring& spring = springs_[j];
      if (!spring.touching) continue;
      const double U = contacts_.rate(j, v), lambda = -spring.k * contacts_.gap(j) - spring.kappa * U;
      contacts_.add_gradient(j, lambda, a_.data());
      impulse(dy, j) = lambda;
      work(dy, j) = lambda * U;
      obstacles -= contacts_.obstacle_rate(j) * lambda;
    }
    return obstacles;
  }

  const Model& model_;
  const Layout& layout_;
  const int nq_, nc_, nz_;
  std::vector<Spring> springs_;
  int touching_ = 0;
  ContactKinematics<double> contacts_;
  MassFactors<double> mass_;
  std::vector<double> U_, a_, x_;
  std::uint64_t evaluations_ = 0;
};

}  // namespace ricochet
