#include "scheme/event/exact_flights.hpp"

#include <algorithm>
#include <cmath>

#include "core/constants.hpp"
#include "core/interrupt.hpp"
#include "flow/event_search.hpp"
#include "flow/linear_flow.hpp"
#include "flow/quadrature.hpp"
#include "ricochet/core/quantity.hpp"
#include "scheme/event/event_driven_contacts.hpp"

namespace ricochet {
namespace {

// What the thresholds of contacts are made of: nothing but round-off is uncertain.
EventDriven without_errors(EventDriven settings) {
  settings.rtol = 1e-14;
  return settings;
}

class ExactFlights final : public ClosedFormStepper {
 public:
  ExactFlights(const Model& model, const EventDriven& settings, const ComplementaritySettings& solver,
               std::vector<MotionPhase>* phases)
      : model_(model), settings_(settings), contacts_(model, held_, without_errors(settings), solver), flow_(model) {
    contacts_.log(phases);
    const Structure& structure = model.layout().structure;
    if (!structure.fixed_gaps || !structure.constant_restitution || model.nb() > 0 || nf_ > 0) return;
    e_ = zeros(nc_);
    model.restitution(0.0, y_.data(), e_.data());
    std::vector<double> H = zeros(model.layout().gradient.size());
    model.gap_gradient(0.0, y_.data(), H.data());
    for (int j = 0; j < nc_; ++j) W_[j] = column_dot(model.layout().gradient, H.data(), j, flow_.response(j));
  }

  void begin(const State&) override { settled_ = false; }
  FailureKind advance(State& state, double h, double t_end, StepReport& report) override;
  std::string failure_detail() const override {
    if (lost_phase_ > 0.0)
      return "a load, a wall or the model itself turns by " + to_text(lost_phase_) +
             " radians in a unit of time: numbers do not resolve its phase any more. Are its units right?";
    return contacts_.failure_detail(failure_, t_, y_.data());
  }
  void skip_account() override { skips_account_ = true; }
  StepCounts counts() const override {
    return {.force_evaluations = held_.evaluations() + search_.evaluations(),
            .contact_problems = contacts_.problems(),
            .accepted = steps_};
  }
  std::vector<std::string> notes() const override {
    if (settings_.rtol == EventDriven{}.rtol && !settings_.atol) return {};
    return {"the model is linear: its flights are exact, and rtol and atol have no effect"};
  }
  std::vector<std::string> remarks() const override { return contacts_.remarks(); }
  void reactions(const State& state, double* lambda) override { held_.reactions(state, lambda); }

 private:
  FailureKind settle();
  FailureKind settle_modes();
  FailureKind set_out();
  void set_watches();
  bool slips_at_once();
  FailureKind renew();
  void watch_friction(int k);
  FailureKind happen();
  void tell_frictions(const EventSearch::Event& event);
  bool is_over(int channel) const;
  bool bounce(int j);
  void go_to(double s);
  void account(double s);
  LedgerTerms<double> power_with_rows(double t);
  void see_time_scale();
  double time_left(double t_end) const { return (t_end - t_) - t_low_; }
  FailureKind note_progress() {
    constexpr int most_events = 1000;
    if (t_ > last_event_ + 4.0 * epsilon * std::abs(t_)) events_here_ = 0;
    last_event_ = t_;
    return ++events_here_ > most_events ? FailureKind::events_do_not_end : FailureKind::none;
  }

  const Model& model_;
  const int nq_ = model_.nq(), nc_ = model_.nc(), nf_ = model_.nf();
  const EventDriven settings_;
  HeldContactsOde held_{model_};
  EventDrivenContacts contacts_;
  LinearFlow flow_;
  EventSearch search_{flow_.watched()};

