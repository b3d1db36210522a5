// Moreau-Jean with step doubling [Acary 2018, (105)-(129)].
//
//   x₁: one step of h,   x_½: two steps of h/2, which is kept
//   p ≥ 1:  e = (x_½ − x₁)/(2^p − 1) for q, v and z                                              (109)
//   p = 0:  e = 2 (x_½ − x₁) for q and z; the velocity jumps                                     (127)
//   variable: the order in flight if all contacts and frictions did the same in the three steps, p = 1 if only sticking
//   and sliding differ or a contact slides in space, p = 0 if a contact struck, closed or opened
//   error = max(‖e/tol‖∞, max_j deepening_j/tol_j)                                               (110), (128), (129)
//
// Departures: the deepening of a violation over the step, max(0, −g) at the middle and at the end less max(0, −g) at
// the begin, stands for the violation itself, which a lasting contact keeps whatever the step is. tol_j is by default
// the error of g_j that tolerated errors of q add up to, Σ|∂g_j/∂q_i| (atol_i + rtol |q_i|). Positions are not asked
// to be better than the resolution of time allows. A slip that a step stops or reverses counts as an error of the
// velocity unless it sticks in the next. What is held in a step and its halves as a whole may have been due to let go
// for up to a quarter of it, which both overlook: a contact that should have opened, a friction that should slip. The
// rate that it lacks counts, if it lets go in the next step.
#include "ricochet/scheme/moreau_jean_adaptive.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "contact/contact_kinematics.hpp"
#include "contact/impact_angles.hpp"
#include "contact/row_resolution.hpp"
#include "core/constants.hpp"
#include "core/zeros.hpp"
#include "ricochet/core/error.hpp"
#include "ricochet/core/quantity.hpp"
#include "scheme/describe.hpp"
#include "scheme/kernel/failure_text.hpp"
#include "scheme/kernel/motion_tolerances.hpp"
#include "scheme/kernel/step_proposal.hpp"
#include "scheme/kernel/velocity/trial_steps.hpp"

namespace ricochet {
namespace {

using Estimate = MoreauJeanAdaptive::Estimate;

std::vector<std::string> notes(const Model& model, const MoreauJeanAdaptive& scheme) {
  std::vector<std::string> notes;
  if (!scheme.violation && model.nc() > 0)
    notes.push_back(
        "violation control is off: the estimate compares one step with two halves and sees nothing of an impact that "
        "both of them miss, a quarter of all impacts; such an impact happens up to a step late whatever rtol and atol "
        "are, so the motion does not converge");
  if (scheme.estimate == Estimate::order_2 && scheme.theta != 0.5)
    notes.push_back("theta = " + to_text(scheme.theta) +
                    " is of first order in flight: order-2 takes its error for a third of what it is; variable and "
                    "order-1 do not");
  if ((scheme.estimate == Estimate::order_1 || scheme.estimate == Estimate::order_2) && model.nc() > 0)
    notes.push_back(
        "order-1 and order-2 count velocities also where they jump: one step and two halves that do not both see a "
        "jump differ by it however short they are, and a run may need steps without end; variable does not");
  return notes;
}

VelocityRule rule(const MoreauJeanAdaptive& scheme) {
  return {.theta = scheme.theta, .phi = scheme.theta, .forecast = scheme.forecast};
}

// The error of a trial in units of the tolerance, its order, and the constraint whose violation it is.
struct TrialError {
  double value = 0.0;
  int order = 0;
  int constraint = -1;
  double deepening = 0.0, allowed = 0.0;
};

class AdaptiveStepper final : public Stepper {
 public:
  AdaptiveStepper(const Model& model, const MoreauJeanAdaptive& scheme, const ComplementaritySettings& solver)
      : model_(model),
        scheme_(scheme),
        coarse_(model, rule(scheme), solver, 1),
        fine_(model, rule(scheme), solver, 2) {}

  void begin(const State& state) override {
    coarse_.begin(state), fine_.begin(state);
    tolerances_.begin(state);
    proposal_.reset();
    goes_on_ = false;
    contacts_.clear();
  }

