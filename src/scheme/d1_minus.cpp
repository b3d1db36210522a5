// D1-minus [Schindler, Acary 2014], half-explicit on acceleration level: the velocity is linear inside a step and jumps
// at its end.
//
//   a₀⁺ = M₀⁻¹(F(t₀, q₀, v₀) + H λ₀),   v_p = v₀ + h a₀⁺,   q₁ = q₀ + ½h (v₀ + v_p)                 (1)
//   a₁⁻ = M₁⁻¹(F(t₁, q₁, v_p) + H λ₁),  v₁⁻ = v₀ + ½h (a₀⁺ + a₁⁻)                                   (2)
//   v₁ = v₁⁻ + M₁⁻¹ H Λ,   0 ≤ U₁ + e U₁⁻ ⊥ Λ ≥ 0 where g(t₁, q₁) ≤ 0                               (3)
//
// λ: acceleration LCP 0 ≤ Γ ⊥ λ ≥ 0 on the contacts that are closed; one that closes in the step gets none.
// Closing rule: an impact slower than what the forces do to the rate in one step, |U⁻| ≤ h|Γ| with Γ < 0, has no
// rebound, and the contact is closed from then on until Γ > 0; without it a body at rest would sink by ½(1−e)/(1+e)
// h|Γ| per unit time. A closed contact that presses is held at g = 0, U = 0 at the nodes: tested afresh by g ≤ 0, a
// curved gap would flicker.
//
// Friction: a₀⁺ with the modes that the acceleration problem chooses, a₁⁻ with the same ones; a step in which one of
// them would end is one of Moreau and Jean (kernel/mode_steps.hpp).
#include "ricochet/scheme/d1_minus.hpp"

#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>

#include "contact/contact_acceleration.hpp"
#include "contact/lasting_contacts.hpp"
#include "core/zeros.hpp"
#include "scheme/describe.hpp"
#include "scheme/kernel/failure_text.hpp"
#include "scheme/kernel/held_contacts_ode.hpp"
#include "scheme/kernel/linear_system.hpp"
#include "scheme/kernel/mode_steps.hpp"

namespace ricochet {
namespace {

class D1MinusStepper final : public Stepper {
 public:
  D1MinusStepper(const Model& model, const D1Minus&, const ComplementaritySettings& solver)
      : model_(model), forces_(model, solver), lasting_(model, solver) {
    if (model.nf() > 0) friction_.emplace(model, solver, forces_, lasting_);
  }

  void begin(const State& state) override {
    forces_.open_all();
    forces_.close_touching(state.t, state.q.data(), state.v.data());
    lasting_.begin(forces_);
    goes_on_ = false;
    if (friction_) friction_->steps.begin();
  }

  FailureKind advance(State& state, double h, double t_end, StepReport& report) override {
    if (friction_ && !is_smooth(state.t, h, t_end, state.q.data(), state.v.data())) {
      goes_on_ = false;
      return failure_ = friction_->steps.step_over(state, h, t_end, report);
    }
    failure_ =
        friction_ ? finish_smooth(state, h, t_end, report) : step(state.t, h, t_end, state.q.data(), state.v.data());
    if (failure_ != FailureKind::none) return failure_;
    report.energy.add(ledger_);
    for (int j = 0; j < nc_; ++j) report.violation = std::max(report.violation, -g0_[j]);
    report_contacts(state, h, report);
    state.q.swap(q1_);
    state.v.swap(v1_);
    state.t = t_end;
    return FailureKind::none;
  }

  std::string failure_detail() const override {
    if (friction_) return friction_->steps.moreau().failure_detail();
    const ContactKinematics<double>& rows = lasting_.contacts();
    const ContactProblemEnd problem = lasting_.problem(forces_).last_end();
    return failure_text(model_, failure_,
                        {q1_.data(),
                         v1_.data(),
                         nullptr,
                         F_mean_.data(),
                         rows.restitutions(),
                         problem,
                         {},
                         g1_.data(),
                         rows.gradients()});
  }
  bool ledger_is_exact() const override {
    return linear_force_ && (!friction_ || friction_->steps.moreau().ledger_is_exact());
  }
  StepCounts counts() const override {
    StepCounts counts = counts_;
    counts.contact_problems += lasting_.problems();
    return friction_ ? counts += friction_->steps.counts() : counts;
  }

