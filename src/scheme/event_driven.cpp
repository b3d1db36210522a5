// Event-driven integration with index sets [Acary 2018, (7)-(31)].
//
//   I_c: contacts with g = 0; I_s ⊂ I_c: those with U = 0 as well, held by Γ = 0 while λ ≥ 0.
//   1. Smooth motion M v' = F + H λ, Γ_s = 0, by Dormand-Prince with error control (order 8 for small tolerances, else
//      5), up to the first event: a gap of a contact that is not closed reaches 0, the force of a closed one falls to
//      0, a slip does, or the force of a friction that sticks reaches its bound. Steps pass over the ends of recording
//      intervals: the motion there is that of the step's polynomial, closed contacts and joints held.
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
#include "scheme/event/lane_flights.hpp"
#include "scheme/event/motion_phases.hpp"
#include "scheme/kernel/failure_text.hpp"
#include "scheme/kernel/free_stepper.hpp"
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

StepSettings step_settings(const EventDriven& scheme, int motion_size) {
  return {.rtol = scheme.rtol, .atol = scheme.atol.value_or(1.0), .controlled = motion_size};
}

class EventDrivenStepper final : public FreeStepper {
 public:
  EventDrivenStepper(const Model& model, const EventDriven& settings, const ComplementaritySettings& solver,
                     std::vector<MotionPhase>* phases)
      : model_(model), settings_(settings), contacts_(model, flow_, settings, solver) {
    contacts_.log(phases);
  }

  void begin(const State&) override { settled_ = ahead_ = waits_ = false; }
  bool flies_in_lanes() const override { return flow_.flies(); }
  void join(LaneFlights& flights, int lane) override { flights_ = &flights, lane_ = lane; }
  void set_horizon(double until) override { horizon_ = until; }
  void set_watcher(MotionWatcher& watcher) override { watcher_ = &watcher; }
  FailureKind advance(State& state, double h, double t_end, StepReport& report) override;

  std::string failure_detail() const override { return contacts_.failure_detail(failure_, t_, y_.data()); }
  void skip_account() override {
    flow_.skip_account();
    flight_ = engines_of(false), contact_ = engines_of(true);
  }
  StepCounts counts() const override {
    return {.force_evaluations = flow_.evaluations(),
            .contact_problems = contacts_.problems(),
            .accepted = static_cast<std::uint64_t>(flight_.ode.accepted() + contact_.ode.accepted()),
            .rejected = static_cast<std::uint64_t>(flight_.ode.rejected() + contact_.ode.rejected())};
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
  Engines engines_of(bool in_contact) const {
    return {find_tableau(table_for(settings_)), flow_.size(in_contact), control_, in_contact ? flow_.outputs() : 0};
  }

  void allow_errors() {
    if (!settings_.atol) ode().set_atol(errors_.atol());
  }
  bool in_contact() const { return flow_.is_held(); }
  Engines& engines() { return in_contact() ? contact_ : flight_; }
  AdaptiveRungeKutta& ode() { return engines().ode; }
  DenseOutput& dense() { return engines().dense; }
  // use(engines, right-hand side), of what goes on now
  template <class Use>
  auto with_engines(const Use& use) {
    return in_contact() ? use(contact_, flow_) : use(flight_, free_);
  }

  FailureKind start(double t, double t_end);
  // Impacts, closed contacts and watched gaps at (t, y_), then a new start.
  FailureKind settle(double t, double t_end) {
    const double horizon = h_ > 0.0 ? h_ : t_end - t;
    if (const FailureKind kind = contacts_.settle(t, horizon, y_); kind != FailureKind::none) return kind;
    return start(t, t_end);
  }
  FailureKind make_step(double until);
  void take_event(const std::optional<GapSearch::Event>& event);
  void find_passed(double t);
  FailureKind conclude(double t_end);
  FailureKind stop_on_the_way(double t);
  // Where the end of the last step's motion with its modes is: a closed contact opens, slips vanish, frictions slip.
  struct Change {
    double theta = 1.0;
    bool opens = false;
    int stopped = -1;  // a friction whose slip vanishes
  };
  FailureKind go_to(double theta, int constraint, int stopped);
  bool is_over(double theta);
  FailureKind after_step(double t_end);
  // The polynomial of the last step, if it is not yet known.
  bool know_path() {
    const auto evaluate = [](Engines& engines, auto& flow) { return engines.ode.dense_output(flow, engines.dense); };
    return path_known_ = path_known_ || with_engines(evaluate);
  }
  // How far the motion is known: up to the first event of the last step, or its end.
  double known_until() {
    if (event_) return dense().t0() + event_->theta * dense().h();
    return changed_ ? dense().t0() + changed_->theta * dense().h() : ode().t();
  }
  // The last step up to `end`, where the motion is y_end.
  class Piece final : public MotionPiece {
   public:
    explicit Piece(EventDrivenStepper& stepper) : stepper_(stepper) {}
    bool state_at(double t, double* y) override {
      if (!stepper_.know_path()) return false;
      const DenseOutput& path = stepper_.dense();
      const double theta = path.theta(t);
      for (int i = 0; i < stepper_.flow_.motion_size(); ++i) y[i] = path.value(i, theta);
      return true;
    }

   private:
    EventDrivenStepper& stepper_;
  };
  void tell_piece(double end, const double* y_end) {
    if (watcher_ == nullptr) return;
    Piece piece(*this);
    piece.begin = step_begin_, piece.end = end;
    piece.y_begin = ode().engine().begin_state(), piece.y_end = y_end;
    watcher_->pass(piece);
  }
  // y_ := where the engine is.
  void take_motion() { std::copy(ode().y(), ode().y() + dense().size(), y_.begin()); }
  // y_ := the motion inside the last step, where the run ends.
  void stop_inside(double theta) {
    t_ = dense().t0() + theta * dense().h();
    for (int i = 0; i < dense().size(); ++i) y_[i] = dense().value(i, theta);
    at_event_ = true;
  }
  // y_ := the begin of the last step, whose polynomial cannot be found.
  FailureKind stay(OdeStatus status) {
    t_ = step_begin_;
    std::copy_n(ode().engine().begin_state(), dense().size(), y_.begin());
    at_event_ = true;
    return told(status);
  }
  bool suspects_change();
  std::optional<Change> change();
  double time_to_stop(int k);
  void tell_change(const Change& change);
  bool stop_slow();
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
  const StepSettings control_ = step_settings(settings_, flow_.motion_size());
  Engines flight_ = engines_of(false), contact_ = engines_of(true);

  double horizon_ = -std::numeric_limits<double>::infinity();
  MotionWatcher* watcher_ = nullptr;
  LaneFlights* flights_ = nullptr;  // where steps are made, if not here
  int lane_ = 0;
  double t_ = 0.0, h_ = 0.0;  // time reached; next step to try
  // The last step: where it began, how long it was to be; whether time has yet to reach its end or first event.
  double step_begin_ = 0.0, planned_ = 0.0;
  double seen_until_ = 0.0;  // up to where gaps have been seen in it
  bool ahead_ = false, path_known_ = false;
  std::optional<GapSearch::Event> event_;  // if it is the first
  std::optional<Change> changed_;
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
    const FrictionModes::Entry& entry = flow_.modes()[k];
    const bool slides = flow_.acts(k) && entry.mode == FrictionMode::slide;
    // Feet of a body stop together, whichever is seen first.
    const bool may_stop = over_[k] || (change.stopped >= 0 && entry.rows > 1);
    if (over_[k] && entry.mode == FrictionMode::stick) {
      contacts_.slip(k, reached_[k]);
    } else if (slides && may_stop && contacts_.vanishes(t_, y_.data(), k)) {
      contacts_.stop(k);
    }
  }
}