  bool gave_up_ = false;                                                  // in a long sum of works
  double t_ = 0.0, t_low_ = 0.0;                                          // where the arc begins
  std::vector<double> y_ = zeros(held_.size(true)), dy_ = y_, now_ = y_;  // there; along it
  std::vector<double> lambda_ = zeros(held_.outputs());
  std::vector<char> closed_ = zeros<char>(nc_ + nf_);  // contacts, then what frictions do (LinearFlow::Slip)
  std::vector<double> e_, W_ = zeros(nc_);   // restitutions, if they and the gaps are constant; H_jᵀM⁻¹H_j
  std::optional<EventSearch::Event> event_;  // the next one
  double accounted_ = 0.0, flight_ = 0.0;    // how far along the arc works are collected; how long the last one was
  double horizon_ = 0.0, last_event_ = 0.0;
  int events_here_ = 0;
  std::uint64_t steps_ = 0;
  bool settled_ = false, any_closed_ = false, skips_account_ = false;
  bool rubs_ = false;             // friction acts
  StepReport* report_ = nullptr;  // of the advance
  double lost_phase_ = 0.0;       // a rate whose phase numbers do not resolve
  FailureKind failure_ = FailureKind::none;
};

// The state at s of the arc, and the time there in two parts.
void ExactFlights::go_to(double s) {
  flight_ = s;
  flow_.arc().place(s);
  flow_.arc().values(nq_, y_.data(), y_.data() + nq_);
  const double t = t_ + s, back = t - t_, error = (t_ - (t - back)) + (s - back), low = t_low_ + error;
  t_ = t + low;
  t_low_ = low - (t_ - t);
}

FailureKind ExactFlights::settle() {
  for (int round = 0;; ++round) {
    if (const FailureKind kind = settle_modes(); kind != FailureKind::none) return kind;
    if (round == nf_ || !slips_at_once()) return FailureKind::none;
  }
}

FailureKind ExactFlights::settle_modes() {
  for (int j = 0; j < nc_; ++j) contacts_.set_motion_noise(j, EventSearch::round_off * flow_.gap_size(j));
  if (const FailureKind kind = contacts_.settle(t_, horizon_, y_); kind != FailureKind::none) return kind;
  any_closed_ = false;
  for (int j = 0; j < nc_; ++j) {
    closed_[j] = held_.is_closed(j);
    any_closed_ = any_closed_ || closed_[j];
  }
  rubs_ = false;
  for (int k = 0; k < nf_; ++k) {
    const FrictionModes::Entry& entry = held_.modes()[k];
    const bool sticks = entry.mode != FrictionMode::slide, up = entry.s[0] > 0.0;
    closed_[nc_ + k] = !held_.acts(k) ? LinearFlow::idle
                       : sticks       ? LinearFlow::sticks
                       : up           ? LinearFlow::slides_up
                                      : LinearFlow::slides_down;
    rubs_ = rubs_ || closed_[nc_ + k] != LinearFlow::idle;
  }
  if (const FailureKind kind = set_out(); kind != FailureKind::none) return kind;
  set_watches();
  return FailureKind::none;
}

// What is short for the motion: by its rates, or, for polynomials, by the longest flight in sight.
void ExactFlights::see_time_scale() {
  constexpr double share = 0.1;
  if (flow_.fastest() > 0.0) {
    horizon_ = share / flow_.fastest();
    return;
  }
  for (int j = 0; j < flow_.watched(); ++j) {
    const ExponentialArc::Jet jet = flow_.arc().jet(j);
    for (const double time : {std::sqrt(jet.size / std::abs(jet.f2)), std::abs(jet.f1 / jet.f2)})
      if (std::isfinite(time)) horizon_ = std::max(horizon_, share * time);
  }
}

// A new arc from y_ at t_.
FailureKind ExactFlights::set_out() {
  for (int i = 0; i < 2 * nq_; ++i)
    if (!std::isfinite(y_[i])) return FailureKind::not_finite;
  if (!flow_.begin(t_, t_low_, y_.data(), y_.data() + nq_, closed_, flight_)) return FailureKind::not_finite;
  see_time_scale();
  accounted_ = 0.0;
  event_.reset();
  search_.begin();
  return FailureKind::none;
}

void ExactFlights::set_watches() {
  using Watch = EventSearch::Watch;
  if (any_closed_ || rubs_) {
    held_.carry_impulses(false);
    held_(t_, y_.data(), dy_.data(), lambda_.data());
  }
  flow_.arc().place(0.0);
  for (int j = 0; j < nc_; ++j) {
    const ExponentialArc::Jet jet = flow_.arc().jet(j);
    const GapSearch::Watch watch = contacts_.watch(j);
    // What the function becomes soon is its scale where it has none yet.
    const double soon =
        horizon_ * horizon_ * (0.5 * std::abs(jet.f2) + flow_.arc().third(j, horizon_) * horizon_ / 6.0);
    if (closed_[j]) {
      const double size = jet.size + soon + flow_.force_size(j, held_.acceleration_magnitude());
      search_.set(j, Watch::open, std::max(held_.force_noise(j), 64.0 * epsilon * size));
    } else if (watch == GapSearch::Watch::parting) {
      const double below = 256.0 * epsilon * (jet.size + soon) - std::min(0.0, jet.f);
      search_.set(j, Watch::open, std::max(contacts_.allowance(j), below));
    } else {
      search_.set(j, watch == GapSearch::Watch::bounced && jet.f1 > 0.0 ? Watch::leaving : Watch::open);
    }
  }
  for (int k = 0; k < nf_; ++k) watch_friction(k);
}

// Whether one that is to stick would begin beyond its bound, as under a contact that is held and carries nothing.
bool ExactFlights::slips_at_once() {
  bool any = false;
  flow_.arc().place(0.0);
  for (int k = 0; k < nf_; ++k) {
    if (closed_[nc_ + k] != LinearFlow::sticks) continue;
    for (const int channel : {nc_ + 2 * k, nc_ + 2 * k + 1}) {
      if (!(flow_.arc().jet(channel).f + search_.lift(channel) < 0.0)) continue;
      contacts_.slip(k, {channel == nc_ + 2 * k ? 1.0 : -1.0, 0.0});
      any = true;
      break;
    }
  }
  return any;
}

// The end of what a friction does: bounds of its force, or its slip.
void ExactFlights::watch_friction(int k) {
  using Watch = EventSearch::Watch;
  const FrictionModes::Entry& entry = held_.modes()[k];
  for (const int channel : {nc_ + 2 * k, nc_ + 2 * k + 1}) {
    const ExponentialArc::Jet jet = flow_.arc().jet(channel);
    const double soon =
        horizon_ * horizon_ * (0.5 * std::abs(jet.f2) + flow_.arc().third(channel, horizon_) * horizon_ / 6.0);
    const double noise = 64.0 * epsilon * (jet.size + soon);
    if (closed_[nc_ + k] == LinearFlow::sticks) {
      search_.set(channel, Watch::open, std::max(held_.force_noise(entry.row), noise));
    } else if (closed_[nc_ + k] == LinearFlow::idle || channel > nc_ + 2 * k) {
      search_.set(channel, Watch::no);
    } else {
      // One that has just begun has no slip yet.
      const bool begins = !(jet.f > entry.floor + 4.0 * noise);
      search_.set(channel, Watch::open, begins ? entry.floor + 4.0 * noise : 0.0);
    }
  }
}

// Where the arc is placed: whether a watched force or slip has come to its end.
bool ExactFlights::is_over(int channel) const {
  constexpr double near = 64.0 * epsilon;
  if (!search_.watches(channel)) return false;
  const ExponentialArc::Jet jet = flow_.arc().jet(channel);
  return jet.f1 < 0.0 && jet.f + search_.lift(channel) <= near * jet.size;
}

void ExactFlights::tell_frictions(const EventSearch::Event& event) {
  for (int k = 0; k < nf_; ++k)
    for (const int channel : {nc_ + 2 * k, nc_ + 2 * k + 1}) {
      if (channel != event.channel && !is_over(channel)) continue;
      if (closed_[nc_ + k] != LinearFlow::sticks)
        contacts_.stop(k);
      else
        contacts_.slip(k, {channel == nc_ + 2 * k ? 1.0 : -1.0, 0.0});
      break;
    }
}

// The arc has come to the end of where it is good.
FailureKind ExactFlights::renew() {
  const double s = flow_.length();
  account(s);
  go_to(s);
  search_.go_on();
  return set_out();
}

FailureKind ExactFlights::happen() {
  const EventSearch::Event event = *event_;
  event_.reset();
  const bool is_gap = event.channel < nc_ && !closed_[event.channel];
  if (event.grazing && is_gap) contacts_.report_grazing(event.channel, t_ + event.s);
  if (event.grazing && (is_gap || event.channel >= nc_)) return FailureKind::none;
  account(event.s);
  bool opens = event.channel < nc_ && !is_gap;
  if (nf_ > 0) {
    flow_.arc().place(event.s);
    for (int j = 0; j < nc_ && !is_gap; ++j) opens = opens || (closed_[j] && is_over(j));
  }
  if (opens) {
    // A little later the contact would have to pull.
    const double later = 0.1 * horizon_;
    flow_.arc().place(event.s + later);
    flow_.arc().values(nq_, now_.data(), now_.data() + nq_);
    contacts_.foresee(t_ + event.s + later, now_.data());
    contacts_.follow_foreseen();
  }
  go_to(event.s);
  if (const FailureKind kind = note_progress(); kind != FailureKind::none) return kind;
  if (is_gap && bounce(event.channel)) return FailureKind::none;
  if (contacts_.has_young()) contacts_.watch_open(t_, y_.data());
  if (is_gap) contacts_.hit(event.channel);
  if (nf_ > 0 && !is_gap) tell_frictions(event);
  return settle();
}

// The usual impact: contact j strikes alone where the arc has been placed, and flies off.
bool ExactFlights::bounce(int j) {
  constexpr double near = 1e-9;  // of the terms of a gap
  if (any_closed_ || e_.empty() || !(e_[j] >= 0.0 && e_[j] <= 1.0)) return false;
  for (int i = 0; i < nc_; ++i) {
    if (i == j) continue;
    const ExponentialArc::Jet jet = flow_.arc().jet(i);
    if (!(jet.f > near * jet.size)) return false;
  }
  contacts_.set_motion_noise(j, EventSearch::round_off * flow_.arc().jet(j).size);
  const double U_minus = flow_.arc().rate(nq_ + j), U_plus = -e_[j] * U_minus, P = (U_plus - U_minus) / W_[j];
  if (!(U_minus < 0.0)) return false;
  double* v = y_.data() + nq_;
  std::copy_n(v, nq_, now_.begin());
  for (int i = 0; i < nq_; ++i) v[i] += flow_.response(j)[i] * P;
  if (set_out() == FailureKind::none) {
    flow_.arc().place(0.0);
    if (contacts_.bounce(j, t_, y_.data(), now_.data(), U_minus, U_plus, flow_.arc().jet(j).f2, P)) {
      search_.go_on();
      search_.set(j, EventSearch::Watch::leaving);
      return true;
    }
  }
  std::copy_n(now_.begin(), nq_, v);
  return false;
}

// At now_, with what moving obstacles, joints and friction do.
LedgerTerms<double> ExactFlights::power_with_rows(double t) {
  held_.carry_impulses(true);
  if (!held_(t, now_.data(), dy_.data(), nullptr)) return {};
  return {
      .input = held_.input(dy_.data()), .damping = held_.damping(dy_.data()), .friction = held_.friction(dy_.data())};
}

// Works and impulses up to s.
void ExactFlights::account(double s) {
  const bool works = held_.has_work(any_closed_ || rubs_) && !skips_account_;
  const double from = accounted_;
  accounted_ = s;
  if (!(s > from) || !(works || any_closed_ || rubs_)) return;
  const bool moving = rubs_ || ((any_closed_ || held_.has_joints()) && !model_.layout().fixed_rows());
  if (!any_closed_ && !moving) {
    if (const std::optional<LinearFlow::Works> done = flow_.works(from, s)) {
      LedgerTerms<double> terms;
      terms.input = done->input, terms.damping = done->damping;
      return contacts_.add_works(terms);
    }
  }
  LedgerTerms<double> done;
  std::uint64_t places = 0;
  for_each_gauss_place(from, s, flow_.fastest(), flow_.lasting(), [&](double s_k, double weight) {
    gave_up_ = ++places % 16 == 0 && report_ != nullptr && report_->interrupted();
    const double t = t_ + s_k;
    flow_.arc().place(s_k);
    if (works || rubs_) flow_.arc().values(nq_, now_.data(), now_.data() + nq_);
    if (moving && (works || rubs_)) {
      const LedgerTerms<double> power = power_with_rows(t);
      done.input += weight * power.input;
      done.damping += weight * power.damping;
      done.friction += weight * power.friction;
      for (int r = 0; r < model_.ns() && rubs_; ++r)
        contacts_.add_slip_impulse(r, weight * held_.slip_multipliers()[r]);
    } else if (works) {
      const Power<double> power = model_.power(t, now_.data(), now_.data() + nq_, nullptr);
      done.input += weight * power.input;
      done.damping += weight * power.damping;
    }
    for (int j = 0; j < nc_ && any_closed_; ++j)
      if (closed_[j]) contacts_.add_impulse(j, weight * flow_.arc().value(nq_ + j));
    return !gave_up_;
  });
  contacts_.add_works(done);
}

FailureKind ExactFlights::advance(State& state, double, double t_end, StepReport& report) {
  failure_ = FailureKind::none;
  report_ = &report;
  contacts_.begin_report(report);
  if (nc_ > 0) model_.gap(state.t, state.q.data(), lambda_.data());
  for (int j = 0; j < nc_; ++j) report.violation = std::max(report.violation, -lambda_[j]);
  gave_up_ = false;
  const auto finish = [&](FailureKind kind, const std::vector<double>& y, double t) {
    if (gave_up_) return failure_ = FailureKind::interrupted;  // works are not known: as if the step had not begun
    held_.unpack(y.data(), state);
    state.t = t;
    contacts_.end_report(state.t, report);
    return failure_ = kind;
  };
  if (!settled_) {
    held_.pack(state, y_);
    contacts_.reset(y_.data());
    t_ = last_event_ = state.t;
    t_low_ = flight_ = 0.0;
    horizon_ = 0.0;
    std::fill(closed_.begin(), closed_.end(), 0);
    if (const FailureKind kind = set_out(); kind != FailureKind::none) return finish(kind, y_, t_);
    if (!(horizon_ > 0.0)) horizon_ = t_end - state.t;  // nothing changes
    if (const FailureKind kind = settle(); kind != FailureKind::none) return finish(kind, y_, t_);
    settled_ = true;
  }
  if (epsilon * flow_.lasting() * (t_end - t_) > 1.0) {
    lost_phase_ = flow_.lasting();
    return failure_ = FailureKind::not_finite;
  }
  // The state at a time of the arc.
  const auto look = [&](double t) {
    const double s = std::max(0.0, time_left(t));
    account(s);
    flow_.arc().place(s);
    flow_.arc().values(nq_, now_.data(), now_.data() + nq_);
  };
  double reached = state.t;
  while (true) {
    const double s_end = time_left(t_end);
    FailureKind kind = FailureKind::none;
    if (report.interrupted()) {
      look(reached);
      return finish(FailureKind::interrupted, now_, reached);
    }
    if (event_) {
      if (event_->s > s_end) break;
      kind = happen();
      reached = t_;
    } else if (search_.s() >= s_end) {
      break;
    } else if (search_.s() >= flow_.length()) {
      kind = renew();
      reached = t_;
    } else {
      ++steps_;
      const double before = search_.s();
      if (const std::optional<EventSearch::Event> found = search_.step(flow_.arc(), flow_.length())) {
        event_ = found;
      } else if (!(search_.s() > before)) {
        look(reached);
        return finish(FailureKind::not_finite, now_, reached);
      }
    }
    if (kind != FailureKind::none) return finish(kind, y_, t_);
  }
  look(t_end);
  return finish(FailureKind::none, now_, t_end);
}

}  // namespace

std::unique_ptr<Stepper> exact_flights(const Model& model, const EventDriven& settings,
                                       const ComplementaritySettings& solver, std::vector<MotionPhase>* phases) {
  return std::make_unique<ExactFlights>(model, settings, solver, phases);
}

}  // namespace ricochet
