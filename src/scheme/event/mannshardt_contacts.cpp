#include "scheme/event/mannshardt_contacts.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "ricochet/core/quantity.hpp"

namespace ricochet {
namespace {

constexpr double epsilon = std::numeric_limits<double>::epsilon();

}  // namespace

using Watch = GapSearch::Watch;

MannshardtContacts::MannshardtContacts(const Model& model, HeldContactsOde& flow, const ComplementaritySettings& solver)
    : model_(model),
      layout_(model.layout()),
      nq_(model.nq()),
      nc_(model.nc()),
      nz_(model.nz()),
      flow_(flow),
      gaps_(model),
      law_(model, solver),
      forces_(model, solver),
      touch_(static_cast<std::size_t>(nc_), Touch::open),
      event_(static_cast<std::size_t>(nc_), 0),
      H_(zeros(layout_.gradient.size())),
      z_rate_(zeros(nz_)),
      impacts_(static_cast<std::size_t>(nc_), 0) {
  for (std::vector<double>* x : {&g_, &U_, &g_t_, &noise_, &depth_, &g_start_, &approach_start_, &force_scale_,
                                 &force_floor_, &largest_force_, &impulse_, &unit_})
    *x = zeros(nc_);
  for (std::vector<double>* x : {&q_largest_, &q_middle_, &v_begin_}) *x = zeros(nq_);
  closings_.reserve(most_closings);
}

void MannshardtContacts::set(int j, Touch touch) {
  touch_[j] = touch;
  flow_.set_closed(j, touch == Touch::closed);
}

FailureKind MannshardtContacts::reset(double t, const double* y) {
  std::fill(impacts_.begin(), impacts_.end(), 0);
  std::fill(event_.begin(), event_.end(), 0);
  std::fill(largest_force_.begin(), largest_force_.end(), 0.0);
  const double *q = y, *v = y + nq_;
  double speed = 0.0;
  for (int i = 0; i < nq_; ++i) {
    q_largest_[i] = std::abs(q[i]);
    speed = std::max(speed, std::abs(v[i]));
  }
  measure(t, y);
  forces_.open_all();
  forces_.close_touching(t, q, v);
  for (int j = 0; j < nc_; ++j) {
    const bool rests = forces_.closed()[j] && U_[j] >= -1e-12 * (speed + std::abs(g_t_[j]));
    set(j, rests ? Touch::closed : Touch::open);
  }
  return open_unloaded(t, q, v, y + 2 * nq_, nullptr);
}

void MannshardtContacts::measure(double t, const double* y) {
  const double *q = y, *v = y + nq_;
  model_.gap(t, q, g_.data());
  model_.gap_gradient(t, q, H_.data());
  model_.gap_time_derivative(t, q, g_t_.data());
  for (int j = 0; j < nc_; ++j) {
    double here = std::abs(g_t_[j] * t), largest = here;
    for (int k = layout_.gradient.start[j]; k < layout_.gradient.start[j + 1]; ++k) {
      here += std::abs(H_[k] * q[layout_.gradient.row[k]]);
      largest += std::abs(H_[k]) * q_largest_[layout_.gradient.row[k]];
    }
    noise_[j] = 16.0 * epsilon * here;
    depth_[j] = 16.0 * epsilon * std::max(here, largest);
    U_[j] = g_t_[j] + column_dot(layout_.gradient, H_.data(), j, v);
  }
}

// A bounce comes back to where it began, a parting contact closes beyond round-off.
double MannshardtContacts::distance(int j) const {
  return g_[j] - g_start_[j] + (touch_[j] == Touch::parting ? depth_[j] : 0.0);
}

double MannshardtContacts::approach(int j, double s) const {
  if (!(s > 0.0)) return approach_start_[j];
  return touch_[j] == Touch::bounced ? distance(j) / s : distance(j);
}

int MannshardtContacts::passed(int j) const {
  for (int k = 0; k < nc_; ++k)
    if (k != j && is_watched(k) && U_[k] < 0.0 && distance(k) < -noise_[k]) return k;
  return -1;
}

bool MannshardtContacts::set_out(double t, const double* y, const EventScale& scale) {
  for (int i = 0; i < nq_; ++i) q_largest_[i] = std::max(q_largest_[i], std::abs(y[i]));
  measure(t, y);
  bool at_once = false;
  for (int j = 0; j < nc_; ++j) {
    event_[j] = 0;
    g_start_[j] = 0.0;
    if (touch_[j] == Touch::closed) continue;
    const bool bounced = g_[j] <= 0.0 || (g_[j] <= noise_[j] && U_[j] > 0.0);
    if (touch_[j] != Touch::parting || g_[j] > 2.0 * depth_[j]) set(j, bounced ? Touch::bounced : Touch::open);
    if (touch_[j] == Touch::bounced) {
      event_[j] = U_[j] <= 0.0;
      g_start_[j] = g_[j];
      // Struck late, and on its way out.
      if (!event_[j] && !scale.repeat && g_[j] < -depth_[j]) set(j, Touch::inside);
    } else if (touch_[j] == Touch::parting) {
      event_[j] = U_[j] < 0.0 && g_[j] < -depth_[j];
    }
    approach_start_[j] = touch_[j] == Touch::bounced ? U_[j] : distance(j);
    at_once = at_once || event_[j];
  }
  for (int j = 0; j < nc_ && at_once; ++j) event_[j] = event_[j] || closes_with(j, scale.together);
  return at_once;
}

std::optional<GapSearch::Event> MannshardtContacts::search(const DenseOutput& positions) {
  constexpr int most_grazings = 16;
  double depth = 0.0;
  for (int j = 0; j < nc_; ++j) {
    depth = std::max(depth, depth_[j]);
    switch (touch_[j]) {
      case Touch::open: gaps_.watch(j) = Watch::open; break;
      case Touch::bounced: gaps_.watch(j) = Watch::bounced; break;
      case Touch::parting: gaps_.watch(j) = Watch::parting; break;
      case Touch::inside:
      case Touch::closed: gaps_.watch(j) = Watch::no; break;
    }
  }
  // A minimum that does not pass 0 is no event.
  std::optional<GapSearch::Event> event = gaps_.first(positions, depth);
  for (int k = 0; k < most_grazings && event && event->grazing; ++k)
    event = gaps_.first(positions, depth, event->theta + 1e-9);
  return event && !event->grazing ? event : std::nullopt;
}

// Touching within round-off is enough: what the others do to it is then part of the same impact.
bool MannshardtContacts::closes_with(int k, double together) const {
  return touch_[k] != Touch::closed && g_[k] - g_start_[k] <= depth_[k] + std::max(0.0, -U_[k]) * together;
}

void MannshardtContacts::name_event(int j, double together) {
  for (int k = 0; k < nc_; ++k) event_[k] = k == j || closes_with(k, together);
}

// a and λ with the contacts that are closed now.
FailureKind MannshardtContacts::accelerate(double t, const double* q, const double* v, const double* z) {
  forces_.open_all();
  for (int j = 0; j < nc_; ++j) forces_.close(j, flow_.is_closed(j));
  if (any_closed()) ++problems_;
  in_forces_ = !forces_.solve(t, q, v, z);
  return in_forces_ ? forces_.failure() : FailureKind::none;
}

// Half a Moreau step without impact: what forces do to the velocity is added by the caller.
void MannshardtContacts::half_step(double t, double width, const double* q, const double* v, double* z) {
  const Power<double> power = model_.power(t, q, v, z);
  ledger_.input += 0.5 * width * power.input;
  ledger_.damping += 0.5 * width * power.damping;
  if (any_closed()) model_.gap_time_derivative(t, q, g_t_.data());
  for (int j = 0; j < nc_; ++j) {
    if (!flow_.is_closed(j)) continue;
    const double push = 0.5 * width * forces_.multiplier()[j];
    impulse_[j] += push;
    ledger_.input -= g_t_[j] * push;
  }
  if (nz_ == 0) return;
  model_.state_rate(t, q, v, z, z_rate_.data());
  for (int i = 0; i < nz_; ++i) z[i] += 0.5 * width * z_rate_[i];
}

FailureKind MannshardtContacts::strike(double t, double width, double t_end, double* y, const EventScale& scale) {
  double *q = y, *v = y + nq_, *z = y + 2 * nq_;
  measure(t, y);
  std::copy(v, v + nq_, v_begin_.begin());
  // Forces in the first half.
  if (const FailureKind kind = accelerate(t, q, v, z); kind != FailureKind::none) return kind;
  half_step(t, width, q, v, z);
  for (int i = 0; i < nq_; ++i) {
    v[i] += 0.5 * width * forces_.value()[i];
    q_middle_[i] = q[i] + 0.5 * width * v_begin_[i];
  }
  // The impact in the middle.
  const double middle = t + 0.5 * width;
  if (const FailureKind kind = law_.place(middle, q_middle_.data()); kind != FailureKind::none) return kind;
  law_.clear();
  for (int j = 0; j < nc_; ++j)
    if (event_[j] || flow_.is_closed(j)) law_.include(j, !(law_.contacts().rate(j, v) < 0.0));
  ++problems_;
  if (const FailureKind kind = law_.strike(v); kind != FailureKind::none) return kind;
  book();
  record(t, width);
  if (const FailureKind kind = decide(middle, q_middle_.data(), v, z, scale); kind != FailureKind::none) return kind;
  // Forces in the second half.
  half_step(middle, width, q_middle_.data(), v, z);
  for (int i = 0; i < nq_; ++i) {
    v[i] += 0.5 * width * forces_.value()[i];
    q[i] += 0.5 * width * (v_begin_[i] + v[i]);
  }
  return project(t_end, y, scale.repeat);
}

// The energy of the last impulses.
void MannshardtContacts::book() {
  for (int j = 0; j < nc_; ++j) {
    if (!law_.is_included(j)) continue;
    ledger_.impact += 0.5 * (law_.rate_minus(j) + law_.rate_plus(j)) * law_.impulse(j);
    ledger_.input -= law_.contacts().obstacle_rate(j) * law_.impulse(j);
  }
}

// Within the bracket an impact happens where the gap, followed at its rate, closes.
void MannshardtContacts::record(double t, double width) {
  for (int j = 0; j < nc_; ++j) {
    if (!law_.is_included(j) || !(law_.impulse(j) > 0.0)) continue;
    const bool impact = event_[j] && law_.rate_minus(j) < 0.0;
    if (impact) ++impacts_[j];
    const double flight = U_[j] < 0.0 ? std::clamp(-distance(j) / U_[j], 0.0, width) : 0.0;
    records_.push_back({.constraint = j,
                        .t = t + flight,
                        .rate_minus = law_.rate_minus(j),
                        .rate_plus = law_.rate_plus(j),
                        .impulse = law_.impulse(j),
                        .located = impact,
                        .discontinuous = law_.meets_discontinuity(j)});
  }
}

// 0 ≤ U⁺ ≤ |Γ| δ.
bool MannshardtContacts::closes(int j, double Gamma, double zero_rate, const EventScale& scale) const {
  const double U = law_.rate_plus(j);
  if (U <= zero_rate) return true;
  if (!(Gamma < 0.0)) return false;
  const double unseen = std::sqrt(32.0 * noise_[j] / -Gamma);  // U²/(2|Γ|) ≤ 16 noise
  const double delta = std::max({scale.width, 64.0 * scale.resolution, std::min(unseen, scale.h)});
  return U <= -Gamma * (scale.repeat ? delta : std::max(delta, scale.h));
}

// After an impact: who rebounds, who closes, and which of the closed ones open.
FailureKind MannshardtContacts::decide(double t, const double* q, double* v, const double* z, const EventScale& scale) {
  double fastest = 0.0;
  for (int j = 0; j < nc_; ++j)
    if (law_.is_included(j)) fastest = std::max({fastest, -law_.rate_minus(j), law_.rate_plus(j)});
  const double zero_rate = 1e-12 * fastest;
  for (int j = 0; j < nc_; ++j)
    if (law_.is_included(j) && flow_.is_closed(j) && law_.rate_plus(j) > zero_rate) set(j, Touch::bounced);

  // Γ of all contacts, with the forces of those that are still closed.
  if (const FailureKind kind = accelerate(t, q, v, z); kind != FailureKind::none) return kind;
  forces_.separations(t, q, v);
  bool stops = false;
  for (int j = 0; j < nc_; ++j) {
    if (!law_.is_included(j) || flow_.is_closed(j)) continue;
    const bool closed = closes(j, forces_.separation(j), zero_rate, scale);
    set(j, closed ? Touch::closed : Touch::bounced);
    if (!closed) continue;
    if (law_.rate_plus(j) > zero_rate) {
      stops = true;
      note_closing(j, t);
    }
    impacts_[j] = 0;
    largest_force_[j] = 0.0;
  }
  if (stops) {
    law_.clear();
    for (int j = 0; j < nc_; ++j)
      if (flow_.is_closed(j)) law_.include(j);
    if (const FailureKind kind = law_.hold(v); kind != FailureKind::none) return kind;
    book();
    for (int j = 0; j < nc_; ++j)
      if (law_.is_included(j)) impulse_[j] += law_.impulse(j);
  }
  return open_unloaded(t, q, v, z, nullptr);
}

// The contact problem 0 ≤ Γ ⊥ λ ≥ 0 on the closed contacts. One without force opens if Γ > 0, or if it would have to
// pull (`lambda`); with both at zero, or so small that ½Γh² is round-off of the gap, it stays. Where contacts are
// redundant the forces of the flow and of the problem may differ: then the one that pulls most leaves its load to the
// others.
FailureKind MannshardtContacts::open_unloaded(double t, const double* q, const double* v, const double* z,
                                              const double* lambda) {
  if (const FailureKind kind = accelerate(t, q, v, z); kind != FailureKind::none) return kind;
  bool opened = false;
  int worst = -1;
  for (int j = 0; j < nc_; ++j) {
    if (!flow_.is_closed(j)) continue;
    const bool pulls = lambda != nullptr && lambda[j] < least_force(j);
    if (pulls && (worst < 0 || lambda[j] < lambda[worst])) worst = j;
    unit_[j] = 1.0;
    const double W = forces_.problem().row_dot(j, unit_.data()), force = forces_.multiplier()[j];
    unit_[j] = 0.0;
    double size = W * force;
    for (int k = layout_.gradient.start[j]; k < layout_.gradient.start[j + 1]; ++k)
      size += std::abs(forces_.contacts().gradients()[k] * forces_.value()[layout_.gradient.row[k]]);
    const double unseen = 2.0 * depth_[j] / (h_ * h_);
    force_scale_[j] = size / W;
    force_floor_[j] = unseen / W;
    if (force > 1e-13 * force_scale_[j] || !(pulls || forces_.separation(j) > 1e-12 * size + unseen)) continue;
    set(j, Touch::parting);
    opened = true;
  }
  if (!opened && worst >= 0) set(worst, Touch::parting);
  return FailureKind::none;
}

FailureKind MannshardtContacts::release(double t, const double* y, const double* lambda) {
  return open_unloaded(t, y, y + nq_, y + 2 * nq_, lambda);
}

// Those of an event that has just happened are left at g ≥ 0.
FailureKind MannshardtContacts::project(double t, double* y, bool after_event) {
  double *q = y, *v = y + nq_;
  if (const FailureKind kind = law_.place(t, q); kind != FailureKind::none) return kind;
  law_.clear();
  for (int j = 0; j < nc_; ++j)
    if (flow_.is_closed(j) || (after_event && event_[j] && law_.contacts().gap(j) < 0.0)) law_.include(j);
  if (law_.included_count() > 0)
    if (const FailureKind kind = law_.close_gaps(t, q); kind != FailureKind::none) return kind;
  if (!any_closed()) return FailureKind::none;
  law_.clear();
  for (int j = 0; j < nc_; ++j)
    if (flow_.is_closed(j)) law_.include(j);
  return law_.hold(v);
}

void MannshardtContacts::begin_report(double h) {
  h_ = h;
  std::fill(impulse_.begin(), impulse_.end(), 0.0);
  records_.clear();
  ledger_ = {};
}

void MannshardtContacts::end_report(double t, StepReport& report) {
  report.energy.add(ledger_);
  for (const ContactReport& contact : records_) report.contacts.push_back(contact);
  for (int j = 0; j < nc_; ++j)
    if (impulse_[j] > 0.0)
      report.contacts.push_back({.constraint = j, .t = t, .impulse = impulse_[j], .discontinuous = false});
}

void MannshardtContacts::note_closing(int j, double t) {
  if (impacts_[j] == 0) return;
  if (closings_.size() < most_closings) {
    closings_.push_back({j, t, impacts_[j]});
  } else {
    ++further_closings_;
  }
}

std::vector<std::string> MannshardtContacts::remarks() const {
  std::vector<std::string> all;
  for (const Closing& closing : closings_)
    all.push_back("contact " + layout_.constraints[closing.constraint] + " closed at t = " + to_text(closing.t) +
                  " after " + std::to_string(closing.impacts) + (closing.impacts == 1 ? " impact" : " impacts") +
                  ": the next flight would have been too short");
  if (further_closings_ > 0)
    all.push_back("contacts closed in this way " + std::to_string(further_closings_) + " more times");
  return all;
}

}  // namespace ricochet
