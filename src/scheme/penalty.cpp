// Compliant contacts [Paoli 2001, section 2; Paoli, Schatzman 1993]: where a gap is negative a spring and a
// damper push.
//
//   M v' = F + H λ,   λ = −k g − κ U from g = 0 to g = 0, whatever its sign                              (1)
//   κ = 2ζ√(k m),   m = 1/(HᵀM⁻¹H),   ζ = −ln e/√(π² + ln² e)                                           (2)
//
// Alone and without other forces such a contact lasts π/(ω√(1−ζ²)), ω = √(k/m), and ends with U⁺ = −e U⁻ exactly; e = 0
// is the limit ζ = 1, in which the gap returns to 0 ever more slowly. k, m and e are taken where the contact begins.
//
// A constraint may say itself how it gives way, by a spring and a damper, Hertz's or Hunt and Crossley's law:
// contact_law.hpp. Otherwise the stiffness is given; or such that an impact with the rate U under the pressing
// acceleration f = max(0, −Γ) goes no deeper than δ, from ½kδ² = ½mU² + mfδ, the largest one so far; or k = m ω² with a
// contact time π/ω that is a given share of the step.
//
// Friction is regularised: λ_S = −μ max(λ, 0) U_S/max(‖U_S‖, v_s), dry friction with its limit in place of μ max(λ, 0).
// What should stick creeps with v_s ‖λ_S‖/(μ λ).
//
// With flow = exact the motion of a linear model without friction is a closed form (scheme/event/compliant_arcs.hpp),
// and there are no steps.
//
// Every contact is one impact, from its begin to its end. It is lasting contact instead if it begins slower than what
// the forces do to the rate in π/ω, −U⁻ ≤ |Γ|π/ω, or than what steps may be off by; and what has not ended after
// min(2π/√(1−ζ²), 40)/ω lasts from then on.
#include "ricochet/scheme/penalty.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "core/constants.hpp"
#include "core/zeros.hpp"
#include "ricochet/core/error.hpp"
#include "ricochet/core/quantity.hpp"
#include "scheme/describe.hpp"
#include "scheme/event/compliant_arcs.hpp"
#include "scheme/event/gap_search.hpp"
#include "scheme/kernel/compliant_contacts_ode.hpp"
#include "scheme/kernel/event_step_control.hpp"
#include "scheme/kernel/failure_text.hpp"

namespace ricochet {

namespace {

constexpr double steps_in_contact = 10.0;   // fixed steps that a contact time π/ω must have at least
constexpr double default_share = 0.1;       // contact time in steps, if nothing is given
constexpr double default_share_fixed = 20;  // the same with fixed steps

double longest_fixed_step(double omega) { return pi / (steps_in_contact * omega); }

// One contact from its begin to its end.
struct Contact {
  double k = 0.0;  // also the largest so far, between contacts
  double omega = 0.0, t = 0.0, rate = 0.0, smooth_rate_change = 0.0, settles = 0.0;
  bool lasting = false;  // its impact is over
};

class PenaltyStepper final : public Stepper {
 public:
  PenaltyStepper(const Model& model, const Penalty& settings)
      : model_(model), settings_(settings), contacts_(static_cast<std::size_t>(nc_)) {
    // Where records are close, steps cost less than an arc each: only on request.
    const bool wanted = !fixed_ && settings.flow == Penalty::Flow::exact;
    if (wanted && arcs_obstacle().empty()) arcs_.emplace(model, flow_);
  }

  void begin(const State& state) override {
    for (int j = 0; j < nc_; ++j) part(j);
    std::fill(sinks_.begin(), sinks_.end(), 0);
    flow_.pack(state, y_);
    t_ = state.t;
    fresh_ = true;
  }

  FailureKind advance(State& state, double h, double t_end, StepReport& report) override {
    grid_ = h;
    if (std::exchange(fresh_, false)) {
      check_compliances();
      refuse_long_steps();
      if (flow_.has_friction()) set_slip_speed();
      steps_.begin(t_, y_.data(), h);
      start_ = Start::fresh;
    }
    failure_ = FailureKind::none;
    while (failure_ == FailureKind::none && t_ < t_end)
      failure_ = report.interrupted() ? FailureKind::interrupted : step(t_end, report);
    close_interval(state, report);
    return failure_;
  }

