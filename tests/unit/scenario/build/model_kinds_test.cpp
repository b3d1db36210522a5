// The kinds of model besides formulas, as a scenario file describes them: what they build, and what they refuse.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>

#include "ricochet/io/scenario/scenario_file.hpp"
#include "ricochet/model/compliance.hpp"
#include "ricochet/ricochet.hpp"
#include "ricochet/scenario/build.hpp"
#include "support/joint_rows.hpp"

namespace ricochet {
namespace {

using ::testing::HasSubstr;

// A folder for a scenario and its files, gone with the test.
class ModelKinds : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_ =
        std::filesystem::temp_directory_path() / ("ricochet-kinds-" + std::to_string(::getpid()) + "-" +
                                                  ::testing::UnitTest::GetInstance()->current_test_info()->name());
    std::filesystem::create_directories(folder_);
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  void write(const std::string& name, const std::string& text) const { std::ofstream(folder_ / name) << text; }

  ScenarioFile open(const std::string& model, const std::string& initial = "") const {
    write("s.toml", model + "\n[initial]\n" + initial + "\n[time]\nuntil = 1.0\nstep = 1e-3\n");
    return open_scenario((folder_ / "s.toml").string());
  }
  Problem build(const std::string& model, const std::string& initial = "") const {
    return open(model, initial).build();
  }
  static Solution run(const Problem& problem, const Scheme& scheme = MoreauJean{}) {
    return simulate(*problem.model, problem.start, problem.span, scheme, problem.settings);
  }

  // The scenario reads back equal from its written form, and is refused with words in the message.
  void expect_refused(const std::string& model, const std::string& words, const std::string& initial = "") const {
    try {
      build(model, initial);
      ADD_FAILURE() << "not refused: " << model;
    } catch (const ScenarioError& error) {
      EXPECT_THAT(error.what(), HasSubstr(words));
      EXPECT_THAT(error.what(), HasSubstr("s.toml")) << "names the file";
    }
  }

  std::filesystem::path folder_;
};

constexpr const char* two_masses = R"toml([model]
kind = "linear"
mass = [[2.0, 0.0], [0.0, 1.0]]
stiffness = [[3.0, -1.0], [-1.0, 1.0]]
)toml";

TEST_F(ModelKinds, LinearFromInlineMatrices) {
  const Problem problem = build(std::string(two_masses) + R"toml(
rayleigh = [0.5, 0.1]
parameters = { w = 2.0 }
load = { 1 = "sin(w*t)" }
stops = [{ dof = 0, lower = -0.5, upper = 0.25, restitution = 0.5 }]
[[model.constraint]]
name = "wall"
normal = { 1 = -1.0 }
offset = "w/100"
restitution = 0.1
)toml",
                                "q = { q1 = 0.01 }\nv = { q0 = -3.0 }");
  const Layout& layout = problem.model->layout();
  EXPECT_EQ(layout.coordinates, (std::vector<std::string>{"q0", "q1"}));
  EXPECT_EQ(layout.constraints, (std::vector<std::string>{"wall", "stop0-lower", "stop0-upper"}));
  EXPECT_EQ(problem.start.q, (std::vector<double>{0.0, 0.01}));
  EXPECT_EQ(problem.start.v, (std::vector<double>{-3.0, 0.0}));
  const double q[2] = {0.1, 0.005};
  double g[3], e[3];
  problem.model->gap(0.0, q, g);
  problem.model->restitution(0.0, q, e);
  EXPECT_DOUBLE_EQ(g[0], 0.02 - 0.005);
  EXPECT_DOUBLE_EQ(g[1], 0.6);
  EXPECT_DOUBLE_EQ(g[2], 0.15);
  EXPECT_EQ(e[0], 0.1);
  EXPECT_EQ(e[2], 0.5);
  // C = 0.5 M + 0.1 K: the force at q = 0, v = (1, 0) is −(1.3, −0.1) and the load.
  const double zero[2] = {0.0, 0.0}, v[2] = {1.0, 0.0};
  double F[2];
  problem.model->force(0.3, zero, v, nullptr, F);
  EXPECT_DOUBLE_EQ(F[0], -1.3);
  EXPECT_DOUBLE_EQ(F[1], 0.1 + std::sin(0.6));
}

