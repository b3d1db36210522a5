// One step at velocity level, over doubles or lanes: the recursion of Moreau's and Jean's schemes.
//
//   M(q_θ)(v₁ − v₀) − h F_θ = H(q_θ) P            x_θ = (1−θ) x₀ + θ x₁                        (1)
//   q₁ = q₀ + h v_φ,   z₁ = z₀ + h rate_θ                                                      (2)
//   0 ≤ U₁ + e U₀ ⊥ P ≥ 0 on A,   P = 0 elsewhere                                              (3)
//   U₀ = Hᵀ(q_θ) v₀ + ∂g/∂t(t₀),   U₁ = Hᵀ(q_θ) v₁ + ∂g/∂t(t₁)                                 (4)
//
//   scheme                     θ      φ      A                             F
//   moreau-jean                θ      θ      g(t₀, q₀) + γ h U ≤ 0         average of both ends   [Acary 2018, (41)]
//   moreau-jean-dissipative    θ      ½      the same                      the same               [Acary 2018, (87)]
//   moreau, mabrouk            1      0      g(t₁, q₁) ≤ 0                 F(t₁, q₁, v₁)          [Paoli 2008; 2001]
//   moreau-inelastic           1      0      g(t₁, q₁) ≤ 0, e = 0          F(t₁, q₁, v₀)          [Paoli, abstract]
//
// mabrouk begins with a velocity step on the spot, kick(): (1) to (4) at t₀ and q₀ [Paoli 2001, (4.10)].
//
// Newton on (v₁, z₁) with the contact problem inside. With constant M, K, C the iteration matrix
// M̂ = M + hθ C + h²θφ K is factorised once, and with constant H too one iteration is the solution.
// Left out of M̂: the derivatives of M(q_θ)(v₁−v₀) and H(q_θ)P, both O(h) against M.
#pragma once

#include <array>
#include <limits>
#include <type_traits>
#include <utility>
#include <vector>

#include "core/dense_lu.hpp"
#include "core/mask_array.hpp"
#include "ricochet/core/status.hpp"
#include "ricochet/model/model.hpp"
#include "ricochet/scheme/stepper.hpp"
#include "scheme/contact_problem.hpp"

namespace ricochet {

struct VelocityRule {
  enum class Activation {
    forecast,    // g(t₀, q₀) + γ h U ≤ 0
    end_of_step  // g(t₁, q₁) ≤ 0, for φ = 0
  };
  double theta = 0.5;  // θ: weight of the end in the force, and where M and H are taken
  double phi = 0.5;    // φ: weight of the end in the velocity that moves q
  double gamma = 0.5;  // γ of the forecast
  Activation activation = Activation::forecast;
  bool explicit_velocity = false;  // the force takes v₀
};

// Size: the number of coordinates if the compiler knows it (loops of a few turns are then unrolled) and there are no
// auxiliary states; 0 for any.
template <class Value, int Size = 0>
class VelocityStep {
 public:
  VelocityStep(const Mechanics<Value>& model, const VelocityRule& rule, const ComplementaritySettings& solver = {});

  // The state was set from outside: nothing of the last step's end may be reused.
  void begin() { remembers_ = false; }

  // From (t0, q, v, z) to t1 = t0 + h, in place. False for lanes that failed: their state is kept.
  Mask<Value> step(const Value& t0, const Value& h, const Value& t1, Value* q, Value* v, Value* z);

  // The velocity step on the spot: v only, at (t0, q).
  Mask<Value> kick(const Value& t0, const Value& h, Value* q, Value* v, Value* z);

  // Of the last step. Rates and impulses hold where active() does.
  const Mask<Value>* active() const { return active_.data(); }
  bool touched() const { return touched_; }
  const Value* gap() const { return g_.data(); }            // at the begin
  const Value* forecast_rate() const { return U_.data(); }  // at the begin, with its own H
  const Value* rate_minus() const { return U_minus_.data(); }
  const Value* rate_plus() const { return U_plus_.data(); }
  const Value* rate_free() const { return U_free_.data(); }  // without contact forces
  const Value* impulse() const { return P_.data(); }
  const LedgerTerms<Value>& ledger() const { return ledger_; }
  bool ledger_is_exact() const { return linear_force_; }
  const StepCounts& counts() const { return counts_; }