// Slips in space that have vanished but for errors of the steps, and still slow down: errors would turn them for ever
// where friction hardly does more than what drives them. Where the flow was called last.
bool EventDrivenStepper::stop_slow() {
  bool any = false;
  for (int k = 0; k < model_.nf() && flow_.modes().turns(); ++k) {
    const FrictionModes::Entry& entry = flow_.modes()[k];
    if (!flow_.acts(k) || entry.mode != FrictionMode::slide || entry.rows == 1) continue;
    if (!(flow_.slip_along_rate(k) < 0.0) || !contacts_.vanishes(t_, y_.data(), k)) continue;
    contacts_.stop(k);
    any = true;
  }
  return any;
}

// The step ended without an event.
FailureKind EventDrivenStepper::after_step(double t_end) {
  const AdaptiveRungeKutta& engine = ode();
  t_ = engine.t();
  errors_.see(engine.y(), engine.next_step());
  allow_errors();
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
  if (stop_slow()) {
    collect();
    at_event_ = true;
    h_ = engine.next_step();
    return settle(t_, t_end);
  }
  bool moved = false;
  if (const FailureKind kind = contacts_.project_drift(t_, y_, moved); kind != FailureKind::none) return kind;
  if (!moved) return FailureKind::none;
  collect();
  h_ = engine.next_step();
  return start(t_, t_end);
}

// One accepted step, and its first event.
FailureKind EventDrivenStepper::make_step(double until) {
  if (!waits_) {
    planned_ = ode().next_step(), step_begin_ = seen_until_ = ode().t();
    at_event_ = path_known_ = false;
    event_.reset(), changed_.reset();
  }
  const std::optional<OdeStatus> status =
      flights_ != nullptr && !in_contact()
          ? flight_.ode.advance_in_lane(free_, until, flights_->steps(), lane_)
          : with_engines([&](Engines& engines, auto& flow) { return engines.ode.advance(flow, until); });
  waits_ = !status;
  if (waits_) return FailureKind::none;
  if (*status != OdeStatus::done) return told(*status);
  ahead_ = true;
  if (!contacts_.any_open() && !in_contact()) return FailureKind::none;
  // In steps as short as the resolution of time positions move by round-off alone.
  if (ode().t() - step_begin_ <= 4.0 * std::numeric_limits<double>::epsilon() * std::abs(step_begin_))
    return FailureKind::none;
  const bool suspected = suspects_change();
  if (!suspected && ode().engine().has_rough_output() && contacts_.is_far(ode().engine(), dense()))
    return FailureKind::none;
  if (!know_path()) return stay(OdeStatus::evaluation_failed);
  if (suspected) changed_ = change();
  take_event(contacts_.search(ode().engine(), dense()));
  return FailureKind::none;
}