  FailureKind advance(State& state, double h, double t_end, StepReport& report) override {
    const double longest = scheme_.largest_step.value_or(h);
    const double resolution = 16.0 * epsilon * std::max(std::abs(state.t), std::abs(t_end));
    shortest_ = std::max(scheme_.smallest_step.value_or(1e-13 * h), resolution);
    tolerances_.set_out(state, h);
    for (double remaining = h; remaining > 0.0;) {
      if (report.interrupted()) return failure_ = FailureKind::interrupted;
      const auto [trial, is_last] = proposal_.next(remaining, longest);
      if (attempt(state, trial, is_last ? t_end : state.t + trial)) {
        keep(state, trial, report);
        if (is_last) break;
        remaining -= trial;
      } else if (!try_shorter(trial)) {
        return failure_;
      }
    }
    return FailureKind::none;
  }

  std::string failure_detail() const override {
    if (failure_ == FailureKind::not_finite)
      if (const std::string text = lost_gap_text(model_.layout(), g_end_.data(), {}); !text.empty()) return text;
    if (failure_ != FailureKind::step_too_small)
      return fmt::format("{} (in steps down to {:.3g})",
                         (failed_in_coarse_ ? coarse_ : fine_).stepper().failure_detail(), last_trial_);
    const std::string step =
        fmt::format("a step smaller than {:.3g} would be needed: with one of {:.3g} ", shortest_, last_trial_);
    if (error_.constraint < 0)
      return step + fmt::format("the error is {:.3g} times what rtol and atol allow", error_.value);
    return step + fmt::format("the violation of {} deepens by {:.3g}, allowed is {:.3g} (violation_tolerance)",
                              model_.layout().constraints[static_cast<std::size_t>(error_.constraint)],
                              error_.deepening, error_.allowed);
  }
  bool ledger_is_exact() const override { return fine_.stepper().ledger_is_exact(); }
  StepCounts counts() const override {
    StepCounts sum = own_counts_;
    return sum += coarse_.stepper().counts(), sum += fine_.stepper().counts();
  }
  std::vector<std::string> notes() const override { return ricochet::notes(model_, scheme_); }
  void reactions(const State&, double* lambda) override { fine_.reactions(lambda); }

 private:
  // Both solutions from the state; true if the error is small enough.
  bool attempt(const State& state, double h, double t1) {
    last_trial_ = h;
    const bool goes_on = std::exchange(goes_on_, false);
    failure_ = coarse_.run(state, h, t1, &contacts_);
    failed_in_coarse_ = failure_ != FailureKind::none;
    if (!failed_in_coarse_) failure_ = fine_.run(state, h, t1, goes_on ? nullptr : &contacts_);
    if (failure_ == FailureKind::none && !end_has_gaps()) failure_ = FailureKind::not_finite;
    if (failure_ != FailureKind::none) return false;
    error_ = estimate(state);
    if (error_.value <= 1.0) return true;
    failure_ = FailureKind::step_too_small;
    return false;
  }

  bool end_has_gaps() {
    const State& end = fine_.end();
    fine_.stepper().gaps(end.t, end.q.data(), g_end_.data());
    return is_finite(model_.nc(), g_end_.data());
  }

  void keep(State& state, double h, StepReport& report) {
    ++own_counts_.accepted;
    proposal_.accepted(h, error_.value, error_.order);
    proposal_.at_least(shortest_);
    if (fine_.pushed()) {
      widen_rate_change(0.5 * h);
      angles_.decide_impacts(fine_.end(), h, fine_.contacts());
    }
    fine_.keep(report);
    state = fine_.end();
    tolerances_.see(state);
    fine_.stepper().remember(contacts_);
    goes_on_ = true;
  }

  // False if that would be too short.
  bool try_shorter(double h) {
    ++own_counts_.rejected;
    if (h <= 1.001 * shortest_) return false;
    if (failure_ == FailureKind::step_too_small && std::isfinite(error_.value))
      proposal_.rejected(h, error_.value, error_.order);
    else
      proposal_.failed(h);
    proposal_.at_least(shortest_);
    return true;
  }

