// What check finds away from the start.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "ricochet/ricochet.hpp"
#include "ricochet/study/check.hpp"

namespace ricochet {
namespace {

CheckReport checked(LagrangianDescription description, double x = 1.0) {
  std::vector<NonsmoothFunction> nonsmooth = nonsmooth_functions(description);
  const auto model = lagrangian(std::move(description));
  return check_problem(*model, {.q = {x}, .v = {0.0}}, {0.0, 10.0}, MoreauJean{}, {.h = 0.01}, std::move(nonsmooth));
}

LagrangianDescription with_gap(const std::string& gap, const Quantity& restitution = 0.5) {
  return {.coordinates = {"y"},
          .kinetic = "y_dot^2/2",
          .constraints = {{.name = "wall", .gap = gap, .restitution = restitution}}};
}

std::string findings(const CheckReport& report, Verdict verdict) {
  std::string text;
  for (const Finding& finding : report.findings)
    if (finding.verdict == verdict) text += finding.subject + ": " + finding.sentence + "\n";
  return text;
}

TEST(SurfaceCheck, GradientsThatHaveNoLimitOnTheSurface) {
  for (const char* gap : {"y^2", "y^3", "(y - 0.3)^4", "sqrt(y)", "y^0.2", "(y + t)^2", "1 - cos(y)", "y^1.5",
                          "acos(1 - y)", "if(t < 2, y, y^3)"}) {
    const CheckReport report = checked(with_gap(gap));
    EXPECT_THAT(findings(report, Verdict::problem), ::testing::HasSubstr("The gap of wall has a gradient that")) << gap;
    EXPECT_FALSE(report.continuous_dependence.has_value()) << gap;
  }
}

TEST(SurfaceCheck, GapsThatPassZeroWithASlope) {
  for (const char* gap :
       {"y", "sin(y)", "y + 0.1*y^3", "exp(y) - 1", "sqrt(y^2 + 3) - 1.8", "y*(2 + cos(t))", "log(y + 0.5)"}) {
    const CheckReport report = checked(with_gap(gap));
    EXPECT_EQ(findings(report, Verdict::problem), "") << gap;
    EXPECT_EQ(report.continuous_dependence, true) << gap;
  }
}

// What is positive on both sides of its surface is no obstacle, and what has no values there ends the run.
TEST(SurfaceCheck, GapsThatAreNotNegativeBehindTheirSurface) {
  for (const char* gap : {"max(y, -y)", "max(y - 0.2, 0.2 - y)", "if(y > 0, y, -y)"})
    EXPECT_THAT(findings(checked(with_gap(gap)), Verdict::problem), ::testing::HasSubstr("positive on both sides"))
        << gap;
  for (const char* gap : {"y + 1e-9*y^1.5", "y + 1e-9*y^2.5"})
    EXPECT_THAT(findings(checked(with_gap(gap)), Verdict::problem), ::testing::HasSubstr("no values behind")) << gap;
}

// Behind such a surface bodies are let through and seem to touch; also where the start touches it.
TEST(SurfaceCheck, GapsThatAreZeroBehindTheirSurface) {
  for (const char* gap :
       {"max(y, 0)", "(y + abs(y))/2", "step(y)*y", "y*(1 + sign(y))", "max(sin(y), 0)", "if(y > 0, y, 0)"})
    for (const double y : {1.0, 1e-6, 0.0}) {
      LagrangianDescription description = with_gap(gap);
      const auto model = lagrangian(description);
      const CheckReport report = check_problem(*model, {.q = {y}, .v = {-0.1}}, {0.0, 10.0}, MoreauJean{}, {.h = 0.01});
      EXPECT_THAT(findings(report, Verdict::problem), ::testing::HasSubstr("gradients: ")) << gap << " from " << y;
      EXPECT_FALSE(report.continuous_dependence.has_value()) << gap << " from " << y;
    }
}

// To round-off: whether such a gap ever closes is known.
TEST(SurfaceCheck, GapsThatTouchAtTheStart) {
  for (const double off : {0.0, 2.2e-16, -2.2e-16}) {
    const LagrangianDescription description{
        .coordinates = {"y", "phi"},
        .kinetic = "(y_dot^2 + phi_dot^2)/2",
        .constraints = {{.name = "end", .gap = "y - sin(phi)", .restitution = 0.5}}};
    const auto model = lagrangian(description);
    const CheckReport report = check_problem(*model, {.q = {std::sin(0.7) + off, 0.7}, .v = {-1.0, 0.0}}, {0.0, 1.0},
                                             MoreauJean{}, {.h = 0.01});
    EXPECT_THAT(findings(report, Verdict::ok), ::testing::Not(::testing::HasSubstr("ever closes"))) << off;
    EXPECT_EQ(findings(report, Verdict::problem), "") << off;
    EXPECT_EQ(report.continuous_dependence, true) << off;
  }
}

TEST(SurfaceCheck, FrictionOnTheWay) {
  LagrangianDescription description = with_gap("sin(y)");
  description.constraints[0].friction = "0.2 - sin(3*y)^8";
  description.constraints[0].slip = {"y_dot"};
  EXPECT_THAT(findings(checked(description, 0.1), Verdict::problem), "");
  EXPECT_THAT(findings(checked(description, 1.0), Verdict::problem),
              ::testing::HasSubstr("friction: The coefficient of friction of wall is -"));
  EXPECT_THAT(checked(description, 0.1).conclusion, ::testing::HasSubstr("as far as was looked"));
}

TEST(SurfaceCheck, SurfacesThatAreNotFound) {
  for (const char* gap : {"sign(y)", "floor(y + 0.5)", "2 + sin(y)"}) {
    const CheckReport report = checked(with_gap(gap));
    EXPECT_THAT(findings(report, Verdict::ok), ::testing::HasSubstr("ever closes, and how, is not known")) << gap;
  }
}

TEST(SurfaceCheck, MassAndRestitutionOnTheWay) {
  LagrangianDescription there = with_gap("y + 0.9");
  there.kinetic = "abs(y + 0.5)*(1 + 1e-3*y)*y_dot^2/2 - 0.1*exp(-100*(y + 0.5)^2)*y_dot^2";
  EXPECT_THAT(
      findings(checked(there), Verdict::problem),
      ::testing::HasSubstr("mass: The mass matrix is not positive definite at t = 0, on the way to where wall"));
  EXPECT_THAT(findings(checked(with_gap("y + 0.9", "0.5 + 0.7*sin(y - 1)")), Verdict::problem),
              ::testing::HasSubstr("way to where wall"));
}

TEST(SurfaceCheck, MassAndRestitutionLaterInTheRun) {
  LagrangianDescription light = with_gap("y");
  light.kinetic = "(1 - 0.2*t)*y_dot^2/2";
  EXPECT_THAT(findings(checked(light), Verdict::problem),
              ::testing::HasSubstr("mass: The mass matrix is not positive"));
  EXPECT_THAT(findings(checked(with_gap("y", "0.5 + 0.1*t")), Verdict::problem),
              ::testing::HasSubstr("restitution: The restitution of wall is"));
  LagrangianDescription there = with_gap("sin(y)");
  there.kinetic = "(y - 0.1)*y_dot^2/2";
  EXPECT_THAT(findings(checked(there), Verdict::problem), ::testing::HasSubstr("where wall closes"));
}

TEST(SurfaceCheck, ClaimsNoMoreThanItHasSeen) {
  EXPECT_EQ(checked(with_gap("y")).conclusion, "The motion depends continuously on the data. Nothing else was found.");
  for (const LagrangianDescription& description : {with_gap("sin(y)"), with_gap("y", "0.5 + 0.1*cos(y)")})
    EXPECT_THAT(checked(description).conclusion, ::testing::HasSubstr("as far as was looked"));
}

TEST(SurfaceCheck, KinksInDisguise) {
  for (const char* gap :
       {"sqrt(y^2)", "acos(cos(y))", "asin(sin(y)) + 1", "sqrt((y + t)^2)", "2*sqrt(y^6)", "(y^2)^0.5", "(y^4)^0.25",
        "(y^2)^1.5 + y", "atan(tan(y))", "atan2(y, 0) + y", "atan2(sin(y), cos(y))"})
    EXPECT_THAT(findings(checked(with_gap(gap)), Verdict::warning), ::testing::HasSubstr("kinks")) << gap;
  for (const char* gap : {"sqrt(y^2 + 1) - 1.1", "sqrt(y^4) + y", "acos(y/3) - 1", "(y^2)^3 + y", "(y^3)^3 + y"})
    EXPECT_EQ(findings(checked(with_gap(gap)), Verdict::warning), "") << gap;
}

}  // namespace
}  // namespace ricochet