  // Of the last failure.
  FailureKind failure() const { return failure_; }
  const Value* trial_q() const { return q1_.data(); }
  const Value* trial_v() const { return v1_.data(); }
  const Value* trial_z() const { return z1_.data(); }
  const Value* trial_force() const { return F_theta_.data(); }
  const Value* restitution() const { return e_.data(); }
  const ContactProblem<Value>& contacts() const { return contacts_; }

 private:
  using Values = std::vector<Value>;
  static Values zeros(int n) { return Values(static_cast<std::size_t>(n), Value(0.0)); }
  // One entry a coordinate, in place if their number is known.
  using Vector = std::conditional_t<(Size > 0), std::array<Value, static_cast<std::size_t>(Size)>, Values>;
  static Vector vector(int n) {
    if constexpr (Size > 0) {
      Vector x;
      x.fill(Value(0.0));
      return x;
    } else {
      return zeros(n);
    }
  }

  void prepare(const Value& h);
  void assemble(const Value* M, const Value* K, const Value* C);
  void measure(const Value& t0);
  void activate(const Value& t1);
  Mask<Value> check_restitution(const Value& t0);
  Mask<Value> solve_step(const Value& t0, const Value& t1);
  void average_load();
  void begin_forces(const Value& t0, const Value& t1);
  void place_begin();
  void place_next(const Mask<Value>& done);
  void place_end();
  void evaluate_linear_force();
  void residual(const Value& t1, bool first);
  Mask<Value> refresh_matrix(const Value& t1);
  void set_responses();
  Mask<Value> solve_contacts(const Value& t0, const Value& t1);
  Mask<Value> iterate(const Value& t0, const Value& t1, bool first);
  Mask<Value> converged(int iteration);
  void account(const Value& t1);
  void account_linear();
  void account_contacts();
  // The first failure is the one to tell.
  Mask<Value> note(const Mask<Value>& good, FailureKind kind) {
    if (failure_ == FailureKind::none && !all(good)) failure_ = kind;
    return good;
  }
  // A sum is finite only if its terms are.
  static Mask<Value> is_finite(const auto& x) {
    Value sum = 0.0;
    for (const Value& entry : x) sum += entry;
    return finite(sum);
  }
  Mask<Value> end_is_finite() const {
    Value sum = 0.0;
    for (int i = 0; i < nq(); ++i) sum += q1_[i] + v1_[i];
    for (int i = 0; i < nz(); ++i) sum += z1_[i];
    return finite(sum);
  }

  const Mechanics<Value>& model_;
  const Layout& layout_;
  const int nq_, nc_, nz_, n_;
  int nq() const { return Size > 0 ? Size : nq_; }
  int nz() const { return Size > 0 ? 0 : nz_; }
  int n() const { return Size > 0 ? Size : n_; }
  const Value theta_, phi_, theta_v_, gamma_;
  const bool at_end_, explicit_velocity_;

  // What the model's structure allows to reuse.
  const bool linear_force_, constant_matrix_, constant_gradient_, fixed_gaps_;
  bool has_K_ = false, has_C_ = false, has_external_load_ = false, has_other_K_ = false, has_other_C_ = false,
       has_damping_ = false;

  Value h_ = std::numeric_limits<double>::quiet_NaN(), h_gamma_ = 0.0, t_theta_ = 0.0;
  Value move_ = 0.0;  // h, or 0 in a step on the spot
  bool remembers_ = false, touched_ = false;
  const Value *q0_ = nullptr, *v0_ = nullptr, *z0_ = nullptr;