  std::string failure_detail() const override {
    const std::string name = failed_contact_ < 0 ? "" : model_.layout().constraints[failed_contact_];
    if (failure_ == FailureKind::not_finite && flow_.lost() >= 0)
      return lost_gap_text(model_.layout().constraints[flow_.lost()]);
    const std::string lost = lost_gap_text(model_.layout(), flow_.contacts().gaps(), flow_.contacts().gradients());
    if (!lost.empty()) return lost;
    if (failure_ == FailureKind::complementarity_not_solved)
      return "the gradient of the gap of " + name + " is zero where it closes: no push can act there";
    if (failure_ == FailureKind::step_too_small && fixed_) {
      const double omega = contacts_[failed_contact_].omega;
      return "the step " + to_text(grid_) + " is too long for a contact of " + name + " that lasts " +
             to_text(pi / omega) + ": at most " + to_text(longest_fixed_step(omega)) +
             " would do, or steps = \"adaptive\"";
    }
    FailedStep step{y1_.data(), y1_.data() + nq_, y1_.data() + 2 * nq_, flow_.acceleration(), e_.data()};
    step.bounds = flow_.contacts().bounds();
    return failure_text(model_, failure_, step);
  }
  StepCounts counts() const override {
    return {.force_evaluations = flow_.evaluations(),
            .accepted = fixed_  ? 0
                        : arcs_ ? arcs_->steps()
                                : steps_.accepted(),
            .rejected = steps_.rejected()};
  }
  std::vector<std::string> notes() const override {
    if (!arcs_ && settings_.flow == Penalty::Flow::exact)
      return {"flow = \"exact\" has no effect: " + (fixed_ ? std::string("steps are fixed") : arcs_obstacle()) +
              "; Runge-Kutta steps are taken"};
    if (!arcs_ || (settings_.rtol == Penalty{}.rtol && !settings_.atol)) return {};
    return {"the model is linear: its motion is exact, and rtol and atol have no effect"};
  }

  std::vector<std::string> remarks() const override {
    std::vector<std::string> remarks;
    for (int j = 0; j < nc_; ++j)
      if (const auto& [least, most] = implied_[j]; least <= most)
        remarks.push_back(fmt::format("{}: its compliance implies a restitution of {:.4g}{}",
                                      model_.layout().constraints[j], least,
                                      most > least ? fmt::format(" to {:.4g} at the rates of its impacts", most) : ""));
    if (settings_.stiffness || stiffest_ < 0) return remarks;
    const Contact& contact = contacts_[stiffest_];
    remarks.push_back(fmt::format("contacts were given a stiffness of up to {:.3g} ({}) and so last {:.3g}, from {}",
                                  contact.k, model_.layout().constraints[stiffest_], pi / contact.omega,
                                  settings_.penetration ? "the penetration that is allowed" : "the step"));
    return remarks;
  }
  void reactions(const State&, double* lambda) override {
    if (flow_(t_, y_.data(), dy_.data())) std::copy_n(flow_.joints().reactions(), model_.nb(), lambda);
  }

 private:
  bool fails(FailureKind kind) { return (failure_ = kind) != FailureKind::none; }
  // What the constraints say of themselves; formulas of parameters may give anything.
  void check_compliances() const {
    for (int j = 0; j < nc_; ++j) {
      const Compliance& law = compliances_[j];
      const auto refuse = [&](const char* part, const char* allowed, double value) {
        throw InputError("model.constraint." + model_.layout().constraints[j] + ".compliance." + part,
                         fmt::format("must be {}, got {}", allowed, to_text(value)));
      };
      if (!(law.stiffness >= 0.0) || !std::isfinite(law.stiffness)) refuse("stiffness", "positive", law.stiffness);
      if (!(law.exponent >= 1.0 && law.exponent < 100.0)) refuse("exponent", "from 1 to 100", law.exponent);
      if (!std::isfinite(law.damping)) refuse("damping", "finite", law.damping);
      if (!std::isfinite(law.hysteresis)) refuse("hysteresis", "finite", law.hysteresis);
    }
  }

