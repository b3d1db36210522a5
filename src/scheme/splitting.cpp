// Splitting [Acary 2018, (140)-(143)]: smooth motion over the step, then the impacts at its end.
//
//   (q₁, v₁⁻) = flow of  q' = v,  M v' = F + H λ  over h, one explicit Runge-Kutta step                (1)
//   0 ≤ Γ ⊥ λ ≥ 0 on closed contacts, or λ = 0 without contact forces                                  (2)
//   v₁ = v₁⁻ + M⁻¹ H P,   0 ≤ U₁ + e U₁⁻ ⊥ P ≥ 0 where g(t₁, q₁) ≤ 0                                   (3)
//
// When a contact closes, which the source leaves open: an impact (g ≤ 0, the predicate of (3)) slower than what the
// forces do to the rate in one step, |U⁻| ≤ h|Γ| with Γ < 0, has no rebound, and what has no rebound is closed from
// then on until Γ > 0. A closed contact that presses is held at g = 0, U = 0 at the nodes.
//
// Friction: (1) with the modes that the acceleration problem chooses at its begin; a step in which one of them would
// end, or a gap closes, is one of Moreau and Jean (kernel/mode_steps.hpp). Without contact forces friction acts in (3),
// −P_S ∈ μ P ∂‖U_S + e_T U_S⁻‖, dry friction with the limit hL: a body that sticks creeps by ½h|f_S| per unit time, f_S
// being the acceleration of its slip by the other forces.
//
// Adaptive steps: the table's embedded result estimates the error of (1), and a step that would go deeper into an
// obstacle than the tolerance is cut where the gap closes. The contact then closes where the flight after the impact
// would stay within the tolerance, (eU⁻)² ≤ 2|Γ| tol. With friction a step in which something switches is cut where the
// modes still hold, and the step of Moreau and Jean goes over the little that is left: so short that neither positions
// nor speeds leave their tolerances in it.
#include "ricochet/scheme/splitting.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <span>
#include <utility>

#include "contact/impact_angles.hpp"
#include "contact/lasting_contacts.hpp"
#include "core/constants.hpp"
#include "core/zeros.hpp"
#include "ricochet/core/error.hpp"
#include "ricochet/core/quantity.hpp"
#include "scheme/describe.hpp"
#include "scheme/event/gap_search.hpp"
#include "scheme/kernel/event_step_control.hpp"
#include "scheme/kernel/failure_text.hpp"
#include "scheme/kernel/held_contacts_step.hpp"
#include "scheme/kernel/mode_steps.hpp"
#include "scheme/kernel/unilateral_contacts_ode.hpp"

namespace ricochet {
namespace {

class SplittingStepper final : public Stepper {
 public:
  SplittingStepper(const Model& model, const Splitting& scheme, const ComplementaritySettings& solver)
      : model_(model), scheme_(scheme), flow_(model, solver), lasting_(model, solver) {
    if (model.nf() > 0 && scheme.contact_forces)
      friction_.emplace(model, find_tableau(scheme.tableau), solver, flow_.contacts(), lasting_);
  }

  void begin(const State& state) override {
    ContactAcceleration<double>& contacts = flow_.contacts();
    contacts.open_all();
    if (scheme_.contact_forces) contacts.close_touching(state.t, state.q.data(), state.v.data());
    lasting_.begin(contacts);
    fresh_ = true;
    if (friction_) friction_->steps.begin();
  }

  FailureKind advance(State& state, double h, double t_end, StepReport& report) override {
    if (!adaptive_)
      return failure_ = friction_ ? friction_step(state, h, t_end, report) : fixed_step(state, h, t_end, report);
    if (std::exchange(fresh_, false)) {
      flow_.pack(state, y0_);
      steps_.begin(state.t, y0_.data(), h);
    }
    while (state.t < t_end) {
      failure_ = report.interrupted() ? FailureKind::interrupted
                 : friction_          ? adaptive_friction_step(state, h, t_end, report)
                                      : adaptive_step(state, h, t_end, report);
      if (failure_ != FailureKind::none) return failure_;
    }
    return FailureKind::none;
  }

