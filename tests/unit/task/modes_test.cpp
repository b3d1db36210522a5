// Modes against closed forms: beams, pendulums, damped, gyroscopic and circulatory systems, closed contacts.
#include "ricochet/task/modes.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "ricochet/model/modal.hpp"
#include "ricochet/present/modes.hpp"
#include "support/complaint.hpp"
#include "support/frames.hpp"

namespace ricochet {
namespace {

using std::numbers::pi;
using ::testing::HasSubstr;

ModesOutcome modes_of(const std::string& text, const ModesRequest& request = {}) {
  return modes_of_scenario(ScenarioFile(text + testing::frame_times, "model", {}), request);
}

// EI = ρA = L = 1: ω = (βL)².
std::string beam(const std::string& left, const std::string& right, const std::string& further = {}) {
  return "[model]\nkind = \"beam\"\nelements = 30\nlength = 1.0\nyoung = 1.0\ninertia = 1.0\narea = 1.0\ndensity = "
         "1.0\n"
         "left = \"" +
         left + "\"\nright = \"" + right + "\"\n" + further;
}

void expect_euler_bernoulli(const ModesOutcome& outcome, int rigid, const std::vector<double>& beta) {
  ASSERT_GE(outcome.report.modes.size(), rigid + beta.size());
  for (int k = 0; k < rigid; ++k) EXPECT_EQ(outcome.report.modes[k].omega, 0.0);
  for (std::size_t k = 0; k < beta.size(); ++k) {
    const Mode& mode = outcome.report.modes[rigid + k];
    EXPECT_NEAR(mode.omega / (beta[k] * beta[k]), 1.0, 2e-5) << k;
    EXPECT_DOUBLE_EQ(mode.frequency(), mode.omega / (2.0 * pi));
    EXPECT_EQ(mode.damping, 0.0);
  }
}

TEST(Modes, BeamsOfEulerAndBernoulli) {
  expect_euler_bernoulli(modes_of(beam("clamped", "free")), 0,
                         {1.875104068711961, 4.694091132974175, 7.854757438237613});
  expect_euler_bernoulli(modes_of(beam("pinned", "pinned")), 0, {pi, 2.0 * pi, 3.0 * pi});
  expect_euler_bernoulli(modes_of(beam("free", "free")), 2, {4.730040744862704, 7.853204624095838, 10.99560783800167});
}

// A stop at the tip that is closed makes it a pinned end.
TEST(Modes, AClosedContactHolds) {
  const std::string text =
      beam("clamped", "free", "stops = [{ at = 1.0, lower = 0.0, restitution = 0.5, name = \"tip\" }]\n");
  const ModesOutcome closed = modes_of(text, {.closed = {"tip-lower"}});
  expect_euler_bernoulli(closed, 0, {3.926602312047919, 7.068582745628732, 10.21017612281303});
  EXPECT_TRUE(closed.notes.empty());
  for (const Mode& mode : closed.report.modes) EXPECT_NEAR(mode.gaps[0], 0.0, 1e-9);
  const ModesOutcome open = modes_of(text);
  EXPECT_NEAR(open.report.modes[0].gaps[0], 2.0, 1e-4);  // the tip of a clamped beam's first mode, ∫φ² = 1
  // 61.31 % of the mass in theory; that of the first element moves with the weight (∫(1 − N)²)/l = 13/35 only.
  EXPECT_NEAR(open.report.modes[0].participation[0], 0.61308 / (1.0 - (1.0 - 13.0 / 35.0) / 30.0), 1e-4);
  // Far from its contact: the motion is held where it is.
  const ModesOutcome far = modes_of(text + "[initial]\nq = \"x^2\"\n", {.closed = {"tip-lower"}});
  EXPECT_NEAR(far.report.modes[0].omega, closed.report.modes[0].omega, 1e-9);
  ASSERT_EQ(far.notes.size(), 1u);
  EXPECT_THAT(far.notes[0], HasSubstr("the gap of 'tip-lower' is 1 at this state"));
}

// Rows that are held, by the dense and the sparse way; two of them say the same.
TEST(Modes, HeldRowsDenseAndSparse) {
  const Problem problem = ScenarioFile(beam("clamped", "free") + testing::frame_times, "model", {}).build();
  const Linearisation at = linearise(*problem.model, problem.start);
  const int n = problem.model->nq();
  const SparseMatrix held = sparse_from_triplets(n, 3, {{n - 2, 0, 1.0}, {20, 1, 3.0}, {20, 2, -1.0}, {n - 2, 2, 0.0}});
  const ModalBasis dense = lowest_modes_dense(at.stiffness, at.mass, 5, {held, true});
  const ModalBasis sparse = lowest_modes_sparse(at.stiffness, at.mass, 5, {held, true});
  const ModalBasis all = lowest_modes_dense(at.stiffness, at.mass, n, {held, true});
  EXPECT_EQ(all.m, n - 2);
  for (int k = 0; k < 5; ++k) {
    EXPECT_NEAR(sparse.omega[k] / dense.omega[k], 1.0, 1e-10);
    EXPECT_NEAR(all.omega[k] / dense.omega[k], 1.0, 1e-7);
    EXPECT_NEAR(sparse.shape(20, k), 0.0, 1e-9);
    EXPECT_NEAR(sparse.shape(n - 2, k), 0.0, 1e-9);
  }
}

const std::string double_pendulum =
    "[model]\ncoordinates = [\"a\", \"b\"]\nparameters = { g = 9.81 }\n"
    "kinetic = \"a_dot^2 + b_dot^2/2 + a_dot*b_dot*cos(a - b)\"\npotential = \"-2*g*cos(a) - g*cos(b)\"\n";
const std::string hangs = "[initial]\nq = { a = 0.0, b = 0.0 }\n";

// ω² = (2 ± √2) g/l.
TEST(Modes, DoublePendulum) {
  const ModesOutcome hanging =
      modes_of(double_pendulum + "[initial]\nq = { a = 0.5, b = 0.3 }\n", {.about = "equilibrium"});
  EXPECT_NEAR(hanging.state.q[0], 0.0, 1e-12);
  ASSERT_EQ(hanging.report.modes.size(), 2u);
  EXPECT_NEAR(hanging.report.modes[0].omega, std::sqrt((2.0 - std::sqrt(2.0)) * 9.81), 1e-10);
  EXPECT_NEAR(hanging.report.modes[1].omega, std::sqrt((2.0 + std::sqrt(2.0)) * 9.81), 1e-10);
  EXPECT_NEAR(hanging.report.modes[0].shape[1] / hanging.report.modes[0].shape[0], std::sqrt(2.0), 1e-9);
  EXPECT_TRUE(hanging.notes.empty());
  // Upright it falls: e^{σt} with σ² = (2 ± √2) g/l.
  const ModesOutcome upright = modes_of(double_pendulum + "[initial]\nq = { a = \"pi\", b = \"pi\" }\n");
  EXPECT_NEAR(upright.report.modes[0].sigma.real(), std::sqrt((2.0 + std::sqrt(2.0)) * 9.81), 1e-10);
  EXPECT_EQ(upright.report.modes[0].damping, -1.0);
  ASSERT_EQ(upright.notes.size(), 1u);
  EXPECT_THAT(upright.notes[0], HasSubstr("unstable"));
  EXPECT_THAT(modes_of(double_pendulum + "[initial]\nq = { a = 0.5, b = 0.0 }\n").notes.at(0),
              HasSubstr("no equilibrium"));
}

// The stiffness of a mass on a string is the tension: K = −λ ∂²g/∂q².
TEST(Modes, AJointUnderForce) {
  const std::string text =
      "[model]\ncoordinates = [\"x\", \"y\"]\nkinetic = \"x_dot^2 + y_dot^2\"\npotential = \"2*9.81*y\"\n"
      "[[model.joint]]\nname = \"string\"\nequation = \"x^2 + y^2 - 4\"\n[initial]\nq = { x = 0.0, y = -2.0 }\n";
  const ModesOutcome outcome = modes_of(text);
  ASSERT_EQ(outcome.report.modes.size(), 1u);
  EXPECT_NEAR(outcome.report.modes[0].omega, std::sqrt(9.81 / 2.0), 1e-12);
  EXPECT_TRUE(outcome.report.is_equilibrium);
  // The same as a contact, a bowl.
  std::string bowl = text;
  bowl.replace(bowl.find("joint"), 5, "constraint");
  bowl.replace(bowl.find("equation"), 8, "gap");
  bowl.replace(bowl.find("x^2 + y^2 - 4"), 13, "4 - x^2 - y^2");
  bowl.insert(bowl.find("[initial]"), "restitution = 0.5\n");
  EXPECT_NEAR(modes_of(bowl, {.closed = {"string"}}).report.modes[0].omega, std::sqrt(9.81 / 2.0), 1e-12);
}

std::string linear(const std::string& matrices) { return "[model]\nkind = \"linear\"\n" + matrices; }

TEST(Modes, DampedOscillators) {
  const auto only = [](const std::string& text) { return modes_of(text).report.modes.at(0); };
  const Mode under = only(linear("mass = [[2.0]]\nstiffness = [[50.0]]\ndamping = [[0.8]]\n"));
  EXPECT_NEAR(under.omega, 5.0, 1e-14);
  EXPECT_NEAR(under.damping, 0.04, 1e-15);
  EXPECT_NEAR(under.sigma.real(), -0.2, 1e-14);
  EXPECT_NEAR(under.sigma.imag(), 5.0 * std::sqrt(1.0 - 0.0016), 1e-13);
  const Mode over = only(linear("mass = [[1.0]]\nstiffness = [[1.0]]\ndamping = [[4.0]]\n"));
  EXPECT_DOUBLE_EQ(over.damping, 2.0);
  EXPECT_NEAR(over.sigma.real(), -2.0 + std::sqrt(3.0), 1e-15);
  EXPECT_EQ(over.damped_frequency(), 0.0);
  // One dashpot couples the modes: σ are the roots of det(σ²M + σC + K).
  const ModesOutcome coupled =
      modes_of(linear("mass = [[1.0, 0.0], [0.0, 1.0]]\nstiffness = [[2.0, -1.0], [-1.0, 2.0]]\n"
                      "damping = [[0.6, 0.0], [0.0, 0.0]]\n"));
  EXPECT_TRUE(coupled.report.coupled);
  ASSERT_EQ(coupled.report.modes.size(), 2u);
  std::complex<double> sum = 0.0, product = 1.0;
  for (const Mode& mode : coupled.report.modes) {
    const std::complex<double> s = mode.sigma;
    EXPECT_NEAR(std::abs((s * s + 0.6 * s + 2.0) * (s * s + 2.0) - 1.0), 0.0, 1e-12);
    sum += 2.0 * s.real();
    product *= std::norm(s);
    EXPECT_FALSE(mode.shape_imag.empty());
  }
  EXPECT_NEAR(sum.real(), -0.6, 1e-12);
  EXPECT_NEAR(product.real(), 3.0, 1e-12);
  // Damping in proportion does not: ζ = α/(2ω) + βω/2.
  for (const Mode& mode : modes_of(beam("clamped", "free", "rayleigh = [0.5, 1e-4]\n")).report.modes)
    EXPECT_NEAR(mode.damping / (0.25 / mode.omega + 0.5e-4 * mode.omega), 1.0, 1e-8);
}

// Seen from a frame that turns with W, an isotropic spring has the frequencies √k ± W.
TEST(Modes, GyroscopicForces) {
  const ModesOutcome outcome = modes_of(
      "[model]\ncoordinates = [\"x\", \"y\"]\nparameters = { W = 0.5 }\n"
      "kinetic = \"((x_dot - W*y)^2 + (y_dot + W*x)^2)/2\"\npotential = \"2*(x^2 + y^2)\"\n[initial]\nq = { x = 0.0, y "
      "= 0.0 }\n");
  EXPECT_TRUE(outcome.report.coupled);
  ASSERT_EQ(outcome.report.modes.size(), 2u);
  EXPECT_NEAR(outcome.report.modes[0].omega, 1.5, 1e-13);
  EXPECT_NEAR(outcome.report.modes[1].omega, 2.5, 1e-13);
  for (const Mode& mode : outcome.report.modes) EXPECT_NEAR(mode.damping, 0.0, 1e-14);
}

// K = [2 −1; 1 1]: σ² = −(3 ± i√3)/2, and one of them grows. With an auxiliary state: z' = x − z, force −z.
TEST(Modes, FollowerForcesAndAuxiliaryStates) {
  const ModesOutcome flutter =
      modes_of(linear("mass = [[1.0, 0.0], [0.0, 1.0]]\nstiffness = [[2.0, -1.0], [1.0, 1.0]]\n"));
  ASSERT_EQ(flutter.report.modes.size(), 2u);
  const std::complex<double> square(-1.5, 0.5 * std::sqrt(3.0));
  for (const Mode& mode : flutter.report.modes) {
    EXPECT_NEAR(mode.omega, std::sqrt(std::sqrt(3.0)), 1e-13);
    EXPECT_NEAR(std::abs(mode.damping), std::abs(std::sqrt(square).real()) / mode.omega, 1e-13);
  }
  EXPECT_THAT(flutter.notes.at(0), HasSubstr("unstable"));
  const ModesOutcome state = modes_of(
      "[model]\ncoordinates = [\"x\"]\nkinetic = \"x_dot^2/2\"\npotential = \"2*x^2\"\nforce = { x = \"-z\" }\n"
      "[[model.state]]\nname = \"z\"\nrate = \"x - z\"\n[initial]\nq = { x = 0.0 }\n",
      {.number = 5});
  ASSERT_EQ(state.report.modes.size(), 2u);  // one of them real
  for (const Mode& mode : state.report.modes) {
    const std::complex<double> s = mode.sigma;
    EXPECT_NEAR(std::abs((s * s + 4.0) * (s + 1.0) + 1.0), 0.0, 1e-12);
  }
}

// About equilibrium a stiff rod that hangs on a soft spring k is a pendulum, ω² = (mgL/2 + k)/(mL²/3): the stiffness of
// its weight counts. Free, it has three rigid motions, however it lies; with 200 elements by the sparse way.
TEST(Modes, Frames) {
  const std::string rod =
      "members = [{ name = \"arm\", from = \"A\", to = \"B\", elements = %, EA = 1e8, GA = 1e8, EI = 1e4, rho_A = 1.0, "
      "rho_I = 1e-9 }]\n";
  const auto frame = [&](const std::string& end, int elements, const std::string& further,
                         const ModesRequest& request) {
    std::string member = rod;
    member.replace(member.find('%'), 1, std::to_string(elements));
    return modes_of("[model]\nkind = \"frame\"\npoints = { A = [0.0, 0.0], B = " + end + " }\n" + member + further,
                    request);
  };
  const ModesOutcome hanging = frame("[0.0, -1.0]", 8,
                                     "gravity = [0.0, -9.81]\nsupports = [{ point = \"A\", kind = \"pinned\" "
                                     "}]\nsprings = [{ point = \"A\", angle = true, stiffness = 0.5 }]\n",
                                     {.about = "equilibrium"});
  EXPECT_NEAR(hanging.report.modes[0].omega, std::sqrt(3.0 * (0.5 * 9.81 + 0.5)), 1e-3);
  // φ = s and r = 1, but for the first element, where r grows from the node that is held: (∫ φ r)²/(∫ φ² ∫ r²).
  constexpr double l = 1.0 / 8.0;
  EXPECT_NEAR(hanging.report.modes[0].participation[0],
              3.0 * (0.5 - l * l / 6.0) * (0.5 - l * l / 6.0) / (1.0 - 2.0 / 3.0 * l), 1e-5);
  EXPECT_TRUE(hanging.report.is_equilibrium);
  for (const char* end : {"[1.0, 0.0]", "[0.6, 0.8]"})
    for (const int elements : {20, 200}) {
      const ModesOutcome free = frame(end, elements, "", {.number = 4});
      for (int k = 0; k < 3; ++k) EXPECT_EQ(free.report.modes[k].omega, 0.0) << end << elements;
      EXPECT_NEAR(free.report.modes[3].omega / (1e2 * 4.730040744862704 * 4.730040744862704), 1.0, 0.01);
    }
}

TEST(Modes, BadInputGetsASentence) {
  const auto complaint = [](const std::string& text, const ModesRequest& request) {
    return testing::complaint([&] { modes_of(text, request); });
  };
  const std::string stop =
      beam("clamped", "free", "stops = [{ at = 1.0, lower = 0.0, restitution = 0.5, name = \"tip\" }]\n");
  EXPECT_EQ(complaint(stop, {.closed = {"tip-lover"}}),
            "closed: there is no constraint 'tip-lover'; did you mean 'tip-lower'?");
  EXPECT_EQ(complaint(double_pendulum + hangs, {.closed = {"tip"}}),
            "closed: there is no constraint 'tip': the model has none");
  EXPECT_EQ(complaint(double_pendulum + hangs, {.about = "here"}),
            "about: must be rest, start or equilibrium, got 'here'");
  EXPECT_EQ(complaint(linear("mass = [[1.0]]\nstiffness = [[1.0]]\njoints = [{ dof = 0 }]\n"), {}),
            "closed: nothing is left to move: joints and closed contacts hold it");
  EXPECT_THAT(
      complaint(
          "[model]\ncoordinates = [\"x\"]\nkinetic = \"x_dot^2/2\"\npotential = \"-x\"\n[initial]\nq = { x = 0.0 }\n",
          {.about = "equilibrium"}),
      HasSubstr("about: there is no static equilibrium to be found"));
}

TEST(Modes, TableAndNumbers) {
  const ModesOutcome outcome = modes_of(double_pendulum + hangs);
  const std::string csv = to_csv(outcome);
  EXPECT_THAT(csv,
              HasSubstr("mode,frequency,omega,damping,sigma_real,sigma_imag,participation_a,participation_b,a,b\n1,"));
  EXPECT_THAT(summary(outcome), HasSubstr("moves most"));
  EXPECT_THAT(to_json(outcome, "here"), HasSubstr("\"about\": \"rest\""));
}

}  // namespace
}  // namespace ricochet
