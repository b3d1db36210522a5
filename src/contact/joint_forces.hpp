// Forces of joints alone, for motions whose contacts have forces of their own: a := a + M⁻¹ H_B λ_B with
// H_Bᵀa + c_B = 0; and what brings positions and velocities back onto the joints.
#pragma once

#include "contact/contact_kinematics.hpp"
#include "contact/delassus.hpp"
#include "contact/impact_law.hpp"
#include "contact/mass_factors.hpp"
#include "core/mask_array.hpp"
#include "core/zeros.hpp"

namespace ricochet {

class JointForces {
 public:
  explicit JointForces(const Model& model) : model_(model) {
    for (int j = nc_; j < nr_; ++j) held_[j] = true;
  }
  bool wanted() const { return nr_ > nc_; }

  // False if the joints admit no acceleration.
  bool add(const MassFactors<double>& mass, double t, const double* q, const double* v, double* a) {
    rows_.place_obstacles(t, q);
    rows_.place_accelerations(t, q, v);
    delassus_.set(mass.factors(), rows_.gradients(), held_.data());
    for (int j = nc_; j < nr_; ++j) b_[j] = -rows_.acceleration(j, a);
    return push(a);
  }
  // x := x + M⁻¹ H_B P with H_Bᵀx = 0, where the last forces acted.
  void constrain(double* x) {
    for (int j = nc_; j < nr_; ++j) b_[j] = -rows_.along(j, x);
    push(x);
  }
  const double* reactions() const { return lambda_.data() + nc_; }      // λ_B
  double power() const { return rows_.obstacle_work(lambda_.data()); }  // −o_Bᵀλ_B of driven joints

  // g_B = 0 and U_B = 0.
  FailureKind project(double t, double* q, double* v) {
    if (const FailureKind kind = law_.place(t, q); kind != FailureKind::none) return kind;
    law_.clear();
    if (law_.close_gaps(t, q) != FailureKind::none) return FailureKind::joint_not_held;
    return law_.hold(v);
  }

 private:
  bool push(double* x) {
    if (!delassus_.solve_equalities(held_.data(), b_.data(), lambda_.data())) return false;
    delassus_.add_push(lambda_.data(), x);
    return true;
  }

  const Model& model_;
  const int nc_ = model_.nc(), nr_ = nc_ + model_.nb();
  ContactKinematics<double> rows_{model_};
  Delassus<double> delassus_{model_.nq(), model_.layout()};
  ImpactLaw law_{model_};
  std::vector<double> b_ = zeros(nr_), lambda_ = b_;
  MaskArray<double> held_{nr_};
};

}  // namespace ricochet
