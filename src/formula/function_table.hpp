// The functions of formulas by name.
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

}  // namespace ricochet::formula