TEST_F(ModelKinds, LinearFromMatrixMarketFiles) {
  write("M.mtx", "%%MatrixMarket matrix coordinate real symmetric\n2 2 2\n1 1 2\n2 2 1\n");
  write("K.mtx", "%%MatrixMarket matrix array real general\n2 2\n3\n-1\n-1\n1\n");
  const std::string text = "[model]\nkind = \"linear\"\nmass = \"M.mtx\"\nstiffness = \"K.mtx\"\n";
  const Problem files = build(text, "q = 0.3"), inline_ones = build(two_masses, "q = 0.3");
  EXPECT_EQ(run(files).final.q, run(inline_ones).final.q);
  expect_refused("[model]\nkind = \"linear\"\nmass = \"N.mtx\"\n",
                 "no such file in the scenario's folder; did you mean");
  expect_refused("[model]\nkind = \"linear\"\nmass = \"../M.mtx\"\n", "in the scenario's folder or below it");
  write("wide.mtx", "%%MatrixMarket matrix array real general\n1 2\n3\n1\n");
  expect_refused("[model]\nkind = \"linear\"\nmass = \"wide.mtx\"\n", "must be square");
  write("big.mtx", "%%MatrixMarket matrix coordinate real symmetric\n3 3 3\n1 1 2\n2 2 1\n3 3 1\n");
  expect_refused("[model]\nkind = \"linear\"\nmass = \"M.mtx\"\nstiffness = \"big.mtx\"\n", "3 by 3, must be 2 by 2");
}

TEST_F(ModelKinds, NamesOfCoordinates) {
  const std::string text = std::string(two_masses) + "coordinates = [\"low\", \"high\"]\n";
  EXPECT_EQ(build(text + "load = { high = \"t\" }\n").model->layout().coordinates[1], "high");
  expect_refused(text + "load = { hihg = \"t\" }\n", "did you mean 'high'?");
  expect_refused(text + "load = { 2 = \"t\" }\n", "they count from 0 to 1");
  expect_refused(std::string(two_masses) + "coordinates = [\"low\"]\n", "has 1 names, the mass matrix 2 rows");
  expect_refused(std::string(two_masses) + "coordinates = [\"a\", \"a\"]\n", "taken twice");
  expect_refused(text, "there is no coordinate 'x'", "q = { x = 1.0 }");
}

// Gaps as formulas, and a wall that moves: against the same system of formulas.
TEST_F(ModelKinds, GapsAsFormulas) {
  const Problem problem = build(std::string(two_masses) + R"toml(
stops = [{ dof = 0, upper = 2.0, restitution = 0.5 }]
[[model.constraint]]
name = "round"
gap = "1 - q0^2 - q1^2"
restitution = 0.5
[[model.constraint]]
name = "piston"
normal = { q1 = 1.0 }
offset = "0.4 + 0.1*sin(9*t)"
restitution = 0.5
)toml",
                                "v = { q0 = 3.0, q1 = -3.0 }");
  const auto formulas = lagrangian({.coordinates = {"a", "b"},
                                    .kinetic = "a_dot^2 + b_dot^2/2",
                                    .potential = "1.5*a^2 - a*b + b^2/2",
                                    .constraints = {{.name = "r", .gap = "1 - a^2 - b^2", .restitution = 0.5},
                                                    {.name = "p", .gap = "b + 0.4 + 0.1*sin(9*t)", .restitution = 0.5},
                                                    {.name = "s", .gap = "2 - a", .restitution = 0.5}}});
  const Solution a = run(problem);
  const Solution b = simulate(*formulas, problem.start, problem.span, MoreauJean{}, problem.settings);
  EXPECT_GT(a.impact_count, 2u);
  ASSERT_EQ(a.impact_count, b.impact_count);
  EXPECT_NEAR(a.final.q[0], b.final.q[0], 1e-10);
  EXPECT_NEAR(a.final.q[1], b.final.q[1], 1e-10);
}

