#include "ricochet/core/pattern.hpp"

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

bool is_diagonal(const Pattern& pattern) {
  if (pattern.size() != pattern.cols) return false;
  for (int j = 0; j < pattern.cols; ++j)
    if (pattern.start[j] != j || pattern.row[j] != j) return false;
  return true;
}

}  // namespace ricochet
