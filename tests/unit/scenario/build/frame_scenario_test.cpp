// kind = "frame": names, supports, hinges, static equilibrium, small motions, and what is refused.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <numbers>

#include "ricochet/model/modal.hpp"
#include "ricochet/ricochet.hpp"
#include "support/complaint.hpp"
#include "support/frames.hpp"
#include "support/orders.hpp"

namespace ricochet {
namespace {

using std::numbers::pi;
using ::testing::ElementsAre;
using testing::frame_problem;
using ::testing::HasSubstr;
using testing::place_of;

const std::string stiff = "EA = 1e4, GA = 5e3, EI = 2.0, rho_A = 1.0, rho_I = 1e-3 }";

std::string member(const std::string& name, const std::string& from, const std::string& to, int elements = 2) {
  return "{ name = \"" + name + "\", from = \"" + from + "\", to = \"" + to +
         "\", elements = " + std::to_string(elements) + ", " + stiff;
}
const std::string two_members = "points = { A = [0.0, 0.0], B = [1.0, 0.0], C = [1.0, 1.0] }\nmembers = [" +
                                member("arm", "A", "B") + ", " + member("rod", "B", "C", 1) + "]\n";

TEST(FrameScenario, CoordinatesAreNamedByPointAndNode) {
  const Problem rigid = frame_problem(two_members + "supports = [{ point = \"A\", kind = \"pinned\" }]\n");
  EXPECT_THAT(rigid.model->layout().coordinates, ElementsAre("A_angle", "arm_1_x", "arm_1_y", "arm_1_angle", "B_x",
                                                             "B_y", "B_angle", "C_x", "C_y", "C_angle"));
  EXPECT_THAT(rigid.start.q, ElementsAre(0.0, 0.5, 0.0, 0.0, 1.0, 0.0, 0.0, 1.0, 1.0, 0.0));
  const Problem hinged =
      frame_problem(two_members +
                    "hinges = [\"B\"]\nsupports = [{ point = \"A\", kind = \"clamped\" }, { point = \"C\", kind = "
                    "\"roller\", direction = [0.0, 2.0] }]\n");
  EXPECT_THAT(hinged.model->layout().coordinates, ElementsAre("arm_1_x", "arm_1_y", "arm_1_angle", "B_x", "B_y",
                                                              "arm_2_angle", "rod_0_angle", "C_y", "C_angle"));
}

// Where a member ends it has two names, and what is held is a number in formulas.
TEST(FrameScenario, FormulasKnowEveryNode) {
  const Problem problem =
      frame_problem(two_members +
                    "supports = [{ point = \"A\", kind = \"pinned\" }]\n"
                    "[[model.constraint]]\nname = \"floor\"\ngap = \"rod_1_y - A_y + arm_2_x*B_x\"\n"
                    "restitution = 0.5\nfriction = 0.3\nslip = \"rod_1_x_dot - A_x_dot\"\n"
                    "[[model.constraint]]\nname = \"below\"\nmember = \"arm\"\ngap = \"y + 0.8\"\n"
                    "restitution = 0.5\nfriction = 0.2\nslip = \"x_dot\"\n"
                    "[[model.joint]]\nname = \"link\"\nequation = \"C_x - 1\"\n"
                    "[[model.friction]]\nname = \"bearing\"\nslip = \"A_angle_dot\"\nlimit = 0.1\n");
  const Model& model = *problem.model;
  EXPECT_THAT(model.layout().constraints, ElementsAre("floor", "below-1", "below-2"));  // node 0 does not move
  ASSERT_EQ(model.nf(), 4);
  EXPECT_EQ(model.layout().frictions[2].name, "below-2");
  EXPECT_EQ(model.layout().frictions[2].constraint, 2);
  std::vector<double> q = problem.start.q, g(3), bounds(4);
  q[place_of(model, "B_y")] = -0.1;
  model.gap(0.0, q.data(), g.data());
  EXPECT_THAT(g, ElementsAre(2.0, 0.8, 0.8 - 0.1));
  model.friction_bound(0.0, q.data(), bounds.data());
  EXPECT_THAT(bounds, ElementsAre(0.3, 0.2, 0.2, 0.1));
  std::vector<double> H(model.layout().gradient.size()), differences = H;
  model.gap_gradient(0.0, q.data(), H.data());
  model.Model::gap_gradient(0.0, q.data(), differences.data());
  for (std::size_t k = 0; k < H.size(); ++k) EXPECT_NEAR(H[k], differences[k], 1e-9);
}

// Nodes that cannot move have no constraint, wherever they are.
TEST(FrameScenario, AMemberBetweenSupportsTouchesWithItsInnerNodes) {
  const std::string held = two_members +
                           "supports = [{ point = \"A\", kind = \"clamped\" }, { point = \"B\", kind = "
                           "\"clamped\" }]\n[[model.constraint]]\nname = \"floor\"\nmember = \"arm\"\n";
  EXPECT_THAT(frame_problem(held + "gap = \"y + 0.1\"\nrestitution = 0.5\n").model->layout().constraints,
              ElementsAre("floor-1"));
  EXPECT_EQ(
      testing::complaint([&] { frame_problem(held + "gap = \"0.1\"\nrestitution = 0.5\n"); }),
      "model.constraint[0].gap: depends on nothing that moves at a node of 'arm': give a formula of x, y and angle");
}

TEST(FrameScenario, ReadsBackEqual) {
  const std::string text =
      "[model]\nkind = \"frame\"\n" + two_members +
      "gravity = [0.0, \"-g\"]\nparameters = { g = 9.81 }\nhinges = [\"B\"]\nmass = \"lumped\"\n"
      "supports = [{ point = \"A\", kind = \"driven\", angle = \"6*t\" }]\nmasses = [{ point = \"C\", mass = 0.2 }]\n"
      "springs = [{ point = \"B\", angle = true, stiffness = 5.0 }]\n"
      "loads = [{ point = \"C\", force = [\"0\", \"-3*sin(40*t)\"] }]\n"
      "[[model.constraint]]\nname = \"floor\"\nmember = \"rod\"\ngap = \"y + 0.8\"\nrestitution = 0.5\n" +
      testing::frame_times;
  const Scenario scenario = parse_scenario(text, "frame");
  EXPECT_EQ(parse_scenario(write_scenario(scenario), "written"), scenario);
}

// A cantilever under the end moment 2πEI/L closes to a circle. Angles are exact, and so is the tip; the diameter is
// L/n / sin(π/n) in place of L/π.
TEST(FrameEquilibrium, RollsUpWithOrderTwo) {
  std::vector<double> sizes, errors;
  for (const int n : {8, 16, 32}) {
    const Problem problem =
        frame_problem("points = { A = [0.0, 0.0], B = [1.0, 0.0] }\nmembers = [" + member("arm", "A", "B", n) +
                          "]\nsupports = [{ point = \"A\", kind = \"clamped\" }]\n"
                          "loads = [{ point = \"B\", moment = \"2*pi*2\" }]\n",
                      "initial = \"equilibrium\"\n");
    const auto at = [&](const std::string& name) { return problem.start.q[place_of(*problem.model, name)]; };
    EXPECT_NEAR(at("B_x"), 0.0, 1e-12);
    EXPECT_NEAR(at("B_y"), 0.0, 1e-12);
    EXPECT_NEAR(at("B_angle"), 2.0 * pi, 1e-12);
    const double diameter = at("arm_" + std::to_string(n / 2) + "_y");
    EXPECT_NEAR(diameter, 1.0 / (n * std::sin(pi / n)), 1e-12);
    sizes.push_back(1.0 / n);
    errors.push_back(diameter - 1.0 / pi);
  }
  EXPECT_NEAR(testing::slope(sizes, errors), 2.0, 0.02);
}

// Forces and reactions balance where it starts, also under a load that bends it far and with a driven support.
TEST(FrameEquilibrium, RestsWhereItStarts) {
  for (const std::string support : {"kind = \"clamped\" }", "kind = \"driven\", angle = \"0.3\" }"}) {
    const Problem problem =
        frame_problem("gravity = [0.0, -9.81]\n" + two_members + "supports = [{ point = \"A\", " + support +
                          "]\nloads = [{ point = \"C\", force = [3.0, \"-6*cos(t)\"] }]\n",
                      "initial = \"equilibrium\"\n");
    const Model& model = *problem.model;
    std::vector<double> F(model.nq()), v(model.nq(), 0.0);
    model.force(0.0, problem.start.q.data(), v.data(), nullptr, F.data());
    for (int i = 0; i < model.nq(); ++i) EXPECT_NEAR(F[i], 0.0, 1e-9) << model.layout().coordinates[i];
    EXPECT_EQ(place_of(model, "A_angle"), model.nq());  // no unknown
    EXPECT_LT(problem.start.q[place_of(model, "B_y")], -0.2);
    // It stays there, and nobody complains about round-off.
    const Solution rest = simulate(model, problem.start, {0.0, 1e-2}, MoreauJean{}, {.h = 1e-3});
    EXPECT_TRUE(rest.notes.empty()) << rest.notes[0];
  }
}

// What is driven is a function of time in formulas of gaps, and no unknown.
TEST(FrameScenario, ADrivenSupport) {
  const std::string driven =
      two_members + "supports = [{ point = \"A\", kind = \"driven\", x = \"0.2*t\", angle = \"0.1*t^2\" }]\n";
  const Problem problem = frame_problem(
      driven + "[[model.constraint]]\nname = \"wall\"\ngap = \"B_x - A_x + A_angle\"\nrestitution = 0.5\n");
  EXPECT_EQ(problem.model->nb(), 0);
  std::vector<double> g(1), g_t(1);
  problem.model->gap(2.0, problem.start.q.data(), g.data());
  problem.model->gap_time_derivative(2.0, problem.start.q.data(), g_t.data());
  EXPECT_NEAR(g[0], problem.start.q[place_of(*problem.model, "B_x")] - 0.4 + 0.4, 1e-15);
  EXPECT_NEAR(g_t[0], -0.2 + 0.4, 1e-15);
  const auto complaint = [&](const std::string& text, const std::string& before = {}) {
    return testing::complaint([&] { frame_problem(text, before); });
  };
  EXPECT_EQ(
      complaint(driven + "[[model.constraint]]\nname = \"wall\"\ngap = \"B_y\"\nrestitution = 0.5\nfriction = 0.1\n"
                         "slip = \"B_x_dot - A_x_dot\"\n"),
      "model.constraint[0]: takes the velocity of 'A', which is driven: write it as a formula of t");
  const std::string torn = two_members + "supports = [{ point = \"A\", kind = \"driven\", angle = \"0.05 + t\" }]\n";
  EXPECT_EQ(
      complaint(torn),
      "model.supports[0].angle: is 0.05 at the start, where the undeformed frame has 'A' at 0: give the place itself, "
      "not how far it moves; or give initial.q, or initial = \"equilibrium\"");
  EXPECT_EQ(complaint(torn, "initial = \"equilibrium\"\n"), "nothing was wrong");
}

// ω of Timoshenko's beam, EI φ″ + GA (w′ − φ) = ρI φ_tt, GA (w″ − φ′) = ρA w_tt: below the cut-off frequency √(GA/ρI)
// the shapes are cosh ax, sinh ax, cos bx, sin bx with −a² and b² the roots of
//     GA EI s² − ω² (GA ρI + EI ρA) s + ρA ω² (ρI ω² − GA) = 0.
class Timoshenko {
 public:
  static constexpr double GA = 1e4, EI = 1.0, rho_A = 1.0, rho_I = 1e-4;

