#include "ricochet/study/refinement.hpp"

#include <algorithm>
#include <numeric>

namespace ricochet {
namespace {

// Scrambles a place: those that get the rest of a budget are spread over all.
std::uint64_t mixed(std::uint64_t x) {
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
  return x ^ (x >> 31);
}

}  // namespace

Refinement::Refinement(std::vector<std::uint64_t> sizes, std::uint64_t budget)
    : sizes_(std::move(sizes)), left_(budget) {
  base_ = std::accumulate(sizes_.begin(), sizes_.end(), std::uint64_t{1}, std::multiplies<>());
  for (std::uint64_t i = 0; i < base_; ++i) {
    Place place(sizes_.size());
    std::uint64_t rest = i;
    for (std::size_t k = sizes_.size(); k-- > 0; rest /= sizes_[k]) place[k] = (rest % sizes_[k]) * unit;
    enter(place, 0);
  }
  // Cells between the nodes; along an axis with one value there is none.
  for (std::uint64_t i = 0; i < base_; ++i) {
    const Place& corner = places_[i];
    bool inside = true;
    for (std::size_t k = 0; k < sizes_.size(); ++k)
      inside = inside && (sizes_[k] == 1 || corner[k] / unit + 1 < sizes_[k]);
    if (inside) leaves_.push_back({corner, unit, 0});
  }
}

void Refinement::enter(const Place& place, int level) {
  nodes_.emplace(place, places_.size());
  places_.push_back(place);
  levels_.push_back(level);
}

// The places of a cell at multiples of `step` from its corner: its corners, or all its 3ᵈ.
std::vector<Refinement::Place> Refinement::places_of(const Cell& cell, std::uint64_t step) const {
  std::vector<Place> all = {cell.corner};
  for (std::size_t k = 0; k < sizes_.size(); ++k) {
    if (sizes_[k] == 1) continue;
    const std::size_t many = all.size();
    for (std::uint64_t at = step; at <= cell.size; at += step)
      for (std::size_t i = 0; i < many; ++i) {
        all.push_back(all[i]);
        all.back()[k] += at;
      }
  }
  return all;
}

// Whether what is known on a cell differs: its corners, and what neighbours have put on its sides.
bool Refinement::is_mixed(const Cell& cell, const Differ& differ) const {
  const std::uint64_t first = nodes_.at(cell.corner);
  for (const Place& place : places_of(cell, cell.size / 2))
    if (const auto found = nodes_.find(place); found != nodes_.end() && found->second != first)
      if (differ(first, found->second)) return true;
  return false;
}

std::vector<Refinement::Place> Refinement::grow(const Differ& differ) {
  // Which cells are cut: large ones first, among equals no side before the other.
  std::vector<std::pair<std::uint64_t, std::size_t>> order;
  for (std::size_t i = 0; i < leaves_.size(); ++i) {
    const Cell& cell = leaves_[i];
    if (cell.size < 2 || !is_mixed(cell, differ)) continue;
    std::uint64_t key = 0;
    for (const std::uint64_t x : cell.corner) key = mixed(key ^ mixed(x + 1));
    order.emplace_back(static_cast<std::uint64_t>(cell.level) << 58 | key >> 6, i);
  }
  std::sort(order.begin(), order.end());

  std::vector<Place> added;
  std::vector<bool> cut(leaves_.size(), false);
  std::vector<Cell> children;
  for (const auto& [key, i] : order) {
    const Cell cell = leaves_[i];
    std::vector<Place> missing;
    for (const Place& place : places_of(cell, cell.size / 2))
      if (!nodes_.contains(place)) missing.push_back(place);
    if (missing.size() > left_) break;
    left_ -= missing.size();
    for (const Place& place : missing) enter(place, cell.level + 1);
    added.insert(added.end(), missing.begin(), missing.end());
    cut[i] = true;
    Cell half{cell.corner, cell.size / 2, cell.level + 1};
    for (const Place& corner : places_of({cell.corner, cell.size / 2, 0}, cell.size / 2)) {
      half.corner = corner;
      children.push_back(half);
    }
  }
  std::vector<Cell> leaves;
  for (std::size_t i = 0; i < leaves_.size(); ++i)
    if (!cut[i]) leaves.push_back(std::move(leaves_[i]));
  leaves.insert(leaves.end(), children.begin(), children.end());
  leaves_ = std::move(leaves);
  return added;
}

void Refinement::take(const std::vector<Place>& places) {
  for (const Place& place : places) enter(place, 0);
}

std::pair<std::uint64_t, std::uint64_t> Refinement::ends(std::uint64_t node) const {
  const Place& place = places_[node];
  const std::uint64_t half = unit >> levels_[node];
  Place low = place, high = place;
  for (std::size_t k = 0; k < place.size(); ++k)
    if (place[k] % (2 * half) != 0) low[k] -= half, high[k] += half;
  return {nodes_.at(low), nodes_.at(high)};
}

}  // namespace ricochet
