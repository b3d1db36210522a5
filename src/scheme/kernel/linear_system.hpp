// A linear force in the steps of a scheme: constant matrices, loads at the nodes, and the exact account of its work.
//
//     F = f(t) − l(t) − K q − C v,   E = ½ vᵀMv + ½ qᵀK_V q + lᵀq + V₀,   D = ½ vᵀC_D v
#pragma once

#include <algorithm>
#include <type_traits>
#include <utility>
#include <vector>

#include "core/diagonals.hpp"
#include "core/shape.hpp"
#include "ricochet/core/ledger.hpp"
#include "ricochet/model/model.hpp"

namespace ricochet {

// Vector: one entry a coordinate.
template <class Value, class Vector, class Shape = AnyShape>
class LinearSystem {
 public:
  // Without a linear force nothing but the size is kept.
  LinearSystem(const Mechanics<Value>& model, bool is_linear, const Vector& zero)
      : model_(model),
        stiffness_(model.layout().stiffness),
        damping_(model.layout().damping),
        ends_{End{zero, zero}, End{zero, zero}},
        f_(zero),
        l_(zero) {
    if (is_linear) read_constants();
  }

  // What the model says once and for all; again if its values changed.
  void read_constants() {
    set_matrices(model_.linear_force());
    other_K_ = K_, other_C_ = C_;
    for (std::size_t k = 0; k < K_.size(); ++k) other_K_[k] -= K_V_[k];
    for (std::size_t k = 0; k < C_.size(); ++k) other_C_[k] -= C_D_[k];
    has_other_K_ = nonzero(other_K_), has_other_C_ = nonzero(other_C_), has_damping_ = nonzero(C_D_);
    has_K_ = nonzero(K_), has_C_ = nonzero(C_), has_K_V_ = nonzero(K_V_);
    set_load(Value(0.0), begin());
    set_load(Value(0.0), end());
    constant_load_ = model_.layout().structure.constant_load;
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
    if (has_K_) multiply_add(stiffness_, K_.data(), q, Value(-1.0), F);
    if (has_C_) multiply_add(damping_, C_.data(), v, Value(-1.0), F);
  }

  // Large systems whose matrices are bands: y = factor (F at (q + reach v, v)), block by block.
  bool has_bands() const requires std::is_same_v<Value, double> {
    return (!has_K_ || K_band_.is_set()) && (!has_C_ || C_band_.is_set()) && (has_K_ || has_C_);
  }
  void find_bands() requires std::is_same_v<Value, double> {
    if (has_K_) K_band_.set(stiffness_, K_);
    if (has_C_) C_band_.set(damping_, C_);
  }
  void scaled_force(const double* q, const double* v, double reach, double move, double factor, double* y) const {
    constexpr int block = 512, halo = 8;
    const int n = static_cast<int>(f_.size());
    double x[block + 2 * halo];
    const auto gather = [&](int first, int rows, const auto& at) {
      for (int i = -halo; i < rows + halo; ++i) x[i + halo] = 0.0;
      const int from = std::max(0, first - halo), to = std::min(n, first + rows + halo);
      for (int i = from; i < to; ++i) x[i - first + halo] = at(i);
    };
    for (int first = 0; first < n; first += block) {
      const int rows = std::min(block, n - first);
      double* const out = y + first;
      for (int i = 0; i < rows; ++i) out[i] = f_[first + i] - l_[first + i];
      if (has_K_) {
        gather(first, rows, [&](int i) { return q[i] + reach * (move * v[i]); });
        K_band_.subtract(first, rows, x + halo, out);
      }
      if (has_C_) {
        gather(first, rows, [&](int i) { return v[i]; });
        C_band_.subtract(first, rows, x + halo, out);
      }
      for (int i = 0; i < rows; ++i) out[i] *= factor;
    }
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
    if (has_other_K_) ledger.input -= bilinear(stiffness_, other_K_.data(), dq, q_F);
    if (has_other_C_) ledger.input -= bilinear(damping_, other_C_.data(), dq, v_F);
    if (has_damping_) ledger.damping -= bilinear(damping_, C_D_.data(), dq, v_F);
  }

  // Δqᵀ K_V (q_½ − q_F), which belongs to the scheme's own account: 0 for q_F = q_½.
  Value stiffness_return(const Value* q0, const Value* q1, const Value* dq, const Value* q_F) const {
    Value sum = 0.0;
    if (!has_K_V_) return sum;
    for (int j = 0; j < stiffness_.cols; ++j)
      sum += column_dot(stiffness_, K_V_.data(), j, dq) * (Value(0.5) * (q0[j] + q1[j]) - q_F[j]);
    return sum;
  }

  // In the order of the layout.
  const Value* K() const { return Shape::is_constant ? listed_.K.data() : K_.data(); }
  const Value* C() const { return Shape::is_constant ? listed_.C.data() : C_.data(); }
  bool constant_load() const { return constant_load_; }
  bool has_stiffness_return() const { return has_K_V_; }
  // Whether account() can give anything but 0.
  bool has_work() const { return has_external_load_ || has_other_K_ || has_other_C_ || has_damping_; }

 private:
  void set_matrices(LinearForce<Value>&& linear) {
    if constexpr (Shape::is_constant) {
      const Layout& layout = model_.layout();
      listed_ = std::move(linear);
      arrange(layout.stiffness, listed_.K.data(), stiffness_, K_.data());
      arrange(layout.stiffness, listed_.K_V.data(), stiffness_, K_V_.data());
      arrange(layout.damping, listed_.C.data(), damping_, C_.data());
      arrange(layout.damping, listed_.C_D.data(), damping_, C_D_.data());
    } else {
      K_ = std::move(linear.K), K_V_ = std::move(linear.K_V), C_ = std::move(linear.C), C_D_ = std::move(linear.C_D);
    }
  }
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
  using Matrix = ShapedVector<Shape, Value, Shape::coordinates * Shape::coordinates>;
  const ShapedPattern<Shape, Shape::coordinates> stiffness_, damping_;
  Diagonals K_band_, C_band_;  // of large systems
  LinearForce<Value> listed_;  // where the matrices below are full
  Matrix K_, K_V_, other_K_, C_, C_D_, other_C_;
  End ends_[2];
  int begin_ = 0;  // which of them is the begin of the step
  Vector f_, l_;   // as the force takes them
  bool has_K_ = false, has_C_ = false, has_K_V_ = false, has_external_load_ = false, has_other_K_ = false,
       has_other_C_ = false, has_damping_ = false, constant_load_ = false;
};

}  // namespace ricochet