  explicit Timoshenko(const std::string& support) : support_(support) {}

  std::vector<double> lowest(int count) const {
    std::vector<double> roots;
    constexpr double step = 0.5;
    for (double omega = 1.0; static_cast<int>(roots.size()) < count; omega += step)
      if (determinant(omega) * determinant(omega + step) < 0.0) roots.push_back(root(omega, omega + step));
    return roots;
  }

 private:
  using Row = std::array<double, 4>;
  double root(double lower, double upper) const {
    for (int i = 0; i < 80; ++i) {
      const double middle = 0.5 * (lower + upper);
      (determinant(lower) * determinant(middle) <= 0.0 ? upper : lower) = middle;
    }
    return lower;
  }
  double determinant(double omega) const {
    const double w2 = omega * omega, p = GA * EI, q = -w2 * (GA * rho_I + EI * rho_A);
    const double r = rho_A * w2 * (rho_I * w2 - GA), root = std::sqrt(q * q - 4.0 * p * r);
    const double a = std::sqrt((q + root) / (2.0 * p) * 1.0), b = std::sqrt((-q + root) / (2.0 * p));
    const double ca = (GA * a * a + rho_A * w2) / (GA * a), cb = (rho_A * w2 - GA * b * b) / (GA * b);
    std::array<Row, 4> A;
    for (const int end : {0, 1}) {
      const double x = end, ch = std::cosh(a * x), sh = std::sinh(a * x), c = std::cos(b * x), s = std::sin(b * x);
      const Row w = {ch, sh, c, s}, phi = {ca * sh, ca * ch, cb * s, -cb * c};
      const Row slope = {a * sh, a * ch, -b * s, b * c}, kappa = {ca * a * ch, ca * a * sh, cb * b * c, cb * b * s};
      Row shear;
      for (int k = 0; k < 4; ++k) shear[k] = slope[k] - phi[k];
      A[2 * end] = support_ == "free" ? shear : w;
      A[2 * end + 1] = support_ == "clamped" ? phi : kappa;
    }
    return determinant(A) / std::cosh(a);
  }
  static double determinant(std::array<Row, 4> A) {
    double value = 1.0;
    for (int k = 0; k < 4; ++k) {
      int pivot = k;
      for (int i = k + 1; i < 4; ++i)
        if (std::abs(A[i][k]) > std::abs(A[pivot][k])) pivot = i;
      if (pivot != k) std::swap(A[pivot], A[k]), value = -value;
      value *= A[k][k];
      for (int i = k + 1; i < 4; ++i)
        for (int j = 3; j >= k; --j) A[i][j] -= A[i][k] / A[k][k] * A[k][j];
    }
    return value;
  }