  std::string failure_detail() const override {
    if (failure_ == FailureKind::step_too_small)
      return "the tolerances ask for a step of " + to_text(last_trial_) + "; larger ones would help";
    if (friction_) return friction_->steps.moreau().failure_detail();
    if (failure_ == FailureKind::not_finite && lost_ >= 0) return lost_gap_text(model_.layout().constraints[lost_]);
    const ContactKinematics<double>& rows = lasting_.contacts();
    const double* y1 = y1_.data();
    const ContactProblemEnd problem = lasting_.problem(flow_.contacts()).last_end();
    return failure_text(model_, failure_,
                        {y1,
                         y1 + nq_,
                         y1 + 2 * nq_,
                         flow_.contacts().force(),
                         rows.restitutions(),
                         problem,
                         {},
                         g1_.data(),
                         rows.gradients()});
  }
  StepCounts counts() const override {
    StepCounts counts{.force_evaluations = flow_.evaluations(),
                      .contact_problems = flow_.problems() + lasting_.problems(),
                      .accepted = steps_.accepted(),
                      .rejected = steps_.rejected()};
    return friction_ ? counts += friction_->steps.counts() : counts;
  }

  std::vector<std::string> notes() const override {
    if (scheme_.contact_forces) return {};
    std::vector<std::string> notes;
    if (nc_ > 0)
      notes.emplace_back(
          "contact_forces is off: a body at rest on an obstacle sinks into it by h |f| (1 - e)/(2 (1 + e)) per unit "
          "time, f being the acceleration that presses it on; contact_forces = \"on\" holds it");
    if (model_.nf() > 0)
      notes.emplace_back(
          "contact_forces is off: what sticks creeps by h |f|/2 per unit time, f being the acceleration of its slip "
          "without friction; contact_forces = \"on\" holds it");
    return notes;
  }

  void reactions(const State& state, double* lambda) override {
    if (friction_) return friction_->motion.flow().reactions(state, lambda);
    if (flow_.contacts().solve(state.t, state.q.data(), state.v.data(), state.z.data()))
      std::copy_n(flow_.contacts().reactions(), model_.nb(), lambda);
  }

 private:
  bool fails(FailureKind kind) { return (failure_ = kind) != FailureKind::none; }
  double* q1() { return y1_.data(); }
  double* v1() { return y1_.data() + nq_; }
  double begin_rate(int j) const { return begin_.rate(j, y0_.data() + nq_); }

  FailureKind fixed_step(State& state, double h, double t1, StepReport& report) {
    if (fails(start(state)) || fails(flow(state.t, h))) return failure_;
    return finish(state, h, t1, report);
  }

  // One step of at most `longest` that ends at t_end at the latest.
  FailureKind adaptive_step(State& state, double longest, double t_end, StepReport& report) {
    if (fails(start(state))) return failure_;
    watch_gaps(state.t);
    const double remaining = t_end - state.t;
    double h = std::min(steps_.proposal(), longest), error = 0.0;
    const auto attempt = [&](double trial, double& its_error) {
      last_trial_ = trial;
      const FailureKind kind = flow(state.t, trial);
      if (kind == FailureKind::none) its_error = steps_.error(engine_, y0_.data(), y1_.data(), trial);
      return kind;
    };
    for (int cuts = 0;; ++cuts) {
      const double most = cuts == 0 ? remaining : std::numeric_limits<double>::infinity();
      if (fails(steps_.shorten(state.t, most, h, error, attempt))) return failure_;
      const std::optional<double> shorter = landing(state.t, h, cuts);
      if (!shorter) break;
      if (lost_ >= 0) return FailureKind::not_finite;
      steps_.count_rejected();
      h = std::max(*shorter, EventStepControl::shortest(state.t));
    }
    const bool is_last = h == remaining;
    steps_.accepted(h, error, h < steps_.proposal());
    return finish(state, h, is_last ? t_end : state.t + h, report);
  }
  // With friction and contact forces.
  FailureKind friction_step(State& state, double h, double t1, StepReport& report) {
    flow_.pack(state, y0_);
    if (!modes_hold(state.t, h, t1)) return friction_->steps.step_over(state, h, t1, report);
    return finish_friction(state, t1, report);
  }

