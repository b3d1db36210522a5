#include "contact/lasting_contacts.hpp"

#include <algorithm>
#include <cmath>

#include "contact/impulse_account.hpp"

namespace ricochet {

LastingContacts::LastingContacts(const Model& model, const ComplementaritySettings& solver, double rate_tolerance)
    : nc_(model.nc()), law_(model, solver), rate_tolerance_(rate_tolerance) {}

void LastingContacts::begin(const ContactAcceleration<double>& forces) {
  std::fill(slow_.begin(), slow_.end(), 0.0);
  for (int j = 0; j < nc_; ++j) closed_[j] = forces.closed()[j];
}

void LastingContacts::close_in(ContactAcceleration<double>& forces) const {
  for (int j = 0; j < nc_; ++j) forces.close(j, closed_[j]);
}

void LastingContacts::open_unloaded(ContactAcceleration<double>& forces) {
  for (int j = 0; j < nc_; ++j) {
    if (!closed_[j] || forces.multiplier()[j] > 0.0) continue;
    closed_[j] = !(forces.separation(j) > 1e-13 * forces.contacts().size_along(j, forces.value()));
  }
  close_in(forces);
}

FailureKind LastingContacts::place(double t, const double* q) {
  ledger_ = {};
  for (MaskArray<double>* masks : {&named_, &struck_, &discontinuous_}) masks->assign(static_cast<std::size_t>(nc_));
  for (std::vector<double>* sums : {&U_minus_, &U_plus_, &impulse_, &loss_}) std::fill(sums->begin(), sums->end(), 0.0);
  return law_.place(t, q);
}

FailureKind LastingContacts::hold(double t, double* q, double* v, const double* lambda) {
  const auto include = [&](bool inside) {
    law_.clear();
    for (int j = 0; j < nc_; ++j) {
      const bool presses = closed_[j] && (lambda == nullptr || lambda[j] > 0.0);
      if (presses || (inside && named_[j] && law_.contacts().gap(j) < 0.0)) law_.include(j);
    }
    return law_.included_count() > 0;
  };
  if (q != nullptr && include(true))
    if (const FailureKind kind = law_.close_gaps(t, q); kind != FailureKind::none) return kind;
  if (!include(false)) return FailureKind::none;
  if (const FailureKind kind = law_.hold(v); kind != FailureKind::none) return kind;
  account();
  return FailureKind::none;
}

// The energy of the last impulses.
void LastingContacts::account() {
  for (int j = nc_; j < law_.size(); ++j) {
    const double o = law_.contacts().obstacle_rate(j);
    account_impulse(law_.impulse(j), law_.rate_minus(j), law_.rate_plus(j), o, o, ledger_,
                    &LedgerTerms<double>::numerical);
  }
  for (int j = 0; j < nc_; ++j) {
    if (!law_.is_included(j)) continue;
    const double o = law_.contacts().obstacle_rate(j);
    loss_[j] -= account_impulse(law_.impulse(j), law_.rate_minus(j), law_.rate_plus(j), o, o, ledger_);
    impulse_[j] += law_.impulse(j);
    U_plus_[j] = law_.rate_plus(j);
  }
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
  constexpr double round_off = 1e-13;
  for (int j = 0; j < nc_; ++j) slow_[j] = std::max(slow_[j], round_off * law_.contacts().rate_size(j, v));
}

bool LastingContacts::moves_inwards(const double* v) const {
  for (int j = 0; j < nc_; ++j)
    if (touches(j) && law_.contacts().rate(j, v) < -slow_[j]) return true;
  return false;
}

FailureKind LastingContacts::strike(double* v) {
  constexpr int most_blows = 50;
  for (int blow = 0; moves_inwards(v); ++blow) {
    if (blow > most_blows + nc_) return FailureKind::none;  // round-off, beyond what the last blow could do
    law_.clear();
    for (int j = 0; j < nc_; ++j)
      if (touches(j)) law_.include(j, blow >= most_blows);
    ++problems_;
    if (const FailureKind kind = law_.strike(v); kind != FailureKind::none) return kind;
    for (int j = 0; j < nc_; ++j) {
      if (!(law_.is_included(j) && law_.impulse(j) > 0.0)) continue;
      if (!struck_[j]) U_minus_[j] = law_.rate_minus(j);
      struck_[j] = true;
      discontinuous_[j] = discontinuous_[j] || law_.meets_discontinuity(j);
      slow_[j] = std::max(slow_[j], rate_tolerance_ * -law_.rate_minus(j));
    }
    account();
    see_speeds(v);
  }
  // Torn open, or at rest after a blow.
  for (int j = 0; j < nc_; ++j)
    if (touches(j)) closed_[j] = (closed_[j] || struck_[j]) && std::abs(law_.contacts().rate(j, v)) <= slow_[j];
  return FailureKind::none;
}

// Those that join the closed ones because they would soon be back.
FailureKind LastingContacts::close(double t, const double* q, double* v, const double* z,
                                   ContactAcceleration<double>& forces, const IsShort& is_short, bool& joined) {
  for (int j = 0; j < nc_; ++j) forces.close(j, rests(j, v));
  if (!forces.solve(t, q, v, z)) return forces.failure();
  const double* Gamma = forces.separations(t, q, v);
  joined = false;
  for (int j = 0; j < nc_; ++j) {
    if (closed_[j] || !touches(j)) continue;
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
                                    ContactAcceleration<double>* forces, const IsShort& is_short) {
  see_speeds(v);
  if (!moves_inwards(v)) return FailureKind::none;
  // Every round closes one more contact. What a blow then tears open again and again is left to the next instant.
  bool joined = true;
  for (int round = 0; joined && round <= nc_; ++round) {
    if (const FailureKind kind = strike(v); kind != FailureKind::none) return kind;
    if (forces == nullptr) {
      closed_.assign(static_cast<std::size_t>(nc_));
      return FailureKind::none;
    }
    if (const FailureKind kind = close(t, q, v, z, *forces, is_short, joined); kind != FailureKind::none) return kind;
  }
  return FailureKind::none;
}

}  // namespace ricochet
