// Identities of the nonsmooth Newmark family, its notes and refusals.
#include "ricochet/scheme/newmark.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "ricochet/ricochet.hpp"
#include "scheme/kernel/alpha/alpha_step.hpp"
#include "support/kernel_step.hpp"
#include "support/problems.hpp"

namespace ricochet {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using testing::random_linear_description;
using testing::random_linear_start;

constexpr int n = 4;
using Vector = std::array<double, n>;

// A linear system of four coordinates with two contacts, a time-dependent external load and no damping, stepped
// through several impacts; what a step did is handed to `check`.
struct Step {
  double h;
  Vector q0, q1, v0, v1, a0, a1, F0, F1, GP;  // F: external load, GP = H Λ
  double energy0, energy1, contact_half;      // contact_half = U_½ᵀ Λ
  Vector dq, dv, da;
  double K(const Vector& x, const Vector& y) const {
    return bilinear(layout->stiffness, stiffness, x.data(), y.data());
  }
  double M(const Vector& x, const Vector& y) const { return bilinear(layout->mass, mass, x.data(), y.data()); }
  const Layout* layout;
  const double *stiffness, *mass;
};

double product(const Vector& x, const Vector& y) {
  double sum = 0.0;
  for (int i = 0; i < n; ++i) sum += x[i] * y[i];
  return sum;
}
Vector minus(const Vector& x, const Vector& y) {
  Vector difference{};
  for (int i = 0; i < n; ++i) difference[i] = x[i] - y[i];
  return difference;
}
Vector between(const Vector& x0, const Vector& x1, double s) {
  Vector x{};
  for (int i = 0; i < n; ++i) x[i] = (1.0 - s) * x0[i] + s * x1[i];
  return x;
}
Vector load(double t) { return {-0.4 + 0.5 * std::cos(t), 0.2 * std::sin(2.0 * t), 0.0, -0.1}; }

template <class Check>
void each_step(const AlphaRule& rule, const Check& check) {
  LagrangianDescription description = random_linear_description();
  description.potential = "(3*a^2 + 2*(b - a)^2 + 4*(c - b)^2 + (d - c)^2)/2";
  description.force = {{"a", "-0.4 + 0.5*cos(t)"}, {"b", "0.2*sin(2*t)"}, {"d", "-0.1"}};
  const auto model = lagrangian(description);
  const Layout& layout = model->layout();
  const LinearForce<double> linear = model->linear_force();
  std::vector<double> M(layout.mass.size()), H(layout.gradient.size());
  model->mass(0.0, nullptr, M.data());
  model->gap_gradient(0.0, nullptr, H.data());

  AlphaStep<> kernel(*model, rule);
  State s = random_linear_start();
  const double h = 5e-3;
  Vector a{};
  int contacts = 0;
  for (int k = 0; k < 2000; ++k) {
    const State before = s;
    const double t0 = k * h, t1 = (k + 1) * h;
    ASSERT_TRUE(make_step(kernel, t0, h, t1, s.q, s.v));
    Step step{};
    step.h = h, step.layout = &layout, step.stiffness = linear.K.data(), step.mass = M.data();
    for (int i = 0; i < n; ++i) {
      step.q0[i] = before.q[i], step.q1[i] = s.q[i], step.v0[i] = before.v[i], step.v1[i] = s.v[i];
      step.a0[i] = a[i], step.a1[i] = a[i] = kernel.acceleration()[i];
    }
    step.F0 = load(t0), step.F1 = load(t1);
    step.dq = minus(step.q1, step.q0), step.dv = minus(step.v1, step.v0), step.da = minus(step.a1, step.a0);
    step.energy0 = model->energy(t0, before.q.data(), before.v.data()).total();
    step.energy1 = model->energy(t1, s.q.data(), s.v.data()).total();
    for (int j = 0; j < 2; ++j) {
      if (!kernel.contacts().touched() || !kernel.contacts().is_active(j)) continue;
      const double P = kernel.contacts().impulse()[j];
      contacts += P > 0.0;
      step.contact_half += 0.5 * (kernel.contacts().rate_minus()[j] + kernel.contacts().rate_plus()[j]) * P;
      for (int e = layout.gradient.start[j]; e < layout.gradient.start[j + 1]; ++e)
        step.GP[layout.gradient.row[e]] += H[e] * P;
    }
    if (k > 0) check(step, k);
    if (::testing::Test::HasFatalFailure()) return;
  }
  EXPECT_GT(contacts, 5);
}

const AlphaRule newmark_rules[] = {{.gamma = 0.5, .beta = 0.25},
                                   {.gamma = 0.5, .beta = 1.0 / 6.0},
                                   {.gamma = 0.6, .beta = 0.3025},
                                   {.gamma = 1.0, .beta = 0.5}};

// (92): ΔE − Δqᵀ F_γ = (½−γ)‖Δq‖²_K + ½h(2β−γ)[Δqᵀ K Δv − Δvᵀ ΔF] + ½ Λᵀ(U₀+U₁) + ½h(2β−γ) Δaᵀ G Λ
TEST(Newmark, EnergyIdentity92) {
  for (const AlphaRule& rule : newmark_rules)
    each_step(rule, [&](const Step& s, int k) {
      const double half = 0.5 * s.h * (2.0 * rule.beta - rule.gamma);
      const double left = s.energy1 - s.energy0 - product(s.dq, between(s.F0, s.F1, rule.gamma));
      const double right = (0.5 - rule.gamma) * s.K(s.dq, s.dq) +
                           half * (s.K(s.dq, s.dv) - product(s.dv, minus(s.F1, s.F0))) + s.contact_half +
                           half * product(s.da, s.GP);
      ASSERT_NEAR(left, right, 1e-14) << "gamma = " << rule.gamma << ", beta = " << rule.beta << ", step " << k;
    });
}

// (95) corrected: Δ𝓚 − Δqᵀ F_γ = −(γ−½)[‖Δq‖²_K + ½h²(2β−γ)‖Δa‖²_M] + U_½ᵀ Λ, 𝓚 = E + ¼h²(2β−γ) aᵀMa
TEST(Newmark, AlgorithmicEnergy95) {
  for (const AlphaRule& rule : newmark_rules)
    each_step(rule, [&](const Step& s, int k) {
      const double weight = s.h * s.h * (2.0 * rule.beta - rule.gamma);
      const double storage = 0.25 * weight * (s.M(s.a1, s.a1) - s.M(s.a0, s.a0));
      const double left = s.energy1 - s.energy0 + storage - product(s.dq, between(s.F0, s.F1, rule.gamma));
      const double right = -(rule.gamma - 0.5) * (s.K(s.dq, s.dq) + 0.5 * weight * s.M(s.da, s.da)) + s.contact_half;
      ASSERT_NEAR(left, right, 1e-14) << "gamma = " << rule.gamma << ", beta = " << rule.beta << ", step " << k;
    });
}

// (103): 2Δ𝓗 = 2U_½ᵀΛ − h²(γ−½)(2β−γ)‖Δa‖²_M − 2(γ−½−α)‖Δq‖²_K − 2α(1−2(γ−½))‖Δw‖²_K + 2F_{γ−α}ᵀΔq
//               + 2α(1−2(γ−½)) Δqᵀ Δy,   w = ½Δq, y = ½ΔF of each step; (104) is γ = ½ + α.
TEST(Hht, AlgorithmicEnergy103And104) {
  const AlphaRule rules[] = {{.alpha_f = 0.1, .gamma = 0.6, .beta = 0.3025},
                             {.alpha_f = 1.0 / 3.0, .gamma = 5.0 / 6.0, .beta = 4.0 / 9.0},
                             {.alpha_f = 0.1, .gamma = 0.75, .beta = 0.4},
                             {.alpha_f = 0.0, .gamma = 0.5, .beta = 0.25}};
  for (const AlphaRule& rule : rules) {
    const double alpha = rule.alpha_f, gamma = rule.gamma;
    Vector w0{}, y0{};
    each_step(rule, [&](const Step& s, int k) {
      const Vector w1 = between(Vector{}, s.dq, 0.5), y1 = between(Vector{}, minus(s.F1, s.F0), 0.5);
      const double weight = s.h * s.h * (2.0 * rule.beta - gamma), share = alpha * (1.0 - 2.0 * (gamma - 0.5));
      if (k > 1) {
        const double left = 2.0 * (s.energy1 - s.energy0 + 0.25 * weight * (s.M(s.a1, s.a1) - s.M(s.a0, s.a0)) +
                                   2.0 * alpha * (1.0 - gamma) * (s.K(w1, w1) - s.K(w0, w0)));
        const Vector dw = minus(w1, w0);
        const double right = 2.0 * s.contact_half - (gamma - 0.5) * weight * s.M(s.da, s.da) -
                             2.0 * (gamma - 0.5 - alpha) * s.K(s.dq, s.dq) - 2.0 * share * s.K(dw, dw) +
                             2.0 * product(s.dq, between(s.F0, s.F1, gamma - alpha)) +
                             2.0 * share * product(s.dq, minus(y1, y0));
        ASSERT_NEAR(left, right, 2e-14) << "alpha = " << alpha << ", gamma = " << gamma << ", step " << k;
      }
      w0 = w1, y0 = y1;
    });
  }
}

// In free linear motion without damping newmark with γ = ½ keeps its algorithmic energy, and not E; γ > ½ loses it.
TEST(Newmark, AlgorithmicEnergyOfFreeMotionIsKept) {
  LagrangianDescription description = random_linear_description();
  description.constraints.clear();
  const auto model = lagrangian(description);
  const auto run = [&](const Scheme& scheme) {
    return simulate(*model, random_linear_start(), {0.0, 50.0}, scheme, {.h = 0.05}).energy;
  };
  for (const char* choice : {"average-acceleration", "linear-acceleration", "central-difference"}) {
    const EnergyLedger energy = run(Scheme{"newmark", {{"choice", choice}}});
    ASSERT_TRUE(energy.algorithmic_final);
    EXPECT_NEAR(*energy.algorithmic_final, *energy.algorithmic_initial, 1e-12) << choice;
  }
  const EnergyLedger damped = run(Newmark{.choice = Newmark::Choice::damped, .gamma = 0.7});
  EXPECT_LT(*damped.algorithmic_final, *damped.algorithmic_initial - 1e-3);
  const EnergyLedger hht = run(Hht{});
  EXPECT_LT(*hht.algorithmic_final, *hht.algorithmic_initial - 1e-4);
  EXPECT_FALSE(run(GeneralizedAlpha{}).algorithmic_final);
}

// Where M depends on q the order in flight is 2 only if M is taken at the time of the force: a double pendulum.
TEST(NewmarkFamily, SecondOrderWithVariableMass) {
  const auto pendulum = lagrangian({.coordinates = {"a", "b"},
                                    .kinetic = "a_dot^2 + b_dot^2/2 + a_dot*b_dot*cos(a - b)",
                                    .potential = "-2*9.81*cos(a) - 9.81*cos(b)"});
  const State start{.q = {1.2, -0.4}, .v = {0.3, 1.0}};
  const auto end = [&](const Scheme& scheme, double h) {
    return simulate(*pendulum, start, {0.0, 1.0}, scheme, {.h = h}).final;
  };
  const State exact = end(MoreauJean{}, 1e-5);
  for (const Scheme& scheme :
       {Scheme(Newmark{}), Scheme(Hht{.alpha = 0.2}), Scheme(GeneralizedAlpha{.rho_infinity = 0.3}),
        Scheme(Newmark{.choice = Newmark::Choice::central_difference})}) {
    const auto error = [&](double h) {
      const State s = end(scheme, h);
      return std::abs(s.q[0] - exact.q[0]) + std::abs(s.q[1] - exact.q[1]) + 0.1 * std::abs(s.v[0] - exact.v[0]);
    };
    EXPECT_NEAR(std::log2(error(0.01) / error(0.005)), 2.0, 0.15) << scheme.name;
    EXPECT_LT(error(0.005), 2e-3) << scheme.name;
  }
}

// hht with α = 0 and generalized-alpha with ρ∞ = 1 on a linear system without damping: the midpoint family's energy.
TEST(NewmarkFamily, HhtWithoutAlphaIsNewmark) {
  const auto model = lagrangian(random_linear_description());
  const auto run = [&](const Scheme& scheme) {
    return simulate(*model, random_linear_start(), {0.0, 5.0}, scheme, {.h = 0.01}).trajectory;
  };
  EXPECT_EQ(run(Hht{.alpha = 0.0}).q, run(Newmark{}).q);
}

TEST(Newmark, ConditionallyStableChoicesGetANote) {
  const auto spring = lagrangian({.coordinates = {"x"}, .kinetic = "x_dot^2/2", .potential = "x^2/2"});
  const auto notes = [&](const Scheme& scheme) { return make_stepper(*spring, scheme)->notes(); };
  EXPECT_THAT(notes(Newmark{}), IsEmpty());
  EXPECT_THAT(notes(Newmark{.choice = Newmark::Choice::damped, .gamma = 0.8}), IsEmpty());
  EXPECT_THAT(notes(Newmark{.choice = Newmark::Choice::linear_acceleration}), ElementsAre(HasSubstr("h ω < 3.464102")));
  EXPECT_THAT(notes(Newmark{.choice = Newmark::Choice::fox_goodwin}), ElementsAre(HasSubstr("h ω < 2.44949")));
  EXPECT_THAT(notes(Newmark{.choice = Newmark::Choice::central_difference}), ElementsAre(HasSubstr("h ω < 2 only")));
}

// Stable just below the limit, unstable just above it.
TEST(Newmark, StabilityLimits) {
  const auto spring = lagrangian({.coordinates = {"x"}, .kinetic = "x_dot^2/2", .potential = "x^2/2"});
  const auto largest = [&](const char* choice, double h) {
    const Solution s = simulate(*spring, {.q = {1.0}, .v = {0.3}}, {0.0, 1000.0 * h},
                                Scheme{"newmark", {{"choice", choice}}}, {.h = h});
    return std::abs(s.final.q[0]);
  };
  const std::pair<const char*, double> limits[] = {
      {"linear-acceleration", std::sqrt(12.0)}, {"fox-goodwin", std::sqrt(6.0)}, {"central-difference", 2.0}};
  for (const auto& [choice, limit] : limits) {
    EXPECT_LT(largest(choice, 0.98 * limit), 100.0) << choice;
    EXPECT_GT(largest(choice, 1.02 * limit), 1e6) << choice;
  }
  EXPECT_LT(largest("average-acceleration", 1000.0), 1000.0);
}

TEST(Newmark, NumbersThatContradictTheChoiceAreRefused) {
  const auto spring = lagrangian({.coordinates = {"x"}, .kinetic = "x_dot^2/2", .potential = "x^2/2"});
  const auto make = [&](Scheme scheme) { make_stepper(*spring, scheme); };
  EXPECT_THROW(make({"newmark", {{"choice", "fox-goodwin"}, {"beta", 0.25}}}), InputError);
  EXPECT_THROW(make({"newmark", {{"choice", "damped"}, {"gamma", 0.7}, {"beta", 0.25}}}), InputError);
  EXPECT_NO_THROW(make({"newmark", {{"choice", "custom"}, {"gamma", 0.7}, {"beta", 0.5}}}));
  EXPECT_NO_THROW(make({"newmark", {{"gamma", 1.0}, {"beta", 0.5}}}));
  EXPECT_THROW(make({"newmark", {{"gamma", 0.4}}}), InputError);
  EXPECT_THROW(make({"hht", {{"alpha", 0.4}}}), InputError);
  EXPECT_THROW(make({"hht", {{"alpha", -0.1}}}), InputError);
  EXPECT_THROW(make({"generalized-alpha", {{"rho_infinity", 1.1}}}), InputError);
}

}  // namespace
}  // namespace ricochet