  // p of the estimate.
  int order() const {
    switch (scheme_.estimate) {
      case Estimate::order_0: return 0;
      case Estimate::order_1: return 1;
      case Estimate::order_2: return 2;
      default: break;
    }
    switch (fine_.smoothness(coarse_)) {
      case Smoothness::jumps: return 0;
      case Smoothness::bends: return 1;
      default: return scheme_.theta == 0.5 ? 2 : 1;
    }
  }

  TrialError estimate(const State& state) {
    TrialError error;
    error.order = order();
    const double weight = error.order == 0 ? 2.0 : 1.0 / (std::exp2(error.order) - 1.0);
    tolerances_.set_trial(last_trial_);
    allow_positions(state);
    error.value = std::max(position_difference(), difference_of_states(state));
    if (error.order > 0) error.value = std::max(error.value, velocity_difference(state));
    error.value *= weight;
    add_lost_slips(state, error);
    if (scheme_.violation) add_violation(error);
    add_overdue(error);
    return error;
  }
  // A slip that is reversed in a step ends as if friction had acted against its end all the time, one that stops as if
  // it would stick, in the step and in its halves alike: unless it sticks, it is off by up to what it was before.
  void add_lost_slips(const State& state, TrialError& error) {
    const State& end = fine_.end();
    const Layout& layout = model_.layout();
    bool has_gradient = false;
    for (int k = 0, row = model_.nc() + model_.nb(); k < model_.nf(); row += layout.frictions[k++].rows) {
      const double lost = fine_.lost_slip(k);
      if (!(lost > 0.0)) continue;
      if (!std::exchange(has_gradient, true)) end_.place_gradients(end.t, end.q.data());
      double allowed = 0.0;
      end_.each_entry(row, [&](int i, double H) { allowed += std::abs(H) * allowed_speed(i, state); });
      if (lost > error.value * allowed) error.value = lost / allowed, error.order = 0;
    }
  }

  // The last to look: coarse_ goes on from the end of the halves.
  void add_overdue(TrialError& error) {
    const State& end = fine_.end();
    bool has_gone_on = false;
    for (int i = 0, slip = model_.nc() + model_.nb(); i < model_.nc() + model_.nf(); ++i) {
      const int k = i - model_.nc(), row = k < 0 ? i : slip;
      if (k >= 0) slip += model_.layout().frictions[k].rows;
      const double rate = fine_.overdue(static_cast<std::size_t>(i));
      if (!(rate > 0.0)) continue;
      end_.place_gradients(end.t, end.q.data());
      double allowed = 0.0;
      end_.each_entry(row, [&](int c, double H) { allowed += std::abs(H) * allowed_speed(c, end); });
      if (!(rate > error.value * allowed)) continue;
      fine_.stepper().remember(next_contacts_);
      if (!std::exchange(has_gone_on, true) &&
          coarse_.run(end, last_trial_, end.t + last_trial_, &next_contacts_) != FailureKind::none)
        return;
      const StepMode next = coarse_.first_modes()[static_cast<std::size_t>(i)];
      if (next == StepMode::closed || next == StepMode::struck || next == StepMode::stick) continue;
      error.value = rate / allowed, error.order = 1, error.constraint = -1;
    }
  }

  double difference_of_states(const State& state) const {
    const std::vector<double>&z1 = fine_.end().z, &z_coarse = coarse_.end().z;
    double worst = 0.0;
    for (std::size_t i = 0; i < z1.size(); ++i) {
      worst = larger(worst, std::abs(z1[i] - z_coarse[i]), tolerances_.z(static_cast<int>(i), state.z[i], z1[i]));
    }
    return worst;
  }
  double allowed_speed(int i, const State& from) const {
    const State& end = fine_.end();
    const std::size_t k = static_cast<std::size_t>(i);
    return tolerances_.v(i, from.v[k], end.v[k], end.q[k]);
  }
  // What each position may be off by at the end.
  void allow_positions(const State& state) {
    const State& end = fine_.end();
    for (std::size_t i = 0; i < allowed_.size(); ++i) {
      const double speed = std::max(std::abs(state.v[i]), std::abs(end.v[i]));
      allowed_[i] = tolerances_.q(static_cast<int>(i), state.q[i], end.q[i], speed);
      allowed_[i] += 64.0 * epsilon * std::abs(end.t) * speed;
    }
  }
  // Velocities are off by what forces do within the resolution of time.
  double velocity_difference(const State& state) const {
    const State& end = fine_.end();
    const double blur = 64.0 * epsilon * std::abs(end.t) / (end.t - state.t);
    double worst = 0.0;
    for (std::size_t i = 0; i < end.v.size(); ++i) {
      const double allowed = allowed_speed(static_cast<int>(i), state) + blur * std::abs(end.v[i] - state.v[i]);
      worst = larger(worst, std::abs(end.v[i] - coarse_.end().v[i]), allowed);
    }
    return worst;
  }
  double position_difference() const {
    const std::vector<double>&q1 = fine_.end().q, &q_coarse = coarse_.end().q;
    double worst = 0.0;
    for (std::size_t i = 0; i < q1.size(); ++i) worst = larger(worst, std::abs(q1[i] - q_coarse[i]), allowed_[i]);
    return worst;
  }
  // max(worst, error/allowed), most of the time without the quotient.
  static double larger(double worst, double error, double allowed) {
    return error > worst * allowed ? error / allowed : worst;
  }

