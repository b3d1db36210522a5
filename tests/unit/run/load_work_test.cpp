// The account's input is the work of the load along the motion that is recorded, under every scheme.
#include <gtest/gtest.h>

#include <cmath>

#include "ricochet/ricochet.hpp"
#include "support/every_scheme.hpp"

namespace ricochet {
namespace {

// A forced and damped oscillator with a stop; `softening` makes it nonlinear.
std::unique_ptr<Model> forced(double softening) {
  return lagrangian({.coordinates = {"x"},
                     .kinetic = "x_dot^2/2",
                     .potential = "x^2/2 - s*x^4/4",
                     .dissipation = "0.05*x_dot^2",
                     .force = {{"x", "cos(0.9*t)"}},
                     .parameters = {{"s", softening}},
                     .constraints = {{.name = "stop", .gap = "1 - x", .restitution = 0.0}}});
}

TEST(LoadWork, IsThatOfTheMotionUnderEveryScheme) {
  for (const double softening : {0.0, 0.02}) {
    const auto model = forced(softening);
    const TimeSpan span{0.0, 12.0};
    const State start{.q = {0.0}, .v = {0.0}};
    const double input = simulate(*model, start, span, EventDriven{}, {.h = 0.02}).energy.input;
    ASSERT_GT(input, 1.0);
    for (const SchemeEntry& entry : catalogue()) {
      const Solution solution = simulate(*model, start, span, entry, {.h = 0.02});
      ASSERT_EQ(solution.status, Status::completed) << entry.name;
      EXPECT_NEAR(solution.energy.input, input, 0.03 * input) << entry.name << " " << softening;
    }
  }
}

// Through an impact, under schemes that take their forces at one end of a step: what is put in comes to the work of the
// load along the exact motion, and what the scheme itself does to the energy goes, both with the order of the motion.
TEST(LoadWork, ConvergesThroughImpacts) {
  const auto model = lagrangian({.coordinates = {"x"},
                                 .kinetic = "x_dot^2/2",
                                 .potential = "x^2/2",
                                 .dissipation = "0.05*x_dot^2",
                                 .force = {{"x", "cos(0.9*t)"}},
                                 .constraints = {{.name = "stop", .gap = "1 - x", .restitution = 0.5}}});
  const TimeSpan span{0.0, 12.0};
  const State start{.q = {0.0}, .v = {0.0}};
  const double input = simulate(*model, start, span, EventDriven{.rtol = 1e-12}, {.h = 0.1}).energy.input;
  EXPECT_NEAR(input, 4.93344, 1e-5);
  for (const Scheme& scheme : std::vector<Scheme>{Moreau{}, PaoliSchatzman{}}) {
    const auto ledger = [&](double h) { return simulate(*model, start, span, scheme, {.h = h}).energy; };
    const EnergyLedger coarse = ledger(0.025), fine = ledger(0.003125);
    EXPECT_LT(std::abs(coarse.input - input), 0.01 * input) << scheme.name;
    EXPECT_LT(std::abs(fine.input - input), 0.2 * std::abs(coarse.input - input)) << scheme.name;
    EXPECT_LT(std::abs(fine.numerical), 0.2 * std::abs(coarse.numerical)) << scheme.name;
  }
}

// Positions that move with the velocity of one end of a step: loads do their work along the positions, not along
// velocities that are half a step ahead of them or behind. Off resonance that was 0.57 in place of 0.28, and as much
// the less was booked as the scheme's own.
TEST(LoadWork, FollowsPositions) {
  const auto model = lagrangian({.coordinates = {"x"},
                                 .kinetic = "x_dot^2/2",
                                 .potential = "x^2/2 + 0.3*x^4/4",
                                 .dissipation = "0.05*x_dot^2",
                                 .force = {{"x", "cos(2.5*t)"}},
                                 .constraints = {{.name = "stop", .gap = "0.5 - x", .restitution = 0.5}}});
  const TimeSpan span{0.0, 20.0};
  const State start{.q = {0.0}, .v = {0.0}};
  const double exact = simulate(*model, start, span, EventDriven{.rtol = 1e-12}, {.h = 0.1}).energy.input;
  EXPECT_NEAR(exact, 0.276911, 1e-6);
  for (const Scheme& scheme : std::vector<Scheme>{Moreau{}, Mabrouk{}, PaoliSchatzman{}, MoreauJean{.theta = 0.75},
                                                  MoreauJean{.theta = 1.0}}) {
    const Solution solution = simulate(*model, start, span, scheme, {.h = 0.05});
    const std::vector<double>&t = solution.trajectory.t, &q = solution.trajectory.q;
    double along = 0.0;
    for (std::size_t k = 0; k + 1 < t.size(); ++k)
      along += (q[k + 1] - q[k]) * 0.5 * (std::cos(2.5 * t[k]) + std::cos(2.5 * t[k + 1]));
    // Of a cosine the mean of both ends of a step is its middle times cos(ωh/2).
    EXPECT_NEAR(solution.energy.input * std::cos(0.0625), along, 1e-12) << scheme.name;
    if (scheme.name == "moreau-jean") continue;  // damps: another motion
    EXPECT_NEAR(solution.energy.input, exact, 0.02 * exact) << scheme.name;
    EXPECT_LT(std::abs(solution.energy.numerical), 0.02 * exact) << scheme.name;
  }
}

// Of a linear system the split is an identity of the step, Σ Δq (f₀ + f₁)/2 + Δl (q₀ + q₁)/2 + ΔV₀ over the motion that
// is recorded, with a potential ½x² + l(t) x + V₀(t), through impacts too and wherever a scheme takes its force.
TEST(LoadWork, OfLinearSystemsIsAnIdentity) {
  const auto model = lagrangian({.coordinates = {"x"},
                                 .kinetic = "x_dot^2/2",
                                 .potential = "x^2/2 + x*sin(0.7*t) + cos(0.3*t)",
                                 .dissipation = "0.05*x_dot^2",
                                 .force = {{"x", "2*cos(0.9*t)"}},
                                 .constraints = {{.name = "stop", .gap = "1 - x", .restitution = 0.0}}});
  for (const Scheme& scheme : std::vector<Scheme>{Moreau{}, MoreauInelastic{}, MoreauJean{.theta = 0.5},
                                                  MoreauJean{.theta = 0.75}, MoreauJean{.theta = 1.0}}) {
    const Solution solution = simulate(*model, {.q = {0.0}, .v = {0.0}}, {0.0, 12.0}, scheme, {.h = 0.02});
    ASSERT_EQ(solution.status, Status::completed) << scheme.name;
    ASSERT_GT(solution.impact_count, 0u);
    const std::vector<double>&t = solution.trajectory.t, &q = solution.trajectory.q;
    double input = 0.0, size = 0.0;
    for (std::size_t k = 0; k + 1 < t.size(); ++k) {
      const double f = std::cos(0.9 * t[k]) + std::cos(0.9 * t[k + 1]);
      const double l = std::sin(0.7 * t[k + 1]) - std::sin(0.7 * t[k]);
      const double term =
          (q[k + 1] - q[k]) * f + l * 0.5 * (q[k] + q[k + 1]) + std::cos(0.3 * t[k + 1]) - std::cos(0.3 * t[k]);
      input += term;
      size += std::abs(term);
    }
    EXPECT_NEAR(solution.energy.input, input, 1e-12 * size) << scheme.name;
    const EnergyLedger& e = solution.energy;
    EXPECT_NEAR(e.final, e.initial + e.input + e.damping + e.impact + e.friction + e.numerical, 1e-12 * size);
  }
}

}  // namespace
}  // namespace ricochet
