#include "ricochet/study/attractors.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <tuple>

#include "study/sweep/period.hpp"

namespace ricochet {

namespace {

constexpr double far = std::numeric_limits<double>::infinity();

}  // namespace

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
  for (std::size_t j = 0; j < trajectory.largest.size() && j < sizes_.size(); ++j)
    sizes_[j] = std::max(sizes_[j], least_part * trajectory.largest[j]);
}

Attractors::Motion Attractors::motion_of(const SweepTrajectory& trajectory) const {
  const std::size_t rows = trajectory.points.size() / width_;
  const auto at = [&](std::size_t row, std::size_t j) { return trajectory.points[row * width_ + columns_[j]]; };
  Motion motion;
  motion.impacts = trajectory.cycle_impacts;
  // The last cycle: it is the closest to the attractor.
  if (trajectory.period > 0 && static_cast<std::uint64_t>(trajectory.period) <= rows) {
    motion.period = trajectory.period;
    for (std::size_t row = rows - static_cast<std::size_t>(motion.period); row < rows; ++row)
      for (std::size_t j = 0; j < columns_.size(); ++j) motion.points.push_back(at(row, j));
    return motion;
  }
  motion.lowest.assign(columns_.size(), far);
  motion.highest.assign(columns_.size(), -far);
  for (std::size_t row = 0; row < rows; ++row)
    for (std::size_t j = 0; j < columns_.size(); ++j) {
      motion.lowest[j] = std::min(motion.lowest[j], at(row, j));
      motion.highest[j] = std::max(motion.highest[j], at(row, j));
    }
  return motion;
}

// Of two cycles of one period: the largest difference of their points, as a part of the size, from the best point on.
double Attractors::distance(const Motion& a, const Motion& b) const {
  const std::size_t n = columns_.size(), size = a.points.size();
  double least = far;
  for (std::size_t shift = 0; shift < size; shift += n) {
    double largest = 0.0;
    for (std::size_t i = 0; i < size && largest < least; ++i) {
      const double gap = std::abs(a.points[i] - b.points[(i + shift) % size]);
      // Written so that NaN is like nothing, and what is 0 everywhere agrees.
      const double part = gap == 0.0 ? 0.0 : gap / sizes_[i % n];
      largest = part >= 0.0 ? std::max(largest, part) : far;
    }
    least = std::min(least, largest);
  }
  return least;
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
  return a.period > 0 ? distance(a, b) <= tolerance_ : same_ranges(a, b);
}

// How far an attractor has moved from one cell to the next; infinitely far if it is another one.
double Attractors::move(const Motion& a, const Motion& b) const {
  if (a.period != b.period || std::abs(a.impacts - b.impacts) >= 0.5) return far;
  if (a.period == 0) return same_ranges(a, b) ? 0.0 : far;
  const double moved = distance(a, b);
  return moved <= longest_move ? moved : far;
}

bool Attractors::is_one(std::size_t a, std::size_t b, bool same_cell) const {
  if (numbers_[a] == none || numbers_[b] == none) return numbers_[a] == numbers_[b];
  const Motion &x = known_[numbers_[a]], &y = known_[numbers_[b]];
  return same_cell ? same(x, y) : move(x, y) < far;
}

void Attractors::add(const SweepTrajectory& trajectory, std::uint64_t cell) {
  numbers_.push_back(none);
  if (!trajectory.failure.empty() || columns_.empty() || trajectory.points.size() < width_ ||
      trajectory.period == SweepTrajectory::not_settled)
    return;
  Motion motion = motion_of(trajectory);
  std::vector<std::int32_t>& here = cells_[cell];
  const auto found = std::find_if(here.begin(), here.end(), [&](auto k) { return same(motion, known_[k]); });
  if (found != here.end()) {
    numbers_.back() = *found;
    return;
  }
  numbers_.back() = static_cast<std::int32_t>(known_.size());
  here.push_back(numbers_.back());
  parents_.push_back(numbers_.back());
  known_.push_back(std::move(motion));
}

std::int32_t Attractors::root(std::int32_t motion) const {
  while (parents_[motion] != motion) motion = parents_[motion];
  return motion;
}

// The closest pair first; each has one partner.
void Attractors::link(std::uint64_t cell, std::uint64_t neighbour) {
  const auto from = cells_.find(cell), to = cells_.find(neighbour);
  if (from == cells_.end() || to == cells_.end()) return;
  std::vector<std::tuple<double, std::int32_t, std::int32_t>> pairs;
  for (const std::int32_t a : from->second)
    for (const std::int32_t b : to->second)
      if (const double moved = move(known_[a], known_[b]); moved < far) pairs.emplace_back(moved, a, b);
  std::sort(pairs.begin(), pairs.end());
  std::vector<std::int32_t> taken;
  const auto is_taken = [&](std::int32_t k) { return std::find(taken.begin(), taken.end(), k) != taken.end(); };
  for (const auto& [moved, a, b] : pairs) {
    if (is_taken(a) || is_taken(b)) continue;
    taken.insert(taken.end(), {a, b});
    const std::int32_t x = root(a), y = root(b);
    parents_[std::max(x, y)] = std::min(x, y);
  }
}

void Attractors::name() {
  std::map<std::int32_t, std::int32_t> branch_of;  // by root
  for (std::size_t i = 0; i < numbers_.size(); ++i) {
    if (numbers_[i] == none) continue;
    const Motion& motion = known_[numbers_[i]];
    const auto [place, is_new] = branch_of.emplace(root(numbers_[i]), static_cast<std::int32_t>(branches_.size()));
    if (is_new) branches_.push_back({motion.period, motion.impacts, 0, i});
    ++branches_[place->second].trajectories;
    numbers_[i] = place->second;
  }
}

}  // namespace ricochet
