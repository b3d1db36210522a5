// Set-up, start and energy account of velocity_step.hpp: what is constant is prepared once, what the step did is
// booked.
#pragma once

#include "scheme/kernel/velocity/velocity_step.hpp"

namespace ricochet {

template <class Value, class Shape>
VelocityStep<Value, Shape>::VelocityStep(const Mechanics<Value>& model, const VelocityRule& rule,
                                         const ComplementaritySettings& solver)
    : model_(model),
      layout_(model.layout()),
      nq_(model.nq()),
      nc_(model.nc()),
      nz_(model.nz()),
      n_(nq_ + nz_),
      theta_(rule.theta),
      phi_(rule.phi),
      theta_v_(rule.theta * rule.psi),
      forecast_(rule.forecast),
      mu_(rule.mu),
      start_time_(rule.start_time),
      hold_(rule.hold),
      at_end_(rule.contacts == VelocityRule::Contacts::gap_at_end),
      at_position_(rule.contacts == VelocityRule::Contacts::position),
      leads_(rule.mu != 0.0),
      blends_(rule.theta != 1.0),
      own_velocity_(rule.psi != 1.0),
      moves_with_mean_(rule.phi == 0.5),
      start_(rule.start),
      constant_mass_(layout_.structure.constant_mass),
      linear_force_(layout_.structure.linear_force && constant_mass_ && nz_ == 0),
      constant_matrix_(linear_force_),
      returns_(rule.mu != 0.0 || rule.theta != 0.5),
      projects_(JointProjection<Value>::is_wanted(layout_)),
      M_(zeros(layout_.mass.size())),
      K_(zeros(layout_.stiffness.size())),
      C_(zeros(layout_.damping.size())),
      rate_z_(zeros(nz_ * nz_)),
      contacts_(model, solver, n_),
      joints_(model),
      linear_(model, linear_force_, vector(nq_)),
      iterations_(vector(nq_), layout_.mass, layout_.nr() > 0 && !layout_.linear_rows()) {
  for (Vector* x : {&q1_, &v1_, &q_theta_, &q_F_, &v_F_, &q_contact_, &F0_, &F1_, &F_, &dq_}) *x = vector(nq_);
  for (Vector* x : {&v_new_, &y_}) *x = vector(n_);
  for (Values* x : {&z1_, &rate0_, &rate1_}) *x = zeros(nz_);
  push_ = zeros(n_);
  for (Values* x : {&F_z_, &rate_q_, &rate_v_}) *x = zeros(nq_ * nz_);
  M_hat_.resize(n_, {&layout_.mass, &layout_.stiffness, &layout_.damping}, nz_ > 0);
  if (projects_) mass_.resize(nq_, {&layout_.mass});
  read_constants();
}

template <class Value, class Shape>
void VelocityStep<Value, Shape>::read_constants() {
  const Values origin = zeros(nq_);
  if (constant_mass_) model_.mass(Value(0.0), origin.data(), M_.data());
  if (!linear_force_) return;
  linear_.take_load(theta_);
  if constexpr (swaps) {
    constexpr int smallest = 64;
    if (nq_ >= smallest) linear_.find_bands();
    has_bands_ =
        contacts_.constant_gradient() && !projects_ && !leads_ && !at_end_ && !at_position_ && linear_.has_bands();
  }
  keeps_energy_ =
      !projects_ && !linear_.has_work() && !(linear_.has_stiffness_return() && returns_) && all(phi_ == Value(0.5));
}

template <class Value, class Shape>
void VelocityStep<Value, Shape>::reload(int lane) {
  contacts_.read_constants();
  if (linear_force_) linear_.read_constants();
  read_constants();
  contacts_.forget(lane);
  joints_.reset();
  mass_ready_ = false;
  prepared_ = false;
  resume();
}

// Constant matrices for a new step size.
template <class Value, class Shape>
void VelocityStep<Value, Shape>::prepare(const Value& h) {
  h_ = h, h_forecast_ = h * forecast_;
  prepared_ = true;
  if (!constant_matrix_) return;
  assemble(M_.data(), linear_.K(), linear_.C());
  ready_ = note(M_hat_.factorise(), FailureKind::singular_iteration_matrix);
  prepared_ = all(ready_);
  if constexpr (Shape::is_constant) {
    ready_ = ready_ & note(contacts_.check_restitution(Value(0.0), nullptr), FailureKind::restitution_out_of_range);
    prepared_ = all(ready_);
  }
  if (!any(ready_)) return;
  if (!contacts_.constant_gradient()) return;
  contacts_.respond_all(M_hat_);
}

// M̂ = [ M + hθψ C + h²θ(φ+μ) K        −hθ ∂F/∂z       ]
//     [ −hθ(∂rate/∂v + hφ ∂rate/∂q)   I − hθ ∂rate/∂z ]
template <class Value, class Shape>
void VelocityStep<Value, Shape>::assemble(const Value* M, const Value* K, const Value* C) {
  const Value a = h_ * theta_, b = h_ * phi_;
  M_hat_.set_zero();
  M_hat_.add(0, M, Value(1.0));
  M_hat_.add(1, K, a * (b + h_ * mu_));
  M_hat_.add(2, C, h_ * theta_v_);
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

template <class Value, class Shape>
Mask<Value> VelocityStep<Value, Shape>::start(const Value& t0, const Value& h, Value* q, Value* v, Value* z,
                                              const Mask<Value>& where) {
  failure_ = FailureKind::none;
  if (!prepared_ || any(h != h_)) prepare(h);
  const Values before(v, v + nq());
  const auto memory = contacts_.memory();
  set_begin(q, v, z);
  resume();
  ledger_ = {};
  const Mask<Value> good =
      start_ == VelocityRule::Start::kick ? kick(t0, h, q, v, z) : advance_velocity(t0, h, q, v, z);
  // Lanes that are on their way are as before.
  for (int i = 0; i < nq(); ++i) v[i] = select(where, v[i], before[static_cast<std::size_t>(i)]);
  contacts_.recall(memory, !where);
  resume();
  return good;
}

// (1) to (5) at (t₀, q₀) for v alone [Paoli 2001, (4.10)]. Nothing moves and no time passes, so what the forces do to
// the energy is the scheme's own doing.
template <class Value, class Shape>
Mask<Value> VelocityStep<Value, Shape>::kick(const Value& t0, const Value& h, Value*, Value* v, Value*) {
  t_theta_ = t0;
  move_ = 0.0, pull_ = start_time_ * h;
  const Mask<Value> good = solve_step(t0, t0);
  if (!any(good)) return good;
  if (linear_force_) linear_.force(leads_ ? q_F_.data() : q_theta_.data(), v_F_.data(), F_.data());
  for (int i = 0; i < nq(); ++i) ledger_.numerical += pull_ * Value(0.5) * (v0_[i] + v1_[i]) * F_[i];
  contacts_.account(v0_, v1_.data(), ledger_);
  for (int i = 0; i < nq(); ++i) v[i] = select(good, v1_[i], v[i]);
  return good;
}

// v := v + start_time h M⁻¹(F + Hλ) [Paoli 2001, (3.2), with the contact forces that a start in contact needs].
template <class Value, class Shape>
Mask<Value> VelocityStep<Value, Shape>::advance_velocity(const Value& t0, const Value& h, Value* q, Value* v,
                                                         Value* z) {
  ContactAcceleration<Value> acceleration(model_);
  acceleration.close_touching(t0, q, v);
  const Mask<Value> good = acceleration.solve(t0, q, v, z);
  note(good, acceleration.failure());
  contacts_.activate_none();
  contacts_.measure(t0, q, v);
  for (int i = 0; i < nq(); ++i) {
    const Value dv = start_time_ * h * acceleration.value()[i], v_mean = v[i] + Value(0.5) * dv;
    ledger_.numerical += start_time_ * h * v_mean * acceleration.total_force()[i];
    v[i] = select(good, v[i] + dv, v[i]);
  }
  return good;
}

template <class Value, class Shape>
bool VelocityStep<Value, Shape>::is_unfinished(int j, int l) const {
  if (!at_position_) return false;
  constexpr double round_off = 1e-9;
  const double minus = lane(contacts_.rate_minus()[j], l), plus = lane(contacts_.rate_plus()[j], l);
  return plus < -lane(contacts_.restitution()[j], l) * minus + round_off * minus;
}

// The ledger's terms of this step (SCHEMES section 16; docs/energy.md).
template <class Value, class Shape>
void VelocityStep<Value, Shape>::account(const Value& t1) {
  if ((keeps_energy_ || (linear_force_ && !accounts_)) && !contacts_.touched()) return;
  ledger_ = {};
  if (linear_force_) {
    if (accounts_) account_linear();
  } else {
    // F, rates and power at the end are the next step's begin.
    if (blends_) {
      model_.force(t1, q1_.data(), v1_.data(), z1_.data(), F0_.data());
      ++counts_.force_evaluations;
    }
    if (nz() > 0) model_.state_rate(t1, q1_.data(), v1_.data(), z1_.data(), rate0_.data());
    if (accounts_) account_power(t1);
  }
  contacts_.account(v0_, v1_.data(), ledger_);
}

// The power of the forces along the motion that is recorded, wherever in the step the scheme takes its forces. Where q
// moves with the mean of both velocities it is that of the ends; otherwise velocities are up to half a step ahead of it
// or behind, F v̇ h/2 would be booked as work, and it is that of Δq/h in the middle.
template <class Value, class Shape>
void VelocityStep<Value, Shape>::account_power(const Value& t1) {
  if (!moves_with_mean_) {
    for (int i = 0; i < nq(); ++i) q_theta_[i] = q0_[i] + Value(0.5) * dq_[i], v_F_[i] = dq_[i] / h_;
    for (int i = 0; i < nz(); ++i) rate1_[i] = Value(0.5) * (z0_[i] + z1_[i]);
    const Power<Value> power = model_.power(t1 - Value(0.5) * h_, q_theta_.data(), v_F_.data(), rate1_.data());
    ledger_.input = h_ * power.input;
    ledger_.damping = h_ * power.damping;
    return;
  }
  const Power<Value> power1 = model_.power(t1, q1_.data(), v1_.data(), z1_.data());
  ledger_.input = h_ * (Value(0.5) * (power0_.input + power1.input));
  ledger_.damping = h_ * (Value(0.5) * (power0_.damping + power1.damping));
  power0_ = power1;
}

// With (1), (2) and v_½ = v_φ + (½−φ) Δv, exactly:
//   numerical = (½−φ) h Δvᵀ F + Δqᵀ K_V (q_½ − q_F) − (M⁻¹H_B τ)ᵀ F + Δqᵀ((f_F − l_F) − (f_½ − l_½))
template <class Value, class Shape>
void VelocityStep<Value, Shape>::account_linear() {
  if (keeps_energy_) return;
  ledger_ =
      linear_work(q0_, v0_, q1_.data(), v1_.data(), dq_.data(), leads_ ? q_F_.data() : q_theta_.data(), v_F_.data());
}
template <class Value, class Shape>
LedgerTerms<Value> VelocityStep<Value, Shape>::linear_work(const Value* q0, const Value* v0, const Value* q1,
                                                           const Value* v1, const Value* dq, const Value* q_F,
                                                           const Value* v_F) {
  LedgerTerms<Value> terms = {};
  linear_.account(q0, q1, dq, q_F, v_F, terms);
  if (leads_ || any(theta_ != Value(0.5))) terms.numerical += linear_.stiffness_return(q0, q1, dq, q_F);
  const Value weight = Value(0.5) - phi_;
  if (!any(weight != Value(0.0)) && !projects_) return terms;
  linear_.force(q_F, v_F, F_.data());
  Value sum = 0.0;
  for (int i = 0; i < nq(); ++i) sum += h_ * (v1[i] - v0[i]) * F_[i];
  terms.numerical += weight * sum;
  for (int i = 0; i < nq() && projects_; ++i) terms.numerical -= joints_.shift()[i] * F_[i];
  return terms;
}

}  // namespace ricochet