// m x'' = F(t), from a table: double integral in closed form for a ramp, which linear interpolation gives exactly.
TEST_F(ModelKinds, LoadFromATimeSeries) {
  write("ramp.csv", "t, north, east\n0, 0, 5\n0.5, 1, 5\n2, 4, 5\n");
  const std::string text = "[model]\nkind = \"linear\"\nmass = [[2.0]]\n";
  const auto position = [&](const std::string& load, const char* scheme) {
    return run(build(text + "loads = [{ dof = 0, " + load + " }]\n"), Scheme{scheme}).final.q[0];
  };
  // x = ∫∫ 2t/m = t³/(3m)
  EXPECT_NEAR(position("file = \"ramp.csv\"", "event-driven"), 1.0 / 6.0, 1e-10);
  EXPECT_NEAR(position("file = \"ramp.csv\", column = \"north\"", "moreau-jean"), 1.0 / 6.0, 1e-6);
  EXPECT_NEAR(position("file = \"ramp.csv\", column = \"1\", interpolation = \"cubic\"", "event-driven"), 1.0 / 6.0,
              1e-10);
  EXPECT_NEAR(position("file = \"ramp.csv\", column = \"east\", factor = 0.2", "event-driven"), 0.25, 1e-10);
  EXPECT_NEAR(position("force = \"2*t\"", "event-driven"), 1.0 / 6.0, 1e-10);
  expect_refused(text + "loads = [{ dof = 0, file = \"ramp.csv\", column = \"south\" }]\n", "it has t, north, east");
  expect_refused(text + "loads = [{ dof = 0, file = \"ramp.csv\", interpolation = \"spline\" }]\n", "linear or cubic");
  expect_refused(text + "loads = [{ dof = 0 }]\n", "one of the two");
  expect_refused(text + "loads = [{ dof = 0.5, force = \"t\" }]\n", "whole number");
  write("unsorted.csv", "0 1\n2 1\n1 1\n");
  expect_refused(text + "loads = [{ dof = 0, file = \"unsorted.csv\" }]\n", "times must increase");
}

// Relative to a base with constant acceleration a an oscillator swings about −a/ω²: x = −(a/ω²)(1 − cos ωt).
TEST_F(ModelKinds, BaseMotion) {
  write("quake.csv", "0, 0.3\n10, 0.3\n");
  const std::string text =
      "[model]\nkind = \"linear\"\nmass = [[2.0, 0.0], [0.0, 3.0]]\nstiffness = [[32.0, 0.0], [0.0, 48.0]]\n";
  const double exact = -(1.0 - std::cos(4.0)) / 16.0;
  const auto motion = [&](const std::string& base) {
    return run(build(text + "[model.base]\n" + base), Scheme{"event-driven"}).final.q;
  };
  EXPECT_NEAR(motion("acceleration = \"0.3\"")[0], 0.3 * exact, 1e-9);
  EXPECT_NEAR(motion("file = \"quake.csv\"")[1], 0.3 * exact, 1e-9);
  EXPECT_NEAR(motion("file = \"quake.csv\"\nunit = \"g\"")[1], 0.3 * 9.80665 * exact, 1e-8);
  EXPECT_NEAR(motion("file = \"quake.csv\"\ndirection = { 0 = 2.0 }")[0], 0.6 * exact, 1e-9);
  EXPECT_EQ(motion("file = \"quake.csv\"\ndirection = { 0 = 2.0 }")[1], 0.0);
  expect_refused(text + "[model.base]\nacceleration = \"1\"\nunit = \"gal\"\n", "m/s^2 or g");
}

constexpr const char* bar_text = R"toml([model]
kind = "bar"
elements = 10
length = 1.0
young = 210e9
area = 3.14e-4
density = 7800.0
mass = "consistent"
)toml";

