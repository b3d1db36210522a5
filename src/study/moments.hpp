// Means and extremes of what is seen step by step, over doubles or lanes: lanes give the bits of single runs.
#pragma once

#include <limits>
#include <vector>

#include "ricochet/core/lanes.hpp"

namespace ricochet {

template <class Value>
class Moments {
 public:
  explicit Moments(int n) : entries_(static_cast<std::size_t>(n)) {}

  // x₀ … of the entries from `first` on, where the mask holds.
  void add(const Mask<Value>& where, const Value* x, int first, int n) {
    for (int i = 0; i < n; ++i) {
      Entry& entry = entries_[static_cast<std::size_t>(first + i)];
      entry.sum = select(where, entry.sum + x[i], entry.sum);
      entry.squares = select(where, entry.squares + x[i] * x[i], entry.squares);
      entry.least = select(where, smaller(entry.least, x[i]), entry.least);
      entry.most = select(where, larger(entry.most, x[i]), entry.most);
    }
  }

  void clear(int l) {
    for (Entry& entry : entries_) {
      set_lane(entry.sum, l, 0.0), set_lane(entry.squares, l, 0.0);
      set_lane(entry.least, l, infinity), set_lane(entry.most, l, -infinity);
    }
  }

  // Mean, root mean square, least and most of each entry in one lane, after `count` additions.
  void append(int l, double count, std::vector<double>& to) const {
    for (const Entry& entry : entries_) {
      to.push_back(lane(entry.sum, l) / count);
      to.push_back(std::sqrt(lane(entry.squares, l) / count));
      to.push_back(lane(entry.least, l));
      to.push_back(lane(entry.most, l));
    }
  }

 private:
  static constexpr double infinity = std::numeric_limits<double>::infinity();
  struct Entry {
    Value sum = 0.0, squares = 0.0, least = infinity, most = -infinity;
  };
  std::vector<Entry> entries_;
};

}  // namespace ricochet
