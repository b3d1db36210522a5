// What a run passes that it should not: told, or it ends there, under every scheme.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "ricochet/io/scenario/scenario_file.hpp"
#include "ricochet/ricochet.hpp"
#include "ricochet/scenario/build.hpp"
#include "support/every_scheme.hpp"
#include "support/random_cases.hpp"

namespace ricochet {
namespace {

using ::testing::AnyOf;
using ::testing::HasSubstr;
using ::testing::Not;

// A run, and what was said of it.
struct Heard {
  Solution solution;
  std::string text;
};
Heard heard(const Model& model, const State& start, const Scheme& scheme, double until, const RunSettings& settings) {
  Heard heard{.solution = simulate(model, start, {0.0, until}, scheme, settings), .text = {}};
  heard.text = heard.solution.failure.message + "\n";
  for (const std::string& note : heard.solution.notes) heard.text += note + "\n";
  return heard;
}

class Silence : public ::testing::TestWithParam<const SchemeEntry*> {
 protected:
  const SchemeEntry& scheme() const { return *GetParam(); }
  double e() const { return traits(scheme()).inelastic_only ? 0.0 : 0.5; }
  // Two bodies, x above a floor and y, which nothing holds.
  LagrangianDescription bodies(const std::string& gap, const char* potential = "0.1*x") const {
    return {.coordinates = {"x", "y"},
            .kinetic = "(x_dot^2 + y_dot^2)/2",
            .potential = potential,
            .constraints = {{.name = "floor", .gap = gap, .restitution = e()}}};
  }
  Heard run(const LagrangianDescription& body, double until, double h = 1e-3, const State& start = {.q = {1.0, 1.0}}) {
    return heard(*lagrangian(body), start, scheme(), until, {.h = h});
  }
  // The same for a model of a scenario, whose [model] is `text`.
  Heard run_scenario(const std::string& text, double until, const std::string& q = "") {
    const std::string start = q.empty() ? "" : "[initial]\nq = { " + q + " }\n";
    const Problem problem =
        build(parse_scenario("[model]\n" + text + start + "[time]\nuntil = 1\nstep = 1e-3\n", "scenario"));
    return heard(*problem.model, problem.start, scheme(), until, {.h = 1e-3});
  }
};

// Gaps and joints with poles in time or place: nothing goes on behind one in silence.
TEST_P(Silence, RowsThatBecomeInfinite) {
  std::mt19937 random(5);
  std::uniform_real_distribution<double> share(0.0, 1.0);
  const auto place = [&] { return fmt::format("{:.17g}", 0.05 + 0.1 * share(random)); };
  for (std::string gap : {"x + 1e-3/(t - A)", "x - 1e-2/(t - A)^2", "x + 1e-4*tan(pi/2 + t - A)"}) {
    gap.replace(gap.find('A'), 1, place());
    EXPECT_THAT(run(bodies(gap), 0.2).text, HasSubstr("floor")) << gap;
  }
  if (!traits(scheme()).position_law)
    for (std::string joint : {"y - 1 + t^2/(A - t)", "y - 1 - 1e-3*t^2/(t - A)^2", "y - 1 + t^2*tan(pi/2 + t - A)"}) {
      joint.replace(joint.find('A'), 1, place());
      LagrangianDescription body = bodies("x + 50");
      body.joints = {{.name = "pin", .equation = {joint}}};
      EXPECT_GT(run(body, 0.2, 1.1e-3).text.size(), 1u) << joint;
    }
  // No obstacles, and no poles.
  for (const char* gap : {"x + 1 + 1e-3/(t - 0.1)^2", "x + 1 + sin(t - 0.1)/(t - 0.1)", "x + 3 + (y - 1)/(t - 0.1)"})
    EXPECT_THAT(run(bodies(gap), 0.2, 1.1e-3).text, Not(HasSubstr("infinite"))) << gap;
}

// Formulas of t in models that are matrices, whole or reduced to modes, and in frames.
TEST_P(Silence, SignalsThatBecomeInfinite) {
  const std::string matrices = "kind = \"linear\"\nmass = [[1, 0], [0, 1]]\nstiffness = [[4, -1], [-1, 4]]\n",
                    wall = fmt::format(
                        "[[model.constraint]]\nname = \"wall\"\nnormal = {{ q0 = 1.0 }}\noffset = 9.0\n"
                        "restitution = {}\n",
                        e());
  std::vector<std::string> parts = {"[[model.loads]]\ndof = \"q0\"\nforce = \"1/(t - 0.08123)\"\n",
                                    "[model.base]\nacceleration = \"1e-3/(t - 0.08123)^2\"\n"};
  for (const std::string& part : parts)
    for (const char* modes : {"", "modes = 1\n"})
      EXPECT_THAT(run_scenario(matrices + modes + part + wall, 0.2).text,
                  AnyOf(HasSubstr("infinite"), HasSubstr("small")))
          << modes << part;
  for (const char* offset : {"5 + 1e-2/(t - 0.08123)", "5 - 1e-3/(t - 0.08123)^2"})
    EXPECT_THAT(run_scenario(matrices + fmt::format("[[model.constraint]]\nname = \"wall\"\nnormal = {{ q0 = 1.0 }}\n"
                                                    "offset = \"{}\"\nrestitution = {}\n",
                                                    offset, e()),
                             0.2)
                    .text,
                HasSubstr("wall"))
        << offset;
  if (traits(scheme()).position_law) return;
  EXPECT_GT(
      run_scenario(matrices + "[[model.joints]]\ndof = \"q1\"\ndisplacement = \"t^2/(0.08123 - t)\"\n" + wall, 0.2)
          .text.size(),
      1u);
  EXPECT_THAT(
      run_scenario(matrices + "[[model.loads]]\ndof = \"q0\"\nforce = \"sin(9*t)/(2 + cos(t))\"\n" + wall, 0.2).text,
      Not(HasSubstr("infinite")));
}

// Bodies that fall through a gap that is 0, or nearly, behind its surface.
TEST_P(Silence, GapsThatAreFlatBehindTheirSurface) {
  for (const char* gap : {"max(x, 0)", "(x + abs(x))/2", "step(x)*x", "if(x > 0, x, 0)", "x*(1 + sign(x))",
                          "max(x, -0.0005)", "max(x - 0.3*t, 0)"}) {
    const auto [solution, text] = run(bodies(gap, "9.81*x"), 0.8);
    double least = 1.0;
    for (std::size_t i = 0; i < solution.trajectory.q.size(); i += 2) least = std::min(least, solution.trajectory.q[i]);
    if (least < -0.1) EXPECT_THAT(text, HasSubstr("floor")) << gap;
  }
  for (const char* gap : {"x", "min(x, 2*x)", "max(x, 0.1*x)", "x + 0*abs(y)", "2 - x"})
    EXPECT_THAT(run(bodies(gap, "9.81*x"), 0.8).text, Not(HasSubstr("gradient is 0"))) << gap;
}

// A wall that comes and goes in a few steps throws the body, or that it did not is told.
TEST_P(Silence, WallsThatComeAndGo) {
  std::mt19937 random(3);
  std::uniform_real_distribution<double> share(0.0, 1.0);
  for (int k = 0; k < std::max(3, testing::random_cases() / 40); ++k) {
    const double middle = 0.1 + 0.8 * share(random), width = 2e-3 + 4e-3 * share(random);
    const std::string gap = fmt::format("x - 1.2*exp(-((t - {})/{})^2)", middle, width);
    const auto [solution, text] = run(bodies(gap), 1.0);
    const bool is_met = *std::max_element(solution.trajectory.impulse.begin(), solution.trajectory.impulse.end()) > 0.0;
    EXPECT_TRUE(is_met || solution.impact_count > 0 || text.size() > 1 || traits(scheme()).position_law) << gap;
    if (traits(scheme()).locates_impacts) EXPECT_GT(solution.impact_count, 0u) << gap << text;
  }
}

// A gap that ends in time is named.
TEST_P(Silence, GapsThatEndInTime) {
  for (const double q : {0.2, 1.0})
    for (const char* offset : {"sqrt(0.1 - t)", "sqrt(0.09723 - t)"}) {
      const std::string text =
          run_scenario(fmt::format("kind = \"linear\"\nmass = [[1, 0], [0, 1]]\nstiffness = [[4, 0], [0, 4]]\n"
                                   "[[model.constraint]]\nname = \"wall\"\nnormal = {{ q0 = 1.0 }}\noffset = \"{}\"\n"
                                   "restitution = {}\n",
                                   offset, e()),
                       0.2, fmt::format("q0 = {}, q1 = 0.1", q))
              .text;
      EXPECT_THAT(text, HasSubstr("gap of wall")) << q << ' ' << offset;
    }
}

// What leaves its range is named, with what it must be.
TEST_P(Silence, FrictionThatLeavesItsRange) {
  if (!traits(scheme()).takes_friction) GTEST_SKIP();
  LagrangianDescription body = bodies("x", "9.81*x");
  ConstraintDescription& floor = body.constraints[0];
  floor.slip = {"y_dot"};
  const State start = {.q = {0.05, 0.0}, .v = {0.0, 1.0}};
  const auto text_of = [&](const char* friction, const char* e_T) {
    floor.friction = Quantity(friction);
    floor.tangential_restitution = Quantity(e_T);
    return run(body, 0.2, 1e-3, start).text;
  };
  EXPECT_THAT(text_of("0.3 - 4*t", "0"), AllOf(HasSubstr("coefficient of friction of floor"), HasSubstr("at least 0")));
  if (traits(scheme()).compliant) return;  // which have no law of impacts
  for (const char* e_T : {"0.3 + 10*t", "0.5 - 10*t", "sqrt(0.05 - t)"})
    EXPECT_THAT(text_of("0.3", e_T), HasSubstr("tangential restitution of floor must be in [0, 1]")) << e_T;
}

// Painlevé's rod: it slides with so much friction from the start, or from a time or a place on.
TEST_P(Silence, SlidesWithoutAnAcceleration) {
  if (!traits(scheme()).takes_friction || traits(scheme()).compliant) GTEST_SKIP();
  LagrangianDescription rod{.coordinates = {"x", "y", "phi"},
                            .kinetic = "(x_dot^2 + y_dot^2)/2 + phi_dot^2/24",
                            .potential = "9.81*y",
                            .constraints = {{.name = "end", .gap = "y - sin(phi)/2", .restitution = 0.0}}};
  rod.constraints[0].slip = {"x_dot + sin(phi)/2*phi_dot"};
  const double phi = std::atan(2.0);
  const auto text_of = [&](const char* friction, double speed) {
    rod.constraints[0].friction = Quantity(friction);
    return run(rod, 0.02, 1e-3, {.q = {0.0, 0.5 * std::sin(phi), phi}, .v = {speed, 0.0, 0.0}}).text;
  };
  for (const char* friction : {"1.5", "if(t < 0.0053, 0.6, 1.5)", "if(x > -0.0053, 0.6, 1.5)"})
    EXPECT_THAT(text_of(friction, -1.0), HasSubstr("Painlevé")) << friction;
  for (const char* friction : {"0.3", "1.2"}) EXPECT_THAT(text_of(friction, -1.0), Not(HasSubstr("Painlevé")));
  EXPECT_THAT(text_of("1.5", 0.0), Not(HasSubstr("Painlevé")));
}

INSTANTIATE_TEST_SUITE_P(Catalogue, Silence, ::testing::ValuesIn(testing::entries()), testing::entry_name);

}  // namespace
}  // namespace ricochet
