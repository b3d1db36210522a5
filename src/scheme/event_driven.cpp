// Event-driven integration with index sets [Acary 2018, (7)-(31)].
//
//   I_c: contacts with g = 0; I_s ⊂ I_c: those with U = 0 as well, held by Γ = 0 while λ ≥ 0.
//   1. Smooth motion M v' = F + H λ, Γ_s = 0, by Dormand-Prince with error control (order 8 for small tolerances and
//      long intervals, else 5), up to the first event: a gap of a
//      contact that is not closed reaches 0, the force of a closed one falls to 0, a slip does, or the force of a
//      friction that sticks reaches its bound.
//   2. Where a contact of I_c closes, U < 0: impacts (27) on I_c, then what would be back too soon closes too
//      (contact/lasting_contacts.hpp).
//   3. The contact LCP 0 ≤ Γ ⊥ λ ≥ 0 on the contacts with g = 0, U = 0 decides which stay closed; where λ = Γ = 0 a
//      short motion with the contact held does (event/event_contacts.hpp). The same problem decides whether frictions
//      without slip stick or slide (contact/friction_forces.hpp). After `stop`, a slip that has become 0, its round-off
//      is taken away first; after `slip`, a force that has reached its bound, the friction slides along −λ_S, since Γ_S
//      is 0 there and says nothing.
//
// An event is found on the dense output (gap_search.hpp), the motion is repeated up to it with one step of the table,
// and corrected along its own velocity to g = 0. No threshold has a unit: a gap touches within the round-off of its
// terms, is uncertain by ε_g = rtol Σ|∂g/∂q_i| ℓ_i, ℓ_i being how far q_i has come; rates below 1e-10 of the fastest
// impact of the contact count as 0. Accumulation: a contact closes if its next flight 2U⁺/|Γ| is below `closing` times
// the longest one, or if the flight before was and the contact has become slow: then no force needs to press. Drift of
// closed contacts is projected away when it exceeds a hundredth of the tolerance.
#include "ricochet/scheme/event_driven.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "flow/linear_flow.hpp"
#include "runge_kutta/adaptive.hpp"
#include "scheme/describe.hpp"
#include "scheme/event/event_driven_contacts.hpp"
#include "scheme/event/exact_flights.hpp"
#include "scheme/event/gap_search.hpp"
#include "scheme/event/motion_phases.hpp"
#include "scheme/kernel/failure_text.hpp"
#include "scheme/kernel/held_contacts_ode.hpp"
#include "scheme/kernel/motion_errors.hpp"

namespace ricochet {
namespace {

using Watch = GapSearch::Watch;

std::string_view table_for(const EventDriven& scheme) {
  constexpr double where_order_8_pays = 1e-7;
  if (scheme.tableau != "automatic") return scheme.tableau;
  return scheme.rtol < where_order_8_pays ? "dop853" : "dormand-prince";
}

class EventDrivenStepper final : public Stepper {
 public:
  EventDrivenStepper(const Model& model, const EventDriven& settings, const ComplementaritySettings& solver,
                     std::vector<MotionPhase>* phases)
      : model_(model), settings_(settings), contacts_(model, flow_, settings, solver) {
    contacts_.log(phases);
  }

  void begin(const State&) override { settled_ = false; }
  FailureKind advance(State& state, double h, double t_end, StepReport& report) override;

  std::string failure_detail() const override { return contacts_.failure_detail(failure_, y_.data()); }
  void skip_account() override { flow_.skip_account(); }
  StepCounts counts() const override {
    return {.force_evaluations = flow_.evaluations(),
            .contact_problems = contacts_.problems(),
            .accepted = static_cast<std::uint64_t>(accepted()),
            .rejected = static_cast<std::uint64_t>(sum_of(&AdaptiveRungeKutta::rejected))};
  }
  std::vector<std::string> notes() const override {
    if (settings_.flow != EventDriven::Flow::exact) return {};
    return {"flow = \"exact\" has no effect, for the model has no flights in closed form: " +
            LinearFlow::obstacle(model_, 0.0) + "; Runge-Kutta steps are taken"};
  }
  std::vector<std::string> remarks() const override { return contacts_.remarks(); }

  void reactions(const State& state, double* lambda) override { flow_.reactions(state, lambda); }

