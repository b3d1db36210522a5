#include "scheme/event/event_driven_contacts.hpp"

#include <algorithm>
#include <cmath>

#include "ricochet/core/quantity.hpp"

namespace ricochet {

using Watch = GapSearch::Watch;

EventDrivenContacts::EventDrivenContacts(const Model& model, HeldContactsOde& flow, const EventDriven& settings,
                                         const ComplementaritySettings& solver)
    : model_(model),
      layout_(model.layout()),
      nq_(model.nq()),
      nc_(model.nc()),
      flow_(flow),
      settings_(settings),
      gaps_(model),
      law_(model, solver),
      forces_(model, solver),
      trial_(find_tableau("rk4"), flow.size(false), nc_),
      in_(static_cast<std::size_t>(nc_), 0),
      resting_(in_),
      foreseen_(in_),
      fastest_(static_cast<std::size_t>(nc_), 0.0),
      longest_(fastest_),
      impulse_(fastest_),
      rate_before_(fastest_),
      g_(fastest_),
      dy_(static_cast<std::size_t>(flow.size(true)), 0.0),
      lambda_(fastest_),
      y_trial_(dy_),
      impacts_(static_cast<std::size_t>(nc_), 0) {}

void EventDrivenContacts::reset() {
  flow_.open_all();
  std::fill(in_.begin(), in_.end(), 0);
  std::fill(impacts_.begin(), impacts_.end(), 0);
  std::fill(fastest_.begin(), fastest_.end(), 0.0);
  std::fill(longest_.begin(), longest_.end(), 0.0);
  std::fill(impulse_.begin(), impulse_.end(), 0.0);
  first_ = true;
  use_foreseen_ = false;
}

// What the integration leaves uncertain in a position.
double EventDrivenContacts::tolerance(const double* q) const {
  if (settings_.gap_tolerance) return *settings_.gap_tolerance;
  double size = 0.0;
  for (int i = 0; i < nq_; ++i) size = std::max(size, std::abs(q[i]));
  return settings_.atol + settings_.rtol * size;
}

double EventDrivenContacts::slow(int j, const double* v) const {
  double speed = 0.0;
  for (int i = 0; i < nq_; ++i) speed = std::max(speed, std::abs(v[i]));
  return settings_.rate_tolerance * fastest_[j] + 1e-13 * (speed + std::abs(law_.contacts().obstacle_rate(j)));
}

// I_c: closed contacts, those that an event has named, and those that touch and do not separate.
void EventDrivenContacts::gather(double t, const double* q, const double* v) {
  (void)t;
  const double close = tolerance(q);
  for (int j = 0; j < nc_; ++j) {
    const double U = law_.contacts().rate(j, v);
    const bool touches = law_.contacts().gap(j) <= close && U <= slow(j, v);
    if (flow_.is_closed(j) || touches) in_[j] = 1;
  }
}

// The impact LCP (27) on I_c if one of its contacts closes.
FailureKind EventDrivenContacts::strike(double t, double* v, StepReport& report) {
  bool closing = false;
  for (int j = 0; j < nc_; ++j) {
    rate_before_[j] = law_.contacts().rate(j, v);
    closing = closing || (in_[j] && rate_before_[j] < -slow(j, v));
  }
  if (!closing) return FailureKind::none;
  law_.clear();
  for (int j = 0; j < nc_; ++j)
    if (in_[j]) law_.include(j);
  ++problems_;
  if (const FailureKind kind = law_.strike(v); kind != FailureKind::none) return kind;
  book(true);
  for (int j = 0; j < nc_; ++j) {
    if (!in_[j] || !(law_.impulse(j) > 0.0)) continue;
    const bool impact = law_.rate_minus(j) < -slow(j, v);
    if (impact) {
      ++impacts_[j];
      fastest_[j] = std::max(fastest_[j], -law_.rate_minus(j));
    }
    report.contacts.push_back({.constraint = j,
                               .t = t,
                               .rate_minus = law_.rate_minus(j),
                               .rate_plus = law_.rate_plus(j),
                               .impulse = law_.impulse(j),
                               .located = impact,
                               .discontinuous = law_.meets_discontinuity(j)});
  }
  return FailureKind::none;
}

// Energy of the last impulses; those that hold belong to no impact record.
void EventDrivenContacts::book(bool strikes) {
  for (int j = 0; j < nc_; ++j) {
    if (!law_.is_included(j)) continue;
    ledger_.impact += 0.5 * (law_.rate_minus(j) + law_.rate_plus(j)) * law_.impulse(j);
    ledger_.input -= law_.contacts().obstacle_rate(j) * law_.impulse(j);
    if (!strikes) impulse_[j] += law_.impulse(j);
  }
}

// A rebound whose flight 2U⁺/|Γ| would be too short loses its rate.
FailureKind EventDrivenContacts::close_short_flights(double t, std::vector<double>& y) {
  double* v = y.data() + nq_;
  bool rebounds = false;
  flow_.open_all();
  for (int j = 0; j < nc_; ++j) {
    if (!in_[j]) continue;
    resting_[j] = std::abs(law_.contacts().rate(j, v)) <= slow(j, v);
    rebounds = rebounds || !resting_[j];
    if (resting_[j]) flow_.set_closed(j, true);
  }
  if (!rebounds) return FailureKind::none;
  if (!flow_(t, y.data(), dy_.data(), lambda_.data())) return flow_.failure();
  const double* Gamma = flow_.separations(t, y.data());
  law_.clear();
  bool closes = false;
  for (int j = 0; j < nc_; ++j) {
    if (resting_[j] && in_[j]) law_.include(j);
    const double U = law_.contacts().rate(j, v);
    if (!in_[j] || resting_[j] || !(Gamma[j] < 0.0) || !(U > 0.0)) continue;
    longest_[j] = std::max(longest_[j], 2.0 * std::max(U, -rate_before_[j]) / -Gamma[j]);
    if (2.0 * U / -Gamma[j] > settings_.closing * longest_[j]) continue;
    law_.include(j);
    resting_[j] = closes = true;
    if (impacts_[j] > 1)
      remark("contact " + layout_.constraints[j] + " closed at t = " + to_text(t) + " after " +
             std::to_string(impacts_[j]) + " impacts: the next flight would have been shorter than " +
             to_text(settings_.closing) + " of the longest");
  }
  if (!closes) return FailureKind::none;
  const FailureKind kind = law_.hold(v);
  book(false);
  return kind;
}

// With both Γ and λ at 0 the motion with the contact kept decides: where its force would have to pull, it opens.
bool EventDrivenContacts::is_kept(double t, double horizon, const double* y, int j) {
  const double step = 1e-4 * horizon;
  flow_.set_closed(j, true);
  flow_.carry_impulses(false);
  const bool good = step > 0.0 && trial_.step(flow_, t, step, y, y_trial_.data()) == OdeStatus::done &&
                    flow_(t + step, y_trial_.data(), dy_.data(), lambda_.data());
  const double pull = lambda_[j];
  flow_.set_closed(j, false);
  if (!good) return true;
  double size = 0.0;
  for (int i = 0; i < nq_; ++i) size = std::max(size, std::abs(flow_.acceleration()[i]));
  if (pull == 0.0 || std::abs(pull) < 1e-13 * size)
    remark("contact " + layout_.constraints[j] + " may open or stay closed at t = " + to_text(t) +
           ", both are consistent: it is kept");
  return !(pull < 0.0);
}

// The contact LCP on the contacts with g = 0 and U = 0.
FailureKind EventDrivenContacts::choose_closed(double t, double horizon, const double* y) {
  const double *q = y, *v = y + nq_, *z = y + 2 * nq_;
  flow_.open_all();
  bool any_resting = false;
  forces_.open_all();
  for (int j = 0; j < nc_; ++j) {
    resting_[j] = in_[j] && std::abs(law_.contacts().rate(j, v)) <= slow(j, v);
    forces_.close(j, resting_[j] != 0);
    any_resting = any_resting || resting_[j];
  }
  if (!any_resting) return FailureKind::none;
  if (use_foreseen_) {
    for (int j = 0; j < nc_; ++j) flow_.set_closed(j, resting_[j] && foreseen_[j]);
    return FailureKind::none;
  }
  ++problems_;
  if (!forces_.solve(t, q, v, z)) {
    in_forces_ = true;
    return forces_.failure();
  }
  double size = 0.0;
  for (int i = 0; i < nq_; ++i) size = std::max(size, std::abs(forces_.value()[i]));
  for (int j = 0; j < nc_; ++j)
    if (resting_[j]) flow_.set_closed(j, forces_.multiplier()[j] > 0.0);
  for (int j = 0; j < nc_; ++j) {
    if (!resting_[j] || flow_.is_closed(j) || std::abs(forces_.separation(j)) > 1e-10 * size) continue;
    flow_.set_closed(j, is_kept(t, horizon, y, j));
  }
  return FailureKind::none;
}

void EventDrivenContacts::set_watches(const double* q, const double* v) {
  const double close = tolerance(q);
  young_ = false;
  for (int j = 0; j < nc_; ++j) {
    if (flow_.is_closed(j)) {
      gaps_.watch(j) = Watch::no;
      impacts_[j] = 0;
    } else if (in_[j]) {
      gaps_.watch(j) = law_.contacts().rate(j, v) > slow(j, v) ? Watch::bounced : Watch::parting;
    } else if (first_ || gaps_.watch(j) != Watch::parting || law_.contacts().gap(j) > 2.0 * close) {
      gaps_.watch(j) = Watch::open;
    }
    young_ = young_ || gaps_.watch(j) == Watch::bounced || gaps_.watch(j) == Watch::parting;
    in_[j] = 0;
  }
}

FailureKind EventDrivenContacts::settle(double t, double horizon, std::vector<double>& y, StepReport& report) {
  in_forces_ = false;
  double *q = y.data(), *v = y.data() + nq_;
  if (const FailureKind kind = law_.place(t, q); kind != FailureKind::none) return kind;
  // As in the checks of a start: closer than that touches.
  double size = 1.0;
  for (int i = 0; i < nq_; ++i) size = std::max(size, std::abs(q[i]));
  for (int j = 0; j < nc_; ++j)
    if (first_ && law_.contacts().gap(j) <= 1e-12 * size) in_[j] = 1;
  gather(t, q, v);
  if (const FailureKind kind = strike(t, v, report); kind != FailureKind::none) return kind;
  if (const FailureKind kind = close_short_flights(t, y); kind != FailureKind::none) return kind;
  if (const FailureKind kind = choose_closed(t, horizon, y.data()); kind != FailureKind::none) return kind;
  set_watches(q, v);
  first_ = use_foreseen_ = false;
  return FailureKind::none;
}

// The contact LCP where the force of a closed contact has become negative.
void EventDrivenContacts::foresee(double t, const double* y) {
  forces_.open_all();
  for (int j = 0; j < nc_; ++j) forces_.close(j, flow_.is_closed(j));
  ++problems_;
  const bool good = forces_.solve(t, y, y + nq_, y + 2 * nq_);
  for (int j = 0; j < nc_; ++j) foreseen_[j] = good && flow_.is_closed(j) && forces_.multiplier()[j] > 0.0;
}

std::optional<GapSearch::Event> EventDrivenContacts::search(const DenseOutput& dense, double from) {
  if (settings_.gap_tolerance) return gaps_.first(dense, *settings_.gap_tolerance, from);
  double size = 0.0;
  for (int i = 0; i < nq_; ++i) size = std::max(size, std::abs(dense.coefficients(i)[0]));
  return gaps_.first(dense, settings_.atol + settings_.rtol * size, from);
}

// Contacts that had just opened are watched as open ones once they are.
void EventDrivenContacts::watch_open(double t, const double* y) {
  model_.gap(t, y, g_.data());
  const double close = tolerance(y);
  young_ = false;
  for (int j = 0; j < nc_; ++j) {
    if (gaps_.watch(j) == Watch::bounced || (gaps_.watch(j) == Watch::parting && g_[j] > 2.0 * close))
      gaps_.watch(j) = Watch::open;
    young_ = young_ || gaps_.watch(j) == Watch::parting;
  }
}

double EventDrivenContacts::time_to_close(double t, const double* y, int j) {
  if (law_.place(t, y) != FailureKind::none) return 0.0;
  const double U = law_.contacts().rate(j, y + nq_);
  const double shift = gaps_.watch(j) == Watch::parting ? tolerance(y) : 0.0;
  return U < 0.0 ? -(law_.contacts().gap(j) + shift) / U : 0.0;
}

void EventDrivenContacts::report_grazing(const DenseOutput& dense, const GapSearch::Event& event, StepReport& report) {
  const int j = event.constraint;
  const double t = dense.t0() + event.theta * dense.h();
  report.contacts.push_back({.constraint = j, .t = t, .located = true, .discontinuous = false});
  remark("contact " + layout_.constraints[j] + " is grazed at t = " + to_text(t));
}

FailureKind EventDrivenContacts::project_drift(double t, std::vector<double>& y, bool& moved) {
  moved = false;
  double *q = y.data(), *v = y.data() + nq_;
  if (const FailureKind kind = law_.place(t, q); kind != FailureKind::none) return kind;
  const double allowed = 0.01 * tolerance(q);
  law_.clear();
  for (int j = 0; j < nc_; ++j) {
    if (!flow_.is_closed(j)) continue;
    law_.include(j);
    moved = moved || std::abs(law_.contacts().gap(j)) > allowed || std::abs(law_.contacts().rate(j, v)) > allowed;
  }
  if (!moved) return FailureKind::none;
  if (const FailureKind kind = law_.close_gaps(t, q); kind != FailureKind::none) return kind;
  const FailureKind kind = law_.hold(v);
  book(false);
  return kind;
}

void EventDrivenContacts::begin_report(const State& state, StepReport& report) {
  if (nc_ == 0) return;
  model_.gap(state.t, state.q.data(), g_.data());
  for (int j = 0; j < nc_; ++j) report.violation = std::max(report.violation, -g_[j]);
}

void EventDrivenContacts::end_report(LedgerTerms<double> works, double t, StepReport& report) {
  works.input += ledger_.input;
  works.impact += ledger_.impact;
  report.energy.add(works);
  ledger_ = {};
  for (int j = 0; j < nc_; ++j) {
    if (impulse_[j] > 0.0)
      report.contacts.push_back({.constraint = j, .t = t, .impulse = impulse_[j], .discontinuous = false});
    impulse_[j] = 0.0;
  }
}

void EventDrivenContacts::remark(std::string sentence) {
  constexpr std::size_t most_remarks = 20;
  if (remarks_.size() < most_remarks) {
    remarks_.push_back(std::move(sentence));
  } else {
    ++further_remarks_;
  }
}

std::vector<std::string> EventDrivenContacts::remarks() const {
  std::vector<std::string> all = remarks_;
  if (further_remarks_ > 0) all.push_back("and " + std::to_string(further_remarks_) + " further remarks of this kind");
  return all;
}

}  // namespace ricochet
