// What check shows for all times of the run, what it finds between samples, and what it leaves open.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "ricochet/ricochet.hpp"
#include "ricochet/study/check.hpp"

namespace ricochet {
namespace {

using ::testing::HasSubstr;

struct Checked {
  CheckReport report;
  std::string of(Verdict verdict) const {
    std::string text;
    for (const Finding& finding : report.findings)
      if (finding.verdict == verdict) text += finding.subject + ": " + finding.sentence + "\n";
    return text;
  }
};

// Of one coordinate y that starts at 0.5, over 10 s.
Checked checked_over_time(const LagrangianDescription& description) {
  const auto model = lagrangian(description);
  const CheckedFormulas formulas(description);
  return {check_problem(*model, {.q = {0.5}, .v = {0.0}}, {0.0, 10.0}, MoreauJean{}, {.h = 0.01},
                        nonsmooth_functions(description), &formulas)};
}
LagrangianDescription bead(const std::string& kinetic, const Quantity& e,
                           const std::vector<std::string>& gaps = {"y"}) {
  LagrangianDescription description{.coordinates = {"y"}, .kinetic = kinetic};
  for (std::size_t i = 0; i < gaps.size(); ++i)
    description.constraints.push_back({.name = fmt::format("wall{}", i), .gap = gaps[i], .restitution = e});
  return description;
}
const std::string plain = "y_dot^2/2";

// A dip that lasts a few milliseconds, between any two of the times that are sampled.
const std::string dip = "exp(-1e5*(t - 5.0371)^2)";

TEST(RangeCheck, RestitutionThatLeavesItsRangeBetweenSamples) {
  for (const std::string& e : {"0.5 + 0.6*" + dip, "0.5 - 0.6*" + dip, "0.5 + 0.6*" + dip + "*(1 + 0.01*cos(y))"}) {
    const Checked check = checked_over_time(bead(plain, e));
    EXPECT_THAT(check.of(Verdict::problem), HasSubstr("restitution: The restitution of wall0 is")) << e;
    EXPECT_THAT(check.of(Verdict::problem), HasSubstr("at t = 5.03")) << e;
    EXPECT_FALSE(check.report.continuous_dependence.has_value()) << e;
  }
}

TEST(RangeCheck, RestitutionThatIsShown) {
  for (const char* e :
       {"0.5 + 0.4*sin(7*t)", "0.5 + 0.5*sin(t)", "0.5 + 0.1*cos(y)", "1/(1 + y^2)", "exp(-abs(y) - t)"}) {
    const Checked check = checked_over_time(bead(plain, e));
    EXPECT_EQ(check.of(Verdict::problem), "") << e;
    EXPECT_THAT(check.of(Verdict::ok), HasSubstr("restitution: Shown, by intervals")) << e;
    EXPECT_EQ(check.report.conclusion, "The motion depends continuously on the data. Nothing else was found.") << e;
  }
}

// What the theory bounds besides the restitution, in a slide along a floor with a belt.
struct Sliding {
  Quantity mu = 0.3, e_T = 0.5, limit = 1.0;
};
LagrangianDescription slide(const Sliding& numbers) {
  return {.coordinates = {"y"},
          .kinetic = plain,
          .constraints = {{.name = "floor",
                           .gap = "y",
                           .restitution = 0.5,
                           .friction = numbers.mu,
                           .slip = {"y_dot - 1"},
                           .tangential_restitution = numbers.e_T}},
          .frictions = {{.name = "belt", .slip = {"y_dot - 2"}, .limit = numbers.limit}}};
}

TEST(RangeCheck, NumbersThatLeaveTheirBounds) {
  const auto expect = [](const LagrangianDescription& body, const std::string& words, const std::string& what) {
    const Checked check = checked_over_time(body);
    EXPECT_THAT(check.of(Verdict::problem), HasSubstr(words)) << what;
    EXPECT_FALSE(check.report.continuous_dependence.has_value()) << what;
    EXPECT_THAT(check.report.conclusion, HasSubstr("Problems: ")) << what;
  };
  // Slowly, for a few milliseconds, by next to nothing; and where they end.
  for (const std::string& low : {std::string("0.3 - 0.05*t"), "0.3 - 0.4*" + dip, std::string("-1e-12*t"),
                                 std::string("0.3*sin(t)"), "0.3 - 0.4*" + dip + "*(1 + 0.01*cos(y))"}) {
    expect(slide({.mu = low}), "friction: The coefficient of friction of floor is -", low);
    expect(slide({.limit = low}), "friction: The limit of belt is -", low);
    expect(slide({.e_T = low}), "restitution: The tangential restitution of floor is -", low);
    expect(bead(plain, low), "restitution: The restitution of wall0 is -", low);
  }
  for (const std::string& high : {std::string("0.4 + 0.1*t"), "0.9 + 0.2*" + dip, std::string("1 + 1e-9*t")}) {
    expect(slide({.e_T = high}), "restitution: The tangential restitution of floor is 1.", high);
    expect(bead(plain, high), "restitution: The restitution of wall0 is 1.", high);
  }
  for (const char* end : {"sqrt(4 - t)/2", "0.1 + (4 - t)^0.3", "asin(t/4)/2 + 0.1"}) {
    expect(slide({.mu = end}), "The coefficient of friction of floor is nan at t = 4;", end);
    expect(slide({.limit = end}), "The limit of belt is nan at t = 4;", end);
  }
}

TEST(RangeCheck, NumbersThatAreShown) {
  for (const char* x :
       {"0.3 + 0.2*sin(7*t)", "0.3*abs(sin(t))", "0.5 - 0.5*cos(t)", "exp(-abs(y) - t)", "1/(1 + t^2)"}) {
    const Checked check = checked_over_time(slide({.mu = x, .e_T = x, .limit = x}));
    EXPECT_EQ(check.of(Verdict::problem), "") << x;
    for (const char* what : {"the coefficient of friction", "the limit", "the tangential restitution"})
      EXPECT_THAT(check.of(Verdict::ok), HasSubstr(fmt::format("Shown, by intervals: {} stays between", what))) << x;
    EXPECT_EQ(check.report.continuous_dependence, true) << x;
  }
}

// A pole is not found by looking: it stays not known, and the conclusion says so.
TEST(RangeCheck, NumbersThatMayEnd) {
  for (const Sliding& numbers : {Sliding{.mu = "1/(t - 0.77123)^2"}, Sliding{.limit = "abs(tan(t))"}}) {
    const Checked check = checked_over_time(slide(numbers));
    EXPECT_THAT(check.of(Verdict::warning),
                HasSubstr("at least 0 everywhere is not known: it could not be shown near"));
    EXPECT_FALSE(check.report.continuous_dependence.has_value());
  }
}

// Nothing is known of states and velocities at any time: that is told and does not decide.
TEST(RangeCheck, ValuesThatStatesMayEnd) {
  LagrangianDescription valve = bead(plain, 0.5);
  valve.states = {{.name = "p", .rate = "1 - sqrt(p)", .initial = 0.5}};
  const auto model = lagrangian(valve);
  const CheckedFormulas formulas(valve);
  const Checked check{check_problem(*model, {.q = {0.5}, .v = {0.0}, .z = {0.5}}, {0.0, 1.0}, MoreauJean{}, {.h = 0.01},
                                    {}, &formulas)};
  EXPECT_THAT(check.of(Verdict::warning),
              HasSubstr("values: The rate of p may have no value, or become infinite at the start's position."));
  EXPECT_EQ(check.report.continuous_dependence, true);
  EXPECT_THAT(check.report.conclusion, HasSubstr("as far as was looked"));
}

LagrangianDescription held(const std::string& equation) {
  return {.coordinates = {"y"}, .kinetic = plain, .joints = {{.name = "pin", .equation = {equation}}}};
}

TEST(RangeCheck, JointsThatEnd) {
  for (const char* equation : {"y - 0.5 + sqrt(25 - t^2) - 5", "y - 0.5 + (4 - t)^1.5 - 8", "y - 0.5 + log(1 - t/5)"})
    EXPECT_THAT(checked_over_time(held(equation)).of(Verdict::problem), HasSubstr("pin is")) << equation;
  for (const char* equation : {"y - 0.5 + t^2/(0.77123 - t)", "y - 0.5 + tan(t^2)"}) {
    const Checked check = checked_over_time(held(equation));
    EXPECT_THAT(check.of(Verdict::warning), HasSubstr("values: The joint pin may have no value")) << equation;
    EXPECT_FALSE(check.report.continuous_dependence.has_value()) << equation;
  }
  const Checked sound = checked_over_time(held("y - 0.5*cos(t)"));
  EXPECT_EQ(sound.report.conclusion, "The motion depends continuously on the data. Nothing else was found.");
}

// Where no formulas are at hand, at some times of the run.
TEST(RangeCheck, WhatEndsWithoutFormulas) {
  const auto without = [](const LagrangianDescription& body) {
    const auto model = lagrangian(body);
    return Checked{check_problem(*model, {.q = {0.5}, .v = {0.0}}, {0.0, 10.0}, MoreauJean{}, {.h = 0.01})};
  };
  for (const LagrangianDescription& body :
       {slide({.mu = "0.3 - 0.05*t"}), slide({.limit = "sqrt(3 - t)"}), slide({.e_T = "0.1*t + 0.2"}),
        held("y - 0.5 + sqrt(25 - t^2) - 5"), bead(plain, 0.5, {"y + sqrt(3 - t)"})}) {
    EXPECT_THAT(without(body).of(Verdict::problem), ::testing::Not(::testing::IsEmpty()));
    EXPECT_FALSE(without(body).report.continuous_dependence.has_value());
  }
  for (const LagrangianDescription& body : {slide({.mu = "0.3 + 0.1*sin(t)"}), bead(plain, 0.5, {"y + 0.1*sin(t)"})})
    EXPECT_THAT(without(body).report.conclusion, HasSubstr("as far as was looked"));
}

LagrangianDescription pushed(const std::string& force, const std::string& potential = "") {
  LagrangianDescription description = bead(plain, 0.5);
  description.potential = potential;
  if (!force.empty()) description.force = {{"y", Quantity(force)}};
  return description;
}

// Gaps and forces that end, or become infinite, at a time of the run; and where that is not known of other positions.
TEST(RangeCheck, ValuesThatEnd) {
  for (const char* gap : {"y + sqrt(3 - t)", "y + log(7 - t)", "y + asin(t/5)", "y + (4 - t)^1.5"}) {
    const Checked check = checked_over_time(bead(plain, 0.5, {gap}));
    EXPECT_THAT(check.of(Verdict::problem), HasSubstr("values: The ")) << gap;
    EXPECT_THAT(check.of(Verdict::problem), HasSubstr("gap of wall0 is")) << gap;
    EXPECT_FALSE(check.report.continuous_dependence.has_value()) << gap;
  }
  for (const char* force : {"1/(t - 3.3)", "tan(t)", "1/sin(t - 1)^2", "log(abs(t - 2.7))"})
    EXPECT_THAT(checked_over_time(pushed(force)).of(Verdict::warning),
                HasSubstr("values: The force on y may have no value, or become infinite, near t ="))
        << force;
  for (const LagrangianDescription& body : {pushed("1/(y - 0.7)"), pushed("tan(0.3*y + 0.1*t)"), pushed("", "log(y)"),
                                            pushed("y^-2"), pushed("", "y^2.5")}) {
    const Checked check = checked_over_time(body);
    EXPECT_THAT(check.of(Verdict::ok), HasSubstr("values: Whether gaps, joints and forces have values wherever"));
    EXPECT_THAT(check.report.conclusion, HasSubstr("as far as was looked"));
  }
}

TEST(RangeCheck, ValuesThatAreShown) {
  for (const LagrangianDescription& body : {pushed("sin(t)*exp(y)/(1 + y^2)"), pushed("-y_dot^3 + tan(0.15*t)"),
                                            pushed("1/(11 - t)", "y^4 - cos(y)"), pushed("sqrt(11 - t + y^2)")}) {
    const Checked check = checked_over_time(body);
    for (const Verdict verdict : {Verdict::ok, Verdict::warning, Verdict::problem})
      EXPECT_THAT(check.of(verdict), ::testing::Not(HasSubstr("values:")));
    EXPECT_EQ(check.report.conclusion, "The motion depends continuously on the data. Nothing else was found.");
  }
}

TEST(RangeCheck, MassThatIsSingularBetweenSamples) {
  EXPECT_THAT(checked_over_time(bead("(1 - 1.1*" + dip + ")*y_dot^2/2", 0.5)).of(Verdict::problem),
              HasSubstr("mass: The mass matrix is not positive definite at t = 5.03"));
}

// Two pendulums: M is full and depends on the position.
TEST(RangeCheck, MassThatIsShown) {
  const LagrangianDescription pendulums{
      .coordinates = {"a", "b"}, .kinetic = "a_dot^2 + b_dot^2/2 + cos(a - b)*a_dot*b_dot", .potential = "-2*cos(a)"};
  const auto model = lagrangian(pendulums);
  const CheckedFormulas formulas(pendulums);
  const Checked check{check_problem(*model, {.q = {0.1, 0.2}}, {0.0, 1.0}, MoreauJean{}, {.h = 0.01}, {}, &formulas)};
  EXPECT_THAT(check.of(Verdict::ok), HasSubstr("mass: Shown, by intervals"));
  for (const char* kinetic : {"(1 + 0.2*sin(y))*y_dot^2/2", "(1 + y^2)*y_dot^2/2", "(2 + cos(3*t)*sin(y))*y_dot^2"})
    EXPECT_THAT(checked_over_time(bead(kinetic, 0.5)).of(Verdict::ok), HasSubstr("mass: Shown, by intervals"))
        << kinetic;
}

TEST(RangeCheck, WallsThatCrossBetweenSamples) {
  EXPECT_THAT(checked_over_time(bead(plain, 0.5, {"y", "1 - y - 1.2*" + dip})).of(Verdict::problem),
              HasSubstr("walls: wall0 and wall1 exclude each other at t = 5.03"));
  EXPECT_THAT(checked_over_time(bead(plain, 0.5, {"4*y - 4*sin(t)", "1 - y + sin(t)"})).of(Verdict::ok),
              HasSubstr("walls: Shown, by intervals: opposite walls leave room"));
}

// Neither shown by intervals nor looked at everywhere: the conclusion does not pass over it.
TEST(RangeCheck, WallsOfWhichItIsNotKnown) {
  const LagrangianDescription touching = bead(plain, 0.5, {"y", "t*(t - 2*sqrt(3)) + 3 - y"});
  const Checked check = checked_over_time(touching);
  EXPECT_THAT(check.of(Verdict::ok), HasSubstr("leave room between them at all times of the run is not known"));
  EXPECT_FALSE(check.report.continuous_dependence.has_value());
  const auto model = lagrangian(bead(plain, 0.5, {"y", "1 - y + 0.1*sin(t)"}));
  const Checked without{check_problem(*model, {.q = {0.5}}, {0.0, 10.0}, MoreauJean{}, {.h = 0.01})};
  EXPECT_THAT(without.report.conclusion, HasSubstr("as far as was looked"));
}

// Walls that meet for an instant, between any two of the times that are sampled, are not said to keep apart.
TEST(RangeCheck, WallsThatTouch) {
  for (const std::string& room :
       {"1 - " + dip, std::string("(t - 5.0371)^2"), std::string("abs(t - 5.0371)"), "1e-3*(1 - " + dip + ")"})
    for (const double e : {0.0, 0.5}) {
      const Checked check = checked_over_time(bead(plain, e, {"2*y - 1 + 0.2*t", "0.5 - 0.1*t - y + " + room}));
      EXPECT_THAT(check.of(Verdict::ok), HasSubstr("leave room between them at all times of the run is not known"));
      if (e > 0.0) EXPECT_FALSE(check.report.continuous_dependence.has_value()) << room;
      if (e == 0.0) EXPECT_EQ(check.report.continuous_dependence, true) << room;
    }
}

// Three walls that close in on each other between samples, and three of which a third one is opened then.
TEST(RangeCheck, MoreWallsThanTwo) {
  LagrangianDescription body{.coordinates = {"x", "y"}, .kinetic = "(x_dot^2 + y_dot^2)/2"};
  for (const std::string& gap : {std::string("x"), std::string("y"), "3 - 3.1*" + dip + " - x - y"})
    body.constraints.push_back({.name = "w" + gap.substr(0, 1), .gap = gap, .restitution = 0.0});
  const CheckedFormulas formulas(body);
  const auto model = lagrangian(body);
  const Checked check{check_problem(*model, {.q = {0.5, 0.5}}, {0.0, 10.0}, MoreauJean{}, {.h = 0.01}, {}, &formulas)};
  EXPECT_THAT(check.of(Verdict::ok), HasSubstr("Whether more than two walls leave room between them was looked at at"));
  EXPECT_THAT(check.report.conclusion, ::testing::Not(HasSubstr("continuously on the data. ")));
}

TEST(RangeCheck, WallsThatExcludeEachOther) {
  const Checked check = checked_over_time(bead(plain, 0.5, {"y - 1", "0.9 - y"}));
  EXPECT_THAT(check.of(Verdict::problem), HasSubstr("walls: wall0 and wall1 exclude each other: they overlap by 0.1"));
  // Also where no formulas are at hand.
  const auto model = lagrangian(bead(plain, 0.5, {"2*y - 2", "0.9 - y"}));
  const Checked without{check_problem(*model, {.q = {0.5}}, {0.0, 1.0}, MoreauJean{}, {.h = 0.01})};
  EXPECT_THAT(without.of(Verdict::problem), HasSubstr("exclude each other: they overlap by 0.1"));
}

// No two of them do: three walls of a triangle turned inside out, and one that closes in.
TEST(RangeCheck, WallsThatExcludeEachOtherTogether) {
  const auto walls = [](const char* third) {
    LagrangianDescription description{.coordinates = {"x", "y"}, .kinetic = "(x_dot^2 + y_dot^2)/2"};
    for (const auto& [name, gap] : {std::pair{"left", "x"}, std::pair{"floor", "3*y"}, std::pair{"slope", third}})
      description.constraints.push_back({.name = name, .gap = gap, .restitution = 0.5});
    const auto model = lagrangian(description);
    return Checked{check_problem(*model, {.q = {0.5, 0.5}}, {0.0, 10.0}, MoreauJean{}, {.h = 0.01})};
  };
  const Checked never = walls("-1 - x - y"), later = walls("3 - t - x - y"), sound = walls("3 + sin(t) - x - y");
  EXPECT_THAT(never.of(Verdict::problem), HasSubstr("walls: left, floor, slope exclude each other: no position"));
  EXPECT_FALSE(never.report.continuous_dependence.has_value());
  EXPECT_THAT(later.of(Verdict::problem), HasSubstr("walls: left, floor, slope exclude each other at t = 3."));
  EXPECT_THAT(sound.of(Verdict::problem), ::testing::Not(HasSubstr("walls")));
}

// What is wrong within far less than the parts that are looked at.
TEST(RangeCheck, NarrowDips) {
  for (const double width : {1e-3, 1e-5, 1e-7}) {
    const std::string dip = fmt::format("exp(-((t - 1.71234)/{})^2)", width);
    EXPECT_THAT(checked_over_time(bead(fmt::format("(1 - 1.0001*{})*y_dot^2/2", dip), 0.5)).of(Verdict::problem),
                HasSubstr("mass: The mass matrix is not positive definite at t = 1.712"))
        << width;
    EXPECT_THAT(checked_over_time(bead(plain, fmt::format("0.5 + 0.6*{}", dip))).of(Verdict::problem),
                HasSubstr("restitution: The restitution of wall0 is 1."))
        << width;
    EXPECT_EQ(checked_over_time(bead(fmt::format("(1 - 0.9*{})*y_dot^2/2", dip), 0.5)).of(Verdict::problem), "");
  }
}

// Neither shown nor refuted.
TEST(RangeCheck, SaysWhatIsNotKnown) {
  const Checked mass = checked_over_time(bead("(2 + y)*y_dot^2/2", 0.5));
  EXPECT_THAT(mass.of(Verdict::ok),
              HasSubstr("Whether the mass matrix is positive definite everywhere is not known; at"));
  EXPECT_THAT(mass.report.conclusion, HasSubstr("as far as was looked"));
  EXPECT_THAT(mass.report.conclusion, HasSubstr("Not known elsewhere: mass. "));
  const Checked shown = checked_over_time(bead("(2 + sin(y))*y_dot^2/2", "0.5 + 0.1*y"));
  EXPECT_THAT(shown.report.conclusion, HasSubstr("Not known elsewhere: restitution. "));
  const Checked touches = checked_over_time(bead("(1 - t/sqrt(3))^2*y_dot^2/2", 0.5));
  EXPECT_THAT(touches.of(Verdict::warning), HasSubstr("everywhere is not known: it could not be shown near t = 1.73"));
  EXPECT_FALSE(touches.report.continuous_dependence.has_value());
  EXPECT_THAT(checked_over_time(bead(plain, "0.5 + 0.1*y")).of(Verdict::ok),
              HasSubstr("Whether the restitution of wall0 is in [0, 1] everywhere is not known"));
}

}  // namespace
}  // namespace ricochet