  // A fixed step must resolve contacts; where the stiffness is given that is known before the run.
  void refuse_long_steps() {
    if (!fixed_) return;
    flow_.measure(t_, y_.data());
    for (int j = 0; j < nc_; ++j) {
      const Compliance& own = compliances_[j];
      const double k =
          own.stiffness > 0.0 ? (own.exponent == 1.0 ? own.stiffness : 0.0) : settings_.stiffness.value_or(0.0);
      if (k == 0.0) continue;
      const double m = flow_.effective_mass(j, t_, y_.data()), omega = std::sqrt(k / m);
      if (!(m > 0.0) || !(grid_ > longest_fixed_step(omega) * (1.0 + 1e-9))) continue;
      throw InputError("time.step", to_text(grid_) + " is too long for the contacts of " +
                                        model_.layout().constraints[j] + ", which last " + to_text(pi / omega) +
                                        " with stiffness " + to_text(k) + ": at most " +
                                        to_text(longest_fixed_step(omega)) + " would do, or steps = \"adaptive\"");
    }
  }

  // By default a thousandth of the slips that there are, or that the forces make in one interval.
  void set_slip_speed() {
    constexpr double share = 1e-3;
    const double speed = settings_.slip_speed.value_or(share * flow_.slip_scale(t_, y_.data(), grid_, dy_.data()));
    if (!(speed > 0.0) || !std::isfinite(speed))
      throw InputError("scheme.slip_speed",
                       "is needed: nothing slides or is pushed at the start that it could be taken from; give the slip "
                       "below which friction is less than its bound");
    flow_.set_slip_speed(speed);
  }

  // One step of the table, up to t_end or to the first begin or end of a contact.
  FailureKind step(double t_end, StepReport& report) {
    flow_.measure(t_, y_.data());
    flow_.lose(-1);
    if (!flow_.contacts().is_finite()) return FailureKind::not_finite;
    for (int j = 0; j < nc_; ++j) {
      const bool sinks = flow_.touches(j) && flow_.rate(j) < 0.0;
      if (std::exchange(sinks_[j], sinks) && !sinks && !arcs_)  // it turned inside the last step
        report.violation = std::max(report.violation, -search_.least(dense_, j, dense_.theta(t_)));
    }
    if (fails(settle(report))) return failure_;
    for (int j = 0; j < nc_; ++j) report.violation = std::max(report.violation, -flow_.contacts().gap(j));
    if (arcs_) return fly(t_end, report);
    watch_gaps();
    const double remaining = t_end - t_;
    double h = fixed_ ? remaining : std::min(steps_.proposal(), grid_), error = 0.0;
    if (fails(try_steps(remaining, h, error))) return failure_;

    std::optional<GapSearch::Event> event;
    const bool is_last = h == remaining;
    drop_watches_at_zero(h);
    if (nc_ > 0 && engine_.dense_output(flow_, dense_)) event = search_.first_crossing(dense_);
    if (event && event->lost) {
      flow_.lose(event->constraint);
      return FailureKind::not_finite;
    }
    if (event)
      if (fails(go_to(*event, h))) return failure_;
    steps_.accepted(h, error, event || is_last);
    if (!move_to(is_last && !event ? t_end : t_ + h)) return FailureKind::events_do_not_end;
    y_.swap(y1_);
    start_ = event || flow_.joints().wanted() ? Start::fresh : Start::continued;
    if (flow_.joints().wanted())
      if (fails(flow_.joints().project(t_, y_.data(), y_.data() + nq_))) return failure_;
    return event ? pass_zero(event->constraint, report) : FailureKind::none;
  }
  // The motion in closed form, up to t_end or to the first begin or end of a contact.
  FailureKind fly(double t_end, StepReport& report) {
    for (int j = 0; j < nc_; ++j) zero_[j] = resolution(j);
    const CompliantArcs::End end = arcs_->fly(t_, t_end - t_, zero_, y_);
    if (end.kind != FailureKind::none) return end.kind;
    report.violation = std::max(report.violation, end.depth);
    if (!move_to(end.s == t_end - t_ ? t_end : t_ + end.s)) return FailureKind::events_do_not_end;
    return end.contact < 0 ? FailureKind::none : pass_zero(end.contact, report);
  }
  // Gap j is 0 at t_ and y_: its contact begins or ends.
  FailureKind pass_zero(int j, StepReport& report) {
    flow_.measure(t_, y_.data());
    if (!flow_.touches(j)) return begin_contact(j);
    end_contact(j, report);
    return FailureKind::none;
  }
  std::string arcs_obstacle() const {
    for (const Compliance& law : compliances_)
      if (law.stiffness > 0.0 && (law.exponent != 1.0 || law.hysteresis >= 0.0)) return "a contact's law is not linear";
    return model_.nf() > 0 ? "it has friction" : LinearFlow::obstacle(model_, 0.0);
  }
  void part(int j) {
    flow_.part(j);
    if (arcs_) arcs_->part(j);
  }
  // False if time does not go on from event to event.
  bool move_to(double t) {
    idle_ = t > t_ ? 0 : idle_ + 1;
    t_ = t;
    return idle_ <= 100 + 10 * nc_;
  }

