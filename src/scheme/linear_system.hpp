// A linear force in the steps of a scheme: constant matrices, loads at the nodes, and the exact account of its work.
//
//     F = f(t) − l(t) − K q − C v,   E = ½ vᵀMv + ½ qᵀK_V q + lᵀq + c,   D = ½ vᵀC_D v
#pragma once

#include <utility>
#include <vector>

#include "ricochet/core/ledger.hpp"
#include "ricochet/model/model.hpp"

namespace ricochet {

// Vector: one entry a coordinate.
template <class Value, class Vector>
class LinearSystem {
 public:
  // Without a linear force nothing but the size is kept.
  LinearSystem(const Mechanics<Value>& model, bool is_linear, const Vector& zero)
      : model_(model), layout_(model.layout()), f0_(zero), f1_(zero), l0_(zero), l1_(zero), f_(zero), l_(zero) {
    if (!is_linear) return;
    LinearForce<Value> linear = model_.linear_force();
    K_ = linear.K, K_V_ = linear.K_V, C_ = linear.C, C_D_ = linear.C_D;
    other_K_ = K_, other_C_ = C_;
    for (std::size_t k = 0; k < K_.size(); ++k) other_K_[k] -= K_V_[k];
    for (std::size_t k = 0; k < C_.size(); ++k) other_C_[k] -= C_D_[k];
    has_other_K_ = nonzero(other_K_), has_other_C_ = nonzero(other_C_), has_damping_ = nonzero(C_D_);
    has_K_ = nonzero(K_), has_C_ = nonzero(C_), has_K_V_ = nonzero(K_V_);
    set_load(Value(0.0), f0_, l0_, c0_);
    set_load(Value(0.0), f1_, l1_, c1_);
    constant_load_ = layout_.structure.constant_load;
    has_external_load_ = !constant_load_ || nonzero(f0_);
  }

  // Loads at both ends of a step; `goes_on` if it begins where the last one ended. True if they changed.
  bool set_loads(const Value& t0, const Value& t1, bool goes_on) {
    if (constant_load_) return false;
    if (goes_on) {
      std::swap(f0_, f1_), std::swap(l0_, l1_), std::swap(c0_, c1_);
    } else {
      set_load(t0, f0_, l0_, c0_);
    }
    set_load(t1, f1_, l1_, c1_);
    return true;
  }

  // The load that the scheme's force takes: that at w between begin (0) and end (1), …
  void take_load(const Value& w) {
    for (std::size_t i = 0; i < f_.size(); ++i) {
      f_[i] = f0_[i] + w * (f1_[i] - f0_[i]);
      l_[i] = l0_[i] + w * (l1_[i] - l0_[i]);
    }
  }
  // … or ¼, ½, ¼ of those at t₀, t₁ and t₂.
  void take_average_load(const Value& t2) {
    Value c = 0.0;
    set_load(t2, f_, l_, c);
    for (std::size_t i = 0; i < f_.size(); ++i) {
      f_[i] = Value(0.25) * (f0_[i] + f_[i]) + Value(0.5) * f1_[i];
      l_[i] = Value(0.25) * (l0_[i] + l_[i]) + Value(0.5) * l1_[i];
    }
  }

  // F with the load taken.
  void force(const Value* q, const Value* v, Value* F) const {
    for (std::size_t i = 0; i < f_.size(); ++i) F[i] = f_[i] - l_[i];
    if (has_K_) multiply_add(layout_.stiffness, K_.data(), q, Value(-1.0), F);
    if (has_C_) multiply_add(layout_.damping, C_.data(), v, Value(-1.0), F);
  }

  // The exact account of a step that moved from q₀ to q₁ under the force at (q_F, v_F) with the load taken:
  //   input   = Δqᵀ(f − (K−K_V) q_F − (C−C_D) v_F) + Δqᵀ(l_½ − l) + Δlᵀ q_½ + Δc
  //   damping = −Δqᵀ C_D v_F
  // Both and stiffness_return() add up to ΔqᵀF + ΔV.
  void account(const Value* q0, const Value* q1, const Value* dq, const Value* q_F, const Value* v_F,
               LedgerTerms<Value>& ledger) const {
    if (has_external_load_) {
      for (std::size_t i = 0; i < f_.size(); ++i) {
        ledger.input += dq[i] * (f_[i] + (Value(0.5) * (l0_[i] + l1_[i]) - l_[i]));
        ledger.input += (l1_[i] - l0_[i]) * (Value(0.5) * (q0[i] + q1[i]));
      }
      ledger.input += c1_ - c0_;
    }
    if (has_other_K_) ledger.input -= bilinear(layout_.stiffness, other_K_.data(), dq, q_F);
    if (has_other_C_) ledger.input -= bilinear(layout_.damping, other_C_.data(), dq, v_F);
    if (has_damping_) ledger.damping -= bilinear(layout_.damping, C_D_.data(), dq, v_F);
  }

  // Δqᵀ K_V (q_½ − q_F), which belongs to the scheme's own account: 0 for q_F = q_½.
  Value stiffness_return(const Value* q0, const Value* q1, const Value* dq, const Value* q_F) const {
    Value sum = 0.0;
    if (!has_K_V_) return sum;
    for (int j = 0; j < layout_.stiffness.cols; ++j)
      sum += column_dot(layout_.stiffness, K_V_.data(), j, dq) * (Value(0.5) * (q0[j] + q1[j]) - q_F[j]);
    return sum;
  }

  const Value* K() const { return K_.data(); }
  const Value* C() const { return C_.data(); }
  bool has_stiffness_return() const { return has_K_V_; }
  // Whether account() can give anything but 0.
  bool has_work() const { return has_external_load_ || has_other_K_ || has_other_C_ || has_damping_; }

 private:
  static bool nonzero(const auto& x) {
    for (const Value& entry : x)
      if (any(entry != Value(0.0))) return true;
    return false;
  }
  void set_load(const Value& t, Vector& f, Vector& l, Value& c) const {
    Load<Value> load{f.data(), l.data(), c};
    model_.load(t, load);
    c = load.c;
  }

  const Mechanics<Value>& model_;
  const Layout& layout_;
  std::vector<Value> K_, K_V_, other_K_, C_, C_D_, other_C_;
  Vector f0_, f1_, l0_, l1_;  // at the ends of the step
  Vector f_, l_;              // as the force takes them
  Value c0_ = 0.0, c1_ = 0.0;
  bool has_K_ = false, has_C_ = false, has_K_V_ = false, has_external_load_ = false, has_other_K_ = false,
       has_other_C_ = false, has_damping_ = false, constant_load_ = false;
};

}  // namespace ricochet
