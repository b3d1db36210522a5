// A bar flies against a wall: contact for 2L/c, impulse 2mv, rebound with its speed reversed (exact wave solution).
// Mesh and step are refined together, h = ½ Δx/c, so that schemes with explicit forces are stable too.
#include <gtest/gtest.h>

#include <cmath>

#include "ricochet/model/finite_elements.hpp"
#include "ricochet/model/linear.hpp"
#include "ricochet/ricochet.hpp"
#include "support/orders.hpp"

namespace ricochet {
namespace {

constexpr double length = 10.0, young = 9e6, density = 1000.0, area = 1.0, speed = 1.0, distance = 0.5;
const double wave_speed = std::sqrt(young / density);
const double contact_duration = 2.0 * length / wave_speed;
const double contact_force = density * wave_speed * area * speed;
constexpr double mass = density * area * length;
constexpr double impulse = 2.0 * mass * speed;

Field bar_of(int elements) {
  return bar({.length = length, .young = young, .area = area, .density = density, .elements = elements});
}

std::unique_ptr<Model> model_of(const Field& field) {
  return linear({.coordinates = field.names,
                 .mass = field.mass,
                 .stiffness = field.stiffness,
                 .gaps = {{.name = "wall", .normal = field.at(0.0)}}});
}

Solution run(const Field& field, const Scheme& scheme, double h) {
  const std::size_t n = field.names.size();
  return simulate(*model_of(field), {.q = std::vector<double>(n, distance), .v = std::vector<double>(n, -speed)},
                  {0.0, 0.9}, scheme, {.h = h});
}

double step_of(int elements) { return 0.5 * length / elements / wave_speed; }

// Velocity of the centre of mass at the end: 1ᵀ M v / m.
double rebound_velocity(const Field& field, const Solution& solution) {
  const std::vector<double> one(solution.final.v.size(), 1.0);
  return bilinear(field.mass.pattern, field.mass.values.data(), one.data(), solution.final.v.data()) / mass;
}

// Errors of the three answers, relative.
struct BarErrors {
  double duration = 0.0, impulse = 0.0, rebound = 0.0;
};

BarErrors errors_of(const Field& field, const Solution& solution, double h) {
  const Trajectory& path = solution.trajectory;
  double sum = 0.0, first = -1.0, last = 0.0;
  for (std::size_t i = 0; i < path.t.size(); ++i) {
    sum += path.impulse[i];
    if (path.impulse[i] < 0.01 * contact_force * h) continue;
    if (first < 0.0) first = path.t[i];
    last = path.t[i];
  }
  return {std::abs((last - first) / contact_duration - 1.0), std::abs(sum / impulse - 1.0),
          std::abs(rebound_velocity(field, solution) / speed - 1.0)};
}

// The wave has a front: linear elements smear and ripple it over Δx^(2/3), and so does the rebound. Rates found with
// these meshes: impulse and rebound 0.66 to 0.70, duration (which is read off the nodes) 0.6 to 0.9.
TEST(ElasticBar, ErrorsFallWithRefinement) {
  const std::vector<Scheme> schemes = {MoreauJean{}, {"newmark"}, {"hht"}, {"generalized-alpha"}, {"paoli-schatzman"}};
  for (const Scheme& scheme : schemes) {
    SCOPED_TRACE(scheme.name);
    std::vector<double> h, duration, total, rebound;
    for (const int elements : {25, 50, 100, 200}) {
      const Field field = bar_of(elements);
      h.push_back(step_of(elements));
      const BarErrors errors = errors_of(field, run(field, scheme, h.back()), h.back());
      duration.push_back(errors.duration);
      total.push_back(errors.impulse);
      rebound.push_back(errors.rebound);
    }
    EXPECT_NEAR(testing::slope(h, total), 0.68, 0.04);
    EXPECT_NEAR(testing::slope(h, rebound), 0.68, 0.04);
    EXPECT_GT(testing::slope(h, duration), 0.5);
    EXPECT_LT(total.back(), 5e-3);
    EXPECT_LT(rebound.back(), 1e-2);
    EXPECT_LT(duration.back(), 5e-3);
  }
}

// Without step errors: what is left is the mesh alone.
TEST(ElasticBar, EventDrivenShowsTheErrorOfTheMesh) {
  std::vector<double> size, total;
  for (const int elements : {25, 50, 100}) {
    const Field field = bar_of(elements);
    size.push_back(1.0 / elements);
    total.push_back(errors_of(field, run(field, EventDriven{}, step_of(elements)), step_of(elements)).impulse);
  }
  EXPECT_NEAR(testing::slope(size, total), 0.67, 0.03);
}

TEST(ElasticBar, EverySchemeKeepsItsAccount) {
  const int elements = 25;
  const Field field = bar_of(elements);
  for (const SchemeEntry& entry : catalogue()) {
    SCOPED_TRACE(entry.name);
    const double h = step_of(elements);
    const Solution solution = run(field, {std::string(entry.name)}, h);
    ASSERT_EQ(solution.status, Status::completed) << solution.failure.message;
    const EnergyLedger& energy = solution.energy;
    const double sum = energy.input + energy.damping + energy.impact + energy.numerical;
    EXPECT_NEAR(energy.final - energy.initial, sum, 1e-12 * energy.turnover);
    EXPECT_NEAR(energy.initial, 0.5 * mass * speed * speed, 1e-9);
    EXPECT_EQ(energy.input, 0.0);
    EXPECT_LT(energy.impact, 0.0);
    // The answers too.
    const BarErrors errors = errors_of(field, solution, h);
    EXPECT_LT(errors.impulse, 0.03);
    EXPECT_LT(errors.duration, 0.03);
    // Only the wall changes the momentum.
    double wall = 0.0;
    for (const double P : solution.trajectory.impulse) wall += P;
    EXPECT_NEAR(rebound_velocity(field, solution), wall / mass - speed, 1e-3);
  }
}

// Standard deviation of the contact force, over the exact one, in the middle of the contact.
double chatter(const Scheme& scheme) {
  const double h = 5e-4;
  const Solution solution = run(bar_of(100), scheme, h);
  double n = 0.0, sum = 0.0, squares = 0.0;
  for (std::size_t i = 0; i < solution.trajectory.t.size(); ++i) {
    if (solution.trajectory.t[i] < 0.52 || solution.trajectory.t[i] > 0.69) continue;
    const double force = solution.trajectory.impulse[i] / h / contact_force;
    n += 1.0, sum += force, squares += force * force;
  }
  EXPECT_NEAR(sum / n, 1.0, 2e-3) << scheme.name;
  return std::sqrt(std::max(0.0, squares / n - sum * sum / n / n));
}

// The force of the wall rings at the frequencies of the mesh; damping of high frequencies ends that.
TEST(ElasticBar, NumericalDampingEndsTheChatterOfTheForce) {
  EXPECT_GT(chatter(MoreauJean{}), 0.01);
  EXPECT_LT(chatter({"hht", {{"alpha", 0.1}}}), 1e-3);
  EXPECT_LT(chatter({"generalized-alpha", {{"rho_infinity", 0.5}}}), 1e-4);
}

}  // namespace
}  // namespace ricochet