  void reactions(const State& state, double* lambda) override {
    if (friction_) return friction_->flow.reactions(state, lambda);
    if (accelerate(state.t, state.q.data(), state.v.data()) == FailureKind::none)
      std::copy_n(forces_.reactions(), model_.nb(), lambda);
  }

 private:
  bool fails(FailureKind kind) { return (failure_ = kind) != FailureKind::none; }
  FailureKind step(double t0, double h, double t1, const double* q, const double* v) {
    ledger_ = {};
    std::fill(contact_impulse_.begin(), contact_impulse_.end(), 0.0);
    if (fails(begin_step(t0, q, v))) return failure_;
    predict(h, q, v);
    if (fails(accelerate(t1, q1_.data(), v_predicted_.data()))) return failure_;
    for (int i = 0; i < nq_; ++i) F_mean_[i] = 0.5 * (F0_[i] + forces_.force()[i]);
    if (!correct(h, v, forces_.value())) return FailureKind::not_finite;
    model_.gap(t1, q1_.data(), g1_.data());
    if (!is_finite(nc_, g1_.data())) return FailureKind::not_finite;
    if (may_touch()) {
      begin_.place_rates(t0, q);
      if (fails(act(t1, h))) return failure_;
    }
    account_smooth(t0, h, t1, q, v);
    goes_on_ = true;
    return FailureKind::none;
  }
  // a = M⁻¹(F + Hλ) with the contacts that are closed now.
  FailureKind accelerate(double t, const double* q, const double* v) {
    lasting_.close_in(forces_);
    ++counts_.force_evaluations;
    if (forces_.any_closed()) ++counts_.contact_problems;
    return forces_.solve(t, q, v, nullptr) ? FailureKind::none : forces_.failure();
  }

  FailureKind begin_step(double t0, const double* q, const double* v) {
    if (fails(accelerate(t0, q, v))) return failure_;
    std::copy(forces_.value(), forces_.value() + nq_, a0_.begin());
    std::copy(forces_.force(), forces_.force() + nq_, F0_.begin());
    std::copy(forces_.multiplier(), forces_.multiplier() + nr_, lambda0_.begin());
    lasting_.open_unloaded(forces_);
    if (goes_on_) {
      std::swap(g0_, g1_);
    } else {
      model_.gap(t0, q, g0_.data());
    }
    return FailureKind::none;
  }
  // (1), with a₀⁺.
  void predict(double h, const double* q, const double* v) {
    for (int i = 0; i < nq_; ++i) {
      v_predicted_[i] = v[i] + h * a0_[i];
      q1_[i] = q[i] + 0.5 * h * (v[i] + v_predicted_[i]);
    }
  }

  // (2), with a₁⁻. False if the end is not finite.
  bool correct(double h, const double* v, const double* a1) {
    double sum = 0.0;
    for (int i = 0; i < nq_; ++i) {
      v_minus_[i] = v1_[i] = v[i] + 0.5 * h * (a0_[i] + a1[i]);
      v_half_[i] = 0.5 * (v[i] + v_minus_[i]);
      sum += v1_[i] + q1_[i];
    }
    return std::isfinite(sum);
  }
  // Whether a contact acts in this step: only then gradients are needed.
  bool may_touch() const {
    for (int j = 0; j < nc_; ++j)
      if (g1_[j] <= 0.0 || lasting_.is_closed(j) || lambda0_[j] > 0.0) return true;
    return held_ > nc_;
  }

  // Lasting contacts and impacts at the end of the step.
  FailureKind act(double t1, double h) {
    if (fails(lasting_.place(t1, q1_.data()))) return failure_;
    std::copy(forces_.multiplier(), forces_.multiplier() + nr_, lambda1_.begin());
    account_lasting(h);
    if (fails(lasting_.hold(t1, q1_.data(), v1_.data(), forces_.multiplier()))) return failure_;
    const auto is_short = [&](int j, double U_minus, double U_plus, double Gamma) {
      return lasting_.is_back_within(h, j, U_minus, U_plus, Gamma);
    };
    const FailureKind kind = lasting_.settle(t1, q1_.data(), v1_.data(), nullptr, &forces_, is_short, h);
    ledger_ += lasting_.ledger();
    for (int j = 0; j < nc_; ++j) {
      g1_[j] = lasting_.contacts().gap(j);
      contact_impulse_[j] += lasting_.impulse(j);
    }
    return kind;
  }