TEST_F(ModelKinds, BarOfTheManual) {
  const Problem problem =
      build(std::string(bar_text) + "stop = { end = \"left\", gap = 5e-5, restitution = 0.0 }\n", "v = -0.1");
  EXPECT_EQ(problem.model->nq(), 11);
  EXPECT_EQ(problem.model->layout().constraints, (std::vector<std::string>{"stop"}));
  EXPECT_EQ(problem.start.v, std::vector<double>(11, -0.1));
  std::vector<double> q(11, -2e-5);
  double g = 0.0;
  problem.model->gap(0.0, q.data(), &g);
  EXPECT_DOUBLE_EQ(g, 3e-5);
  EXPECT_NEAR(problem.model->energy(0.0, q.data(), problem.start.v.data()).kinetic, 0.5 * 7800 * 3.14e-4 * 0.01, 1e-12);
  expect_refused(std::string(bar_text) + "stop = { end = \"top\", gap = 1, restitution = 0 }\n", "left or right");
  expect_refused(std::string(bar_text) + "left = \"fixed\"\nstop = { end = \"left\", gap = 1, restitution = 0 }\n",
                 "does not move");
  expect_refused(std::string(bar_text) + "left = \"loose\"\n", "free or fixed, got 'loose'");
  expect_refused("[model]\nkind = \"bar\"\nelements = 0\nlength = 1\nyoung = 1\narea = 1\ndensity = 1\n",
                 "from 1 to 1e7");
  expect_refused("[model]\nkind = \"bar\"\nelements = 2\nlength = -1\nyoung = 1\narea = 1\ndensity = 1\n", "positive");
}

TEST_F(ModelKinds, StartAsAFormulaOfTheAbscissa) {
  const Problem bar = build(bar_text, "q = \"1e-3*x^2\"");
  for (int i = 0; i <= 10; ++i) EXPECT_NEAR(bar.start.q[i], 1e-5 * i * i, 1e-17);
  const Problem beam = build(R"toml([model]
kind = "beam"
elements = 4
length = 2.0
young = 1.0
inertia = 1.0
area = 1.0
density = 1.0
left = "free"
)toml",
                             "q = \"x^2\"");
  ASSERT_EQ(beam.start.q.size(), 10u);
  EXPECT_DOUBLE_EQ(beam.start.q[8], 4.0);  // deflection and slope at the right end
  EXPECT_DOUBLE_EQ(beam.start.q[9], 4.0);
  EXPECT_DOUBLE_EQ(beam.start.q[3], 1.0);  // slope at x = 0.5
}

TEST_F(ModelKinds, StartFromAFile) {
  write("start.csv", "1\n2\n");
  EXPECT_EQ(build(two_masses, "q = \"start.csv\"").start.q, (std::vector<double>{1.0, 2.0}));
  write("short.csv", "1\n");
  expect_refused(two_masses, "has 1 values, the model 2 coordinates", "q = \"short.csv\"");
}

constexpr const char* pipe_text = R"toml([model]
kind = "beam"
elements = 30
length = 1.5
young = 210e9
inertia = 4.636990756698535e-9
area = 1.1309733552923256e-4
density = 7850.0
loads = [{ at = 0.3, force = "60*sin(2*pi*18*t)" }]
stops = [{ at = 0.9, lower = -5e-4, upper = 5e-4, restitution = 0.5, name = "guide" }]
observe = [{ name = "tip", at = 1.5 }]
)toml";

// The frequencies of a cantilever, L. Paoli's tube: figures of the closed form.
TEST_F(ModelKinds, BeamReducedToModes) {
  const Problem problem = build(std::string(pipe_text) + "modes = 6\ndamping_ratios = [0.01, 0.02]\n");
  EXPECT_EQ(problem.model->nq(), 6);
  EXPECT_EQ(problem.model->layout().coordinates[0], "mode1");
  EXPECT_EQ(problem.model->layout().constraints, (std::vector<std::string>{"guide-lower", "guide-upper"}));
  const LinearForce<double> linear = problem.model->linear_force();
  EXPECT_NEAR(std::sqrt(linear.K[0]), 51.752934662293825, 1e-4);
  EXPECT_NEAR(std::sqrt(linear.K[5]), 4394.498802569325, 4394.5 * 2e-4);
  EXPECT_NEAR(linear.C[0], 2 * 0.01 * 51.752934662293825, 1e-5);
  EXPECT_NEAR(linear.C[5], 2 * 0.02 * std::sqrt(linear.K[5]), 1e-9);
  expect_refused(std::string(pipe_text) + "modes = 61\n", "must be at most 60");
  expect_refused(std::string(pipe_text) + "stops = []\n", "");
}

