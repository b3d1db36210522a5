// Where a sweep looks closer.
#include <algorithm>
#include <cmath>

#include "ricochet/scenario/sweep_plan.hpp"

namespace ricochet {

SweepGrowth::SweepGrowth(const BuiltSweep& sweep) : sweep_(sweep), motions_(sweep.columns, sweep.attractor_tolerance) {}

std::vector<Refinement::Place> SweepGrowth::grow(const std::function<SweepTrajectory(std::uint64_t)>& read) {
  const SweepPlan& plan = sweep_.plan;
  // Sizes are those of the first grid, whatever comes later.
  if (looks_.empty())
    for (std::uint64_t i = 0; i < plan.count(); ++i) motions_.measure(read(i));
  for (std::uint64_t i = looks_.size(); i < plan.count(); ++i) {
    const SweepTrajectory one = read(i);
    const bool statistics = sweep_.settings.record == SweepRecord::statistics;
    looks_.push_back(
        {!one.failure.empty(), one.period, statistics ? static_cast<double>(one.impacts) : one.cycle_impacts});
    motions_.add(one, i);
  }
  return plan.refinement().grow([this](std::uint64_t a, std::uint64_t b) { return differ(a, b); });
}

// Two nodes: in either direction.
bool SweepGrowth::differ(std::uint64_t a, std::uint64_t b) const {
  const SweepPlan& plan = sweep_.plan;
  const bool same_parameters = plan.has_same_parameters(a, b);
  for (int direction = 0; direction < (plan.both_directions() ? 2 : 1); ++direction)
    if (differ_in(plan.trajectory(a, direction == 1), plan.trajectory(b, direction == 1), same_parameters)) return true;
  return false;
}

bool SweepGrowth::differ_in(std::uint64_t a, std::uint64_t b, bool same_parameters) const {
  const Look &x = looks_[a], &y = looks_[b];
  if (x.failed != y.failed || x.period != y.period) return true;
  // Where only statistics are kept the ends of the time make a difference of one.
  if (sweep_.settings.record == SweepRecord::statistics)
    return std::abs(x.impacts - y.impacts) > 1.0 + 0.02 * std::max(x.impacts, y.impacts);
  if (std::abs(x.impacts - y.impacts) >= 0.5) return true;
  return !motions_.is_one(a, b, same_parameters);
}

}  // namespace ricochet