 private:
  // What integrates the motion, in flight or in contact, and repeats a step up to an event.
  struct Engines {
    AdaptiveRungeKutta ode;
    ExplicitRungeKutta refine;
    DenseOutput dense;
    Engines(const Tableau& tableau, int n, const StepSettings& settings, int outputs)
        : ode(tableau, n, settings, outputs), refine(tableau, n, outputs), dense(n) {}
  };
  struct Pair {
    Engines flight, contact;
  };
  Pair engines_of(std::string_view name) {
    const Tableau& tableau = find_tableau(name);
    return {Engines(tableau, flow_.size(false), control_, 0),
            Engines(tableau, flow_.size(true), control_, flow_.outputs())};
  }

  void allow_errors() {
    if (!settings_.atol) ode().set_atol(errors_.atol());
  }
  bool in_contact() const { return flow_.is_held(); }
  Pair& pair() { return quicker_ && short_ ? *quicker_ : pair_; }
  Engines& engines() { return in_contact() ? pair().contact : pair().flight; }
  AdaptiveRungeKutta& ode() { return engines().ode; }
  DenseOutput& dense() { return engines().dense; }
  // use(engines, right-hand side), of what goes on now
  template <class Use>
  auto with_engines(const Use& use) {
    return in_contact() ? use(pair().contact, flow_) : use(pair().flight, free_);
  }
  long sum_of(long (AdaptiveRungeKutta::*count)() const) const {
    long sum = (pair_.flight.ode.*count)() + (pair_.contact.ode.*count)();
    if (quicker_) sum += (quicker_->flight.ode.*count)() + (quicker_->contact.ode.*count)();
    return sum;
  }
  long accepted() const { return sum_of(&AdaptiveRungeKutta::accepted); }
  FailureKind choose_table(double interval, double t_end);

  FailureKind start(double t, double t_end);
  // Impacts, closed contacts and watched gaps at (t, y_), then a new start.
  FailureKind settle(double t, double t_end) {
    const double horizon = h_ > 0.0 ? h_ : t_end - t;
    if (const FailureKind kind = contacts_.settle(t, horizon, y_); kind != FailureKind::none) return kind;
    return start(t, t_end);
  }
  FailureKind step(double t_end);
  // Where the end of the last step's motion with its modes is: a closed contact opens, slips vanish, frictions slip.
  struct Change {
    double theta = 1.0;
    bool opens = false;
    int stopped = -1;  // a friction whose slip vanishes
  };
  FailureKind go_to(double theta, int constraint, int stopped);
  bool is_over(double theta);
  FailureKind after_step(double t_end);
  // y_ := where the engine is.
  void take_motion() { std::copy(ode().y(), ode().y() + dense().size(), y_.begin()); }
  // y_ := the motion inside the last step, where the run ends.
  void stop_inside(double theta) {
    t_ = dense().t0() + theta * dense().h();
    for (int i = 0; i < dense().size(); ++i) y_[i] = dense().value(i, theta);
    at_event_ = true;
  }
  bool suspects_change();
  std::optional<Change> change();
  double time_to_stop(int k);
  void tell_change(const Change& change);
  void collect();
  FailureKind told(OdeStatus status) const { return failure_of(status, flow_.failure()); }
  FailureKind note_progress() {
    constexpr int most_events = 1000;
    if (t_ > last_event_ + 4.0 * std::numeric_limits<double>::epsilon() * std::abs(t_)) events_here_ = 0;
    last_event_ = t_;
    return ++events_here_ > most_events ? FailureKind::events_do_not_end : FailureKind::none;
  }

  const Model& model_;
  const int nc_ = model_.nc();
  const EventDriven settings_;
  HeldContactsOde flow_{model_};
  EventDrivenContacts contacts_;
  MotionErrors errors_{model_, settings_.rtol, settings_.atol};
  HeldContactsOde::Free free_{flow_};
  const StepSettings control_{
      .rtol = settings_.rtol, .atol = settings_.atol.value_or(1.0), .controlled = flow_.motion_size()};
  Pair pair_ = engines_of(table_for(settings_));
  // Where dop853 is the choice, for intervals that are shorter than its steps.
  std::optional<Pair> quicker_ =
      settings_.tableau == "automatic" && pair_.flight.ode.engine().tableau().name == "dop853"
          ? std::optional(engines_of("dormand-prince"))
          : std::nullopt;
  bool short_ = false;
  long accepted_before_ = 0;  // steps, at the begin of the interval

