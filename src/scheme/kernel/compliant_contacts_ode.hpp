// The motion with compliant contacts as an ODE for the engines of runge_kutta/: y = (q, v, z, work, impulses, works,
// impulses of friction, its work),
//
//     q' = v,   M v' = F + H λ,   λ_j = −k_j g_j − κ_j U_j, or another law of contact_law.hpp, on the contacts that are
//     in touch, 0 on the others, of joints what holds them, z' = rate(t, q, v, z),   work' = (input, damping),
//     impulse_j' = λ_j,   work_j' = λ_j U_j;   friction λ_S = −μ max(λ, 0) U_S/max(‖U_S‖, v_s), or L in place of μ
//     max(λ, 0).
//
// Who is in touch does not change inside a step, so that f is smooth in it: the caller stops where a gap passes 0.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

#include "contact/contact_kinematics.hpp"
#include "contact/joint_forces.hpp"
#include "contact/mass_factors.hpp"
#include "core/length.hpp"
#include "core/zeros.hpp"
#include "scheme/kernel/contact_law.hpp"
#include "scheme/kernel/motion_vector.hpp"

namespace ricochet {

class CompliantContactsOde : public MotionVector {
 public:
  explicit CompliantContactsOde(const Model& model) : MotionVector(model), springs_(static_cast<std::size_t>(nc_)) {}

  int size() const { return size_; }
  double& impulse(double* y, int j) const { return y[motion_size() + 2 + j]; }
  double& work(double* y, int j) const { return y[motion_size() + 2 + nc_ + j]; }
  bool has_friction() const { return ns_ > 0; }
  double& slip_impulse(double* y, int s) const { return y[slips_begin() + s]; }
  double& friction_work(double* y) const { return y[slips_begin() + ns_]; }

  // v_s
  void set_slip_speed(double speed) { slip_speed_ = speed; }
  // The largest slip that the motion at (t, y) has, or gets from its forces without friction within h.
  double slip_scale(double t, const double* y, double h, double* dy) {
    slip_speed_ = std::numeric_limits<double>::infinity();
    if (!(*this)(t, y, dy)) return 0.0;
    contacts_.place_rates(t, y);
    double scale = 0.0;
    for (int s = 0; s < ns_; ++s)
      scale = std::max(scale, contacts_.rate_size(held_ + s, y + nq_) + h * contacts_.size_along(held_ + s, a_.data()));
    return scale;
  }

  void touch(int j, const ContactLaw& law) {
    touching_ += springs_[j].touching ? 0 : 1;
    springs_[j] = {true, law};
  }
  void part(int j) {
    touching_ -= springs_[j].touching ? 1 : 0;
    springs_[j] = {};
  }
  bool touches(int j) const { return springs_[j].touching; }
  int touching() const { return touching_; }

  // False if M is not positive definite, or a bound of friction negative.
  bool operator()(double t, const double* y, double* dy) {
    ++evaluations_;
    refusal_ = FailureKind::mass_not_positive_definite;
    if (!mass_.place(t, y)) return false;
    model_.force(t, y, y + nq_, y + 2 * nq_, a_.data());
    for (int i = motion_size() + 2; i < size_; ++i) dy[i] = 0.0;
    double obstacles = touching_ > 0 || has_limits_ ? push(t, y, y + nq_, dy) : 0.0;
    if (refusal_ == FailureKind::friction_out_of_range) return false;
    mass_.solve(a_.data());
    if (joints_.wanted()) {
      if (!joints_.add(mass_, t, y, y + nq_, a_.data())) return false;
      obstacles += joints_.power();
    }
    set_motion(t, y, a_.data(), dy);
    set_works(t, y, obstacles, dy);
    return true;
  }

  FailureKind refusal() const { return refusal_; }  // why the last evaluation was false

  // Gaps and rates of all contacts.
  void measure(double t, const double* y) {
    if (nc_ == 0) return;
    contacts_.place_gaps(t, y);
    contacts_.place_rates(t, y);
    for (int j = 0; j < nc_; ++j) U_[j] = contacts_.rate(j, y + nq_);
  }
  double rate(int j) const { return U_[j]; }
  // The contact whose gap has had no value; −1 if there is none.
  void lose(int j) { lost_ = j; }
  int lost() const { return lost_; }
  const ContactKinematics<double>& contacts() const { return contacts_; }

