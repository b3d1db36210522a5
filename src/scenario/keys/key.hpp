// One key of a scenario: what a description says of it.
#pragma once

#include <limits>
#include <string>
#include <string_view>

namespace ricochet {

// The numbers a key allows.
struct Range {
  double lower = -std::numeric_limits<double>::infinity(), upper = std::numeric_limits<double>::infinity();
  bool above_lower = false;  // lower itself is not allowed

  bool contains(double x) const { return (above_lower ? x > lower : x >= lower) && x <= upper; }
  bool unbounded() const { return lower == -std::numeric_limits<double>::infinity() && upper == -lower; }
  std::string text() const;  // "in [0, 1]", "positive", "0 or more"
};

inline constexpr Range positive = {0.0, std::numeric_limits<double>::infinity(), true}, not_negative = {0.0};
inline constexpr Range zero_to_one = {0.0, 1.0};

struct Key {
  std::string_view name;
  std::string_view meaning;       // one line
  std::string_view example = {};  // as written in a file; none for tables
  bool required = false;
  Range range = {};
};

}  // namespace ricochet