  double t_ = 0.0, h_ = 0.0;  // time reached; next step to try
  // y at t_; at an event; when works were last collected
  std::vector<double> y_ = zeros(flow_.size(true)), y_event_ = y_, y_collected_ = y_, dy_ = y_;
  std::vector<double> lambda_ = zeros(flow_.outputs());
  std::vector<FrictionModes::Direction> reached_ =
      std::vector<FrictionModes::Direction>(model_.layout().frictions.size());
  std::vector<char> over_ = zeros<char>(model_.nf());  // frictions whose mode ends at the change; λ_S there
  double last_event_ = 0.0;
  int events_here_ = 0;
  bool settled_ = false, at_event_ = false;  // at_event_: y_ is ahead of the engine's last step
  FailureKind failure_ = FailureKind::none;
};

// What works and impulses have grown by goes to the account.
void EventDrivenStepper::collect() {
  const std::ptrdiff_t first = flow_.motion_size();
  contacts_.add_works({.input = flow_.input(y_.data()) - flow_.input(y_collected_.data()),
                       .damping = flow_.damping(y_.data()) - flow_.damping(y_collected_.data()),
                       .friction = flow_.friction(y_.data()) - flow_.friction(y_collected_.data())});
  for (int j = 0; j < nc_; ++j)
    contacts_.add_impulse(j, flow_.impulse(y_.data(), j) - flow_.impulse(y_collected_.data(), j));
  for (int k = 0; k < model_.ns(); ++k)
    contacts_.add_slip_impulse(k, flow_.slip_impulse(y_.data(), k) - flow_.slip_impulse(y_collected_.data(), k));
  std::copy(y_.begin() + first, y_.end(), y_collected_.begin() + first);
}

// Sets out from y_ at t with the contacts as they are.
FailureKind EventDrivenStepper::start(double t, double t_end) {
  t_ = t;
  flow_.set_out(t);
  flow_.carry_impulses(in_contact());
  std::fill(y_.begin() + flow_.motion_size(), y_.end(), 0.0);
  std::fill(y_collected_.begin(), y_collected_.end(), 0.0);
  const double until = std::max(t_end, std::nextafter(t, t_end + 1.0));
  errors_.see(y_.data(), h_);
  if (h_ == 0.0 && !settings_.atol) {
    if (!flow_(t, y_.data(), dy_.data(), lambda_.data())) return told(OdeStatus::evaluation_failed);
    errors_.set_out(dy_.data(), flow_.acceleration_magnitude(), 1e-3 * (until - t));
  }
  allow_errors();
  const OdeStatus status =
      with_engines([&](Engines& engines, auto& flow) { return engines.ode.begin(flow, t, y_.data(), until, h_); });
  if (status != OdeStatus::done) return told(status);
  errors_.see(y_.data(), ode().next_step());
  errors_.set_out(ode().engine().stage_derivative(0), flow_.acceleration_magnitude(), ode().next_step());
  allow_errors();
  return FailureKind::none;
}

// y_ := the motion at θ of the last step, repeated by one step of the table, and where a gap closes or a slip vanishes
// moved along its velocity to g = 0 or U_S = 0.
FailureKind EventDrivenStepper::go_to(double theta, int constraint, int stopped) {
  const DenseOutput& path = dense();
  const double t0 = path.t0(), h = theta * path.h();
  const int n = path.size();
  t_ = t0 + h;
  // Near the stop of a slip in space its direction is round-off, and no stage of a table may look at it.
  const bool blurred = stopped >= 0 && flow_.modes()[stopped].rows > 1;
  if (!(t_ > t0) || blurred) {
    for (int i = 0; i < n; ++i) y_[i] = path.value(i, theta);
    return FailureKind::none;
  }
  for (int i = 0; i < n; ++i) y_event_[i] = path.coefficients(i)[0];
  const OdeStatus status = with_engines(
      [&](Engines& engines, auto& flow) { return engines.refine.step(flow, t0, h, y_event_.data(), y_.data()); });
  if (status != OdeStatus::done) return told(status);
  if (constraint < 0 && stopped < 0) return FailureKind::none;
  const double correction =
      constraint >= 0 ? contacts_.time_to_close(t_, y_.data(), constraint) : time_to_stop(stopped);
  if (!(std::abs(correction) <= 1e-3 * h)) return FailureKind::none;
  const double* f = engines().refine.end_derivative();
  for (int i = 0; i < n; ++i) y_[i] += correction * f[i];
  t_ += correction;
  return FailureKind::none;
}

double EventDrivenStepper::time_to_stop(int k) {
  if (!flow_(t_, y_.data(), dy_.data(), lambda_.data())) return 0.0;
  const double rate = flow_.slip_along_rate(k);
  return rate < 0.0 ? -flow_.slip_along(k, y_.data() + model_.nq()) / rate : 0.0;
}

// Whether a closed contact pulls at θ of the last step, or a friction has passed the end of its mode.
bool EventDrivenStepper::is_over(double theta) {
  dense().value(theta, y_event_.data());
  if (!flow_(dense().t0() + theta * dense().h(), y_event_.data(), dy_.data(), lambda_.data())) return false;
  for (int j = 0; j < nc_; ++j)
    if (flow_.is_closed(j) && lambda_[j] + flow_.force_noise(j) < 0.0) return true;
  return std::any_of(lambda_.begin() + nc_, lambda_.end(), [](double margin) { return margin < 0.0; });
}

// Whether at a stage of the last step a closed contact pulls, or a friction has passed the end of its mode.
bool EventDrivenStepper::suspects_change() {
  if (!in_contact()) return false;
  const ExplicitRungeKutta& engine = ode().engine();
  bool suspected = false;
  for (int s = 0; s < engine.tableau().stages && !suspected; ++s) {
    const double* output = engine.stage_output(s);
    for (int j = 0; j < nc_; ++j) suspected = suspected || (flow_.is_closed(j) && output[j] < 0.0);
    for (int k = 0; k < model_.nf(); ++k) suspected = suspected || output[nc_ + k] < 0.0;
  }
  return suspected;
}

// The first θ where one does; the set that follows a contact's opening is then known, and so are the frictions that
// change.
std::optional<EventDrivenStepper::Change> EventDrivenStepper::change() {
  double lower = 0.0, upper = -1.0;
  for (const double theta : {0.125, 0.25, 0.375, 0.5, 0.625, 0.75, 0.875, 1.0}) {
    if (is_over(theta)) {
      upper = theta;
      break;
    }
    lower = theta;
  }
  if (upper < 0.0) return std::nullopt;
  const double after = upper;
  for (int k = 0; k < 60 && upper - lower > 1e-14; ++k) {
    const double middle = 0.5 * (lower + upper);
    (is_over(middle) ? upper : lower) = middle;
  }
  Change change{.theta = lower};
  is_over(upper);
  for (int j = 0; j < nc_; ++j)
    change.opens = change.opens || (flow_.is_closed(j) && lambda_[j] + flow_.force_noise(j) < 0.0);
  for (int k = 0; k < model_.nf(); ++k) {
    over_[k] = lambda_[nc_ + k] < 0.0;
    if (over_[k] && flow_.modes()[k].mode == FrictionMode::slide) change.stopped = k;
    if (over_[k]) reached_[k] = flow_.friction_force(k);
  }
  if (!change.opens) return change;
  // The LCP where the force would have to pull tells who opens (Delassus: not always the one that pulls).
  dense().value(after, y_event_.data());
  contacts_.foresee(dense().t0() + after * dense().h(), y_event_.data());
  return change;
}

void EventDrivenStepper::tell_change(const Change& change) {
  if (change.opens) contacts_.follow_foreseen();
  for (int k = 0; k < model_.nf(); ++k) {
    if (!over_[k]) continue;
    if (flow_.modes()[k].mode == FrictionMode::stick) {
      contacts_.slip(k, reached_[k]);
    } else if (contacts_.vanishes(t_, y_.data(), k)) {
      contacts_.stop(k);
    }
  }
}

// The step ended without an event.
FailureKind EventDrivenStepper::after_step(double t_end) {
  const AdaptiveRungeKutta& engine = ode();
  t_ = engine.t();
  const bool back = contacts_.has_young() && contacts_.watch_open(t_, engine.y());
  if (!in_contact() && !flow_.has_joints() && !back) return FailureKind::none;
  take_motion();
  if (back) {
    collect();
    at_event_ = true;
    h_ = engine.next_step();
    return settle(t_, t_end);
  }
  if (flow_.modes().turns() && flow_(t_, y_.data(), dy_.data(), nullptr)) flow_.modes().look();
  bool moved = false;
  if (const FailureKind kind = contacts_.project_drift(t_, y_, moved); kind != FailureKind::none) return kind;
  if (!moved) return FailureKind::none;
  collect();
  h_ = engine.next_step();
  return start(t_, t_end);
}

// One accepted step, cut off at its first event.
FailureKind EventDrivenStepper::step(double t_end) {
  const double planned = ode().next_step(), t0 = ode().t();
  at_event_ = false;
  const OdeStatus status = with_engines([&](Engines& engines, auto& flow) { return engines.ode.advance(flow, t_end); });
  if (status != OdeStatus::done) return told(status);
  if (!contacts_.any_open() && !in_contact()) return after_step(t_end);
  // In steps as short as the resolution of time positions move by round-off alone.
  if (ode().t() - t0 <= 4.0 * std::numeric_limits<double>::epsilon() * std::abs(t0)) return after_step(t_end);
  const bool suspected = suspects_change();
  if (!suspected && ode().engine().has_rough_output()) {
    ode().engine().rough_output(model_.nq(), dense());
    if (contacts_.is_far(dense())) return after_step(t_end);
  }
  if (!with_engines([](Engines& engines, auto& flow) { return engines.ode.dense_output(flow, engines.dense); }))
    return told(OdeStatus::evaluation_failed);

  double from = 0.0;
  const std::optional<Change> changed = suspected ? change() : std::nullopt;
  while (true) {
    const std::optional<GapSearch::Event> event = contacts_.search(dense(), from);
    const bool gap_first = event && event->theta <= changed.value_or(Change{}).theta;
    if (!gap_first && !changed) return after_step(t_end);
    if (gap_first && event->grazing) {
      contacts_.report_grazing(event->constraint, dense().t0() + event->theta * dense().h());
      // The minimum has been seen: go on behind it.
      from = event->theta + 1e-9;
      continue;
    }
    if (gap_first && event->lost) {
      stop_inside(event->theta);
      return contacts_.lose(*event);
    }
    h_ = std::max(planned, dense().h());
    if (const FailureKind kind =
            gap_first ? go_to(event->theta, event->constraint, -1) : go_to(changed->theta, -1, changed->stopped);
        kind != FailureKind::none)
      return kind;
    at_event_ = true;
    if (const FailureKind kind = note_progress(); kind != FailureKind::none) return kind;
    collect();
    if (gap_first) {
      contacts_.hit(event->constraint);
    } else {
      tell_change(*changed);
    }
    return settle(t_, t_end);
  }
}

// Between two intervals of recording: steps of order 8, of 15 evaluations with their polynomial, do not pay where two
// of order 5, of 6 evaluations, reach from one end to the other.
FailureKind EventDrivenStepper::choose_table(double interval, double t_end) {
  const long made = accepted() - std::exchange(accepted_before_, accepted());
  const double next = ode().next_step();
  if (!quicker_ || (short_ ? made <= 2 : made > 1 || next < 4.0 * interval)) return FailureKind::none;
  if (!at_event_) take_motion();
  h_ = short_ ? 4.0 * next : 0.25 * next;
  short_ = !short_;
  return start(t_, t_end);
}

FailureKind EventDrivenStepper::advance(State& state, double h, double t_end, StepReport& report) {
  failure_ = FailureKind::none;
  if (nc_ > 0) model_.gap(state.t, state.q.data(), lambda_.data());
  for (int j = 0; j < nc_; ++j) report.violation = std::max(report.violation, -lambda_[j]);
  const auto finish = [&](FailureKind kind) {
    collect();
    flow_.unpack(y_.data(), state);
    state.t = kind == FailureKind::none ? t_end : t_;
    contacts_.end_report(state.t, report);
    return failure_ = kind;
  };
  if (!settled_) {
    flow_.pack(state, y_);
    contacts_.reset(y_.data());
    errors_.begin(state.t, y_.data());
    t_ = last_event_ = state.t;
    h_ = 0.0;
    short_ = false;
    accepted_before_ = accepted();
    if (const FailureKind kind = settle(state.t, t_end); kind != FailureKind::none) return finish(kind);
    settled_ = true;
  } else if (const FailureKind kind = choose_table(h, t_end); kind != FailureKind::none) {
    return finish(kind);
  }
  while (t_ < t_end) {
    const FailureKind kind = report.interrupted() ? FailureKind::interrupted : step(t_end);
    if (kind == FailureKind::none) continue;
    if (!at_event_) {
      t_ = ode().t();
      take_motion();
    }
    return finish(kind);
  }
  if (!at_event_) take_motion();
  errors_.see(y_.data(), ode().next_step());
  allow_errors();
  return finish(FailureKind::none);
}

std::unique_ptr<Stepper> make_logged(const Model& model, const EventDriven& settings,
                                     const ComplementaritySettings& solver, std::vector<MotionPhase>* phases) {
  using Flow = EventDriven::Flow;
  const bool wanted =
      settings.flow == Flow::exact || (settings.flow == Flow::automatic && model.nq() <= most_exact_coordinates);
  if (wanted && LinearFlow::obstacle(model, 0.0).empty()) return exact_flights(model, settings, solver, phases);
  return std::make_unique<EventDrivenStepper>(model, settings, solver, phases);
}

std::unique_ptr<Stepper> make(const Model& model, const EventDriven& settings, const ComplementaritySettings& solver) {
  return make_logged(model, settings, solver, nullptr);
}

}  // namespace

void describe(ParameterTable& table, EventDriven& scheme) {
  table("flow", "", "how flights are calculated: exact where the model is linear, by Runge-Kutta steps otherwise",
        scheme.flow, {.words = {"automatic", "exact", "runge-kutta"}});
  table("tableau", "",
        "Butcher table of the smooth motion; automatic: dop853 where rtol is below 1e-7, else dormand-prince, as where "
        "records are close",
        scheme.tableau, {.words = {"automatic", "dormand-prince", "dop853"}});
  table("rtol", "rtol", "error allowed in a step, relative to the size of a component", scheme.rtol,
        {.lower = 1e-14, .upper = 0.1});
  describe_atol(table, scheme.atol);
  table("closing", "", "a flight shorter than this share of the longest one of the contact closes it", scheme.closing,
        {.lower = 1e-12, .upper = 0.1});
  table("gap_tolerance", "ε_g",
        "gaps below it are closed: simultaneous impacts and grazing; 0: what rtol makes of the motion",
        scheme.gap_tolerance, {.lower = 0.0});
  table("rate_tolerance", "ε_U", "rates below this share of the fastest one of the contact count as 0",
        scheme.rate_tolerance, {.lower = 0.0, .upper = 0.01});
}

EventDriven::operator Scheme() const { return scheme_of("event-driven", *this); }

std::unique_ptr<Stepper> event_driven_with_phases(const Model& model, const EventDriven& settings,
                                                  std::vector<MotionPhase>& phases) {
  return make_logged(model, settings, {}, &phases);
}

template <>
SchemeEntry scheme_entry<EventDriven>() {
  return {
      .name = "event-driven",
      .summary =
          "event-driven: impacts located on a smooth motion of order 8 or 5 with error control, contacts by index sets",
      .explanation =
          "Between events the motion is an ODE with the forces of closed contacts: in closed form where the model is "
          "linear (flow), rtol and atol having no effect then, otherwise integrated by Dormand-Prince to "
          "rtol and atol. Every step is searched for closing gaps, minima inside it included; impacts are solved "
          "where they happen, and the contact problem at acceleration level decides which contacts stay closed. The "
          "reference for accuracy where impacts can be told apart. Accumulations end when a flight would be shorter "
          "than `closing` times the longest one: the contact then closes, and the result says when and after how many "
          "impacts. Friction sticks or slides between events; where a slip vanishes or the force of friction reaches "
          "its "
          "bound is an event too.",
      .order = "8 in free flight and across impacts, 5 with dormand-prince: the error follows rtol and atol",
      .literature =
          "V. Acary, B. Brogliato, Numerical Methods for Nonsmooth Dynamical Systems, Springer 2008, chapter 8, "
          "doi:10.1007/978-3-540-75392-6; J. R. Dormand, P. J. Prince, A family of embedded Runge-Kutta formulae, J. "
          "Comput. Appl. Math. 6 (1980) 19, doi:10.1016/0771-050X(80)90013-3",
      .flight_order = 5.0,
      .parameters = parameters_of<EventDriven>(),
      .traits = always<Traits{.takes_states = true,
                              .takes_friction = true,
                              .chooses_steps = true,
                              .locates_impacts = true,
                              .energy_identity = false}>,
      .make = make_with<EventDriven, make>,
  };
}

}  // namespace ricochet
