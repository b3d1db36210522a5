// What the compiler knows of a model changes nothing but the time that steps take: kernels over a shape, their flights
// and the forces of bands, bit for bit against the plain kernel.
#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "ricochet/ricochet.hpp"
#include "scheme/kernel/linear_system.hpp"
#include "scheme/kernel/velocity/velocity_step.hpp"
#include "scheme/kernel/velocity/velocity_stepper.hpp"
#include "support/kernel_step.hpp"
#include "support/large_models.hpp"

namespace ricochet {
namespace {

struct Case {
  const char* name;
  LagrangianDescription description;
  State start;
};

std::vector<Case> cases() {
  const auto stop = [](const char* name, const char* gap, double e) {
    return ConstraintDescription{.name = name, .gap = gap, .restitution = e};
  };
  return {
      {"ball",
       {.coordinates = {"x"}, .kinetic = "x_dot^2/2", .potential = "9.81*x", .constraints = {stop("floor", "x", 0.5)}},
       {.q = {0.1}, .v = {0.0}}},
      {"between two stops",
       {.coordinates = {"x"},
        .kinetic = "x_dot^2/2",
        .potential = "x^2",
        .dissipation = "0.01*x_dot^2",
        .force = {{"x", "2*cos(3*t)"}},
        .constraints = {stop("left", "x + 0.2", 0.7), stop("right", "0.3 - x", 0.4)}},
       {.q = {0.1}, .v = {1.0}}},
      {"two masses, one stop",
       {.coordinates = {"x", "y"},
        .kinetic = "x_dot^2/2 + y_dot^2",
        .potential = "50*(y - x)^2 + x",
        .force = {{"y", "-2 - x_dot + 0.3*x + sin(3*t)"}},
        .constraints = {stop("stop", "x + 2*y + 0.1", 0.6)}},
       {.q = {0.0, 0.05}, .v = {1.0, -1.0}}},
      {"two masses, two stops",
       {.coordinates = {"x", "y"},
        .kinetic = "(x_dot^2 + y_dot^2)/2",
        .potential = "50*(y - x)^2",
        .constraints = {stop("left", "x + 0.1", 0.8), stop("right", "0.1 - y", 0.8)}},
       {.q = {0.0, 0.05}, .v = {1.5, 1.0}}}};
}

// Steps on the grid by the stepper that a run has, against single steps of the kernel that knows nothing.
void compare(const Case& a_case, double theta, double phi) {
  SCOPED_TRACE(std::string(a_case.name) + ", theta " + std::to_string(theta));
  const auto model = lagrangian(a_case.description);
  const VelocityRule rule{.theta = theta, .phi = phi};
  const auto stepper = make_kernel_stepper(*model, rule, {});
  VelocityStep<double> plain(*model, rule);
  const StepGrid grid{.from = 0.0, .until = 4.0, .h = 1e-3, .steps = 4000};

  State state = a_case.start, expected = a_case.start;
  StepReport report;
  std::vector<Push> pushes(a_case.description.constraints.size()), sums = pushes;
  LedgerSums ledger;
  double violation = 0.0;
  int contacts = 0;
  stepper->begin(state);
  for (std::uint64_t step = 0, made = 0; step < grid.steps;) {
    ASSERT_EQ(stepper->advance_on(state, grid, step, std::min(made + 700, grid.steps), report, pushes),
              FailureKind::none);
    for (const ContactReport& contact : report.contacts) pushes[contact.constraint].impulse += contact.impulse;
    report.contacts.clear();
    for (; made < step; ++made) {
      const double t1 = grid.end_of(made);
      ASSERT_TRUE(make_step(plain, expected.t, grid.h, t1, expected.q, expected.v));
      expected.t = t1;
      ledger.add(plain.ledger());
      for (std::size_t j = 0; j < sums.size(); ++j) {
        violation = std::max(violation, -plain.contacts().gap()[j]);
        sums[j].impulse += plain.contacts().impulse()[j];
        contacts += plain.contacts().impulse()[j] > 0.0;
      }
    }
    ASSERT_EQ(state.t, expected.t);
    ASSERT_EQ(state.q, expected.q) << "step " << made;
    ASSERT_EQ(state.v, expected.v) << "step " << made;
    for (std::size_t j = 0; j < sums.size(); ++j) ASSERT_EQ(pushes[j].impulse, sums[j].impulse) << "step " << made;
  }
  EXPECT_GT(contacts, 3);
  EXPECT_EQ(report.violation, violation);
  const LedgerTerms<double> own = report.energy.terms(), other = ledger.terms();
  EXPECT_EQ(own.input, other.input);
  EXPECT_EQ(own.damping, other.damping);
  EXPECT_EQ(own.impact, other.impact);
  EXPECT_EQ(own.numerical, other.numerical);
  EXPECT_EQ(stepper->counts().newton_iterations, plain.counts().newton_iterations);
  EXPECT_EQ(stepper->counts().force_evaluations, plain.counts().force_evaluations);
  EXPECT_EQ(stepper->counts().contact_problems, plain.counts().contact_problems);
}

TEST(VelocityShapes, StepsAndFlightsAreThoseOfThePlainKernel) {
  for (const Case& a_case : cases()) {
    compare(a_case, 0.5, 0.5);
    compare(a_case, 0.7, 0.7);
    compare(a_case, 0.7, 0.5);
  }
}

// A run that keeps its contact problems does without shapes that are constant.
TEST(VelocityShapes, EverySchemeGivesTheBitsOfAnyOther) {
  for (const Scheme& scheme :
       {Scheme(Moreau{}), Scheme(Mabrouk{}), Scheme(MoreauInelastic{}), Scheme(PaoliSchatzman{}),
        Scheme(PaoliSchatzman{.force = PaoliSchatzman::Force::newmark}), Scheme(FeasiblePosition{}), Scheme(Newmark{}),
        Scheme(Hht{}), Scheme(GeneralizedAlpha{})}) {
    LagrangianDescription driven{.coordinates = {"x"},
                                 .kinetic = "x_dot^2/2",
                                 .potential = "2*x^2 + x",
                                 .dissipation = "0.01*x_dot^2",
                                 .force = {{"x", "2*cos(3*t) + 0.1*x_dot"}},
                                 .constraints = {{.name = "stop", .gap = "2*x + 0.1", .restitution = 0.6}}};
    for (LagrangianDescription description : {cases().front().description, driven}) {
      SCOPED_TRACE(scheme.name + ", " + description.potential);
      if (traits(scheme).inelastic_only) description.constraints[0].restitution = 0.0;
      const auto model = lagrangian(description);
      HardProblems hardest(1);
      RunSettings settings{.h = 1e-3};
      const State start{.q = {0.1}, .v = {0.5}};
      const Solution small = simulate(*model, start, {0.0, 4.0}, scheme, settings);
      settings.solver.hardest = &hardest;
      const Solution any = simulate(*model, start, {0.0, 4.0}, scheme, settings);
      ASSERT_EQ(small.status, Status::completed);
      EXPECT_EQ(small.trajectory.q, any.trajectory.q);
      EXPECT_EQ(small.trajectory.v, any.trajectory.v);
      EXPECT_EQ(small.trajectory.impulse, any.trajectory.impulse);
      EXPECT_EQ(small.impacts, any.impacts);
      EXPECT_EQ(small.violation_max, any.violation_max);
      EXPECT_EQ(small.energy.numerical, any.energy.numerical);
      EXPECT_EQ(small.energy.input, any.energy.input);
      EXPECT_EQ(small.energy.impact, any.energy.impact);
      EXPECT_LT(small.energy.impact, 0.0);
    }
  }
}

// A flight that leaves the numbers ends in the step that does, and says so.
TEST(VelocityShapes, AFlightEndsWhereItIsNotFinite) {
  const auto model = lagrangian({.coordinates = {"x"},
                                 .kinetic = "x_dot^2/2",
                                 .force = {{"x", "1e200*x_dot"}},
                                 .constraints = {{.name = "floor", .gap = "x", .restitution = 0.5}}});
  const VelocityRule rule{.theta = 0.0, .phi = 0.0};
  const auto stepper = make_kernel_stepper(*model, rule, {});
  State state{.q = {1.0}, .v = {1.0}};
  StepReport report;
  std::vector<Push> pushes(1);
  std::uint64_t step = 0;
  stepper->begin(state);
  EXPECT_EQ(stepper->advance_on(state, {0.0, 10.0, 1.0, 10}, step, 10, report, pushes), FailureKind::not_finite);
  EXPECT_EQ(step, 1u);
  EXPECT_EQ(state.t, 1.0);
  EXPECT_TRUE(std::isfinite(state.q[0] + state.v[0]));
  EXPECT_FALSE(stepper->failure_detail().empty());
}

// Sums over diagonals go through the columns in their order.
TEST(VelocityShapes, ForcesOfBandsAreThoseOfPatterns) {
  for (const int elements : {64, 700, 1301}) {
    const testing::ElasticBar bar({.elements = elements, .damping = 0.02, .pull = 0.3});
    const int n = elements + 1;
    LinearSystem<double, std::vector<double>> linear(bar, true, std::vector<double>(static_cast<std::size_t>(n), 0.0));
    linear.take_load(0.5);
    linear.find_bands();
    ASSERT_TRUE(linear.has_bands());
    std::mt19937 random(7);
    std::uniform_real_distribution<double> number(-1.0, 1.0);
    std::vector<double> q, v, at, F(static_cast<std::size_t>(n)), y = F;
    for (int i = 0; i < n; ++i) q.push_back(number(random)), v.push_back(number(random));
    for (int i = 0; i < n; ++i) at.push_back(q[i] + 0.6 * (0.01 * v[i]));
    linear.force(at.data(), v.data(), F.data());
    linear.scaled_force(q.data(), v.data(), 0.6, 0.01, 0.25, y.data());
    for (int i = 0; i < n; ++i) ASSERT_EQ(y[i], 0.25 * F[i]) << i << " of " << n;
  }
}

}  // namespace
}  // namespace ricochet