  // A step that is accurate enough; with fixed steps any.
  FailureKind try_steps(double remaining, double& h, double& error) {
    const auto attempt = [&](double trial, double& its_error) {
      const OdeStatus status =
          engine_.step(flow_, t_, trial, y_.data(), y1_.data(), std::exchange(start_, Start::same));
      const FailureKind kind = failure_of(status, flow_.refusal());
      if (kind == FailureKind::none && !fixed_)
        its_error = std::max(steps_.error(engine_, y_.data(), y1_.data(), trial), contact_error());
      return kind;
    };
    return fixed_ ? attempt(h, error) : steps_.shorten(t_, remaining, h, error, attempt);
  }

  // Inside a contact an error of the gap counts ω-fold: as an error of the rate, which the spring makes of it.
  double contact_error() {
    if (flow_.touching() == 0) return 0.0;
    const double* allowed = allowed_speeds();
    double worst = 0.0;
    for (int j = 0; j < nc_; ++j) {
      if (!flow_.touches(j)) continue;
      const double error = std::abs(flow_.contacts().along(j, steps_.last_error()));
      worst = std::max(worst, error * contacts_[j].omega / flow_.contacts().size_along(j, allowed));
    }
    return worst;
  }
  // What each speed may be off by in a step.
  const double* allowed_speeds() {
    for (int i = 0; i < nq_; ++i) allowed_[i] = steps_.allowed(nq_ + i, std::abs(y_[nq_ + i]));
    return allowed_.data();
  }
  // What round-off makes of a gap, after measure().
  double resolution(int j) const {
    const ContactKinematics<double>& contacts = flow_.contacts();
    const double rest = contacts.gap(j) - contacts.along(j, y_.data()), way = flow_.rate(j) * (std::abs(t_) + grid_);
    return 64.0 * epsilon * (contacts.size_along(j, y_.data()) + std::abs(rest) + std::abs(way));
  }

  // What ends a step: an open gap closes, one that was left is entered again, one that was entered opens. Within
  // round-off of 0 a gap is followed relative to where it is.
  void watch_gaps() {
    using Watch = GapSearch::Watch;
    for (int j = 0; j < nc_; ++j) {
      const double g = flow_.contacts().gap(j), U = flow_.rate(j), zero = resolution(j);
      if (flow_.touches(j))
        search_.watch(j) = g < -zero ? Watch::inside : (U < 0.0 ? Watch::entered : Watch::no);
      else
        search_.watch(j) = g > zero ? Watch::open : (U > 0.0 ? Watch::bounced : Watch::no);
    }
  }

  // A gap at 0 that was entered and has not opened by the end of the step, by more than round-off, has not opened in
  // it; nor has one been entered again that is not closed by then. Contacts that rest on each other would otherwise
  // begin and end by round-off alone, without time going on.
  void drop_watches_at_zero(double h) {
    using Watch = GapSearch::Watch;
    const auto is_at_zero = [](Watch watch) { return watch == Watch::entered || watch == Watch::bounced; };
    bool any = false;
    for (int j = 0; j < nc_; ++j) any = any || is_at_zero(search_.watch(j));
    if (!any) return;
    flow_.measure(t_ + h, y1_.data());
    for (int j = 0; j < nc_; ++j) {
      if (!is_at_zero(search_.watch(j))) continue;
      const double beyond = search_.watch(j) == Watch::entered ? flow_.contacts().gap(j) : -flow_.contacts().gap(j);
      if (!(beyond > resolution(j))) search_.watch(j) = Watch::no;
    }
  }

