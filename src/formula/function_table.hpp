// The functions of formulas by name, and what names are made of.
#pragma once

#include <string_view>

#include "ricochet/formula/graph.hpp"

namespace ricochet::formula {

struct Function {
  std::string_view name;
  Operation operation;
  int arguments;
  bool more = false;  // takes any number of further arguments
};

// nullptr if there is none of this name
const Function* find_function(std::string_view name);

inline bool is_digit(char c) { return c >= '0' && c <= '9'; }
inline bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }

}  // namespace ricochet::formula
