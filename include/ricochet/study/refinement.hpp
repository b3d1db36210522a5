// A grid that gets finer where neighbours differ.
//
// The nodes of a grid are the corners of cells. A cell is mixed if two of its nodes differ, corners or nodes that a
// finer neighbour has put on its sides. Each generation cuts mixed cells in half along every axis, large ones first,
// while the budget lasts; new nodes come at the middles. What is cut depends on the nodes that are known alone: the
// same nodes whoever computes them, and in whatever order.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <utility>
#include <vector>

namespace ricochet {

class Refinement {
 public:
  static constexpr int most_levels = 20;
  static constexpr std::uint64_t unit = std::uint64_t{1} << most_levels;  // between two nodes of the first grid
  using Place = std::vector<std::uint64_t>;                               // in units, one an axis
  using Differ = std::function<bool(std::uint64_t, std::uint64_t)>;       // of two nodes

  // The first grid, its last axis fastest, and how many nodes may be added.
  Refinement(std::vector<std::uint64_t> sizes, std::uint64_t budget);

  std::uint64_t count() const { return places_.size(); }
  std::uint64_t first_count() const { return base_; }
  const Place& place(std::uint64_t node) const { return places_[node]; }
  int level(std::uint64_t node) const { return levels_[node]; }
  // The two nodes half way between which a later node was put.
  std::pair<std::uint64_t, std::uint64_t> ends(std::uint64_t node) const;

  // One more generation: the nodes that were added. None: nothing differs any more, or the budget does not last.
  std::vector<Place> grow(const Differ& differ);
  // The generation that another process has grown; only places are known of it then.
  void take(const std::vector<Place>& places);

 private:
  struct Cell {
    Place corner;
    std::uint64_t size = 0;
    int level = 0;
  };
  void enter(const Place& place, int level);
  std::vector<Place> places_of(const Cell& cell, std::uint64_t step) const;
  bool is_mixed(const Cell& cell, const Differ& differ) const;

  std::vector<std::uint64_t> sizes_;
  std::uint64_t base_ = 0, left_ = 0;
  std::vector<Place> places_;
  std::vector<int> levels_;
  std::map<Place, std::uint64_t> nodes_;
  std::vector<Cell> leaves_;
};

}  // namespace ricochet