  FailureKind adaptive_friction_step(State& state, double longest, double t_end, StepReport& report) {
    constexpr double never = std::numeric_limits<double>::infinity();
    flow_.pack(state, y0_);
    const double t0 = state.t, remaining = t_end - t0;
    const auto end_of = [&](double h) { return h == remaining ? t_end : t0 + h; };
    double h = std::min(steps_.proposal(), longest), error = 0.0;
    bool holds = false;
    const auto attempt = [&](double trial, double& its_error) {
      last_trial_ = trial;
      holds = modes_hold(t0, trial, end_of(trial));
      its_error = holds ? steps_.error(friction_->motion.explicit_engine(), y0_.data(), y1_.data(), trial) : 0.0;
      return FailureKind::none;
    };
    // The modes hold over `lower` and not over `upper`, as far as is known.
    double lower = 0.0, upper = never, little = 0.0;
    for (;;) {
      const double asked = h;
      if (fails(steps_.shorten(t0, upper == never ? remaining : never, h, error, attempt))) return failure_;
      if (holds && (upper == never || h < asked || upper - h <= little)) break;
      steps_.count_rejected();
      if (!holds && upper == never) little = switch_time(t0, h);
      (holds ? lower : upper) = h;
      if (upper - lower > little) {
        h = lower > 0.0 ? 0.5 * (lower + upper) : little;
      } else if (lower > 0.0) {
        h = lower;
      } else {
        return friction_->steps.step_over(state, upper, end_of(upper), report, true);
      }
    }
    steps_.accepted(h, error, upper < never);
    return finish_friction(state, end_of(h), report);
  }

  FailureKind finish_friction(State& state, double t1, StepReport& report) {
    begin_.place_gaps(state.t, y0_.data());
    if (fails(lasting_.place(t1, q1()))) return failure_;
    const HeldContactsStep& motion = friction_->motion;
    if (fails(friction_->steps.finish(t1, q1(), v1(), motion.flow().multipliers()))) return failure_;
    report.energy.add({.input = motion.input(), .damping = motion.damping(), .friction = motion.friction()});
    report.energy.add(lasting_.ledger());
    lasting_.add_slip_impulses(report.friction);
    for (int s = 0; s < model_.ns(); ++s) report.friction[s] += motion.slip_impulse(s);
    for (int j = 0; j < nc_; ++j) {
      report.violation = std::max(report.violation, -begin_.gap(j));
      const double impulse = motion.impulse(j) + lasting_.impulse(j);
      if (impulse > 0.0) report.contacts.push_back({.constraint = j, .t = state.t, .impulse = impulse});
    }
    flow_.unpack(y1_.data(), state);
    state.t = t1;
    return FailureKind::none;
  }

  // How long at most the step over a switch is: in that time no coordinate and no speed changes by more than it may be
  // off by, whatever part of the terms of its acceleration is left behind the switch: what sticks has none before it.
  double switch_time(double t0, double h) {
    const HeldContactsStep& motion = friction_->motion;
    const double *terms = motion.flow().acceleration_magnitude(), resolution = 4.0 * EventStepControl::shortest(t0 + h);
    steps_.set_out(y0_.data(), motion.explicit_engine().stage_derivative(0), terms, h);
    for (int i = 0; i < 2 * nq_; ++i) {
      const double rate = i < nq_ ? y0_[nq_ + i] : terms[i - nq_];
      if (rate != 0.0) h = std::min(h, steps_.allowed(i, std::abs(y0_[i])) / std::abs(rate));
    }
    return std::max(h, resolution);
  }

  // Whether the modes chosen at y0_ hold over h, at the stages of the table and at the end, which is then y1_.
  bool modes_hold(double t0, double h, double t1) {
    auto& [motion, steps] = *friction_;
    if (!steps.choose(t0, y0_.data(), y0_.data() + nq_, y0_.data() + 2 * nq_)) return false;
    if (motion.begin(t0, y0_.data(), false) != FailureKind::none || motion.attempt(h) != FailureKind::none ||
        motion.evaluate_end() != FailureKind::none)
      return false;
    for (int i = 0; i < motion.stages(); ++i)
      if (!steps.hold_at(motion.stage_outputs(i))) return false;
    std::copy(motion.end(), motion.end() + motion.size(), y1_.begin());
    return steps.hold_at(motion.end_outputs()) && steps.hold_until(t1, q1(), v1());
  }

