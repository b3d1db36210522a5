// Friction in models of matrices: the same motion as from formulas, with modes, and what is refused.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "ricochet/io/scenario/scenario_file.hpp"
#include "ricochet/model/linear.hpp"
#include "ricochet/ricochet.hpp"
#include "ricochet/scenario/build.hpp"
#include "support/complaint.hpp"

namespace ricochet {
namespace {

using testing::complaint;
using ::testing::HasSubstr;

// Two masses with springs: x along, y across. The block touches a wall that moves along, a stop above, and a brake.
constexpr const char* masses = R"toml([model]
kind = "linear"
coordinates = ["x", "y"]
parameters = { mu = 0.3, F = 0.4 }
mass = [[1.0, 0.0], [0.0, 2.0]]
stiffness = [[5.0, 1.0], [1.0, 8.0]]
load = { y = "-6*cos(3*t)" }
stops = [{ dof = "y", upper = 0.3, restitution = 0.4, name = "top", friction = 0.2, slip = { x = 1.0 } }]
[[model.constraint]]
name = "wall"
normal = { 1 = 1.0 }
offset = 0.1
restitution = 0.5
friction = "mu"
slip = { x = 1.0, 1 = 0.25 }
slip_offset = "-0.2*cos(t)"
tangential_restitution = 0.25
[[model.friction]]
name = "brake"
slip = { 0 = 1.0 }
slip_offset = -0.1
limit = "F*(1 + sin(t)^2)"
)toml";

std::string whole(const std::string& model) {
  return model + "[initial]\nq = { x = 0.3 }\nv = { y = -1.0 }\n[time]\nuntil = 3.0\nstep = 1e-3\n";
}
Problem build_whole(const std::string& text) { return ScenarioFile(text, "s.toml", {}).build(); }
Problem build(const std::string& model) { return build_whole(whole(model)); }

Solution run(const Model& model, const Problem& problem, const Scheme& scheme = MoreauJean{}) {
  return simulate(model, problem.start, problem.span, scheme, problem.settings);
}

std::unique_ptr<Model> of_formulas() {
  return lagrangian(
      {.coordinates = {"x", "y"},
       .kinetic = "x_dot^2/2 + y_dot^2",
       .potential = "5*x^2/2 + 4*y^2 + x*y",
       .force = {{"y", "-6*cos(3*t)"}},
       .parameters = {{"F", 0.4}},
       .constraints = {{.name = "wall",
                        .gap = "y + 0.1",
                        .restitution = 0.5,
                        .friction = 0.3,
                        .slip = {"x_dot + 0.25*y_dot - 0.2*cos(t)"},
                        .tangential_restitution = 0.25},
                       {.name = "top-upper", .gap = "0.3 - y", .restitution = 0.4, .friction = 0.2, .slip = {"x_dot"}}},
       .frictions = {{.name = "brake", .slip = {"x_dot - 0.1"}, .limit = "F*(1 + sin(t)^2)"}}});
}

TEST(LinearFriction, AsFromFormulas) {
  const Problem problem = build(masses);
  const Layout& layout = problem.model->layout();
  ASSERT_EQ(layout.nf(), 3);
  EXPECT_EQ(layout.frictions[0], (Friction{"wall", 0, 1}));
  EXPECT_EQ(layout.frictions[1], (Friction{"top-upper", 1, 1}));
  EXPECT_EQ(layout.frictions[2], (Friction{"brake", -1, 1}));
  EXPECT_TRUE(layout.structure.linear_slips);
  EXPECT_FALSE(layout.structure.fixed_slips);
  EXPECT_FALSE(layout.structure.constant_friction);
  const auto formulas = of_formulas();
  for (const Scheme& scheme : {Scheme(MoreauJean{}), Scheme(Newmark{}), Scheme(Nsga{})}) {
    const Solution rows = run(*problem.model, problem, scheme), exact = run(*formulas, problem, scheme);
    ASSERT_EQ(rows.status, Status::completed) << scheme.name << ": " << rows.failure.message;
    EXPECT_GT(rows.impact_count, 3u);
    EXPECT_LT(rows.energy.friction, -1e-2);
    EXPECT_NEAR(rows.energy.friction, exact.energy.friction, 1e-10) << scheme.name;
    for (int i = 0; i < 2; ++i) EXPECT_NEAR(rows.final.q[i], exact.final.q[i], 1e-10) << scheme.name;
    for (int s = 0; s < 3; ++s)
      EXPECT_NEAR(rows.trajectory.slip.end()[s - 3], exact.trajectory.slip.end()[s - 3], 1e-9) << scheme.name;
  }
}

// All modes are the system itself; the slips turn with the coordinates.
TEST(LinearFriction, InModes) {
  const Problem problem = build(masses);
  std::string text = masses;
  text.replace(text.find("kind"), 4, "modes = 2\nkind");
  const Problem modal = build(text);
  ASSERT_EQ(modal.model->layout().coordinates[0], "mode1");
  const Solution full = run(*problem.model, problem), reduced = run(*modal.model, modal);
  ASSERT_EQ(reduced.status, Status::completed) << reduced.failure.message;
  EXPECT_NEAR(reduced.energy.friction, full.energy.friction, 1e-8);
  EXPECT_NEAR(reduced.trajectory.slip.back(), full.trajectory.slip.back(), 1e-8);
}

// A gap as a formula takes the others with it; their friction stays theirs.
TEST(LinearFriction, BesideAGapOfFormulas) {
  std::string text = masses;
  const std::string row = "normal = { 1 = 1.0 }\noffset = 0.1\n";
  text.replace(text.find(row), row.size(), "gap = \"y + 0.1\"\n");
  const Problem problem = build(masses), curved = build(text);
  EXPECT_EQ(curved.model->layout().frictions, problem.model->layout().frictions);
  const Solution a = run(*problem.model, problem), b = run(*curved.model, curved);
  EXPECT_NEAR(a.final.q[0], b.final.q[0], 1e-10);
}

// Joints that are not independent: the model without them has the same friction.
TEST(LinearFriction, BesideRedundantJoints) {
  const std::string joints =
      "[[model.joint]]\nname = \"a\"\nnormal = { y = 1.0 }\n[[model.joint]]\nname = \"b\"\nnormal = { y = 2.0 }\n";
  const std::string start = "[initial]\nq = { x = 0.3 }\n[time]\nuntil = 3.0\nstep = 1e-3\n";
  const std::string one = joints.substr(0, joints.find("[[model.joint]]\nname = \"b\""));
  const auto final_x = [&](const std::string& held) {
    const Problem problem = build_whole(masses + held + start);
    const Solution solution = run(*problem.model, problem);
    EXPECT_EQ(solution.status, Status::completed) << solution.failure.message;
    EXPECT_LT(solution.energy.friction, -1e-2);
    return solution.final.q[0];
  };
  EXPECT_NEAR(final_x(joints), final_x(one), 1e-9);
}

// Two slips: friction in space, which turns with the velocity.
TEST(LinearFriction, InSpace) {
  const Problem problem = build_whole(R"toml([model]
kind = "linear"
mass = [[1.0, 0.0], [0.0, 1.0]]
friction = [{ name = "table", slip = { 0 = 1.0 }, second_slip = { 1 = 1.0 }, limit = 2.0 }]
[initial]
v = { q0 = 3.0, q1 = 4.0 }
[time]
until = 1.0
step = 1e-2
)toml");
  const Solution solution = run(*problem.model, problem);
  EXPECT_NEAR(solution.final.v[0], 3.0 - 2.0 * 0.6, 1e-12);
  EXPECT_NEAR(solution.final.v[1], 4.0 - 2.0 * 0.8, 1e-12);
}

TEST(LinearFriction, TheFileReadsBack) {
  const Scenario scenario = parse_scenario(whole(masses), "s.toml");
  EXPECT_EQ(parse_scenario(write_scenario(scenario), "again.toml"), scenario);
}

TEST(LinearFriction, WhatIsRefused) {
  const auto complain = [](const std::string& from, const std::string& to) {
    std::string text = masses;
    const std::size_t place = text.find(from);
    EXPECT_NE(place, std::string::npos) << from;
    text.replace(place, from.size(), to);
    try {
      build(text);
    } catch (const ScenarioError& error) {
      return std::string(error.what());
    }
    return std::string("no complaint");
  };
  EXPECT_THAT(complain("slip = { x = 1.0, 1 = 0.25 }\n", ""), HasSubstr("slip: is missing: friction acts along"));
  EXPECT_THAT(complain("friction = \"mu\"\n", ""), HasSubstr("slip: goes with friction"));
  EXPECT_THAT(complain("friction = \"mu\"", "friction = -0.1"), HasSubstr("friction: must be at least 0, got -0.1"));
  EXPECT_THAT(complain("{ x = 1.0, 1 = 0.25 }", "{ z = 1.0 }"), HasSubstr("there is no coordinate 'z'"));
  EXPECT_THAT(complain("{ x = 1.0, 1 = 0.25 }", "{ x = 0.0 }"), HasSubstr("slip: is zero"));
  EXPECT_THAT(complain("tangential_restitution = 0.25", "tangential_restitution = 1.5"), HasSubstr("in [0, 1]"));
  EXPECT_THAT(complain("name = \"brake\"", "name = \"wall\""),
              HasSubstr("is taken by a constraint, joint or friction"));
  EXPECT_THAT(complain("limit = \"F*(1 + sin(t)^2)\"", ""), HasSubstr("limit"));
  for (const char* limit : {"F*wall", "0.3*wall_force", "F + abs(wall_impulse)", "brake_friction", "wall_reaction_1"})
    EXPECT_THAT(complain("limit = \"F*(1 + sin(t)^2)\"", fmt::format("limit = \"{}\"", limit)),
                HasSubstr("must be known before the motion is, a number or a formula of t: it cannot contain the "
                          "reaction of '"))
        << limit;
  EXPECT_THAT(complain("limit = \"F*(1 + sin(t)^2)\"", "limit = \"F*wal\""), HasSubstr("unknown name"));
  EXPECT_THAT(complaint([] {
                linear({.coordinates = {"x"},
                        .mass = sparse_from_triplets(1, 1, {{0, 0, 1.0}}),
                        .frictions = {{.slips = {}, .bound = 1.0}}});
              }),
              HasSubstr("frictions[0].slips: has 0 slips: one in the plane, or two in space"));
}

// The number 0 is no friction.
TEST(LinearFriction, None) {
  std::string text = masses;
  text.replace(text.find("friction = \"mu\""), 15, "friction = 0.0");
  EXPECT_EQ(build(text).model->layout().nf(), 2);
}

}  // namespace
}  // namespace ricochet
