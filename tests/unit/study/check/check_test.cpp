// Is a problem well posed? The verdicts against what the motions themselves do.
#include "ricochet/study/check.hpp"
#include "ricochet/study/modes.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <random>

#include "ricochet/ricochet.hpp"
#include "study/check/closable.hpp"
#include "study/spectrum.hpp"

namespace ricochet {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;

const RunSettings coarse{.h = 1e-2};

CheckReport checked(const LagrangianDescription& description, State start, const Scheme& scheme = MoreauJean{},
                    RunSettings settings = coarse, TimeSpan span = {0.0, 1.0}) {
  return check_problem(*lagrangian(description), std::move(start), span, scheme, settings,
                       nonsmooth_functions(description));
}

const Finding& finding(const CheckReport& report, const std::string& subject) {
  for (const Finding& item : report.findings)
    if (item.subject == subject) return item;
  ADD_FAILURE() << "no finding on " << subject;
  return report.findings.front();
}

// A particle of mass 1 in a wedge of opening angle a: n₁ = (0, 1), n₂ = (sin a, −cos a).
LagrangianDescription wedge(double degrees, double e) {
  return {.coordinates = {"x", "y"},
          .kinetic = "(x_dot^2 + y_dot^2)/2",
          .parameters = {{"a", degrees * std::numbers::pi / 180.0}},
          .constraints = {{.name = "floor", .gap = "y", .restitution = e},
                          {.name = "slope", .gap = "sin(a)*x - cos(a)*y", .restitution = e}}};
}

// Flies at the vertex, `aside` past it.
State aimed(double degrees, double aside) {
  const double angle = 0.4 * degrees * std::numbers::pi / 180.0, c = std::cos(angle), s = std::sin(angle);
  return {.q = {c - aside * s, s + aside * c}, .v = {-c, -s}};
}

// Balls of radius 0 and mass 1 on a line, ball i at i.
LagrangianDescription balls(int count, double e, bool floor) {
  LagrangianDescription result;
  for (int i = 0; i < count; ++i) {
    const std::string x = "x" + std::to_string(i);
    result.coordinates.push_back(x);
    result.kinetic += (i == 0 ? "" : " + ") + x + "_dot^2/2";
    if (i > 0)
      result.constraints.push_back(
          {.name = "gap" + std::to_string(i), .gap = x + " - x" + std::to_string(i - 1) + " - 1", .restitution = e});
  }
  if (floor) result.constraints.push_back({.name = "floor", .gap = "x0", .restitution = e});
  return result;
}

// The verdict, and whether the motion into the vertex and those that pass it on either side end alike.
TEST(CheckContinuity, WedgesAsTheMotionShows) {
  for (const double degrees : {60.0, 90.0, 120.0})
    for (const double e : {0.0, 0.5, 1.0}) {
      const LagrangianDescription description = wedge(degrees, e);
      const CheckReport report = checked(description, aimed(degrees, 0.0));
      const bool expected = degrees == 90.0 || (degrees == 60.0 && e == 0.0);
      ASSERT_TRUE(report.continuous_dependence.has_value()) << degrees << " " << e;
      EXPECT_EQ(*report.continuous_dependence, expected) << degrees << " " << e;
      ASSERT_EQ(report.pairs.size(), 1u);
      EXPECT_NEAR(report.pairs[0].cosine, -std::cos(degrees * std::numbers::pi / 180.0), 1e-14);
      EXPECT_EQ(report.pairs[0].can_be_active_together, true);

      const auto model = lagrangian(description);
      const auto end = [&](double aside) {
        return simulate(*model, aimed(degrees, aside), {0.0, 1.5}, EventDriven{}, {.h = 0.1}).final.v;
      };
      double apart = 0.0;
      for (const double aside : {-1e-9, 1e-9})
        apart = std::max(apart, std::hypot(end(aside)[0] - end(0.0)[0], end(aside)[1] - end(0.0)[1]));
      if (expected) {
        EXPECT_LT(apart, 1e-6) << degrees << " " << e;
      } else {
        EXPECT_GT(apart, 0.01) << degrees << " " << e;
      }
    }
}

TEST(CheckContinuity, CradleAndColumn) {
  for (const bool floor : {false, true}) {
    const State start{.q = {0.0, 1.0, 2.0}, .v = {0.0, 0.0, 0.0}};
    EXPECT_EQ(checked(balls(3, 0.0, floor), start).continuous_dependence, true);
    EXPECT_EQ(checked(balls(3, 0.5, floor), start).continuous_dependence, false);
    EXPECT_NEAR(checked(balls(3, 0.5, floor), start).pairs[0].cosine, -0.5, 1e-14);
  }
}

TEST(CheckContinuity, OneConstraintIsAlwaysContinuous) {
  LagrangianDescription ball{.coordinates = {"x"}, .kinetic = "x_dot^2/2"};
  EXPECT_EQ(checked(ball, {.q = {1.0}}).continuous_dependence, true);
  ball.constraints = {{.name = "floor", .gap = "x^2 - 1", .restitution = 0.5}};
  EXPECT_EQ(checked(ball, {.q = {2.0}}).continuous_dependence, true);
}

TEST(CheckContinuity, StopsThatCannotBothBeTouched) {
  const auto stops = [](const char* right) {
    return LagrangianDescription{.coordinates = {"x", "y"},
                                 .kinetic = "(x_dot^2 + y_dot^2)/2",
                                 .constraints = {{.name = "left", .gap = "x + 1", .restitution = 0.8},
                                                 {.name = "right", .gap = right, .restitution = 0.8}}};
  };
  const CheckReport apart = checked(stops("1 - x"), {.q = {0.0, 0.0}});
  EXPECT_EQ(apart.continuous_dependence, true);
  EXPECT_EQ(apart.pairs[0].can_be_active_together, false);
  EXPECT_FALSE(apart.pairs[0].breaks_continuity);
  // A stop that moves up to the other one: at some time of the run both are touched.
  const CheckReport meeting = checked(stops("1 - 2*t - x"), {.q = {0.0, 0.0}});
  EXPECT_EQ(meeting.pairs[0].can_be_active_together, true);
  EXPECT_EQ(meeting.continuous_dependence, false);
  const CheckReport slower = checked(stops("1 - t - x"), {.q = {0.0, 0.0}});
  EXPECT_EQ(slower.continuous_dependence, true);
  EXPECT_THAT(slower.pairs[0].how, HasSubstr("times of the run"));
}

// x ≥ 0, y ≥ 0 and x + y ≥ 1: the corner of the first two is cut off.
TEST(CheckContinuity, AThirdConstraintMayKeepTwoApart) {
  LagrangianDescription description{.coordinates = {"x", "y"},
                                    .kinetic = "(x_dot^2 + y_dot^2)/2",
                                    .constraints = {{.name = "x", .gap = "x", .restitution = 0.0},
                                                    {.name = "y", .gap = "y", .restitution = 0.0},
                                                    {.name = "cut", .gap = "x + y - 1", .restitution = 0.0}}};
  const auto together = [&] {
    std::vector<bool> result;
    for (const ConstraintPair& pair : checked(description, {.q = {2.0, 2.0}}).pairs)
      result.push_back(pair.can_be_active_together.value());
    return result;
  };
  EXPECT_EQ(together(), (std::vector<bool>{false, true, true}));
  description.constraints[2].gap = "1 - x - y";
  EXPECT_EQ(together(), (std::vector<bool>{true, true, true}));
  description.constraints[2].gap = "x + y + 1";
  EXPECT_EQ(together(), (std::vector<bool>{true, false, false}));
}

// In the plane two lines meet in one point: the others must leave it free.
TEST(CheckContinuity, FeasibilityAgainstThePointWhereTwoLinesMeet) {
  constexpr int nc = 6;
  std::mt19937 random(7);
  std::uniform_real_distribution<double> uniform(-1.0, 1.0);
  const Pattern gradient = Pattern::dense(2, nc);
  int found = 0, asked = 0;
  for (int round = 0; round < 1000; ++round) {
    std::vector<double> H(2 * nc), g(nc);
    for (double& x : H) x = uniform(random);
    for (double& x : g) x = uniform(random);
    const LinearGaps gaps(gradient, H.data());
    for (int a = 0; a < nc; ++a)
      for (int b = a + 1; b < nc; ++b) {
        const double* n = &H[2 * static_cast<std::size_t>(a)];
        const double* m = &H[2 * static_cast<std::size_t>(b)];
        const double determinant = n[0] * m[1] - n[1] * m[0];
        if (std::abs(determinant) < 1e-3) continue;
        const double x = (-g[a] * m[1] + g[b] * n[1]) / determinant, y = (-g[b] * n[0] + g[a] * m[0]) / determinant;
        double smallest = 1.0;
        for (int j = 0; j < nc; ++j)
          if (j != a && j != b) smallest = std::min(smallest, g[j] + H[2 * j] * x + H[2 * j + 1] * y);
        if (std::abs(smallest) < 1e-6) continue;
        const std::optional<std::vector<double>> d = gaps.close(g.data(), {a, b});
        ASSERT_EQ(d.has_value(), smallest > 0.0) << round << " " << a << " " << b << " " << smallest;
        ++asked;
        if (!d) continue;
        ++found;
        EXPECT_NEAR((*d)[0], x, 1e-8 * (1.0 + std::abs(x)));
        EXPECT_NEAR((*d)[1], y, 1e-8 * (1.0 + std::abs(y)));
      }
  }
  EXPECT_GT(found, 500);
  EXPECT_GT(asked - found, 5000);
}

// M(0) = [2 1; 1 1], M⁻¹ = [1 −1; −1 2]: the gradients of a and b have the cosine −1/√2 there.
TEST(CheckContinuity, MassThatDependsOnThePosition) {
  const auto pendulum = [](double e) {
    return LagrangianDescription{.coordinates = {"a", "b"},
                                 .kinetic = "a_dot^2 + b_dot^2/2 + a_dot*b_dot*cos(a - b)",
                                 .constraints = {{.name = "first", .gap = "a", .restitution = e},
                                                 {.name = "second", .gap = "b", .restitution = e}}};
  };
  const State start{.q = {0.4, 0.5}, .v = {-0.5, -0.6}};
  const CheckReport elastic = checked(pendulum(0.5), start);
  EXPECT_EQ(elastic.continuous_dependence, false);
  EXPECT_NEAR(elastic.pairs[0].cosine, -1.0 / std::sqrt(2.0), 1e-9);
  // e = 0: nothing that breaks it is found, and nothing proves it.
  const CheckReport inelastic = checked(pendulum(0.0), start);
  EXPECT_FALSE(inelastic.continuous_dependence.has_value());
  EXPECT_EQ(inelastic.pairs[0].can_be_active_together, true);
  EXPECT_EQ(finding(inelastic, "angles").verdict, Verdict::warning);
}

TEST(CheckContinuity, CurvedGaps) {
  const auto outside_circle = [](const char* second, double e) {
    return LagrangianDescription{.coordinates = {"x", "y"},
                                 .kinetic = "(x_dot^2 + y_dot^2)/2",
                                 .constraints = {{.name = "disc", .gap = "x^2 + y^2 - 1", .restitution = e},
                                                 {.name = "line", .gap = second, .restitution = e}}};
  };
  const State start{.q = {2.0, 2.0}, .v = {-0.1, -0.2}};
  // y = ½ meets the circle at (±√¾, ½): the cosine with (0, 1) is ½.
  const CheckReport half = checked(outside_circle("y - 0.5", 0.0), start);
  EXPECT_EQ(half.continuous_dependence, false);
  EXPECT_NEAR(half.pairs[0].cosine, 0.5, 1e-9);
  // y = 0 meets it at a right angle: fine as far as one can see.
  const CheckReport right = checked(outside_circle("y", 0.7), start);
  EXPECT_FALSE(right.continuous_dependence.has_value());
  EXPECT_EQ(right.pairs[0].can_be_active_together, true);
  EXPECT_NEAR(right.pairs[0].cosine, 0.0, 1e-9);
  // y = 1.5 does not meet it.
  const CheckReport never = checked(outside_circle("y - 1.5", 0.7), start);
  EXPECT_FALSE(never.pairs[0].can_be_active_together.has_value());
  EXPECT_FALSE(never.continuous_dependence.has_value());
  EXPECT_THAT(never.pairs[0].how, HasSubstr("not found"));
}

TEST(CheckFindings, StartInsideAnObstacleIsAFindingNotAnError) {
  const CheckReport report = checked(wedge(90.0, 0.5), {.q = {-0.25, 1.0}, .v = {0.0, 0.0}});
  EXPECT_FALSE(report.start.admissible);
  EXPECT_DOUBLE_EQ(report.start.smallest_gap, -0.25);
  EXPECT_EQ(report.start.violated, std::vector<int>{1});
  EXPECT_EQ(finding(report, "start").verdict, Verdict::problem);
  EXPECT_THAT(finding(report, "start").sentence, HasSubstr("slope"));
  EXPECT_FALSE(report.continuous_dependence.has_value());  // no motion begins there
}

// Each kind of start that is none has its own sentence, and nothing is said of a motion that does not begin.
TEST(CheckFindings, StartsThatAreNone) {
  const auto at_one = [](const char* gap) {
    return checked({.coordinates = {"x", "y"},
                    .kinetic = "(x_dot^2 + y_dot^2)/2",
                    .constraints = {{.name = "wall", .gap = gap, .restitution = 0.5}}},
                   {.q = {1.0, 1.0}, .v = {0.0, 0.0}});
  };
  const auto expect = [&](const char* gap, const char* subject, const char* words) {
    const CheckReport report = at_one(gap);
    EXPECT_EQ(finding(report, subject).verdict, Verdict::problem) << gap;
    EXPECT_THAT(finding(report, subject).sentence, HasSubstr(words)) << gap;
    EXPECT_FALSE(report.continuous_dependence.has_value()) << gap;
    EXPECT_THAT(report.conclusion, HasSubstr("could not be decided")) << gap;
  };
  for (const char* gap : {"sqrt((x - 1)^2) + x", "sqrt((x - y)^2) + 0.5"})
    expect(gap, "start", "its gradient there is no finite number");
  expect("log(1 + exp(1e4*x))/1e4", "start", "The gap of wall is inf at the start: it must be a finite number");
  expect("log(x - 2)", "start", "The gap of wall is nan at the start: it must be a finite number");
  expect("x - 1.5", "start", "the gap of wall is -0.5, it must be at least 0");
  for (const char* gap : {"(x - y)^2", "(y - 1)^3"})
    expect(gap, "gradients", "vanishes at the start where it is closed");
}

TEST(CheckFindings, ForcesAndEnergiesThatAreNoNumbers) {
  for (const char* potential : {"log(y - 5)", "sqrt(y - 5)", "1/(y - 1)"}) {
    const LagrangianDescription body{.coordinates = {"y"}, .kinetic = "y_dot^2/2", .potential = potential};
    const CheckReport report = checked(body, {.q = {1.0}, .v = {0.0}});
    EXPECT_EQ(finding(report, "forces").verdict, Verdict::problem) << potential;
    EXPECT_THAT(finding(report, "forces").sentence, HasSubstr("the energy is")) << potential;
    const auto model = lagrangian(body);
    EXPECT_THROW(find_modes(*model, {.q = {1.0}, .v = {0.0}}, {}), InputError) << potential;
  }
}

TEST(CheckFindings, VelocityIntoAClosedContact) {
  const CheckReport report = checked(wedge(90.0, 0.5), {.q = {1.0, 0.0}, .v = {0.0, -1.0}});
  EXPECT_TRUE(report.start.admissible);
  EXPECT_EQ(report.start.closed, std::vector<int>{0});
  EXPECT_EQ(report.start.closing, std::vector<int>{0});
  EXPECT_EQ(finding(report, "start").verdict, Verdict::warning);
}

TEST(CheckFindings, MassMatrix) {
  LagrangianDescription description{.coordinates = {"x", "y"}, .mass = {{4.0, 0.0}, {0.0, 0.5}}};
  EXPECT_NEAR(checked(description, {.q = {0.0, 0.0}}).mass.condition, 8.0, 1e-13);
  description.mass = {{1.0, 2.0}, {2.0, 1.0}};
  description.constraints = {{.name = "x", .gap = "x", .restitution = 0.0},
                             {.name = "y", .gap = "y", .restitution = 0.0}};
  const CheckReport indefinite = checked(description, {.q = {0.0, 0.0}});
  EXPECT_FALSE(indefinite.mass.positive_definite);
  EXPECT_EQ(finding(indefinite, "mass").verdict, Verdict::problem);
  EXPECT_FALSE(indefinite.continuous_dependence.has_value());
}

TEST(CheckFindings, Gradients) {
  LagrangianDescription twice{.coordinates = {"x"},
                              .kinetic = "x_dot^2/2",
                              .constraints = {{.name = "one", .gap = "x", .restitution = 0.0},
                                              {.name = "two", .gap = "2*x", .restitution = 0.0}}};
  const CheckReport dependent = checked(twice, {.q = {0.0}});
  EXPECT_EQ(dependent.gradients.independent, false);
  EXPECT_EQ(dependent.gradients.dependent_pairs, (std::vector<std::pair<int, int>>{{0, 1}}));
  EXPECT_EQ(finding(dependent, "gradients").verdict, Verdict::warning);
  EXPECT_EQ(dependent.continuous_dependence, true);  // one obstacle given twice
  twice.constraints = {{.name = "flat", .gap = "x^2", .restitution = 0.0}};
  const CheckReport flat = checked(twice, {.q = {0.0}});
  EXPECT_FALSE(flat.gradients.nonzero);
  EXPECT_EQ(finding(flat, "gradients").verdict, Verdict::problem);
  EXPECT_EQ(checked(wedge(60.0, 0.0), {.q = {0.0, 0.0}}).gradients.independent, true);
}

TEST(CheckFindings, RestitutionThatDiffers) {
  LagrangianDescription description = wedge(90.0, 0.5);
  EXPECT_FALSE(checked(description, {.q = {1.0, 1.0}}).restitution.differs);
  description.constraints[1].restitution = 0.25;
  const CheckReport report = checked(description, {.q = {1.0, 1.0}});
  EXPECT_TRUE(report.restitution.differs);
  EXPECT_EQ(finding(report, "restitution").verdict, Verdict::warning);
  // Opposite stops are never hit together.
  description.constraints[1].gap = "4 - y";
  EXPECT_EQ(finding(checked(description, {.q = {1.0, 1.0}}), "restitution").verdict, Verdict::ok);
}

TEST(CheckFindings, ASchemeThatRefusesTheProblem) {
  const CheckReport report = checked(wedge(90.0, 0.5), {.q = {1.0, 1.0}}, MoreauInelastic{});
  EXPECT_EQ(finding(report, "scheme").verdict, Verdict::problem);
  for (const Finding& item : checked(wedge(90.0, 0.0), {.q = {1.0, 1.0}}, MoreauInelastic{}).findings)
    EXPECT_NE(item.subject, "scheme");
}

TEST(CheckFindings, FunctionsThatAreNotSmooth) {
  const LagrangianDescription description{.coordinates = {"x", "y"},
                                          .kinetic = "(x_dot^2 + y_dot^2)/2",
                                          .potential = "max(x, 0)^2 + abs(k)*y^2",
                                          .force = {{"y", "if(t < 1, 2, 3) - sign(y_dot)"}},
                                          .parameters = {{"k", -1.0}},
                                          .constraints = {{.name = "roof", .gap = "2 - abs(x)", .restitution = 0.0},
                                                          {.name = "floor", .gap = "y + 1", .restitution = 0.0}}};
  EXPECT_THAT(nonsmooth_functions(description),
              ::testing::UnorderedElementsAre(NonsmoothFunction{"potential", "max"}, NonsmoothFunction{"force.y", "if"},
                                              NonsmoothFunction{"force.y", "sign"},
                                              NonsmoothFunction{"constraint[0].gap", "abs"}));
  EXPECT_EQ(finding(checked(description, {.q = {0.5, 0.0}}), "smoothness").verdict, Verdict::warning);
}

// What jumps in a gap or a mass may do anything to the motion; what has a kink, or jumps in a force, is only told.
TEST(CheckFindings, GapsAndMassesThatJumpAreNotDecided) {
  const auto decided = [](const char* gap, const char* kinetic, const char* force) {
    const LagrangianDescription body{.coordinates = {"x"},
                                     .kinetic = kinetic,
                                     .force = {{"x", Quantity(force)}},
                                     .constraints = {{.name = "floor", .gap = gap, .restitution = 0.5}}};
    return checked(body, {.q = {1.0}}).continuous_dependence.has_value();
  };
  const char *plain = "x_dot^2/2", *none = "0";
  for (const char* gap : {"if(t < 0.3, x, x - 2)", "x - floor(t)", "x + 0.1*sign(t - 0.5)", "x - 0.1*step(t - 0.5)"})
    EXPECT_FALSE(decided(gap, plain, none)) << gap;
  EXPECT_FALSE(decided("x", "(1 + step(t - 0.5))*x_dot^2/2", none));
  for (const char* gap : {"x", "x - 0.1*abs(sin(t))", "min(x, 2 + x)"}) EXPECT_TRUE(decided(gap, plain, none)) << gap;
  EXPECT_TRUE(decided("x", plain, "if(t < 0.5, -1, -2)"));
}

// Three masses of 1, c = a + b: what is left is the mass [[2, 1], [1, 2]], so stops of a and b have the cosine −½.
LagrangianDescription lever(const std::string& gap_b) {
  return {
      .coordinates = {"a", "b", "c"},
      .kinetic = "(a_dot^2 + b_dot^2 + c_dot^2)/2",
      .constraints = {{.name = "A", .gap = "a", .restitution = 0.5}, {.name = "B", .gap = gap_b, .restitution = 0.5}},
      .joints = {{.name = "lever", .equation = {"c - a - b"}}}};
}

TEST(CheckJoints, AnglesAreAlongWhatTheyAllow) {
  for (const std::string gap : {"b", "b*(2 + b)"}) {
    const CheckReport report = checked(lever(gap), {.q = {1.0, 1.0, 2.0}});
    ASSERT_EQ(report.pairs.size(), 1u);
    EXPECT_NEAR(report.pairs[0].cosine, -0.5, 1e-12) << gap;
    EXPECT_EQ(report.pairs[0].can_be_active_together, true) << gap;
    EXPECT_EQ(report.continuous_dependence, false) << gap;
  }
  const Solution hit = simulate(*lagrangian(lever("b")), {.q = {1.0, 1.0, 2.0}, .v = {-1.0, -1.0, -2.0}}, {0.0, 1.5},
                                EventDriven{}, {.h = 0.1});
  EXPECT_EQ(hit.discontinuous_count, 2u);
}

TEST(CheckJoints, MayKeepTwoContactsApart) {
  LagrangianDescription description = lever("b");
  description.joints.push_back({.name = "bar", .equation = {"a^2 + b^2 - 1"}});
  const CheckReport report = checked(description, {.q = {0.6, 0.8, 1.4}});
  ASSERT_EQ(report.pairs.size(), 1u);
  EXPECT_NE(report.pairs[0].can_be_active_together, true);
}

TEST(CheckJoints, RedundantContradictoryAndLocked) {
  LagrangianDescription description = lever("b");
  EXPECT_EQ(finding(checked(description, {.q = {1.0, 1.0, 2.0}}), "joints").verdict, Verdict::ok);

  description.joints.push_back({.name = "again", .equation = {"2*c - 2*a - 2*b"}});
  const CheckReport twice = checked(description, {.q = {1.0, 1.0, 2.0}});
  EXPECT_EQ(finding(twice, "joints").verdict, Verdict::warning);
  EXPECT_THAT(finding(twice, "joints").sentence, HasSubstr("Of the joints again follows from the others"));

  description.joints[1].equation = {"2*c - 2*a - 2*b - 1"};
  const CheckReport against = checked(description, {.q = {1.0, 1.0, 2.0}});
  EXPECT_EQ(finding(against, "joints").verdict, Verdict::problem);
  EXPECT_THAT(finding(against, "joints").sentence, HasSubstr("its equation gives -1 at the start"));

  description.joints[1] = {.name = "clamp", .equation = {"b - 1"}};
  const CheckReport clamped = checked(description, {.q = {1.0, 1.0, 2.0}});
  EXPECT_EQ(finding(clamped, "joints").verdict, Verdict::warning);
  EXPECT_THAT(finding(clamped, "joints").sentence, HasSubstr("The joints hold B: no motion"));
}

// A pin in the middle of its hole: the gap is largest there, and its gradient is 0, or round-off.
TEST(CheckJoints, HoldNoPinInTheMiddleOfItsHole) {
  for (const double off : {0.0, 1e-17, 3e-16}) {
    LagrangianDescription body{.coordinates = {"x", "y"}, .kinetic = "(x_dot^2 + y_dot^2)/2"};
    body.joints = {{.name = "rail", .equation = {"y - x"}}};
    body.constraints = {{.name = "hole", .gap = "(1e-4 - (x - 0.3)^2 - (y - 0.3)^2)/0.02", .restitution = 0.5}};
    const CheckReport report = checked(body, {.q = {0.3 + off, 0.3 + off}});
    EXPECT_EQ(finding(report, "joints").verdict, Verdict::ok) << finding(report, "joints").sentence;
  }
}

// Joints of which one follows from the others at the start only, and such that press into a contact which they hold:
// what moves is looked at later, and what was looked at is not called shown.
TEST(CheckJoints, ThatMoveApart) {
  const auto conclusion_of = [](const char* joint, const char* gap, const char* words) {
    LagrangianDescription body{.coordinates = {"x", "y"},
                               .kinetic = "(x_dot^2 + y_dot^2)/2",
                               .constraints = {{.name = "floor", .gap = gap, .restitution = 0.5}},
                               .joints = {{.name = "pin", .equation = {"x - 1"}}}};
    if (*joint != '\0') body.joints.push_back({.name = "again", .equation = {joint}});
    const CheckReport report = checked(body, {.q = {1.0, 1.0}});
    std::string all;
    for (const Finding& finding : report.findings)
      if (finding.subject == "joints" && finding.verdict == Verdict::problem) all += finding.sentence;
    if (*words != '\0') {
      EXPECT_THAT(all, HasSubstr(words)) << joint << ", " << gap;
      EXPECT_FALSE(report.continuous_dependence.has_value()) << joint << ", " << gap;
    } else {
      EXPECT_EQ(all, "") << joint << ", " << gap;
    }
    return report.conclusion;
  };
  for (const char* joint : {"2*x - 2 - 0.1*t^2", "x - 1 - 0.01*(1 - cos(t))", "3*x - 3*cosh(t)"})
    conclusion_of(joint, "y", "The joint again follows from the others at the start and contradicts them at t = ");
  for (const char* gap : {"x - 0.95 - 0.2*t^2", "2*x - 1.5 - 1.5*(1 - cos(t))"})
    conclusion_of("", gap, "The joints press into floor: its gap is -");
  // A thousandth of a second that no look meets.
  for (const char* joint : {"2*x - 2 - 0.1*(exp(-1e8*(t - 0.43211)^2))"})
    EXPECT_THAT(conclusion_of(joint, "y", ""), HasSubstr("as far as was looked"));
  EXPECT_THAT(conclusion_of("2*x - 2", "y", ""), HasSubstr("continuously on the data. "));
  EXPECT_THAT(conclusion_of("", "x - 0.5", ""), HasSubstr("continuously on the data. "));
}

// A square has no slope where it is 0: such a joint does not follow from any other.
TEST(CheckJoints, WithoutAGradient) {
  for (const char* joint : {"(x - 1)^2", "(x - 1)^3 + (y - 1)^2", "(x - 1)*(y - 1)", "1 - cos(x - 1)"}) {
    const LagrangianDescription body{.coordinates = {"x", "y"},
                                     .kinetic = "(x_dot^2 + y_dot^2)/2",
                                     .joints = {{.name = "pin", .equation = {joint}}}};
    const CheckReport report = checked(body, {.q = {1.0, 1.0}});
    EXPECT_EQ(finding(report, "joints").verdict, Verdict::problem) << joint;
    EXPECT_THAT(finding(report, "joints").sentence, HasSubstr("The joint pin holds nothing: its gradient vanishes"));
    EXPECT_FALSE(report.continuous_dependence.has_value()) << joint;
    const Solution solution = simulate(*lagrangian(body), {.q = {1.0, 1.0}}, {0.0, 0.1}, MoreauJean{}, {.h = 0.1});
    EXPECT_THAT(solution.notes, Contains(HasSubstr("the joint pin holds nothing"))) << joint;
  }
}

TEST(CheckJoints, LinksWithoutMass) {
  LagrangianDescription description = lever("b");
  description.kinetic = "(a_dot^2 + b_dot^2)/2";
  EXPECT_EQ(finding(checked(description, {.q = {1.0, 1.0, 2.0}}), "mass").verdict, Verdict::ok);
  description.joints.clear();
  EXPECT_EQ(finding(checked(description, {.q = {1.0, 1.0, 2.0}}), "mass").verdict, Verdict::problem);
}

TEST(CheckStiffness, LimitsOfTheSchemes) {
  for (const Scheme& scheme :
       {Scheme(Moreau{}), Scheme(Mabrouk{}), Scheme(MoreauInelastic{}), Scheme(FeasiblePosition{}),
        Scheme(PaoliSchatzman{}), Scheme(D1Minus{}), Scheme(Newmark{.choice = Newmark::Choice::central_difference})})
    EXPECT_NEAR(stability_limit(scheme), 2.0, 1e-3) << scheme.name;
  EXPECT_NEAR(stability_limit(Newmark{.choice = Newmark::Choice::linear_acceleration}), 2.0 * std::sqrt(3.0), 2e-3);
  EXPECT_NEAR(stability_limit(Newmark{.choice = Newmark::Choice::fox_goodwin}), std::sqrt(6.0), 2e-3);
  for (const Scheme& scheme : {Scheme(MoreauJean{}), Scheme(MoreauJean{.theta = 1.0}), Scheme(MoreauJeanDissipative{}),
                               Scheme(Newmark{}), Scheme(Hht{}), Scheme(GeneralizedAlpha{}),
                               Scheme(PaoliSchatzman{.force = PaoliSchatzman::Force::newmark}), Scheme(Mannshardt{})})
    EXPECT_TRUE(std::isinf(stability_limit(scheme))) << scheme.name;
}

TEST(CheckStiffness, StepAgainstTheFastestMode) {
  const LagrangianDescription spring{
      .coordinates = {"x", "y"}, .kinetic = "(x_dot^2 + 4*y_dot^2)/2", .potential = "50*x^2 + y^2"};
  const State start{.q = {0.1, 0.1}};
  const CheckReport stable = checked(spring, start, Moreau{}, {.h = 0.01});
  EXPECT_NEAR(stable.stiffness.omega_max, 10.0, 1e-12);
  EXPECT_NEAR(stable.stiffness.h_omega, 0.1, 1e-14);
  EXPECT_EQ(finding(stable, "stiffness").verdict, Verdict::ok);
  const CheckReport unstable = checked(spring, start, Moreau{}, {.h = 0.25});
  EXPECT_EQ(finding(unstable, "stiffness").verdict, Verdict::problem);
  const CheckReport implicit = checked(spring, start, MoreauJean{}, {.h = 0.25});
  EXPECT_FALSE(implicit.stiffness.limit.has_value());
  EXPECT_EQ(finding(implicit, "stiffness").verdict, Verdict::warning);
  EXPECT_TRUE(checked(spring, start, EventDriven{}, {.h = 0.25}).stiffness.chooses_steps);
}

// Only steps that are given can be too long.
TEST(CheckStiffness, StepsThatAParameterLeavesToTheScheme) {
  const LagrangianDescription spring{.coordinates = {"x"}, .kinetic = "x_dot^2/2", .potential = "50*x^2"};
  const State start{.q = {0.1}};
  const CheckReport fixed = checked(spring, start, Penalty{.steps = Penalty::Steps::fixed}, {.h = 0.5});
  EXPECT_FALSE(fixed.stiffness.chooses_steps);
  EXPECT_TRUE(fixed.stiffness.limit.has_value());
  EXPECT_EQ(finding(fixed, "stiffness").verdict, Verdict::problem);
  const CheckReport adaptive = checked(spring, start, Splitting{.steps = Splitting::Steps::adaptive}, {.h = 0.5});
  EXPECT_TRUE(adaptive.stiffness.chooses_steps);
  EXPECT_FALSE(adaptive.stiffness.limit.has_value());
  EXPECT_EQ(finding(adaptive, "stiffness").verdict, Verdict::ok);
}

// Linear elements with consistent mass; `contacts` of the nodes, from the left, over a floor or pushing each other.
class Chain final : public Model {
 public:
  Chain(int n, int contacts, bool consistent) : Model(layout_of(n, contacts, consistent)), consistent_(consistent) {}