  // The begin of a step: forces there, and contacts that open.
  FailureKind start(const State& state) {
    flow_.pack(state, y0_);
    ledger_ = {};
    measured_ = false;
    lasting_.close_in(flow_.contacts());
    if (!engine_.evaluate_start(flow_, state.t, y0_.data()))
      return failure_of(OdeStatus::evaluation_failed, flow_.contacts().failure());
    lasting_.open_unloaded(flow_.contacts());
    begin_.place_gaps(state.t, y0_.data());
    return FailureKind::none;
  }
  // (1) and (2)
  FailureKind flow(double t0, double h) {
    const OdeStatus status = engine_.step(flow_, t0, h, y0_.data(), y1_.data(), Start::same);
    return failure_of(status, flow_.contacts().failure());
  }

  // The end of a step: lasting contacts are held, then (3).
  FailureKind end(double t0, double h, double t1) {
    bool touches = model_.nb() > 0 || has_limits_;
    model_.gap(t1, q1(), g1_.data());
    if (!is_finite(nc_, g1_.data())) return FailureKind::not_finite;
    for (int j = 0; j < nc_; ++j) {
      impulse_[j] = flow_.impulse(y1_.data(), j);
      touches = touches || lasting_.is_closed(j) || g1_[j] <= 0.0;
    }
    ledger_.input += flow_.input(y1_.data());
    ledger_.damping += flow_.damping(y1_.data());
    touched_ = touches;
    if (!touches) return FailureKind::none;

    measure_begin(t0);
    ContactAcceleration<double>* forces = scheme_.contact_forces ? &flow_.contacts() : nullptr;
    if (forces != nullptr && !engine_.evaluate_end(flow_)) return flow_.contacts().failure();
    if (fails(lasting_.place(t1, q1()))) return failure_;
    if (fails(lasting_.hold(t1, q1(), v1(), flow_.contacts().multiplier()))) return failure_;
    const FailureKind kind = lasting_.settle(
        t1, q1(), v1(), y1_.data() + 2 * nq_, forces,
        [&](int j, double U_minus, double U_plus, double Gamma) { return is_short(j, h, U_minus, U_plus, Gamma); }, h);
    ledger_ += lasting_.ledger();
    for (int j = 0; j < nc_; ++j) impulse_[j] += lasting_.impulse(j);
    return kind;
  }

  FailureKind finish(State& state, double h, double t1, StepReport& report) {
    if (fails(end(state.t, h, t1))) return failure_;
    report.energy.add(ledger_);
    if (touched_) lasting_.add_slip_impulses(report.friction);
    const std::size_t first = report.contacts.size();
    for (int j = 0; j < nc_; ++j) {
      report.violation = std::max(report.violation, -begin_.gap(j));
      if (!(impulse_[j] > 0.0)) continue;
      // Adaptive steps end where the gap closes: what rebounds, or stops for want of restitution, is an impact.
      const bool struck = touched_ && lasting_.was_struck(j);
      const bool impact = adaptive_ && struck && lasting_.rate_minus(j) < 0.0;
      const bool settles = impact && lasting_.is_closed(j) && lasting_.contacts().restitution(j) > 0.0;
      ContactReport contact{.constraint = j, .t = state.t};
      if (struck) contact = lasting_.report(j, state.t + crossing(j, h));
      contact.impulse = impulse_[j];
      if (settles || !impact) contact.smooth_rate_change = contact.rate_minus - begin_rate(j);
      report.contacts.push_back(contact, struck ? lasting_.slip_report(j) : SlipReport{});
    }
    flow_.unpack(y1_.data(), state);
    state.t = t1;
    if (adaptive_ && report.contacts.size() > first) angles_.decide_impacts(state, 0.0, report.contacts, first);
    return FailureKind::none;
  }
  void measure_begin(double t0) {
    if (!std::exchange(measured_, true)) begin_.place_rates(t0, y0_.data());
  }
  bool is_short(int j, double h, double U_minus, double U_plus, double Gamma) const {
    if (!adaptive_) return lasting_.is_back_within(h, j, U_minus, U_plus, Gamma);
    if (!(Gamma < 0.0) || !lasting_.was_struck(j)) return false;
    const double rebound = lasting_.contacts().restitution(j) * U_minus;
    return rebound * rebound <= 2.0 * -Gamma * tolerance_[j];
  }

