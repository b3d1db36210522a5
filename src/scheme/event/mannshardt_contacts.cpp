#include "scheme/event/mannshardt_contacts.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace ricochet {

using Watch = GapSearch::Watch;

MannshardtContacts::MannshardtContacts(const Model& model, HeldContactsOde& flow, const ComplementaritySettings& solver)
    : EventContacts(model, flow, solver, 1e-12), touch_(static_cast<std::size_t>(nc_), Touch::open) {}

FailureKind MannshardtContacts::reset(double t, double* y, const EventScale& scale) {
  forget();
  std::fill(event_.begin(), event_.end(), 0);
  see_positions(y);
  measure(t, y);
  if (const FailureKind kind = lasting_.place(t, y); kind != FailureKind::none) return kind;
  // As in the checks of a start: closer than that touches.
  for (int j = 0; j < nc_; ++j)
    if (contacts().gap(j) <= std::max(depth_[j], 1e-12 * contacts().size_along(j, y))) lasting_.touch(j);
  return decide(t, y, nullptr, scale);
}

void MannshardtContacts::measure(double t, const double* y) {
  constexpr double round_off = 16.0 * std::numeric_limits<double>::epsilon();
  constexpr double smallest = std::numeric_limits<double>::min();  // a gap that opens from 0 is no event
  here_.place_gaps(t, y);
  here_.place_rates(t, y);
  for (int j = 0; j < nc_; ++j) {
    noise_[j] = round_off * here_.gap_size(j, t, y);
    depth_[j] = std::max(noise_[j], round_off * here_.gap_size(j, t, largest_positions())) + smallest;
    if (touch_[j] == Touch::parting) depth_[j] = std::max(depth_[j], idle_drift_[j]);
    U_[j] = here_.rate(j, y + nq_);
  }
}

// A bounce comes back to where it began, a parting contact closes beyond round-off.
double MannshardtContacts::distance(int j) const {
  return gap(j) - g_start_[j] + (touch_[j] == Touch::parting ? depth_[j] : 0.0);
}

double MannshardtContacts::approach(int j, double s) const {
  if (!(s > 0.0)) return approach_start_[j];
  if (touch_[j] != Touch::bounced) return distance(j);
  // A way that is lost in the round-off of the gap is that of its rates.
  const bool unseen = s * std::max(std::abs(approach_start_[j]), std::abs(U_[j])) <= noise_[j];
  return unseen ? 0.5 * (approach_start_[j] + U_[j]) : distance(j) / s;
}

int MannshardtContacts::passed(int j) const {
  for (int k = 0; k < nc_; ++k)
    if (k != j && is_watched(k) && U_[k] < 0.0 && distance(k) < -noise_[k]) return k;
  return -1;
}

bool MannshardtContacts::set_out(double t, const double* y, const EventScale& scale) {
  see_positions(y);
  measure(t, y);
  bool at_once = false;
  for (int j = 0; j < nc_; ++j) {
    event_[j] = 0;
    g_start_[j] = 0.0;
    if (touch_[j] == Touch::closed) continue;
    const bool bounced = gap(j) <= 0.0 || (gap(j) <= noise_[j] && U_[j] > 0.0);
    if (touch_[j] != Touch::parting || gap(j) > 2.0 * depth_[j]) touch_[j] = bounced ? Touch::bounced : Touch::open;
    if (touch_[j] == Touch::bounced) {
      event_[j] = U_[j] <= 0.0;
      g_start_[j] = gap(j);
      // Struck late, and on its way out.
      if (!event_[j] && !scale.repeat && gap(j) < -depth_[j]) touch_[j] = Touch::inside;
    } else if (touch_[j] == Touch::parting) {
      event_[j] = U_[j] < 0.0 && gap(j) < -depth_[j];
    }
    approach_start_[j] = touch_[j] == Touch::bounced ? U_[j] : distance(j);
    at_once = at_once || event_[j];
  }
  for (int j = 0; j < nc_ && at_once; ++j) event_[j] = event_[j] || closes_with(j, scale.together);
  return at_once;
}

std::optional<GapSearch::Event> MannshardtContacts::search(const DenseOutput& positions) {
  for (int j = 0; j < nc_; ++j) {
    switch (touch_[j]) {
      case Touch::open: gaps_.watch(j) = Watch::open; break;
      case Touch::bounced: gaps_.watch(j) = Watch::bounced; break;
      case Touch::parting: gaps_.watch(j) = Watch::parting; break;
      case Touch::inside:
      case Touch::closed: gaps_.watch(j) = Watch::no; break;
    }
  }
  return gaps_.first_crossing(positions, depth_.data());
}

// Touching within round-off is enough: what the others do to it is then part of the same impact.
bool MannshardtContacts::closes_with(int k, double together) const {
  return touch_[k] != Touch::closed && gap(k) - g_start_[k] <= depth_[k] + std::max(0.0, -U_[k]) * together;
}

void MannshardtContacts::name_event(int j, double together) {
  for (int k = 0; k < nc_; ++k) event_[k] = k == j || closes_with(k, together);
}

