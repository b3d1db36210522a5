#include "ricochet/study/attractors.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace ricochet {

Attractors::Attractors(const SweepColumns& columns, double tolerance)
    : width_(columns.points.size()), tolerance_(tolerance) {
  for (std::size_t j = 0; j < width_; ++j)
    if (std::find(columns.state.begin(), columns.state.end(), columns.points[j]) != columns.state.end())
      columns_.push_back(j);
  sizes_.resize(columns_.size(), 0.0);
}

void Attractors::measure(const SweepTrajectory& trajectory) {
  if (!trajectory.failure.empty() || width_ == 0) return;
  for (std::size_t row = 0; row + width_ <= trajectory.points.size(); row += width_)
    for (std::size_t j = 0; j < columns_.size(); ++j)
      if (const double size = std::abs(trajectory.points[row + columns_[j]]); size > sizes_[j] && std::isfinite(size))
        sizes_[j] = size;
}

Attractors::Motion Attractors::motion_of(const SweepTrajectory& trajectory) const {
  const std::size_t rows = trajectory.points.size() / width_;
  const auto at = [&](std::size_t row, std::size_t j) { return trajectory.points[row * width_ + columns_[j]]; };
  Motion motion;
  // The last cycle: it is the closest to the attractor.
  if (trajectory.period > 0 && static_cast<std::uint64_t>(trajectory.period) <= rows) {
    motion.period = trajectory.period;
    for (std::size_t row = rows - static_cast<std::size_t>(motion.period); row < rows; ++row)
      for (std::size_t j = 0; j < columns_.size(); ++j) motion.points.push_back(at(row, j));
    return motion;
  }
  motion.lowest.assign(columns_.size(), std::numeric_limits<double>::infinity());
  motion.highest.assign(columns_.size(), -std::numeric_limits<double>::infinity());
  for (std::size_t row = 0; row < rows; ++row)
    for (std::size_t j = 0; j < columns_.size(); ++j) {
      motion.lowest[j] = std::min(motion.lowest[j], at(row, j));
      motion.highest[j] = std::max(motion.highest[j], at(row, j));
    }
  return motion;
}

bool Attractors::same_cycle(const Motion& a, const Motion& b) const {
  const std::size_t n = columns_.size(), size = a.points.size();
  const auto fits = [&](std::size_t shift) {
    for (std::size_t i = 0; i < size; ++i)
      // Written so that NaN is like nothing.
      if (!(std::abs(a.points[i] - b.points[(i + shift) % size]) <= tolerance_ * sizes_[i % n])) return false;
    return true;
  };
  for (std::size_t shift = 0; shift < size; shift += n)
    if (fits(shift)) return true;
  return false;
}

bool Attractors::same_ranges(const Motion& a, const Motion& b) const {
  for (std::size_t j = 0; j < columns_.size(); ++j) {
    const double all = std::max(a.highest[j], b.highest[j]) - std::min(a.lowest[j], b.lowest[j]);
    const double both = std::min(a.highest[j], b.highest[j]) - std::max(a.lowest[j], b.lowest[j]);
    if (!(all <= tolerance_ * sizes_[j] || both > 0.5 * all)) return false;
  }
  return true;
}

bool Attractors::same(const Motion& a, const Motion& b) const {
  if (a.period != b.period) return false;
  return a.period > 0 ? same_cycle(a, b) : same_ranges(a, b);
}

std::int32_t Attractors::number(const SweepTrajectory& trajectory) {
  if (!trajectory.failure.empty() || columns_.empty() || trajectory.points.size() < width_) return none;
  Motion motion = motion_of(trajectory);
  const auto found =
      std::find_if(known_.begin(), known_.end(), [&](const Motion& known) { return same(motion, known); });
  const auto number = static_cast<std::int32_t>(found - known_.begin());
  if (found == known_.end()) known_.push_back(std::move(motion));
  return number;
}

}  // namespace ricochet