  void add_violation(TrialError& error) {
    const State& end = fine_.end();
    const double *g_begin = coarse_.stepper().gap(), *g_middle = fine_.stepper().gap();
    bool has_gradient = false;
    for (int j = 0; j < model_.nc(); ++j) {
      const double deepening = std::min(0.0, g_begin[j]) - std::min({0.0, g_middle[j], g_end_[j]});
      if (!(deepening > 0.0)) continue;
      if (!std::exchange(has_gradient, true)) end_.place_gradients(end.t, end.q.data());
      const double allowed = gap_tolerance(j);
      if (deepening / allowed <= error.value || !is_resolved(j, deepening)) continue;
      error = {deepening / allowed, error.order, j, deepening, allowed};
    }
  }
  // After allow_positions(), where end_ has its gradients. Of a gap that only time changes steps make nothing.
  double gap_tolerance(int j) const {
    if (scheme_.violation_tolerance) return *scheme_.violation_tolerance;
    const double sum = end_.size_along(j, allowed_.data());
    return sum > 0.0 ? sum : scheme_.atol.value_or(std::numeric_limits<double>::infinity());
  }

  // Whether so little is more than the round-off of gap j's formula, tried along what positions may be off by.
  bool is_resolved(int j, double depth) {
    const State& end = fine_.end();
    const double sum = end_.size_along(j, allowed_.data());
    if (model_.layout().structure.linear_gaps || !(sum > 0.0)) return true;
    std::fill(dq_.begin(), dq_.end(), 0.0);
    end_.each_entry(j, [&](int i, double H) { dq_[i] = std::copysign(allowed_[i], H) * (depth / sum); });
    resolution_.move(end.t, end.q.data(), dq_.data());
    return resolution_.answers(j, dq_.data(), g_end_[j], end_);
  }

  // A landing may stop short of its obstacle by what is tolerated. The rate of a fall from there is no impact: for the
  // record it is what the smooth forces did, as a fall within one step is.
  void widen_rate_change(double h) {
    end_.place_gradients(fine_.end().t, fine_.end().q.data());
    for (ContactReport& contact : fine_.contacts()) {
      const double change = std::abs(contact.smooth_rate_change);
      contact.smooth_rate_change = std::max(change, 2.0 * std::sqrt(gap_tolerance(contact.constraint) * change / h));
    }
  }