  // g_j'' with the forces that act now; after measure() and an evaluation at the same point.
  double separation(int j, double t, const double* y) {
    contacts_.place_accelerations(t, y, y + nq_);
    return contacts_.acceleration(j, a_.data());
  }
  // 1/(HᵀM⁻¹H); after measure() at the same point. Infinite if the gradient is zero, negative if M is not definite.
  double effective_mass(int j, double t, const double* q) {
    if (!mass_.place(t, q)) return -1.0;
    std::fill(x_.begin(), x_.end(), 0.0);
    contacts_.add_gradient(j, 1.0, x_.data());
    mass_.solve(x_.data());
    if (joints_.wanted()) joints_.constrain(x_.data());
    return 1.0 / contacts_.along(j, x_.data());
  }
  const double* acceleration() const { return a_.data(); }
  JointForces& joints() { return joints_; }

 private:
  struct Spring {
    bool touching = false;
    ContactLaw law = {};
  };

  // a += H λ, impulses and works; the power of moving obstacles, −∂g/∂tᵀ λ.
  double push(double t, const double* q, const double* v, double* dy) {
    contacts_.place_gaps(t, q);
    contacts_.place_rates(t, q);
    for (int j = 0; j < nc_; ++j) {
      const Spring& spring = springs_[j];
      if (!spring.touching) continue;
      const double U = contacts_.rate(j, v), lambda = contact_force(spring.law, -contacts_.gap(j), -U);
      if (!std::isfinite(lambda)) [[unlikely]]
        lost_ = j;
      contacts_.add_gradient(j, lambda, a_.data());
      impulse(dy, j) = lambda;
      work(dy, j) = lambda * U;
    }
    double work = 0.0;
    for (int j = 0; j < nc_; ++j) work -= contacts_.obstacle_rate(j) * impulse(dy, j);
    return ns_ > 0 ? work + rub(t, q, v, dy) : work;
  }

  // The same of friction, after the contacts have their forces.
  double rub(double t, const double* q, const double* v, double* dy) {
    contacts_.place_bounds(t, q);
    double work = 0.0;
    int slip = held_;
    for (int k = 0; k < model_.nf(); slip += model_.layout().frictions[k++].rows) {
      const Friction& friction = model_.layout().frictions[k];
      const double bound =
          contacts_.bound(k) * (friction.constraint < 0 ? 1.0 : std::max(0.0, impulse(dy, friction.constraint)));
      if (!(contacts_.bound(k) >= 0.0) && bound != 0.0) refusal_ = FailureKind::friction_out_of_range;
      double speed = 0.0;
      for (int s = slip; s < slip + friction.rows; ++s) speed = length(speed, contacts_.rate(s, v));
      for (int s = slip; s < slip + friction.rows; ++s) {
        const double U = contacts_.rate(s, v), lambda = -bound * U / std::max(speed, slip_speed_);
        contacts_.add_gradient(s, lambda, a_.data());
        slip_impulse(dy, s - held_) = lambda;
        friction_work(dy) += lambda * U;
        work -= contacts_.obstacle_rate(s) * lambda;
      }
    }
    return work;
  }
  int slips_begin() const { return motion_size() + 2 + 2 * nc_; }

  const int held_ = nc_ + model_.nb(), ns_ = model_.ns();  // where slips begin, and how many
  const int size_ = slips_begin() + (ns_ > 0 ? ns_ + 1 : 0);
  const bool has_limits_ = ns_ > 0 && model_.layout().frictions.back().constraint < 0;
  double slip_speed_ = 0.0;
  FailureKind refusal_ = FailureKind::none;
  std::vector<Spring> springs_;
  int touching_ = 0, lost_ = -1;
  ContactKinematics<double> contacts_{model_};
  MassFactors<double> mass_{model_};
  JointForces joints_{model_};
  std::vector<double> U_ = zeros(nc_), a_ = zeros(nq_), x_ = a_;
};

}  // namespace ricochet
