// Compliant contacts of linear models in closed form.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cmath>

#include "core/interrupt.hpp"
#include "ricochet/ricochet.hpp"
#include "support/difference.hpp"

namespace ricochet {
namespace {

using ::testing::Contains;
using testing::difference;
using ::testing::HasSubstr;

LagrangianDescription two_masses(const std::string& load) {
  return {.coordinates = {"x", "y"},
          .kinetic = "x_dot^2 + y_dot^2/2",
          .potential = "10*x^2 + 4*(x - y)^2",
          .dissipation = "0.1*x_dot^2 + 0.3*y_dot^2",
          .force = {{"x", Quantity(load)}},
          .constraints = {{.name = "floor", .gap = "y + 0.1 - 0.05*sin(5*t)", .restitution = 0.5},
                          {.name = "wall", .gap = "0.15 - x", .restitution = 0.8}}};
}

// Compliant contacts: as Runge-Kutta steps find them at their tightest, with an account that closes.
TEST(ExactPenalty, AgreesWithRungeKutta) {
  for (const char* load : {"4*sin(3*t)", "9*cos(2*t)*exp(-0.1*t)"}) {
    const auto model = lagrangian(two_masses(load));
    const auto run = [&](Penalty::Flow flow) {
      const Penalty scheme{.stiffness = 1e5, .rtol = 1e-13, .flow = flow};
      return simulate(*model, {.q = {0.0, 0.0}}, {0.0, 6.0}, scheme, {.h = 0.01});
    };
    const Solution a = run(Penalty::Flow::exact), b = run(Penalty::Flow::runge_kutta);
    ASSERT_EQ(a.status, Status::completed) << a.failure.message;
    EXPECT_GT(a.impact_count, 4u);
    ASSERT_EQ(a.impact_count, b.impact_count);
    EXPECT_LT(difference(a.trajectory.q, b.trajectory.q), 1e-8) << load;
    EXPECT_NEAR(a.violation_max, b.violation_max, 1e-5 * b.violation_max) << load;
    EXPECT_LT(std::abs(a.energy.numerical), 1e-12 * a.energy.turnover) << load;
    for (std::size_t k = 0; k < a.impacts.size(); ++k) {
      EXPECT_NEAR(a.impacts[k].t, b.impacts[k].t, 1e-8);
      EXPECT_NEAR(a.impacts[k].impulse, b.impacts[k].impulse, 1e-6);
    }
    EXPECT_THAT(a.notes, Contains(HasSubstr("rtol and atol have no effect")));
  }
}

// Alone and without other forces the restitution comes out, whatever the stiffness.
TEST(ExactPenalty, RestitutionIsExact) {
  for (const double e : {0.1, 0.5, 0.9})
    for (const double k : {1.0, 1e6, 1e12}) {
      const auto ball = lagrangian({.coordinates = {"x"},
                                    .kinetic = "x_dot^2/2",
                                    .potential = "0",
                                    .constraints = {{.name = "floor", .gap = "x", .restitution = e}}});
      const Solution s = simulate(*ball, {.q = {1.0}, .v = {-1.0}}, {0.0, 20.0},
                                  Penalty{.stiffness = k, .flow = Penalty::Flow::exact}, {.h = 20.0});
      ASSERT_EQ(s.impact_count, 1u);
      EXPECT_NEAR(s.final.v[0], e, 4e-14) << e << " " << k;
      EXPECT_LT(std::abs(s.energy.numerical), 1e-13) << e << " " << k;
    }
}

// Two balls and a floor: beside a contact of 1e12 the motion of both together keeps its digits.
TEST(ExactPenalty, StiffContactsLeaveTheRestAlone) {
  const auto balls = lagrangian({.coordinates = {"x", "y"},
                                 .kinetic = "(x_dot^2 + y_dot^2)/2",
                                 .potential = "0",
                                 .constraints = {{.name = "balls", .gap = "y - x", .restitution = 0.5}}});
  const Solution s = simulate(*balls, {.q = {0.0, 1.0}, .v = {1.0, 0.0}}, {0.0, 3.0},
                              Penalty{.stiffness = 1e12, .flow = Penalty::Flow::exact}, {.h = 3.0});
  ASSERT_EQ(s.impact_count, 1u);
  EXPECT_NEAR(s.final.v[0], 0.25, 1e-13);
  EXPECT_NEAR(s.final.v[1], 0.75, 1e-13);
  EXPECT_NEAR(s.final.q[0] + s.final.q[1], 4.0, 1e-13);
}

// A column of beads, its gaps all 0 at rest. Gaps far from where a wave is are flat to round-off; they cost no steps.
std::unique_ptr<Model> column(int beads, double scale) {
  LagrangianDescription column;
  for (int i = 0; i < beads; ++i) {
    const std::string q = "q" + std::to_string(i), mass = std::to_string(0.03 * scale);
    column.coordinates.push_back(q);
    column.kinetic += (i > 0 ? " + " : "") + mass + "*" + q + "_dot^2/2";
    column.potential += (i > 0 ? " + " : "") + mass + "*9.81*" + q;
    const std::string below = i > 0 ? " - q" + std::to_string(i - 1) : "";
    const double rest = (i > 0 ? 2.0 : 1.0) * 0.01 * scale;
    column.constraints.push_back(
        {.name = "c" + std::to_string(i), .gap = q + below + " - " + std::to_string(rest), .restitution = 0.6});
  }
  return lagrangian(column);
}
std::vector<double> heights(int beads, double scale) {
  std::vector<double> q;
  for (int i = 0; i < beads; ++i) q.push_back((2 * i + 1) * 0.01 * scale);
  return q;
}

TEST(ExactPenalty, ColumnsAtRestCostNoIdleSteps) {
  for (const double scale : {1.0, 100.0})
    for (const int beads : {2, 7, 12, 16, 30}) {
      const auto model = column(beads, scale);
      const Solution s = simulate(*model, {.q = heights(beads, scale)}, {0.0, 0.01},
                                  Penalty{.flow = Penalty::Flow::exact}, {.h = 1e-3});
      ASSERT_EQ(s.status, Status::completed) << beads << " " << s.failure.message;
      EXPECT_LT(s.statistics.accepted, 200u * static_cast<unsigned>(beads)) << beads;
      EXPECT_LT(std::abs(s.energy.numerical), 1e-13 * s.energy.initial) << beads;
      const Solution steps = simulate(*model, {.q = heights(beads, scale)}, {0.0, 0.01},
                                      Penalty{.rtol = 1e-11, .flow = Penalty::Flow::runge_kutta}, {.h = 1e-3});
      EXPECT_LT(difference(s.trajectory.q, steps.trajectory.q), 1e-12 * scale) << beads;
      // What meets slower than the steps tell is no impact.
      EXPECT_EQ(steps.impact_count, 0u) << beads;
    }
}

// One arc may take many steps of its search: an interrupt is seen between them.
TEST(ExactPenalty, ArcsMayBeInterrupted) {
  const auto ball = lagrangian({.coordinates = {"x"},
                                .kinetic = "x_dot^2/2",
                                .potential = "5e7*x^2",
                                .constraints = {{.name = "far", .gap = "x + 1.00001", .restitution = 0.5}}});
  const auto stepper = make_stepper(*ball, Penalty{.flow = Penalty::Flow::exact});
  State state{.q = {1.0}, .v = {0.0}};
  stepper->begin(state);
  const std::atomic<bool> interrupt = true;
  const InterruptScope scope(&interrupt);
  StepReport report;
  EXPECT_EQ(stepper->advance(state, 1e9, 1e9, report), FailureKind::interrupted);
}

TEST(ExactPenalty, SaysWhyThereAreSteps) {
  const auto pendulum = lagrangian({.coordinates = {"x"}, .kinetic = "x_dot^2/2", .potential = "-cos(x)"});
  const Solution s = simulate(*pendulum, {.q = {1.0}}, {0.0, 1.0}, Penalty{.flow = Penalty::Flow::exact}, {.h = 0.1});
  EXPECT_THAT(s.notes, Contains(HasSubstr("flow = \"exact\" has no effect")));
}

}  // namespace
}  // namespace ricochet
