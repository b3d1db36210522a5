// nsga: contacts and joints exact at the nodes, energy, restitution, stiff systems, forces of joints.
#include <gtest/gtest.h>

#include <cmath>

#include "ricochet/ricochet.hpp"
#include "support/bowl.hpp"
#include "support/problems.hpp"

namespace ricochet {
namespace {
namespace nsga {

const double epsilon = 2.220446049250313e-16;

Solution run(const Model& model, const State& start, double until, double h, double rho = 0.8) {
  Solution solution = simulate(model, start, {0.0, until}, Nsga{.rho_infinity = rho}, {.h = h});
  EXPECT_EQ(solution.status, Status::completed) << solution.failure.message;
  return solution;
}

std::unique_ptr<Model> pendulum() {
  return lagrangian({.coordinates = {"x", "y"},
                     .kinetic = "(x_dot^2 + y_dot^2)/2",
                     .potential = "9.81*y",
                     .joints = {{.name = "string", .equation = {"(x^2 + y^2 - 1)/2"}}}});
}
const State pendulum_start{.q = {std::sin(2.0), -std::cos(2.0)}, .v = {0.0, 0.0}};

// A ball comes back with e of its speed and rests where it should; nothing is ever below the floor.
TEST(Nsga, BallBouncesAndStaysAbove) {
  for (const double e : {0.0, 0.5, 1.0}) {
    const auto ball = lagrangian(testing::ball_description(2.0, e));
    const Solution solution = run(*ball, {.q = {1.0}, .v = {0.0}}, 10.0, 1e-3);
    for (const double q : solution.trajectory.q) EXPECT_GE(q, -4.0 * epsilon);
    ASSERT_GE(solution.impact_count, 1u);
    EXPECT_NEAR(solution.impacts[0].rate_minus, -2.0, 3e-3);
    EXPECT_NEAR(solution.impacts[0].rate_plus, -e * solution.impacts[0].rate_minus, 1e-14);
    if (e < 1.0) {
      EXPECT_NEAR(solution.final.q[0], 0.0, 1e-18) << e;
      EXPECT_NEAR(solution.final.v[0], 0.0, 1e-16) << e;
    } else {
      EXPECT_NEAR(solution.energy.impact, 0.0, 1e-14);
    }
  }
}

// The floor carries a body at rest, to the last bit.
TEST(Nsga, RestStays) {
  const auto ball = lagrangian(testing::ball_description(2.0, 0.7));
  const Solution solution = run(*ball, {.q = {0.0}, .v = {0.0}}, 5.0, 0.01);
  for (std::size_t i = 0; i < solution.trajectory.q.size(); ++i) {
    EXPECT_NEAR(solution.trajectory.q[i], 0.0, 1e-18);
    EXPECT_NEAR(solution.trajectory.v[i], 0.0, 1e-16);
  }
  EXPECT_EQ(solution.impact_count, 0u);
}

// Without contact it is generalized-alpha, where the mass is constant.
TEST(Nsga, FlightIsThatOfGeneralizedAlpha) {
  LagrangianDescription description = testing::random_linear_description();
  description.constraints.clear();
  description.dissipation = "(0.2*a_dot^2 + 0.1*(b_dot - c_dot)^2)/2";
  const auto model = lagrangian(description);
  for (const double rho : {0.0, 0.6, 1.0}) {
    const State a = run(*model, testing::random_linear_start(), 5.0, 0.02, rho).final;
    const State b =
        simulate(*model, testing::random_linear_start(), {0.0, 5.0}, GeneralizedAlpha{.rho_infinity = rho}, {.h = 0.02})
            .final;
    for (int i = 0; i < 4; ++i) {
      EXPECT_NEAR(a.q[i], b.q[i], 1e-13);
      EXPECT_NEAR(a.v[i], b.v[i], 1e-13);
    }
  }
}

// A bead that slides in a bowl: on the wall at every node, no impacts, and an energy error of second order, 1.65e-5.
// Along H(q₁) in place of H(q_½) it would lose 0.40.
TEST(Nsga, SlidingOnACurve) {
  for (const double e : {0.0, 0.5, 0.9}) {
    const double start = std::acos(-1.0) / 2.0 - 0.5;
    const Solution solution = run(*testing::bowl(e), testing::bowl_start(start), 1.0, 0.01);
    EXPECT_EQ(solution.impact_count, 0u) << e;
    EXPECT_LE(solution.violation_max, 4.0 * epsilon) << e;
    EXPECT_NEAR(solution.energy.final - solution.energy.initial, 1.65e-5, 1e-6) << e;
  }
}

// An elastic impact keeps the energy on any wall.
TEST(Nsga, ElasticImpactsKeepTheEnergy) {
  const auto ellipse = lagrangian({.coordinates = {"x", "y"},
                                   .kinetic = "(x_dot^2 + y_dot^2)/2",
                                   .constraints = {{.name = "wall", .gap = "1 - x^2/4 - y^2", .restitution = 1.0}}});
  const Solution solution = run(*ellipse, {.q = {0.3, 0.2}, .v = {1.1, 0.7}}, 660.0, 0.01);
  EXPECT_GE(solution.impact_count, 350u);
  EXPECT_NEAR(solution.energy.final, solution.energy.initial, 2e-14 * solution.energy.initial);
  EXPECT_LE(solution.violation_max, 16.0 * epsilon);
}

// Joints hold in position and velocity after many steps.
TEST(Nsga, JointsAreExact) {
  const Solution solution = run(*pendulum(), pendulum_start, 100.0, 0.01);
  const Trajectory& path = solution.trajectory;
  ASSERT_EQ(path.t.size(), 10001u);
  for (std::size_t i = 0; i < path.t.size(); ++i) {
    const double x = path.q[2 * i], y = path.q[2 * i + 1], x_dot = path.v[2 * i], y_dot = path.v[2 * i + 1];
    EXPECT_NEAR(x * x + y * y, 1.0, 1e-14);
    EXPECT_NEAR(x * x_dot + y * y_dot, 0.0, 1e-14 * (1.0 + std::hypot(x_dot, y_dot)));
  }
}

// The force of a joint at the end of the step: minus the tension 3 g cos a + … of the string, to second order.
TEST(Nsga, ForcesOfJoints) {
  const auto model = pendulum();
  double errors[2];
  for (int k = 0; k < 2; ++k) {
    const double h = k == 0 ? 0.01 : 0.005;
    const auto stepper = make_stepper(*model, Nsga{});
    State state = pendulum_start;
    StepReport report;
    stepper->begin(state);
    errors[k] = 0.0;
    for (int i = 0; i * h < 2.0; ++i) {
      ASSERT_EQ(stepper->advance(state, h, (i + 1) * h, report), FailureKind::none);
      double lambda = 0.0;
      stepper->reactions(state, &lambda);
      // By the energy v² = 2 g (y₀ − y) of the exact motion at this height.
      const double tension = -9.81 * state.q[1] + 2.0 * 9.81 * (pendulum_start.q[1] - state.q[1]);
      errors[k] = std::max(errors[k], std::abs(lambda + tension));
    }
  }
  EXPECT_LT(errors[0], 0.05);
  EXPECT_NEAR(errors[0] / errors[1], 4.0, 0.6);
}

// A contact on a jointed body, a driven joint, and a joint that is a rate, all linear: the account closes.
TEST(Nsga, AccountWithJoints) {
  LagrangianDescription description = testing::random_linear_description();
  description.dissipation = "(0.2*a_dot^2 + 0.1*(b_dot - c_dot)^2)/2";
  description.force = {{"a", "0.8*cos(1.3*t)"}, {"d", "0.3*sin(0.7*t) - 0.2*b + 0.15*c_dot"}};
  description.constraints[1].gap += " - 0.05*sin(2*t)";
  description.joints = {{.name = "rod", .equation = {"a - b - 0.1 - 0.1*sin(t)^2"}}};
  const auto model = lagrangian(description);
  const State start{.q = {0.2, 0.1, 0.15, -0.3}, .v = {-1.0, -1.0, -0.7, 1.4}};
  for (const double rho : {0.0, 0.8, 1.0}) {
    const Solution solution = run(*model, start, 30.0, 5e-3, rho);
    const EnergyLedger& energy = solution.energy;
    EXPECT_FALSE(energy.numerical_is_remainder);
    EXPECT_GT(solution.impact_count, 5u);
    const double sum = energy.input + energy.damping + energy.impact + energy.numerical;
    EXPECT_NEAR(energy.final - energy.initial, sum, 1e-12 * energy.turnover);
    const Trajectory& path = solution.trajectory;
    for (std::size_t i = 0; i < path.t.size(); ++i) {
      const double t = path.t[i];
      EXPECT_NEAR(path.q[4 * i] - path.q[4 * i + 1], 0.1 + 0.1 * std::sin(t) * std::sin(t), 1e-14);
      EXPECT_NEAR(path.v[4 * i] - path.v[4 * i + 1], 0.2 * std::sin(t) * std::cos(t), 1e-13);
    }
    EXPECT_LE(solution.violation_max, 1e-15);
  }
}

// What drives a joint does the work that lifts the body: input, with little left over.
TEST(Nsga, DrivenJointIsInput) {
  const auto lift = lagrangian({.coordinates = {"x"},
                                .kinetic = "x_dot^2/2",
                                .potential = "9.81*x",
                                .joints = {{.name = "lift", .equation = {"x - t^2/2"}}}});
  const Solution solution = run(*lift, {.q = {0.0}, .v = {0.0}}, 2.0, 0.01);
  EXPECT_NEAR(solution.energy.input, 0.5 * 4.0 + 9.81 * 2.0, 1e-2);
  EXPECT_NEAR(solution.energy.numerical, 0.0, 1e-2);
}

// Springs of any stiffness, damped or not, with contacts and a joint: what the step does not resolve costs nothing.
TEST(Nsga, StiffSprings) {
  for (const double k : {1e4, 1e8, 1e12})
    for (const double c : {0.0, 1.0, 1e3}) {
      const auto model = lagrangian({.coordinates = {"a", "b", "c"},
                                     .kinetic = "(a_dot^2 + b_dot^2 + c_dot^2)/2",
                                     .potential = "k*(b - a)^2/2 + 9.81*(a + b + c)",
                                     .dissipation = "c0*(b_dot - a_dot)^2/2",
                                     .parameters = {{"k", k}, {"c0", c}},
                                     .constraints = {{.name = "floor", .gap = "a", .restitution = 0.5}},
                                     .joints = {{.name = "tie", .equation = {"c - b"}}}});
      const Solution solution = run(*model, {.q = {0.1, 0.1, 0.1}, .v = {0.0, 0.0, 0.0}}, 2.0, 0.01);
      EXPECT_LE(solution.violation_max, 1e-15);
      EXPECT_NEAR(solution.final.q[1], solution.final.q[2], 1e-15);
      EXPECT_LE(solution.statistics.newton_iterations, 200u * (c == 0.0 ? 1u : 6u)) << k << " " << c;
      const EnergyLedger& energy = solution.energy;
      EXPECT_NEAR(energy.final - energy.initial, energy.input + energy.damping + energy.impact + energy.numerical,
                  1e-10 * energy.turnover + 1e-18 * k);
    }
}

// A double pendulum whose mass depends on the position, against a stop: order 2 in flight is in the order tests.
TEST(Nsga, VariableMass) {
  const auto model = lagrangian({.coordinates = {"a", "b"},
                                 .kinetic = "a_dot^2 + b_dot^2/2 + a_dot*b_dot*cos(a - b)",
                                 .potential = "-2*9.81*cos(a) - 9.81*cos(b)"});
  const State start{.q = {0.5, 0.6}, .v = {0.0, 0.0}};
  const State exact = simulate(*model, start, {0.0, 1.0}, EventDriven{.rtol = 1e-12}, {.h = 0.01}).final;
  const auto error = [&](double h) {
    const State end = run(*model, start, 1.0, h).final;
    return std::hypot(end.q[0] - exact.q[0], end.q[1] - exact.q[1]);
  };
  EXPECT_NEAR(std::log2(error(0.01) / error(0.005)), 2.0, 0.1);
}

// The same in lasting contact: a particle in polar coordinates along a spiral.
TEST(Nsga, VariableMassInLastingContact) {
  const auto model = lagrangian({.coordinates = {"r", "p"},
                                 .kinetic = "(r_dot^2 + r^2*p_dot^2)/2",
                                 .potential = "2*r*sin(p)",
                                 .constraints = {{.name = "spiral", .gap = "1 - r + 0.2*p", .restitution = 0.0}}});
  const State start{.q = {1.0, 0.0}, .v = {1.2, 6.0}};
  const State exact = simulate(*model, start, {0.0, 1.0}, EventDriven{.rtol = 1e-12}, {.h = 0.01}).final;
  const auto error = [&](double h) {
    const Solution solution = run(*model, start, 1.0, h);
    EXPECT_EQ(solution.impact_count, 0u);
    EXPECT_LE(solution.violation_max, 16.0 * epsilon);
    return std::hypot(solution.final.q[0] - exact.q[0], solution.final.q[1] - exact.q[1]);
  };
  EXPECT_NEAR(std::log2(error(0.01) / error(0.005)), 2.0, 0.1);
}

// Redundant supports, and a rod so light in turning that large terms of W ν cancel.
TEST(Nsga, ComesToRestOnSeveralContacts) {
  const auto box = lagrangian({.coordinates = {"z", "a", "b"},
                               .kinetic = "(z_dot^2 + 0.1*a_dot^2 + 0.1*b_dot^2)/2",
                               .potential = "9.81*z",
                               .constraints = {{.name = "1", .gap = "z + sin(a) + sin(b)", .restitution = 0.3},
                                               {.name = "2", .gap = "z + sin(a) - sin(b)", .restitution = 0.3},
                                               {.name = "3", .gap = "z - sin(a) + sin(b)", .restitution = 0.3},
                                               {.name = "4", .gap = "z - sin(a) - sin(b)", .restitution = 0.3}}});
  const auto rod = lagrangian({.coordinates = {"x", "y", "a"},
                               .kinetic = "(x_dot^2 + y_dot^2 + 1e-6*a_dot^2)/2",
                               .potential = "9.81*y",
                               .constraints = {{.name = "left", .gap = "y - 0.5*sin(a)", .restitution = 0.5},
                                               {.name = "right", .gap = "y + 0.5*sin(a)", .restitution = 0.5}}});
  for (const Solution& solution : {run(*box, {.q = {0.5, 0.1, 0.05}, .v = {0.0, 0.0, 0.0}}, 3.0, 1e-3),
                                   run(*rod, {.q = {0.0, 0.7, 0.3}, .v = {0.0, 0.0, 0.0}}, 3.0, 1e-3)}) {
    EXPECT_GE(solution.impact_count, 10u);
    EXPECT_LE(solution.violation_max, 5e-14);
    EXPECT_NEAR(solution.energy.final, 0.0, 1e-12);
  }
}

// The same joint twice, written differently, and one that is a rate alone.
TEST(Nsga, RedundantJointsAndRates) {
  const auto twice = lagrangian({.coordinates = {"x", "y"},
                                 .kinetic = "(x_dot^2 + y_dot^2)/2",
                                 .potential = "9.81*y",
                                 .joints = {{.name = "s", .equation = {"(x^2 + y^2 - 1)/2", "sqrt(x^2 + y^2) - 1"}}}});
  const State end = run(*twice, pendulum_start, 2.0, 0.01).final,
              once = run(*pendulum(), pendulum_start, 2.0, 0.01).final;
  for (int i = 0; i < 2; ++i) EXPECT_NEAR(end.q[i], once.q[i], 1e-10);
  const auto skate = lagrangian({.coordinates = {"x", "y", "a"},
                                 .kinetic = "(x_dot^2 + y_dot^2 + 0.1*a_dot^2)/2",
                                 .potential = "2*x",
                                 .joints = {{.name = "blade", .rate = {"cos(a)*y_dot - sin(a)*x_dot"}}}});
  const State last = run(*skate, {.q = {0.0, 0.0, 1.0}, .v = {std::cos(1.0), std::sin(1.0), 1.5}}, 10.0, 0.01).final;
  EXPECT_NEAR(std::cos(last.q[2]) * last.v[1] - std::sin(last.q[2]) * last.v[0], 0.0, 1e-14);
}

TEST(Nsga, BadSpectralRadius) {
  EXPECT_THROW(check(Nsga{.rho_infinity = -0.1}), InputError);
  EXPECT_THROW(check(Nsga{.rho_infinity = 1.1}), InputError);
}

}  // namespace nsga
}  // namespace
}  // namespace ricochet