  // The step again, up to where the gap is 0: Newton's method on its length. y1_ is then there.
  FailureKind go_to(const GapSearch::Event& event, double& h) {
    constexpr int most_iterations = 4;
    const double whole = h;
    h *= event.theta;
    for (int iteration = 0;; ++iteration) {
      if (engine_.step(flow_, t_, h, y_.data(), y1_.data(), Start::same) != OdeStatus::done)
        return FailureKind::not_finite;
      flow_.measure(t_ + h, y1_.data());
      const double correction = -flow_.contacts().gap(event.constraint) / flow_.rate(event.constraint);
      const double next = h + correction;
      // A gap that only touches 0 is left where the search has found it.
      if (iteration == most_iterations || !(std::abs(correction) > epsilon * h) ||
          !(std::abs(correction) <= 0.1 * h && next <= whole))
        return FailureKind::none;
      h = next;
    }
  }

  // Contacts at g = 0 that go on closing begin, those that go on opening end; after measure().
  FailureKind settle(StepReport& report) {
    for (int j = 0; j < nc_; ++j) {
      const double g = flow_.contacts().gap(j), U = flow_.rate(j), zero = resolution(j);
      if (flow_.touches(j)) {
        if (g >= -zero && U >= 0.0 && t_ > contacts_[j].t) end_contact(j, report);
      } else if (g <= zero && U <= 0.0) {
        if (fails(begin_contact(j))) return failure_;
      }
    }
    return FailureKind::none;
  }

  // At t_ and y_, after measure(). A gap that rests at 0 and is not pressed is left alone.
  FailureKind begin_contact(int j) {
    if (!flow_(t_, y_.data(), dy_.data())) return flow_.refusal();
    flow_.measure(t_, y_.data());
    const double U = flow_.rate(j), Gamma = flow_.separation(j, t_, y_.data());
    if (!(U < 0.0) && !(Gamma < 0.0)) return FailureKind::none;

    const double m = flow_.effective_mass(j, t_, y_.data());
    model_.restitution(t_, y_.data(), e_.data());
    failed_contact_ = j;
    if (!(e_[j] >= 0.0 && e_[j] <= 1.0)) return FailureKind::restitution_out_of_range;
    if (!(m > 0.0) || !std::isfinite(m)) return FailureKind::complementarity_not_solved;
    const Compliance& own = compliances_[j];
    const double press = std::max(0.0, -Gamma);
    const ContactLaw law = own.stiffness > 0.0 ? law_of(own, m, std::max(0.0, -U), press, e_[j])
                                               : matched_spring(stiffness(j, m, U, press), m, e_[j]);
    const double ratio = damping_ratio(law.restitution), k = law.k, omega = law.omega;
    const double settles = std::min(2.0 * pi / std::sqrt((1.0 - ratio) * (1.0 + ratio)), 40.0) / omega;
    const double unresolved = arcs_ ? 0.0 : flow_.contacts().size_along(j, allowed_speeds());
    const double smooth_rate_change = std::abs(Gamma) * pi / omega + unresolved;
    contacts_[j] = {k, omega, t_, U, smooth_rate_change, t_ + settles, false};
    if (fixed_ && grid_ > longest_fixed_step(omega) * (1.0 + 1e-9)) return FailureKind::step_too_small;

    if (flow_.touching() == 0) flight_step_ = steps_.proposal();
    flow_.touch(j, law);
    if (arcs_) arcs_->touch(j, law.k, law.kappa);
    if (own.stiffness > 0.0)
      implied_[j] = {std::min(implied_[j].first, law.restitution), std::max(implied_[j].second, law.restitution)};
    else if (stiffest_ < 0 || k > contacts_[stiffest_].k)
      stiffest_ = j;
    steps_.propose(std::min(steps_.proposal(), 0.1 / omega));
    start_ = Start::fresh;
    return FailureKind::none;
  }
  double stiffness(int j, double m, double U, double press) const {
    if (settings_.stiffness) return *settings_.stiffness;
    if (settings_.penetration) {
      const double depth = *settings_.penetration;
      return std::max(contacts_[j].k, m * (U * U + 2.0 * press * depth) / (depth * depth));
    }
    const double omega = pi / ((fixed_ ? default_share_fixed : default_share) * grid_);
    return m * omega * omega;
  }
  void end_contact(int j, StepReport& report) {
    report_contact(j, true, report);
    part(j);
    start_ = Start::fresh;
    if (flow_.touching() == 0) steps_.propose(flight_step_);
  }