  void mass(double, const double*, double* M) const override {
    const Pattern& pattern = layout().mass;
    for (int j = 0; j < pattern.cols; ++j)
      for (int k = pattern.start[j]; k < pattern.start[j + 1]; ++k)
        M[k] = !consistent_ ? 1.0 : pattern.row[k] == j ? 4.0 / 6.0 : 1.0 / 6.0;
  }
  void force(double, const double* q, const double*, const double*, double* F) const override {
    for (int i = 0; i < nq(); ++i) {
      const double left = i > 0 ? q[i - 1] : 0.0, right = i + 1 < nq() ? q[i + 1] : 0.0;
      F[i] = left + right - 2.0 * q[i];
    }
  }
  void force_jacobians(double, const double*, const double*, const double*, double* K, double*) const override {
    const Pattern& pattern = layout().stiffness;
    for (int j = 0; j < pattern.cols; ++j)
      for (int k = pattern.start[j]; k < pattern.start[j + 1]; ++k) K[k] = pattern.row[k] == j ? 2.0 : -1.0;
  }
  void gap(double, const double* q, double* g) const override {
    for (int j = 0; j < nc(); ++j) g[j] = j == 0 ? q[0] : q[j] - q[j - 1];
  }
  void gap_gradient(double, const double*, double* H) const override {
    for (int j = 0; j < nc(); ++j) {
      double* column = H + layout().gradient.start[j];
      if (j > 0) *column++ = -1.0;
      *column = 1.0;
    }
  }

