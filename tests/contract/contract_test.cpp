// What every scheme in the catalogue must do. A new scheme joins by being listed.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "ricochet/ricochet.hpp"
#include "support/every_scheme.hpp"
#include "support/problems.hpp"
#include "support/random_cases.hpp"

namespace ricochet {
namespace {

using ::testing::AnyOf;
using testing::ball_description;
using ::testing::HasSubstr;
using testing::random_linear_description;
using testing::random_linear_start;

class Contract : public ::testing::TestWithParam<const SchemeEntry*> {
 protected:
  Scheme scheme() const { return *GetParam(); }
  // For entries that choose their steps.
  Scheme with_tolerance(double tolerance) const {
    Scheme scheme{std::string(GetParam()->name), {{"rtol", tolerance}, {"atol", tolerance}}};
    // Exact flights have no order.
    for (const ParameterSpec& spec : GetParam()->parameters)
      if (spec.name == "flow") scheme.values.emplace_back("flow", "runge-kutta");
    return scheme;
  }
  // How exact the outcome of an impact is: to round-off, or where it lasts to the tolerance of the steps.
  double exactness(double round_off) const { return traits(*GetParam()).compliant ? 1e-7 : round_off; }
  // The restitution wanted, or the one that the scheme can take.
  double restitution(double e) const { return traits(*GetParam()).inelastic_only ? 0.0 : e; }
  LagrangianDescription linear_system() const {
    LagrangianDescription description = random_linear_description();
    for (ConstraintDescription& constraint : description.constraints) constraint.restitution = restitution(0.7);
    return description;
  }
};

// What is damped decays until numbers end, and the run goes on.
TEST_P(Contract, WhatDecaysGoesOn) {
  const auto decay = lagrangian({.coordinates = {"x"},
                                 .kinetic = "(1 + x^2)*x_dot^2/2",
                                 .potential = "450*x^2",
                                 .dissipation = "30*x_dot^2",
                                 .constraints = {{.name = "wall", .gap = "x + 1", .restitution = 0.0}}});
  const Solution solution =
      simulate(*decay, {.q = {1.0}, .v = {0.0}}, {0.0, 40.0}, scheme(), {.h = 0.01, .record_every = 0});
  EXPECT_EQ(solution.status, Status::completed) << solution.failure.message;
  if (!traits(*GetParam()).chooses_steps) EXPECT_LT(std::abs(solution.final.q[0]), 1e-300);
}

// Piles of beads at rest, masses over six decades, at 0 or above each other: every contact pushes in every step,
// nothing moves, and nothing is told. The last one has light beads under a heavy one, whose weight goes through them.
TEST_P(Contract, PilesAtRestStayAtRest) {
  if (traits(*GetParam()).compliant) GTEST_SKIP() << "they sink in";
  std::mt19937 random(1);
  std::uniform_real_distribution<double> uniform(0.0, 1.0);
  const int cases = std::max(10, testing::random_cases() / 10);
  for (int k = 0; k <= cases; ++k) {
    const int beads = 2 + static_cast<int>(5.0 * uniform(random));
    std::vector<double> masses;
    for (int i = 0; i < beads; ++i) masses.push_back(std::pow(10.0, 6.0 * uniform(random) - 3.0));
    if (k == cases) masses = {0.028114788409565633, 0.0013909277084434327, 622.8, 0.38, 0.1196, 2.9};
    const double spacing = k % 2 * 0.1;
    LagrangianDescription description;
    State start;
    for (std::size_t i = 0; i < masses.size(); ++i) {
      const std::string x = fmt::format("x{}", i), plus = i > 0 ? " + " : "";
      description.coordinates.push_back(x);
      description.kinetic += fmt::format("{}{}*{}_dot^2/2", plus, masses[i], x);
      description.potential += fmt::format("{}9.81*{}*{}", plus, masses[i], x);
      description.constraints.push_back({.name = fmt::format("c{}", i),
                                         .gap = i > 0 ? fmt::format("{} - x{} - {}", x, i - 1, spacing) : x,
                                         .restitution = restitution(0.5)});
      start.q.push_back(spacing * static_cast<double>(i));
    }
    const auto model = lagrangian(description);
    const Solution solution = simulate(*model, start, {0.0, 0.5}, scheme(), {.h = 1e-3});
    SCOPED_TRACE(fmt::format("case {}: {}", k, description.kinetic));
    ASSERT_EQ(solution.status, Status::completed) << solution.failure.message;
    EXPECT_EQ(solution.impact_count, 0U);
    const std::size_t nc = masses.size();
    for (std::size_t row = nc; row < solution.trajectory.impulse.size(); ++row)
      ASSERT_GT(solution.trajectory.impulse[row], 0.0) << "c" << row % nc << " in row " << row / nc;
    for (std::size_t i = 0; i < nc; ++i) EXPECT_NEAR(solution.final.q[i], start.q[i], 1e-12);
    for (const std::string& note : solution.notes)
      EXPECT_THAT(note, AnyOf(HasSubstr("may open or stay"), HasSubstr("order-"))) << "no other note is due";
  }
}

// Free flight of an oscillator: the catalogue's order p. With steps that follow a tolerance, local errors of its size
// add up to about tol^(p/(p+1)).
TEST_P(Contract, FreeFlightHasTheOrderOfTheCatalogue) {
  const auto spring = lagrangian({.coordinates = {"x"}, .kinetic = "x_dot^2/2", .potential = "x^2/2"});
  const auto error = [&](const Scheme& with, double h) {
    const Solution solution = simulate(*spring, {.q = {1.0}, .v = {0.0}}, {0.0, 1.5}, with, {.h = h});
    double worst = 0.0;
    for (std::size_t i = 0; i < solution.trajectory.t.size(); ++i)
      worst = std::max(worst, std::abs(solution.trajectory.q[i] - std::cos(solution.trajectory.t[i])));
    return worst;
  };
  const double p = GetParam()->flight_order;
  if (traits(*GetParam()).chooses_steps) {
    const double loose = error(with_tolerance(1e-4), 0.5), tight = error(with_tolerance(1e-7), 0.5);
    EXPECT_LT(loose, std::pow(1e-4, p / (p + 1.0)));
    EXPECT_GT(std::log(loose / tight) / std::log(1e3), p / (p + 1.0) - 0.1) << "from " << loose << " to " << tight;
    return;
  }
  // High orders show with long steps, before round-off does.
  const double h = p > 2.0 ? 0.1 : 0.02;
  EXPECT_NEAR(std::log2(error(scheme(), h) / error(scheme(), 0.5 * h)), p, 0.1);
}

TEST_P(Contract, FlightWithoutConstraintsReportsNoImpacts) {
  const auto free = lagrangian({.coordinates = {"x"}, .kinetic = "x_dot^2/2"});
  const Solution solution = simulate(*free, {.q = {1.0}, .v = {-2.0}}, {0.0, 3.0}, scheme(), {.h = 0.01});
  EXPECT_EQ(solution.impact_count, 0u);
  EXPECT_NEAR(solution.final.q[0], -5.0, 1e-12);
  EXPECT_NEAR(solution.final.v[0], -2.0, 1e-14);
  EXPECT_EQ(solution.energy.impact, 0.0);
}

// Rest on a floor: stays where it is.
TEST_P(Contract, RestOnAFloor) {
  for (const double wanted : {0.0, 0.5, 1.0}) {
    const double e = restitution(wanted);
    const auto ball = lagrangian(ball_description(2.0, e));
    const double h = 0.01;
    const Solution solution = simulate(*ball, {.q = {0.0}, .v = {0.0}}, {0.0, 4.0}, scheme(), {.h = h});
    ASSERT_EQ(solution.status, Status::completed);
    EXPECT_EQ(solution.impact_count, 0u) << "rest is not a stream of impacts, e = " << e;
    EXPECT_LE(std::abs(solution.final.q[0]), 2.0 * h * h) << "e = " << e;
    double impulse = 0.0;
    for (const double P : solution.trajectory.impulse) impulse += P;
    EXPECT_NEAR(impulse, 2.0 * 4.0, 2.0 * 2.0 * h) << "the floor carries the weight, e = " << e;
  }
}

TEST_P(Contract, InelasticBallStaysDown) {
  const auto ball = lagrangian(ball_description(2.0, 0.0));
  const Solution solution = simulate(*ball, {.q = {1.0}, .v = {0.0}}, {0.0, 3.0}, scheme(), {.h = 1e-3});
  EXPECT_EQ(solution.impact_count, 1u);
  EXPECT_NEAR(solution.impacts.at(0).t, 1.0, 2e-3);
  EXPECT_NEAR(solution.final.q[0], 0.0, 4e-3);
  EXPECT_NEAR(solution.final.v[0], 0.0, 4e-3);
}

TEST_P(Contract, ElasticBallComesBack) {
  if (traits(*GetParam()).inelastic_only) {
    const auto ball = lagrangian(ball_description(2.0, 1.0));
    EXPECT_THROW(simulate(*ball, {.q = {1.0}}, {0.0, 2.0}, scheme(), {.h = 1e-3}), InputError);
    return;
  }
  const auto ball = lagrangian(ball_description(2.0, 1.0));
  const Solution solution = simulate(*ball, {.q = {1.0}, .v = {0.0}}, {0.0, 2.0}, scheme(), {.h = 1e-3});
  EXPECT_EQ(solution.impact_count, 1u);
  EXPECT_NEAR(solution.final.q[0], 1.0, 1e-2);
  // At position level rates come from positions: round-off is ε/h.
  EXPECT_NEAR(solution.energy.impact, 0.0, exactness(traits(*GetParam()).position_law ? 1e-11 : 1e-12));
}

// U⁺ = −e U⁻ at every impact of a single contact, and the records add up.
TEST_P(Contract, ImpactLaw) {
  const double e = restitution(0.6);
  const auto ball = lagrangian(ball_description(0.0, e));
  const Solution solution = simulate(*ball, {.q = {1.0}, .v = {-1.0}}, {0.0, 3.0}, scheme(), {.h = 0.013});
  ASSERT_EQ(solution.impact_count, 1u);
  const Impact& impact = solution.impacts[0];
  EXPECT_NEAR(impact.rate_minus, -1.0, 1e-13);
  EXPECT_NEAR(impact.rate_plus, e, exactness(1e-13));
  EXPECT_NEAR(impact.impulse, 1.0 + e, exactness(1e-13));
  EXPECT_NEAR(impact.energy_loss, 0.5 * (1.0 - e * e), exactness(1e-13));
  EXPECT_NEAR(impact.t, 1.0, 0.013);
  EXPECT_NEAR(solution.energy.impact, -impact.energy_loss, 1e-13);
}

// (v⁺ + e v⁻)/(1 + e) lies in the tangent cone: U⁺ + e U⁻ ≥ 0, and no contact pulls.
TEST_P(Contract, MeanVelocityLiesInTheTangentCone) {
  const auto model = lagrangian(linear_system());
  const double h = 5e-3;
  const Solution solution = simulate(*model, random_linear_start(), {0.0, 20.0}, scheme(), {.h = h});
  ASSERT_EQ(solution.status, Status::completed);
  ASSERT_GT(solution.impact_count, 5u);
  const double tolerance = traits(*GetParam()).position_law || traits(*GetParam()).compliant ? h : 1e-12;
  for (const Impact& impact : solution.impacts) {
    EXPECT_GE(impact.rate_plus + restitution(0.7) * impact.rate_minus, -tolerance);
    EXPECT_GT(impact.impulse, 0.0);
  }
}

// Two free particles that collide: the total momentum is kept.
TEST_P(Contract, Momentum) {
  const auto pair = lagrangian({.coordinates = {"x", "y"},
                                .kinetic = "(2*x_dot^2 + 3*y_dot^2)/2",
                                .constraints = {{.name = "contact", .gap = "y - x", .restitution = restitution(0.5)}}});
  const Solution solution = simulate(*pair, {.q = {0.0, 1.0}, .v = {2.0, -1.0}}, {0.0, 1.0}, scheme(), {.h = 7e-3});
  ASSERT_EQ(solution.impact_count, 1u);
  EXPECT_NEAR(2.0 * solution.final.v[0] + 3.0 * solution.final.v[1], 1.0, 1e-12);
  // U⁻ = −3, U⁺ = 3e; the common velocity is 1/5, shared as 3 : 2.
  EXPECT_NEAR(solution.final.v[0], 0.2 - 0.6 * 3.0 * restitution(0.5), exactness(1e-12));
  EXPECT_NEAR(solution.final.v[1], 0.2 + 0.4 * 3.0 * restitution(0.5), exactness(1e-12));
}

// final − initial = input + damping + impact + numerical to round-off, with everything a linear system can have.
// Without an identity `numerical` is what is left over: little, and the less the smaller the step or the tolerance.
TEST_P(Contract, LedgerCloses) {
  LagrangianDescription description = linear_system();
  description.dissipation = "(0.2*a_dot^2 + 0.1*(b_dot - c_dot)^2)/2";
  description.force = {{"a", "0.8*cos(1.3*t)"}, {"d", "0.3*sin(0.7*t) - 0.2*b + 0.15*c_dot"}};
  description.potential += " + 0.2*sin(t)*b + 0.1*cos(2*t)";
  description.constraints[1].gap += " - 0.05*sin(2*t)";
  const auto model = lagrangian(description);
  const auto run = [&](const Scheme& with, double h) {
    return simulate(*model, random_linear_start(), {0.0, 30.0}, with, {.h = h});
  };
  const Solution solution = run(scheme(), 5e-3);
  const EnergyLedger& energy = solution.energy;
  ASSERT_GT(solution.impact_count, 5u);
  EXPECT_LT(energy.damping, 0.0);
  EXPECT_LT(energy.impact, 0.0);
  EXPECT_NE(energy.input, 0.0);
  EXPECT_EQ(energy.numerical_is_remainder, !traits(*GetParam()).energy_identity);
  const double sum = energy.input + energy.damping + energy.impact + energy.numerical;
  EXPECT_NEAR(energy.final - energy.initial, sum, 1e-12 * energy.turnover);
  if (traits(*GetParam()).energy_identity) return;
  const EnergyLedger coarse =
      (traits(*GetParam()).chooses_steps ? run(with_tolerance(1e-4), 0.5) : run(scheme(), 0.2)).energy;
  EXPECT_LT(std::abs(coarse.numerical), 1e-2 * coarse.turnover);
  EXPECT_LT(std::abs(energy.numerical), std::max(0.1 * std::abs(coarse.numerical), 1e-10 * energy.turnover));
}

TEST_P(Contract, SameInputSameBytes) {
  const auto model = lagrangian(linear_system());
  const Solution a = simulate(*model, random_linear_start(), {0.0, 3.0}, scheme(), {.h = 0.01});
  const Solution b = simulate(*model, random_linear_start(), {0.0, 3.0}, scheme(), {.h = 0.01});
  EXPECT_EQ(a.trajectory.q, b.trajectory.q);
  EXPECT_EQ(a.trajectory.v, b.trajectory.v);
  EXPECT_EQ(a.impacts, b.impacts);
}

TEST_P(Contract, BadParametersAreRefused) {
  const auto ball = lagrangian(ball_description(2.0, 0.5));
  const auto run = [&](Scheme bad) { simulate(*ball, {.q = {1.0}}, {0.0, 1.0}, bad, {.h = 0.01}); };
  Scheme unknown = scheme();
  unknown.values = {{"no_such_parameter", 1.0}};
  EXPECT_THROW(run(unknown), InputError);
  for (const ParameterSpec& spec : GetParam()->parameters) {
    SCOPED_TRACE(spec.name);
    const auto with = [&](ParameterValue value) {
      Scheme bad = scheme();
      bad.values = {{std::string(spec.name), value}};
      return bad;
    };
    EXPECT_THROW(run(with("no such word")), InputError);
    if (!spec.words.empty()) {
      EXPECT_THROW(run(with(1.0)), InputError);
      continue;
    }
    EXPECT_THROW(run(with(std::nan(""))), InputError);
    if (std::isfinite(spec.lower)) {
      EXPECT_THROW(run(with(spec.lower - 0.1)), InputError);
    }
    if (std::isfinite(spec.upper)) {
      EXPECT_THROW(run(with(spec.upper + 0.1)), InputError);
    }
  }
}

TEST_P(Contract, EntryIsComplete) {
  const SchemeEntry& entry = *GetParam();
  EXPECT_FALSE(entry.summary.empty());
  EXPECT_FALSE(entry.explanation.empty());
  EXPECT_FALSE(entry.order.empty());
  EXPECT_FALSE(entry.literature.empty());
  EXPECT_NO_THROW(check(scheme())) << "defaults must be allowed values";
}

INSTANTIATE_TEST_SUITE_P(Catalogue, Contract, ::testing::ValuesIn(testing::entries()), testing::entry_name);

}  // namespace
}  // namespace ricochet
