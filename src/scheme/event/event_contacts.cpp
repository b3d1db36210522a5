#include "scheme/event/event_contacts.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "contact/impulse_account.hpp"
#include "ricochet/core/quantity.hpp"
#include "scheme/kernel/failure_text.hpp"

namespace ricochet {
namespace {

using Direction = FrictionModes::Direction;

// The share of the way from S0 to S1, B0 to B1 on which ‖S‖ reaches B: it is below B at the begin, above at the end.
double share_to_bound(const Direction& S0, double B0, const Direction& S1, double B1) {
  const Direction D{S1[0] - S0[0], S1[1] - S0[1]};
  const double E = B1 - B0, a = FrictionModes::dot(D, D) - E * E, b = FrictionModes::dot(S0, D) - B0 * E,
               c = std::min(0.0, FrictionModes::dot(S0, S0) - B0 * B0);  // a x² + 2 b x + c = 0
  const double divisor = b + std::sqrt(std::max(0.0, b * b - a * c));
  return divisor > 0.0 ? std::min(1.0, -c / divisor) : 0.0;
}

std::string paradox_at(const FrictionForces::Paradox& paradox, double t) {
  return " at t = " + to_text(t) + " (Painlevé: A = " + to_text(paradox.A) + ", b = " + to_text(paradox.b) + ")";
}

}  // namespace

EventContacts::EventContacts(const Model& model, HeldContactsOde& flow, const ComplementaritySettings& solver,
                             double rate_tolerance)
    : model_(model), flow_(flow), lasting_(model, solver, rate_tolerance), forces_(model, solver) {}

void EventContacts::forget() {
  flow_.open_all();
  flow_.modes().clear();
  forces_.open_all();
  lasting_.begin(forces_);
  std::fill(impacts_.begin(), impacts_.end(), 0);
  std::fill(at_once_.begin(), at_once_.end(), 0);
  for (std::vector<double>* x : {&fastest_, &last_, &q_largest_}) std::fill(x->begin(), x->end(), 0.0);
  clear_report();
}

void EventContacts::see_positions(const double* q) {
  for (int i = 0; i < nq_; ++i) q_largest_[i] = std::max(q_largest_[i], std::abs(q[i]));
}

double EventContacts::gap_noise(int j, double t, const double* q) const {
  constexpr double round_off = 16.0 * std::numeric_limits<double>::epsilon();
  return round_off * contacts().gap_size(j, t, q) + motion_noise_[j];
}

double EventContacts::idle_drift(int j, double step) const {
  constexpr double round_off = 16.0 * std::numeric_limits<double>::epsilon();
  return forces_.any_closed() ? 0.5 * round_off * forces_.terms(j) * step * step : 0.0;
}

double EventContacts::resolution(double t) { return 64.0 * std::numeric_limits<double>::epsilon() * std::abs(t); }

double EventContacts::flight_before(int j, double t) const {
  return impacts_[j] > 0 ? t - last_[j] : std::numeric_limits<double>::infinity();
}

bool EventContacts::rattles(int j, double t, double U_plus, double shortest) const {
  constexpr double slow_share = 1e-4;
  constexpr int most_at_once = 50;
  if (!lasting_.was_struck(j)) return false;
  return at_once_[j] > most_at_once || (flight_before(j, t) <= shortest && U_plus <= slow_share * fastest_[j]);
}

FailureKind EventContacts::strike(double t, double duration, const double* q, double* v, const double* z,
                                  const IsShort& is_short) {
  std::fill(shortened_.begin(), shortened_.end(), 0);
  std::copy_n(v, nq_, v_minus_.begin());
  if (const FailureKind kind = lasting_.hold(t, nullptr, v); kind != FailureKind::none) return kind;
  const auto closes = [&](int j, double U_minus, double U_plus, double Gamma) {
    // The flight of one that is torn open, and does not touch but for round-off, is followed.
    const bool touches = lasting_.touches(j) || contacts().gap(j) <= gap_noise(j, t, q_largest_.data());
    shortened_[j] = touches && is_short(j, U_minus, U_plus, Gamma);
    return shortened_[j] != 0;
  };
  const FailureKind kind = lasting_.settle(t, q, v, z, &forces_, std::ref(closes), duration);
  if (kind == FailureKind::none) record(t, q, v, z);
  return kind;
}

// Contacts that last have pushed up to here.
void EventContacts::report_lasting(double t, ContactReports& contacts) {
  for (int j = 0; j < nc_; ++j)
    if (impulse_[j] > 0.0)
      contacts.push_back({.constraint = j, .t = t, .impulse = impulse_[j], .discontinuous = false});
  std::fill(impulse_.begin(), impulse_.end(), 0.0);
}

void EventContacts::move_slip_impulses() {
  states_.friction.insert(states_.friction.end(), slip_impulse_.begin(), slip_impulse_.end());
  std::fill(slip_impulse_.begin(), slip_impulse_.end(), 0.0);
}

void EventContacts::begin_instant(double t) {
  report_lasting(t, records_);
  if (!keeps_states_) return;
  move_slip_impulses();
  ImpactStates::Instant& instant = states_.instants.emplace_back();
  instant.t = t;
  instant.before = records_.size();
  instant.ledger_before = ledger_;
}

void EventContacts::end_instant(double t, const double* q, const double* v, const double* z) {
  report_lasting(t, records_);
  if (!keeps_states_) return;
  ImpactStates::Instant& instant = states_.instants.back();
  move_slip_impulses();
  instant.after = records_.size();
  instant.ledger_after = ledger_;
  const auto append = [this](const double* x, int n) { states_.motion.insert(states_.motion.end(), x, x + n); };
  append(q, nq_);
  append(v_minus_.data(), nq_);
  append(v, nq_);
  append(z, model_.nz());
}

bool EventContacts::is_impact(int j, int caught) const {
  const double slow = lasting_.slow(j);
  return lasting_.was_struck(j) &&
         (j == caught || std::abs(lasting_.rate_minus(j)) > slow || lasting_.rate_plus(j) > slow);
}

void EventContacts::record(double t, const double* q, const double* v, const double* z, int caught) {
  bool jumps = false;
  for (int j = 0; j < nc_ && !jumps; ++j) jumps = is_impact(j, caught);
  if (jumps) begin_instant(t);
  ledger_ += lasting_.ledger();
  for (int k = 0; k < model_.ns(); ++k) slip_impulse_[k] += lasting_.slip_impulse(k);
  for (int j = 0; j < nc_; ++j) {
    if (!lasting_.was_struck(j)) {
      impulse_[j] += lasting_.impulse(j);
      continue;
    }
    const bool impact = is_impact(j, caught);
    at_once_[j] = flight_before(j, t) <= resolution(t) ? at_once_[j] + 1 : 0;
    if (impact) ++impacts_[j];
    last_[j] = t;
    fastest_[j] = std::max(fastest_[j], -lasting_.rate_minus(j));
    ContactReport contact = lasting_.report(j, t);
    contact.located = impact;
    contact.discontinuous = lasting_.meets_discontinuity(j);
    records_.push_back(contact, lasting_.slip_report(j));
    if (!lasting_.is_closed(j)) continue;
    if (shortened_[j])
      remark("contact " + layout_.constraints[j] + " closed at t = " + to_text(t) + " after " +
             std::to_string(impacts_[j]) + (impacts_[j] == 1 ? " impact" : " impacts") +
             ": the next flight would have been too short");
    impacts_[j] = 0;
  }
  if (jumps) end_instant(t, q, v, z);
}

void EventContacts::record_alone(int j, double t, const double* y, const double* v_minus, double U_minus, double U_plus,
                                 double P) {
  std::copy_n(v_minus, nq_, v_minus_.begin());
  begin_instant(t);
  const double gain = account_impulse(P, U_minus, U_plus, 0.0, 0.0, ledger_);
  lasting_.see_blow(j, U_minus);
  at_once_[j] = flight_before(j, t) <= resolution(t) ? at_once_[j] + 1 : 0;
  ++impacts_[j];
  last_[j] = t;
  fastest_[j] = std::max(fastest_[j], -U_minus);
  // Written where it stays: a copy, made at once, would wait until its parts are in memory.
  records_.push_back({});
  ContactReport& contact = records_[records_.size() - 1];
  contact.constraint = j, contact.t = t;
  contact.rate_minus = U_minus, contact.rate_plus = U_plus, contact.impulse = P, contact.loss = -gain;
  contact.located = true, contact.discontinuous = false;
  end_instant(t, y, y + nq_, y + 2 * nq_);
}

FailureKind EventContacts::hold(double t, double* q, double* v) {
  if (const FailureKind kind = lasting_.hold(t, q, v); kind != FailureKind::none) return kind;
  for (int j = 0; j < nc_; ++j) impulse_[j] += lasting_.impulse(j);
  for (int k = 0; k < model_.ns(); ++k) slip_impulse_[k] += lasting_.slip_impulse(k);
  return FailureKind::none;
}

FailureKind EventContacts::accelerate(double t, const double* q, const double* v, const double* z) {
  for (int j = 0; j < nc_; ++j) forces_.close(j, flow_.is_closed(j));
  if (forces_.any_closed()) ++problems_;
  return forces_.solve(t, q, v, z) ? FailureKind::none : forces_.failure();
}

FailureKind EventContacts::solve_forces(double t, const double* y, const std::vector<char>& takes_part) {
  flow_.open_all();
  for (int j = 0; j < nc_; ++j) flow_.set_closed(j, takes_part[j] != 0);
  if (!flow_.is_held()) {
    forces_.open_all();
    return FailureKind::none;
  }
  if (const FailureKind kind = accelerate(t, y, y + nq_, y + 2 * nq_); kind != FailureKind::none) return kind;
  for (int j = 0; j < nc_; ++j) {
    const double size = forces_.contacts().size_along(j, forces_.value());
    if (takes_part[j]) flow_.set_closed(j, forces_.multiplier()[j] * forces_.problem().diagonal(j) > 1e-13 * size);
  }
  if (flow_.has_friction()) flow_.modes() = forces_.modes();
  return FailureKind::none;
}

// The contact problem on those that rest. A sliding contact without acceleration is caught (Painlevé): it rests then.
FailureKind EventContacts::solve_resting(double t, double* y) {
  double* v = y + nq_;
  for (int round = 0;; ++round) {
    if (flow_.has_friction()) lasting_.sort(v, forces_.modes());
    const FailureKind kind = solve_forces(t, y, rests_);
    const FrictionForces::Paradox paradox = forces_.any_closed() ? forces_.paradox() : FrictionForces::Paradox{};
    if (kind == FailureKind::none && paradox.contact >= 0 && paradox.b > 0.0)
      remark("contact " + layout_.constraints[paradox.contact] + " might slide on or open" + paradox_at(paradox, t) +
             ": it opens");
    if (kind == FailureKind::none || paradox.contact < 0 || round > nc_) return kind;
    const std::string where = paradox_at(paradox, t);
    for (int j = 0; j < nc_; ++j) lasting_.set_closed(j, rests_[j] != 0);
    if (const FailureKind placed = lasting_.place(t, y); placed != FailureKind::none) return placed;
    const bool slides = forces_.modes().slides(forces_.modes().of_contact(paradox.contact), contacts(), v);
    std::copy_n(v, nq_, v_minus_.begin());
    if (!lasting_.catch_slide(paradox.contact, v)) {
      no_acceleration_ = no_acceleration_text(paradox, t);
      return kind;
    }
    if (slides)
      remark("contact " + layout_.constraints[paradox.contact] +
             " is caught by an impact without collision: sliding on admits no acceleration" + where);
    record(t, y, v, v + nq_, slides ? paradox.contact : -1);
  }
}

// Up to where no closed contact pulls and no friction that sticks is beyond its bound. One that has just been seen to
// pull by the round-off of its force pulls here too.
EventContacts::Limit EventContacts::limit_towards_held() const {
  const double *from = redundant_.data(), *held = flow_.multipliers();
  Limit limit;
  for (int j = 0; j < nc_; ++j) {
    if (!flow_.is_closed(j) || !(held[j] < -0.5 * flow_.force_noise(j))) continue;
    const double share = from[j] / (from[j] - held[j]);
    if (share < limit.share) limit = {.share = share, .contact = j};
  }
  for (int k = 0; k < model_.nf(); ++k) {
    const FrictionModes::Entry& entry = flow_.modes()[k];
    if (entry.mode != FrictionMode::stick || !(lambda_[nc_ + k] < 0.0)) continue;
    const auto bound = [&](const double* lambda) {
      return flow_.coefficient(k) * (entry.contact < 0 ? 1.0 : lambda[entry.contact]);
    };
    const double share = share_to_bound(entry.force(from), bound(from), entry.force(held), bound(held));
    if (share < limit.share) limit = {.share = share, .friction = k};
  }
  return limit;
}

// The friction pushes with its bound from now on; others hold its slip at 0, but for round-off of a time that is short
// for the motion.
void EventContacts::slide_held(int k, double horizon) {
  FrictionModes::Entry& entry = flow_.modes()[k];
  Direction S = entry.force(redundant_.data());
  if (FrictionModes::norm(S) == 0.0) S = entry.force(flow_.multipliers());  // of a contact that carried nothing
  entry.mode = FrictionMode::slide;
  entry.s = entry.now = entry.seen = FrictionModes::divided(S, -FrictionModes::norm(S));
  entry.floor = std::max(entry.floor, horizon * flow_.slip_acceleration_noise(k));
}

FailureKind EventContacts::leave_redundant(double t, const double* y, double horizon) {
  redundant_.assign(forces_.multiplier(), forces_.multiplier() + redundant_.size());
  flow_.carry_impulses(false);
  while (flow_.held_count() > 1) {
    if (!flow_(t, y, dy_.data(), lambda_.data())) return flow_.failure();
    const Limit limit = limit_towards_held();
    if (limit.contact < 0 && limit.friction < 0) break;
    for (std::size_t i = 0; i < redundant_.size(); ++i)
      redundant_[i] += limit.share * (flow_.multipliers()[i] - redundant_[i]);
    for (int j = 0; j < nc_; ++j) redundant_[j] = std::max(0.0, redundant_[j]);
    if (limit.contact >= 0) {
      flow_.set_closed(limit.contact, false);
    } else {
      slide_held(limit.friction, horizon);
    }
  }
  return FailureKind::none;
}

bool EventContacts::is_kept(double t, double step, const double* y, int j) {
  flow_.set_closed(j, true);
  flow_.carry_impulses(false);
  std::copy(y, y + flow_.motion_size(), y_start_.begin());
  const bool good = step > 0.0 && trial_.step(flow_, t, step, y_start_.data(), y_trial_.data()) == OdeStatus::done &&
                    flow_(t + step, y_trial_.data(), dy_.data(), lambda_.data());
  const double pull = lambda_[j], noise = good ? flow_.force_noise(j) : 0.0;
  flow_.set_closed(j, false);
  if (!good) return true;
  if (std::abs(pull) <= noise)
    remark("contact " + layout_.constraints[j] + " may open or stay closed at t = " + to_text(t) +
           ", both are consistent: it is kept");
  return pull >= -noise;
}

// A contact that carries nothing opens with Γ > 0; within round-off of that the motion to come decides.
bool EventContacts::opens(double t, const double* y, double horizon, int j) {
  return forces_.separation(j) > acceleration_noise(j, t, horizon) || !is_kept(t, 1e-4 * horizon, y, j);
}

// Γ below counts as 0: round-off of its terms, or ½Γh² is round-off of the gap.
double EventContacts::acceleration_noise(int j, double t, double horizon) const {
  const double depth = gap_noise(j, t, q_largest_.data());
  return 1e-12 * forces_.contacts().size_along(j, forces_.value()) + 2.0 * depth / (horizon * horizon);
}

FailureKind EventContacts::choose(double t, double* y, double horizon, const double* pulling, const char* allowed) {
  lasting_.see_speeds(y + nq_);
  for (int j = 0; j < nc_; ++j) rests_[j] = lasting_.rests(j, y + nq_) && (allowed == nullptr || allowed[j] != 0);
  if (const FailureKind kind = solve_resting(t, y); kind != FailureKind::none) return kind;
  for (int j = 0; j < nc_; ++j) {
    const bool undecided = rests_[j] && !flow_.is_closed(j);
    if (undecided) take_sorted_mode(j, y + nq_);
    if (undecided && !(pulling != nullptr && pulling[j] < 0.0) && !opens(t, y, horizon, j)) flow_.set_closed(j, true);
  }
  if (const FailureKind kind = leave_redundant(t, y, horizon); kind != FailureKind::none) return kind;
  for (int j = 0; j < nc_; ++j) {
    lasting_.set_closed(j, flow_.is_closed(j));
    if (flow_.is_closed(j)) force_floor_[j] = acceleration_noise(j, t, horizon) / forces_.problem().diagonal(j);
  }
  if (!flow_.has_friction()) return FailureKind::none;
  keep_modes();
  // A slide that has just begun may be behind its beginning by what joints take out of the velocities.
  for (FrictionModes::Entry& entry : flow_.modes().all())
    if (entry.mode == FrictionMode::slide)
      entry.floor = std::max(
          entry.floor, -2.0 * FrictionModes::dot(FrictionModes::slip(entry, lasting_.contacts(), y + nq_), entry.s));
  return FailureKind::none;
}

// A contact that is held although it carries nothing: what it rests on sticks.
void EventContacts::take_sorted_mode(int j, const double* v) {
  const int k = flow_.has_friction() ? flow_.modes().of_contact(j) : -1;
  if (k < 0) return;
  lasting_.sort(v, sorted_);
  flow_.modes()[k] = sorted_[k];
  if (sorted_[k].mode == FrictionMode::rest) flow_.modes()[k].mode = FrictionMode::stick;
}

void EventContacts::continue_modes() {
  FrictionModes& modes = forces_.modes();
  modes = flow_.modes();
  for (int k = 0; k < modes.size(); ++k)
    if (modes[k].mode != FrictionMode::slide) modes[k].mode = FrictionMode::rest, modes[k].s = {};
}

void EventContacts::keep_modes() {
  for (int k = 0; k < flow_.modes().size(); ++k) {
    FrictionModes::Entry& entry = flow_.modes()[k];
    if (entry.contact >= 0 && !flow_.is_closed(entry.contact)) entry.mode = FrictionMode::none;
  }
  lasting_.set_modes(flow_.modes());
}

void EventContacts::clear_report() {
  std::fill(impulse_.begin(), impulse_.end(), 0.0);
  std::fill(slip_impulse_.begin(), slip_impulse_.end(), 0.0);
  records_.clear();
  states_.clear();
  ledger_ = {};
}

void EventContacts::end_report(double t, StepReport& report) {
  if (report.friction.size() < slip_impulse_.size()) report.friction.resize(slip_impulse_.size());
  if (!states_.instants.empty()) report_states(report);
  report.energy.add(ledger_);
  report.contacts.append(records_);
  report_lasting(t, report.contacts);
  for (std::size_t k = 0; k < slip_impulse_.size(); ++k) report.friction[k] += slip_impulse_[k];
  clear_report();
}

// Friction is that since the instant before; without states it is all of the advance.
void EventContacts::report_states(StepReport& report) {
  const std::size_t ns = slip_impulse_.size();
  if (report.impact_states == nullptr) {
    for (std::size_t k = 0; k < states_.friction.size(); ++k) report.friction[k % ns] += states_.friction[k];
    return;
  }
  const LedgerTerms<double> earlier = report.energy.terms();
  for (ImpactStates::Instant& instant : states_.instants) {
    instant.before += report.contacts.size();
    instant.after += report.contacts.size();
    instant.ledger_before += earlier;
    instant.ledger_after += earlier;
  }
  for (std::size_t k = 0; k < ns; ++k) states_.friction[k] += std::exchange(report.friction[k], 0.0);
  std::swap(*report.impact_states, states_);
}

std::string EventContacts::no_acceleration_text(const FrictionForces::Paradox& paradox, double t) const {
  return "the sliding contact " + layout_.constraints[paradox.contact] + " admits " +
         (paradox.b > 0.0 ? "two accelerations" : "no acceleration") + paradox_at(paradox, t);
}

std::string EventContacts::failure_detail(FailureKind kind, double t, const double* y) const {
  if (kind == FailureKind::complementarity_not_solved) {
    if (!no_acceleration_.empty()) return no_acceleration_;
    // A slide that was smooth before: its coefficient or its surface has jumped.
    const FrictionForces::Paradox paradox = flow_.paradox();
    if (paradox.contact >= 0 && paradox.A < 0.0) return no_acceleration_text(paradox, t);
  }
  if (kind == FailureKind::not_finite && lost_ >= 0) return lost_gap_text(layout_.constraints[lost_]);
  for (int j = 0; j < nc_ && kind == FailureKind::not_finite; ++j)
    if (flow_.is_closed(j) && contacts().size_along(j, std::vector<double>(nq_, 1.0).data()) == 0.0)
      return "the gradient of the gap of " + layout_.constraints[j] + " is 0 on its surface: no force acts along it";
  return failure_text(model_, kind,
                      {y, y + nq_, y + 2 * nq_, nullptr, contacts().restitutions(),
                       lasting_.problem(forces_).last_end(), t, contacts().gaps(), contacts().gradients()});
}

void EventContacts::remark(std::string sentence) {
  constexpr std::size_t most_remarks = 20;
  if (remarks_.size() < most_remarks) {
    remarks_.push_back(std::move(sentence));
  } else {
    ++further_remarks_;
  }
}

std::vector<std::string> EventContacts::remarks() const {
  std::vector<std::string> all = remarks_;
  if (further_remarks_ > 0) all.push_back("and " + std::to_string(further_remarks_) + " further remarks of this kind");
  return all;
}

}  // namespace ricochet
