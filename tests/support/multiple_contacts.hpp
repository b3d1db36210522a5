// Random systems whose contacts meet.
#pragma once

#include <rapidcheck.h>

#include <algorithm>
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

// Beads above each other over a floor, masses over six decades; or all at one height, touching each other.
inline ContactCase bead_chain(int n, double e, bool touching = false) {
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
    if (i == 0 || !touching) height += random_between(0.01, 0.1);
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

// A bar on three to eight supports, more than carry it, with a spring and loads that come and go.
inline ContactCase redundant_supports(double e) {
  ContactCase result{"redundant supports, e = " + to_text(e), {}, {}};
  const auto wave = [](double most) {
    return Quantity(to_text(random_between(0.0, most)) + "*sin(" + to_text(random_between(0.5, 9.0)) + "*t)");
  };
  LagrangianDescription description{.coordinates = {"y", "phi"},
                                    .kinetic = "y_dot^2/2 + " + to_text(0.5 * random_between(0.05, 0.5)) + "*phi_dot^2",
                                    .potential = "9.81*y + " + to_text(random_between(0.0, 20.0)) + "*phi^2",
                                    .force = {{"y", wave(12.0)}, {"phi", wave(6.0)}}};
  const int n = *rc::gen::inRange(3, 9);
  double x = -random_between(0.3, 1.0);
  for (int i = 0; i < n; ++i) {
    description.constraints.push_back(
        {.name = "s" + std::to_string(i), .gap = "y + (" + to_text(x) + ")*phi", .restitution = e});
    x += random_between(0.1, 0.6);
  }
  result.model = lagrangian(description);
  result.start = {.q = {std::max(0.0, random_between(-0.2, 0.5)), 0.0}, .v = {0.0, 0.0}};
  result.energy = 30.0;
  return result;
}

// A table on four to eight legs around its middle, flat on the floor or above it, with springs and loads.
inline ContactCase redundant_legs(double e) {
  ContactCase result{"redundant legs, e = " + to_text(e), {}, {}};
  LagrangianDescription description{.coordinates = {"z", "a", "b"}, .kinetic = "z_dot^2/2", .potential = "9.81*z"};
  for (const std::string x : {"a", "b"}) {
    description.kinetic += " + " + to_text(0.5 * random_between(0.05, 0.5)) + "*" + x + "_dot^2";
    description.potential += " + " + to_text(random_between(0.0, 20.0)) + "*" + x + "^2";
  }
  for (const std::string& x : description.coordinates)
    description.force.emplace_back(x, Quantity(to_text(random_between(0.0, x == "z" ? 12.0 : 4.0)) + "*sin(" +
                                               to_text(random_between(0.5, 9.0)) + "*t)"));
  const int n = *rc::gen::inRange(4, 9);
  for (int i = 0; i < n; ++i) {
    const double angle = 2.0 * 3.14159265358979323846 * i / n;
    description.constraints.push_back(
        {.name = "s" + std::to_string(i),
         .gap = "z + (" + to_text(std::cos(angle)) + ")*a + (" + to_text(std::sin(angle)) + ")*b",
         .restitution = e});
  }
  result.model = lagrangian(description);
  result.start = {.q = {std::max(0.0, random_between(-0.2, 0.5)), 0.0, 0.0}, .v = {0.0, 0.0, 0.0}};
  result.energy = 30.0;
  return result;
}

// Masses over six decades on springs above a floor that may move, each a stop for the next, all of them shaken; damping
// none, of each mass by itself or in one proportion.
inline ContactCase sprung_chain(int n, double e, bool moving) {
  ContactCase result{std::to_string(n) + " masses on springs, e = " + to_text(e), {}, {}};
  LagrangianDescription description;
  const int damped = *rc::gen::inRange(0, 3);
  for (int i = 0; i < n; ++i) {
    const std::string x = "x" + std::to_string(i), below = "x" + std::to_string(i - 1), plus = i > 0 ? " + " : "";
    const double mass = std::pow(10.0, random_between(-3.0, 3.0)), k = mass * std::pow(10.0, random_between(-1.0, 2.0));
    description.coordinates.push_back(x);
    description.kinetic += plus + to_text(0.5 * mass) + "*" + x + "_dot^2";
    description.potential +=
        plus + to_text(0.5 * k) + "*(" + (i == 0 ? x : x + " - " + below) + ")^2 + " + to_text(9.81 * mass) + "*" + x;
    if (damped > 0)
      description.dissipation +=
          plus + to_text(0.5 * mass * (damped == 1 ? random_between(0.0, 1.0) : 0.1)) + "*" + x + "_dot^2";
    description.force.emplace_back(
        x, Quantity(to_text(mass * random_between(0.0, 20.0)) + "*cos(" + to_text(random_between(0.5, 20.0)) + "*t)"));
    const std::string floor = moving ? " - 0.03*sin(" + to_text(random_between(1.0, 30.0)) + "*t)" : "";
    description.constraints.push_back({.name = "c" + std::to_string(i),
                                       .gap = (i == 0 ? x + floor : x + " - " + below) + " + 0.05",
                                       .restitution = e});
    result.start.q.push_back(0.0);
    result.start.v.push_back(0.0);
    result.energy += mass;
  }
  result.model = lagrangian(description);
  return result;
}

}  // namespace ricochet::testing
