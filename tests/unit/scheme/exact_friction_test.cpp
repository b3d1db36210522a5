// Friction of linear models in closed form.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "flow/linear_flow.hpp"
#include "ricochet/ricochet.hpp"
#include "support/difference.hpp"

namespace ricochet {
namespace {

using Flow = EventDriven::Flow;

using testing::difference;

const EventDriven exact{.flow = Flow::exact};
const EventDriven steps{.flow = Flow::runge_kutta, .rtol = 1e-13};

// A block on a table that moves with x' = 0.2 cos t. It sticks: the surface takes it along.
LagrangianDescription on_a_table(double mu) {
  return {.coordinates = {"x", "y"},
          .kinetic = "x_dot^2 + y_dot^2",
          .potential = "2*9.81*y",
          .constraints = {
              {.name = "table", .gap = "y", .restitution = 0.0, .friction = mu, .slip = {"x_dot - 0.2*cos(t)"}}}};
}

TEST(ExactFriction, WhatSticksMovesWithItsSurface) {
  const auto model = lagrangian(on_a_table(0.1));
  const Solution s = simulate(*model, {.q = {0.3, 0.0}, .v = {0.2, 0.0}}, {0.0, 50.0}, exact, {.h = 0.7});
  ASSERT_EQ(s.status, Status::completed) << s.failure.message;
  for (std::size_t k = 0; k < s.trajectory.t.size(); ++k)
    EXPECT_NEAR(s.trajectory.q[2 * k], 0.3 + 0.2 * std::sin(s.trajectory.t[k]), 1e-14 * (1.0 + s.trajectory.t[k]));
  // What the surface does is input.
  EXPECT_NEAR(s.energy.friction, 0.0, 1e-14);
  EXPECT_NEAR(s.energy.input, s.energy.final - s.energy.initial, 1e-14);
}

// It slides where μ g = 0.05 is less than the 0.2 sin t that would take it along: from the stick's end to where the
// slip vanishes again, v' = ∓μ g, known in closed form.
TEST(ExactFriction, ABlockIsLeftBehindAndCaught) {
  constexpr double pi = 3.14159265358979323846;
  const double g = 9.81, mu = 0.05 / g;
  const auto model = lagrangian(on_a_table(mu));
  // Stick ends at sin t = ¼, and the surface is slower than the block from then on.
  const double t0 = std::asin(0.25), v0 = 0.2 * std::cos(t0), x0 = 0.2 * std::sin(t0), t1 = 1.0;
  const Solution s = simulate(*model, {.q = {0.0, 0.0}, .v = {0.2, 0.0}}, {0.0, t1}, exact, {.h = t1});
  ASSERT_EQ(s.status, Status::completed) << s.failure.message;
  EXPECT_NEAR(s.final.v[0], v0 - 0.05 * (t1 - t0), 1e-12);
  EXPECT_NEAR(s.final.q[0], x0 + v0 * (t1 - t0) - 0.025 * (t1 - t0) * (t1 - t0), 1e-12);
  EXPECT_NEAR(s.energy.numerical, 0.0, 1e-14);
  // Through many of them: as steps find it.
  const State start{.q = {0.0, 0.0}, .v = {0.2, 0.0}};
  const Solution a = simulate(*model, start, {0.0, 6.0 * pi}, exact, {.h = 0.1}),
                 b = simulate(*model, start, {0.0, 6.0 * pi}, steps, {.h = 0.1});
  EXPECT_LT(difference(a.trajectory.q, b.trajectory.q), 1e-10);
  EXPECT_NEAR(a.energy.friction, b.energy.friction, 1e-10);
  EXPECT_LT(std::abs(a.energy.numerical), 1e-13 * a.energy.turnover);
}

// All kinds of rows at once: contacts with moving surfaces, a belt, a driven joint, a load; the forces of contacts that
// slide couple the modes.
TEST(ExactFriction, RandomSystems) {
  std::mt19937 random(11);
  std::uniform_real_distribution<double> uniform(-1.0, 1.0);
  const auto row = [&](const char* suffix) {
    std::string text;
    for (const char* name : {"a", "b", "c", "d"})
      text += fmt::format("{}({:.3f})*{}{}", text.empty() ? "" : " + ", uniform(random), name, suffix);
    return text;
  };
  const auto squares = [&](const char* suffix) {
    return fmt::format("(({})^2 + ({})^2 + ({})^2)/2", row(suffix), row(suffix), row(suffix));
  };
  int rubbed = 0;
  for (int k = 0; k < 12; ++k) {
    const auto model = lagrangian(
        {.coordinates = {"a", "b", "c", "d"},
         .kinetic = "(a_dot^2 + b_dot^2 + c_dot^2 + d_dot^2)/2 + " + squares("_dot"),
         .potential = squares("") + " + a + b",
         .dissipation = "0.1*" + squares("_dot"),
         .force = {{"c", "2*cos(3*t)"}},
         .constraints =
             {{.name = "one",
               .gap = row("") + " + 0.3*sin(2*t) + 0.4",
               .restitution = 0.4,
               .friction = 0.3,
               .slip = {row("_dot") + " + 0.2*cos(t)"}},
              {.name = "two", .gap = row("") + " + 0.4", .restitution = 0.0, .friction = 0.3, .slip = {row("_dot")}}},
         .joints = {{.name = "held", .equation = {row("") + " + 0.1*(cos(t) - 1)"}}},
         .frictions = {{.name = "belt", .slip = {row("_dot") + " - 0.5"}, .limit = 0.3}}});
    ASSERT_EQ(LinearFlow::obstacle(*model, 0.0), "");
    const State start{.q = {0.0, 0.0, 0.0, 0.0}};
    const auto run = [&](const EventDriven& scheme, double h) {
      try {
        return simulate(*model, start, {0.0, 3.0}, scheme, {.h = h});
      } catch (const InputError&) {  // a start off its joint
        Solution none;
        none.status = Status::failed;
        return none;
      }
    };
    const Solution a = run(exact, 0.05), b = run(steps, 0.05), c = run(exact, 3.0);
    if (b.status != Status::completed) continue;
    ASSERT_EQ(a.status, Status::completed) << k << ": " << a.failure.message;
    // Impacts of one contact that rattles onto another may be told apart differently: the motion is compared.
    EXPECT_LT(difference(a.final.q, b.final.q), 1e-8) << k;
    EXPECT_LT(difference(a.final.v, b.final.v), 1e-7) << k;
    EXPECT_LT(std::abs(a.energy.numerical), 1e-11 * a.energy.turnover) << k;
    EXPECT_LT(a.violation_max, 1e-11) << k;
    EXPECT_EQ(a.final.q, c.final.q) << k;
    EXPECT_EQ(a.final.v, c.final.v) << k;
    rubbed += a.energy.friction < -1e-3;
  }
  EXPECT_GE(rubbed, 8);
}

TEST(ExactFriction, SaysWhatIsNotInClosedForm) {
  LagrangianDescription block = on_a_table(0.1);
  block.constraints[0].friction = Quantity("0.1 + 0.01*x^2");
  EXPECT_EQ(LinearFlow::obstacle(*lagrangian(block), 0.0), "its friction is not constant");
  block.constraints[0].friction = 0.1;
  block.constraints[0].slip = {"x_dot", "y_dot"};
  EXPECT_EQ(LinearFlow::obstacle(*lagrangian(block), 0.0), "it has friction in space");
}

// Two blocks fall together: the contact between them is held and carries nothing, and so does its friction, though the
// lower one is on a spring. Then the lower one lands.
TEST(ExactFriction, AContactThatCarriesNothingHasNoFriction) {
  const auto model = lagrangian(
      {.coordinates = {"x", "y", "u", "w"},
       .kinetic = "(x_dot^2 + y_dot^2 + u_dot^2 + w_dot^2)/2",
       .potential = "9.81*(y + w) + 8*x^2",
       .constraints = {
           {.name = "floor", .gap = "y", .restitution = 0.5, .friction = 0.3, .slip = {"x_dot"}},
           {.name = "pair", .gap = "w - y", .restitution = 0.0, .friction = 0.5, .slip = {"u_dot - x_dot"}}}});
  const State start{.q = {0.1, 0.5, 0.0, 0.5}, .v = {0.0, 0.0, 0.0, 0.0}};
  const auto end = [&](EventDriven::Flow flow, double until) {
    const Solution solution =
        simulate(*model, start, {0.0, until}, EventDriven{.flow = flow, .rtol = 1e-12}, {.h = 0.01});
    EXPECT_EQ(solution.status, Status::completed) << solution.failure.message;
    return solution.final;
  };
  const State falling = end(EventDriven::Flow::exact, 0.3);
  EXPECT_NEAR(falling.q[0], 0.1 * std::cos(4.0 * 0.3), 1e-12);
  EXPECT_NEAR(falling.q[2], 0.0, 1e-15);
  const State exact = end(EventDriven::Flow::exact, 1.5), steps = end(EventDriven::Flow::runge_kutta, 1.5);
  for (int i = 0; i < 4; ++i) EXPECT_NEAR(exact.q[i], steps.q[i], 1e-9) << i;
}

}  // namespace
}  // namespace ricochet