  // When the gap closed, counted from the begin: on the cubic through gaps and rates at both ends.
  double crossing(int j, double h) const {
    const double g0 = begin_.gap(j), g1 = g1_[j], d0 = h * begin_rate(j), d1 = h * lasting_.rate_minus(j);
    if (!(g0 > 0.0)) return d0 < 0.0 ? 0.0 : h;
    const double c2 = 3.0 * (g1 - g0) - 2.0 * d0 - d1, c3 = 2.0 * (g0 - g1) + d0 + d1;
    double lower = 0.0, upper = 1.0;
    for (int i = 0; i < 60; ++i) {
      const double x = 0.5 * (lower + upper);
      (g0 + x * (d0 + x * (c2 + x * c3)) > 0.0 ? lower : upper) = x;
    }
    return upper * h;
  }

  // What is looked for in a step: where an open gap closes, or one that begins with an opening rate is back again. A
  // gap is tolerated the errors that q is allowed, and what the resolution of time makes of its rate.
  void watch_gaps(double t0) {
    using Watch = GapSearch::Watch;
    if (nc_ == 0) return;
    measure_begin(t0);
    for (int i = 0; i < nq_; ++i)
      allowed_[i] = steps_.allowed(i, std::abs(y0_[i])) + 64.0 * epsilon * std::abs(t0 * y0_[nq_ + i]);
    for (int j = 0; j < nc_; ++j) {
      tolerance_[j] = begin_.size_along(j, allowed_.data());
      const Watch closed = begin_rate(j) > 0.0 ? Watch::bounced : Watch::no;
      search_.watch(j) = lasting_.is_closed(j) ? Watch::no : begin_.gap(j) > 0.0 ? Watch::open : closed;
    }
  }

  // Nothing if the step of h ends no deeper in an obstacle than the tolerance; otherwise the length of one that does:
  // to where the gap closes, and on by half of what is tolerated, less with every attempt.
  std::optional<double> landing(double t0, double h, int attempt) {
    constexpr int most_attempts = 60;
    if (nc_ == 0 || attempt >= most_attempts || !engine_.dense_output(flow_, dense_)) return std::nullopt;
    std::optional<GapSearch::Event> event = search_.first_crossing(dense_);
    for (int j = 0; j < nc_ && !event; ++j)
      if (!lasting_.is_closed(j) && begin_.gap(j) <= 0.0 && begin_rate(j) < 0.0)
        event = GapSearch::Event{j, 0.0, false};
    if (!event) return std::nullopt;
    if (event->lost) {
      lost_ = event->constraint;
      return 0.0;
    }

    bool landed = false, too_deep = false;
    model_.gap(t0 + h, q1(), g1_.data());
    for (int j = 0; j < nc_; ++j) {
      if (lasting_.is_closed(j)) continue;
      landed = landed || (j == event->constraint && g1_[j] <= 0.0);
      too_deep = too_deep || -g1_[j] > std::max(0.0, -begin_.gap(j)) + tolerance_[j];
    }
    if (landed && !too_deep) return std::nullopt;

    const int j = event->constraint;
    dense_.value(event->theta, y_inside_.data());
    inside_.place_rates(dense_.t0() + event->theta * dense_.h(), y_inside_.data());
    const double speed = std::abs(inside_.rate(j, y_inside_.data() + nq_));
    const double further = std::min(h, std::ldexp(tolerance_[j], -1 - attempt) / std::max(speed, 1e-300));
    return std::min(event->theta * h + further, h);
  }

  struct WithFriction {
    WithFriction(const Model& model, const Tableau& tableau, const ComplementaritySettings& solver,
                 ContactAcceleration<double>& forces, LastingContacts& lasting)
        : motion(model, tableau), steps(model, solver, motion.flow(), forces, lasting) {}
    HeldContactsStep motion;
    ModeSteps steps;
  };

  const Model& model_;
  const int nq_ = model_.nq(), nc_ = model_.nc();
  const bool has_limits_ = FrictionModes(model_.layout()).has_limits();
  const Splitting scheme_;
  const bool adaptive_ = scheme_.steps == Splitting::Steps::adaptive;
  UnilateralContactsOde flow_;
  ExplicitRungeKutta engine_{find_tableau(scheme_.tableau), flow_.size(), nc_};
  EventStepControl steps_{engine_.tableau(), model_, flow_.size(), scheme_.rtol, scheme_.atol};
  LastingContacts lasting_;
  std::optional<WithFriction> friction_;
  ImpactAngles angles_{model_};
  GapSearch search_{model_};
  DenseOutput dense_{flow_.size()};

