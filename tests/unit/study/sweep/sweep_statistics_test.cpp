// Statistics of sweeps: means are integrals of the motion, extremes include impacts and turning points.
#include <gtest/gtest.h>
#include <numbers>

#include <cmath>

#include "ricochet/ricochet.hpp"
#include "unit/study/sweep/sweep_runs.hpp"

namespace ricochet {
namespace {

using std::numbers::pi;

// x'' + x = 0 with an elastic stop at x = 0.1, started at the stop: x = A cos φ from φ₀ to 2π − φ₀, again and again.
struct Bounded {
  double A = 0.15, stop = 0.1, phi = std::acos(stop / A), T = 2.0 * (pi - phi);
  double mean() const { return -2.0 * A * std::sin(phi) / T; }
  double rms() const { return A * std::sqrt(0.5 - std::sin(2.0 * phi) / (2.0 * T)); }
  double speed_rms() const { return A * std::sqrt(0.5 + std::sin(2.0 * phi) / (2.0 * T)); }
};

std::vector<double> statistics(const Scheme& scheme, int lanes, double steps_a_period) {
  const Bounded exact;
  const LagrangianDescription description = {.coordinates = {"x"},
                                             .kinetic = "x_dot^2/2",
                                             .potential = "x^2/2",
                                             .parameters = {{"X", exact.stop}},
                                             .constraints = {{.name = "stop", .gap = "X - x", .restitution = 1.0}}};
  const testing::Cases cases(description, [&](const LagrangianFamily& family, std::uint64_t) {
    SweepCase c;
    c.parameters = {exact.stop};
    c.model = family.model(c.parameters);
    // Half a flight before the stop, so that impacts lie inside steps.
    c.start = {.q = {-exact.A}, .v = {0.0}};
    c.scheme = scheme;
    c.step = exact.T / steps_a_period;
    c.period = exact.T;
    c.transient = 3.0 * exact.T;
    c.duration = 8.0 * exact.T;
    return c;
  });
  SweepSettings settings;
  settings.record = SweepRecord::statistics;
  return testing::run(cases, settings, 1, lanes).at(0).statistics;
}

TEST(SweepStatistics, AreThoseOfTheMotion) {
  const Bounded exact;
  for (const Scheme& scheme : {Scheme(EventDriven{}), Scheme(Mannshardt{})}) {
    // 21 steps a period: rows of the grid alone have a largest x of 0.0876 or so.
    const std::vector<double> found = statistics(scheme, 1, 21.0);
    EXPECT_NEAR(found[0], exact.mean(), 2e-6) << scheme.name;
    EXPECT_NEAR(found[1], exact.rms(), 2e-6);
    EXPECT_NEAR(found[2], -exact.A, 1e-6);
    EXPECT_NEAR(found[3], exact.stop, 1e-12) << scheme.name << ": the motion hits the stop";
    EXPECT_NEAR(found[4], 0.0, 1e-9);
    EXPECT_NEAR(found[5], exact.speed_rms(), 1e-3);
    const double fastest = exact.A * std::sin(exact.phi);
    EXPECT_GE(found[7], fastest - 1e-9);
    EXPECT_LE(found[7], exact.A + 1e-12);
    EXPECT_EQ(found[8], 8.0);
  }
}

TEST(SweepStatistics, OnAGridTheStopIsReachedAndVelocitiesHaveNoMean) {
  const Bounded exact;
  const std::vector<double> found = statistics(MoreauJean{}, 1, 201.0),
                            lanes = statistics(MoreauJean{}, lane_count, 201.0);
  EXPECT_EQ(found, lanes);
  // The scheme itself is off by h v at an impact.
  const double off = exact.T / 201.0 * exact.A;
  EXPECT_NEAR(found[0], exact.mean(), off);
  EXPECT_NEAR(found[3], exact.stop, off);
  EXPECT_NEAR(found[4], 0.0, off / exact.T);
}

}  // namespace
}  // namespace ricochet