TEST_F(ModelKinds, BeamRefusals) {
  const auto with = [](const std::string& from, const std::string& to) {
    std::string text = pipe_text;
    const std::size_t at = text.find(from);
    return text.replace(at, from.size(), to);
  };
  expect_refused(with("at = 0.9", "at = 1.6"), "in [0, 1.5], got 1.6");
  expect_refused(with("at = 0.9", "at = 0.0"), "does not move");
  expect_refused(with("lower = -5e-4, upper = 5e-4, ", ""), "needs lower, upper or both");
  expect_refused(with("lower = -5e-4", "lower = 1e-3"), "lower limit above its upper one");
  expect_refused(with(", restitution = 0.5", ""), "the restitution is missing");
  expect_refused(with("kind = \"beam\"", "kind = \"beam\"\nmethod = \"spectral\""), "hermite or differences");
  expect_refused(with("kind = \"beam\"", "kind = \"bean\""), "must be one of lagrangian, linear, bar, beam");
  expect_refused(with("name = \"tip\"", "name = \"w3\""), "already taken");
  expect_refused(with("inertia", "inertai"), "did you mean 'inertia'?");
}

// Two masses on a rigid link are one mass of 3 on a spring of 2.
TEST_F(ModelKinds, LinearJoints) {
  const std::string link = std::string(two_masses) + R"toml(
parameters = { gap = 0.0 }
[[model.joint]]
name = "link"
normal = { 0 = 1.0, q1 = -1.0 }
offset = "2*gap"
)toml";
  const Problem problem = build(link, "q = 0.3");
  const Layout& layout = problem.model->layout();
  EXPECT_EQ(testing::joint_rows(layout), (std::vector<std::string>{"link.1"}));
  EXPECT_TRUE(layout.structure.linear_joints);
  EXPECT_TRUE(layout.structure.fixed_joints);
  const Solution linked = run(problem);
  EXPECT_NEAR(linked.final.q[0], 0.3 * std::cos(std::sqrt(2.0 / 3.0)), 1e-7);
  EXPECT_NEAR(linked.final.q[1], linked.final.q[0], 1e-14);

  // The same as a formula, which is curved for all that the model knows.
  const Solution formula = run(build(
      std::string(two_masses) + "[[model.joint]]\nname = \"link\"\nequation = \"(q0 - q1)*(3 + q0)\"\n", "q = 0.3"));
  EXPECT_NEAR(formula.final.q[0], linked.final.q[0], 1e-9);
}

// The first mass is driven: the second one feels a force.
TEST_F(ModelKinds, DrivenJoints) {
  const auto alone = lagrangian(
      {.coordinates = {"b"}, .kinetic = "b_dot^2/2", .potential = "b^2/2", .force = {{"b", "0.1*sin(3*t)"}}});
  const std::string text = std::string(two_masses) + "parameters = { A = 0.1 }\n";
  const Problem held =
      build(text + "joints = [{ dof = 0, displacement = \"A*sin(3*t)\", name = \"shaker\" }]\n", "v = { q0 = 0.3 }");
  EXPECT_EQ(testing::joint_rows(held.model->layout()), (std::vector<std::string>{"shaker.1"}));
  EXPECT_FALSE(held.model->layout().structure.fixed_joints);
  const Problem row =
      build(text + "[[model.joint]]\nname = \"shaker\"\nnormal = { 0 = 2.0 }\noffset = \"-2*A*sin(3*t)\"\n",
            "v = { q0 = 0.3 }");
  const Problem formula =
      build(text + "[[model.joint]]\nname = \"shaker\"\nequation = [\"q0 - A*sin(3*t)\"]\n", "v = { q0 = 0.3 }");
  const Solution exact = simulate(*alone, {.q = {0.0}, .v = {0.0}}, held.span, MoreauJean{}, held.settings);
  for (const Problem* problem : {&held, &row, &formula}) {
    const Solution solution = run(*problem);
    EXPECT_NEAR(solution.final.q[0], 0.1 * std::sin(3.0), 1e-13);
    EXPECT_NEAR(solution.final.q[1], exact.final.q[0], 1e-6);
  }
}

