// Frames against known motions: the beam pendulum of 8 elements (DOP853 at rtol 1e-12 of the same discrete equations),
// orders in flight and across its impact, a free flight, the spin-up of a rotating arm.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <tuple>

#include "ricochet/ricochet.hpp"
#include "support/frames.hpp"
#include "support/motion_orders.hpp"

namespace ricochet {
namespace {

using testing::beam_pendulum_floor;
using testing::beam_pendulum_text;
using testing::frame_problem;
using testing::place_of;

struct Sample {
  double t;
  std::array<double, 3> tip, tip_v, middle;
};
constexpr Sample samples[] = {{0.1,
                               {0.9972646200515195, -0.05009119640204705, 0.020463742975557433},
                               {-0.09336669095304906, -1.2545307108322976, -0.8168811261407475},
                               {0.4973177284676846, -0.0503060487774917, -0.041626300345508814}},
                              {0.2,
                               {0.961466368285513, -0.2738634889483674, -0.2345580280751233},
                               {-0.8670120506931352, -3.181382636829125, -4.6234228151121615},
                               {0.47607258143313813, -0.15338880098461732, -0.26705912533644716}},
                              {0.3,
                               {0.7946070328126323, -0.6084904041951231, -0.6679865836812827},
                               {-2.451965671081991, -3.215763471357263, -3.641523554342139},
                               {0.3995819177419077, -0.30158497969014375, -0.6473544026507029}}};

TEST(FrameReference, BeamPendulum) {
  const Problem problem = frame_problem(beam_pendulum_text() + beam_pendulum_floor);
  const int tip = place_of(*problem.model, "B_x"), middle = place_of(*problem.model, "arm_4_x");
  const Solution solution = simulate(*problem.model, problem.start, {0.0, 0.4}, EventDriven{.rtol = 1e-12}, {.h = 0.1});
  ASSERT_EQ(solution.status, Status::completed);
  for (std::size_t i = 0; i < 3; ++i) {
    const double* q = solution.trajectory.q.data() + (i + 1) * problem.start.q.size();
    const double* v = solution.trajectory.v.data() + (i + 1) * problem.start.q.size();
    ASSERT_NEAR(solution.trajectory.t[i + 1], samples[i].t, 1e-12);
    for (int k = 0; k < 3; ++k) {
      EXPECT_NEAR(q[tip + k], samples[i].tip[k], 1e-8);
      EXPECT_NEAR(v[tip + k], samples[i].tip_v[k], 1e-7);
      EXPECT_NEAR(q[middle + k], samples[i].middle[k], 1e-8);
    }
  }
  ASSERT_GE(solution.impacts.size(), 2u);
  const Impact& first = solution.impacts[0];
  EXPECT_NEAR(first.t, 0.36402431669083074, 1e-8);
  EXPECT_NEAR(first.rate_minus, -2.787768532230239, 1e-7);
  EXPECT_NEAR(first.rate_plus, 1.3938842661151194, 1e-7);
  EXPECT_NEAR(first.impulse, 0.1508923982619673, 1e-8);
  EXPECT_NEAR((first.rate_plus - first.rate_minus) / first.impulse, 27.712812881968436, 1e-6);  // W
  EXPECT_NEAR(solution.impacts[1].t, 0.3649403470789699, 1e-7);
  const EnergyLedger& energy = solution.energy;
  EXPECT_LT(std::abs(energy.numerical), 1e-10 * energy.turnover);
}

// Soft enough that the steps resolve every motion of its two elements.
std::string soft_pendulum(const std::string& further) {
  return "gravity = [0.0, -9.81]\npoints = { A = [0.0, 0.0], B = [1.0, 0.0] }\n"
         "members = [{ name = \"arm\", from = \"A\", to = \"B\", elements = 2, EA = 200.0, GA = 80.0, EI = 1.0, rho_A "
         "= 1.0, "
         "rho_I = 1e-2 }]\nsupports = [{ point = \"A\", kind = \"pinned\" }]\n" +
         further;
}

TEST(FrameOrder, InFlight) {
  const Problem problem = frame_problem(soft_pendulum(""));
  testing::expect_orders(*problem.model, problem.start, 0.3, 1e-3,
                         {{MoreauJean{}, 2.0, 2.0, 2.0},
                          {Newmark{}, 2.0, 2.0, 2.0},
                          {GeneralizedAlpha{.rho_infinity = 0.8}, 2.0, 2.0, 2.0},
                          {Nsga{.rho_infinity = 0.8}, 2.0, 2.0, 2.0}});
}

// Steps of which n + s come before the impact, with s spread evenly: its mean place within a step is the same for all
// n.
TEST(FrameOrder, AcrossAnImpact) {
  const Problem problem =
      frame_problem(soft_pendulum("[[model.constraint]]\nname = \"floor\"\ngap = \"B_y + 0.1\"\nrestitution = 0.8\n"));
  const double window = 0.18;
  const Solution exact =
      simulate(*problem.model, problem.start, {0.0, window}, EventDriven{.rtol = 1e-12}, {.h = 0.01});
  ASSERT_EQ(exact.impact_count, 1u);
  for (const Scheme& scheme : {Scheme(MoreauJean{}), Scheme(Newmark{}), Scheme(GeneralizedAlpha{.rho_infinity = 0.8}),
                               Scheme(Nsga{.rho_infinity = 0.8})}) {
    std::vector<double> sizes = {1.0 / 70, 1.0 / 140, 1.0 / 280}, q_sup(3, 0.0), v_l1(3, 0.0);
    for (std::size_t i = 0; i < sizes.size(); ++i)
      for (int k = 0; k < 4; ++k) {
        const double h = exact.impacts[0].t / (1.0 / sizes[i] + 0.125 + 0.25 * k);
        const testing::Errors errors = testing::motion_errors(*problem.model, problem.start, window, scheme, h);
        q_sup[i] += errors.q_sup, v_l1[i] += errors.v_l1;
      }
    EXPECT_NEAR(testing::slope(sizes, q_sup), 1.0, 0.1) << scheme.name;
    EXPECT_NEAR(testing::slope(sizes, v_l1), 1.0, 0.1) << scheme.name;
  }
}

// Nothing holds it: momentum under every scheme, angular momentum under Gauss' tables, which keep quadratic invariants.
// Q = Σ M v over the x of all nodes, and over the y; L = Σ (x M y_t − y M x_t) + Σ M φ_t.
std::array<double, 3> momenta(const Model& model, const std::vector<double>& q, const std::vector<double>& v) {
  const Layout& layout = model.layout();
  const std::size_t n = v.size();
  std::vector<double> M(layout.mass.size()), p(n, 0.0);
  model.mass(0.0, q.data(), M.data());
  multiply_add(layout.mass, M.data(), v.data(), 1.0, p.data());
  std::array<double, 3> sum = {0.0, 0.0, 0.0};
  for (std::size_t i = 0; i < n; i += 3) {
    sum[0] += p[i];
    sum[1] += p[i + 1];
    sum[2] += q[i] * p[i + 1] - q[i + 1] * p[i] + p[i + 2];
  }
  return sum;
}

TEST(FrameInvariants, FreeFlightKeepsMomentum) {
  const Problem problem = frame_problem(
      "points = { A = [0.0, 0.0], B = [1.0, 0.0] }\nmembers = [{ name = \"rod\", from = \"A\", to = \"B\", elements = "
      "4, EA = 200.0, GA = 80.0, EI = 1.0, rho_A = 1.0, rho_I = 1e-2 }]\n");
  State start = problem.start;
  for (std::size_t i = 0; i < start.v.size(); ++i) start.v[i] = std::cos(1.0 + static_cast<double>(i * i));
  const std::array<double, 3> before = momenta(*problem.model, start.q, start.v);
  const auto after = [&](const Scheme& scheme) {
    const Solution solution = simulate(*problem.model, start, {0.0, 1.0}, scheme, {.h = 1e-3, .keep = false});
    EXPECT_EQ(solution.status, Status::completed) << scheme.name;
    return momenta(*problem.model, solution.final.q, solution.final.v);
  };
  for (const Scheme& scheme : {Scheme(MoreauJean{}), Scheme(Newmark{}), Scheme(GeneralizedAlpha{.rho_infinity = 0.8}),
                               Scheme(Nsga{}), Scheme(EventDriven{}), Scheme(Mannshardt{})})
    for (const int k : {0, 1}) EXPECT_NEAR(after(scheme)[k], before[k], 1e-12) << scheme.name;
  EXPECT_NEAR(after(Mannshardt{.tableau = "gauss-2"})[2], before[2], 1e-12);
}

// The account of a flight with an impact and damping.
TEST(FrameInvariants, AccountClosesToRoundOff) {
  const Problem problem = frame_problem(soft_pendulum(
      "mass_damping = 0.3\n[[model.constraint]]\nname = \"floor\"\ngap = \"B_y + 0.1\"\nrestitution = 0.8\n"));
  for (const Scheme& scheme : {Scheme(EventDriven{.rtol = 1e-13}), Scheme(Mannshardt{.tableau = "gauss-3"})}) {
    const Solution solution = simulate(*problem.model, problem.start, {0.0, 0.2}, scheme, {.h = 1e-3, .keep = false});
    EXPECT_GE(solution.impact_count, 1u);
    const EnergyLedger& energy = solution.energy;
    const double sum = energy.input + energy.damping + energy.impact + energy.friction;
    EXPECT_LT(std::abs(energy.final - energy.initial - sum), 1e-12 * energy.turnover) << scheme.name;
  }
}

// A pendulum that is a thousand times as stiff moves as the rigid one, φ″ = −3g/(2L) cos φ.
TEST(FrameLimits, StiffBeamIsARigidPendulum) {
  const auto rigid =
      lagrangian({.coordinates = {"phi"}, .kinetic = "(1/3 + 1e-3)*phi_dot^2/2", .potential = "9.81/2*sin(phi)"});
  const double exact =
      simulate(*rigid, {.q = {0.0}, .v = {0.0}}, {0.0, 0.5}, EventDriven{.rtol = 1e-12}, {.h = 0.1}).final.q[0];
  std::vector<double> errors;
  for (const double factor : {1e2, 1e3, 1e4}) {
    std::string text = beam_pendulum_text(2);
    const auto set = [&](const std::string& key, double value) {
      const std::size_t at = text.find(key + " = ");
      text.replace(at, text.find(',', at) - at, key + " = " + std::to_string(value));
    };
    set("EA", 1e4 * factor), set("GA", 5e3 * factor), set("EI", 2.0 * factor);
    const Problem problem = frame_problem(text);
    const Solution end = simulate(*problem.model, problem.start, {0.0, 0.5}, MoreauJean{}, {.h = 2.5e-4});
    errors.push_back(std::abs(end.final.q[place_of(*problem.model, "B_angle")] - exact));
  }
  EXPECT_LT(errors[0], 2e-3);
  EXPECT_LT(errors[1], 0.3 * errors[0]);
  EXPECT_LT(errors[2], 0.3 * errors[1]);
}

// A support that is driven moves the frame as joints do that say the same.
TEST(FrameDrives, MoveAsJointsDo) {
  const std::string arm = soft_pendulum(""), pinned = "supports = [{ point = \"A\", kind = \"pinned\" }]\n";
  const std::string bare = arm.substr(0, arm.find(pinned));
  const Problem driven = frame_problem(
      bare +
      "supports = [{ point = \"A\", kind = \"driven\", x = \"0.3*t^3\", angle = \"0.5*t^2\" }]\nmass_damping = 0.2\n");
  const Problem joints =
      frame_problem(bare +
                    "supports = [{ point = \"A\", kind = \"roller\", direction = [1.0, 0.0] }]\nmass_damping = 0.2\n"
                    "[[model.joint]]\nname = \"hub\"\nequation = [\"A_x - 0.3*t^3\", \"A_angle - 0.5*t^2\"]\n");
  const auto tip = [](const Problem& problem) {
    const Solution end = simulate(*problem.model, problem.start, {0.0, 0.6}, EventDriven{.rtol = 1e-11}, {.h = 0.1});
    EXPECT_EQ(end.status, Status::completed);
    EXPECT_LT(std::abs(end.energy.numerical), 1e-8 * end.energy.turnover);
    const std::size_t x = static_cast<std::size_t>(place_of(*problem.model, "B_x"));
    return std::array{end.final.q[x], end.final.q[x + 1], end.final.q[x + 2], end.final.v[x + 1]};
  };
  const auto one = tip(driven), other = tip(joints);
  for (std::size_t k = 0; k < one.size(); ++k) EXPECT_NEAR(one[k], other[k], 1e-8) << k;
}

// Simo and Vu-Quoc's arm, turned to ω = 6 in 15 s: stretched by ρA ω² L³/(3 EA) = 5.143e-4, on average over its small
// vibration, which 10 elements meet within 2e-4 with steps of 5 ms and 1e-3 with 10 ms (2 ms within 5e-6). Schemes that
// damp nothing need the former.
TEST(FrameSpinUp, TipLengthensByCentrifugalForce) {
  const Problem problem = frame_problem(
      "points = { A = [0.0, 0.0], B = [10.0, 0.0] }\n"
      "members = [{ name = \"arm\", from = \"A\", to = \"B\", elements = 10, EA = 2.8e7, GA = 1e7, EI = 1.4e4, rho_A = "
      "1.2, "
      "rho_I = 6e-4 }]\n"
      "supports = [{ point = \"A\", kind = \"driven\", angle = \"if(t < 15, 0.4*(t^2/2 + (7.5/pi)^2*(cos(2*pi*t/15) - "
      "1)), "
      "6*t - 45)\" }]\n");
  const std::size_t n = problem.start.q.size(), x = static_cast<std::size_t>(place_of(*problem.model, "B_x"));
  for (const auto& [scheme, h, error] : {std::tuple{Scheme(MoreauJean{}), 5e-3, 2e-4},
                                         {Newmark{}, 5e-3, 2e-4},
                                         {Hht{}, 1e-2, 1e-3},
                                         {GeneralizedAlpha{}, 1e-2, 1e-3},
                                         {Nsga{}, 1e-2, 1e-3}}) {
    const Solution solution = simulate(*problem.model, problem.start, {0.0, 20.0}, scheme, {.h = h});
    ASSERT_EQ(solution.status, Status::completed) << scheme.name;
    double sum = 0.0;
    int count = 0;
    for (std::size_t i = 0; i < solution.trajectory.t.size(); ++i) {
      if (solution.trajectory.t[i] < 16.0) continue;
      sum += std::hypot(solution.trajectory.q[i * n + x], solution.trajectory.q[i * n + x + 1]) - 10.0;
      ++count;
    }
    EXPECT_NEAR(sum / count / (1.2 * 36.0 * 1000.0 / (3.0 * 2.8e7)), 1.0, error) << scheme.name;
  }
}

}  // namespace
}  // namespace ricochet
