// A forced oscillator whose orbits are known.
#pragma once

#include <cmath>
#include <memory>

#include "ricochet/ricochet.hpp"
#include "ricochet/study/orbit.hpp"

namespace ricochet::testing {

// x'' + 0.1 x' + x = A cos ωt in front of a stop at x = 1.
inline LagrangianDescription oscillator(double A, double w) {
  LagrangianDescription model;
  model.coordinates = {"x"};
  model.parameters = {{"A", A}, {"w", w}};
  model.kinetic = "x_dot^2/2";
  model.potential = "x^2/2";
  model.dissipation = "0.05*x_dot^2";
  model.force = {{"x", "A*cos(w*t)"}};
  model.constraints = {{.name = "stop", .gap = "1 - x", .restitution = 0.8}};
  return model;
}

// Without a period: one that is to be found.
inline OrbitSystem system_of(const LagrangianDescription& description, double period = std::nan("")) {
  return {std::shared_ptr<const Model>(lagrangian(description)), period};
}

}  // namespace ricochet::testing