// A cantilever whose tip is held moves as one that is pinned there.
TEST_F(ModelKinds, JointsOfBarsAndBeams) {
  const std::string start = "q = \"1e-4*x^2*(x - 1.5)\"";
  const std::string beam = std::string(pipe_text) + "joints = [{ at = 1.5, name = \"pin\" }]\n";
  std::string pinned = std::string(pipe_text) + "right = \"pinned\"\n";
  pinned.replace(pinned.find("at = 1.5"), 8, "at = 0.9");  // a point that is fixed cannot be observed
  const Problem problem = build(beam, start);
  EXPECT_EQ(testing::joint_rows(problem.model->layout()), (std::vector<std::string>{"pin.1"}));
  EXPECT_EQ(problem.model->layout().coordinates[58], "w30");
  const Solution held = run(problem), other = run(build(pinned, start));
  EXPECT_NEAR(held.final.q[58], 0.0, 1e-15);
  EXPECT_NEAR(held.final.q[28], other.final.q[28], 1e-9);

  const Problem modal = build(beam + "modes = 8\n", start);
  EXPECT_EQ(testing::joint_rows(modal.model->layout()), (std::vector<std::string>{"pin.1"}));
  EXPECT_NEAR(run(modal).observed[0], 0.0, 1e-14);

  const Problem bar = build(std::string(bar_text) + "joints = [{ at = 0.5, displacement = \"1e-3*t\" }]\n", "v = 1e-3");
  EXPECT_EQ(testing::joint_rows(bar.model->layout()), (std::vector<std::string>{"joint0.1"}));
  EXPECT_NEAR(run(bar).final.q[5], 1e-3, 1e-15);
}

TEST_F(ModelKinds, JointRefusals) {
  const std::string stop =
      std::string(two_masses) + "stops = [{ dof = 0, upper = 2.0, restitution = 0.5, name = \"s\" }]\n";
  const auto joint = [&](const std::string& keys) { return stop + "[[model.joint]]\nname = \"link\"\n" + keys; };
  expect_refused(joint("normal = { 2 = 1.0 }\n"), "model.joint.link.normal.2: there is no coordinate '2'");
  expect_refused(joint("normal = { q0 = 0.0 }\n"), "model.joint.link.normal: is zero: such a joint holds nothing");
  expect_refused(joint("normal = { q0 = 1.0, 0 = 2.0 }\n"), "the coordinate is given twice");
  expect_refused(joint("normal = { q0 = 1.0 }\nequation = \"q0\"\n"), "give normal or equation, not both");
  expect_refused(joint("offset = 1.0\nequation = \"q0\"\n"), "model.joint.link.offset: belongs to normal");
  expect_refused(joint(""), "model.joint.link: holds nothing: give normal");
  expect_refused(joint("rate = \"q0_dot\"\n"), "unknown key 'rate'; known here: name, normal, offset, equation");
  expect_refused(joint("normal = { q0 = 1.0 }\noffset = \"q1\"\n"), "model.joint.link.offset: ");
  expect_refused(joint("equation = \"q0 - q2\"\n"), "model.joint.link.equation: ");
  expect_refused(joint("equation = \"1 + t\"\n"), "does not depend on any coordinate: such a joint holds nothing");
  expect_refused(joint("equation = [\"q0\", \"q1_dot\"]\n"),
                 "model.joint.link.equation[1]: the equation of a joint must not depend on the velocities");
  expect_refused(stop + "modes = 1\n[[model.joint]]\nname = \"link\"\nequation = [\"q0^2 - 1\", \"q1\"]\n",
                 "model.modes: 1 modes cannot follow 2 joints");
  expect_refused(stop + "modes = 1\njoints = [{ dof = 0 }, { dof = 1 }]\n", "1 modes cannot follow 2 joints");
  expect_refused(stop + "[[model.joint]]\nname = \"s-upper\"\nnormal = { 0 = 1.0 }\n",
                 "model.joint.s-upper.name: the name 's-upper' is taken by a constraint, joint or friction");
  expect_refused(stop + "joints = [{ dof = 0, name = \"a\" }, { dof = 1, name = \"a\" }]\n",
                 "model.joints[1].name: the name 'a' is taken");
  expect_refused(stop + "joints = [{ dof = 7 }]\n", "model.joints[0].dof: there is no coordinate '7'");
  expect_refused(stop + "joints = [{ displacement = 0.1 }]\n", "the key 'dof'");
  expect_refused(std::string(pipe_text) + "joints = [{ at = 0.0 }]\n", "the point is fixed: it does not move");
  expect_refused(std::string(pipe_text) + "joints = [{ at = 2.0 }]\n", "model.joints[0].at: ");
}

