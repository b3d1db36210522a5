// Set-up and energy account of velocity_step.hpp: what is constant is prepared once, what the step did is booked.
#pragma once

#include "scheme/velocity_step.hpp"

namespace ricochet {

template <class Value, int Size>
VelocityStep<Value, Size>::VelocityStep(const Mechanics<Value>& model, const VelocityRule& rule,
                                        const ComplementaritySettings& solver)
    : model_(model),
      layout_(model.layout()),
      nq_(model.nq()),
      nc_(model.nc()),
      nz_(model.nz()),
      n_(nq_ + nz_),
      theta_(rule.theta),
      phi_(rule.phi),
      theta_v_(rule.explicit_velocity ? 0.0 : rule.theta),
      gamma_(rule.gamma),
      at_end_(rule.activation == VelocityRule::Activation::end_of_step),
      explicit_velocity_(rule.explicit_velocity),
      linear_force_(layout_.structure.linear_force && layout_.structure.constant_mass && nz_ == 0),
      constant_matrix_(linear_force_),
      constant_gradient_(layout_.structure.linear_gaps),
      fixed_gaps_(layout_.structure.fixed_gaps),
      M_(zeros(layout_.mass.size())),
      K_(zeros(layout_.stiffness.size())),
      C_(zeros(layout_.damping.size())),
      H_(zeros(layout_.gradient.size())),
      X_(zeros(n_ * nc_)),
      F_z_(zeros(nq_ * nz_)),
      rate_q_(zeros(nz_ * nq_)),
      rate_v_(zeros(nz_ * nq_)),
      rate_z_(zeros(nz_ * nz_)),
      contacts_(nc_, solver),
      q1_(vector(nq_)),
      v1_(vector(nq_)),
      q_theta_(vector(nq_)),
      v_theta_(vector(nq_)),
      v_new_(vector(n_)),
      y_(vector(n_)),
      F0_(vector(nq_)),
      F1_(vector(nq_)),
      F_theta_(vector(nq_)),
      dq_(vector(nq_)),
      z1_(zeros(nz_)),
      rate0_(zeros(nz_)),
      rate1_(zeros(nz_)),
      f0_(vector(nq_)),
      f1_(vector(nq_)),
      l0_(vector(nq_)),
      l1_(vector(nq_)),
      load_theta_(vector(nq_)),
      load0_{f0_.data(), l0_.data(), Value(0.0)},
      load1_{f1_.data(), l1_.data(), Value(0.0)},
      g_(zeros(nc_)),
      offset_(zeros(nc_)),
      U_(zeros(nc_)),
      U_minus_(zeros(nc_)),
      U_plus_(zeros(nc_)),
      U_free_(zeros(nc_)),
      g_t0_(zeros(nc_)),
      g_t1_(zeros(nc_)),
      b_(zeros(nc_)),
      P_(zeros(nc_)),
      e_(zeros(nc_)),
      active_(static_cast<std::size_t>(nc_)) {
  M_hat_.resize(n_);
  const Values origin = zeros(nq_);
  if (layout_.structure.constant_mass) model_.mass(Value(0.0), origin.data(), M_.data());
  if (constant_gradient_) {
    model_.gap_gradient(Value(0.0), origin.data(), H_.data());
    if (fixed_gaps_) model_.gap(Value(0.0), origin.data(), offset_.data());
  }
  if (layout_.structure.constant_restitution) model_.restitution(Value(0.0), origin.data(), e_.data());
  if (!linear_force_) return;

  const auto nonzero = [](const auto& x) {
    for (const Value& entry : x)
      if (any(entry != Value(0.0))) return true;
    return false;
  };
  LinearForce<Value> linear = model_.linear_force();
  K_ = linear.K, K_V_ = linear.K_V, C_ = linear.C, C_D_ = linear.C_D;
  other_K_ = K_, other_C_ = C_;
  for (std::size_t k = 0; k < K_.size(); ++k) other_K_[k] -= K_V_[k];
  for (std::size_t k = 0; k < C_.size(); ++k) other_C_[k] -= C_D_[k];
  has_other_K_ = nonzero(other_K_), has_other_C_ = nonzero(other_C_), has_damping_ = nonzero(C_D_);
  model_.load(Value(0.0), load0_);
  model_.load(Value(0.0), load1_);
  has_external_load_ = !layout_.structure.constant_load || nonzero(f0_);
  has_K_ = nonzero(K_), has_C_ = nonzero(C_);
  average_load();
}

// f_θ − l_θ
template <class Value, int Size>
void VelocityStep<Value, Size>::average_load() {
  const Value *f0 = load0_.f, *f1 = load1_.f, *l0 = load0_.l, *l1 = load1_.l;
  for (int i = 0; i < nq(); ++i) load_theta_[i] = (f0[i] - l0[i]) + theta_ * ((f1[i] - l1[i]) - (f0[i] - l0[i]));
}

// Constant matrices for a new step size.
template <class Value, int Size>
void VelocityStep<Value, Size>::prepare(const Value& h) {
  h_ = h, h_gamma_ = h * gamma_;
  if (!constant_matrix_) return;
  assemble(M_.data(), K_.data(), C_.data());
  if (!all(note(M_hat_.factorise(), FailureKind::singular_iteration_matrix))) {
    h_ = std::numeric_limits<double>::quiet_NaN();
    return;
  }
  if (constant_gradient_) {
    for (int j = 0; j < nc_; ++j) active_[j] = Mask<Value>(true);
    set_responses();
  }
}

// M̂ = [ M + hθ(C + hφ K)              −hθ ∂F/∂z       ]
//     [ −hθ(∂rate/∂v + hφ ∂rate/∂q)   I − hθ ∂rate/∂z ],   without C where the force takes v₀
template <class Value, int Size>
void VelocityStep<Value, Size>::assemble(const Value* M, const Value* K, const Value* C) {
  const Value a = h_ * theta_, b = h_ * phi_;
  M_hat_.set_zero();
  M_hat_.add(layout_.mass, M, Value(1.0));
  M_hat_.add(layout_.damping, C, h_ * theta_v_);
  M_hat_.add(layout_.stiffness, K, a * b);
  for (int j = 0; j < nz(); ++j) {
    for (int i = 0; i < nq(); ++i) M_hat_(i, nq() + j) = -a * F_z_[static_cast<std::size_t>(j) * nq() + i];
    for (int i = 0; i < nz(); ++i) M_hat_(nq() + i, nq() + j) = -a * rate_z_[static_cast<std::size_t>(j) * nz() + i];
    M_hat_(nq() + j, nq() + j) += Value(1.0);
  }
  for (int j = 0; j < nq() && nz() > 0; ++j)
    for (int i = 0; i < nz(); ++i) {
      const std::size_t k = static_cast<std::size_t>(j) * nz() + i;
      M_hat_(nq() + i, j) = -a * (rate_v_[k] + b * rate_q_[k]);
    }
}

// X_j = M̂⁻¹ H_j and W = Hᵀ X for the constraints that are active anywhere.
template <class Value, int Size>
void VelocityStep<Value, Size>::set_responses() {
  const Pattern& gradient = layout_.gradient;
  for (int j = 0; j < nc_; ++j) {
    if (!any(active_[j])) continue;
    Value* x = X_.data() + static_cast<std::size_t>(j) * n();
    for (int i = 0; i < n(); ++i) x[i] = 0.0;
    for (int k = gradient.start[j]; k < gradient.start[j + 1]; ++k) x[gradient.row[k]] = H_[k];
    M_hat_.solve(x);
    contacts_.set_column(gradient, H_.data(), j, x);
  }
}

// The ledger's terms of this step (SCHEMES section 16; docs/energy.md).
template <class Value, int Size>
void VelocityStep<Value, Size>::account(const Value& t1) {
  ledger_ = {};
  if (linear_force_) {
    account_linear();
  } else {
    // θ rule for the power of the forces; F, rates and power at the end are the next step's begin.
    model_.force(t1, q1_.data(), v1_.data(), z1_.data(), F0_.data());
    ++counts_.force_evaluations;
    if (nz() > 0) model_.state_rate(t1, q1_.data(), v1_.data(), z1_.data(), rate0_.data());
    const Power<Value> power1 = model_.power(t1, q1_.data(), v1_.data(), z1_.data());
    ledger_.input = h_ * (power0_.input + theta_ * (power1.input - power0_.input));
    ledger_.damping = h_ * (power0_.damping + theta_ * (power1.damping - power0_.damping));
    power0_ = power1;
  }
  account_contacts();
}

template <class Value, int Size>
void VelocityStep<Value, Size>::account_contacts() {
  if (!touched_) return;
  // impact = ½ (U₀ + U₁)ᵀ P; a moving obstacle works −½ (∂g/∂t₀ + ∂g/∂t₁)ᵀ P.
  for (int j = 0; j < nc_; ++j) {
    if (!any(active_[j])) continue;
    U_plus_[j] = g_t1_[j] + column_dot(layout_.gradient, H_.data(), j, v1_.data());
    ledger_.impact += Value(0.5) * (U_minus_[j] + U_plus_[j]) * P_[j];
    if (!fixed_gaps_) ledger_.input -= Value(0.5) * (g_t0_[j] + g_t1_[j]) * P_[j];
  }
}

// With E = ½ vᵀMv + ½ qᵀK_V q + lᵀq + c and (1), (2), exactly:
//   input     = Δqᵀ(f_θ − (K−K_V) q_θ − (C−C_D) v_θ) + Δlᵀ(θ q₀ + (1−θ) q₁) + Δc
//   damping   = −Δqᵀ C_D v_θ
//   numerical = (½−φ) h Δvᵀ F_θ + (½−θ) Δqᵀ K_V Δq          (v_½ = v_φ + (½−φ) Δv, q_½ = q_θ + (½−θ) Δq)
template <class Value, int Size>
void VelocityStep<Value, Size>::account_linear() {
  if (has_external_load_) {
    const Value *f0 = load0_.f, *f1 = load1_.f, *l0 = load0_.l, *l1 = load1_.l;
    for (int i = 0; i < nq(); ++i) {
      ledger_.input += dq_[i] * (f0[i] + theta_ * (f1[i] - f0[i]));
      ledger_.input += (l1[i] - l0[i]) * (q1_[i] - theta_ * (q1_[i] - q0_[i]));
    }
    ledger_.input += load1_.c - load0_.c;
  }
  if (has_other_K_) ledger_.input -= bilinear(layout_.stiffness, other_K_.data(), dq_.data(), q_theta_.data());
  if (has_other_C_) ledger_.input -= bilinear(layout_.damping, other_C_.data(), dq_.data(), v_theta_.data());
  if (has_damping_) ledger_.damping = -bilinear(layout_.damping, C_D_.data(), dq_.data(), v_theta_.data());

  const Value weight_F = Value(0.5) - phi_, weight_K = Value(0.5) - theta_;
  if (any(weight_K != Value(0.0)) && (has_K_ || has_other_K_))
    ledger_.numerical = weight_K * bilinear(layout_.stiffness, K_V_.data(), dq_.data(), dq_.data());
  if (!any(weight_F != Value(0.0))) return;
  evaluate_linear_force();
  Value sum = 0.0;
  for (int i = 0; i < nq(); ++i) sum += h_ * (v1_[i] - v0_[i]) * F_theta_[i];
  ledger_.numerical += weight_F * sum;
}

}  // namespace ricochet