  std::string support_;
};

std::vector<double> frequencies(const std::string& support, int elements) {
  std::string text =
      "points = { A = [0.0, 0.0], B = [0.6, 0.8] }\nmembers = [{ name = \"arm\", from = \"A\", to = "
      "\"B\", elements = " +
      std::to_string(elements) + ", EA = 1e5, GA = 1e4, EI = 1.0, rho_A = 1.0, rho_I = 1e-4 }]\n";
  if (support != "free")
    text +=
        "supports = [{ point = \"A\", kind = \"" + support + "\" }, { point = \"B\", kind = \"" + support + "\" }]\n";
  const Problem problem = frame_problem(text);
  const Layout& layout = problem.model->layout();
  SparseMatrix K{layout.stiffness, std::vector<double>(layout.stiffness.size())};
  SparseMatrix M{layout.mass, std::vector<double>(layout.mass.size())};
  problem.model->force_jacobians(0.0, problem.start.q.data(), problem.start.v.data(), nullptr, K.values.data(),
                                 nullptr);
  problem.model->mass(0.0, problem.start.q.data(), M.values.data());
  std::vector<double> omega = lowest_modes(K, M, 8).omega;
  if (support == "free") omega.erase(omega.begin(), omega.begin() + 3);
  return omega;
}

TEST(FrameModes, ConvergeToTimoshenkosWithOrderTwo) {
  for (const std::string support : {"clamped", "pinned", "free"}) {
    const std::vector<double> exact = Timoshenko(support).lowest(5);
    std::vector<std::vector<double>> found;
    for (const int elements : {20, 40, 80}) found.push_back(frequencies(support, elements));
    for (std::size_t mode = 0; mode < 5; ++mode) {
      std::vector<double> errors;
      for (const auto& omega : found) errors.push_back(std::abs(omega[mode] / exact[mode] - 1.0));
      EXPECT_NEAR(testing::slope({4.0, 2.0, 1.0}, errors), 2.0, 0.1) << support << " " << mode;
      EXPECT_LT(errors.back(), 1e-2) << support << " " << mode;
    }
  }
}

// A member as an arc of a circle is free of stress.
TEST(FrameScenario, AnArcIsUndeformed) {
  const Problem problem = frame_problem(
      "points = { A = [0.0, 0.0], B = [1.0, 1.0] }\nmembers = [{ name = \"arm\", from = \"A\", to = \"B\", elements = "
      "8, turn = \"pi/2\", " +
      stiff + "]\n");
  const Model& model = *problem.model;
  std::vector<double> F(model.nq());
  model.force(0.0, problem.start.q.data(), problem.start.v.data(), nullptr, F.data());
  for (const double force : F) EXPECT_NEAR(force, 0.0, 1e-10);
  // It turns to the left: its middle lies below the chord, on the circle around (0, 1) to the accuracy of the polygon.
  const double x = problem.start.q[place_of(model, "arm_4_x")], y = problem.start.q[place_of(model, "arm_4_y")];
  EXPECT_NEAR(x, std::sin(pi / 4.0), 5e-3);
  EXPECT_NEAR(y, 1.0 - std::cos(pi / 4.0), 5e-3);
}

TEST(FrameScenario, BadInputGetsASentence) {
  const auto complaint = [](const std::string& text, const std::string& before = {}) {
    return testing::complaint([&] { frame_problem(text, before); });
  };
  const std::string pinned = "supports = [{ point = \"A\", kind = \"pinned\" }]\n";
  EXPECT_EQ(complaint("points = { A = [0.0, 0.0], B = [0.0, 0.0] }\nmembers = [" + member("arm", "A", "B") + "]\n"),
            "model.members[0]: the member 'arm' has no length: 'A' and 'B' are at the same place");
  EXPECT_EQ(complaint(two_members + "supports = [{ point = \"D\", kind = \"pinned\" }]\n"),
            "model.supports[0].point: there is no point 'D'; the points are A, B, C");
  EXPECT_EQ(
      complaint(two_members + "supports = [{ point = \"A\", kind = \"pinned\" }, { point = \"A\", kind = "
                              "\"clamped\" }]\n"),
      "model.supports[1]: the point 'A' has two supports, pinned and clamped: give one that says all that is held");
  EXPECT_EQ(complaint(two_members + "supports = [{ point = \"A\", kind = \"clamped\", angle = \"t\" }]\n"),
            "model.supports[0].angle: belongs to a driven support, this one is clamped");
  EXPECT_THAT(complaint(two_members + "supports = [{ point = \"A\", kind = \"roller\" }]\n"),
              HasSubstr("model.supports[0].direction: is missing"));
  EXPECT_THAT(complaint(two_members + "hinges = [\"C\"]\n"), HasSubstr("at 'C' there is a single one"));
  EXPECT_THAT(complaint(two_members + "hinges = [\"B\"]\nmasses = [{ point = \"B\", mass = 1.0, inertia = 1.0 }]\n"),
              HasSubstr("model.masses[0].inertia: 'B' is a hinge"));
  EXPECT_THAT(complaint("points = { A = [0.0, 0.0], B = [1.0, 0.0] }\nmembers = [{ name = \"arm\", from = \"A\", to = "
                        "\"B\", elements = 2, EA = 1.0, GA = 1.0, EI = 1.0, rho_A = 0.0, rho_I = 0.0 }]\n" +
                        pinned),
              HasSubstr("model: the coordinate 'A_angle' has no mass"));
  EXPECT_THAT(complaint("gravity = [0.0, -9.81]\n" + two_members + pinned, "initial = \"equilibrium\"\n"),
              HasSubstr("initial.q: there is no static equilibrium to be found: the model is a mechanism"));
  EXPECT_THAT(
      complaint(two_members + pinned + "[[model.constraint]]\nname = \"a\"\ngap = \"D_y\"\nrestitution = 0.5\n"),
      HasSubstr("model.constraint[0].gap: unknown name 'D_y'"));
  EXPECT_THAT(complaint(two_members + pinned +
                        "[[model.constraint]]\nname = \"a\"\ngap = \"B_y\"\nrestitution = 0.5\n"
                        "[[model.constraint]]\nname = \"b\"\ngap = \"B_y + B_x_dot\"\nrestitution = 0.5\n"),
              HasSubstr("model.constraint[1].gap: a gap must not depend on the velocities"));
  EXPECT_THAT(complaint("points = { A = [0.0, 0.0], B = [1.0, 0.0], C = [1.0, 1.0] }\nmembers = [" +
                        member("arm", "A", "B") + "]\n"),
              HasSubstr("model.points.C: belongs to no member and has no mass"));
}

}  // namespace
}  // namespace ricochet
