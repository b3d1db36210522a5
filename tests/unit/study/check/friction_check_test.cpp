// What check says of friction, against closed forms: Painlevé's rod and Kane and Levinson's impact.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "ricochet/ricochet.hpp"
#include "ricochet/study/check.hpp"

namespace ricochet {
namespace {

using ::testing::HasSubstr;

// A rod of mass 1 and length 2 whose lower end slides on the floor, at the angle 60°: w_n = 1 + 3 cos² φ,
// w_nt = 3 sin φ cos φ, critical μ = (1 + 3 cos² φ)/(3 sin φ cos φ) = 1.347.
LagrangianDescription rod(double mu, double e) {
  return {.coordinates = {"x", "y", "phi"},
          .kinetic = "(x_dot^2 + y_dot^2)/2 + phi_dot^2/6",
          .potential = "9.81*y",
          .constraints = {{.name = "end",
                           .gap = "y - sin(phi)",
                           .restitution = e,
                           .friction = mu,
                           .slip = {"x_dot + sin(phi)*phi_dot"}}}};
}

std::vector<std::string> sentences(const LagrangianDescription& description, const State& start,
                                   const std::string& subject, Verdict verdict) {
  const auto model = lagrangian(description);
  std::vector<std::string> found;
  for (const Finding& finding : check_problem(*model, start, {0.0, 1.0}, MoreauJean{}, {.h = 1e-2}).findings)
    if (finding.subject == subject && finding.verdict == verdict) found.push_back(finding.sentence);
  return found;
}

State sliding(double slip, double spin) {
  const double phi = std::numbers::pi / 3.0, s = std::sin(phi), c = std::cos(phi);
  return {.q = {0.0, s, phi}, .v = {slip - s * spin, c * spin, spin}};
}

TEST(FrictionCheck, CriticalCoefficientOfTheRod) {
  EXPECT_EQ(sentences(rod(1.33, 0.0), sliding(1.0, 0.0), "friction", Verdict::ok).size(), 1u);
  const auto found = sentences(rod(1.36, 0.0), sliding(1.0, 0.0), "friction", Verdict::warning);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_THAT(found[0], HasSubstr("Painlevé"));
}

TEST(FrictionCheck, TheRodThatSlidesAgainstItsFriction) {
  // It matters which way it slides: only one of them presses the end into the floor.
  for (const double slip : {-1.0, 1.0}) {
    const bool jams = !sentences(rod(2.0, 0.0), sliding(slip, 0.0), "start", Verdict::problem).empty();
    const bool other = !sentences(rod(2.0, 0.0), sliding(-slip, 0.0), "start", Verdict::problem).empty();
    EXPECT_NE(jams, other);
    // Turning fast the end is thrown off: two accelerations.
    EXPECT_EQ(!sentences(rod(2.0, 0.0), sliding(slip, 10.0), "start", Verdict::warning).empty(), jams);
  }
}

// What else rests on closed contacts, with and without friction, sliding or not, changes nothing.
TEST(FrictionCheck, TheRodBesidesOtherClosedContacts) {
  for (const double mu : {0.0, 0.4})
    for (const double speed : {0.0, 0.5})
      for (const bool linked : {false, true}) {
        LagrangianDescription both = rod(2.0, 0.0);
        both.coordinates.insert(both.coordinates.end(), {"w", "u"});
        // A mass that rests on the floor cannot be lifted by what the rod does.
        both.kinetic += linked ? " + (w_dot^2 + u_dot^2)/2 + 0.2*w_dot*x_dot" : " + (w_dot^2 + u_dot^2)/2";
        both.potential += " + 9.81*w";
        both.constraints.push_back({.name = "other", .gap = "w", .restitution = 0.0});
        if (mu > 0.0) {
          both.constraints.back().friction = mu;
          both.constraints.back().slip = {"u_dot"};
        }
        int jams = 0, lifts = 0;
        for (const double slip : {-1.0, 1.0})
          for (const double spin : {0.0, 10.0}) {
            State start = sliding(slip, spin);
            start.q.insert(start.q.end(), {0.0, 0.0});
            start.v.insert(start.v.end(), {0.0, speed});
            jams += static_cast<int>(sentences(both, start, "start", Verdict::problem).size());
            lifts += static_cast<int>(sentences(both, start, "start", Verdict::warning).size());
          }
        EXPECT_EQ(jams, 1) << mu << " " << speed << " " << linked;
        EXPECT_EQ(lifts, 1) << mu << " " << speed << " " << linked;
      }
}

// A contact that is closed and held makes the rod's end heavier to lift: w_n after elimination counts.
TEST(FrictionCheck, AHeldContactChangesTheCriticalCoefficient) {
  // The rod's middle rests on a guide from below, so that only rotation gives way: w_n = 3 cos² φ, w_nt = 3 sin φ cos
  // φ, critical μ = cot φ = 0.577. The guide pushes as long as gravity holds the rod down.
  const auto guided = [](double mu) {
    LagrangianDescription both = rod(mu, 0.0);
    both.constraints.push_back({.name = "guide", .gap = "y - sin(1.0471975511965976)", .restitution = 0.0});
    return both;
  };
  const auto found = [&](double mu) {
    std::size_t count = 0;
    for (const double slip : {-1.0, 1.0})
      for (const Verdict verdict : {Verdict::warning, Verdict::problem})
        count += sentences(guided(mu), sliding(slip, 0.0), "start", verdict).size();
    return count;
  };
  EXPECT_EQ(found(0.5), 0u);
  EXPECT_GE(found(0.7), 1u);
}

TEST(FrictionCheck, BoundsOfAllFrictions) {
  LagrangianDescription belt{.coordinates = {"x"}, .kinetic = "x_dot^2/2", .parameters = {{"F0", 2.0}}};
  belt.frictions = {{.name = "belt", .slip = {"x_dot - 1"}, .limit = "-F0"}};
  const auto dry = sentences(belt, {.q = {0.0}}, "friction", Verdict::problem);
  ASSERT_EQ(dry.size(), 1u);
  EXPECT_EQ(dry[0], "The limit of belt is -2 at the start; it must be at least 0.");
  const State above{.q = {0.0, 2.0, 1.0}};
  LagrangianDescription falling = rod(0.5, 0.0);
  falling.parameters = {{"a", -0.25}};
  falling.constraints[0].friction = "a";
  EXPECT_THAT(sentences(falling, above, "friction", Verdict::problem).at(0),
              HasSubstr("The coefficient of friction of end is -0.25 at the start"));
  falling.constraints[0].friction = 0.5;
  falling.constraints[0].tangential_restitution = "1 - a";
  EXPECT_THAT(sentences(falling, above, "restitution", Verdict::problem).at(0),
              HasSubstr("The tangential restitution of end is 1.25 at the start"));
}

TEST(FrictionCheck, ImpactsThatMayGainEnergy) {
  const State above{.q = {0.0, 2.0, 1.0}};
  EXPECT_TRUE(sentences(rod(0.5, 0.0), above, "energy", Verdict::warning).empty());
  EXPECT_TRUE(sentences(rod(0.5, 0.2), above, "energy", Verdict::warning).empty());
  EXPECT_EQ(sentences(rod(0.5, 0.9), above, "energy", Verdict::warning).size(), 1u);
  LagrangianDescription both = rod(0.5, 0.9);
  both.constraints[0].tangential_restitution = 0.9;
  EXPECT_TRUE(sentences(both, above, "energy", Verdict::warning).empty());
}

// A block on two feet: for small μ every load has one solution, for large ones it can jam.
TEST(FrictionCheck, TwoFeet) {
  const auto block = [](double mu) {
    return LagrangianDescription{
        .coordinates = {"x", "y", "phi"},
        .kinetic = "(x_dot^2 + y_dot^2)/2 + phi_dot^2/6",
        .potential = "9.81*y",
        .constraints = {
            {.name = "left", .gap = "y - 1 - phi", .restitution = 0.0, .friction = mu, .slip = {"x_dot + phi_dot"}},
            {.name = "right", .gap = "y - 1 + phi", .restitution = 0.0, .friction = mu, .slip = {"x_dot + phi_dot"}}}};
  };
  const State rest{.q = {0.0, 1.0, 0.0}};
  EXPECT_EQ(sentences(block(0.2), rest, "friction", Verdict::ok).size() +
                sentences(block(0.2), rest, "friction", Verdict::warning).size(),
            2u);
  EXPECT_EQ(sentences(block(5.0), rest, "friction", Verdict::warning).size(), 2u);
}

}  // namespace
}  // namespace ricochet
