// When the result is recorded changes nothing of the motion, accumulations included, under schemes that choose their
// own steps.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <string>
#include <vector>

#include "ricochet/ricochet.hpp"

namespace ricochet {
namespace {

struct Accumulation {
  std::string name;
  LagrangianDescription description;
  State start;
  double until, turnover;
};

std::vector<Accumulation> accumulations() {
  return {{"a ball",
           {.coordinates = {"x"},
            .kinetic = "x_dot^2/2",
            .potential = "9.81*x",
            .constraints = {{.name = "floor", .gap = "x", .restitution = 0.5}}},
           {.q = {1.0}, .v = {0.0}},
           2.0,
           9.81},
          {"a ball on a shaking table",
           {.coordinates = {"x"},
            .kinetic = "x_dot^2/2",
            .potential = "9.81*x",
            .constraints = {{.name = "table", .gap = "x - 0.1*sin(12*t)", .restitution = 0.5}}},
           {.q = {0.5}, .v = {0.0}},
           2.0,
           10.0},
          {"two beads",
           {.coordinates = {"x", "y"},
            .kinetic = "(x_dot^2 + 3*y_dot^2)/2",
            .potential = "9.81*(x + 3*y)",
            .constraints = {{.name = "floor", .gap = "x", .restitution = 0.4},
                            {.name = "between", .gap = "y - x", .restitution = 0.4}}},
           {.q = {0.1, 0.3}, .v = {0.0, 0.0}},
           2.0,
           9.81},
          {"a bar on two supports",
           {.coordinates = {"y", "phi"},
            .kinetic = "y_dot^2/2 + 0.1*phi_dot^2",
            .potential = "9.81*y",
            .constraints = {{.name = "left", .gap = "y - 0.4*phi", .restitution = 0.5},
                            {.name = "right", .gap = "y + 0.7*phi", .restitution = 0.5}}},
           {.q = {0.5, 0.2}, .v = {0.0, 0.0}},
           4.0,
           4.9},
          {"a block that is dragged to and fro",
           {.coordinates = {"x", "y"},
            .kinetic = "(x_dot^2 + y_dot^2)/2",
            .potential = "9.81*y",
            .force = {{"x", "6*sin(3*t)"}},
            .constraints = {{.name = "floor", .gap = "y", .restitution = 0.5, .friction = 0.4, .slip = {"x_dot"}}}},
           {.q = {0.0, 0.2}, .v = {1.0, 0.0}},
           3.0,
           10.0}};
}

// What one recording leaves: by system and scheme, for all cases to be compared with.
const Solution& once(const Accumulation& system, const std::string& name, const Scheme& scheme) {
  static std::map<std::string, Solution> known;
  const auto [place, is_new] = known.try_emplace(system.name + name);
  if (is_new) {
    const auto model = lagrangian(system.description);
    place->second = simulate(*model, system.start, {0.0, system.until}, scheme, {.h = 0.05});
  }
  return place->second;
}

double largest_difference(const std::vector<double>& a, const std::vector<double>& b) {
  double largest = 0.0;
  for (std::size_t i = 0; i < a.size(); ++i) largest = std::max(largest, std::abs(a[i] - b[i]));
  return largest;
}

double account_difference(const Solution& a, const Solution& b) {
  const auto terms = [](const Solution& s) {
    return std::vector<double>{s.energy.input, s.energy.damping, s.energy.impact, s.energy.friction, s.energy.final};
  };
  return largest_difference(terms(a), terms(b));
}

// Exact flights to the bit, their account to its round-off; steps to their tolerances, which make a hundred times more
// of a time in a velocity where the table throws the ball off.
RC_GTEST_PROP(Recording, DoesNotMatter, ()) {
  struct Variant {
    std::string name;
    Scheme scheme;
    double q, v, energy;
  };
  const std::vector<Variant> variants = {
      {"exact", EventDriven{.flow = EventDriven::Flow::exact}, 0.0, 0.0, 1e-14},
      {"runge-kutta", EventDriven{.flow = EventDriven::Flow::runge_kutta}, 1e-9, 1e-8, 1e-7},
      {"splitting", Splitting{.steps = Splitting::Steps::adaptive}, 1e-6, 1e-4, 1e-4},
      {"adaptive", MoreauJeanAdaptive{}, 1e-5, 1e-4, 1e-4},
      {"penalty", Penalty{.stiffness = 1e6}, 1e-5, 1e-5, 1e-4}};
  static const std::vector<Accumulation> systems = accumulations();
  const Accumulation& system =
      systems[static_cast<std::size_t>(*rc::gen::inRange(0, static_cast<int>(systems.size())))];
  const double h = std::pow(10.0, -3.0 + 3.3 * static_cast<double>(*rc::gen::inRange(0, 1'000'001)) / 1e6);
  const auto model = lagrangian(system.description);
  for (const Variant& variant : variants) {
    const Solution& known = once(system, variant.name, variant.scheme);
    const Solution s = simulate(*model, system.start, {0.0, system.until}, variant.scheme, {.h = h});
    const double dq = largest_difference(s.final.q, known.final.q), dv = largest_difference(s.final.v, known.final.v);
    RC_LOG() << system.name << ", " << variant.name << ", h = " << h << ": " << s.failure.message << " q " << dq
             << " v " << dv << " account " << account_difference(s, known) << " impacts " << s.impact_count << " "
             << known.impact_count << std::endl;
    RC_ASSERT(s.status == Status::completed);
    RC_ASSERT(dq <= variant.q);
    RC_ASSERT(dv <= variant.v);
    RC_ASSERT(account_difference(s, known) <= variant.energy * system.turnover);
    if (variant.scheme.name == "event-driven") RC_ASSERT(s.impact_count == known.impact_count);
  }
}

}  // namespace
}  // namespace ricochet
