#include "scheme/event/event_driven_contacts.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "ricochet/core/quantity.hpp"

namespace ricochet {

using Watch = GapSearch::Watch;

EventDrivenContacts::EventDrivenContacts(const Model& model, HeldContactsOde& flow, const EventDriven& settings,
                                         const ComplementaritySettings& solver)
    : EventContacts(model, flow, solver, settings.rate_tolerance), settings_(settings) {}

void EventDrivenContacts::reset(const double* y) {
  forget();
  for (std::vector<double>* x : {&longest_, &length_, &speed_, &epsilon_}) std::fill(x->begin(), x->end(), 0.0);
  std::fill(in_.begin(), in_.end(), 0);
  std::copy(y, y + nq_, start_.begin());
  first_ = true;
  use_foreseen_ = false;
}

void EventDrivenContacts::see(const double* y) {
  for (int i = 0; i < nq_; ++i) {
    length_[i] = std::max(length_[i], std::abs(y[i] - start_[i]));
    speed_[i] = std::max(speed_[i], std::abs(y[nq_ + i]));
  }
  see_positions(y);
}

// ε_g: what the integration leaves uncertain in a gap, Σ|∂g/∂q_i| times that of q_i, and its round-off.
double EventDrivenContacts::tolerance(int j, double t) const {
  if (settings_.gap_tolerance) return *settings_.gap_tolerance;
  return settings_.rtol * contacts().size_along(j, length_.data()) + gap_noise(j, t, largest_positions());
}

// What is closer than that touches where another contact has an event: round-off of a few thousand steps. One that
// opened from rest may have drifted as the integration allows.
double EventDrivenContacts::reach(int j, double t) const {
  if (settings_.gap_tolerance) return *settings_.gap_tolerance;
  const bool idle = !first_ && gaps_.watch(j) == Watch::parting;
  if (idle) return epsilon_[j];
  return 256.0 * (gap_noise(j, t, largest_positions()) - motion_noise_[j]) + 4.0 * motion_noise_[j];
}

// Of those that have been, and of the one that 2U/|Γ| foretells: a force that has almost vanished foretells nothing
// beyond the time that has gone by.
double EventDrivenContacts::longest_flight(int j, double t, double U_minus, double U_plus, double Gamma) const {
  double longest = longest_[j];
  if (Gamma < 0.0) longest = std::max(longest, 2.0 * std::min(std::max(U_plus, -U_minus) / -Gamma, t - begin_));
  return impacts_[j] > 0 ? std::max(longest, flight_before(j, t)) : longest;
}

// A rebound that will be back too soon, 2U⁺/|Γ| or a height of round-off, or that has come too soon.
bool EventDrivenContacts::is_short(int j, double t, double U_minus, double U_plus, double Gamma, const double* q) {
  longest_[j] = longest_flight(j, t, U_minus, U_plus, Gamma);
  const double shortest = std::max(settings_.closing * longest_[j], resolution(t));
  if (rattles(j, t, U_plus, shortest)) return true;
  return Gamma < 0.0 && (2.0 * U_plus <= -Gamma * shortest || U_plus * U_plus <= -2.0 * Gamma * gap_noise(j, t, q));
}

void EventDrivenContacts::choose_foreseen(const double* v) {
  flow_.open_all();
  for (int j = 0; j < nc_; ++j) {
    const bool closed = foreseen_[j] && lasting_.rests(j, v);
    flow_.set_closed(j, closed);
    lasting_.set_closed(j, closed);
  }
}

// A contact that has bounced is at g = 0 up to round-off, and is watched for its next landing; one that opens from rest
// for going below −ε_g: at least below what it is now, and what round-off of forces that cancel does in
// `horizon`.
void EventDrivenContacts::set_watches(double t, double horizon, const double* y) {
  young_ = false;
  for (int j = 0; j < nc_; ++j) {
    Watch& watch = gaps_.watch(j);
    if (flow_.is_closed(j)) {
      watch = Watch::no;
    } else if (lasting_.touches(j) && !lasting_.rests(j, y + nq_)) {
      watch = contacts().gap(j) <= gap_noise(j, t, largest_positions()) ? Watch::bounced : Watch::open;
    } else if (lasting_.touches(j)) {
      watch = Watch::parting;
      epsilon_[j] =
          std::max({epsilon_[j], gap_noise(j, t, largest_positions()) - contacts().gap(j), idle_drift(j, horizon)});
    } else if (first_ || watch != Watch::parting || contacts().gap(j) > 2.0 * epsilon_[j]) {
      watch = Watch::open;
    }
    young_ = young_ || watch == Watch::bounced || watch == Watch::parting;
    in_[j] = 0;
  }
}

FailureKind EventDrivenContacts::settle(double t, double horizon, std::vector<double>& y) {
  double *q = y.data(), *v = q + nq_;
  const double* z = v + nq_;
  if (first_) begin_ = settled_at_ = t;
  if (phases_ != nullptr) std::copy_n(v, nq_, v_event_.begin());
  see(q);
  if (const FailureKind kind = lasting_.place(t, q); kind != FailureKind::none) return kind;
  for (int j = 0; j < nc_; ++j) {
    epsilon_[j] = tolerance(j, t);
    if (in_[j] || contacts().gap(j) <= reach(j, t)) lasting_.touch(j);
  }
  const auto closes = [&](int j, double U_minus, double U_plus, double Gamma) {
    return is_short(j, t, U_minus, U_plus, Gamma, q);
  };
  const double since = t - std::exchange(settled_at_, t);
  if (const FailureKind kind = strike(t, std::min(since, horizon), q, v, z, std::ref(closes));
      kind != FailureKind::none)
    return kind;
  if (use_foreseen_ && !flow_.has_friction()) {
    choose_foreseen(v);
  } else if (const FailureKind kind = choose(t, q, horizon, nullptr, use_foreseen_ ? foreseen_.data() : nullptr);
             kind != FailureKind::none) {
    return kind;
  }
  if (const FailureKind kind = stop_creeping(t, v); kind != FailureKind::none) return kind;
  set_watches(t, horizon, q);
  first_ = use_foreseen_ = false;
  if (phases_ != nullptr) log_phase(t, q, v_event_.data());
  return FailureKind::none;
}

// What rests but for round-off has no rate from now on: along one the contact force would do work.
FailureKind EventDrivenContacts::stop_creeping(double t, double* v) {
  constexpr double share = 1e-2;
  for (int j = 0; j < nc_; ++j)
    if (flow_.is_closed(j) && std::abs(contacts().rate(j, v)) > share * lasting_.slow(j))
      return lasting_.hold(t, nullptr, v);
  return FailureKind::none;
}

void EventDrivenContacts::log_phase(double t, const double* y, const double* v_minus) {
  MotionPhase phase{.t = t, .y = {y, y + flow_.motion_size()}, .v_minus = {v_minus, v_minus + nq_}};
  for (int j = 0; j < nc_; ++j) {
    phase.touches.push_back(lasting_.touches(j));
    phase.struck.push_back(is_impact(j));
    phase.closed.push_back(flow_.is_closed(j));
  }
  phase.frictions = flow_.modes().all();
  phases_->push_back(std::move(phase));
}

bool EventDrivenContacts::bounce(int j, double t, const double* y, const double* v_minus, double U_minus, double U_plus,
                                 double Gamma, double P) {
  if (first_ || use_foreseen_ || !(U_plus > lasting_.slow(j))) return false;
  const double longest = longest_flight(j, t, U_minus, U_plus, Gamma);
  const double shortest = std::max(settings_.closing * longest, resolution(t));
  if (flight_before(j, t) <= shortest) return false;
  if (Gamma < 0.0 && (2.0 * U_plus <= -Gamma * shortest || U_plus * U_plus <= -2.0 * Gamma * gap_noise(j, t, y)))
    return false;
  longest_[j] = longest;
  see(y);
  record_alone(j, t, y, v_minus, U_minus, U_plus, P);
  if (phases_ != nullptr) {
    log_phase(t, y, v_minus);
    MotionPhase& phase = phases_->back();
    for (int i = 0; i < nc_; ++i) phase.touches[i] = phase.struck[i] = i == j, phase.closed[i] = 0;
  }
  gaps_.watch(j) = Watch::open;
  return true;
}

// The contact problem where the force of a closed contact has become negative.
void EventDrivenContacts::foresee(double t, const double* y) {
  std::vector<char>& takes_part = foreseen_;
  for (int j = 0; j < nc_; ++j) takes_part[j] = flow_.is_closed(j) || gaps_.watch(j) == Watch::parting;
  if (flow_.has_friction()) continue_modes();
  const bool good =
      solve_forces(t, y, takes_part) == FailureKind::none && leave_redundant(t, y, 0.0) == FailureKind::none;
  for (int j = 0; j < nc_; ++j) {
    foreseen_[j] = good && flow_.is_closed(j);
    flow_.set_closed(j, lasting_.is_closed(j));
  }
  if (flow_.has_friction()) flow_.modes() = lasting_.modes();
  flow_.carry_impulses(true);
}

void EventDrivenContacts::see_path(const double* y0, const double* y1) {
  bool further = false;
  for (int i = 0; i < nq_; ++i) {
    const double length = std::max(std::abs(y0[i] - start_[i]), std::abs(y1[i] - start_[i]));
    if (length > length_[i]) length_[i] = length, further = true;
    speed_[i] = std::max(speed_[i], std::abs(y0[nq_ + i]));
  }
  for (int j = 0; j < nc_ && (further || !layout_.structure.linear_gaps); ++j)
    if (!settings_.gap_tolerance)
      epsilon_[j] = std::max(epsilon_[j], settings_.rtol * contacts().size_along(j, length_.data()));
}

std::optional<GapSearch::Event> EventDrivenContacts::search(const ExplicitRungeKutta& step, const DenseOutput& dense) {
  see_path(step.begin_state(), step.end_state());
  return gaps_.first(dense, epsilon_.data());
}

bool EventDrivenContacts::is_far(const ExplicitRungeKutta& step, DenseOutput& rough) {
  if (!gaps_.is_affine()) step.rough_output(nq_, rough);
  if (gaps_.is_affine() ? !gaps_.all_far(step.ends()) : !gaps_.all_far(rough)) return false;
  see_path(step.begin_state(), step.end_state());
  return true;
}

int EventDrivenContacts::passed(double t, const double* y) {
  model_.gap(t, y, passed_gaps_.data());
  for (int j = 0; j < nc_; ++j)
    if (gaps_.watch(j) == Watch::open && passed_gaps_[j] < -2.0 * epsilon_[j]) return j;
  return -1;
}

std::optional<GapSearch::Event> EventDrivenContacts::search_passed(const DenseOutput& dense, int j, double t0,
                                                                   double t1) {
  const std::optional<double> theta = gaps_.crossing(dense, j, dense.theta(t0), dense.theta(t1));
  return theta ? std::optional(GapSearch::Event{.constraint = j, .theta = *theta}) : std::nullopt;
}

bool EventDrivenContacts::watch_open(double t, const double* y) {
  if (lasting_.place(t, y) != FailureKind::none) return false;
  young_ = false;
  bool back = false;
  for (int j = 0; j < nc_; ++j) {
    Watch& watch = gaps_.watch(j);
    if (watch == Watch::parting && contacts().gap(j) > 2.0 * epsilon_[j]) watch = Watch::open;
    if (watch == Watch::bounced && contacts().gap(j) > gap_noise(j, t, largest_positions())) watch = Watch::open;
    if (watch == Watch::bounced && !(contacts().rate(j, y + nq_) > 0.0)) in_[j] = 1, back = true;
    young_ = young_ || watch == Watch::parting || watch == Watch::bounced;
  }
  return back;
}

double EventDrivenContacts::time_to_close(double t, const double* y, int j) {
  if (lasting_.place(t, y) != FailureKind::none) return 0.0;
  const double U = contacts().rate(j, y + nq_);
  const double shift = gaps_.watch(j) == Watch::parting ? epsilon_[j] : 0.0;
  return U < 0.0 ? -(contacts().gap(j) + shift) / U : 0.0;
}

bool EventDrivenContacts::vanishes(double t, const double* y, int k) {
  // Of the speeds that there have been; what steps may leave in a slip has no direction.
  const double share = std::max(1e-9, 3.0 * settings_.rtol);
  const FrictionModes::Entry& entry = flow_.modes()[k];
  if (entry.rows == 1 || lasting_.place(t, y) != FailureKind::none) return true;
  const FrictionModes::Direction o{contacts().obstacle_rate(entry.row), contacts().obstacle_rate(entry.row + 1)};
  const double size = FrictionModes::size_along(entry, contacts(), speed_.data()) + FrictionModes::norm(o);
  return FrictionModes::norm(FrictionModes::slip(entry, contacts(), y + nq_)) <= share * size;
}

void EventDrivenContacts::report_grazing(int j, double t) {
  records_.push_back({.constraint = j, .t = t, .located = true, .discontinuous = false});
  remark("contact " + layout_.constraints[j] + " is grazed at t = " + to_text(t));
}

// Where lasting_ has been placed: by a hundredth of the tolerance.
bool EventDrivenContacts::has_drifted(double t, const double* q, const double* v) const {
  constexpr double last_places = 8.0 * std::numeric_limits<double>::epsilon();
  for (int k = 0; k < flow_.modes().size(); ++k) {
    const FrictionModes::Entry& entry = flow_.modes()[k];
    for (int r = entry.row; r < entry.row + entry.rows && flow_.acts(k) && entry.mode == FrictionMode::stick; ++r)
      if (std::abs(contacts().rate(r, v)) > last_places * contacts().rate_size(r, v)) return true;
  }
  for (int j = 0; j < nc_ + model_.nb(); ++j) {
    if (j < nc_ && !flow_.is_closed(j)) continue;
    const double share = 0.01 * settings_.rtol;
    const double slow = j < nc_ ? lasting_.slow(j) : 1e-13 * contacts().rate_size(j, v);
    const double g = share * contacts().size_along(j, length_.data()) + gap_noise(j, t, q);
    const double U = share * contacts().size_along(j, speed_.data()) + slow;
    if (std::abs(contacts().gap(j)) > g || std::abs(contacts().rate(j, v)) > U) return true;
  }
  return false;
}

FailureKind EventDrivenContacts::project_drift(double t, std::vector<double>& y, bool& moved) {
  double *q = y.data(), *v = q + nq_;
  see(q);
  if (const FailureKind kind = lasting_.place(t, q); kind != FailureKind::none) return kind;
  moved = has_drifted(t, q, v);
  return moved ? hold(t, q, v) : FailureKind::none;
}

FailureKind EventDrivenContacts::hold_row(double t, std::vector<double>& y) {
  double *q = y.data(), *v = q + nq_;
  if (const FailureKind kind = lasting_.place(t, q); kind != FailureKind::none) return kind;
  return model_.nb() > 0 || has_drifted(t, q, v) ? lasting_.hold(t, q, v) : FailureKind::none;
}

}  // namespace ricochet
