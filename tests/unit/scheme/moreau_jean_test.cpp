// Identities of the Moreau-Jean schemes.
#include "ricochet/scheme/moreau_jean.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "ricochet/ricochet.hpp"
#include "scheme/kernel/velocity/velocity_step.hpp"
#include "support/kernel_step.hpp"
#include "support/problems.hpp"

namespace ricochet {
namespace {

using testing::random_linear_description;
using testing::random_linear_start;

// (84): ΔE − h v_θᵀ F_θ = (½ − θ)[‖Δv‖²_M + ‖Δq‖²_K] + U_θᵀ P, C = 0, on a linear system with two contacts.
TEST(MoreauJean, EnergyIdentity84) {
  LagrangianDescription description = random_linear_description();
  description.potential = "(3*a^2 + 2*(b - a)^2 + 4*(c - b)^2 + (d - c)^2)/2";
  description.force = {{"a", "-0.4 + 0.5*cos(t)"}, {"d", "-0.1"}};
  const auto model = lagrangian(description);
  const Layout& layout = model->layout();
  const LinearForce<double> linear = model->linear_force();
  std::vector<double> M(layout.mass.size());
  model->mass(0.0, nullptr, M.data());
  for (const double theta : {0.5, 0.6, 0.9, 1.0}) {
    const double h = 5e-3;
    VelocityStep<double> kernel(*model, {.theta = theta, .phi = theta});
    State s = random_linear_start();
    int contacts = 0;
    for (int k = 0; k < 2000; ++k) {
      const State s0 = s;
      const double t0 = k * h, t1 = (k + 1) * h;
      ASSERT_TRUE(make_step(kernel, t0, h, t1, s.q, s.v));
      double dv[4], dq[4], work = 0.0;
      const double F0[] = {-0.4 + 0.5 * std::cos(t0), 0.0, 0.0, -0.1},
                   F1[] = {-0.4 + 0.5 * std::cos(t1), 0.0, 0.0, -0.1};
      for (int i = 0; i < 4; ++i) {
        dv[i] = s.v[i] - s0.v[i];
        dq[i] = s.q[i] - s0.q[i];
        work += h * ((1 - theta) * s0.v[i] + theta * s.v[i]) * ((1 - theta) * F0[i] + theta * F1[i]);
      }
      double contact = 0.0;
      for (int j = 0; j < 2; ++j)
        if (kernel.contacts().touched() && kernel.contacts().is_active(j)) {
          contact += ((1 - theta) * kernel.contacts().rate_minus()[j] + theta * kernel.contacts().rate_plus()[j]) *
                     kernel.contacts().impulse()[j];
          contacts += kernel.contacts().impulse()[j] > 0.0;
        }
      const double left = model->energy(t1, s.q.data(), s.v.data()).total() -
                          model->energy(t0, s0.q.data(), s0.v.data()).total() - work;
      const double right = (0.5 - theta) * (bilinear(layout.mass, M.data(), dv, dv) +
                                            bilinear(layout.stiffness, linear.K.data(), dq, dq)) +
                           contact;
      ASSERT_NEAR(left, right, 1e-14) << "theta = " << theta << ", step " << k;
    }
    EXPECT_GT(contacts, 5);
  }
}

// (88) corrected: ΔE − Δqᵀ F_θ = (½ − θ)‖Δq‖²_K + U_½ᵀ P for positions moved by v_½.
TEST(MoreauJeanDissipative, EnergyIdentity88) {
  const auto model = lagrangian(random_linear_description());
  const Layout& layout = model->layout();
  const LinearForce<double> linear = model->linear_force();
  for (const double theta : {0.5, 0.6, 1.0}) {
    const double h = 5e-3;
    VelocityStep<double> kernel(*model, {.theta = theta, .phi = 0.5});
    State s = random_linear_start();
    int contacts = 0;
    for (int k = 0; k < 2000; ++k) {
      const State s0 = s;
      ASSERT_TRUE(make_step(kernel, k * h, h, (k + 1) * h, s.q, s.v));
      double dq[4];
      for (int i = 0; i < 4; ++i) dq[i] = s.q[i] - s0.q[i];
      double contact = 0.0;
      for (int j = 0; j < 2; ++j)
        if (kernel.contacts().touched() && kernel.contacts().is_active(j)) {
          contact += 0.5 * (kernel.contacts().rate_minus()[j] + kernel.contacts().rate_plus()[j]) *
                     kernel.contacts().impulse()[j];
          contacts += kernel.contacts().impulse()[j] > 0.0;
        }
      // The load is the potential's and constant: its work is in E.
      const double left =
          model->energy(0.0, s.q.data(), s.v.data()).total() - model->energy(0.0, s0.q.data(), s0.v.data()).total();
      const double right = (0.5 - theta) * bilinear(layout.stiffness, linear.K.data(), dq, dq) + contact;
      ASSERT_NEAR(left, right, 1e-14) << "theta = " << theta << ", step " << k;
    }
    EXPECT_GT(contacts, 5);
  }
}

// Force-free ball [Paoli 2008, 2001]: q_k = 1 − k h until g + γ h U ≤ 0 forecasts the impact, then e h a step.
TEST(MoreauJean, ForceFreeBallInClosedForm) {
  const auto ball = lagrangian(testing::ball_description(0.0, 0.3));
  for (const double theta : {0.0, 0.5, 1.0})
    for (const double gamma : {0.0, 0.5, 1.0})
      for (const double h : {0.07, 0.013, 0.0311}) {
        const int n = static_cast<int>(2.0 / h);
        const Solution solution = simulate(*ball, {.q = {1.0}, .v = {-1.0}}, {0.0, n * h},
                                           MoreauJean{.theta = theta, .forecast = gamma}, {.h = h});
        // First k with 1 − k h − γ h ≤ 0.
        const int k = static_cast<int>(std::ceil(1.0 / h - gamma));
        for (int i = 0; i <= n; ++i) {
          const double expected =
              i <= k ? 1.0 - i * h : 1.0 - k * h + h * (-(1 - theta) + theta * 0.3) + (i - k - 1) * 0.3 * h;
          ASSERT_NEAR(solution.trajectory.q[i], expected, 1e-13) << theta << " " << gamma << " " << h << " node " << i;
        }
      }
}

// Auxiliary states follow the same θ rule: x'' = −p, p' = x' + … against the exponential of the linear system.
TEST(MoreauJean, AuxiliaryStatesAreOfSecondOrder) {
  const auto model = lagrangian({.coordinates = {"x"},
                                 .kinetic = "x_dot^2/2",
                                 .force = {{"x", "-p"}},
                                 .states = {{.name = "p", .rate = "x_dot", .initial = 1.0}}});
  const auto error = [&](double h) {
    const Solution s = simulate(*model, {.q = {1.0}, .v = {0.0}, .z = {1.0}}, {0.0, 2.0}, MoreauJean{}, {.h = h});
    return std::abs(s.final.q[0] - std::cos(2.0)) + std::abs(s.final.z[0] - std::cos(2.0));
  };
  EXPECT_LT(error(0.01), 1e-4);
  EXPECT_NEAR(std::log2(error(0.02) / error(0.01)), 2.0, 0.05);
}

TEST(MoreauJean, NotesOnTheta) {
  const auto ball = lagrangian(testing::ball_description(2.0, 0.5));
  const auto notes = [&](double theta) { return make_stepper(*ball, MoreauJean{.theta = theta})->notes(); };
  EXPECT_EQ(notes(0.5).size(), 0u);
  EXPECT_EQ(notes(0.66).size(), 0u);
  EXPECT_EQ(notes(0.4).size(), 1u);
  EXPECT_EQ(notes(0.7).size(), 1u);
}

}  // namespace
}  // namespace ricochet