 private:
  static Layout layout_of(int n, int contacts, bool consistent) {
    Layout layout;
    Pattern three{n, n, {0}, {}}, one{n, n, {0}, {}};
    for (int j = 0; j < n; ++j) {
      layout.coordinates.push_back("x" + std::to_string(j));
      for (int i = std::max(0, j - 1); i <= std::min(n - 1, j + 1); ++i) three.row.push_back(i);
      three.start.push_back(static_cast<int>(three.row.size()));
      one.row.push_back(j);
      one.start.push_back(j + 1);
    }
    Pattern gradient{n, contacts, {0}, {}};
    for (int j = 0; j < contacts; ++j) {
      layout.constraints.push_back("c" + std::to_string(j));
      for (int i = std::max(0, j - 1); i <= j; ++i) gradient.row.push_back(i);
      gradient.start.push_back(static_cast<int>(gradient.row.size()));
    }
    layout.structure = {.constant_mass = true, .linear_gaps = true, .fixed_gaps = true, .constant_restitution = true};
    layout.mass = consistent ? three : one;
    layout.stiffness = three;
    layout.damping = Pattern::empty(n, n);
    layout.gradient = gradient;
    return layout;
  }
  bool consistent_;
};

// Eigenvalues: (4 + 2 cos)/6 of M, (2 − 2 cos)/((4 + 2 cos)/6) of the motion, up to 1, ⅓ and 12 for long chains.
TEST(CheckLarge, AHundredThousandUnknowns) {
  const Chain bar(100'000, 1, true);
  const State start{.q = std::vector<double>(100'000, 0.0)};
  const CheckReport report = check_problem(bar, start, {0.0, 1.0}, MoreauJean{}, coarse);
  EXPECT_TRUE(report.mass.positive_definite && report.mass.estimated);
  EXPECT_NEAR(report.mass.condition, 3.0, 0.03);
  EXPECT_NEAR(report.stiffness.omega_max, std::sqrt(12.0), 0.02);
  EXPECT_LE(report.stiffness.omega_max, std::sqrt(12.0));
  EXPECT_EQ(report.continuous_dependence, true);
}

TEST(CheckLarge, ColumnOfTenThousand) {
  const Chain column(10'000, 10'000, false);
  const State start{.q = std::vector<double>(10'000, 0.0)};
  const CheckReport report = check_problem(column, start, {0.0, 1.0}, MoreauJean{}, coarse);
  EXPECT_EQ(report.continuous_dependence, true);  // e = 0, all angles acute
  EXPECT_EQ(report.pairs.size(), 9'999u);
  EXPECT_EQ(report.start.closed.size(), 10'000u);
  EXPECT_EQ(report.gradients.independent, true);
  for (const ConstraintPair& pair : report.pairs) ASSERT_NEAR(pair.cosine, pair.a == 0 ? -std::sqrt(0.5) : -0.5, 1e-14);
}

// With a full M⁻¹ also constraints that share no coordinate are at an angle: what was skipped leaves it open.
TEST(CheckLarge, SkippedPairsLeaveTheVerdictOpen) {
  const Chain bar(1'000, 300, true);
  const State start{.q = std::vector<double>(1'000, 0.0)};
  const CheckReport report = check_problem(bar, start, {0.0, 1.0}, MoreauJean{}, coarse);
  EXPECT_EQ(report.pairs_skipped, 300u * 299u / 2u - 299u);
  EXPECT_NE(report.continuous_dependence, true);
  EXPECT_THAT(finding(report, "angles").sentence, HasSubstr("not looked at"));
}

TEST(CheckLarge, LanczosAgreesWithDense) {
  const Chain bar(400, 0, true);
  const State start{.q = std::vector<double>(400, 0.0), .v = std::vector<double>(400, 0.0)};
  const double c = std::cos(400.0 * std::numbers::pi / 401.0);
  EXPECT_NEAR(largest_frequency(bar, start).omega, std::sqrt(6.0 * (2.0 - 2.0 * c) / (4.0 + 2.0 * c)), 5e-3);
  const Chain small(100, 0, true);
  const double d = std::cos(100.0 * std::numbers::pi / 101.0);
  EXPECT_NEAR(largest_frequency(small, {.q = std::vector<double>(100, 0.0), .v = std::vector<double>(100, 0.0)}).omega,
              std::sqrt(6.0 * (2.0 - 2.0 * d) / (4.0 + 2.0 * d)), 1e-12);
}

TEST(CheckInput, BadVectorsAreRefused) {
  const auto model = lagrangian(wedge(60.0, 0.0));
  EXPECT_THROW(check_problem(*model, {.q = {0.0}}, {0.0, 1.0}, MoreauJean{}, coarse), InputError);
  EXPECT_THROW(check_problem(*model, {.q = {0.0, std::nan("")}}, {0.0, 1.0}, MoreauJean{}, coarse), InputError);
  EXPECT_THROW(check_problem(*model, {.q = {0.0, 0.0}}, {0.0, 1.0}, {"moro"}, coarse), InputError);
  EXPECT_THROW(check_problem(*model, {.q = {0.0, 0.0}}, {0.0, 1.0}, MoreauJean{}, {.h = -1.0}), InputError);
}

// In a run: every scheme with rigid contacts marks the impacts at the vertex, and those alone.
TEST(RunMarks, ImpactsAtAVertex) {
  for (const SchemeEntry& entry : catalogue()) {
    for (const double degrees : {60.0, 90.0, 120.0})
      for (const double e : {0.0, 0.5}) {
        if (traits(entry).inelastic_only && e > 0.0) continue;
        const auto model = lagrangian(wedge(degrees, e));
        const Solution solution =
            simulate(*model, aimed(degrees, 0.0), {0.0, 1.4}, {std::string(entry.name)}, {.h = 1e-3});
        const bool continuous = degrees == 90.0 || (degrees == 60.0 && e == 0.0) || traits(entry).compliant;
        ASSERT_GT(solution.impact_count, 0u) << entry.name;
        std::uint64_t marked = 0;
        for (const Impact& impact : solution.impacts) marked += impact.discontinuous ? 1 : 0;
        EXPECT_EQ(marked, solution.discontinuous_count) << entry.name;
        EXPECT_EQ(marked > 0, !continuous) << entry.name << " " << degrees << " " << e;
        const bool noted = std::any_of(solution.notes.begin(), solution.notes.end(), [](const std::string& note) {
          return note.find("does not depend continuously") != std::string::npos;
        });
        EXPECT_EQ(noted, !continuous) << entry.name;
      }
  }
}

// One impact while another contact is closed: sliding along the floor into the slope.
TEST(RunMarks, AnImpactWhileAnotherContactIsClosed) {
  for (const SchemeEntry& entry : catalogue()) {
    if (traits(entry).compliant) continue;
    const State sliding{.q = {1.0, 0.0}, .v = {-1.0, 0.0}};
    const auto steep = lagrangian(wedge(120.0, 0.0)), right = lagrangian(wedge(90.0, 0.0));
    const Scheme scheme{std::string(entry.name)};
    EXPECT_GT(simulate(*steep, sliding, {0.0, 1.4}, scheme, {.h = 1e-3}).discontinuous_count, 0u) << entry.name;
    EXPECT_EQ(simulate(*right, sliding, {0.0, 1.4}, scheme, {.h = 1e-3}).discontinuous_count, 0u) << entry.name;
  }
}

TEST(RunMarks, ImpactsFarFromEachOtherAreNotMarked) {
  for (const SchemeEntry& entry : catalogue()) {
    if (traits(entry).inelastic_only || traits(entry).compliant) continue;
    const auto model = lagrangian(balls(3, 1.0, false));
    // Ball 0 hits ball 1, much later ball 1 hits ball 2.
    const Solution solution = simulate(*model, {.q = {-0.3, 1.0, 2.5}, .v = {1.0, 0.0, 0.0}}, {0.0, 1.2},
                                       {std::string(entry.name)}, {.h = 1e-3});
    EXPECT_EQ(solution.impact_count, 2u) << entry.name;
    EXPECT_EQ(solution.discontinuous_count, 0u) << entry.name;
  }
}

TEST(RunMarks, AnImpactAtTheStart) {
  const auto model = lagrangian(wedge(120.0, 0.5));
  const Solution solution =
      simulate(*model, {.q = {0.0, 0.0}, .v = {-0.5, -1.0}}, {0.0, 0.1}, MoreauJean{}, {.h = 0.05});
  EXPECT_GT(solution.discontinuous_count, 0u);
  EXPECT_TRUE(solution.impacts[0].discontinuous);
}

}  // namespace
}  // namespace ricochet
