// A scenario as Python holds it: read, validated and built once.
#pragma once

#include <string>

#include "bindings.hpp"
#include "ricochet/io/scenario/scenario_file.hpp"

namespace ricochet::python {

struct ScenarioHandle {
  ScenarioFile file;
  std::string source;
  bool from_file = true;  // false: the text was made of a dictionary
};

}  // namespace ricochet::python