TEST_F(ModelKinds, WrittenJointsReadBackEqual) {
  const std::string rows = R"toml(joints = [{ dof = "q1", displacement = "0.1*t", name = "drive" }, { dof = 0 }]
[[model.joint]]
name = "link"
normal = { 0 = 1.0, 1 = -1.0 }
offset = "sin(t)"
[[model.joint]]
name = "ring"
equation = ["q0^2 + q1^2 - 1", "q0"]
)toml";
  for (const std::string& text :
       {two_masses + rows, pipe_text + std::string("joints = [{ at = 0.3, name = \"pin\" }]\n")}) {
    const Scenario scenario = open(text).scenario();
    EXPECT_EQ(parse_scenario(write_scenario(scenario), "written"), scenario) << write_scenario(scenario);
  }
}

TEST_F(ModelKinds, BeadColumnAtRestStaysAtRest) {
  const Problem problem =
      build("[model]\nkind = \"bead-column\"\ncount = 5\nradius = 0.01\nmass = 0.02\nrestitution = 0.5\n");
  EXPECT_EQ(problem.model->nc(), 5);
  double g[5];
  problem.model->gap(0.0, problem.start.q.data(), g);
  for (const double gap : g) EXPECT_NEAR(gap, 0.0, 1e-16);
  const Solution solution = run(problem);
  EXPECT_EQ(solution.impact_count, 0u);
  for (int i = 0; i < 5; ++i) EXPECT_NEAR(solution.final.q[i], problem.start.q[i], 1e-4);
  // The floor carries the weight of all: 5 m g over one second.
  double impulse = 0.0;
  for (std::size_t i = 0; i < solution.trajectory.t.size(); ++i) impulse += solution.trajectory.impulse[5 * i];
  EXPECT_NEAR(impulse, 5 * 0.02 * 9.81, 1e-3);
}

TEST_F(ModelKinds, BeadColumnSpacing) {
  const Problem problem = build(
      "[model]\nkind = \"bead-column\"\ncount = 3\nradius = 0.5\nmass = 1\nrestitution = 0.5\nspacing = 0.25\nfloor = "
      "-1\n");
  EXPECT_EQ(problem.start.q, (std::vector<double>{-0.25, 1.0, 2.25}));
  expect_refused("[model]\nkind = \"bead-column\"\ncount = 3\nradius = 0\nmass = 1\nrestitution = 0.5\n", "positive");
  expect_refused("[model]\nkind = \"bead-column\"\ncount = 0\nradius = 1\nmass = 1\nrestitution = 0.5\n",
                 "from 1 to 1e7");
  expect_refused("[model]\nkind = \"bead-column\"\ncount = 3\nradius = 1\nmass = 1\n", "'restitution'");
}

// Newton's cradle of three that touch: (1, 0, 0) becomes (−1/3, 2/3, 2/3); with a spacing (0, 0, 1).
TEST_F(ModelKinds, BeadChain) {
  const std::string text = "[model]\nkind = \"bead-chain\"\ncount = 3\nmass = 0.1\nrestitution = 1.0\n";
  const Solution touching = run(build(text, "v = { x0 = 1.0 }"));
  EXPECT_NEAR(touching.final.v[0], -1.0 / 3.0, 1e-12);
  EXPECT_NEAR(touching.final.v[2], 2.0 / 3.0, 1e-12);
  const Solution apart = run(build(text + "spacing = 0.01\n", "v = { x0 = 1.0 }"));
  EXPECT_NEAR(apart.final.v[0], 0.0, 1e-12);
  EXPECT_NEAR(apart.final.v[2], 1.0, 1e-12);
  // Hanging on threads of 9.81/π² m the period is 2 s: after one second all is mirrored.
  const Problem hanging = build(text + "length = \"9.81/pi^2\"\n", "q = -0.1");
  EXPECT_NEAR(run(hanging, Scheme{"event-driven"}).final.q[1], 0.1, 1e-8);
}

TEST_F(ModelKinds, WrittenTextReadsBackEqual) {
  for (const std::string text : {two_masses, bar_text, pipe_text}) {
    const Scenario scenario = open(text, "q = 0.5\nv = 0.1").scenario();
    EXPECT_EQ(parse_scenario(write_scenario(scenario), "written"), scenario) << write_scenario(scenario);
  }
}