  // Steps of models with friction.
  struct WithFriction {
    WithFriction(const Model& model, const ComplementaritySettings& solver, ContactAcceleration<double>& forces,
                 LastingContacts& lasting)
        : flow(model), steps(model, solver, flow, forces, lasting) {}
    HeldContactsOde flow;
    ModeSteps steps;
    std::vector<double> y = zeros(flow.size(true)), dy = y, outputs = zeros(flow.outputs());
  };
  bool evaluate(double t, const double* q, const double* v, std::vector<double>& a, std::vector<double>& lambda) {
    WithFriction& friction = *friction_;
    std::copy(q, q + nq_, friction.y.begin());
    std::copy(v, v + nq_, friction.y.begin() + nq_);
    if (!friction.flow(t, friction.y.data(), friction.dy.data(), friction.outputs.data())) return false;
    std::copy(friction.flow.acceleration(), friction.flow.acceleration() + nq_, a.begin());
    std::copy(friction.flow.multipliers(), friction.flow.multipliers() + nr_, lambda.begin());
    return friction.steps.hold_at(friction.outputs.data());
  }
  // The step without its projections. False if something switches in it, or would have no acceleration.
  bool is_smooth(double t0, double h, double t1, const double* q, const double* v) {
    if (!friction_->steps.choose(t0, q, v, nullptr) || !evaluate(t0, q, v, a0_, lambda0_)) return false;
    predict(h, q, v);
    return evaluate(t1, q1_.data(), v_predicted_.data(), a1_, lambda1_) && correct(h, v, a1_.data()) &&
           friction_->steps.hold_until(t1, q1_.data(), v1_.data());
  }

  FailureKind finish_smooth(const State& begin, double h, double t1, StepReport& report) {
    const double *q = begin.q.data(), *v = begin.v.data();
    ledger_ = {};
    std::fill(contact_impulse_.begin(), contact_impulse_.end(), 0.0);
    model_.gap(begin.t, q, g0_.data());
    begin_.place_rates(begin.t, q);
    model_.force(begin.t, q, v, nullptr, F0_.data());
    model_.force(t1, q1_.data(), v_predicted_.data(), nullptr, F_mean_.data());
    for (int i = 0; i < nq_; ++i) F_mean_[i] = 0.5 * (F0_[i] + F_mean_[i]);
    if (fails(lasting_.place(t1, q1_.data()))) return failure_;
    account_lasting(h);
    if (fails(friction_->steps.finish(t1, q1_.data(), v1_.data(), lambda1_.data()))) return failure_;
    ledger_ += lasting_.ledger();
    for (int j = 0; j < nc_; ++j) contact_impulse_[j] += lasting_.impulse(j);
    if (report.friction.size() < static_cast<std::size_t>(nr_ - held_)) report.friction.resize(nr_ - held_);
    for (int r = held_; r < nr_; ++r)
      report.friction[r - held_] += 0.5 * h * (lambda0_[r] + lambda1_[r]) + lasting_.slip_impulse(r - held_);
    account_smooth(begin.t, h, t1, q, v);
    goes_on_ = true;
    return FailureKind::none;
  }

  // With M constant and v̄ = ½(v₀ + v₁⁻), exactly ΔT = h v̄ᵀF̄ + ½h v̄ᵀ(H₀λ₀ + H₁λ₁) up to the impact. Input and damping
  // are booked with the force at the middle of the step, so that
  //   numerical = h v̄ᵀF̄ − Δqᵀ(F at q_½, v̄).
  void account_smooth(double t0, double h, double t1, const double* q, const double* v) {
    if (!linear_force_) {
      const Power<double> power0 = model_.power(t0, q, v, nullptr);
      const Power<double> power1 = model_.power(t1, q1_.data(), v_minus_.data(), nullptr);
      ledger_.input += 0.5 * h * (power0.input + power1.input);
      ledger_.damping += 0.5 * h * (power0.damping + power1.damping);
      return;
    }
    if (linear_.set_loads(t0, t1, goes_on_) || !goes_on_) linear_.take_load(0.5);
    for (int i = 0; i < nq_; ++i) {
      dq_[i] = q1_[i] - q[i];
      q_half_[i] = 0.5 * (q[i] + q1_[i]);
    }
    linear_.account(q, q1_.data(), dq_.data(), q_half_.data(), v_half_.data(), ledger_);
    for (int i = 0; i < nq_; ++i) ledger_.numerical += h * v_half_[i] * F_mean_[i];
    linear_.force(q_half_.data(), v_half_.data(), F_mean_.data());
    for (int i = 0; i < nq_; ++i) ledger_.numerical -= dq_[i] * F_mean_[i];
  }

