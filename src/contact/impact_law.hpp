// Contacts and joints at one instant: the impact law, and what keeps closed contacts closed. For schemes that treat
// events at nodes; no allocation after construction.
#pragma once

#include <vector>

#include "contact/contact_kinematics.hpp"
#include "contact/delassus.hpp"
#include "contact/mass_factors.hpp"
#include "contact/row_resolution.hpp"
#include "core/mask_array.hpp"
#include "core/zeros.hpp"
#include "ricochet/contact/contact_report.hpp"
#include "ricochet/core/status.hpp"
#include "ricochet/model/model.hpp"

namespace ricochet {

class ImpactLaw {
 public:
  explicit ImpactLaw(const Model& model, const ComplementaritySettings& solver = {});

  // M, H, g, ∂g/∂t and e at (t, q).
  FailureKind place(double t, const double* q);
  const ContactKinematics<double>& contacts() const { return contacts_; }

  // Who takes part in what follows, joints always; `soft` ones lose their rate whatever their restitution is. A slip is
  // included to be held; struck are those of the contacts that are.
  void clear();
  void include(int j, bool soft = false);
  void include_slip(int row) { include(row); }
  bool is_included(int j) const { return included_[j]; }
  int included_count() const { return count_; }
  int size() const { return nr_; }    // of all rows
  int held() const { return held_; }  // of contacts and joints: the slips begin there

  // U⁺ = U⁻ + W P, 0 ≤ U⁺ + e U⁻ ⊥ P ≥ 0, v⁺ = v⁻ + M⁻¹ H P on those included (Acary 2018, (27)); on slips of contacts
  // −P_S ∈ μ P ∂‖U_S⁺ + e_T U_S⁻‖. A force with a limit has no impulse at an instant,
  // and the limit L·duration otherwise.
  FailureKind strike(double* v, double duration = 0.0);
  double rate_minus(int j) const { return U_minus_[j]; }
  double rate_plus(int j) const { return U_plus_[j]; }
  double impulse(int j) const { return P_[j]; }
  // What friction did at contact j.
  SlipReport slip_report(int j) const { return slip_report_of(slips_, j, U_minus_, U_plus_, P_, contacts_.bounds()); }
  // W of those included; strike() and hold() do it themselves.
  void respond() { delassus_.set(mass_.factors(), contacts_.gradients(), included_.data()); }
  // Whether another one included breaks continuous dependence together with j (contact/impact.hpp).
  bool meets_discontinuity(int j);
  // use(k, H_kᵀM⁻¹H_j) for the contacts k for which it may differ from 0, and H_jᵀM⁻¹H_j; j is included. With joints
  // M⁻¹ is what they leave of it: W_NN − W_NB W_BB⁺ W_BN.
  template <class Use>
  void each_product(int j, const Use& use) {
    if (held_ == nc_)
      return delassus_.each_entry(j, [&](int k, double W) {
        if (k < nc_) use(k, W);
      });
    push_held(j);
    for (int k = 0; k < nc_; ++k) product_[k] = contacts_.along(k, x_.data());
    for (int k = 0; k < nc_; ++k) use(k, product_[k]);
  }
  double own_product(int j) {
    if (held_ == nc_) return delassus_.diagonal(j);
    push_held(j);
    return contacts_.along(j, x_.data());
  }

  // v := v + M⁻¹ H P with U = 0 for those included, P of either sign: drift of contacts that are closed anyway.
  FailureKind hold(double* v);

  // q := q + M⁻¹ H ν with g = 0 for those included, by Newton's method; places itself at the result.
  FailureKind close_gaps(double t, double* q);

  const Delassus<double>& problem() const { return delassus_; }

 private:
  // x = M⁻¹ (H_j + H_B P_B) with H_Bᵀx = 0.
  void push_held(int j);
  void add_push_sizes();
  // x += M⁻¹ H P with W P = −b on those of `rows`.
  void project(const bool* rows, double* x);
  // Whether gaps b that close_gaps() does not bring nearer to 0 are the round-off of their formulas.
  bool is_resolved(double t, const double* q);

  const Layout& layout_;
  const int nc_, held_, nr_;  // contacts, with joints, and all rows
  ContactKinematics<double> contacts_;
  MassFactors<double> mass_;
  RowResolution<double> resolution_;
  Delassus<double> delassus_;
  std::vector<double> U_minus_ = zeros(nr_), U_plus_ = U_minus_, b_ = U_minus_, P_ = U_minus_;
  std::vector<double> x_ = zeros(layout_.nq()), product_ = zeros(nc_), unit_ = zeros(nr_), target_ = unit_;
  MaskArray<double> included_{nr_}, soft_{nr_}, placed_{nr_}, joints_{nr_};
  const std::vector<SlipRow> slips_ = slip_rows(layout_);
  std::vector<double> bounds_ = zeros(layout_.nf());
  const std::vector<bool> joint_has_position_ = layout_.joint_has_position();
  int count_ = 0;
};

}  // namespace ricochet
