// Random systems whose contacts meet.
#pragma once

#include <rapidcheck.h>

#include <cmath>
#include <memory>
#include <string>

#include "ricochet/core/quantity.hpp"
#include "ricochet/ricochet.hpp"

namespace ricochet::testing {

struct ContactCase {
  std::string name;
  std::unique_ptr<Model> model;
  State start;
  double energy = 0.0;  // that the motion can turn over
  double speed = 0.0;   // that a contact can have
};

inline double random_between(double lower, double upper) {
  return lower + (upper - lower) * static_cast<double>(*rc::gen::inRange(0, 1001)) / 1000.0;
}

// A particle between two walls under gravity, the wedge opening upwards by `angle` degrees.
inline ContactCase wedge(double angle, double e) {
  const double half = 0.5 * angle * 3.14159265358979323846 / 180.0;
  const std::string c = to_text(std::cos(half)), s = to_text(std::sin(half));
  ContactCase result{"wedge of " + to_text(angle) + " degrees, e = " + to_text(e), {}, {}};
  result.model = lagrangian({.coordinates = {"x", "y"},
                             .kinetic = "(x_dot^2 + y_dot^2)/2",
                             .potential = "9.81*y",
                             .constraints = {{.name = "left", .gap = c + "*x + " + s + "*y", .restitution = e},
                                             {.name = "right", .gap = s + "*y - " + c + "*x", .restitution = e}}});
  result.start = {.q = {0.0, 0.5}, .v = {0.0, 0.0}};
  result.energy = 9.81 + 1.0;
  result.speed = std::sqrt(2.0 * result.energy);
  return result;
}

inline ContactCase random_wedge(double angle, double e) {
  ContactCase result = wedge(angle, e);
  const double y = random_between(0.1, 1.0), steepness = std::tan(0.5 * angle * 3.14159265358979323846 / 180.0);
  result.start = {.q = {random_between(-0.9, 0.9) * y * steepness, y},
                  .v = {random_between(-1.0, 1.0), random_between(-1.0, 1.0)}};
  return result;
}

// Beads above each other over a floor, masses over six decades.
inline ContactCase bead_chain(int n, double e) {
  ContactCase result{std::to_string(n) + " beads, e = " + to_text(e), {}, {}};
  LagrangianDescription description;
  double height = 0.0, lightest = 1e300, energy = 0.0;
  for (int i = 0; i < n; ++i) {
    const std::string name = "x" + std::to_string(i);
    const double mass = std::pow(10.0, random_between(-3.0, 3.0));
    description.coordinates.push_back(name);
    description.kinetic += (i > 0 ? " + " : "") + to_text(0.5 * mass) + "*" + name + "_dot^2";
    description.potential += (i > 0 ? " + " : "") + to_text(9.81 * mass) + "*" + name;
    description.constraints.push_back({.name = "c" + std::to_string(i),
                                       .gap = i == 0 ? name : name + " - x" + std::to_string(i - 1),
                                       .restitution = e});
    height += random_between(0.01, 0.1);
    result.start.q.push_back(height);
    result.start.v.push_back(0.0);
    energy += 9.81 * mass * height;
    lightest = std::min(lightest, mass);
  }
  result.model = lagrangian(description);
  result.energy = energy;
  result.speed = 2.0 * std::sqrt(2.0 * energy / lightest);
  return result;
}

// A rigid bar that falls on two supports.
inline ContactCase bar_on_supports(double e) {
  ContactCase result{"bar on supports, e = " + to_text(e), {}, {}};
  const double inertia = random_between(0.05, 0.5);
  const std::string left = to_text(random_between(0.1, 1.0)), right = to_text(random_between(0.1, 1.0));
  result.model = lagrangian({.coordinates = {"y", "phi"},
                             .kinetic = "y_dot^2/2 + " + to_text(0.5 * inertia) + "*phi_dot^2",
                             .potential = "9.81*y",
                             .constraints = {{.name = "left", .gap = "y - " + left + "*phi", .restitution = e},
                                             {.name = "right", .gap = "y + " + right + "*phi", .restitution = e}}});
  const double y = random_between(0.1, 0.5), phi = random_between(-0.09, 0.09);
  result.start = {.q = {y, phi}, .v = {0.0, random_between(-1.0, 1.0)}};
  result.energy = 9.81 * y + 0.5 * inertia;
  result.speed = std::sqrt(2.0 * result.energy) * (1.0 + 1.0 / std::sqrt(inertia));
  return result;
}

}  // namespace ricochet::testing
