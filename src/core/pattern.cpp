#include "ricochet/core/pattern.hpp"

#include <algorithm>

namespace ricochet {

Pattern Pattern::dense(int rows, int cols) {
  Pattern p{rows, cols, {}, {}};
  for (int j = 0; j <= cols; ++j) p.start.push_back(j * rows);
  for (int j = 0; j < cols; ++j)
    for (int i = 0; i < rows; ++i) p.row.push_back(i);
  return p;
}

Pattern Pattern::empty(int rows, int cols) {
  return {rows, cols, std::vector<int>(static_cast<std::size_t>(cols) + 1, 0), {}};
}

int Pattern::place(int i, int j) const {
  return static_cast<int>(std::lower_bound(row.begin() + start[j], row.begin() + start[j + 1], i) - row.begin());
}

std::vector<int> places_in(const Pattern& whole, const Pattern& part) {
  std::vector<int> places;
  for (int j = 0; j < part.cols; ++j)
    for (int k = part.start[j]; k < part.start[j + 1]; ++k) places.push_back(whole.place(part.row[k], j));
  return places;
}

bool is_diagonal(const Pattern& pattern) {
  if (pattern.size() != pattern.cols) return false;
  for (int j = 0; j < pattern.cols; ++j)
    if (pattern.start[j] != j || pattern.row[j] != j) return false;
  return true;
}

}  // namespace ricochet