// Half a Moreau step without impact: what forces do to the velocity is added by the caller.
void MannshardtContacts::half_step(double t, double width, const double* q, const double* v, double* z) {
  const Power<double> power = model_.power(t, q, v, z);
  LedgerTerms<double> works{.input = 0.5 * width * power.input, .damping = 0.5 * width * power.damping};
  if (flow_.is_held()) here_.place_rates(t, q);
  for (int j = 0; j < nc_; ++j) {
    if (!is_closed(j)) continue;
    const double push = 0.5 * width * forces_.multiplier()[j];
    add_impulse(j, push);
    works.input -= here_.obstacle_rate(j) * push;
  }
  const int held = nc_ + model_.nb();
  for (int s = 0; s < model_.ns(); ++s) {
    const double push = 0.5 * width * forces_.multiplier()[held + s];
    add_slip_impulse(s, push);
    works.friction += here_.rate(held + s, v) * push;
    works.input -= here_.obstacle_rate(held + s) * push;
  }
  add_works(works);
  if (nz_ == 0) return;
  model_.state_rate(t, q, v, z, z_rate_.data());
  for (int i = 0; i < nz_; ++i) z[i] += 0.5 * width * z_rate_[i];
}

FailureKind MannshardtContacts::cross(double t, double width, double t_end, double* y, const EventScale& scale) {
  double *q = y, *v = y + nq_, *z = y + 2 * nq_, *q_middle = y_middle_.data();
  measure(t, y);
  std::copy(v, v + nq_, v_begin_.begin());
  // Forces in the first half.
  if (flow_.has_friction()) continue_modes();
  if (const FailureKind kind = accelerate(t, q, v, z); kind != FailureKind::none) return kind;
  half_step(t, width, q, v, z);
  for (int i = 0; i < nq_; ++i) {
    v[i] += 0.5 * width * forces_.value()[i];
    q_middle[i] = q[i] + 0.5 * width * v_begin_[i];
  }
  // The impact in the middle.
  const double middle = t + 0.5 * width;
  if (const FailureKind kind = lasting_.place(middle, q_middle); kind != FailureKind::none) return kind;
  for (int j = 0; j < nc_; ++j)
    if (event_[j]) lasting_.touch(j);
  const auto closes = [&](int j, double, double U_plus, double Gamma) {
    return is_short(j, middle, U_plus, Gamma, scale);
  };
  const std::size_t before = records_.size();
  if (const FailureKind kind = strike(middle, 0.0, q_middle, v, z, std::ref(closes)); kind != FailureKind::none)
    return kind;
  // Within the bracket an impact happens where the gap, followed at its rate, closes.
  for (std::size_t k = before; k < records_.size(); ++k) {
    const int j = records_[k].constraint;
    records_[k].t = t + (U_[j] < 0.0 ? std::clamp(-distance(j) / U_[j], 0.0, width) : 0.0);
  }
  std::copy(v, v + nq_ + nz_, q_middle + nq_);
  if (const FailureKind kind = decide(middle, q_middle, nullptr, scale); kind != FailureKind::none) return kind;
  // Forces in the second half.
  if (flow_.has_friction()) {
    std::copy(q_middle + nq_, q_middle + 2 * nq_, v);
    continue_modes();
  }
  if (const FailureKind kind = accelerate(middle, q_middle, v, z); kind != FailureKind::none) return kind;
  half_step(middle, width, q_middle, v, z);
  for (int i = 0; i < nq_; ++i) {
    v[i] += 0.5 * width * forces_.value()[i];
    q[i] += 0.5 * width * (v_begin_[i] + v[i]);
  }
  return project(t_end, y, scale.repeat);
}

// A flight of less than δ, or one that has come too soon.
bool MannshardtContacts::is_short(int j, double t, double U_plus, double Gamma, const EventScale& scale) const {
  const double shortest = std::max(scale.width, 64.0 * scale.resolution);
  if (rattles(j, t, U_plus, shortest)) return true;
  if (!(Gamma < 0.0)) return false;
  const double unseen = std::sqrt(32.0 * noise_[j] / -Gamma);  // U²/(2|Γ|) ≤ 16 noise
  const double delta = std::max(shortest, std::min(unseen, scale.h));
  return U_plus <= -Gamma * (scale.repeat ? delta : std::max(delta, scale.h));
}

// Who is closed from now on, and who of those that touch has bounced or parts.
FailureKind MannshardtContacts::decide(double t, double* y, const double* pulling, const EventScale& scale) {
  if (const FailureKind kind = choose(t, y, scale.h, pulling); kind != FailureKind::none) return kind;
  for (int j = 0; j < nc_; ++j) {
    const bool was_closed = touch_[j] == Touch::closed;
    if (is_closed(j)) {
      touch_[j] = Touch::closed;
    } else if (was_closed || lasting_.touches(j)) {
      touch_[j] = lasting_.rests(j, y + nq_) ? Touch::parting : Touch::bounced;
      idle_drift_[j] = idle_drift(j, scale.h);
    }
  }
  return FailureKind::none;
}

FailureKind MannshardtContacts::release(double t, double* y, const double* lambda, const EventScale& scale) {
  measure(t, y);
  if (const FailureKind kind = lasting_.place(t, y); kind != FailureKind::none) return kind;
  for (int j = 0; j < nc_; ++j)
    if (touch_[j] == Touch::parting && std::abs(gap(j)) <= 2.0 * depth_[j]) lasting_.touch(j);
  if (flow_.has_friction())
    if (const FailureKind kind = hold(t, y, y + nq_); kind != FailureKind::none) return kind;
  return decide(t, y, lambda, scale);
}

FailureKind MannshardtContacts::project(double t, double* y, bool after_event) {
  if (const FailureKind kind = lasting_.place(t, y); kind != FailureKind::none) return kind;
  for (int j = 0; j < nc_; ++j)
    if (after_event && event_[j]) lasting_.touch(j);
  lasting_.see_speeds(y + nq_);
  return hold(t, y, y + nq_);
}

}  // namespace ricochet
