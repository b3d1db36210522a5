#include "flow/event_search.hpp"
#include "core/constants.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace ricochet {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double most = 1e150;  // what is larger has no square: it has left the numbers

// A lower bound, within a percent or so, of the first positive root of c₀ + c₁τ + ½c₂τ² − Bτ³/6, c₀ > 0, B ≥ 0.
double first_root(double c0, double c1, double c2, double B) {
  const auto L = [&](double x) { return c0 + x * (c1 + x * (0.5 * c2 - x * (B / 6.0))); };
  const auto slope = [&](double x) { return c1 + x * (c2 - x * (0.5 * B)); };
  double lower = 0.0;
  // Past a minimum that stays above 0.
  if (c1 < 0.0 && c2 > 0.0) {
    const double D = c2 * c2 + 2.0 * c1 * B;
    const double minimum = D >= 0.0 ? -2.0 * c1 / (c2 + std::sqrt(D)) : infinity;
    if (minimum < infinity && L(minimum) > 0.0) {
      if (B == 0.0) return infinity;
      lower = (c2 + std::sqrt(D)) / B;  // the maximum behind it
    } else {
      // falls, and bends up until c₂/B at least: Newton's iterates stay before the root
      double x = 0.0;
      const double bend = B > 0.0 ? c2 / B : infinity;
      for (int k = 0; k < 6; ++k) {
        const double f = L(x), step = -f / slope(x);
        if (!(step > 0.01 * x) || x + step > bend) break;
        x += step;
      }
      lower = x;
    }
  } else if (c1 >= 0.0 && B == 0.0 && c2 >= 0.0) {
    return infinity;
  } else if (c1 >= 0.0) {
    lower = B > 0.0 ? (c2 + std::sqrt(c2 * c2 + 2.0 * c1 * B)) / B : -c1 / c2;  // the maximum
  }
  // From here on it falls and bends down: a root to the right, then chords, whose zeros lie before it.
  if (!(L(lower) > 0.0)) return lower;
  double upper = lower;
  const double f = L(lower), f1 = std::min(slope(lower), 0.0), f2 = std::min(c2 - B * lower, 0.0);
  // f + f₁τ + ½f₂τ² lies above, with the cubic term below it
  double step = f2 < 0.0 ? 2.0 * f / (-f1 + std::sqrt(f1 * f1 - 2.0 * f * f2)) : f1 < 0.0 ? -f / f1 : infinity;
  // as does f − Bτ³/6, which is the nearer one only where B is large
  if (B > 0.0 && !(B * step * step * step < 5.9 * f)) step = std::min(step, std::cbrt(6.0 * f / B));
  if (!(step < infinity)) return infinity;
  upper = lower + step;
  double at_lower = f, at_upper = L(upper);
  for (int k = 0; k < 8 && at_upper < 0.0 && upper - lower > 0.01 * upper; ++k) {
    // a little before the chord's zero, which may be the root itself; where it bends up still, it may lie behind
    const double x = lower + 0.995 * (upper - lower) * at_lower / (at_lower - at_upper), at_x = L(x);
    if (at_x > 0.0) {
      lower = x;
      at_lower = at_x;
    } else {
      upper = x;
      at_upper = at_x;
    }
  }
  return at_upper < 0.0 ? lower : upper;
}

// `far`, or further where a function that is round-off remains so for longer: each term of f'τ + ½f''τ² + Bτ³/6 is a
// third of it.
double past_blur(double far, const ExponentialArc::Jet& jet, double noise, double B) {
  const double third = noise / 3.0, of_slope = third / std::abs(jet.f1);
  if (of_slope <= far) return far;
  return std::max(std::min({of_slope, std::sqrt(2.0 * third / std::abs(jet.f2)), std::cbrt(6.0 * third / B)}), far);
}

}  // namespace