  // What a contact has done since it was last reported; after measure().
  void report_contact(int j, bool ended, StepReport& report) {
    Contact& contact = contacts_[j];
    double &impulse = flow_.impulse(y_.data(), j), &work = flow_.work(y_.data(), j);
    const bool was_lasting = contact.lasting;
    contact.lasting = was_lasting || ended || t_ >= contact.settles;
    report.contacts.push_back({.constraint = j,
                               .t = contact.t,
                               .rate_minus = was_lasting ? 0.0 : contact.rate,
                               .rate_plus = flow_.rate(j),
                               .impulse = impulse,
                               .smooth_rate_change = contact.smooth_rate_change,
                               .loss = -work,
                               .unfinished = !contact.lasting});
    report.energy.impact.add(work);
    impulse = work = 0.0;
  }

  // The end of an advance: the account, contacts that go on, the state.
  void close_interval(State& state, StepReport& report) {
    if (flow_.touching() > 0) flow_.measure(t_, y_.data());
    for (int j = 0; j < nc_; ++j)
      if (flow_.touches(j) && std::isfinite(flow_.rate(j))) report_contact(j, false, report);
    report.energy.input.add(std::exchange(flow_.input(y_.data()), 0.0));
    report.energy.damping.add(std::exchange(flow_.damping(y_.data()), 0.0));
    if (flow_.has_friction()) {
      report.energy.friction.add(std::exchange(flow_.friction_work(y_.data()), 0.0));
      report.friction.resize(static_cast<std::size_t>(model_.ns()));
      for (int s = 0; s < model_.ns(); ++s) report.friction[s] += std::exchange(flow_.slip_impulse(y_.data(), s), 0.0);
    }
    flow_.unpack(y_.data(), state);
    state.t = t_;
  }

  const Model& model_;
  const int nq_ = model_.nq(), nc_ = model_.nc();
  const Penalty settings_;
  const bool fixed_ = settings_.steps == Penalty::Steps::fixed;
  CompliantContactsOde flow_{model_};
  ExplicitRungeKutta engine_{find_tableau(settings_.tableau), flow_.size()};
  EventStepControl steps_{engine_.tableau(), model_, flow_.size(), settings_.rtol, settings_.atol};
  GapSearch search_{model_};
  DenseOutput dense_{flow_.size()};

