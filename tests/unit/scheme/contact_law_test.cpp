// Compliant contacts that say how they give way: closed forms of a spring and a damper, of Hertz's and of Hunt and
// Crossley's law, against runs under penalty without other forces.
#include "scheme/kernel/contact_law.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "ricochet/ricochet.hpp"
#include "support/problems.hpp"

namespace ricochet {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

// A ball of mass m that meets the floor with the rate −v; the gap is what it starts from.
LagrangianDescription ball(double m, const NamedQuantities& compliance, double restitution = 0.25) {
  LagrangianDescription description{.coordinates = {"x"},
                                    .kinetic = "m*x_dot^2/2",
                                    .parameters = {{"m", m}},
                                    .constraints = {{"floor", "x", restitution}}};
  description.constraints[0].compliance = compliance;
  return description;
}
Solution hit(double m, double v, const NamedQuantities& compliance, double until, double restitution = 0.25) {
  return simulate(*lagrangian(ball(m, compliance, restitution)), {.q = {0.1}, .v = {-v}}, {0.0, until},
                  Penalty{.rtol = 1e-13, .atol = 1e-16}, {.h = until / 7.0});
}

TEST(ContactLaw, SpringAndDamper) {
  const double m = 2.0, k = 5e4;
  for (const double c : {0.0, 30.0, 200.0, 500.0}) {
    const double zeta = c / (2.0 * std::sqrt(k * m));
    const double e = std::exp(-std::numbers::pi * zeta / std::sqrt(1.0 - zeta * zeta));
    const Solution solution = hit(m, 1.5, {{"stiffness", k}, {"damping", c}}, 0.5);
    ASSERT_EQ(solution.impact_count, 1u);
    EXPECT_NEAR(solution.impacts[0].rate_plus, 1.5 * e, 2e-12) << c;
    EXPECT_NEAR(solution.impacts[0].energy_loss, 0.5 * m * 2.25 * (1.0 - e * e), 1e-11);
    EXPECT_NEAR(restitution_of_ratio(zeta), e, 1e-15);
    EXPECT_THAT(solution.notes, Contains(HasSubstr("floor: its compliance implies a restitution of")));
  }
  EXPECT_EQ(restitution_of_ratio(1.0), 0.0);
  EXPECT_EQ(restitution_of_ratio(3.0), 0.0);
}

// Without damping of its own the restitution of the constraint decides.
TEST(ContactLaw, MatchedToTheRestitution) {
  for (const double e : {0.0625, 0.5, 0.875, 1.0}) {
    EXPECT_NEAR(hit(2.0, 1.5, {{"stiffness", 5e4}}, 0.5, e).final.v[0], 1.5 * e, 3e-12) << e;
    EXPECT_NEAR(hit(2.0, 1.5, {{"stiffness", 5e5}, {"exponent", 1.5}}, 0.5, e).final.v[0], 1.5 * e, 3e-12) << e;
  }
}

// Hertz: elastic, the depth (5 m v²/4k)^(2/5), the duration 2.9432 δ/v.
TEST(ContactLaw, Hertz) {
  for (const double m : {0.5, 2.0})
    for (const double v : {0.25, 1.5}) {
      const double k = 1e6, depth = std::pow(1.25 * m * v * v / k, 0.4);
      const double lasts = 2.0 * std::sqrt(std::numbers::pi) * std::tgamma(1.4) / std::tgamma(0.9) * depth / v;
      EXPECT_NEAR(lasts * v / depth, 2.9432, 1e-4);
      const Solution solution = hit(m, v, {{"stiffness", k}, {"exponent", 1.5}, {"hysteresis", 0.0}}, 1.0);
      EXPECT_NEAR(solution.impacts.at(0).rate_plus, v, 1e-11);
      EXPECT_NEAR(solution.final.q[0], v * (1.0 - 0.1 / v - lasts), 1e-9) << "where the flight after it ends";
      EXPECT_NEAR(solution.violation_max, depth, 1e-6 * depth);
      EXPECT_NEAR(law_of({.stiffness = k, .exponent = 1.5, .hysteresis = 0.0}, m, v, 0.0, 0.5).omega,
                  std::numbers::pi / lasts, 1e-12 * std::numbers::pi / lasts);
    }
}

// Hunt and Crossley: a − ln(1 + a) = −e a − ln(1 − e a), a = α v, whatever m, k and n are.
TEST(ContactLaw, HuntCrossley) {
  for (const double a : {1e-6, 0.01, 0.3, 1.0, 10.0}) {
    const double e = restitution_of_hysteresis(a);
    EXPECT_NEAR(a - std::log1p(a), -e * a - std::log1p(-e * a), 1e-12 * a) << a;
    EXPECT_NEAR(hysteresis_of_restitution(e), a, 1e-9 * a);
  }
  EXPECT_NEAR(restitution_of_hysteresis(1e-6), 1.0 - 2e-6 / 3.0, 1e-11);
  EXPECT_EQ(restitution_of_hysteresis(0.0), 1.0);
  EXPECT_EQ(hysteresis_of_restitution(1.0), 0.0);
  for (const double n : {1.0, 1.5, 2.2})
    for (const double a : {0.05, 0.6, 3.0}) {
      const double v = 0.8;
      const Solution solution = hit(1.3, v, {{"stiffness", 1e5}, {"exponent", n}, {"hysteresis", a / v}}, 1.5);
      ASSERT_EQ(solution.impact_count, 1u);
      EXPECT_NEAR(solution.impacts[0].rate_plus, v * restitution_of_hysteresis(a), 1e-10) << n << " " << a;
    }
}

// Fall, impact and rest on a Hertzian floor: the ledger closes, and the ball lies at the depth (m g/k)^(2/3).
TEST(ContactLaw, RestsAtItsDepth) {
  LagrangianDescription description = ball(2.0, {{"stiffness", 1e6}, {"exponent", 1.5}, {"hysteresis", 2.0}});
  description.potential = "m*9.81*x";
  const Solution solution =
      simulate(*lagrangian(description), {.q = {0.01}, .v = {0.0}}, {0.0, 3.0}, Penalty{}, {.h = 0.01});
  ASSERT_EQ(solution.status, Status::completed);
  EXPECT_NEAR(solution.final.q[0], -std::pow(2.0 * 9.81 / 1e6, 2.0 / 3.0), 2e-5);
  const double turnover = 2.0 * 9.81 * 0.01;
  EXPECT_NEAR(solution.energy.numerical, 0.0, 1e-6 * turnover);
}

TEST(ContactLaw, ParametersAndRefusals) {
  LagrangianDescription description = ball(1.0, {{"stiffness", "k"}, {"exponent", "n"}, {"hysteresis", 0.5}});
  description.parameters.emplace_back("k", 1e5);
  description.parameters.emplace_back("n", 1.5);
  const auto model = lagrangian(description);
  EXPECT_THAT(compliances_of(*model), ElementsAre(Compliance{.stiffness = 1e5, .exponent = 1.5, .hysteresis = 0.5}));
  const LagrangianFamily family(description);
  EXPECT_EQ(compliances_of(*family.model({1.0, 7.0, 2.0})).at(0).stiffness, 7.0);
  EXPECT_THROW(simulate(*family.model({1.0, -7.0, 2.0}), {.q = {0.1}, .v = {-1.0}}, {0.0, 1.0}, Penalty{}, {.h = 0.1}),
               InputError);
  description.constraints[0].compliance = {{"stiffness", "x"}};
  EXPECT_THROW(lagrangian(description), InputError) << "a constant of the model";
  // A fixed step that contacts of the given stiffness are too short for is refused before the run.
  EXPECT_THROW(simulate(*lagrangian(ball(1.0, {{"stiffness", 1e6}})), {.q = {0.1}, .v = {-1.0}}, {0.0, 1.0},
                        Penalty{.steps = Penalty::Steps::fixed}, {.h = 1e-3}),
               InputError);
}

}  // namespace
}  // namespace ricochet