// How far from s no root can lie, at most `furthest`.
double EventSearch::safe_step(const ExponentialArc& arc, int j, const ExponentialArc::Jet& jet, double noise,
                              double furthest) const {
  const Watch watch = watch_[static_cast<std::size_t>(j)];
  const auto reach = [&](double h) {
    const double B = arc.third(j, h, jet);
    if (!(B < most)) return 0.0;  // so far ahead nothing is known
    if (watch == Watch::touching) return B > 0.0 ? past_blur(3.0 * jet.f2 / B, jet, noise, B) : infinity;
    if (watch == Watch::leaving) {
      // the positive root of f' + ½f''τ − Bτ²/6
      const double half = 0.5 * jet.f2, root = std::sqrt(half * half + (2.0 / 3.0) * jet.f1 * B);
      if (half > 0.0) return B > 0.0 ? past_blur(3.0 * (half + root) / B, jet, noise, B) : infinity;
      return root > half ? past_blur(2.0 * jet.f1 / (root - half), jet, noise, B) : infinity;
    }
    return first_root(jet.f - noise, jet.f1, jet.f2, B);
  };
  if (arc.is_even()) return reach(0.0);
  // A bound for the interval that the step itself needs.
  double h = std::min(furthest, reach(0.0));
  if (arc.growth() > 0.0) h = std::min(h, 100.0 / arc.growth());  // what lies further ahead leaves the numbers
  if (!(h < infinity)) h = arc.fastest() > 0.0 ? 1.0 / arc.fastest() : 1.0;
  double best = 0.0, too_far = h;
  for (int k = 0; k < 12; ++k) {
    const double r = std::min(h, reach(h));
    best = std::max(best, r);
    if (r >= 0.5 * h) {
      // Bounds that grow fast make the first one that holds a very short one.
      if (too_far < 100.0 * h) break;
      h = std::sqrt(h * too_far);
      continue;
    }
    too_far = h;
    h = std::max(best, r > 0.0 ? std::sqrt(h * r) : 0.1 * h);
    if (!(h > 0.0)) break;
  }
  return best;
}

// T if f falls from s to its only root in [s, s + T], otherwise 0.
double EventSearch::falls_to_root(const ExponentialArc& arc, int j, const ExponentialArc::Jet& jet,
                                  double noise) const {
  if (!(jet.f1 < 0.0)) return 0.0;
  const double f = jet.f + 4.0 * noise, D = jet.f1 * jet.f1 - 2.0 * f * jet.f2;
  const double root = D >= 0.0 ? 2.0 * f / (-jet.f1 + std::sqrt(D)) : -f / jet.f1;
  const double T = 1.5 * root, B = arc.third(j, T, jet);
  if (!(T > 0.0)) return 0.0;
  const bool falls = jet.f1 + T * (jet.f2 + 0.5 * T * B) < 0.0;
  const bool ends = jet.f + noise + T * (jet.f1 + T * (0.5 * jet.f2 + T * (B / 6.0))) < 0.0;
  return falls && ends ? T : 0.0;
}

// The root in [lower, upper], where f falls, from a guess.
double EventSearch::polish(ExponentialArc& arc, int j, double lower, double upper, double s) {
  for (int k = 0; k < 60; ++k) {
    if (!(s > lower && s < upper)) s = 0.5 * (lower + upper);
    const ExponentialArc::Jet jet = jet_at(arc, j, s);
    (jet.f > 0.0 ? lower : upper) = s;
    const double newton = -jet.f / jet.f1;
    const double step = newton / (1.0 + 0.5 * newton * jet.f2 / jet.f1);
    const double last = 2.0 * epsilon * std::abs(s);
    if (std::abs(jet.f) <= epsilon * jet.size || upper - lower <= last) return s;
    // The next error is about |¼(f''/f')² − f'''/(6f')| step³.
    const double bend = 0.5 * jet.f2 / jet.f1, error = bend * bend * -jet.f1 + arc.third(j, 0.0, jet) / 6.0;
    if (jet.f1 < 0.0 && error * std::abs(step * step * step) <= 0.25 * epsilon * std::max(-jet.f1 * s, jet.size))
      return std::clamp(s + step, lower, upper);
    if (!(jet.f1 < 0.0) || !std::isfinite(step)) {
      s = 0.5 * (lower + upper);
    } else {
      s += step;
    }
  }
  return s;
}

