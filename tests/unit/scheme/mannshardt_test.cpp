// Facts about the scheme mannshardt: brackets, releases, closing, and cases that break others.
#include "ricochet/scheme/mannshardt.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "ricochet/core/quantity.hpp"
#include "ricochet/ricochet.hpp"
#include "scheme/event/bracket.hpp"
#include "scheme/kernel/held_contacts_step.hpp"
#include "support/problems.hpp"

namespace ricochet {
namespace {

using testing::ball_description;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

const Scheme gauss_3 = Mannshardt{.tableau = "gauss-3"};

double sum(const std::vector<double>& x) { return std::accumulate(x.begin(), x.end(), 0.0); }

TEST(Bracket, EndsWithTheWidthAskedForAroundTheRoot) {
  for (const double root : {0.3, 0.9999, 1e-4}) {
    const auto f = [root](double x) { return (root - x) * (1.0 + x * x); };
    for (const double width : {1e-2, 1e-6, 1e-14}) {
      Bracket bracket(0.0, f(0.0), 1.0, f(1.0));
      int looks = 0;
      while (bracket.width() > width && looks < 60) {
        const double x = bracket.next(0.5 * width);
        bracket.take(x, f(x));
        ++looks;
      }
      EXPECT_LE(bracket.width(), width);
      EXPECT_LT(looks, 25) << root << " " << width;
      EXPECT_LE(bracket.lower(), root + 1e-16);
      EXPECT_GE(bracket.upper(), root - 1e-16);
    }
  }
}

// x'' = −9.81 with x held by nothing: positions along the step are exact, and the works follow the table's weights.
TEST(HeldContactsStep, PositionsWorksAndImpulses) {
  LagrangianDescription description = ball_description(9.81, 0.5);
  description.force = {{"x", "3"}};
  const auto ball = lagrangian(description);
  for (const char* name : {"heun", "rk4", "dormand-prince", "gauss-1", "gauss-2", "radau-iia-3"}) {
    HeldContactsStep step(*ball, find_tableau(name));
    const double y[] = {2.0, 1.0};
    ASSERT_EQ(step.begin(0.0, y, false), FailureKind::none);
    ASSERT_EQ(step.attempt(0.4), FailureKind::none);
    const double a = 3.0 - 9.81, rise = 0.4 + 0.5 * a * 0.16;
    EXPECT_NEAR(step.end()[0], 2.0 + rise, 1e-14) << name;
    EXPECT_NEAR(step.input(), 3.0 * rise, 1e-13) << name;
    const DenseOutput& positions = step.positions();
    EXPECT_NEAR(positions.value(0, 0.25), 2.0 + 0.1 + 0.5 * a * 0.01, 1e-14) << name;
    // Another length from the same point, then held at rest: the contact carries the rest of the weight.
    ASSERT_EQ(step.attempt(0.1), FailureKind::none);
    EXPECT_NEAR(step.end()[0], 2.1 + 0.5 * a * 0.01, 1e-14) << name;
    const double at_rest[] = {0.0, 0.0};
    step.flow().set_closed(0, true);
    ASSERT_EQ(step.begin(0.0, at_rest, false), FailureKind::none);
    ASSERT_EQ(step.attempt(0.4), FailureKind::none);
    ASSERT_EQ(step.evaluate_end(), FailureKind::none);
    EXPECT_NEAR(step.impulse(0), -a * 0.4, 1e-13) << name;
    EXPECT_NEAR(step.start_force(0), -a, 1e-14) << name;
    EXPECT_NEAR(step.end_force(0), -a, 1e-14) << name;
  }
}

// The error across an impact is that of the bracket: it follows C.
TEST(Mannshardt, ErrorFollowsTheBracket) {
  const auto ball = lagrangian(ball_description(2.0, 0.5));
  const testing::ExactBall exact(2.0, 0.5);
  const auto error = [&](double C) {
    const Solution s = simulate(*ball, {.q = {1.0}}, {0.0, 1.55}, Mannshardt{.bracket = C}, {.h = 0.11});
    EXPECT_EQ(s.impact_count, 1u);
    return std::abs(s.final.q[0] - exact(1.55).q);
  };
  const double one = error(1.0), hundredth = error(0.01);
  EXPECT_LT(one, 1.5 * std::pow(0.11, 5));
  EXPECT_GT(one, 0.05 * std::pow(0.11, 5));
  EXPECT_NEAR(hundredth / one, 0.01, 0.005);
  EXPECT_LT(error(0.0), 1e-14) << "as well as numbers allow";
}

TEST(Mannshardt, ElasticBallKeepsItsEnergyForAThousandImpacts) {
  const auto ball = lagrangian(ball_description(9.81, 1.0));
  for (const char* tableau : {"gauss-2", "rk4"}) {
    const Solution s = simulate(*ball, {.q = {1.0}}, {0.0, 903.5}, Mannshardt{.tableau = tableau}, {.h = 0.05});
    EXPECT_EQ(s.impact_count, 1001u) << tableau;
    EXPECT_NEAR(s.energy.final / s.energy.initial, 1.0, 1e-9) << tableau;
  }
}

// e = 0.99: the impacts accumulate at √(2 q₀/g) (1 + e)/(1 − e).
TEST(Mannshardt, AccumulationEndsAndIsTold) {
  const auto ball = lagrangian(ball_description(9.81, 0.99));
  const Solution s = simulate(*ball, {.q = {0.01}}, {0.0, 12.0}, gauss_3, {.h = 0.01});
  ASSERT_EQ(s.status, Status::completed);
  EXPECT_GT(s.impact_count, 1500u);
  EXPECT_LT(s.impact_count, 3500u);
  EXPECT_NEAR(s.impacts.back().t, std::sqrt(0.02 / 9.81) * 199.0, 1e-7);
  EXPECT_NEAR(s.final.q[0], 0.0, 1e-14);
  EXPECT_EQ(s.final.v[0], 0.0);
  ASSERT_EQ(s.notes.size(), 1u);
  EXPECT_THAT(s.notes[0], HasSubstr("contact floor closed at t = 8.98532"));
  EXPECT_THAT(s.notes[0], HasSubstr("after " + std::to_string(s.impact_count) + " impacts"));
}

// A wheel that drives itself into the corner of floor and wall: each strikes it off the other by its friction, a tenth
// as fast every time, down to flights that the round-off of gaps does not show.
TEST(Mannshardt, BlowsOfFrictionBetweenTwoWallsEnd) {
  const auto wheel = lagrangian(
      {.coordinates = {"x", "y", "phi"},
       .kinetic = "(x_dot^2 + y_dot^2)/2 + 0.0165*phi_dot^2",
       .potential = "9.81*(y*cos(0.5) - x*sin(0.5))",
       .force = {{"phi", "2*sin(6*t)"}},
       .constraints = {
           {.name = "floor", .gap = "y - 0.2", .restitution = 0.0, .friction = 0.1, .slip = {"x_dot - 0.2*phi_dot"}},
           {.name = "wall", .gap = "0.8 - x", .restitution = 0.0, .friction = 0.1, .slip = {"y_dot + 0.2*phi_dot"}}}});
  const State start{.q = {0.0, 0.5, 0.0}, .v = {-1.0, 0.0, -10.0}};
  const Solution fixed = simulate(*wheel, start, {0.0, 1.0}, Mannshardt{}, {.h = 1e-3});
  const Solution event = simulate(*wheel, start, {0.0, 1.0}, EventDriven{}, {.h = 0.01});
  ASSERT_EQ(fixed.status, Status::completed) << fixed.failure.message;
  EXPECT_GT(fixed.impact_count, 6u);
  EXPECT_LT(fixed.statistics.contact_problems, 1000u);
  for (int i = 0; i < 3; ++i) EXPECT_NEAR(fixed.final.q[i], event.final.q[i], 1e-7) << i;
}

// A block that rocks from foot to foot until it lies: bounces of each foot end, and then those of the rocking.
TEST(Mannshardt, RockingOnRoughFeetEnds) {
  const double width = 0.3277283350825019, height = 0.41262741593658087;
  LagrangianDescription block{.coordinates = {"x", "y", "phi"},
                              .kinetic = "(x_dot^2 + y_dot^2 + 0.067*phi_dot^2)/2",
                              .potential = "9.81*(y*cos(0.2) - x*sin(0.2))"};
  for (const double foot : {-width, width, 0.2 * width})
    block.constraints.push_back(
        {.name = "foot" + std::to_string(block.constraints.size()),
         .gap = fmt::format("y + ({})*sin(phi) - {}*cos(phi)", foot, height),
         .restitution = 0.3,
         .friction = 0.8,
         .slip = {fmt::format("x_dot + (({})*cos(phi) - ({})*sin(phi))*phi_dot", height, foot)}});
  const auto model = lagrangian(block);
  for (const double speed : {0.5, 0.75, 1.0, 1.25}) {
    const Solution s =
        simulate(*model, {.q = {0.0, height, 0.0}, .v = {speed, 0.0, 0.0}}, {0.0, 1.0}, Mannshardt{}, {.h = 1e-3});
    ASSERT_EQ(s.status, Status::completed) << speed << ": " << s.failure.message;
    EXPECT_LT(s.statistics.contact_problems, 5000u) << speed;
    EXPECT_NEAR(s.final.q[2], 0.0, 1e-12) << speed;
    EXPECT_NEAR(s.final.v[0], 0.0, 1e-12) << speed;
  }
}

// Between two walls, 0.1 apart, at speed 3: six impacts in the first step.
TEST(Mannshardt, SeveralImpactsInOneStep) {
  const auto box = lagrangian({.coordinates = {"x"},
                               .kinetic = "x_dot^2/2",
                               .constraints = {{.name = "left", .gap = "x", .restitution = 1.0},
                                               {.name = "right", .gap = "0.1 - x", .restitution = 1.0}}});
  const Solution s = simulate(*box, {.q = {0.05}, .v = {3.0}}, {0.0, 0.2}, gauss_3, {.h = 0.2});
  ASSERT_EQ(s.impact_count, 6u);
  for (int k = 0; k < 6; ++k) {
    EXPECT_NEAR(s.impacts[static_cast<std::size_t>(k)].t, (0.05 + 0.1 * k) / 3.0, 1e-4);
    EXPECT_EQ(s.impacts[static_cast<std::size_t>(k)].constraint, k % 2 == 0 ? 1 : 0);
  }
  // Brackets of width h⁷: each of the six impacts moves the particle by at most 2 · 3 · h⁷.
  EXPECT_NEAR(s.final.q[0], 0.05, 36.0 * std::pow(0.2, 7));
  EXPECT_NEAR(s.final.v[0], 3.0, 1e-14);
}

// x = cos t against a wall near −1, with long steps: both crossings, or none, lie inside one step.
TEST(Mannshardt, GrazingOnBothSides) {
  const auto run = [](const std::string& gap) {
    const auto model = lagrangian({.coordinates = {"x"},
                                   .kinetic = "x_dot^2/2",
                                   .potential = "x^2/2",
                                   .constraints = {{.name = "wall", .gap = gap, .restitution = 0.5}}});
    return simulate(*model, {.q = {1.0}}, {0.0, 5.0}, gauss_3, {.h = 0.25});
  };
  EXPECT_EQ(run("x + 1.0001").impact_count, 0u);
  const Solution touches = run("x + 1");
  EXPECT_NEAR(touches.final.q[0], std::cos(5.0), 1e-6);
  const Solution hits = run("x + 0.9999");
  ASSERT_EQ(hits.impact_count, 1u);
  const double width = std::pow(0.25, 7);
  EXPECT_NEAR(hits.impacts[0].t, std::acos(-0.9999), width);
  EXPECT_NEAR(hits.impacts[0].rate_minus, -std::sqrt(1.0 - 0.9999 * 0.9999), width);
}

// Two masses on a spring against a wall. Inelastic: the first one stays at the wall for half a period and is then drawn
// off. Elastic: the energy is kept.
TEST(Mannshardt, PermanentContactAfterImpact) {
  const auto model = [](double e) {
    return lagrangian({.coordinates = {"x", "y"},
                       .kinetic = "(x_dot^2 + y_dot^2)/2",
                       .potential = "50*(y - x - 1)^2",
                       .constraints = {{.name = "wall", .gap = "x", .restitution = e}}});
  };
  const State start{.q = {1.0, 2.0}, .v = {-1.0, -1.0}};
  const Solution soft = simulate(*model(0.0), start, {0.0, 3.0}, gauss_3, {.h = 0.01});
  ASSERT_EQ(soft.impact_count, 1u);
  EXPECT_NEAR(soft.impacts[0].t, 1.0, 1e-12);
  const std::size_t before = 131, after = 132;  // released at 1 + π/10 = 1.3142
  EXPECT_NEAR(soft.trajectory.q[2 * before], 0.0, 1e-14);
  EXPECT_GT(soft.trajectory.q[2 * after], 1e-8);
  EXPECT_NEAR(soft.energy.final, 0.5, 1e-12);
  EXPECT_NEAR(sum(soft.trajectory.impulse), 3.0, 1e-9) << "1 in the impact, 2 while the second mass turns round";
  const Solution hard = simulate(*model(1.0), start, {0.0, 3.0}, gauss_3, {.h = 0.01});
  EXPECT_EQ(hard.impact_count, 2u);
  EXPECT_NEAR(hard.energy.final, 1.0, 1e-12);
}

// Exactly at contact with zero, opening and closing rate; the last two accumulate at t = 2 U/g/(1 − e).
TEST(Mannshardt, StartsAtContact) {
  const auto ball = lagrangian(ball_description(2.0, 0.5));
  const Solution rests = simulate(*ball, {.q = {0.0}, .v = {0.0}}, {0.0, 1.0}, Mannshardt{}, {.h = 0.05});
  EXPECT_EQ(rests.impact_count, 0u);
  EXPECT_EQ(rests.final.q[0], 0.0);
  EXPECT_NEAR(sum(rests.trajectory.impulse), 2.0, 1e-13);
  const Solution opens = simulate(*ball, {.q = {0.0}, .v = {1.0}}, {0.0, 3.0}, gauss_3, {.h = 0.05});
  EXPECT_NEAR(opens.impacts.at(0).t, 1.0, 1e-9);
  EXPECT_NEAR(opens.impacts.back().t, 2.0, 1e-7);
  const Solution closes = simulate(*ball, {.q = {0.0}, .v = {-1.0}}, {0.0, 3.0}, gauss_3, {.h = 0.05});
  EXPECT_EQ(closes.impacts.at(0).t, 0.0);
  EXPECT_NEAR(closes.impacts.at(1).t, 0.5, 1e-9);
  EXPECT_NEAR(closes.impacts.back().t, 1.0, 1e-7);
  EXPECT_NEAR(closes.final.q[0], 0.0, 1e-14);
}

// The table sinks away faster than the ball can fall, or takes it along.
TEST(Mannshardt, GapOpensByItself) {
  LagrangianDescription description = ball_description(2.0, 0.5);
  description.constraints[0].gap = "x + 2*t^2";
  const Solution falls = simulate(*lagrangian(description), {.q = {0.0}}, {0.0, 1.0}, Mannshardt{}, {.h = 0.05});
  EXPECT_EQ(falls.impact_count, 0u);
  EXPECT_NEAR(falls.final.q[0], -1.0, 1e-14);
  EXPECT_EQ(sum(falls.trajectory.impulse), 0.0);
  // x = sin(12 t)/10 outruns gravity where sin(12 t) > 9.81/14.4.
  description = ball_description(9.81, 0.0);
  description.constraints[0].gap = "x - 0.1*sin(12*t)";
  const Solution thrown =
      simulate(*lagrangian(description), {.q = {0.0}, .v = {1.2}}, {0.0, 0.2}, gauss_3, {.h = 0.01});
  const double t1 = std::asin(9.81 / 14.4) / 12.0, s = 0.2 - t1;
  EXPECT_NEAR(thrown.final.q[0], 0.1 * std::sin(12.0 * t1) + 1.2 * std::cos(12.0 * t1) * s - 0.5 * 9.81 * s * s, 1e-11);
}

// Delassus: held on both sides, both contacts would have to pull, λ = (−2.9, −2.1). Only the first opens: W = ((1,
// −0.9), (−0.9, 1)) and Γ = (1, −0.5) without contact forces give λ = (0, 0.5), Γ = (0.55, 0).
TEST(Mannshardt, ReleasesOnlyWhoMustOpen) {
  const auto model = lagrangian({.coordinates = {"x", "y"},
                                 .kinetic = "(x_dot^2 + y_dot^2 + 1.8*x_dot*y_dot)/(2*0.19)",
                                 .force = {{"x", "0.55/0.19"}, {"y", "0.4/0.19"}},
                                 .constraints = {{.name = "first", .gap = "x", .restitution = 0.0},
                                                 {.name = "second", .gap = "y", .restitution = 0.0}}});
  const Solution s = simulate(*model, {.q = {0.0, 0.0}}, {0.0, 1.0}, Mannshardt{}, {.h = 0.1});
  EXPECT_EQ(s.impact_count, 0u);
  EXPECT_NEAR(s.final.q[0], 0.275, 1e-12);
  EXPECT_NEAR(s.final.q[1], 0.0, 1e-14);
  double first = 0.0, second = 0.0;
  for (std::size_t i = 0; i < s.trajectory.impulse.size(); i += 2) {
    first += s.trajectory.impulse[i];
    second += s.trajectory.impulse[i + 1];
  }
  EXPECT_EQ(first, 0.0);
  EXPECT_NEAR(second, 0.5, 1e-12);
}

// A plank on three supports in a row, loaded beside the middle: one of three forces is redundant.
TEST(Mannshardt, RedundantSupports) {
  const auto plank = lagrangian({.coordinates = {"y", "a"},
                                 .kinetic = "(y_dot^2 + 0.3*a_dot^2)/2",
                                 .potential = "9.81*y + 3*a",
                                 .constraints = {{.name = "left", .gap = "y - 0.5*a", .restitution = 0.5},
                                                 {.name = "middle", .gap = "y", .restitution = 0.5},
                                                 {.name = "right", .gap = "y + 0.5*a", .restitution = 0.5}}});
  const Solution rests = simulate(*plank, {.q = {0.0, 0.0}}, {0.0, 1.0}, Mannshardt{}, {.h = 0.05});
  ASSERT_EQ(rests.status, Status::completed) << rests.failure.message;
  EXPECT_EQ(rests.impact_count, 0u);
  EXPECT_NEAR(sum(rests.trajectory.impulse), 9.81, 1e-10);
  const Solution falls = simulate(*plank, {.q = {0.5, 0.2}}, {0.0, 4.0}, Mannshardt{}, {.h = 0.01});
  ASSERT_EQ(falls.status, Status::completed) << falls.failure.message;
  EXPECT_NEAR(falls.final.q[0], 0.0, 1e-13);
  EXPECT_NEAR(falls.final.q[1], 0.0, 1e-13);
  EXPECT_LT(falls.violation_max, 1e-12);
}

// Four blocks fall on each other: impacts accumulate in all contacts at once, at gaps below round-off.
TEST(Mannshardt, StackCollapses) {
  const auto stack = lagrangian({.coordinates = {"a", "b", "c", "d"},
                                 .kinetic = "(a_dot^2 + 2*b_dot^2 + c_dot^2 + 3*d_dot^2)/2",
                                 .potential = "9.81*(a + 2*b + c + 3*d)",
                                 .constraints = {{.name = "floor", .gap = "a", .restitution = 0.5},
                                                 {.name = "ab", .gap = "b - a - 0.1", .restitution = 0.6},
                                                 {.name = "bc", .gap = "c - b - 0.1", .restitution = 0.3},
                                                 {.name = "cd", .gap = "d - c - 0.1", .restitution = 0.7}}});
  for (const char* tableau : {"gauss-2", "gauss-3", "rk4", "dormand-prince"}) {
    const Solution s =
        simulate(*stack, {.q = {0.2, 0.5, 0.8, 1.0}}, {0.0, 2.0}, Mannshardt{.tableau = tableau}, {.h = 0.01});
    ASSERT_EQ(s.status, Status::completed) << tableau << ": " << s.failure.message;
    EXPECT_LT(s.statistics.force_evaluations, 100'000u) << tableau;
    for (std::size_t i = 0; i < 4; ++i) EXPECT_NEAR(s.final.q[i], 0.1 * static_cast<double>(i), 1e-13) << tableau;
    EXPECT_LT(std::abs(s.energy.numerical), 1e-9 * s.energy.turnover) << tableau;
  }
}

// z' = x_dot: z follows x through all impacts, into rest.
TEST(Mannshardt, CarriesStates) {
  LagrangianDescription description = ball_description(2.0, 0.5);
  description.states = {{.name = "z", .rate = "x_dot", .initial = 0.0}};
  const Solution s =
      simulate(*lagrangian(description), {.q = {1.0}, .v = {0.0}, .z = {0.0}}, {0.0, 4.0}, gauss_3, {.h = 0.02});
  for (std::size_t i = 0; i < s.trajectory.t.size(); ++i)
    ASSERT_NEAR(s.trajectory.z[i], s.trajectory.q[i] - 1.0, 1e-10) << s.trajectory.t[i];
}

// A bead in a bowl: lasting contact on a curved gap, with the order of the table.
TEST(Mannshardt, SlidesInABowl) {
  const auto bowl = lagrangian({.coordinates = {"x", "y"},
                                .kinetic = "(x_dot^2 + y_dot^2)/2",
                                .potential = "9.81*y",
                                .constraints = {{.name = "bowl", .gap = "1 - sqrt(x^2 + y^2)", .restitution = 0.0}}});
  const auto pendulum = lagrangian({.coordinates = {"a"}, .kinetic = "a_dot^2/2", .potential = "-9.81*cos(a)"});
  const double exact = simulate(*pendulum, {.q = {-1.0}}, {0.0, 2.0}, gauss_3, {.h = 1e-3}).final.q[0];
  const auto error = [&](const char* tableau, double h) {
    const State start{.q = {std::sin(-1.0), -std::cos(1.0)}, .v = {0.0, 0.0}};
    const Solution s = simulate(*bowl, start, {0.0, 2.0}, Mannshardt{.tableau = tableau}, {.h = h});
    EXPECT_EQ(s.status, Status::completed) << s.failure.message;
    EXPECT_EQ(s.impact_count, 0u);
    EXPECT_LT(s.violation_max, 1e-13);
    return std::abs(std::atan2(s.final.q[0], -s.final.q[1]) - exact);
  };
  EXPECT_NEAR(std::log2(error("heun", 0.02) / error("heun", 0.01)), 2.0, 0.25);
  EXPECT_GT(std::log2(error("gauss-2", 0.04) / error("gauss-2", 0.02)), 3.75);
  EXPECT_GT(std::log2(error("gauss-3", 0.08) / error("gauss-3", 0.04)), 5.5);
}

// Dry friction along a coordinate that a joint locks where its rod is level: the slip passes 0 there whatever the
// friction does, and the joint takes round-off out of it.
TEST(Mannshardt, DryFrictionWhereAJointLocksItsSlip) {
  const auto model = lagrangian({.coordinates = {"x0", "y0", "x1", "y1"},
                                 .kinetic = "(x0_dot^2 + y0_dot^2 + x1_dot^2 + y1_dot^2)/2",
                                 .potential = "9.81*(y0 + y1)",
                                 .joints = {{.name = "upper", .equation = {"x0^2 + y0^2 - 0.25"}},
                                            {.name = "lower", .equation = {"(x1 - x0)^2 + (y1 - y0)^2 - 0.25"}}},
                                 .frictions = {{.name = "damper", .slip = {"x0_dot"}, .limit = 0.5}}});
  for (const double a : {0.1, 0.2, 0.3, 0.4, 0.5}) {
    const double x = 0.5 * std::cos(a), y = 0.5 * std::sin(a);
    const State start{.q = {x, y, x + 0.5 * std::cos(0.2), y - 0.5 * std::sin(0.2)}, .v = {0.0, 0.0, 0.0, 0.0}};
    const Solution exact = simulate(*model, start, {0.0, 0.5}, EventDriven{.rtol = 1e-12}, {.h = 0.05});
    const Solution s = simulate(*model, start, {0.0, 0.5}, gauss_3, {.h = 0.01});
    ASSERT_EQ(s.status, Status::completed) << a << ": " << s.failure.message;
    EXPECT_NEAR(s.final.q[2], exact.final.q[2], 1e-8) << a;
  }
}

// A root of a negative number beyond the wall: the search looks no further than it must.
TEST(Mannshardt, ForcesMayBeUndefinedBeyondTheObstacle) {
  LagrangianDescription description = ball_description(2.0, 0.5);
  description.potential += " - 0.1*(x + 0.01)^1.5";
  const auto ball = lagrangian(description);
  for (const char* tableau : {"gauss-2", "rk4"}) {
    const Solution s = simulate(*ball, {.q = {1.0}}, {0.0, 5.0}, Mannshardt{.tableau = tableau}, {.h = 0.1});
    EXPECT_EQ(s.status, Status::completed) << s.failure.message;
    EXPECT_NEAR(s.final.q[0], 0.0, 1e-13) << tableau;
  }
}

TEST(Mannshardt, FailuresAreTold) {
  const auto runaway = lagrangian({.coordinates = {"x"}, .kinetic = "x_dot^2/2", .force = {{"x", "x^3"}}});
  const Solution s = simulate(*runaway, {.q = {1.0}, .v = {1.0}}, {0.0, 10.0}, Mannshardt{}, {.h = 0.1});
  EXPECT_EQ(s.status, Status::failed);
  EXPECT_THAT(s.failure.message, ::testing::AnyOf(HasSubstr("no finite value"), HasSubstr("were not solved")));
  EXPECT_LT(s.final.t, 3.0);
}

TEST(Mannshardt, SaysWhatIsLostWithoutRepeating) {
  const auto ball = lagrangian(ball_description(2.0, 0.5));
  const auto stepper = make_stepper(*ball, Mannshardt{.repeat = false});
  EXPECT_THAT(stepper->notes(), ElementsAre(HasSubstr("only the first event of a step")));
  EXPECT_TRUE(make_stepper(*ball, Mannshardt{})->notes().empty());
}

TEST(Mannshardt, RefusesUnknownTables) {
  const auto ball = lagrangian(ball_description(2.0, 0.5));
  EXPECT_THROW(make_stepper(*ball, Mannshardt{.tableau = "gauss-9"}), InputError);
  EXPECT_THROW(make_stepper(*ball, Mannshardt{.bracket = -1.0}), InputError);
  EXPECT_THROW(make_stepper(*ball, Scheme{"mannshardt", {{"repeat", "maybe"}}}), InputError);
}

// A table tips about one of its seven legs; another one parts with it, open by its rates and not yet by its gap: the
// search for its landing does not go back behind the begin of the step.
TEST(Mannshardt, ATableOnSevenLegsTipsAboutOne) {
  LagrangianDescription table{
      .coordinates = {"z", "a", "b"},
      .kinetic = "z_dot^2/2 + 0.182725*a_dot^2 + 0.17980000000000002*b_dot^2",
      .potential = "9.81*z + 13.32*a^2 + 8.8*b^2",
      .force = {{"z", "9.24*sin(3.917*t)"}, {"a", "1.192*sin(5.9825*t)"}, {"b", "3.02*sin(3.322*t)"}}};
  for (int i = 0; i < 7; ++i) {
    const double angle = 2.0 * 3.14159265358979323846 * i / 7;
    table.constraints.push_back(
        {.name = "leg" + std::to_string(i),
         .gap = "z + (" + to_text(std::cos(angle)) + ")*a + (" + to_text(std::sin(angle)) + ")*b",
         .restitution = 0.0});
  }
  const auto model = lagrangian(table);
  const Solution s = simulate(*model, {.q = {0.0, 0.0, 0.0}}, {0.0, 1.0}, Mannshardt{}, {.h = 0.01});
  EXPECT_EQ(s.status, Status::completed) << s.failure.message;
  EXPECT_LE(s.violation_max, 1e-12);
}

}  // namespace
}  // namespace ricochet
