#include "study/sweep/trajectory_recorder.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "ricochet/core/error.hpp"
#include "ricochet/core/quantity.hpp"
#include "study/sweep/period.hpp"

namespace ricochet {
namespace {

constexpr double round_off = 1e-9;     // of a count: a quotient may miss a whole number
constexpr std::uint64_t looks = 1000;  // at the size of a motion without periods
constexpr double least_period_tolerance = 1e-6;
constexpr double most_periods = 1e8;  // of a trajectory: each is a step at least, and may be a point to be kept

std::uint64_t at_least(double count) { return static_cast<std::uint64_t>(std::max(0.0, std::ceil(count - round_off))); }

// Columns before the state: t, and of an impact constraint, rates and impulse.
int leading_columns(SweepRecord record) { return record == SweepRecord::impacts ? 5 : 1; }

}  // namespace

SweepGrid sweep_grid(const SweepCase& a_case, const SweepSettings& settings) {
  const SweepRecord record = settings.record;
  const double all = a_case.transient + a_case.duration;
  SweepGrid grid;
  grid.span = {a_case.from, a_case.from + all};
  grid.steps = step_count(grid.span, a_case.step);
  if (std::isnan(a_case.period)) {
    if (record == SweepRecord::stroboscopic) throw InputError("sweep.period", "is needed for a stroboscopic section");
    if (a_case.settles) throw InputError("sweep.period", "is needed to see whether a motion has settled");
    grid.h = (grid.span.until - grid.span.from) / static_cast<double>(grid.steps);
    grid.transient = std::min(at_least(a_case.transient / grid.h), grid.steps - 1);
    grid.look = std::max<std::uint64_t>(1, grid.steps / looks);
    return grid;
  }
  if (!(all <= most_periods * a_case.period))
    throw InputError("sweep.period",
                     fmt::format("{} passes {:.6g} times in a trajectory of {}, where at most {:.0e} "
                                 "periods are run",
                                 to_text(a_case.period), all / a_case.period, to_text(all), most_periods));
  const bool by_periods =
      record == SweepRecord::stroboscopic && !settings.lyapunov && traits(a_case.scheme).chooses_steps;
  grid.per_period = by_periods ? 1 : step_count({0.0, a_case.period}, a_case.step);
  const double h = a_case.period / static_cast<double>(grid.per_period);
  try {
    step_count(grid.span, h);
  } catch (const InputError& error) {
    throw InputError("sweep.period", "the steps that make up a period: " + error.message());
  }
  if (record == SweepRecord::stroboscopic) {
    const double periods = std::floor(a_case.duration / a_case.period + round_off);
    if (!(periods >= 1.0))
      throw InputError("sweep.duration",
                       "must be at least one period, " + to_text(a_case.period) + ", got " + to_text(a_case.duration));
    grid.transient = at_least(a_case.transient / a_case.period) * grid.per_period;
    grid.look = grid.per_period;
    grid.steps = grid.transient + static_cast<std::uint64_t>(periods) * grid.per_period;
  } else {
    grid.transient = at_least(a_case.transient / h);
    grid.steps = grid.transient + std::max<std::uint64_t>(1, at_least(a_case.duration / h));
    grid.look = std::max<std::uint64_t>(1, grid.steps / looks);
  }
  grid.settles = a_case.settles;
  if (grid.settles) grid.look = grid.per_period;
  grid.span.until = a_case.from + static_cast<double>(grid.steps) * h;
  grid.h = (grid.span.until - grid.span.from) / static_cast<double>(grid.steps);
  return grid;
}

SweepColumns sweep_columns(const Layout& layout, SweepRecord record, const std::vector<std::string>& outputs) {
  SweepColumns columns;
  columns.state = layout.coordinates;
  for (const std::string& name : layout.coordinates) columns.state.push_back(name + "_dot");
  for (const std::string& name : layout.states) columns.state.push_back(name);
  if (record == SweepRecord::statistics) {
    std::vector<std::string> quantities(columns.state.begin(), columns.state.begin() + 2 * layout.nq());
    quantities.insert(quantities.end(), outputs.begin(), outputs.end());
    for (const std::string& name : quantities)
      for (const char* what : {".mean", ".rms", ".min", ".max"}) columns.statistics.push_back(name + what);
    for (const char* name : {"impacts", "impacts_per_period", "impulse.mean", "impulse.max", "energy_lost"})
      columns.statistics.emplace_back(name);
    return columns;
  }
  columns.points = {"t"};
  if (record == SweepRecord::impacts)
    for (const char* name : {"constraint", "rate_minus", "rate_plus", "impulse"}) columns.points.emplace_back(name);
  columns.points.insert(columns.points.end(), columns.state.begin(), columns.state.end());
  columns.points.insert(columns.points.end(), outputs.begin(), outputs.end());
  return columns;
}

void PointOutputs::append(const StateView& state, std::vector<double>& to) {
  state_.t = state.t;
  state_.q.assign(state.q, state.q + model_->nq());
  state_.v.assign(state.v, state.v + model_->nq());
  gaps_.measure(state_);
  observe(model_->layout(), state.q, observed_.data());
  observe(model_->layout(), state.v, observed_rate_.data());
  outputs_->evaluate({.t = state.t,
                      .q = state.q,
                      .v = state.v,
                      .z = state.z,
                      .gap = gaps_.gap.data(),
                      .rate = gaps_.rate.data(),
                      .slip = gaps_.slip.data(),
                      .observed = observed_.data(),
                      .observed_rate = observed_rate_.data()},
                     values_.data());
  for (std::size_t i = 0; i < values_.size(); ++i)
    if (outputs_->is_of_state(i)) to.push_back(values_[i]);
}

TrajectoryRecorder::TrajectoryRecorder(const SweepSettings& settings, const SweepCase& a_case, const SweepGrid& grid,
                                       std::uint64_t index, bool meets_at_grid)
    : settings_(settings),
      nq_(a_case.model->nq()),
      nz_(a_case.model->nz()),
      grid_(grid),
      meets_at_grid_(meets_at_grid) {
  if (settings_.record != SweepRecord::statistics && a_case.outputs)
    outputs_ = std::make_unique<PointOutputs>(a_case.model, a_case.outputs);
  slot_.index = index;
  if (settings_.record == SweepRecord::statistics && !settings_.impulse_edges.empty())
    slot_.histogram.assign(settings_.impulse_edges.size() - 1, 0.0);
}

void TrajectoryRecorder::append(const StateView& state, std::vector<double>& to) const {
  to.insert(to.end(), state.q, state.q + nq_);
  to.insert(to.end(), state.v, state.v + nq_);
  to.insert(to.end(), state.z, state.z + nz_);
}

void TrajectoryRecorder::append_point(const StateView& state) {
  append(state, slot_.points);
  if (outputs_) outputs_->append(state, slot_.points);
}

// Between two looks the velocity was, somewhere, the mean one: it counts where looks meet the motion at rest only.
void TrajectoryRecorder::look(const StateView& state, std::uint64_t steps) {
  const std::size_t nq = static_cast<std::size_t>(nq_), nz = static_cast<std::size_t>(nz_);
  std::vector<double>& largest = slot_.largest;
  const double passed = state.t - looked_at_;
  const bool has_last = !largest.empty() && passed > 0.0;
  largest.resize(2 * nq + nz, 0.0);
  const auto see = [&](std::size_t i, double x) {
    if (std::abs(x) > largest[i] && std::isfinite(x)) largest[i] = std::abs(x);
  };
  for (std::size_t i = 0; i < nq; ++i) {
    see(i, state.q[i]), see(nq + i, state.v[i]);
    if (has_last) see(nq + i, (state.q[i] - looked_q_[i]) / passed);
  }
  for (std::size_t i = 0; i < nz; ++i) see(2 * nq + i, state.z[i]);
  looked_q_.assign(state.q, state.q + nq);
  looked_at_ = state.t;
  if (grid_.settles && steps > 0 && steps < grid_.transient) settle(state, steps);
}

// The points of the last periods decide, as they would if they were kept: to the tolerance of motions without scatter,
// as what is left of a transient may hide in that.
void TrajectoryRecorder::settle(const StateView& state, std::uint64_t steps) {
  constexpr std::ptrdiff_t periods = 32, between_looks = 8;
  const std::ptrdiff_t width = 1 + 2 * nq_ + nz_, all = periods * width;
  last_periods_.push_back(state.t);
  append(state, last_periods_);
  if (static_cast<std::ptrdiff_t>(last_periods_.size()) < all) return;
  const double tolerance = settings_.period_tolerance.value_or(least_period_tolerance);
  if (find_period(last_periods_, 1, nq_, nz_, tolerance, slot_.largest) > 0) {
    slot_.settled_after = state.t - grid_.span.from;
    grid_.steps -= grid_.transient - steps;
    grid_.transient = steps;
  }
  last_periods_.erase(last_periods_.begin(), last_periods_.begin() + between_looks * width);
}

bool TrajectoryRecorder::pass_over() {
  if (is_full()) return true;
  if (skipped_ >= settings_.skipped_points) return false;
  ++skipped_;
  return true;
}

bool TrajectoryRecorder::skip() {
  if (pass_over()) return true;
  ++kept_;
  return false;
}

void TrajectoryRecorder::point(const StateView& state) {
  if (skip()) return;
  slot_.points.push_back(state.t);
  append_point(state);
}

void TrajectoryRecorder::impact(const Impact& impact, const StateView& after) {
  ++slot_.impacts;
  if (settings_.record != SweepRecord::statistics) impact_times_.push_back(impact.t);
  if (settings_.record == SweepRecord::impacts) {
    if (skip()) return;
    const double leading[] = {impact.t, static_cast<double>(impact.constraint), impact.rate_minus, impact.rate_plus,
                              impact.impulse};
    slot_.points.insert(slot_.points.end(), std::begin(leading), std::end(leading));
    append_point(after);
    return;
  }
  if (settings_.record != SweepRecord::statistics) return;
  impulse_ += impact.impulse;
  largest_impulse_ = std::max(largest_impulse_, impact.impulse);
  lost_ += impact.energy_loss;
  if (slot_.histogram.empty()) return;
  // What lies outside is counted in the first and the last bin.
  const std::vector<double>& edges = settings_.impulse_edges;
  const auto above = std::upper_bound(edges.begin() + 1, edges.end() - 1, impact.impulse);
  slot_.histogram[static_cast<std::size_t>(above - edges.begin()) - 1] += 1.0;
}

void TrajectoryRecorder::crossing(const StateView& begin, double s0, const StateView& end, double s1, bool touched) {
  // Velocities that jump are not straight lines: where something touched, the state after it counts.
  if (touched) return point(end);
  const double weight = s0 / (s0 - s1);
  const std::size_t nq = static_cast<std::size_t>(nq_), nz = static_cast<std::size_t>(nz_);
  between_.resize(2 * nq + nz);
  const auto blend = [&](const double* a, const double* b, std::size_t n, double* to) {
    for (std::size_t i = 0; i < n; ++i) to[i] = a[i] + weight * (b[i] - a[i]);
  };
  double* x = between_.data();
  blend(begin.q, end.q, nq, x);
  blend(begin.v, end.v, nq, x + nq);
  blend(begin.z, end.z, nz, x + 2 * nq);
  point({begin.t + weight * (end.t - begin.t), x, x + nq, x + 2 * nq});
}

void TrajectoryRecorder::append_impacts(std::vector<double>& statistics) const {
  const double count = static_cast<double>(slot_.impacts);
  const double periods = grid_.per_period == 0 ? std::numeric_limits<double>::quiet_NaN()
                                               : static_cast<double>(grid_.steps - grid_.transient) /
                                                     static_cast<double>(grid_.per_period);
  for (const double x : {count, count / periods, slot_.impacts == 0 ? 0.0 : impulse_ / count, largest_impulse_, lost_})
    statistics.push_back(x);
}

SweepTrajectory TrajectoryRecorder::finish(const StateView& end, std::uint64_t steps, std::vector<double> moments) {
  slot_.steps = steps;
  append(end, slot_.final);
  if (settings_.record == SweepRecord::statistics) {
    slot_.statistics = std::move(moments);
    append_impacts(slot_.statistics);
  } else {
    slot_.period = find_period(slot_.points, leading_columns(settings_.record), nq_, nz_, period_tolerance(),
                               slot_.largest, outputs_ ? outputs_->count() : 0);
    if (slot_.period > 0) slot_.cycle_impacts = cycle_impacts();
  }
  return std::move(slot_);
}

// Those between the last point and the one that lies whole periods before it, at most half of all points.
double TrajectoryRecorder::cycle_impacts() const {
  const std::uint64_t p = static_cast<std::uint64_t>(slot_.period), rows = kept_;
  const std::uint64_t periods = std::max<std::uint64_t>(1, (rows - 1) / 2 / p);
  if (settings_.record == SweepRecord::impacts) return static_cast<double>(p);
  const std::size_t width = slot_.points.size() / rows;
  const auto time = [&](std::uint64_t row) { return slot_.points[row * width]; };
  const auto until = [&](double t) { return std::upper_bound(impact_times_.begin(), impact_times_.end(), t); };
  const auto count = until(time(rows - 1)) - until(time(rows - 1 - periods * p));
  return static_cast<double>(count) / static_cast<double>(periods);
}

double TrajectoryRecorder::period_tolerance() const {
  // An impact that is met s ≤ h late leaves the points of a periodic motion (1 + e)|U| s away, and what its multipliers
  // leave of that adds up: on the gallery's grazing to 75 steps in the time between points.
  constexpr double least = least_period_tolerance, most = 0.05, steps = 75.0;
  if (settings_.period_tolerance) return *settings_.period_tolerance;
  // Without impacts nothing scatters.
  if (!meets_at_grid_ || slot_.impacts == 0 || kept_ < 2) return least;
  return std::clamp(steps * grid_.h / mean_interval(slot_.points, kept_), least, most);
}

}  // namespace ricochet
