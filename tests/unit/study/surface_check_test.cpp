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
  for (const char* gap : {"y^2", "y^3", "(y - 0.3)^4", "sqrt(y)", "y^0.2", "(y + t)^2", "1 - cos(y)"}) {
    const CheckReport report = checked(with_gap(gap));
    EXPECT_THAT(findings(report, Verdict::problem), ::testing::HasSubstr("gradient of the gap of wall")) << gap;
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
  for (const char* gap : {"sqrt(y^2)", "acos(cos(y))", "asin(sin(y)) + 1", "sqrt((y + t)^2)", "2*sqrt(y^6)"})
    EXPECT_THAT(findings(checked(with_gap(gap)), Verdict::warning), ::testing::HasSubstr("kinks")) << gap;
  for (const char* gap : {"sqrt(y^2 + 1) - 1.1", "sqrt(y^4) + y", "acos(y/3) - 1"})
    EXPECT_EQ(findings(checked(with_gap(gap)), Verdict::warning), "") << gap;
}

}  // namespace
}  // namespace ricochet
