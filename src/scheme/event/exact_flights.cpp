#include "scheme/event/exact_flights.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "core/interrupt.hpp"
#include "flow/event_search.hpp"
#include "flow/linear_flow.hpp"
#include "scheme/event/event_driven_contacts.hpp"

namespace ricochet {
namespace {

constexpr double epsilon = std::numeric_limits<double>::epsilon();

// What the thresholds of contacts are made of: nothing but round-off is uncertain.
EventDriven without_errors(EventDriven settings) {
  settings.rtol = 1e-14;
  return settings;
}

// Gauss and Legendre: places and weights of one half of [−1, 1].
struct Quadrature {
  int pairs;
  std::array<double, 4> places, weights;
};
constexpr Quadrature four_points = {2,
                                    {0.3399810435848562648026658, 0.8611363115940525752239465},
                                    {0.6521451548625461426269361, 0.3478548451374538573730639}};
constexpr Quadrature eight_points = {4,
                                     {0.1834346424956498049394761, 0.5255324099163289858177390,
                                      0.7966664774136267395915539, 0.9602898564975362316835609},
                                     {0.3626837833783619829651504, 0.3137066458778872873379622,
                                      0.2223810344533744705443560, 0.1012285362903762591525314}};

class ExactFlights final : public Stepper {
 public:
  ExactFlights(const Model& model, const EventDriven& settings, const ComplementaritySettings& solver)
      : model_(model), settings_(settings), contacts_(model, held_, without_errors(settings), solver), flow_(model) {
    const Structure& structure = model.layout().structure;
    if (!structure.fixed_gaps || !structure.constant_restitution || model.nb() > 0) return;
    e_ = zeros(nc_);
    model.restitution(0.0, y_.data(), e_.data());
    std::vector<double> H = zeros(model.layout().gradient.size());
    model.gap_gradient(0.0, y_.data(), H.data());
    for (int j = 0; j < nc_; ++j) W_[j] = column_dot(model.layout().gradient, H.data(), j, flow_.response(j));
  }

  void begin(const State&) override { settled_ = false; }
  FailureKind advance(State& state, double h, double t_end, StepReport& report) override;
  std::string failure_detail() const override { return contacts_.failure_detail(failure_, y_.data()); }
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
  FailureKind set_out();
  void set_watches();
  FailureKind renew();
  FailureKind happen();
  bool bounce(int j);
  void go_to(double s);
  void account(double s);
  Power<double> power_with_rows(double t);
  void see_time_scale();
  double time_left(double t_end) const { return (t_end - t_) - t_low_; }
  FailureKind note_progress() {
    constexpr int most_events = 1000;
    if (t_ > last_event_ + 4.0 * epsilon * std::abs(t_)) events_here_ = 0;
    last_event_ = t_;
    return ++events_here_ > most_events ? FailureKind::events_do_not_end : FailureKind::none;
  }

  const Model& model_;
  const int nq_ = model_.nq(), nc_ = model_.nc();
  const EventDriven settings_;
  HeldContactsOde held_{model_};
  EventDrivenContacts contacts_;
  LinearFlow flow_;
  EventSearch search_{nc_};

