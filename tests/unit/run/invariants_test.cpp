// Notes of runs in which something does not hold that must, and runs that get none.
#include "run/invariants.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>

#include "ricochet/model/linear.hpp"
#include "ricochet/ricochet.hpp"
#include "support/every_scheme.hpp"
#include "support/random_cases.hpp"

namespace ricochet {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

LagrangianDescription falling(const std::string& gap, double e = 0.5) {
  return {.coordinates = {"x"},
          .kinetic = "x_dot^2/2",
          .potential = "9.81*x",
          .constraints = {{.name = "floor", .gap = gap, .restitution = e}}};
}
std::string notes_of(const LagrangianDescription& description, const Scheme& scheme, double until, double h) {
  const auto model = lagrangian(description);
  std::string text;
  for (const std::string& note : simulate(*model, {.q = {1.0}}, {0.0, until}, scheme, {.h = h}).notes)
    text += note + "\n";
  return text;
}

// Impacts that gain energy, by what they may be due to.
TEST(Invariants, SayWhyImpactsGain) {
  const auto why = [](const LagrangianDescription& description, const Scheme& scheme) {
    const auto model = lagrangian(description);
    Invariants invariants(*model, scheme, 0.01, true);
    invariants.see_energy(0.25, {.impact = 1.0}, 10.0);
    const std::size_t n = description.coordinates.size();
    const State state = {.q = std::vector<double>(n, 1.0), .v = std::vector<double>(n)};
    invariants.conclude(state, {.initial = 9.0, .final = 10.0, .impact = 1.0, .turnover = 10.0}, 1.0, false);
    EXPECT_EQ(invariants.notes().size(), 1u);
    EXPECT_THAT(invariants.notes().at(0),
                HasSubstr("impacts added 1 of energy to the 10 turned over, first seen at t = 0.25"));
    return invariants.notes().at(0);
  };
  const LagrangianDescription one = falling("x");
  LagrangianDescription two = one, varying = one, rough = one;
  two.constraints.push_back({.name = "ceiling", .gap = "2 - x", .restitution = 0.9});
  varying.constraints[0].restitution = Quantity("0.5 + 0.1*cos(t)");
  rough.coordinates.push_back("y");
  rough.kinetic = "(x_dot^2 + y_dot^2)/2";
  rough.constraints[0].friction = 0.3;
  rough.constraints[0].slip = {"y_dot"};
  EXPECT_THAT(why(one, MoreauJean{}),
              HasSubstr("with one restitution for all, here 0.5, no impact does that: do not trust"));
  EXPECT_THAT(why(two, MoreauJean{}), HasSubstr("different restitution, here from 0.5 to 0.9,"));
  EXPECT_THAT(why(varying, MoreauJean{}), HasSubstr("a restitution that varies"));
  EXPECT_THAT(why(one, PaoliSchatzman{}), HasSubstr("laws in positions"));
  EXPECT_THAT(why(rough, MoreauJean{}), HasSubstr("with friction"));
}

class Notes : public ::testing::TestWithParam<const SchemeEntry*> {};

// No rate at which it closes makes a gap jump, in time or through a pole.
TEST_P(Notes, GapsThatJump) {
  const double e = traits(*GetParam()).inelastic_only ? 0.0 : 0.5;
  if (traits(*GetParam()).compliant) GTEST_SKIP();
  for (const char* gap : {"if(t < 0.2, x, x - 2)", "x - 3*step(t - 0.1)", "1/x"}) {
    const auto model = lagrangian(falling(gap, e));
    const Solution solution = simulate(*model, {.q = {1.0}}, {0.0, 1.0}, *GetParam(), {.h = 1e-3});
    std::string text = solution.failure.message;
    for (const std::string& note : solution.notes) text += note + "\n";
    // Told, or not gone through.
    if (solution.violation_max > 0.1) EXPECT_THAT(text, HasSubstr("floor")) << gap;
  }
}

// Neither does a rate of long ago, nor what the gap does in the next step.
TEST_P(Notes, GapsThatJumpLater) {
  if (traits(*GetParam()).compliant) GTEST_SKIP();
  for (const double by : {0.1, 0.5})
    for (const char* moves :
         {"-{}*step(t - 0.75)", "+{}*sign(0.75 - t)/2", "-{}*(step(t - 0.75) + step(t - 0.7505))/2"}) {
      const auto model = lagrangian(falling("x" + fmt::format(fmt::runtime(moves), by), 0.0));
      const Solution solution = simulate(*model, {.q = {1.0}}, {0.0, 1.0}, *GetParam(), {.h = 1e-3});
      std::string text = solution.failure.message;
      for (const std::string& note : solution.notes) text += note + "\n";
      if (solution.violation_max > 0.3 * by) EXPECT_THAT(text, HasSubstr("floor")) << by << ' ' << moves;
    }
}

// Walls that close until nothing is left between them, at any pace; those that turn back before are sound.
TEST_P(Notes, WallsThatCross) {
  const double e = traits(*GetParam()).inelastic_only ? 0.0 : 0.5;
  if (traits(*GetParam()).compliant) GTEST_SKIP();
  for (const double pace : {0.05, 1.0, 20.0})
    for (const double factor : {1.0, 3.0})
      for (const bool crosses : {true, false}) {
        LagrangianDescription body = falling("x", e);
        body.potential = "0";
        body.constraints.push_back({.name = "lid",
                                    .gap = fmt::format("{}*(1.5 - {}*{}*t - x)", factor, crosses ? 1.7 : 0.4, pace),
                                    .restitution = e});
        const auto model = lagrangian(body);
        const State start{.q = {1.0}, .v = {-pace}};
        const Solution solution = simulate(*model, start, {0.0, 1.0 / pace}, *GetParam(), {.h = 1e-3 / pace});
        std::string text = solution.failure.message;
        for (const std::string& note : solution.notes) text += note + "\n";
        const auto says = HasSubstr("floor and lid exclude each other at t = ");
        if (!crosses) EXPECT_THAT(text, Not(says));
        if (crosses && solution.final.t > 0.9 / pace) EXPECT_THAT(text, says) << pace << ' ' << factor;
      }
}

// A run, and what was said of it.
struct Told {
  Solution solution;
  std::string text;
};
Told told(const LagrangianDescription& description, const Scheme& scheme, double until, const RunSettings& settings) {
  const auto model = lagrangian(description);
  Told told{.solution = simulate(*model, {.q = {1.0}}, {0.0, until}, scheme, settings), .text = {}};
  told.text = told.solution.failure.message + "\n";
  for (const std::string& note : told.solution.notes) told.text += note + "\n";
  return told;
}

// A gap that is positive on both sides of its surface is passed without a push, and never in silence.
TEST_P(Notes, GapsThatAreNeverNegative) {
  const double e = traits(*GetParam()).inelastic_only ? 0.0 : 0.5;
  for (const char* gap : {"abs(x)", "(x^2)^0.5", "max(x, -x)", "acos(cos(x))", "abs(x - 0.4*t)", "x^2", "x^1000"})
    for (const double h : {1e-3, 1.7e-2}) {
      const auto [solution, text] = told(falling(gap, e), *GetParam(), 1.0, {.h = h});
      const std::vector<double>& x = solution.trajectory.q;
      if (*std::min_element(x.begin(), x.end()) < -0.1) EXPECT_THAT(text, HasSubstr("floor")) << gap << ", h = " << h;
    }
  // One that never comes to 0 is no obstacle, nor one that the motion turns before.
  for (const char* gap : {"abs(x) + 1e-3", "sqrt(x^2 + 0.01)", "1.0 + 1e-9 - x", "2 - x"})
    EXPECT_THAT(told(falling(gap, e), *GetParam(), 1.0, {.h = 1e-3}).text, Not(HasSubstr("positive on both sides")))
        << gap;
}

// The same where a row of the result lies on the surface, or round-off beside it.
TEST_P(Notes, GapsThatTouchInARow) {
  const double e = traits(*GetParam()).inelastic_only ? 0.0 : 0.5;
  for (const char* gap : {"abs(x)", "x^2", "x^3"})
    for (const double h : {1.0 / 64, 1e-2}) {
      LagrangianDescription body = falling(gap, e);
      body.potential = "0";
      const auto model = lagrangian(body);
      const Solution solution = simulate(*model, {.q = {1.0}, .v = {-1.0}}, {0.0, 2.0}, *GetParam(), {.h = h});
      const double x = solution.trajectory.q.back(), bounced = e;
      // Told, stopped, or thrown back as it should.
      if (std::abs(x - bounced) > 0.05) EXPECT_GT(solution.notes.size() + solution.failure.message.size(), 0u) << gap;
    }
}

// A surface, or a belt, that goes back and forth between two steps is struck and rubbed by chance, and never in
// silence: where a scheme is off by much there is a note, and where steps are small enough none.
TEST_P(Notes, SurfacesThatSwingInAStep) {
  if (traits(*GetParam()).compliant) GTEST_SKIP();
  const double e = traits(*GetParam()).inelastic_only ? 0.0 : 0.5;
  LagrangianDescription wall = falling("x + 0.1*sin(w*t)", e), belt = falling("x", e);
  wall.potential = "0";
  wall.parameters = {{"w", 1e4}};
  const auto steps_of = [&](const LagrangianDescription& body, State start, double h) {
    const auto model = lagrangian(body);
    std::string text;
    for (const std::string& note : simulate(*model, std::move(start), {0.0, 0.3}, *GetParam(), {.h = h}).notes)
      text += note + "\n";
    return text;
  };
  const auto coarse = HasSubstr("far too coarse for floor");
  const bool follows = traits(*GetParam()).chooses_steps && traits(*GetParam()).locates_impacts;
  if (!follows) EXPECT_THAT(steps_of(wall, {.q = {1.0}, .v = {-1.0}}, 1e-2), coarse);
  EXPECT_THAT(steps_of(wall, {.q = {1.0}, .v = {-1.0}}, 5e-5), Not(coarse));
  if (!traits(*GetParam()).takes_friction) return;
  belt.coordinates.push_back("y");
  belt.kinetic = "(x_dot^2 + y_dot^2)/2";
  belt.constraints[0].friction = 0.3;
  belt.constraints[0].slip = {"y_dot - sin(1e3*t)"};
  if (!follows) EXPECT_THAT(steps_of(belt, {.q = {0.0, 0.0}, .v = {0.0, 1.0}}, 1e-2), coarse);
  EXPECT_THAT(steps_of(belt, {.q = {0.0, 0.0}, .v = {0.0, 1.0}}, 1e-4), Not(coarse));
}

// What begins closed and lasts opens by what a step of the forces makes: no passage is too narrow for the step there.
TEST_P(Notes, NoneOfContactsThatLast) {
  if (traits(*GetParam()).compliant) GTEST_SKIP();
  const double e = traits(*GetParam()).inelastic_only ? 0.0 : 0.5;
  const auto model = lagrangian(falling("x - 0.01*(1 - cos(8*t))", e));
  const Solution solution = simulate(*model, {.q = {0.0}}, {0.0, 1.0}, *GetParam(), {.h = 1e-3});
  for (const std::string& note : solution.notes) EXPECT_THAT(note, Not(HasSubstr("far too coarse")));
}

// A contact problem without a solution names its contacts, and walls that will exclude each other.
TEST_P(Notes, WhichContactsHaveNoSolution) {
  if (traits(*GetParam()).compliant || traits(*GetParam()).inelastic_only) GTEST_SKIP();
  LagrangianDescription body = falling("x");
  body.potential = "0";
  body.constraints.push_back({.name = "lid", .gap = "1.1 - t - x", .restitution = 0.5});
  const auto [solution, text] = told(body, *GetParam(), 1.5, {.h = 1e-2});
  EXPECT_EQ(solution.status, Status::failed);
  EXPECT_THAT(text, ::testing::AllOf(HasSubstr("floor"), HasSubstr("lid"), HasSubstr("exclude each other")));
}

// Forces that end in time or at a place are named, whatever the scheme has lost by them.
TEST_P(Notes, WhichForceIsLost) {
  for (const char* force : {"-sqrt(0.3 - t)", "log(0.3 - t)", "-sqrt(x + 4.9)"}) {
    LagrangianDescription body = falling("x + 5", traits(*GetParam()).inelastic_only ? 0.0 : 0.5);
    body.force = {{"x", Quantity(force)}};
    const auto [solution, text] = told(body, *GetParam(), 2.0, {.h = 1e-2});
    EXPECT_EQ(solution.status, Status::failed);
    EXPECT_THAT(text,
                ::testing::AnyOf(HasSubstr("the force on x"), HasSubstr("x_dot became"), HasSubstr("x: its force")))
        << force;
  }
}

// A soft obstacle that jumps over a body does not push it; one that comes with a speed does.
TEST(Invariants, SoftObstaclesThatJump) {
  LagrangianDescription body = falling("if(t < 0.5, x, x - 2)");
  body.potential = "0";
  EXPECT_THAT(told(body, Penalty{}, 1.0, {.h = 1e-2}).text, HasSubstr("floor is violated by 1 at t = 0.5"));
  for (const char* gap : {"x - 2*t", "x - 1.5 + cos(100*t)", "x - 0.9999"}) {
    body.constraints[0].gap = gap;
    EXPECT_THAT(told(body, Penalty{}, 1.0, {.h = 1e-2}).text, Not(HasSubstr("violated"))) << gap;
  }
}

// A gap whose rate foretells a surface that is not there: the body comes to it within what a step goes, or it is told.
TEST_P(Notes, BodiesThatRestInTheAir) {
  const double e = traits(*GetParam()).inelastic_only ? 0.0 : 0.5, fastest = std::sqrt(2.0 * 9.81);
  for (const char* gap : {"x^3", "x^1001", "exp(-1/x^2)"})
    for (const double h : {1.7e-2, 0.1}) {
      const auto [solution, text] = told(falling(gap, e), *GetParam(), 1.0, {.h = h});
      const std::vector<double>& x = solution.trajectory.q;
      if (*std::min_element(x.begin(), x.end()) > h * fastest) EXPECT_GT(text.size(), 1u) << gap << ' ' << h;
    }
  // Curved and scaled gaps are sound.
  for (const char* gap : {"1e6*x", "1e-6*x", "(1 + x)^2 - 1", "sinh(x)", "x*(1 + 0.1*x)", "tanh(x)"})
    EXPECT_THAT(told(falling(gap, e), *GetParam(), 1.0, {.h = 1e-3}).text, Not(HasSubstr("pushes"))) << gap;
}

LagrangianDescription driven(const char* force, double e) {
  LagrangianDescription description = falling("x + 5", e);
  description.force = {{"x", Quantity(force)}};
  return description;
}

// Forces that numbers or steps do not resolve are told; others are not.
TEST_P(Notes, ForcesOfNoise) {
  const double e = traits(*GetParam()).inelastic_only ? 0.0 : 0.5;
  for (const char* force :
       {"sin(1e20*x)", "cos(1e25*x + t)", "sin(1e18*x)*cos(t)", "sin(1e20*x_dot)", "cos(1e25*x_dot)"})
    EXPECT_GT(told(driven(force, e), *GetParam(), 4e-3, {.h = 1e-3}).text.size(), 1u) << force;
  if (!traits(*GetParam()).chooses_steps) {
    const auto text_of = [&](const char* force) { return told(driven(force, e), *GetParam(), 0.02, {.h = 1e-3}).text; };
    EXPECT_THAT(text_of("sin(1e9*t)"), HasSubstr("back and forth"));
    // Implicit steps may stop there.
    EXPECT_THAT(text_of("sin(1e12*x)"), ::testing::AnyOf(HasSubstr("back and forth"), HasSubstr("not solved")));
  }
  for (const char* force : {"0", "-x_dot", "sin(300*t)", "-1e4*x_dot", "-1e5*(x - 1)", "-100*x_dot^3", "sign(0.1-t)"})
    EXPECT_THAT(told(driven(force, e), *GetParam(), 0.1, {.h = 1e-3}).text, Not(HasSubstr("back and forth"))) << force;
}

// Obstacles that swing many times within a step, in time or along the way of the body.
TEST_P(Notes, GapsThatGoBackAndForthWithinAStep) {
  const double e = traits(*GetParam()).inelastic_only ? 0.0 : 0.5;
  const auto text_of = [&](const std::string& gap) {
    LagrangianDescription body = falling(gap, e);
    return told(body, *GetParam(), 0.1, {.h = 1e-3}).text;
  };
  for (const char* gap : {"x - 0.9", "x - 0.9 - 0.1*sin(100*t)", "x - 0.95*cos(t)", "x + 1e6 - 1000000.9", "x^2 - 0.8"})
    EXPECT_THAT(text_of(gap), Not(HasSubstr("back and forth"))) << gap;
  if (traits(*GetParam()).chooses_steps) return;  // which work hard, and tell that
  for (const char* gap : {"x - 0.1*sin(1e15*t)", "x - 0.5*sin(3e5*t)", "x - 0.6 - 1e-2*cos(1e9*t)"})
    EXPECT_THAT(text_of(gap), HasSubstr("too coarse")) << gap;
  // Which asks for such a gap in many steps from one place, and finds none that meets it.
  const bool stops = GetParam()->name == "extrapolated-moreau";
  EXPECT_THAT(text_of("x - 0.7 - 0.05*sin(1e6*x)"), HasSubstr(stops ? "not solved" : "too coarse"));
}

// A body that falls past the pole of a force, at random places and of random strengths, does not do so in silence.
TEST_P(Notes, ForcesThatBecomeInfinite) {
  std::mt19937 random(11);
  std::uniform_real_distribution<double> share(0.0, 1.0);
  const double e = traits(*GetParam()).inelastic_only ? 0.0 : 0.5;
  struct Kind {
    const char* force;
    char of;  // what passes the pole
  };
  for (const auto& [force, of] : {Kind{"c/(x - a)", 'x'},
                                  {"c/(x - a)^2", 'x'},
                                  {"c*(x - a)^-3", 'x'},
                                  {"c*tan(2*(x - a) + 2*atan(1))", 'x'},
                                  {"c/sin(3*(x - a))", 'x'},
                                  {"c*cos(x)/(x*abs(x - a))", 'x'},
                                  {"c/(t - a/4)", 't'},
                                  {"abs(c)*t/(x_dot + 2*a)", 'v'}})
    for (int k = 0; k < std::max(2, testing::random_cases() / 40); ++k) {
      LagrangianDescription body = driven(force, e);
      const double a = 0.6 + 0.39 * share(random), size = std::pow(10.0, 7.0 * share(random) - 6.0);
      body.parameters = {{"a", a}, {"c", k % 2 == 0 ? size : -size}};
      const auto [solution, text] = told(body, *GetParam(), 0.3, {.h = 1e-3});
      const auto least = [](const std::vector<double>& x) { return *std::min_element(x.begin(), x.end()); };
      const bool passed = of == 't'   ? solution.final.t > a / 4.0
                          : of == 'v' ? least(solution.trajectory.v) < -2.0 * a
                                      : least(solution.trajectory.q) < a;
      if (passed) EXPECT_GT(text.size(), 1u) << force << ", a = " << a << ", c = " << body.parameters[1].second.text();
    }
}

// Forces on both sides drive a velocity to a pole: the work there is bounded, and the run does not go on to its end.
TEST(Invariants, PolesThatAttract) {
  LagrangianDescription body = falling("x");
  body.force = {{"x", Quantity("-1/(x_dot + 2)")}};
  const Scheme scheme = find_scheme("moreau-jean-adaptive");
  const auto [solution, text] = told(body, scheme, 0.3, {.h = 1e-3, .record_every = 0});
  EXPECT_THAT(text, HasSubstr("infinite"));
  EXPECT_LT(solution.final.t, 0.21);  // −2 is reached at 0.2 by falling alone
  EXPECT_LT(solution.statistics.accepted, 4'000'000u);
}

// Zeros of denominators that are no poles, poles that have finite integrals, and those that nothing passes.
TEST_P(Notes, ForcesThatStayFinite) {
  const double e = traits(*GetParam()).inelastic_only ? 0.0 : 0.5;
  const auto text_of = [&](const LagrangianDescription& body) {
    return told(body, *GetParam(), 0.36, {.h = 1.1e-3}).text;
  };
  for (const char* force : {"sin(x - 0.8)/(x - 0.8)", "(x - 0.8)/abs(x - 0.8)", "if(x > 0.9, 1/(x - 0.8), 0)",
                            "1/((x - 0.8)^2 + 1e-4)", "1/(2*step(x - 0.8) - 1)", "(1 - cos(t - 0.1))/(t - 0.1)^2"})
    EXPECT_THAT(text_of(driven(force, e)), Not(HasSubstr("infinite"))) << force;
  if (!traits(*GetParam()).chooses_steps)  // which work hard near it
    EXPECT_THAT(text_of(driven("1e-3/sqrt(abs(x - 0.8))", e)), Not(HasSubstr("infinite")));
  // From −3 to 1.5 in an impact.
  LagrangianDescription struck = falling("x - 0.5", e);
  struck.force = {{"x", Quantity("0.01/(x_dot - 1)")}};
  if (!traits(*GetParam()).compliant) EXPECT_THAT(text_of(struck), Not(HasSubstr("infinite")));
}

// A mass that becomes negative or singular in flight ends the run there, whatever the scheme.
TEST_P(Notes, MassesThatAreLostInFlight) {
  LagrangianDescription body = falling("x + 5", traits(*GetParam()).inelastic_only ? 0.0 : 0.5);
  body.coordinates.push_back("y");
  for (const char* m : {"if(t < 0.01, 1, -1)", "if(t < 0.01, 1, 0)", "(1 - 100*t)", "(1 - 60*t*(2 - x))"})
    for (const char* kinetic :
         {"m*(x_dot^2 + y_dot^2)/2", "(m*x_dot^2 + y_dot^2)/2", "(x_dot^2 + 2*y_dot^2)*m + x_dot*y_dot/9"}) {
      body.kinetic = kinetic;
      body.kinetic.replace(body.kinetic.find('m'), 1, m);
      const auto model = lagrangian(body);
      const Solution solution = simulate(*model, {.q = {1.0, 0.5}}, {0.0, 0.03}, *GetParam(), {.h = 1e-3});
      EXPECT_EQ(solution.status, Status::failed) << body.kinetic;
      EXPECT_LT(solution.failure.t, 0.0191) << body.kinetic << ": " << solution.failure.message;
      EXPECT_FALSE(solution.failure.message.empty()) << body.kinetic;
    }
}

// A body that falls past a place without mass, on both sides of which it has one.
TEST_P(Notes, MassesThatAreZeroAtAPlace) {
  for (const std::string m :
       {"(x - a)^2", "abs(x - a)*(2 - x)", "(1 - cos(x - 2)^2)*(x - a)^4", "sin(3*(x - a))^2", "(t - a/9)^2"}) {
    LagrangianDescription body = falling("x + 5", traits(*GetParam()).inelastic_only ? 0.0 : 0.5);
    body.coordinates.push_back("y");
    body.parameters = {{"a", 0.7}};
    body.kinetic = "(y_dot^2 + m*x_dot^2)/2";
    body.kinetic.replace(body.kinetic.find('m'), 1, m);
    body.force = {{"x", Quantity("-1")}};
    const auto model = lagrangian(body);
    const State start = {.q = {1.0, 0.5}, .v = {-3.0, 0.2}};
    const Solution solution = simulate(*model, start, {0.0, 0.3}, *GetParam(), {.h = 1.1e-3});
    if (solution.status == Status::completed && (solution.final.q[0] < 0.7 || m[1] == 't'))
      EXPECT_THAT(solution.notes, Contains(HasSubstr("infinite"))) << m;
  }
}

// A joint that jumps in time takes its body along: told, or stopped at.
TEST_P(Notes, JointsThatJump) {
  LagrangianDescription description = falling("x + 50", traits(*GetParam()).inelastic_only ? 0.0 : 0.5);
  description.coordinates.push_back("y");
  description.kinetic = "(x_dot^2 + y_dot^2)/2";
  for (const char* joint : {"y - if(t < 0.1, 0, 1)", "y - 1e-3*step(t - 0.1)", "y - floor(5*t)", "y - sin(3*t)^2"}) {
    description.joints = {{.name = "pin", .equation = {joint}}};
    const auto model = lagrangian(description);
    std::string text;
    try {
      const Solution s = simulate(*model, {.q = {1.0, 0.0}}, {0.0, 0.4}, *GetParam(), {.h = 7e-3});
      text = s.failure.message;
      for (const std::string& note : s.notes) text += note + "\n";
    } catch (const InputError& error) {
      text = error.what();
    }
    if (std::string(joint).find("sin") == std::string::npos)
      EXPECT_FALSE(text.empty()) << joint;
    else
      EXPECT_THAT(text, Not(HasSubstr("jumps"))) << joint;
  }
}

// A force that grows faster than a step can follow: told, or stopped at.
TEST_P(Notes, ForcesThatGrowWithinAStep) {
  const double e = traits(*GetParam()).inelastic_only ? 0.0 : 0.5;
  // Those that choose their steps follow the slower ones.
  std::vector<const char*> growing = {"1e300*x_dot", "1e200*x_dot*abs(x_dot)"};
  if (!traits(*GetParam()).chooses_steps) growing.insert(growing.end(), {"1e5*x_dot", "1e300*(x - 1)", "1e9*(x - 1)"});
  for (const char* force : growing) {
    LagrangianDescription description = falling("x", e);
    description.force = {{"x", Quantity(force)}};
    EXPECT_GT(told(description, *GetParam(), 0.01, {.h = 1e-3}).text.size(), 1u) << force;
  }
  for (const char* force : {"-1e300*x_dot", "-1e6*x_dot", "-1e9*(x - 1)", "100*x_dot", "1e5*(x - 1)"}) {
    LagrangianDescription description = falling("x", e);
    description.force = {{"x", Quantity(force)}};
    EXPECT_THAT(told(description, *GetParam(), 0.01, {.h = 1e-3}).text, Not(HasSubstr("for the force"))) << force;
  }
}

// A sound run gets no note, and a column that stands from the start gets none: round-off of gaps is no violation, and
// that of energies is no gain.
TEST_P(Notes, NoneWhereNothingIsWrong) {
  const double e = traits(*GetParam()).inelastic_only ? 0.0 : 0.5;
  if (traits(*GetParam()).compliant) GTEST_SKIP();
  LagrangianDescription column;
  State start;
  for (int i = 0; i < 12; ++i) {
    const std::string x = fmt::format("x{}", i);
    column.coordinates.push_back(x);
    column.kinetic += fmt::format("{}{}_dot^2/2", i == 0 ? "" : " + ", x);
    column.potential += fmt::format("{}9.81*{}", i == 0 ? "" : " + ", x);
    column.constraints.push_back(
        {.name = "c" + x, .gap = i == 0 ? x + " - 0.1" : fmt::format("{} - x{} - 0.1", x, i - 1), .restitution = e});
    start.q.push_back(0.1 * (i + 1));
  }
  const auto model = lagrangian(column);
  // A start within round-off of the gaps.
  for (std::size_t i = 1; i < start.q.size(); ++i) start.q[i] = std::nextafter(start.q[i - 1] + 0.1, 1e9);
  const Solution solution = simulate(*model, start, {0.0, 0.1}, *GetParam(), {.h = 0.01});
  EXPECT_EQ(solution.status, Status::completed) << solution.failure.message;
  for (const std::string& note : solution.notes) {
    EXPECT_THAT(note, Not(HasSubstr("violated"))) << note;
    EXPECT_THAT(note, Not(HasSubstr("of energy"))) << note;
    EXPECT_THAT(note, Not(HasSubstr("too coarse"))) << note;
  }
  EXPECT_THAT(notes_of(falling("x", e), *GetParam(), 0.5, 1e-3), IsEmpty());
}

// A body that slides around a circle from the start: each step along the tangent leaves it, and the gap is round-off at
// the start, positive or not.
TEST(NotesOnCircles, NoneWhereAStepLeavesACurve) {
  const auto model =
      lagrangian({.coordinates = {"x", "y"},
                  .kinetic = "(x_dot^2 + y_dot^2)/2",
                  .constraints = {{.name = "ring", .gap = "5e-4 - sqrt(x^2 + y^2)", .restitution = 0.3}}});
  for (const double h : {1e-2, 1e-3})
    for (const double angle : {0.0, 0.7, 2.0}) {
      const State start{.q = {5e-4 * std::cos(angle), 5e-4 * std::sin(angle)},
                        .v = {-5e-4 * std::sin(angle), 5e-4 * std::cos(angle)}};
      for (const std::uint64_t every : {0, 1}) {
        const Solution solution =
            simulate(*model, start, {0.0, 12.5663706143591}, MoreauJean{}, {.h = h, .record_every = every});
        EXPECT_THAT(solution.notes, IsEmpty()) << h << " " << angle << " " << every;
      }
    }
}

INSTANTIATE_TEST_SUITE_P(Catalogue, Notes, ::testing::ValuesIn(testing::entries()), testing::entry_name);

class FixedSteps : public ::testing::TestWithParam<const SchemeEntry*> {};

// y is driven by `force`, along a wall that is touched all along, a straight guide, or a curved one.
struct Driven {
  const char *name, *wall, *joint;
};
constexpr Driven ways[] = {{"free", "x + 5", ""},
                           {"on a wall", "x", ""},
                           {"on a guide", "x + 5", "z - 2*y"},
                           {"on a guide and a wall", "x", "z - 2*y"},
                           {"on a curve", "x + 5", "z - sin(3*y)"},
                           {"on a curve and a wall", "x", "z - sin(3*y)"}};
std::vector<Driven> free_and_held(const SchemeEntry& scheme) {
  std::vector<Driven> taken;
  for (const Driven& way : ways)
    if (*way.joint == 0 || !traits(scheme).position_law) taken.push_back(way);
  return taken;
}
Solution run(const Driven& driven, const std::string& force, const SchemeEntry& scheme, bool curved_mass = false) {
  LagrangianDescription body = falling(driven.wall, traits(scheme).inelastic_only ? 0.0 : 0.5);
  body.coordinates = {"x", "y", "z"};
  body.kinetic = curved_mass ? "(x_dot^2 + y_dot^2 + (1 + 0.1*sin(z))*z_dot^2)/2" : "(x_dot^2 + y_dot^2 + z_dot^2)/2";
  body.force = {{"y", Quantity(force)}};
  if (*driven.joint != 0) body.joints = {{.name = "guide", .equation = {driven.joint}}};
  const auto model = lagrangian(body);
  return simulate(*model, {.q = {0.0, 0.0, 0.0}}, {0.0, 0.02}, scheme, {.h = 1e-3});
}

// No iteration solves a step of a force that is noise: it is told, or the velocity is one that a force between its
// bounds could give.
TEST_P(FixedSteps, ForcesThatNoIterationSolves) {
  std::mt19937 random(7);
  std::uniform_real_distribution<double> share(0.0, 1.0);
  for (int k = 0; k < std::max(6, testing::random_cases() / 20); ++k) {
    const double a = 0.2 + 0.7 * share(random), F = std::pow(10.0, 6.0 * share(random) - 3.0),
                 frequency = std::pow(10.0, 17.0 + 8.0 * share(random)) / F;
    const char* of = k % 3 == 0 ? "y" : "y_dot";
    const std::string force = fmt::format("{}*(1 + {}*sin({}*{} + {}))", F, a, frequency, of, share(random));
    for (const Driven& driven : free_and_held(*GetParam())) {
      const Solution solution = run(driven, force, *GetParam(), k % 2 == 0);
      if (solution.status == Status::failed || !solution.notes.empty()) continue;
      // The mass along the guide is between 1 and 11.
      const double least = *driven.joint == 0 ? 1.0 : 1.0 / 11.0, v = solution.final.v[1] / (0.02 * F);
      EXPECT_TRUE(v > 0.99 * least * (1.0 - a) && v < 1.01 * (1.0 + a))
          << driven.name << ": " << force << ", v = " << v;
    }
  }
}

// Stiff and steep ones are solved.
TEST_P(FixedSteps, ForcesThatIterationsSolve) {
  for (const char* force : {"1 - y_dot", "-1e12*y_dot", "-1e6*(y - 1e-4)", "1 - 1e6*y_dot^3", "-1e4*sinh(y - 0.01)",
                            "-1e6*sinh(y - 0.01)", "0", "1e-200", "tanh(1e3*(0.001 - y_dot))", "sin(300*t)"})
    for (const Driven& driven : free_and_held(*GetParam()))
      for (const bool curved_mass : {false, true}) {
        const Solution solution = run(driven, force, *GetParam(), curved_mass);
        EXPECT_EQ(solution.status, Status::completed)
            << driven.name << ": " << force << ": " << solution.failure.message;
      }
}

// Energy in swings that steps see nothing of is told; little of it is no matter, and what is damped does not swing.
TEST_P(FixedSteps, SwingsThatStepsDoNotSee) {
  const double e = traits(*GetParam()).inelastic_only ? 0.0 : 0.5;
  LagrangianDescription swing = falling("x + 5", e);
  for (const char* potential : {"1e200*x^2/2", "1e12*(x - 0.9)^2/2", "1e10*x^4"}) {
    swing.potential = potential;
    EXPECT_GT(told(swing, *GetParam(), 0.02, {.h = 1e-3}).text.size(), 1u) << potential;
  }
  for (const char* potential : {"1e12*(x - 1)^2/2 + 9.81*x", "1e4*(x - 0.9)^2/2", "9.81*x"}) {
    swing.potential = potential;
    EXPECT_THAT(told(swing, *GetParam(), 0.02, {.h = 1e-3}).text, Not(HasSubstr("for the forces"))) << potential;
  }
  EXPECT_GT(told(driven("-1e10*x", e), *GetParam(), 0.02, {.h = 1e-3}).text.size(), 1u);
  EXPECT_THAT(told(driven("-1e8*x - 1e6*x_dot", e), *GetParam(), 0.02, {.h = 1e-3}).text,
              Not(HasSubstr("for the forces")));
}

// One of 1,000 bodies hangs on a spring that steps do not see.
TEST(Invariants, SwingsInLargeModels) {
  constexpr int n = 1'000;
  std::vector<Triplet> mass, stiffness;
  LinearSystemData bodies;
  for (int i = 0; i < n; ++i) {
    bodies.coordinates.push_back(fmt::format("x{}", i));
    mass.push_back({i, i, 1.0});
    stiffness.push_back({i, i, i == 200 ? 1e12 : 1e2});
  }
  bodies.mass = sparse_from_triplets(n, n, std::move(mass));
  bodies.stiffness = sparse_from_triplets(n, n, std::move(stiffness));
  const auto model = linear(std::move(bodies));
  const State start{.q = std::vector<double>(n, 1.0)};
  EXPECT_THAT(simulate(*model, start, {0.0, 3e-3}, MoreauJean{}, {.h = 1e-3}).notes,
              ::testing::Contains(HasSubstr("far too coarse for the forces")));
}

std::vector<const SchemeEntry*> with_fixed_steps() {
  std::vector<const SchemeEntry*> kept;
  for (const SchemeEntry* entry : testing::entries())
    if (!traits(*entry).chooses_steps) kept.push_back(entry);
  return kept;
}
INSTANTIATE_TEST_SUITE_P(Catalogue, FixedSteps, ::testing::ValuesIn(with_fixed_steps()), testing::entry_name);

// A motion that leaves the numbers is not the fault of its gap.
TEST(Invariants, SayWhatBecameInfinite) {
  LagrangianDescription away = falling("x + 1");
  away.potential = "-1e6*x^2/2";
  EXPECT_THAT(told(away, find_scheme("event-driven"), 1.0, {.h = 1e-3, .account = false}).text,
              ::testing::AllOf(HasSubstr("too large to add up"), Not(HasSubstr("gap"))));
}

// Squares of gradients that leave the numbers, and gaps that are lost in the coordinates.
TEST(Invariants, UnitsThatLeaveTheNumbers) {
  LagrangianDescription rough = falling("x");
  rough.coordinates.push_back("y");
  rough.kinetic = "(x_dot^2 + y_dot^2)/2";
  rough.constraints[0].friction = 0.3;
  for (const char* factor : {"1e200", "1e-200", "1e-320"}) {
    EXPECT_THROW(notes_of(falling(std::string(factor) + "*x"), MoreauJean{}, 0.1, 0.01), InputError) << factor;
    rough.constraints[0].slip = {std::string(factor) + "*y_dot"};
    EXPECT_THROW(simulate(*lagrangian(rough), {.q = {1.0, 0.0}}, {0.0, 0.1}, MoreauJean{}, {.h = 0.01}), InputError);
  }
  EXPECT_THAT(notes_of(falling("1e100*x"), MoreauJean{}, 0.4, 1e-3), IsEmpty());
  EXPECT_THAT(notes_of(falling("1e-100*x"), MoreauJean{}, 0.4, 1e-3), IsEmpty());
  const auto far = lagrangian(falling("x - 1e15"));
  EXPECT_THAT(simulate(*far, {.q = {1e15 + 1.0}}, {0.0, 0.1}, MoreauJean{}, {.h = 1e-3}).notes,
              ::testing::Contains(HasSubstr("counts as closed")));
}

// A plate on five feet, at 0 with all that it is: round-off of steps adds up, and is no violation.
TEST(Invariants, RoundOffOfManyStepsAtRestIsNotTold) {
  LagrangianDescription plate{.coordinates = {"x", "y", "z", "a", "b", "c"},
                              .kinetic = "(x_dot^2 + y_dot^2 + z_dot^2)/2 + (a_dot^2 + 0.7*b_dot^2 + c_dot^2)/20",
                              .potential = "9.81*(z*cos(0.1) - x*sin(0.1))"};
  for (int i = 0; i < 5; ++i) {
    const double p = std::cos(1.3 * i), r = 0.6 * std::sin(1.3 * i);
    plate.constraints.push_back({.name = fmt::format("foot{}", i),
                                 .gap = fmt::format("z + a*({}) - b*({})", r, p),
                                 .restitution = 0.0,
                                 .friction = 0.5,
                                 .slip = {fmt::format("x_dot - c_dot*({})", r), fmt::format("y_dot + c_dot*({})", p)}});
  }
  const auto model = lagrangian(plate);
  for (const double speed : {0.0, 0.5})
    for (const double h : {1e-3, 2.5e-4}) {
      const Solution solution =
          simulate(*model, {.q = {0.0, 0.0, 0.0, 0.0, 0.0, 0.0}, .v = {speed, 0.0, 0.0, 0.0, 0.0, 0.0}}, {0.0, 1.0},
                   MoreauJean{}, {.h = h});
      EXPECT_THAT(solution.notes, IsEmpty()) << speed << ", " << h;
    }
}

// One step that falls through everything.
TEST(Invariants, AStepThatSeesNothing) {
  EXPECT_THAT(notes_of(falling("x"), MoreauJean{}, 1.0, 2.0),
              HasSubstr("the step is far too coarse for floor: at t = 1"));
  EXPECT_THAT(notes_of(falling("1/x"), MoreauJean{}, 1.0, 1e-2), HasSubstr("floor is violated by"));
}

}  // namespace
}  // namespace ricochet