// f is round-off at s_ and may have a root close by.
std::optional<EventSearch::Event> EventSearch::look_at_minimum(ExponentialArc& arc, int j, ExponentialArc::Jet jet,
                                                               double end) {
  const double begin = s_, noise = round_off * jet.size;
  if (jet.f1 <= 0.0 && jet.f2 <= 0.0) return Event{j, s_, false};
  if (jet.f1 > 0.0) {
    watch_[static_cast<std::size_t>(j)] = Watch::leaving;
    // A minimum just behind that is round-off has been touched.
    const bool touched = s_ > 0.0 && jet.f2 > 0.0 && jet.f - 0.5 * jet.f1 * jet.f1 / jet.f2 <= noise;
    return touched ? std::optional(Event{j, s_, true}) : std::nullopt;
  }
  double s = s_;
  for (int k = 0; k < 20; ++k) {
    const double step = -jet.f1 / jet.f2;
    if (!(jet.f2 > 0.0) || !(std::abs(step) > 4.0 * epsilon * s)) break;
    s += step;
    if (!(s > begin) || s > end) break;
    jet = jet_at(arc, j, s);
    if (jet.f < -noise) return Event{j, polish(arc, j, begin, s, 0.5 * (begin + s)), false};
  }
  if (s < begin || s > end || !(jet.f2 > 0.0)) return Event{j, begin, false};
  s_ = s;
  if (jet.f > noise) return std::nullopt;
  watch_[static_cast<std::size_t>(j)] = Watch::touching;
  return s > begin ? std::optional(Event{j, s, true}) : std::nullopt;
}

// Stays where it is where a function has left the numbers.
std::optional<EventSearch::Event> EventSearch::step(ExponentialArc& arc, double end) {
  const double s0 = s_;
  ++evaluations_;
  arc.place(s0);
  double safe = infinity;  // for those without an event
  Event first;             // of channel −1 while there is none
  const auto meets = [&](const Event& event) {
    if (first.channel < 0 || event.s < first.s) first = event;
  };
  for (std::size_t i = 0; i < watch_.size(); ++i) {
    if (watch_[i] == Watch::no) continue;
    const int j = static_cast<int>(i);
    if (arc.s() != s0) arc.place(s0);
    ExponentialArc::Jet jet = arc.jet(j);
    jet.f += lift_[i];
    const double noise = round_off * jet.size;
    if (!(jet.size + std::abs(jet.f1) + std::abs(jet.f2) + arc.third(j, 0.0, jet) < most)) return std::nullopt;
    if (jet.f >= 0.0 && jet.f1 == 0.0 && jet.f2 == 0.0 && arc.third(j, 0.0, jet) == 0.0) continue;  // constant
    if (watch_[i] == Watch::open && arc.is_even() && arc.is_pure() &&
        ExponentialArc::least(jet) + lift_[i] > 2.0 * noise)
      continue;  // and remains open
    if (watch_[i] == Watch::leaving && s0 > 0.0 && (jet.f > noise || jet.f1 <= 0.0)) watch_[i] = Watch::open;
    if (watch_[i] == Watch::touching && jet.f > 4.0 * noise) watch_[i] = Watch::open;
    if (watch_[i] == Watch::open) {
      if (const double T = falls_to_root(arc, j, jet, noise); T > 0.0) {
        meets({j, polish(arc, j, s0, s0 + T, s0 + T / 1.5), false});
        continue;
      }
      if (!(jet.f > 2.0 * noise)) {
        const std::optional<Event> event = look_at_minimum(arc, j, jet, end);
        const double seen = std::exchange(s_, s0);
        if (event) meets(*event);
        if (!event && seen > s0) safe = std::min(safe, seen - s0);
        if (event || seen > s0) continue;
        if (arc.s() != s0) arc.place(s0);
      }
    }
    safe = std::min(safe, std::max(2.0 * epsilon * s0, safe_step(arc, j, jet, noise, end - s0)));
  }
  // An event behind what is safe for the others waits for its turn.
  if (first.channel >= 0 && first.s <= end && first.s - s0 <= safe) {
    s_ = first.s;
    return first;
  }
  s_ = std::min(end, s0 + safe);
  return std::nullopt;
}

}  // namespace ricochet