TEST_F(ModelKinds, WithoutAFolderFilesAreRefused) {
  const Scenario scenario = open("[model]\nkind = \"linear\"\nmass = \"M.mtx\"\n").scenario();
  EXPECT_THROW(ricochet::build(scenario), InputError);
}

// All modes are another set of coordinates: gaps and joints that are formulas, and move, give the same motion.
TEST_F(ModelKinds, FormulaGapsInModes) {
  const std::string gap = R"([[model.constraint]]
name = "wall"
gap = "1.1 + 0.05*sin(3*t) - q1 - 0.2*q0^2"
restitution = 0.7
)";
  const auto model = [&](const char* modes, const std::string& rows) {
    return std::string(two_masses) + "damping = [[0.2, 0.0], [0.0, 0.1]]\n" + modes +
           "observe = [{ name = \"y0\", normal = { 0 = 1.0 } }, { name = \"y1\", normal = { 1 = 1.0 } }]\n" + rows;
  };
  const std::string start = "q = { q0 = 0.3, q1 = 1.0 }\nv = { q0 = 0.0, q1 = 2.0 }";
  const std::string joint = "[[model.joint]]\nname = \"link\"\nequation = \"q0 - 0.3*q1^2\"\n";
  for (const auto& [rows, from] :
       {std::pair{gap, start}, std::pair{gap + joint, std::string("q = { q0 = 0.3, q1 = 1.0 }")}}) {
    const Problem plain = build(model("", rows), from), modal = build(model("modes = 2\n", rows), from);
    ASSERT_EQ(modal.model->layout().coordinates[0], "mode1");
    const Scheme scheme = EventDriven{.rtol = 1e-11};
    const Solution a = run(plain, scheme), b = run(modal, scheme);
    ASSERT_EQ(a.status, Status::completed);
    ASSERT_EQ(b.status, Status::completed);
    EXPECT_EQ(a.impact_count, b.impact_count);
    if (rows == gap) {
      EXPECT_GT(a.impact_count, 0u);
    }
    const SparseMatrix& N = modal.model->layout().observation;
    for (int i = 0; i < 2; ++i)
      EXPECT_NEAR(column_dot(N.pattern, N.values.data(), i, b.final.q.data()), a.final.q[i], 1e-8) << rows;
  }
}

// Stops of linear models say how they give way, as rows and beside gaps that are formulas.
TEST_F(ModelKinds, CompliantStops) {
  const std::string stop = std::string(two_masses) +
                           "stops = [{ dof = 1, upper = 1.1, restitution = 0.5, name = \"s\", "
                           "compliance = { stiffness = \"4*100\", damping = 4.0 } }]\n";
  const std::string moving = "[[model.constraint]]\nname = \"w\"\ngap = \"q0 + 5 + sin(t)\"\nrestitution = 0.5\n";
  for (const std::string& text : {stop, stop + moving}) {
    const std::vector<Compliance> laws = compliances_of(*build(text).model);
    const Compliance expected{.stiffness = 400.0, .damping = 4.0};
    EXPECT_EQ(laws.back(), expected);
    EXPECT_EQ(laws.front(), text == stop ? expected : Compliance());
  }
  const auto with = [&](const std::string& law) {
    return std::string(two_masses) + "stops = [{ dof = 1, upper = 1.1, restitution = 0.5, compliance = { " + law +
           " } }]\n";
  };
  expect_refused(with("damping = 4.0"), "model.stops[0].compliance.stiffness: is missing");
  expect_refused(with("stiffness = 1.0, dampping = 4.0"), "has no 'dampping'; did you mean 'damping'?");
  expect_refused(with("stiffness = -1.0"), "model.stops[0].compliance.stiffness: must be positive, got -1");
  expect_refused(with("stiffness = 1.0, exponent = 0.5"), "must be at least 1, got 0.5");
  expect_refused(with("stiffness = 1.0, damping = 1.0, hysteresis = 1.0"), "or hysteresis, not both");
  expect_refused(with("stiffness = 1.0, damping = 1.0, exponent = 1.5"), "goes with exponent = 1");
}

}  // namespace
}  // namespace ricochet
