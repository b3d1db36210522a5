#include "contact/lasting_contacts.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "contact/impulse_account.hpp"

namespace ricochet {

namespace {
constexpr double rate_round_off = 1e-13;  // of sums, relative to their terms
}

LastingContacts::LastingContacts(const Model& model, const ComplementaritySettings& solver, double rate_tolerance)
    : nc_(model.nc()), law_(model, solver), rate_tolerance_(rate_tolerance), modes_(model.layout()) {}

void LastingContacts::begin(const ContactAcceleration<double>& forces) {
  std::fill(slow_.begin(), slow_.end(), 0.0);
  for (int j = 0; j < nc_; ++j) closed_[j] = forces.closed()[j];
  clear_modes();
}

void LastingContacts::close_in(ContactAcceleration<double>& forces) const {
  for (int j = 0; j < nc_; ++j) forces.close(j, closed_[j]);
}

void LastingContacts::open_unloaded(ContactAcceleration<double>& forces) {
  for (int j = 0; j < nc_; ++j) {
    if (!closed_[j] || forces.multiplier()[j] > 0.0) continue;
    closed_[j] = !(forces.separation(j) > rate_round_off * forces.terms(j));
  }
  close_in(forces);
}

FailureKind LastingContacts::place(double t, const double* q) {
  ledger_ = {};
  blown_ = false;
  for (MaskArray<double>* masks : {&named_, &struck_, &discontinuous_, &torn_})
    masks->assign(static_cast<std::size_t>(nc_));
  for (std::vector<double>* sums : {&U_minus_, &U_plus_, &impulse_, &loss_, &slip_impulse_})
    std::fill(sums->begin(), sums->end(), 0.0);
  std::fill(slips_.begin(), slips_.end(), SlipReport{});
  return law_.place(t, q);
}

FailureKind LastingContacts::hold(double t, double* q, double* v, const double* lambda) {
  const auto include = [&](bool inside) {
    law_.clear();
    for (int j = 0; j < nc_; ++j) {
      const bool presses = closed_[j] && (lambda == nullptr || lambda[j] > 0.0);
      if (presses || (inside && named_[j] && law_.contacts().gap(j) < 0.0)) law_.include(j);
    }
    for (int k = 0; k < modes_.size() && !inside; ++k) include_sticking(k);
    return law_.included_count() > 0;
  };
  if (q != nullptr && include(true))
    if (const FailureKind kind = law_.close_gaps(t, q); kind != FailureKind::none) return kind;
  if (!include(false)) return FailureKind::none;
  if (const FailureKind kind = law_.hold(v); kind != FailureKind::none) return kind;
  account();
  return FailureKind::none;
}

void LastingContacts::include_sticking(int k) {
  if (!sticks(k)) return;
  const FrictionModes::Entry& entry = modes_[k];
  if (entry.contact >= 0 && !law_.is_included(entry.contact)) return;
  for (int m = 0; m < entry.rows; ++m) law_.include_slip(entry.row + m);
}

// The energy of the last impulses.
void LastingContacts::account() {
  for (int j = nc_; j < law_.held(); ++j) {
    const double o = law_.contacts().obstacle_rate(j);
    account_impulse(law_.impulse(j), law_.rate_minus(j), law_.rate_plus(j), o, o, ledger_,
                    &LedgerTerms<double>::numerical);
  }
  for (int r = law_.held(); r < law_.size(); ++r) {
    if (!law_.is_included(r)) continue;
    const double o = law_.contacts().obstacle_rate(r);
    account_impulse(law_.impulse(r), law_.rate_minus(r), law_.rate_plus(r), o, o, ledger_,
                    &LedgerTerms<double>::friction);
    slip_impulse_[r - law_.held()] += law_.impulse(r);
  }
  for (int j = 0; j < nc_; ++j) {
    if (!law_.is_included(j)) continue;
    const double o = law_.contacts().obstacle_rate(j);
    loss_[j] -= account_impulse(law_.impulse(j), law_.rate_minus(j), law_.rate_plus(j), o, o, ledger_);
    impulse_[j] += law_.impulse(j);
    U_plus_[j] = law_.rate_plus(j);
    if (modes_.size() > 0) account_slips(j);
  }
}

// Over several blows: the slip before the first, the one after the last, the sum of the impulses.
void LastingContacts::account_slips(int j) {
  const int k = modes_.of_contact(j);
  if (k < 0 || !law_.is_included(modes_[k].row)) return;
  SlipReport& slip = slips_[static_cast<std::size_t>(j)];
  const SlipReport last = law_.slip_report(j);
  if (slip.status == SlipStatus::none) slip.minus = last.minus;
  slip.plus = last.plus;
  for (std::size_t m = 0; m < 2; ++m) slip.impulse[m] += last.impulse[m];
  slip.decide(law_.contacts().bound(k) * impulse_[j]);
}

ContactReport LastingContacts::report(int j, double t) const {
  return {.constraint = j,
          .t = t,
          .rate_minus = U_minus_[j],
          .rate_plus = U_plus_[j],
          .impulse = impulse_[j],
          .loss = loss_[j]};
}

void LastingContacts::see_speeds(const double* v) {
  for (int j = 0; j < nc_; ++j) slow_[j] = std::max(slow_[j], rate_round_off * law_.contacts().rate_size(j, v));
  for (int j = law_.held(); j < law_.size(); ++j)
    slow_[j] = std::max(slow_[j], rate_round_off * law_.contacts().rate_size(j, v));
  // With friction both are velocities of one point: what only slides has no speed of its own along the normal.
  for (const FrictionModes::Entry& entry : modes_.all()) {
    if (entry.contact < 0) continue;
    double& slow = slow_[entry.contact];
    for (int m = 0; m < entry.rows; ++m) slow = std::max(slow, slow_[entry.row + m]);
    for (int m = 0; m < entry.rows; ++m) slow_[entry.row + m] = slow;
  }
}

// Of a blow whose impulses nearly cancel in a light body rates are the round-off of what each of them does to it.
void LastingContacts::see_impulse(int j) {
  constexpr double round_off = 16.0 * std::numeric_limits<double>::epsilon();
  law_.each_product(j,
                    [&](int k, double W) { slow_[k] = std::max(slow_[k], round_off * std::abs(W) * law_.impulse(j)); });
}

// The longest max P/λ over the contacts that were struck.
void LastingContacts::see_pushes(const ContactAcceleration<double>& forces) {
  tears_ = false;
  pushing_time_ = 0.0;
  for (int j = 0; j < nc_; ++j) {
    tears_ = tears_ || torn_[j];
    if (!struck_[j]) continue;
    const double lambda = forces.multiplier()[j];
    pushing_time_ =
        std::max(pushing_time_, lambda > 0.0 ? impulse_[j] / lambda : std::numeric_limits<double>::infinity());
  }
}

void LastingContacts::sort(const double* v, FrictionModes& modes) const {
  modes = modes_;
  for (int k = 0; k < modes.size(); ++k) {
    FrictionModes::Entry& entry = modes[k];
    const FrictionModes::Direction U = FrictionModes::slip(entry, law_.contacts(), v);
    const double speed = FrictionModes::norm(U);
    entry.floor = std::max(slow_[entry.row], entry.rows > 1 ? slow_[entry.row + 1] : 0.0);
    const bool stuck = !blown_ && entry.mode == FrictionMode::stick;
    if (begins_[k] && !blown_) {
      entry.mode = FrictionMode::slide;
    } else if (stuck || !(speed > entry.floor)) {
      if (entry.mode != FrictionMode::slide || blown_) entry.s = {};
      entry.mode = FrictionMode::rest;
    } else {
      entry.mode = FrictionMode::slide;
      entry.s = FrictionModes::divided(U, speed);
    }
  }
}

bool LastingContacts::catch_slide(int j, double* v) {
  constexpr double round_off = 1e-12;
  const FrictionModes::Entry& caught = modes_[modes_.of_contact(j)];
  law_.clear();
  for (int i = 0; i < nc_; ++i)
    if (i == j || closed_[i]) law_.include(i);
  for (int k = 0; k < modes_.size(); ++k) include_sticking(k);
  for (int m = 0; m < caught.rows; ++m) law_.include_slip(caught.row + m);
  if (law_.hold(v) != FailureKind::none) return false;
  for (int i = 0; i < nc_; ++i) {
    const int k = modes_.of_contact(i);
    if (!law_.is_included(i)) continue;
    if (law_.impulse(i) < 0.0) return false;
    if (k < 0 || !law_.is_included(modes_[k].row)) continue;
    const FrictionModes::Direction P{law_.impulse(modes_[k].row),
                                     modes_[k].rows > 1 ? law_.impulse(modes_[k].row + 1) : 0.0};
    if (FrictionModes::norm(P) > law_.contacts().bound(k) * law_.impulse(i) * (1.0 + round_off)) return false;
  }
  struck_[j] = blown_ = true;
  U_minus_[j] = 0.0;
  account();
  see_speeds(v);
  return true;
}

bool LastingContacts::moves_inwards(const double* v) const {
  for (int j = 0; j < nc_; ++j)
    if (touches(j) && law_.contacts().rate(j, v) < -slow_[j]) return true;
  return false;
}

FailureKind LastingContacts::strike(double* v, double duration) {
  constexpr int most_blows = 50;
  for (int blow = 0; moves_inwards(v) || duration > 0.0; ++blow, duration = 0.0) {
    if (blow > most_blows + nc_) return FailureKind::none;  // round-off, beyond what the last blow could do
    law_.clear();
    for (int j = 0; j < nc_; ++j)
      if (touches(j)) law_.include(j, blow >= most_blows);
    ++problems_;
    if (const FailureKind kind = law_.strike(v, duration); kind != FailureKind::none) return kind;
    for (int j = 0; j < nc_; ++j) {
      if (!(law_.is_included(j) && law_.impulse(j) > 0.0)) continue;
      if (!struck_[j]) U_minus_[j] = law_.rate_minus(j);
      struck_[j] = true;
      discontinuous_[j] = discontinuous_[j] || law_.meets_discontinuity(j);
      slow_[j] = std::max(slow_[j], rate_tolerance_ * -law_.rate_minus(j));
      see_impulse(j);
    }
    blown_ = true;
    for (int r = law_.held(); r < law_.size(); ++r)
      if (law_.is_included(r)) slow_[r] = std::max(slow_[r], rate_tolerance_ * std::abs(law_.rate_minus(r)));
    account();
    see_speeds(v);
  }
  // Torn open, or at rest after a blow.
  for (int j = 0; j < nc_; ++j) {
    if (!touches(j)) continue;
    const bool lasts = (closed_[j] || struck_[j]) && std::abs(law_.contacts().rate(j, v)) <= slow_[j];
    torn_[j] = !lasts && !struck_[j] && (closed_[j] || torn_[j]);
    closed_[j] = lasts;
  }
  return FailureKind::none;
}

// Those that join the closed ones because they would soon be back.
FailureKind LastingContacts::close(double t, const double* q, double* v, const double* z,
                                   ContactAcceleration<double>& forces, const IsShort& is_short, bool& joined) {
  for (int j = 0; j < nc_; ++j) forces.close(j, rests(j, v));
  if (modes_.size() > 0) sort(v, forces.modes());
  if (!forces.solve(t, q, v, z)) return forces.failure();
  const double* Gamma = forces.separations(t, q, v);
  see_pushes(forces);
  joined = false;
  for (int j = 0; j < nc_; ++j) {
    if (closed_[j] || !(touches(j) || torn_[j])) continue;
    if (!std::isfinite(Gamma[j])) return FailureKind::not_finite;
    if (!is_short(j, U_minus_[j], law_.contacts().rate(j, v), Gamma[j])) continue;
    closed_[j] = joined = true;
  }
  if (!joined) return FailureKind::none;
  law_.clear();
  for (int j = 0; j < nc_; ++j)
    if (closed_[j]) law_.include(j);
  if (const FailureKind kind = law_.hold(v); kind != FailureKind::none) return kind;
  account();
  return FailureKind::none;
}

FailureKind LastingContacts::settle(double t, const double* q, double* v, const double* z,
                                    ContactAcceleration<double>* forces, const IsShort& is_short, double duration) {
  see_speeds(v);
  for (int j = 0; j < nc_ && forces != nullptr && duration > 0.0 && forces->any_closed(); ++j)
    if (touches(j)) slow_[j] = std::max(slow_[j], rate_round_off * duration * forces->terms(j));
  if (forces != nullptr || !modes_.has_limits()) duration = 0.0;
  if (!moves_inwards(v) && duration == 0.0) return FailureKind::none;
  // Every round closes one more contact. What a blow then tears open again and again is left to the next instant.
  bool joined = true;
  for (int round = 0; joined && round <= nc_; ++round) {
    if (const FailureKind kind = strike(v, duration); kind != FailureKind::none) return kind;
    if (forces == nullptr) {
      closed_.assign(static_cast<std::size_t>(nc_));
      return FailureKind::none;
    }
    if (const FailureKind kind = close(t, q, v, z, *forces, is_short, joined); kind != FailureKind::none) return kind;
  }
  return FailureKind::none;
}

}  // namespace ricochet
