// Tori, branch points and impacts that meet, where they are known.
//
// A ball under gravity 1 on a table −Γ cos t, Γ = 1.5 and e = ½, whose orbit of one impact a period is stable, and
// beside it a coordinate y of its own. Γ = 1.5 + p/100 makes the orbit depend on p.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <numbers>

#include "ricochet/ricochet.hpp"
#include "ricochet/study/continuation.hpp"

namespace ricochet {
namespace {

using std::numbers::pi;

LagrangianDescription ball_beside(const std::string& potential, const std::string& force) {
  LagrangianDescription model;
  model.coordinates = {"x", "y"};
  model.parameters = {{"p", 0.0}};
  model.kinetic = "(x_dot^2 + y_dot^2)/2";
  model.potential = "x + " + potential;
  model.force = {{"y", force}};
  model.constraints = {{.name = "table", .gap = "x + (1.5 + p/100)*cos(t)", .restitution = 0.5}};
  return model;
}

// At the top, between two impacts at the phase ψ with sin ψ = π (1 − e)/(1 + e)/Γ.
const double phase = pi - std::asin(pi / 3.0 / 1.5);
const double height = -1.5 * std::cos(phase) + 0.5 * pi * pi;

Continuation followed(const LagrangianDescription& model, const State& start, double p) {
  const LagrangianFamily equations(model);
  const OrbitFamily family = [&](double value) {
    return OrbitSystem{std::shared_ptr<const Model>(equations.model({value})), 2.0 * pi};
  };
  const OrbitSearch found = find_orbit(family(p), start, {.guessed = 1});
  EXPECT_EQ(found.failure, "");
  if (!found.failure.empty()) return {};
  return continue_orbit(family, found.orbit, p, {.from = p, .until = -p});
}

// The one point of its kind.
void expect_at(const Continuation& all, SpecialKind kind, double parameter, double within) {
  std::string listing;
  int count = 0;
  for (const SpecialPoint& point : all.points) {
    listing += fmt::format("{} at {:.13g}: {}\n", name(point.kind), point.parameter, point.sentence);
    if (point.kind != kind) continue;
    ++count;
    EXPECT_NEAR(point.parameter, parameter, within);
  }
  EXPECT_EQ(count, 1) << listing;
}

// y'' + p y' + 2 y = 0: its multipliers exp(2πλ), λ² + pλ + 2 = 0, have the modulus exp(−πp).
TEST(SpecialPoints, TorusWhereDampingVanishes) {
  const Continuation all = followed(ball_beside("y^2", "-p*y_dot"), {phase + pi, {height, 0.0}, {0.0, 0.0}}, 0.1);
  expect_at(all, SpecialKind::torus, 0.0, 1e-8);
  for (const OrbitBranch& branch : all.branches)
    for (const BranchPoint& point : branch.points)
      if (std::abs(point.parameter) > 1e-6) {
        EXPECT_EQ(point.orbit.stable, point.parameter > 0.0) << point.parameter;
      }
}

// y'' + 0.3 y' + p y + y³ = 0: beside y = 0 there are y = ±√−p for p < 0.
TEST(SpecialPoints, BranchWhereARestSplits) {
  const Continuation all =
      followed(ball_beside("p*y^2/2 + y^4/4", "-0.3*y_dot"), {phase + pi, {height, 0.0}, {0.0, 0.0}}, 0.1);
  expect_at(all, SpecialKind::branch, 0.0, 1e-8);
}

// A second ball whose table is late by p: both are struck at once at p = 0.
TEST(SpecialPoints, MeetingOfTwoBalls) {
  LagrangianDescription model = ball_beside("y", "0");
  model.constraints[0].gap = "x + 1.5*cos(t)";
  model.constraints.push_back({.name = "late", .gap = "y + 1.5*cos(t - p)", .restitution = 0.5});
  const double p = 0.1;
  const Continuation all = followed(model, {phase + pi, {height, height - 0.5 * p * p}, {0.0, p}}, p);
  expect_at(all, SpecialKind::meeting, 0.0, 1e-8);
}

}  // namespace
}  // namespace ricochet