  Values M_, K_, C_, H_, X_;              // matrices; X = M̂⁻¹ H, one column of n a constraint
  Values other_K_, K_V_, other_C_, C_D_;  // linear force: K − K_V, K_V, C − C_D, C_D
  Values F_z_, rate_q_, rate_v_, rate_z_;
  DenseLu<Value, Size> M_hat_;
  DefinitenessTest<Value> is_definite_;
  ContactProblem<Value> contacts_;

  Vector q1_, v1_, q_theta_, v_theta_, v_new_, y_, F0_, F1_, F_theta_, dq_;
  Values z1_, rate0_, rate1_;
  Vector f0_, f1_, l0_, l1_, load_theta_;  // loads at begin and end; f_θ − l_θ
  Load<Value> load0_, load1_;
  Values g_, offset_, U_, U_minus_, U_plus_, U_free_, g_t0_, g_t1_, b_, P_, e_;
  MaskArray<Value> active_;
  Power<Value> power0_;
  Value change_ = 0.0, last_change_ = 0.0;

  LedgerTerms<Value> ledger_;
  StepCounts counts_;
  FailureKind failure_ = FailureKind::none;
};

// g and U at the begin of the step.
template <class Value, int Size>
void VelocityStep<Value, Size>::measure(const Value& t0) {
  const Pattern& gradient = layout_.gradient;
  if (!constant_gradient_) model_.gap_gradient(t0, q0_, H_.data());
  if (!fixed_gaps_) model_.gap_time_derivative(t0, q0_, g_t0_.data());
  const bool affine = constant_gradient_ && fixed_gaps_;
  if (!affine) model_.gap(t0, q0_, g_.data());
  for (int j = 0; j < nc_; ++j) {
    if (affine) g_[j] = offset_[j] + column_dot(gradient, H_.data(), j, q0_);
    U_[j] = g_t0_[j] + column_dot(gradient, H_.data(), j, v0_);
  }
}

// The active set: by forecast from the begin, or by the gap at the end, which for φ = 0 is known already.
template <class Value, int Size>
void VelocityStep<Value, Size>::activate(const Value& t1) {
  const bool touched_before = touched_;
  const bool affine = constant_gradient_ && fixed_gaps_;
  if (at_end_ && !affine) model_.gap(t1, q1_.data(), b_.data());
  touched_ = false;
  for (int j = 0; j < nc_; ++j) {
    Value decisive = g_[j] + h_gamma_ * U_[j];
    if (at_end_) decisive = affine ? offset_[j] + column_dot(layout_.gradient, H_.data(), j, q1_.data()) : b_[j];
    active_[j] = decisive <= Value(0.0);
    touched_ = touched_ || any(active_[j]);
  }
  for (int j = 0; j < nc_ && touched_before; ++j) P_[j] = 0.0;
}

template <class Value, int Size>
Mask<Value> VelocityStep<Value, Size>::check_restitution(const Value& t0) {
  Mask<Value> good = true;
  if (!touched_ || layout_.structure.constant_restitution) return good;
  model_.restitution(t0, q0_, e_.data());
  for (int j = 0; j < nc_; ++j) good = good & ((!active_[j]) | ((e_[j] >= Value(0.0)) & (e_[j] <= Value(1.0))));
  return note(good, FailureKind::restitution_out_of_range);
}

// F, rates and loads at the begin: those of the last end where the motion goes on.
template <class Value, int Size>
void VelocityStep<Value, Size>::begin_forces(const Value& t0, const Value& t1) {
  if (linear_force_) {
    if (layout_.structure.constant_load) return;
    if (remembers_) {
      std::swap(load0_, load1_);
    } else {
      model_.load(t0, load0_);
    }
    model_.load(t1, load1_);
    average_load();
    return;
  }
  if (remembers_) return;
  model_.force(t0, q0_, v0_, z0_, F0_.data());
  ++counts_.force_evaluations;
  if (nz() > 0) model_.state_rate(t0, q0_, v0_, z0_, rate0_.data());
  power0_ = model_.power(t0, q0_, v0_, z0_);
}

// v_θ, q_θ and q₁ for v₁ = v₀: where Newton begins.
template <class Value, int Size>
void VelocityStep<Value, Size>::place_begin() {
  for (int i = 0; i < nq(); ++i) {
    v1_[i] = v_theta_[i] = v0_[i];
    dq_[i] = move_ * v0_[i];
    q_theta_[i] = q0_[i] + theta_ * dq_[i];
    q1_[i] = q0_[i] + dq_[i];
  }
  for (int i = 0; i < nz(); ++i) z1_[i] = z0_[i];
}

// The same for v₁ = v_new, except in lanes that are done: these repeat their last iteration, and so give the
// same numbers again.
template <class Value, int Size>
void VelocityStep<Value, Size>::place_next(const Mask<Value>& done) {
  for (int i = 0; i < nq(); ++i) v1_[i] = select(done, v1_[i], v_new_[i]);
  for (int i = 0; i < nz(); ++i) z1_[i] = select(done, z1_[i], v_new_[nq() + i]);
  place_end();
}

template <class Value, int Size>
void VelocityStep<Value, Size>::place_end() {
  for (int i = 0; i < nq(); ++i) {
    v_theta_[i] = v0_[i] + theta_v_ * (v1_[i] - v0_[i]);
    dq_[i] = move_ * (v0_[i] + phi_ * (v1_[i] - v0_[i]));
    q1_[i] = q0_[i] + dq_[i];
    q_theta_[i] = q0_[i] + theta_ * dq_[i];
  }
}

// F_θ = f_θ − l_θ − K q_θ − C v_θ
template <class Value, int Size>
void VelocityStep<Value, Size>::evaluate_linear_force() {
  for (int i = 0; i < nq(); ++i) F_theta_[i] = load_theta_[i];
  if (has_K_) multiply_add(layout_.stiffness, K_.data(), q_theta_.data(), Value(-1.0), F_theta_.data());
  if (has_C_) multiply_add(layout_.damping, C_.data(), v_theta_.data(), Value(-1.0), F_theta_.data());
}

// y = −(residual of (1) and (2)) = h F_θ − M(q_θ)(v₁ − v₀), h rate_θ − (z₁ − z₀); at first v₁ = v₀
template <class Value, int Size>
void VelocityStep<Value, Size>::residual(const Value& t1, bool first) {
  if (linear_force_) {
    evaluate_linear_force();
  } else {
    model_.force(t1, q1_.data(), explicit_velocity_ ? v0_ : v1_.data(), z1_.data(), F1_.data());
    for (int i = 0; i < nq(); ++i) F_theta_[i] = F0_[i] + theta_ * (F1_[i] - F0_[i]);
  }
  ++counts_.force_evaluations;
  for (int i = 0; i < nq(); ++i) y_[i] = h_ * F_theta_[i];
  for (int j = 0; j < nq() && !first; ++j) {
    const Value dv = v1_[j] - v0_[j];
    for (int k = layout_.mass.start[j]; k < layout_.mass.start[j + 1]; ++k) y_[layout_.mass.row[k]] -= M_[k] * dv;
  }
  if (nz() == 0) return;
  model_.state_rate(t1, q1_.data(), v1_.data(), z1_.data(), rate1_.data());
  for (int i = 0; i < nz(); ++i) y_[nq() + i] = h_ * (rate0_[i] + theta_ * (rate1_[i] - rate0_[i])) - (z1_[i] - z0_[i]);
}

// Matrices that change with the motion: M(t_θ, q_θ), K, C and the derivatives of z' at the end of the step.
template <class Value, int Size>
Mask<Value> VelocityStep<Value, Size>::refresh_matrix(const Value& t1) {
  Mask<Value> good = true;
  if (!layout_.structure.constant_mass)
    good = good & note(is_definite_(layout_.mass, M_.data()), FailureKind::mass_not_positive_definite);
  model_.force_jacobians(t1, q1_.data(), v1_.data(), z1_.data(), K_.data(), C_.data());
  if (nz() > 0)
    model_.state_jacobians(t1, q1_.data(), v1_.data(), z1_.data(), F_z_.data(), rate_q_.data(), rate_v_.data(),
                           rate_z_.data());
  assemble(M_.data(), K_.data(), C_.data());
  return good & note(M_hat_.factorise(), FailureKind::singular_iteration_matrix);
}

// P from (3) and (4) with v₁ = v_free + X P; v_new holds v_free here.
template <class Value, int Size>
Mask<Value> VelocityStep<Value, Size>::solve_contacts(const Value& t0, const Value& t1) {
  const Pattern& gradient = layout_.gradient;
  if (!constant_gradient_) model_.gap_gradient(t_theta_, q_theta_.data(), H_.data());
  if (!fixed_gaps_) {
    model_.gap_time_derivative(t0, q_theta_.data(), g_t0_.data());
    model_.gap_time_derivative(t1, q_theta_.data(), g_t1_.data());
  }
  if (!(constant_matrix_ && constant_gradient_)) set_responses();
  for (int j = 0; j < nc_; ++j) {
    if (!any(active_[j])) continue;
    U_minus_[j] = g_t0_[j] + column_dot(gradient, H_.data(), j, v0_);
    U_free_[j] = g_t1_[j] + column_dot(gradient, H_.data(), j, v_new_.data());
    b_[j] = U_free_[j] + e_[j] * U_minus_[j];
  }
  ++counts_.contact_problems;
  return note(contacts_.solve(active_.data(), b_.data(), P_.data()), FailureKind::complementarity_not_solved);
}

// Whether the last iteration moved (v₁, z₁) by less than matters: relative to the velocities, or to what
// moves q by round-off. A linear rate of convergence is used to see it one iteration ahead.
template <class Value, int Size>
Mask<Value> VelocityStep<Value, Size>::converged(int iteration) {
  constexpr double epsilon = std::numeric_limits<double>::epsilon();
  Value speed = 0.0, place = 0.0, size = 0.0, change_z = 0.0;
  change_ = 0.0;
  for (int i = 0; i < nq(); ++i) {
    change_ = larger(change_, absolute(v_new_[i] - v1_[i]));
    speed = larger(speed, larger(absolute(v_new_[i]), absolute(v0_[i])));
    place = larger(place, absolute(q0_[i]));
  }
  for (int i = 0; i < nz(); ++i) {
    change_z = larger(change_z, absolute(v_new_[nq() + i] - z1_[i]));
    size = larger(size, larger(absolute(v_new_[nq() + i]), absolute(z0_[i])));
  }
  const Value tolerance = Value(1e-12) * speed + Value(4.0 * epsilon) * place / h_;
  const Value tolerance_z = Value(1e-12) * size + Value(std::numeric_limits<double>::min());
  Mask<Value> done = change_ <= tolerance;
  if (iteration > 0 && nz() == 0) {
    const Value rate = change_ / last_change_;
    done = done | ((rate < Value(0.5)) & (rate * change_ <= Value(0.5) * tolerance));
    // Round-off keeps it from falling further: as good as it gets.
    done = done | ((rate > Value(0.5)) & (change_ <= Value(1e3) * tolerance));
  }
  last_change_ = change_;
  return done & (change_z <= tolerance_z);
}

// One Newton iteration: (v_new, z_new) = (v₁, z₁) + M̂⁻¹ y + X P with P from the contact problem.
template <class Value, int Size>
Mask<Value> VelocityStep<Value, Size>::iterate(const Value& t0, const Value& t1, bool first) {
  ++counts_.newton_iterations;
  if (!layout_.structure.constant_mass) model_.mass(t_theta_, q_theta_.data(), M_.data());
  residual(t1, first);
  Mask<Value> good = true;
  if (!constant_matrix_) good = note(is_finite(y_), FailureKind::not_finite) & refresh_matrix(t1);
  M_hat_.solve(y_.data());
  for (int i = 0; i < nq(); ++i) v_new_[i] = v1_[i] + y_[i];
  for (int i = 0; i < nz(); ++i) v_new_[nq() + i] = z1_[i] + y_[nq() + i];
  if (!touched_) return good;

  good = good & solve_contacts(t0, t1);
  for (int j = 0; j < nc_; ++j) {
    if (!any(active_[j])) continue;
    const Value* x = X_.data() + static_cast<std::size_t>(j) * n();
    for (int i = 0; i < n(); ++i) v_new_[i] += x[i] * P_[j];
  }
  return good;
}

// (1) to (4) from (t₀, q₀, v₀, z₀): Newton, one iteration where matrices and, if anything touches, gradients are
// constant. The result is in q1_, v1_, z1_.
template <class Value, int Size>
Mask<Value> VelocityStep<Value, Size>::solve_step(const Value& t0, const Value& t1) {
  constexpr int most_iterations = 50;
  measure(t0);
  begin_forces(t0, t1);
  place_begin();
  activate(t1);
  Mask<Value> good = check_restitution(t0) & (failure_ == FailureKind::none);
  const bool one_iteration = constant_matrix_ && (constant_gradient_ || !touched_);
  Mask<Value> done = !good;
  for (int iteration = 0; !all(done); ++iteration) {
    if (iteration == most_iterations) {
      good = good & note(done, FailureKind::newton_not_converged);
      break;
    }
    if (iteration > 0) place_next(done);
    good = good & iterate(t0, t1, iteration == 0);
    if (one_iteration) break;
    done = done | (!good) | converged(iteration);
  }
  if (!any(good)) return good;
  for (int i = 0; i < nq(); ++i) v1_[i] = v_new_[i];
  for (int i = 0; i < nz(); ++i) z1_[i] = v_new_[nq() + i];
  place_end();
  return good & note(end_is_finite(), FailureKind::not_finite);
}

template <class Value, int Size>
Mask<Value> VelocityStep<Value, Size>::step(const Value& t0, const Value& h, const Value& t1, Value* q, Value* v,
                                            Value* z) {
  failure_ = FailureKind::none;
  if (any(h != h_)) prepare(h);
  q0_ = q, v0_ = v, z0_ = z;
  t_theta_ = t0 + theta_ * h;
  move_ = h;
  const Mask<Value> good = solve_step(t0, t1);
  if (!any(good)) return good;
  account(t1);
  const bool everywhere = all(good);
  for (int i = 0; i < nq(); ++i) {
    q[i] = everywhere ? q1_[i] : select(good, q1_[i], q[i]);
    v[i] = everywhere ? v1_[i] : select(good, v1_[i], v[i]);
  }
  for (int i = 0; i < nz(); ++i) z[i] = select(good, z1_[i], z[i]);
  remembers_ = true;
  return good;
}

// Nothing moves and no time passes, so what the forces do to the energy is the scheme's own doing.
template <class Value, int Size>
Mask<Value> VelocityStep<Value, Size>::kick(const Value& t0, const Value& h, Value* q, Value* v, Value* z) {
  failure_ = FailureKind::none;
  if (any(h != h_)) prepare(h);
  q0_ = q, v0_ = v, z0_ = z;
  t_theta_ = t0;
  move_ = 0.0;
  begin();
  const Mask<Value> good = solve_step(t0, t0);
  if (!any(good)) return good;
  ledger_ = {};
  if (linear_force_) evaluate_linear_force();
  for (int i = 0; i < nq(); ++i) ledger_.numerical += h_ * Value(0.5) * (v0_[i] + v1_[i]) * F_theta_[i];
  account_contacts();
  for (int i = 0; i < nq(); ++i) v[i] = select(good, v1_[i], v[i]);
  begin();
  return good;
}

}  // namespace ricochet

#include "scheme/velocity_step_setup.hpp"