void EventDrivenStepper::take_event(const std::optional<GapSearch::Event>& event) {
  event_ = event;
  if (event_ && changed_ && event_->theta > changed_->theta) event_.reset();
}

// Between where gaps were seen last in the step and t, where the motion is known, one may have closed unseen.
void EventDrivenStepper::find_passed(double t) {
  const double before = std::exchange(seen_until_, t);
  if (!contacts_.may_miss()) return;
  const double* y = ode().y();
  if (t != ode().t()) {
    if (!know_path()) return;
    dense().value(dense().theta(t), y_event_.data());
    y = y_event_.data();
  }
  const int j = contacts_.passed(t, y);
  if (j < 0 || !know_path()) return;
  if (const auto event = contacts_.search_passed(dense(), j, before, t)) event_ = event;
}

// Time has reached the first event of the last step, or its end.
FailureKind EventDrivenStepper::conclude(double t_end) {
  ahead_ = false;
  if (!event_ && !changed_) {
    tell_piece(ode().t(), ode().y());
    return after_step(t_end);
  }
  if (event_ && event_->grazing) {
    contacts_.report_grazing(event_->constraint, known_until());
    take_event(contacts_.search_on(dense(), *event_));
    ahead_ = true;
    return FailureKind::none;
  }
  if (event_ && event_->lost) {
    stop_inside(event_->theta);
    return contacts_.lose(*event_);
  }
  h_ = std::max(planned_, dense().h());
  const double theta = event_ ? event_->theta : changed_->theta;
  if (const FailureKind kind = event_ ? go_to(theta, event_->constraint, -1) : go_to(theta, -1, changed_->stopped);
      kind != FailureKind::none) {
    stop_inside(theta);
    return kind;
  }
  at_event_ = true;
  if (const FailureKind kind = note_progress(); kind != FailureKind::none) return kind;
  collect();
  tell_piece(t_, y_.data());
  if (event_) {
    contacts_.hit(event_->constraint);
  } else {
    tell_change(*changed_);
  }
  return settle(t_, t_end);
}

// y_ := the motion at t, before what the last step has come to.
FailureKind EventDrivenStepper::stop_on_the_way(double t) {
  if (!know_path()) return stay(OdeStatus::evaluation_failed);
  t_ = t;
  dense().value(dense().theta(t), y_.data());
  return in_contact() || flow_.has_joints() ? contacts_.hold_row(t, y_) : FailureKind::none;
}

FailureKind EventDrivenStepper::advance(State& state, double h, double t_end, StepReport& report) {
  failure_ = FailureKind::none;
  contacts_.begin_report(report);
  if (nc_ > 0 && !waits_) model_.gap(state.t, state.q.data(), lambda_.data());
  for (int j = 0; j < nc_ && !waits_; ++j) report.violation = std::max(report.violation, -lambda_[j]);
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
    if (const FailureKind kind = settle(state.t, std::min(t_end, state.t + h)); kind != FailureKind::none)
      return finish(kind);
    settled_ = true;
  }
  while (t_ < t_end) {
    FailureKind kind = FailureKind::none;
    // Steps pass over the end of the interval, but where the work of friction is booked rows are what bounds them.
    const double until = flow_.books_friction() ? t_end : std::max(t_end, horizon_);
    if (!ahead_) kind = report.interrupted() ? FailureKind::interrupted : make_step(until);
    if (waits_ && kind == FailureKind::none) return kind;
    if (kind == FailureKind::none) find_passed(std::min(known_until(), t_end));
    if (kind == FailureKind::none && known_until() > t_end) return finish(stop_on_the_way(t_end));
    if (kind == FailureKind::none) kind = conclude(t_end);
    if (kind == FailureKind::none) continue;
    if (!at_event_) {
      t_ = ode().t();
      take_motion();
    }
    return finish(kind);
  }
  if (!at_event_) take_motion();
  return finish(flow_.has_joints() ? contacts_.hold_row(t_, y_) : FailureKind::none);
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
        "Butcher table of the smooth motion; automatic: dop853 where rtol is below 1e-7, else dormand-prince",
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

bool has_lane_flights(const Scheme& scheme) { return scheme.name == "event-driven"; }

std::unique_ptr<LaneFlights> make_lane_flights(const Mechanics<Lanes>& model, const Scheme& scheme) {
  const EventDriven settings = typed<EventDriven>(scheme);
  return std::make_unique<LaneFlights>(model, find_tableau(table_for(settings)),
                                       step_settings(settings, 2 * model.nq() + model.nz()));
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
      .summary = "impacts located on a smooth motion of order 8 or 5 with error control, contacts by index sets",
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
