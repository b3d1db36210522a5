// A linear force in the steps of a scheme: constant matrices, loads at the nodes, and the exact account of its work.
//
//     F = f(t) − l(t) − K q − C v,   E = ½ vᵀMv + ½ qᵀK_V q + lᵀq + V₀,   D = ½ vᵀC_D v
#pragma once

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
      : model_(model), layout_(model.layout()), ends_{End{zero, zero}, End{zero, zero}}, f_(zero), l_(zero) {
    if (is_linear) read_constants();
  }

  // What the model says once and for all; again if its values changed.
  void read_constants() {
    LinearForce<Value> linear = model_.linear_force();
    K_ = linear.K, K_V_ = linear.K_V, C_ = linear.C, C_D_ = linear.C_D;
    other_K_ = K_, other_C_ = C_;
    for (std::size_t k = 0; k < K_.size(); ++k) other_K_[k] -= K_V_[k];
    for (std::size_t k = 0; k < C_.size(); ++k) other_C_[k] -= C_D_[k];
    has_other_K_ = nonzero(other_K_), has_other_C_ = nonzero(other_C_), has_damping_ = nonzero(C_D_);
    has_K_ = nonzero(K_), has_C_ = nonzero(C_), has_K_V_ = nonzero(K_V_);
    set_load(Value(0.0), begin());
    set_load(Value(0.0), end());
    constant_load_ = layout_.structure.constant_load;
    has_external_load_ = !constant_load_ || nonzero(begin().f);
  }

  // Loads at both ends of a step; `goes_on` if it begins where the last one ended. True if they changed.
  bool set_loads(const Value& t0, const Value& t1, bool goes_on) {
    if (constant_load_) return false;
    if (goes_on) {
      begin_ = 1 - begin_;
    } else {
      set_load(t0, begin());
    }
    set_load(t1, end());
    return true;
  }

  // The load that the scheme's force takes: that at w between begin (0) and end (1), …
  void take_load(const Value& w) {
    for (std::size_t i = 0; i < f_.size(); ++i) {
      f_[i] = begin().f[i] + w * (end().f[i] - begin().f[i]);
      l_[i] = begin().l[i] + w * (end().l[i] - begin().l[i]);
    }
  }
  // … or ¼, ½, ¼ of those at t₀, t₁ and t₂.
  void take_average_load(const Value& t2) {
    Load<Value> load{f_.data(), l_.data(), Value(0.0)};
    model_.load(t2, load);
    for (std::size_t i = 0; i < f_.size(); ++i) {
      f_[i] = Value(0.25) * (begin().f[i] + f_[i]) + Value(0.5) * end().f[i];
      l_[i] = Value(0.25) * (begin().l[i] + l_[i]) + Value(0.5) * end().l[i];
    }
  }

  // F with the load taken.
  void force(const Value* q, const Value* v, Value* F) const {
    for (std::size_t i = 0; i < f_.size(); ++i) F[i] = f_[i] - l_[i];
    if (has_K_) multiply_add(layout_.stiffness, K_.data(), q, Value(-1.0), F);
    if (has_C_) multiply_add(layout_.damping, C_.data(), v, Value(-1.0), F);
  }

  // The exact account of a step that moved from q₀ to q₁ under the force at (q_F, v_F) with the load taken:
  //   input     = Δqᵀ(f_½ − (K−K_V) q_F − (C−C_D) v_F) + Δlᵀ q_½ + Δc
  //   damping   = −Δqᵀ C_D v_F
  //   numerical = Δqᵀ((f − l) − (f_½ − l_½))
  // The input is the work of the load along the motion; that the scheme takes the load elsewhere in the step is its own
  // doing. All and stiffness_return() add up to ΔqᵀF + ΔV.
  void account(const Value* q0, const Value* q1, const Value* dq, const Value* q_F, const Value* v_F,
               LedgerTerms<Value>& ledger) const {
    if (has_external_load_) {
      for (std::size_t i = 0; i < f_.size(); ++i) {
        const Value f_half = Value(0.5) * (begin().f[i] + end().f[i]),
                    l_half = Value(0.5) * (begin().l[i] + end().l[i]);
        ledger.input += dq[i] * f_half + (end().l[i] - begin().l[i]) * (Value(0.5) * (q0[i] + q1[i]));
        ledger.numerical += dq[i] * ((f_[i] - l_[i]) - (f_half - l_half));
      }
      ledger.input += end().V0 - begin().V0;
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
  // The load at one end of a step.
  struct End {
    Vector f, l;
    Value V0 = 0.0;
  };
  End& begin() { return ends_[begin_]; }
  End& end() { return ends_[1 - begin_]; }
  const End& begin() const { return ends_[begin_]; }
  const End& end() const { return ends_[1 - begin_]; }
  void set_load(const Value& t, End& end) const {
    Load<Value> load{end.f.data(), end.l.data(), end.V0};
    model_.load(t, load);
    end.V0 = load.V0;
  }

  const Mechanics<Value>& model_;
  const Layout& layout_;
  std::vector<Value> K_, K_V_, other_K_, C_, C_D_, other_C_;
  End ends_[2];
  int begin_ = 0;  // which of them is the begin of the step
  Vector f_, l_;   // as the force takes them
  bool has_K_ = false, has_C_ = false, has_K_V_ = false, has_external_load_ = false, has_other_K_ = false,
       has_other_C_ = false, has_damping_ = false, constant_load_ = false;
};

}  // namespace ricochet
