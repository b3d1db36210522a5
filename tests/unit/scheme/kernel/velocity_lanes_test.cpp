// The kernel of the velocity and position schemes over lanes.
#include <gtest/gtest.h>

#include "ricochet/ricochet.hpp"
#include "scheme/kernel/velocity/velocity_step.hpp"
#include "support/kernel_step.hpp"
#include "support/problems.hpp"

namespace ricochet {
namespace {

using testing::random_linear_description;
using testing::random_linear_start;

// The kernel over lanes against eight single runs, bit for bit: parameters, starts and step sizes differ.
void compare_lanes(const LagrangianDescription& description, const std::string& varied, double lower, double upper,
                   const State& start, double h, int steps, const VelocityRule& rule) {
  std::vector<NamedQuantities> parameters(lane_count, description.parameters);
  for (int l = 0; l < lane_count; ++l)
    for (auto& [name, value] : parameters[l])
      if (name == varied) value = lower + (upper - lower) * l / (lane_count - 1);
  const LagrangianFamily family(description);
  const auto values_of_lane = [&](int l) {
    std::vector<double> values;
    for (const auto& [name, value] : evaluate_parameters(parameters[l])) values.push_back(value);
    return values;
  };
  const auto lanes_model = family.lanes(values_of_lane(0));
  for (int l = 1; l < lane_count; ++l) lanes_model->set(l, values_of_lane(l).data());
  VelocityStep<Lanes> lanes(*lanes_model, rule);
  const std::size_t nq = start.q.size(), nz = start.z.size();
  std::vector<Lanes> q(nq), v(nq), z(nz);
  std::vector<State> single(lane_count, start);
  Lanes step_size;
  for (int l = 0; l < lane_count; ++l) {
    step_size.set(l, h * (1.0 + 0.03 * l));
    for (std::size_t i = 0; i < nq; ++i) {
      single[l].q[i] += 0.01 * l;
      q[i].set(l, single[l].q[i]);
      v[i].set(l, single[l].v[i]);
    }
    for (std::size_t i = 0; i < nz; ++i) z[i].set(l, single[l].z[i]);
  }
  std::vector<std::unique_ptr<Model>> models;
  std::vector<std::unique_ptr<VelocityStep<double>>> kernels;
  for (int l = 0; l < lane_count; ++l) {
    LagrangianDescription own = description;
    own.parameters = parameters[l];
    models.push_back(lagrangian(own));
    kernels.push_back(std::make_unique<VelocityStep<double>>(*models.back(), rule));
  }
  int contacts = 0;
  if (lanes.has_start()) {
    ASSERT_TRUE(all(lanes.start(Lanes(0.0), step_size, q.data(), v.data(), z.data())));
    for (int l = 0; l < lane_count; ++l) {
      State& s = single[l];
      ASSERT_TRUE(kernels[l]->start(0.0, step_size[l], s.q.data(), s.v.data(), s.z.data()));
      for (std::size_t i = 0; i < nq; ++i) ASSERT_EQ(s.v[i], v[i][l]) << "start of lane " << l;
    }
  }
  for (int k = 0; k < steps; ++k) {
    const Lanes t0 = Lanes(k) * step_size, t1 = Lanes(k + 1) * step_size;
    ASSERT_TRUE(all(make_step(lanes, t0, step_size, t1, q, v, z.data())));
    for (int l = 0; l < lane_count; ++l) {
      State& s = single[l];
      ASSERT_TRUE(make_step(*kernels[l], double(t0[l]), double(step_size[l]), double(t1[l]), s.q, s.v, s.z.data()));
      for (std::size_t i = 0; i < nq; ++i) {
        ASSERT_EQ(s.q[i], q[i][l]) << "step " << k << " lane " << l;
        ASSERT_EQ(s.v[i], v[i][l]) << "step " << k << " lane " << l;
      }
      for (std::size_t i = 0; i < nz; ++i) ASSERT_EQ(s.z[i], z[i][l]);
      for (int j = 0; j < models[l]->nc(); ++j) {
        ASSERT_EQ(kernels[l]->contacts().impulse()[j], lanes.contacts().impulse()[j][l]);
        contacts += kernels[l]->contacts().impulse()[j] > 0.0;
      }
      ASSERT_EQ(kernels[l]->ledger().impact, lanes.ledger().impact[l]);
      ASSERT_EQ(kernels[l]->ledger().input, lanes.ledger().input[l]);
      ASSERT_EQ(kernels[l]->ledger().numerical, lanes.ledger().numerical[l]);
    }
  }
  EXPECT_GT(contacts, lane_count);
}

class VelocityLanes : public ::testing::TestWithParam<std::pair<const char*, VelocityRule>> {};

TEST_P(VelocityLanes, LinearSystemWithTwoStops) {
  LagrangianDescription description = random_linear_description();
  description.parameters = {{"s", 1.0}};
  description.potential += " + s*(a - c)^2/2";
  description.force = {{"b", "s*cos(3*t)"}};
  compare_lanes(description, "s", 0.5, 2.0, random_linear_start(), 5e-3, 2000, GetParam().second);
}

TEST_P(VelocityLanes, CurvedGapAndVariableMass) {
  LagrangianDescription description = {
      .coordinates = {"a", "b"},
      .kinetic = "a_dot^2 + b_dot^2/2 + a_dot*b_dot*cos(a - b)",
      .potential = "-2*g*cos(a) - g*cos(b)",
      .dissipation = "0.01*a_dot^2",
      .force = {{"b", "0.1*p"}},
      .parameters = {{"g", 9.81}},
      .states = {{.name = "p", .rate = "-p + a_dot", .initial = 0.0}},
      .constraints = {{.name = "left", .gap = "sin(a) + sin(b) + 0.5", .restitution = 0.5},
                      {.name = "right", .gap = "0.7 - sin(a)", .restitution = 0.3}}};
  State start{.q = {0.5, 0.6}, .v = {0.0, 0.0}, .z = {0.1}};
  const VelocityRule& rule = GetParam().second;
  if (rule.contacts != VelocityRule::Contacts::forecast) {
    description.states.clear(), description.force.clear(), start.z.clear();
    description.constraints[1].restitution = 0.5;
  }
  compare_lanes(description, "g", 5.0, 12.0, start, 2e-3, 1500, rule);
}

// Balls fall into a groove of curved walls and come to rest one after the other: a lane that has converged keeps its
// impulses while its neighbours iterate.
TEST_P(VelocityLanes, RestBesideMotion) {
  const LagrangianDescription description = {
      .coordinates = {"x", "y"},
      .kinetic = "(x_dot^2 + 1.3*y_dot^2)/2",
      .potential = "g*y",
      .parameters = {{"g", 9.81}},
      .constraints = {
          {.name = "left", .gap = "(y - 1) + 0.7*(x - 1) - 0.3*(x - 1)^2 + 0.1*(x - 1)*(y - 1)", .restitution = 0.0},
          {.name = "right", .gap = "(y - 1) - 0.4*(x - 1) - 0.2*(x - 1)^2 - 0.2*(y - 1)^2", .restitution = 0.0}}};
  compare_lanes(description, "g", 5.0, 12.0, {.q = {1.0, 1.0}, .v = {0.0, 0.0}}, 1e-5, 15000, GetParam().second);
}

// Lanes that need relaxed iterations, or whose steps do not resolve the curve, beside others that do without.
TEST_P(VelocityLanes, MassesOfDifferentSize) {
  const LagrangianDescription description = {
      .coordinates = {"x", "y"},
      .kinetic = "(x_dot^2 + m*y_dot^2)/2",
      .potential = "9.81*m*y",
      .parameters = {{"m", 1.0}},
      .constraints = {{.name = "bowl", .gap = "1 - sqrt(x^2 + y^2)", .restitution = 0.4},
                      {.name = "wall", .gap = "x + x*y/8 + 0.25", .restitution = 0.4}}};
  compare_lanes(description, "m", 0.01, 30.0, {.q = {0.2, 0.3}, .v = {0.0, 0.0}}, 4e-3, 800, GetParam().second);
}

using Contacts = VelocityRule::Contacts;
using Start = VelocityRule::Start;
INSTANTIATE_TEST_SUITE_P(
    Rules, VelocityLanes,
    ::testing::Values(
        std::pair{"moreau_jean", VelocityRule{.theta = 0.6, .phi = 0.6}},
        std::pair{"mabrouk",
                  VelocityRule{.theta = 1.0, .phi = 0.0, .contacts = Contacts::gap_at_end, .start = Start::kick}},
        std::pair{"paoli_schatzman", VelocityRule{.theta = 1.0,
                                                  .phi = 0.0,
                                                  .contacts = Contacts::position,
                                                  .psi = 0.5,
                                                  .start = Start::advanced,
                                                  .start_time = 0.5}},
        std::pair{"feasible_position",
                  VelocityRule{.theta = 1.0, .phi = 0.0, .contacts = Contacts::position, .psi = 0.0}},
        std::pair{"paoli_schatzman_newmark",
                  VelocityRule{.theta = 1.0, .phi = 0.0, .contacts = Contacts::position, .psi = 0.5, .mu = 0.25}}),
    [](const auto& instance) { return std::string(instance.param.first); });

}  // namespace
}  // namespace ricochet