  double t_ = 0.0, grid_ = 0.0, flight_step_ = 0.0;
  std::vector<double> y_ = zeros(flow_.size()), y1_ = y_, dy_ = y_;  // y at t_ and at the end of the step
  std::vector<double> e_ = zeros(nc_), allowed_ = zeros(nq_);
  std::optional<CompliantArcs> arcs_;  // if the motion is a closed form
  std::vector<double> zero_ = e_;      // round-off of gaps
  std::vector<Contact> contacts_;
  std::vector<Compliance> compliances_ = compliances_of(model_);
  std::vector<std::pair<double, double>> implied_ = std::vector(static_cast<std::size_t>(nc_), std::pair(2.0, -1.0));
  std::vector<char> sinks_ = zeros<char>(nc_);  // contacts that went deeper at the begin of the step
  Start start_ = Start::fresh;
  bool fresh_ = true;
  int idle_ = 0, failed_contact_ = -1, stiffest_ = -1;  // events at the same time; whose contact
  FailureKind failure_ = FailureKind::none;
};

std::unique_ptr<Stepper> make(const Model& model, const Penalty& scheme, const ComplementaritySettings&) {
  if (scheme.stiffness && scheme.penetration)
    throw InputError("scheme.penetration", "give stiffness or penetration, not both");
  return std::make_unique<PenaltyStepper>(model, scheme);
}

Traits traits_of(const Penalty& scheme) {
  return {.takes_states = true,
          .takes_friction = true,
          .compliant = true,
          .chooses_steps = scheme.steps == Penalty::Steps::adaptive,
          .energy_identity = false};
}

// With the translation between restitution and damping.
std::string explained() {
  std::string text =
      "Contacts are entered: a spring k and a damper c push from where the gap closes to where it opens again, and the "
      "damper is matched so that a contact alone gives U⁺ = −e U⁻ exactly. The steps of a Dormand-Prince pair follow "
      "rtol and atol and stop where contacts begin and end; where the model is linear without friction the motion is a "
      "closed form instead, and there are no steps. Good for what happens inside impacts: forces, durations, several "
      "contacts that overlap, on which rigid bodies give no answer. It costs some 50 steps an impact and goes on "
      "costing in lasting contact, where a body of mass m lies at the depth m g/k. A contact lasts π/(ω√(1−ζ²)), ω = "
      "√(k/m), m being the mass that the contact feels; at least ten fixed steps must fit into π/ω. Damping ratio ζ = "
      "κ/(2√(k m)) = −ln e/√(π² + ln² e) for a restitution e, as e → ζ:";
  for (const double e : {1.0, 0.9, 0.8, 0.7, 0.6, 0.5, 0.4, 0.3, 0.2, 0.1, 0.01, 0.0})
    text += fmt::format("{}{:g}→{:.4g}", e < 1.0 ? ", " : " ", e, std::abs(damping_ratio(e)));
  return text + ".";
}

}  // namespace

void describe(ParameterTable& table, Penalty& scheme) {
  table("stiffness", "k", "force per depth of every contact; 0: from penetration", scheme.stiffness, {.lower = 0.0});
  table("penetration", "δ", "depth that impacts may reach; 0: contacts last a tenth of the step (20 fixed steps)",
        scheme.penetration, {.lower = 0.0});
  table("steps", "h", "adaptive: as rtol and atol ask for, or fixed: one Runge-Kutta step a step", scheme.steps,
        {.words = {"adaptive", "fixed"}});
  table("slip_speed", "v_s", "slip below which friction is less than its bound; 0: a thousandth of those at the start",
        scheme.slip_speed, {.lower = 0.0});
  table("tableau", "", "Butcher table of the motion", scheme.tableau, {.words = {"dormand-prince", "dop853"}});
  describe_adaptive_rtol(table, scheme.rtol);
  describe_atol(table, scheme.atol);
  table("flow", "",
        "exact: in closed form where the model is linear; automatic: by Runge-Kutta steps, cheaper where records are "
        "close",
        scheme.flow, {.words = {"automatic", "exact", "runge-kutta"}});
}

Penalty::operator Scheme() const { return scheme_of("penalty", *this); }

template <>
SchemeEntry scheme_entry<Penalty>() {
  static const std::string explanation = explained();
  return {
      .name = "penalty",
      .summary = "compliant contacts: a spring and a damper matched to the restitution, resolved in time",
      .explanation = explanation,
      .order =
          "5 in free flight and in contact (8 with dop853), errors like the tolerance; the model itself is off from "
          "rigid contacts by O(1/√k), which is O(step) with the default stiffness",
      .literature =
          "L. Paoli, M. Schatzman, Mouvement à un nombre fini de degrés de liberté avec contraintes unilatérales: cas "
          "avec perte d'énergie, RAIRO Modél. Math. Anal. Numér. 27 (1993) 673, doi:10.1051/m2an/1993270606731; L. "
          "Paoli, Time discretization of vibro-impact, Phil. Trans. R. Soc. A 359 (2001) 2405, "
          "doi:10.1098/rsta.2001.0858, section 2",
      .flight_order = 5.0,
      .parameters = parameters_of<Penalty>(),
      .traits = traits_with<Penalty, traits_of>,
      .make = make_with<Penalty, make>,
  };
}

}  // namespace ricochet
