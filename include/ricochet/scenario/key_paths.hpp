// The dotted paths of a scenario's keys, as --set takes them.
#pragma once

#include <limits>
#include <string>
#include <vector>

namespace ricochet {

struct Scenario;

// Every key that can be set in this scenario: "time.step", "model.parameters.g", "model.constraint.floor.restitution",
// "scheme.theta". Tables in lists go by their name, or by their position where they have none.
std::vector<std::string> key_paths(Scenario scenario);

// A number of a scenario that could be another one, within its range.
struct NumberKey {
  std::string path;
  double value = 0.0;
  double lower = -std::numeric_limits<double>::infinity(), upper = std::numeric_limits<double>::infinity();
};

// What is given as a number, not as a formula: parameters, laws of contacts, start values (velocities that are not
// given are 0), parameters of the scheme, step and end of the run.
std::vector<NumberKey> number_keys(Scenario scenario);

}  // namespace ricochet
