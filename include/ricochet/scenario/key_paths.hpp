// The dotted paths of a scenario's keys, as --set takes them.
#pragma once

#include <string>
#include <vector>

namespace ricochet {

struct Scenario;

// Every key that can be set in this scenario: "time.step", "model.parameters.g", "model.constraint.floor.restitution",
// "scheme.theta". Tables in lists go by their name, or by their position where they have none.
std::vector<std::string> key_paths(Scenario scenario);

}  // namespace ricochet