  ContactKinematics<double> begin_{model_},
      inside_{model_};  // at the begin of the step, and where it was last looked into
  std::vector<double> y0_ = zeros(flow_.size()), y1_ = y0_, y_inside_ = y0_;  // begin and end of the step
  std::vector<double> allowed_ = zeros(nq_), g1_ = zeros(nc_), impulse_ = g1_, tolerance_ = g1_;
  bool fresh_ = true, measured_ = false, touched_ = false;
  double last_trial_ = 0.0;
  int lost_ = -1;  // the gap that has no value any more
  LedgerTerms<double> ledger_;
  FailureKind failure_ = FailureKind::none;
};

std::unique_ptr<Stepper> make(const Model& model, const Splitting& scheme, const ComplementaritySettings& solver) {
  const bool adaptive = scheme.steps == Splitting::Steps::adaptive;
  if (adaptive && find_tableau(scheme.tableau).b_embedded.empty())
    throw InputError("scheme.tableau",
                     scheme.tableau + " has no error estimate for adaptive steps; rkf45, dormand-prince and dop853 do");
  if (adaptive && !scheme.contact_forces)
    throw InputError("scheme.steps",
                     "must be fixed without contact forces: impacts that accumulate would need ever smaller steps");
  return std::make_unique<SplittingStepper>(model, scheme, solver);
}

Traits traits_of(const Splitting& scheme) {
  return {.takes_states = true,
          .takes_friction = true,
          .chooses_steps = scheme.steps == Splitting::Steps::adaptive,
          .energy_identity = false};
}

}  // namespace

void describe(ParameterTable& table, Splitting& scheme) {
  std::vector<std::string> explicit_tables;
  for (const Tableau& tableau : tableaus())
    if (tableau.is_explicit) explicit_tables.emplace_back(tableau.name);
  table("contact_forces", "λ", "whether lasting contacts push during the smooth motion; off: a body at rest sinks",
        scheme.contact_forces);
  table("tableau", "", "the Runge-Kutta table of the smooth motion", scheme.tableau, {.words = explicit_tables});
  table("steps", "h", "one step of the table a step, or adaptive: smaller ones where rtol and atol ask for them",
        scheme.steps, {.words = {"fixed", "adaptive"}});
  describe_adaptive_rtol(table, scheme.rtol);
  describe_atol(table, scheme.atol);
}

Splitting::operator Scheme() const { return scheme_of("splitting", *this); }

template <>
SchemeEntry scheme_entry<Splitting>() {
  return {
      .name = "splitting",
      .summary = "smooth motion by a Runge-Kutta step of high order, then the impacts at its end",
      .explanation =
          "Each step is one of an explicit Runge-Kutta table, with the forces of lasting contacts in its stages, and "
          "then the impact law where the end of the step lies inside an obstacle. So flight and lasting contact are as "
          "accurate as the table, and only impacts are met up to a step late. A contact whose impacts become slower "
          "than what the forces do in a step closes and is held on its surface. Without contact forces, as in the "
          "source's first form, a body at rest sinks. Adaptive steps follow rtol and atol and end where a gap closes, "
          "so the positions follow the tolerance through impacts as well, and through the begin and end of sliding; "
          "step is then the largest one. Explicit: fast vibrations limit the step to about h ω < 3.",
      .order =
          "that of the table in free flight and in lasting contact (5 for rkf45), 1 across impacts (position in the "
          "sup norm, velocity in L1); with adaptive steps errors like the tolerance",
      .literature =
          "V. Acary, lecture on numerical methods for nonsmooth mechanical systems, 2018, (140)-(143); E. Fehlberg, "
          "Computing 6 (1970) 61, doi:10.1007/BF02241732",
      .flight_order = 5.0,
      .parameters = parameters_of<Splitting>(),
      .traits = traits_with<Splitting, traits_of>,
      .make = make_with<Splitting, make>,
  };
}

}  // namespace ricochet