  bool gave_up_ = false;                                                  // in a long sum of works
  double t_ = 0.0, t_low_ = 0.0;                                          // where the arc begins
  std::vector<double> y_ = zeros(held_.size(true)), dy_ = y_, now_ = y_;  // there; along it
  std::vector<double> lambda_ = zeros(held_.outputs());
  std::vector<char> closed_ = zeros<char>(nc_);
  std::vector<double> e_, W_ = zeros(nc_);   // restitutions, if they and the gaps are constant; H_jᵀM⁻¹H_j
  std::optional<EventSearch::Event> event_;  // the next one
  double accounted_ = 0.0, flight_ = 0.0;    // how far along the arc works are collected; how long the last one was
  double horizon_ = 0.0, last_event_ = 0.0;
  int events_here_ = 0;
  std::uint64_t steps_ = 0;
  bool settled_ = false, any_closed_ = false, skips_account_ = false;
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
  for (int j = 0; j < nc_; ++j) contacts_.set_motion_noise(j, EventSearch::round_off * flow_.gap_size(j));
  if (const FailureKind kind = contacts_.settle(t_, horizon_, y_); kind != FailureKind::none) return kind;
  any_closed_ = false;
  for (int j = 0; j < nc_; ++j) {
    closed_[j] = held_.is_closed(j);
    any_closed_ = any_closed_ || closed_[j];
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
  for (int j = 0; j < nc_; ++j) {
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
  if (any_closed_) {
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
      search_.set(j, Watch::open, std::max(4.0 * contacts_.allowance(j), 256.0 * epsilon * (jet.size + soon)));
    } else {
      search_.set(j, watch == GapSearch::Watch::bounced && jet.f1 > 0.0 ? Watch::leaving : Watch::open);
    }
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
  if (event.grazing && !closed_[event.channel]) {
    contacts_.report_grazing(event.channel, t_ + event.s);
    return FailureKind::none;
  }
  account(event.s);
  const bool opens = closed_[event.channel];
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
  if (!opens && bounce(event.channel)) return FailureKind::none;
  if (contacts_.has_young()) contacts_.watch_open(t_, y_.data());
  if (!opens) contacts_.hit(event.channel);
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

// At now_, with what moving obstacles and joints do.
Power<double> ExactFlights::power_with_rows(double t) {
  held_.carry_impulses(false);
  if (!held_(t, now_.data(), dy_.data(), nullptr)) return {};
  return {held_.input(dy_.data()), held_.damping(dy_.data())};
}

// Works and impulses up to s.
void ExactFlights::account(double s) {
  const bool works = held_.has_work() && !skips_account_;
  const double from = accounted_;
  accounted_ = s;
  if (!(s > from) || !(works || any_closed_)) return;
  const bool moving = (any_closed_ || held_.has_joints()) && !model_.layout().fixed_rows();
  if (!any_closed_ && !moving) {
    if (const std::optional<LinearFlow::Works> done = flow_.works(from, s)) {
      LedgerTerms<double> terms;
      terms.input = done->input, terms.damping = done->damping;
      return contacts_.add_works(terms);
    }
  }
  const double rate = flow_.fastest();
  const double panels = std::max(1.0, std::ceil((s - from) * rate / 1.5)), half = 0.5 * (s - from) / panels;
  const Quadrature& rule = 4.0 * half * rate < 0.2 ? four_points : eight_points;
  LedgerTerms<double> done;
  for (double panel = 0.0; panel < panels && !gave_up_; panel += 1.0) {
    gave_up_ = panels > 1e5 && is_interrupted();
    for (int k = 0; k < 2 * rule.pairs; ++k) {
      const double place = k % 2 == 0 ? rule.places[k / 2] : -rule.places[k / 2], weight = half * rule.weights[k / 2];
      const double s_k = from + half * (2.0 * panel + 1.0 + place), t = t_ + s_k;
      flow_.arc().place(s_k);
      if (works) {
        flow_.arc().values(nq_, now_.data(), now_.data() + nq_);
        const Power<double> power =
            moving ? power_with_rows(t) : model_.power(t, now_.data(), now_.data() + nq_, nullptr);
        done.input += weight * power.input;
        done.damping += weight * power.damping;
      }
      for (int j = 0; j < nc_ && any_closed_; ++j)
        if (closed_[j]) contacts_.add_impulse(j, weight * flow_.arc().value(nq_ + j));
    }
  }
  contacts_.add_works(done);
}

FailureKind ExactFlights::advance(State& state, double, double t_end, StepReport& report) {
  failure_ = FailureKind::none;
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
      event_ = search_.step(flow_.arc(), flow_.length());
      if (!event_ && !(search_.s() > before)) kind = FailureKind::not_finite;
    }
    if (kind != FailureKind::none) return finish(kind, y_, t_);
  }
  look(t_end);
  return finish(FailureKind::none, now_, t_end);
}

}  // namespace

std::unique_ptr<Stepper> exact_flights(const Model& model, const EventDriven& settings,
                                       const ComplementaritySettings& solver) {
  return std::make_unique<ExactFlights>(model, settings, solver);
}

}  // namespace ricochet