  // ½h v̄ᵀ(H₀λ₀ + H₁λ₁), for joints the scheme's own; of it a moving obstacle does −½h(∂g/∂t₀ λ₀ + ∂g/∂t₁ λ₁).
  void account_lasting(double h) {
    for (int j = 0; j < nr_; ++j) {
      const double push0 = 0.5 * h * lambda0_[j], push1 = 0.5 * h * lambda1_[j];
      const ContactKinematics<double>& end = lasting_.contacts();
      (j < nc_     ? ledger_.impact
       : j < held_ ? ledger_.numerical
                   : ledger_.friction) += begin_.rate(j, v_half_.data()) * push0 + end.rate(j, v_half_.data()) * push1;
      ledger_.input -= begin_.obstacle_rate(j) * push0 + end.obstacle_rate(j) * push1;
      if (j < nc_) contact_impulse_[j] += push0 + push1;
    }
  }

  void report_contacts(const State& begin, double h, StepReport& report) const {
    for (int j = 0; j < nc_; ++j) {
      if (!(contact_impulse_[j] > 0.0)) continue;
      const double U0 = begin_.rate(j, begin.v.data()), flight = U0 < 0.0 ? std::clamp(-g0_[j] / U0, 0.0, h) : 0.0;
      ContactReport contact{.constraint = j, .t = begin.t + flight};
      const bool struck = lasting_.was_struck(j);
      if (struck) {
        contact = lasting_.report(j, contact.t);
        contact.smooth_rate_change = contact.rate_minus - U0;
      }
      contact.impulse = contact_impulse_[j];
      report.contacts.push_back(contact, struck ? lasting_.slip_report(j) : SlipReport{});
    }
  }

  const Model& model_;
  const int nq_ = model_.nq(), nc_ = model_.nc(), held_ = nc_ + model_.nb();  // contacts and rows of joints
  const int nr_ = model_.layout().rows.cols;                                  // and slips
  const Structure& structure_ = model_.layout().structure;
  const bool linear_force_ = structure_.linear_force && structure_.constant_mass;
  ContactAcceleration<double> forces_;
  LastingContacts lasting_;
  LinearSystem<double, std::vector<double>> linear_{model_, linear_force_, zeros(nq_)};

  ContactKinematics<double> begin_{model_};  // rates at the begin of the step
  std::vector<double> lambda0_ = zeros(nr_), lambda1_ = lambda0_;
  std::vector<double> g0_ = zeros(nc_), g1_ = g0_, contact_impulse_ = g0_;
  std::vector<double> a0_ = zeros(nq_), a1_ = a0_, F0_ = a0_, F_mean_ = a0_, v_predicted_ = a0_, v_minus_ = a0_;
  std::vector<double> v1_ = a0_, q1_ = a0_, dq_ = a0_, q_half_ = a0_, v_half_ = a0_;
  bool goes_on_ = false;
  std::optional<WithFriction> friction_;

  LedgerTerms<double> ledger_;
  StepCounts counts_;
  FailureKind failure_ = FailureKind::none;
};

}  // namespace

template <>
SchemeEntry scheme_entry<D1Minus>() {
  return {
      .name = "d1-minus",
      .summary = "time-discontinuous Galerkin D1-minus: velocities linear in a step, impacts at its end",
      .explanation =
          "Half-explicit: two force evaluations a step, contact forces of closed contacts at acceleration level, "
          "impacts by the impact law where the end of the step lies inside an obstacle. No nonlinear solve. A closed "
          "contact is held on its surface exactly; one whose impacts become slower than what the forces do in a step "
          "closes. Explicit forces limit the step to about h ω < 2.",
      .order = "2 in free flight and in lasting contact, 1 across impacts (position in the sup norm, velocity in L1)",
      .literature =
          "T. Schindler, V. Acary, Timestepping schemes for nonsmooth dynamics based on discontinuous Galerkin "
          "methods: definition and outlook, Math. Comput. Simul. 95 (2014) 180, doi:10.1016/j.matcom.2012.04.012",
      .flight_order = 2.0,
      .traits = always<Traits{.takes_friction = true}>,
      .make = make_as<D1Minus, D1MinusStepper>,
  };
}

}  // namespace ricochet
