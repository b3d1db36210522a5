// kind = "bead-column" and kind = "bead-chain".
#include <fmt/format.h>

#include <cmath>

#include "scenario/build/build_model.hpp"
#include "scenario/checks.hpp"

namespace ricochet {

namespace {

// n equal masses in a row, the gap between neighbours q_i − q_{i−1} + offset.
LinearSystemData beads(int n, double mass, double offset, double restitution, const char* name) {
  LinearSystemData system;
  std::vector<Triplet> entries;
  for (int i = 0; i < n; ++i) {
    system.coordinates.push_back(fmt::format("{}{}", name, i));
    entries.push_back({i, i, mass});
    if (i > 0) system.gaps.push_back({fmt::format("contact{}", i), {{i - 1, -1.0}, {i, 1.0}}, offset, restitution});
  }
  system.mass = sparse_from_triplets(n, n, std::move(entries));
  return system;
}

BuiltModel finished(BuiltModel built, LinearSystemData system, const Sources& sources) {
  built.coordinates = system.coordinates;
  built.model = linear(std::move(system));
  built.parameters = sources.parameters();
  return built;
}

// The next centre up. Beads that touch must not stand apart by round-off: that would be a fall.
double above(double below, double distance, double spacing) {
  double y = below + (distance + spacing);
  while (spacing == 0.0 && (y - below) - distance > 0.0) y = std::nextafter(y, below);
  return y;
}

}  // namespace

// Heights y of the centres: y₀ − r ≥ floor, y_i − y_{i−1} − 2r ≥ 0.
BuiltModel build_model(const BeadColumnDescription& description, const Attachments* files) {
  const Sources sources(description.parameters, files);
  const int n = checked_count(description.count, "count");
  const double r = sources.value(description.radius, "radius", positive);
  const double m = sources.value(description.mass, "mass", positive);
  const double g = sources.value(description.gravity, "gravity");
  const double e = sources.value(description.restitution, "restitution", zero_to_one);
  const double e_floor = description.floor_restitution
                             ? sources.value(*description.floor_restitution, "floor_restitution", zero_to_one)
                             : e;
  const double floor = sources.value(description.floor, "floor");
  const double spacing = sources.value(description.spacing, "spacing", {0.0});

  LinearSystemData system = beads(n, m, -2.0 * r, e, "y");
  system.gaps.insert(system.gaps.begin(), {"floor", {{0, 1.0}}, -(floor + r), e_floor});
  system.weight.assign(n, -m * g);

  BuiltModel built;
  built.rest.push_back(floor + r + spacing);
  for (int i = 1; i < n; ++i) built.rest.push_back(above(built.rest.back(), 2.0 * r, spacing));
  return finished(std::move(built), std::move(system), sources);
}

// Displacements x from where each bead hangs or lies: x_i − x_{i−1} + spacing ≥ 0; hanging beads have the stiffness
// m g / length of a pendulum of small amplitude.
BuiltModel build_model(const BeadChainDescription& description, const Attachments* files) {
  const Sources sources(description.parameters, files);
  const int n = checked_count(description.count, "count");
  const double m = sources.value(description.mass, "mass", positive);
  const double e = sources.value(description.restitution, "restitution", zero_to_one);
  LinearSystemData system = beads(n, m, sources.value(description.spacing, "spacing", {0.0}), e, "x");
  if (description.length) {
    const double stiffness = m * sources.value(description.gravity, "gravity", {0.0}) /
                             sources.value(*description.length, "length", positive);
    system.stiffness = system.mass;
    for (double& entry : system.stiffness.values) entry = stiffness;
  }

  return finished({}, std::move(system), sources);
}

}  // namespace ricochet
