// Scenarios that several tests begin from.
#pragma once

#include <string>

#include "ricochet/scenario/scenario.hpp"

namespace ricochet::testing {

inline const std::string ball_text = R"(title = "Ball on a floor"

[model]
coordinates = ["x"]
parameters = { m = 1.0, g = 9.81 }
kinetic = "m*x_dot^2/2"
potential = "m*g*x"

[[model.constraint]]
name = "floor"
gap = "x"
restitution = 0.9

[initial]
q = { x = 1.0 }

[scheme]
name = "moreau-jean"
theta = 0.5

[time]
until = 3.0
step = 1e-3
)";

// The same as values.
inline Scenario ball() {
  LagrangianDescription model;
  model.coordinates = {"x"};
  model.kinetic = "m*x_dot^2/2";
  model.potential = "m*g*x";
  model.parameters = {{"m", 1.0}, {"g", 9.81}};
  model.constraints = {{.name = "floor", .gap = "x", .restitution = 0.9}};
  Scenario scenario;
  scenario.title = "Ball on a floor";
  scenario.model = model;
  scenario.initial.q = {{"x", 1.0}};
  scenario.scheme = {"moreau-jean", {{"theta", 0.5}}};
  scenario.time.until = 3.0;
  scenario.time.step = 1e-3;
  return scenario;
}

// The text with one piece replaced; the piece must be there.
inline std::string replaced(std::string text, const std::string& piece, const std::string& by) {
  const std::size_t at = text.find(piece);
  if (at == std::string::npos) throw std::logic_error("no '" + piece + "' in the text");
  return text.replace(at, piece.size(), by);
}

}  // namespace ricochet::testing
