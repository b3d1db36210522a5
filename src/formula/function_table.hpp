// The functions of formulas by name, what names are made of, and how the reader shows what it cannot read.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "ricochet/formula/graph.hpp"

namespace ricochet::formula {

struct Function {
  std::string_view name;
  Operation operation;
  int arguments;
  bool more = false;  // takes any number of further arguments
};

// Those that are operations of their own name, to write the same line for each; there is also if().
// clang-format off
#define RICOCHET_FORMULA_FUNCTIONS(X) \
  X(sin) X(cos) X(tan) X(asin) X(acos) X(atan) X(atan2) X(sinh) X(cosh) X(tanh) X(exp) X(log) X(log10) X(sqrt) \
  X(abs) X(sign) X(step) X(min) X(max) X(floor)
// clang-format on

// nullptr if there is none of this name
const Function* find_function(std::string_view name);

inline bool is_digit(char c) { return c >= '0' && c <= '9'; }
inline bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }

// Foreign text, made safe to show: control characters become spaces, bytes that are not UTF-8 and characters that would
// disturb a terminal become '?'.

// One character of UTF-8 text at `position`: how many bytes it has, and what to show for it.
struct Character {
  std::size_t length;
  std::string shown;
};
Character character_at(std::string_view text, std::size_t position);

// The text, clipped to `longest` characters with … at its end.
std::string printable(std::string_view text, std::size_t longest);

}  // namespace ricochet::formula
