#include "study/orbit/watched_motion.hpp"

#include <algorithm>
#include <cmath>

#include "ricochet/core/error.hpp"
#include "ricochet/core/quantity.hpp"
#include "run/start.hpp"
#include "run/start_joints.hpp"

namespace ricochet {
namespace {

using Mode = OrbitFriction::Mode;
constexpr double repeats = 1e-5;  // points agree to this part of their size

OrbitHold hold_of(const MotionPhase& phase) {
  OrbitHold held{phase.closed, std::vector<OrbitFriction>(phase.frictions.size())};
  for (std::size_t k = 0; k < phase.frictions.size(); ++k) {
    const FrictionModes::Entry& entry = phase.frictions[k];
    if (entry.mode == FrictionMode::none || (entry.contact >= 0 && !phase.closed[entry.contact])) continue;
    if (entry.mode == FrictionMode::slide) {
      held.frictions[k] = {Mode::slide, entry.s};
    } else {
      held.frictions[k].mode = Mode::stick;
    }
  }
  return held;
}

bool turns_round(const OrbitFriction& a, const OrbitFriction& b) { return a.s[0] * b.s[0] + a.s[1] * b.s[1] < 0.0; }

bool same(const OrbitHold& a, const OrbitHold& b) {
  for (std::size_t k = 0; k < a.frictions.size(); ++k)
    if (a.frictions[k].mode != b.frictions[k].mode || turns_round(a.frictions[k], b.frictions[k])) return false;
  return a.contacts == b.contacts;
}

// What ended the arc that held `before`. False if nothing has changed.
bool set_cause(const OrbitHold& before, const Layout& layout, MotionEvent& event) {
  const OrbitHold& now = event.held;
  const auto cause = [&](ArcEnd end, std::size_t which) {
    event.end = end, event.which = static_cast<int>(which);
    return true;
  };
  for (const int j : event.struck)
    if (!before.contacts[j]) return cause(ArcEnd::impact, static_cast<std::size_t>(j));
  if (!event.struck.empty()) {
    event.end = ArcEnd::impact;  // of contacts that were closed already: nobody's gap
    return true;
  }
  const auto goes_on = [&](std::size_t k) {
    const int j = layout.frictions[k].constraint;
    return j < 0 || now.contacts[j];
  };
  for (std::size_t k = 0; k < now.frictions.size(); ++k)
    if (before.frictions[k].mode == Mode::slide && goes_on(k) &&
        (now.frictions[k].mode != Mode::slide || turns_round(before.frictions[k], now.frictions[k])))
      return cause(ArcEnd::stops, k);
  for (std::size_t k = 0; k < now.frictions.size(); ++k)
    if (before.frictions[k].mode == Mode::stick && goes_on(k) && now.frictions[k].mode == Mode::slide)
      return cause(ArcEnd::slips, k);
  for (std::size_t j = 0; j < now.contacts.size(); ++j)
    if (before.contacts[j] && !now.contacts[j]) return cause(ArcEnd::opens, j);
  for (std::size_t j = 0; j < now.contacts.size(); ++j)
    if (now.contacts[j] && !before.contacts[j]) return cause(ArcEnd::impact, j);
  return false;
}

}  // namespace

WatchedMotion::WatchedMotion(const Model& model, const OrbitSettings& settings, bool forced)
    : model_(model), settings_(settings), forced_(forced), ignored_(settings.drift) {
  for (std::size_t i = 0; i < settings.known_shift.size(); ++i)
    if (settings.known_shift[i] != 0.0) ignored_.push_back(static_cast<int>(i));
}

std::string WatchedMotion::run(State state, double h, std::uint64_t steps) {
  const double from = state.t;
  complete_start(model_, state, from);
  if (model_.nb() > 0 && hold_joints(model_, state).model != nullptr)
    throw InputError("model",
                     "orbits need joints of which none follows from the others, and a mass in every direction");
  GapRates gaps(model_);
  check_start(model_, state, from, gaps);
  hit_at_start(model_, state, gaps);
  std::vector<MotionPhase> phases;
  const std::unique_ptr<Stepper> stepper = event_driven_with_phases(model_, {.rtol = 1e-10}, phases);
  StepReport report;
  report.interrupt = settings_.interrupt;
  report.friction.resize(static_cast<std::size_t>(model_.ns()));
  stepper->skip_account();
  stepper->begin(state);
  record(state);
  for (std::uint64_t i = 1; i <= steps && lag_ == 0 && !is_set(settings_.interrupt); ++i) {
    const double until = from + static_cast<double>(i) * h;
    const FailureKind kind = stepper->advance(state, h, until, report);
    if (kind == FailureKind::interrupted) break;
    if (kind != FailureKind::none)
      return "the motion stops at t = " + to_text(state.t) + ": " + stepper->failure_detail();
    report.contacts.clear();
    for (const MotionPhase& phase : phases) take(phase);
    phases.clear();
    record(state);
    lag_ = settings_.guessed > 0 ? (forced_ ? 0 : guessed_lag()) : forced_ ? sample_lag() : event_lag();
  }
  return {};
}

void WatchedMotion::take(const MotionPhase& phase) {
  MotionEvent event{
      .t = phase.t, .y = phase.y, .v_minus = phase.v_minus, .touches = phase.touches, .held = hold_of(phase)};
  for (std::size_t j = 0; j < phase.struck.size(); ++j)
    if (phase.struck[j]) event.struck.push_back(static_cast<int>(j));
  if (events_.empty() || set_cause(events_.back().held, model_.layout(), event)) events_.push_back(std::move(event));
}

void WatchedMotion::record(const State& state) {
  std::vector<double> y = state.q;
  y.insert(y.end(), state.v.begin(), state.v.end());
  y.insert(y.end(), state.z.begin(), state.z.end());
  for (int i = 0; i < n_; ++i) sizes_[i] = std::max(sizes_[i], std::abs(y[i]));
  times_.push_back(state.t);
  points_.push_back(std::move(y));
}

const OrbitHold& WatchedMotion::held_at(double t) const {
  std::size_t k = events_.size() - 1;
  while (k > 0 && events_[k].t > t) --k;
  return events_[k].held;
}

std::vector<double> WatchedMotion::spreads(std::size_t last) const {
  std::vector<double> low(points_.back()), high(low);
  for (std::size_t k = points_.size() - std::min(last, points_.size()); k < points_.size(); ++k)
    for (int i = 0; i < n_; ++i) {
      low[i] = std::min(low[i], points_[k][i]);
      high[i] = std::max(high[i], points_[k][i]);
    }
  for (int i = 0; i < n_; ++i) high[i] -= low[i];
  return high;
}

bool WatchedMotion::is_ignored(int i) const { return std::find(ignored_.begin(), ignored_.end(), i) != ignored_.end(); }

bool WatchedMotion::agree(const std::vector<double>& a, const std::vector<double>& b) const {
  for (int i = 0; i < n_; ++i)
    if (!is_ignored(i) && !(std::abs(a[i] - b[i]) <= repeats * sizes_[i])) return false;
  return true;
}

// Two rounds must agree.
std::uint64_t WatchedMotion::sample_lag() const {
  const std::size_t count = points_.size();
  for (std::size_t lag = 1; lag <= settings_.longest && 2 * lag + 1 < count; ++lag) {
    bool agrees = true;
    for (std::size_t k = 0; k <= lag && agrees; ++k)
      agrees = agree(points_[count - 1 - k], points_[count - 1 - k - lag]);
    if (agrees) return lag;
  }
  return 0;
}

bool WatchedMotion::repeats_after(std::size_t lag) const {
  const std::size_t count = events_.size();
  const double T = events_[count - 1].t - events_[count - 1 - lag].t;
  if (!(T > 0.0)) return false;
  for (std::size_t k = count - lag; k < count; ++k) {
    const MotionEvent &a = events_[k], &b = events_[k - lag];
    if (a.end != b.end || a.which != b.which || a.struck != b.struck || !same(a.held, b.held)) return false;
    if (!(std::abs(a.t - b.t - T) <= repeats * T) || !agree(a.y, b.y)) return false;
  }
  return true;
}

std::uint64_t WatchedMotion::event_lag() const {
  const std::size_t count = events_.size();
  std::uint64_t impacts = 0;
  for (std::size_t lag = 1; 2 * lag + 1 < count; ++lag) {
    impacts += events_[count - lag].end == ArcEnd::impact ? 1 : 0;
    if (impacts > settings_.longest || lag > 8 * settings_.longest) return 0;
    if (repeats_after(lag)) return lag;
  }
  return 0;
}

// From the first event on: so many impacts, or events of its kind.
std::uint64_t WatchedMotion::guessed_lag() const {
  std::uint64_t met = 0;
  for (std::size_t k = 2; k < events_.size(); ++k) {
    const MotionEvent &first = events_[1], &now = events_[k];
    const bool counts = now.end == first.end && (now.end == ArcEnd::impact || now.which == first.which);
    met += counts ? 1 : 0;
    if (counts && met == settings_.guessed) return k - 1;
  }
  return 0;
}

}  // namespace ricochet
