// Joints under every scheme: mechanisms with known motions, driven and rolling ones, redundant and contradictory ones,
// links without mass.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>

#include "ricochet/ricochet.hpp"
#include "support/complaint.hpp"
#include "support/link_chain.hpp"
#include "support/mechanisms.hpp"
#include "support/problems.hpp"
#include "support/random_cases.hpp"

namespace ricochet {
namespace {

using testing::complaint;
using ::testing::Contains;
using ::testing::HasSubstr;

// The largest violation of rows, and of their rates, against their terms.
double off_joints(const Model& model, const State& state) {
  const Pattern& pattern = model.layout().joint_gradient;
  std::vector<double> g(model.nb()), H(pattern.size()), o(model.nb());
  model.joint(state.t, state.q.data(), g.data());
  model.joint_gradient(state.t, state.q.data(), H.data());
  model.joint_drift(state.t, state.q.data(), o.data());
  double worst = 0.0;
  for (int j = 0; j < pattern.cols; ++j) {
    double length = 0.0, speed = std::abs(o[j]), U = o[j];
    for (int k = pattern.start[j]; k < pattern.start[j + 1]; ++k) {
      length += std::abs(H[k] * state.q[pattern.row[k]]);
      speed += std::abs(H[k] * state.v[pattern.row[k]]);
      U += H[k] * state.v[pattern.row[k]];
    }
    worst = std::max(worst, std::abs(g[j]) / length);
    if (U != 0.0) worst = std::max(worst, std::abs(U) / speed);
  }
  return worst;
}

bool is_of_first_order(const std::string& name) {
  return name == "moreau" || name == "mabrouk" || name == "moreau-inelastic" || name == "moreau-jean-dissipative";
}

TEST(Joints, EverySchemeTakesOrRefusesThem) {
  const auto model = testing::pendulum();
  const testing::KnownMotion known = testing::pendulum_known()[1];
  for (const SchemeEntry& entry : catalogue()) {
    const Scheme scheme = entry;
    if (traits(scheme).position_law) {
      EXPECT_THAT(complaint([&] {
                    simulate(*model, testing::pendulum_start(), {0.0, 1.0}, scheme, {.h = 1e-3});
                  }),
                  HasSubstr("works on positions and has no velocity at a contact; joints (string) need moreau-jean"))
          << entry.name;
      continue;
    }
    const Solution solution = simulate(*model, testing::pendulum_start(), {0.0, 1.0}, scheme, {.h = 1e-3});
    ASSERT_EQ(solution.status, Status::completed) << entry.name << ": " << solution.failure.message;
    const double tolerance = is_of_first_order(scheme.name) ? 3e-2 : 5e-5;
    for (int i = 0; i < 2; ++i) EXPECT_NEAR(solution.final.q[i], known.q[i], tolerance) << entry.name;
    EXPECT_LT(off_joints(*model, solution.final), scheme.name == "event-driven" ? 1e-9 : 1e-14) << entry.name;
  }
}

// 1e6 steps in make test-long.
TEST(Joints, HoldExactlyInManySteps) {
  const auto pendulum = testing::pendulum(), crank = testing::slider_crank();
  const double longer = testing::is_long() ? 50.0 : 1.0;
  for (const Scheme& scheme : {Scheme(MoreauJean{}), Scheme(Newmark{}), Scheme(GeneralizedAlpha{}), Scheme(Nsga{})}) {
    const RunSettings settings{.record_every = 0};
    RunSettings coarse = settings, fine = settings;
    coarse.h = 1e-2, fine.h = 1e-4;
    const State swung = simulate(*pendulum, testing::pendulum_start(), {0.0, 200.0 * longer}, scheme, coarse).final;
    const State turned = simulate(*crank, testing::slider_crank_start(), {0.0, 1.0 * longer}, scheme, fine).final;
    EXPECT_LT(off_joints(*pendulum, swung), 1e-14) << scheme.name;
    EXPECT_LT(off_joints(*crank, turned), 1e-14) << scheme.name;
  }
}

// A mass on a driven slide, x = A sin ωt, with a spring to the wall: the joint does the work.
TEST(Joints, DrivenJointDoesWork) {
  const auto model = lagrangian({.coordinates = {"x", "y"},
                                 .kinetic = "(2*x_dot^2 + y_dot^2)/2",
                                 .potential = "5*(y - x)^2/2",
                                 .dissipation = "0.1*(y_dot - x_dot)^2/2",
                                 .joints = {{.name = "drive", .equation = {"x - 0.3*sin(2*t)"}}}});
  const State start{.q = {0.0, 0.0}, .v = {0.6, 0.0}};
  for (const Scheme& scheme : {Scheme(MoreauJean{}), Scheme(MoreauJean{.theta = 0.7}), Scheme(Newmark{}),
                               Scheme(GeneralizedAlpha{}), Scheme(D1Minus{})}) {
    const Solution solution = simulate(*model, start, {0.0, 5.0}, scheme, {.h = 0.01});
    ASSERT_EQ(solution.status, Status::completed) << scheme.name << solution.failure.message;
    const EnergyLedger& energy = solution.energy;
    EXPECT_FALSE(energy.numerical_is_remainder);
    EXPECT_NEAR(energy.final - energy.initial, energy.input + energy.damping + energy.impact + energy.numerical,
                1e-13 * energy.turnover)
        << scheme.name;
    EXPECT_GT(std::abs(energy.input), 0.1) << scheme.name;
    EXPECT_NEAR(solution.final.q[0], 0.3 * std::sin(10.0), 1e-14) << scheme.name;
    EXPECT_NEAR(solution.final.v[0], 0.6 * std::cos(10.0), 1e-13) << scheme.name;
  }
  const Solution exact = simulate(*model, start, {0.0, 5.0}, EventDriven{.rtol = 1e-11}, {.h = 0.1});
  const auto error = [&](double h) {
    const Solution steps = simulate(*model, start, {0.0, 5.0}, MoreauJean{}, {.h = h});
    EXPECT_NEAR(steps.energy.input, exact.energy.input, 20.0 * h * h);
    return std::abs(steps.final.q[1] - exact.final.q[1]);
  };
  EXPECT_NEAR(error(2e-3) / error(1e-3), 4.0, 0.1);
}

// A wheel that rolls down a slope: the rate alone is held, a = g sin α/(1 + I/(m R²)).
TEST(Joints, RollingWheel) {
  const auto model = lagrangian({.coordinates = {"x", "phi"},
                                 .kinetic = "m*x_dot^2/2 + m*R^2/2*phi_dot^2/2",
                                 .potential = "-m*g*sin(0.3)*x",
                                 .parameters = {{"m", 2.0}, {"R", 0.25}, {"g", 9.81}},
                                 .joints = {{.name = "wheel", .rate = {"x_dot - R*phi_dot"}}}});
  const double a = 9.81 * std::sin(0.3) / 1.5;
  for (const SchemeEntry& entry : catalogue()) {
    if (traits(Scheme(entry)).position_law) continue;
    const Solution solution = simulate(*model, {.q = {0.0, 5.0}}, {0.0, 1.0}, Scheme(entry), {.h = 1e-2});
    ASSERT_EQ(solution.status, Status::completed) << entry.name << solution.failure.message;
    EXPECT_NEAR(solution.final.v[0], a, is_of_first_order(std::string(entry.name)) ? 3e-2 : 1e-6) << entry.name;
    EXPECT_NEAR(solution.final.v[0], 0.25 * solution.final.v[1], 1e-13) << entry.name;
  }
}

// The string given twice, and a rod that the others hold already: the motion is that without them.
TEST(Joints, RedundantOnesAreToldAndDoNoHarm) {
  LagrangianDescription twice = testing::pendulum_description();
  twice.joints.push_back({.name = "again", .equation = {"x^2 + y^2 - l^2"}});
  const auto once = testing::pendulum(), model = lagrangian(twice);
  for (const SchemeEntry& entry : catalogue()) {
    const Scheme scheme(entry);
    if (traits(scheme).position_law) continue;
    const Solution with = simulate(*model, testing::pendulum_start(), {0.0, 1.0}, scheme, {.h = 1e-2});
    const Solution without = simulate(*once, testing::pendulum_start(), {0.0, 1.0}, scheme, {.h = 1e-2});
    ASSERT_EQ(with.status, Status::completed) << entry.name << with.failure.message;
    EXPECT_EQ(with.final.q, without.final.q) << entry.name;
    EXPECT_THAT(with.notes, Contains(HasSubstr("of the joints again follows from the others"))) << entry.name;
  }
}

TEST(Joints, StartsThatDoNotFit) {
  const auto model = testing::pendulum();
  const auto said = [&](State start) {
    return complaint([&] { simulate(*model, start, {0.0, 1.0}, MoreauJean{}, {.h = 0.1}); });
  };
  EXPECT_THAT(said({.q = {1.0, 0.1}}), HasSubstr("initial.q: does not satisfy the joint string: its equation gives"));
  EXPECT_THAT(said({.q = {1.0, 0.0}, .v = {0.5, 0.0}}),
              HasSubstr("initial.v: does not satisfy the joint string: its rate is 0.5 at the start"));
  // A little is projected.
  const Solution near = simulate(*model, {.q = {1.0 + 1e-11, 0.0}}, {0.0, 0.1}, MoreauJean{}, {.h = 0.01});
  EXPECT_THAT(near.notes, Contains(HasSubstr("the start was off the joints by")));
  EXPECT_LT(off_joints(*model, near.final), 1e-15);
}

TEST(Joints, ContradictoryOnes) {
  const auto model =
      lagrangian({.coordinates = {"x", "y"},
                  .kinetic = "(x_dot^2 + y_dot^2)/2",
                  .joints = {{.name = "a", .equation = {"x - y"}}, {.name = "b", .equation = {"x - y - 0.1*t"}}}});
  EXPECT_THAT(complaint([&] {
                simulate(*model, {.q = {0.0, 0.0}}, {0.0, 1.0}, MoreauJean{}, {.h = 0.1});
              }),
              HasSubstr("initial.v: does not satisfy the joint b"));
}

// A lever without mass between a spring and a body: u = 2 x, and the body feels 4 k.
TEST(Joints, LinksWithoutMass) {
  const auto model = lagrangian({.coordinates = {"x", "u"},
                                 .kinetic = "m*x_dot^2/2",
                                 .potential = "k*u^2/2",
                                 .parameters = {{"m", 1.5}, {"k", 4.0}},
                                 .joints = {{.name = "lever", .equation = {"u - 2*x"}}}});
  const double omega = std::sqrt(4.0 * 4.0 / 1.5);
  for (const SchemeEntry& entry : catalogue()) {
    const Scheme scheme(entry);
    if (traits(scheme).position_law || is_of_first_order(scheme.name)) continue;
    const Solution solution = simulate(*model, {.q = {0.1, 0.2}}, {0.0, 1.0}, scheme, {.h = 1e-3});
    ASSERT_EQ(solution.status, Status::completed) << entry.name << solution.failure.message;
    EXPECT_NEAR(solution.final.q[0], 0.1 * std::cos(omega), 2e-6) << entry.name;
    EXPECT_NEAR(solution.final.q[1], 2.0 * solution.final.q[0], 1e-14) << entry.name;
  }
  const auto loose = lagrangian({.coordinates = {"x", "u"}, .kinetic = "x_dot^2/2", .potential = "u^2/2"});
  EXPECT_THAT(complaint([&] {
                simulate(*loose, {.q = {0.1, 0.2}}, {0.0, 1.0}, MoreauJean{}, {.h = 0.1});
              }),
              HasSubstr("the mass matrix is not symmetric and positive definite at the start"));
}

// A slider-crank whose slider meets a stop: impacts pass through the mechanism, and take energy.
TEST(Joints, ImpactsOnMechanisms) {
  LagrangianDescription description = testing::slider_crank_description();
  description.constraints = {{.name = "stop", .gap = "0.68 - xs", .restitution = 0.6}};
  const auto model = lagrangian(description);
  const Solution exact =
      simulate(*model, testing::slider_crank_start(), {0.0, 0.3}, EventDriven{.rtol = 1e-10}, {.h = 1e-2});
  ASSERT_EQ(exact.status, Status::completed) << exact.failure.message;
  ASSERT_GE(exact.impact_count, 1u);
  EXPECT_NEAR(exact.impacts[0].rate_plus, -0.6 * exact.impacts[0].rate_minus, 1e-9);
  for (const SchemeEntry& entry : catalogue()) {
    const Scheme scheme(entry);
    if (traits(scheme).position_law || traits(scheme).inelastic_only || traits(scheme).compliant) continue;
    const Solution solution = simulate(*model, testing::slider_crank_start(), {0.0, 0.3}, scheme, {.h = 1e-4});
    ASSERT_EQ(solution.status, Status::completed) << entry.name << solution.failure.message;
    EXPECT_LT(off_joints(*model, solution.final), scheme.name == "event-driven" ? 1e-9 : 1e-13) << entry.name;
    EXPECT_LT(solution.energy.impact, 0.0) << entry.name;
    EXPECT_NEAR(solution.impacts[0].t, exact.impacts[0].t, is_of_first_order(scheme.name) ? 2e-3 : 2e-4) << entry.name;
  }
}

// Crank and rod of equal length: at the dead centre the second row of the pin vanishes. The motion passes it where it
// is determined.
LagrangianDescription equal_lengths() {
  return {.coordinates = {"a", "b", "s"},
          .kinetic = "(0.01*a_dot^2 + 0.01*b_dot^2 + s_dot^2)/2",
          .parameters = {{"r", 0.2}, {"l", 0.2}},
          .joints = {{.name = "pin", .equation = {"r*cos(a) + l*cos(b) - s", "r*sin(a) + l*sin(b)"}}}};
}
TEST(Joints, PassADeadCentre) {
  const auto model = lagrangian(equal_lengths());
  const State start{.q = {1.0, -1.0, 0.4 * std::cos(1.0)}, .v = {5.0, -5.0, -2.0 * std::sin(1.0)}};
  for (const Scheme& scheme : {Scheme(MoreauJean{}), Scheme(Nsga{}), Scheme(Newmark{}), Scheme(D1Minus{}),
                               Scheme(EventDriven{}), Scheme(Mannshardt{}), Scheme(Splitting{})}) {
    const Solution solution = simulate(*model, start, {0.0, 1.0}, scheme, {.h = 1e-3});
    ASSERT_EQ(solution.status, Status::completed) << scheme.name << solution.failure.message;
    EXPECT_NEAR(solution.final.q[0], 7.09577, 2e-4) << scheme.name;
    EXPECT_NEAR(solution.final.q[1], -solution.final.q[0], 1e-8) << scheme.name;
  }
}

// A motor that turns a crank which is longer than its rod: the mechanism locks at sin a = ½, t = 0.10472.
TEST(Joints, AMechanismThatLocksIsNamed) {
  LagrangianDescription description = equal_lengths();
  description.parameters[1].second = 0.1;
  description.joints.push_back({.name = "motor", .equation = {"a - 5*t"}});
  const auto model = lagrangian(description);
  for (const Scheme& scheme : {Scheme(MoreauJean{}), Scheme(Nsga{}), Scheme(Newmark{}), Scheme(D1Minus{}),
                               Scheme(EventDriven{}), Scheme(Mannshardt{}), Scheme(Splitting{}), Scheme(Penalty{})}) {
    const Solution solution =
        simulate(*model, {.q = {0.0, 0.0, 0.3}, .v = {5.0, -10.0, 0.0}}, {0.0, 1.0}, scheme, {.h = 1e-3});
    EXPECT_EQ(solution.status, Status::failed) << scheme.name;
    EXPECT_NEAR(solution.failure.t, 0.10472, 1e-3) << scheme.name;
    EXPECT_THAT(solution.failure.message, HasSubstr("the joint ")) << scheme.name;
    EXPECT_THAT(solution.failure.message, HasSubstr("nearly follows from the others here")) << scheme.name;
  }
}

// Random linear systems with joints, one of them driven, contacts and loads: the account closes.
TEST(Joints, AccountOfRandomLinearSystems) {
  std::mt19937 random(17);
  std::uniform_real_distribution<double> number(-1.0, 1.0);
  const auto term = [&](const std::string& name) { return " + " + std::to_string(number(random)) + "*" + name; };
  for (int k = 0; k < 20; ++k) {
    LagrangianDescription description = testing::random_linear_description();
    description.dissipation = "(0.2*a_dot^2 + 0.1*(b_dot - c_dot)^2)/2";
    description.force = {{"a", "0.8*cos(1.3*t)"}, {"d", "0.3*sin(0.7*t) - 0.2*b + 0.15*c_dot"}};
    // Through the start, at rest there: its values are subtracted.
    const std::string row = "(a - 0.2)" + term("(b - 0.1)") + term("(c - 0.15)") + term("(d + 0.3)");
    description.joints = {{.name = "link", .equation = {row + " - 0.1*sin(t)^2"}}};
    const auto model = lagrangian(description);
    const State start{.q = {0.2, 0.1, 0.15, -0.3}, .v = {0.0, 0.0, 0.0, 0.0}};
    for (const Scheme& scheme : {Scheme(MoreauJean{}), Scheme(MoreauJean{.theta = 0.7}), Scheme(Newmark{}),
                                 Scheme(GeneralizedAlpha{.rho_infinity = 0.7}), Scheme(Nsga{})}) {
      const Solution solution = simulate(*model, start, {0.0, 5.0}, scheme, {.h = 0.01, .record_every = 0});
      ASSERT_EQ(solution.status, Status::completed) << scheme.name << solution.failure.message;
      const EnergyLedger& energy = solution.energy;
      EXPECT_FALSE(energy.numerical_is_remainder);
      EXPECT_NEAR(energy.final - energy.initial, energy.input + energy.damping + energy.impact + energy.numerical,
                  1e-13 * energy.turnover)
          << scheme.name << " " << k;
    }
  }
}

// Many rows: W stays sparse, and the motion is that of the chain in its angles, which has no joints.
TEST(Joints, ManyRows) {
  const testing::LinkChain::Settings settings{.links = 60, .length = 0.2};
  const testing::LinkChain chain(settings);
  const testing::ChainInAngles angles(settings);
  const TimeSpan span{0.0, 0.1};
  const State exact = simulate(angles, angles.wave(), span, EventDriven{.rtol = 1e-11}, {.h = 0.1}).final;
  for (const Scheme& scheme : {Scheme(MoreauJean{}), Scheme(Moreau{}), Scheme(Newmark{}), Scheme(Nsga{}),
                               Scheme(D1Minus{}), Scheme(Splitting{}), Scheme(EventDriven{}), Scheme(Penalty{})}) {
    const Solution solution = simulate(chain, chain.wave(), span, scheme, {.h = 2e-3, .record_every = 0});
    ASSERT_EQ(solution.status, Status::completed) << scheme.name << solution.failure.message;
    double worst = 0.0;
    for (std::size_t k = 0; k < exact.q.size(); ++k)
      worst = std::max(worst, std::abs(solution.final.q[3 * k + 2] - exact.q[k]));
    EXPECT_LT(worst, is_of_first_order(scheme.name) ? 2e-2 : 1e-3) << scheme.name;
    // Round-off is that of the fastest link; the first one, beside the fixed pin, is slow.
    EXPECT_LT(off_joints(chain, solution.final), scheme.name == "event-driven" ? 1e-9 : 5e-12) << scheme.name;
  }
}

}  // namespace
}  // namespace ricochet