  const Model& model_;
  const MoreauJeanAdaptive scheme_;
  MotionTolerances tolerances_{model_, scheme_.rtol, scheme_.atol};
  TrialSteps coarse_, fine_;
  StepProposal proposal_{{scheme_.safety, scheme_.smallest_factor, scheme_.largest_factor}};
  ImpactAngles angles_{model_};
  ContactKinematics<double> end_{model_};  // of the two halves
  RowResolution<double> resolution_{model_};
  std::vector<double> allowed_ = zeros(model_.nq()), dq_ = allowed_, g_end_ = zeros(model_.nc());
  // Where the state is, and where the halves end.
  std::vector<ContactMemory> contacts_ = std::vector<ContactMemory>(static_cast<std::size_t>(model_.nc())),
                             next_contacts_ = contacts_;
  TrialError error_;
  bool goes_on_ = false, failed_in_coarse_ = false;  // the state is where fine_ ended; whose failure it is
  double shortest_ = 0.0, last_trial_ = 0.0;
  FailureKind failure_ = FailureKind::none;
  StepCounts own_counts_;
};

std::unique_ptr<Stepper> make(const Model& model, const MoreauJeanAdaptive& scheme,
                              const ComplementaritySettings& solver) {
  if (scheme.largest_step && scheme.smallest_step.value_or(0.0) > *scheme.largest_step)
    throw InputError("scheme.smallest_step", "must not exceed largest_step = " + to_text(*scheme.largest_step) +
                                                 ", got " + to_text(*scheme.smallest_step));
  return std::make_unique<AdaptiveStepper>(model, scheme, solver);
}

}  // namespace

void describe(ParameterTable& table, MoreauJeanAdaptive& scheme) {
  describe_theta(table, scheme.theta);
  describe_forecast(table, scheme.forecast);
  table("rtol", "rtol", "relative error allowed in a step, componentwise", scheme.rtol, {.lower = 0.0});
  describe_atol(table, scheme.atol);
  table("estimate", "p",
        "order taken for the estimate; variable: 0 where a contact strikes, closes or opens, 1 where only sticking and "
        "sliding change, else that of free flight",
        scheme.estimate, {.words = {"variable", "order-0", "order-1", "order-2"}});
  table("violation", "d_j", "whether the violation of the gaps counts as error; off does not converge",
        scheme.violation);
  table("violation_tolerance", "tol_j",
        "how much deeper a step may go into an obstacle; 0: what rtol and atol mean for the gap",
        scheme.violation_tolerance, {.lower = 0.0});
  table("largest_step", "h_max", "largest step; 0: the recording interval", scheme.largest_step, {.lower = 0.0});
  table("smallest_step", "h_min", "the run stops if it would need a smaller one; 0: 1e-13 of the recording interval",
        scheme.smallest_step, {.lower = 0.0});
  table("safety", "α", "part of the step that the error would allow, positive", scheme.safety,
        {.lower = 0.0, .upper = 1.0, .positive = true});
  table("smallest_factor", "α_min", "smallest factor between two steps, positive", scheme.smallest_factor,
        {.lower = 0.0, .upper = 0.9, .positive = true});
  table("largest_factor", "α_max", "largest factor between two steps", scheme.largest_factor,
        {.lower = 1.2, .upper = 100.0});
}

MoreauJeanAdaptive::operator Scheme() const { return scheme_of("moreau-jean-adaptive", *this); }

template <>
SchemeEntry scheme_entry<MoreauJeanAdaptive>() {
  return {
      .name = "moreau-jean-adaptive",
      .summary = "Moreau-Jean with steps that follow a tolerance, by step doubling and the violation of the gaps",
      .explanation =
          "Each step is made once and in two halves; their difference, and how much deeper the halves went into an "
          "obstacle, decide whether it counts and how long the next one is. The steps shrink before an impact and "
          "grow after it, so an impact costs about three steps for each further digit, where a fixed step would have "
          "to be ten times smaller. The positions then follow the tolerance through impacts, accumulation and rest. "
          "The steps end at the recorded times, and the recording interval is the largest step unless largest_step is "
          "given. Energy is kept and lost as by moreau-jean.",
      .order =
          "error like tol^(2/3) in free flight with theta = 1/2, otherwise tol^(1/2); like tol across impacts "
          "(position in the sup norm)",
      .literature =
          "V. Acary, Higher order event capturing time-stepping schemes for nonsmooth multibody systems with "
          "unilateral constraints and impacts, Appl. Numer. Math. 62 (2012) 1259, doi:10.1016/j.apnum.2012.06.026; "
          "lecture, 2018, (105)-(129)",
      .flight_order = 2.0,
      .parameters = parameters_of<MoreauJeanAdaptive>(),
      .traits = always<Traits{.takes_states = true, .takes_friction = true, .chooses_steps = true}>,
      .make = make_with<MoreauJeanAdaptive, make>,
  };
}

}  // namespace ricochet
