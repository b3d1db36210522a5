// Implicit steps: orders, dense output, stiff problems, Newton's method and its failures.
#include "runge_kutta/implicit.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "ricochet/core/error.hpp"
#include "unit/runge_kutta/problems.hpp"

namespace ricochet {
namespace {

using testing::Bead;
using testing::Ending;
using testing::Fit;
using testing::Linear;
using testing::Waves;
using testing::WavesWithJacobian;

std::vector<const Tableau*> implicit_tableaus() {
  std::vector<const Tableau*> list;
  for (const Tableau& tableau : tableaus())
    if (!tableau.is_explicit) list.push_back(&tableau);
  return list;
}

bool is_radau(const Tableau& tableau) { return tableau.name.starts_with("radau"); }

TEST(ImplicitRungeKutta, ConvergesWithItsOrder) {
  for (const Tableau* tableau : implicit_tableaus()) {
    Fit fit;
    for (int n = 16; n <= 1024; n *= 2) {
      ImplicitRungeKutta engine(*tableau, 2);
      Waves rhs;
      fit.add(1.0 / n, testing::waves_error(engine, rhs, n));
    }
    ASSERT_GE(fit.x.size(), 3U) << tableau->name;
    EXPECT_NEAR(fit.slope(), tableau->order, 0.1) << tableau->name;
  }
}

// The stage equations are solved so well that thousands of steps leave nothing but round-off.
TEST(ImplicitRungeKutta, ReachesRoundOff) {
  for (const char* name : {"gauss-3", "radau-iia-3"}) {
    ImplicitRungeKutta engine(find_tableau(name), 2);
    Waves rhs;
    EXPECT_LT(testing::waves_error(engine, rhs, 4000), 3e-14) << name;
  }
}

// ∂f/∂y given or by differences: the same steps to round-off.
TEST(ImplicitRungeKutta, TheJacobianOnlyGuidesTheIteration) {
  for (const Tableau* tableau : implicit_tableaus()) {
    ImplicitRungeKutta given(*tableau, 2), differences(*tableau, 2);
    WavesWithJacobian with;
    Waves without;
    std::vector<double> a = Waves::exact(0.5), b = a;
    for (int k = 0; k < 20; ++k) {
      const Start start = k == 0 ? Start::fresh : Start::continued;
      ASSERT_EQ(given.step(with, 0.5 + 0.05 * k, 0.05, a.data(), a.data(), start), OdeStatus::done);
      ASSERT_EQ(differences.step(without, 0.5 + 0.05 * k, 0.05, b.data(), b.data(), start), OdeStatus::done);
      EXPECT_LT(testing::largest_difference(a, b), 2e-14) << tableau->name;
    }
    EXPECT_EQ(with.calls, given.jacobians());
    EXPECT_LT(given.jacobians(), 20);
  }
}

// One step from the exact solution: the error of the collocation polynomial is O(h^(stages + 1)).
TEST(ImplicitRungeKutta, DenseOutputHasItsOrder) {
  for (const Tableau* tableau : implicit_tableaus()) {
    Fit fit{.smallest = 1e-13};
    for (int n = 32; n <= 2048; n *= 2) {
      ImplicitRungeKutta engine(*tableau, 2);
      DenseOutput dense(2);
      Waves rhs;
      std::vector<double> y = Waves::exact(0.7);
      ASSERT_EQ(engine.step(rhs, 0.7, 1.0 / n, y.data(), y.data()), OdeStatus::done);
      engine.dense_output(dense);
      fit.add(1.0 / n, testing::dense_error(dense));
    }
    ASSERT_GE(fit.x.size(), 4U) << tableau->name;
    EXPECT_NEAR(fit.slope(), tableau->dense_order + 1, 0.1) << tableau->name;
  }
}

// The polynomial meets both ends and the stages; k_i = f(Y_i) is its derivative there.
TEST(ImplicitRungeKutta, DenseOutputMeetsTheStages) {
  for (const Tableau* tableau : implicit_tableaus()) {
    ImplicitRungeKutta engine(*tableau, 2);
    DenseOutput dense(2);
    Waves rhs;
    const double t = 0.7, h = 0.1;
    const std::vector<double> y0 = Waves::exact(t);
    std::vector<double> y1(2), Y(2), f(2);
    ASSERT_EQ(engine.step(rhs, t, h, y0.data(), y1.data()), OdeStatus::done);
    engine.dense_output(dense);
    for (int i = 0; i < 2; ++i) {
      EXPECT_EQ(dense.value(i, 0.0), y0[i]);
      EXPECT_NEAR(dense.value(i, 1.0), y1[i], 2e-15);
    }
    for (int s = 0; s < tableau->stages; ++s) {
      engine.stage_value(s, Y.data());
      rhs(t + tableau->c[s] * h, Y.data(), f.data());
      for (int i = 0; i < 2; ++i) {
        EXPECT_NEAR(dense.value(i, tableau->c[s]), Y[i], 2e-15) << tableau->name;
        EXPECT_NEAR(dense.derivative(i, tableau->c[s]), f[i], 2e-13) << tableau->name;
        EXPECT_NEAR(engine.stage_derivative(s)[i], f[i], 2e-13) << tableau->name;
      }
    }
    if (is_radau(*tableau)) EXPECT_EQ(Y, y1);
  }
}

// A very stiff component: Radau damps it at once, Gauss keeps its size for ever.
TEST(ImplicitRungeKutta, RadauDampsWhatGaussKeeps) {
  for (const Tableau* tableau : implicit_tableaus()) {
    ImplicitRungeKutta engine(*tableau, 1);
    Linear rhs{-1e9};
    double y = 1.0;
    for (int k = 0; k < 10; ++k)
      ASSERT_EQ(engine.step(rhs, 0.1 * k, 0.1, &y, &y, k == 0 ? Start::fresh : Start::continued), OdeStatus::done);
    EXPECT_EQ(engine.jacobians(), 1);
    EXPECT_EQ(engine.factorisations(), 1);
    if (is_radau(*tableau)) {
      EXPECT_LT(std::abs(y), 1e-15) << tableau->name;
    } else {
      EXPECT_NEAR(y, 1.0, 1e-5) << tableau->name;
    }
  }
}

// One step of y' = λy is the stability function: gauss-s is the diagonal Padé approximation of e^z, radau the one
// below.
TEST(ImplicitRungeKutta, HasItsStabilityFunction) {
  for (const double z : {-5.0, -0.3, 0.4}) {
    const double z2 = z * z, z3 = z2 * z;
    const auto one_step = [z](const char* name) {
      ImplicitRungeKutta engine(find_tableau(name), 1);
      Linear rhs{z};
      double y = 1.0;
      EXPECT_EQ(engine.step(rhs, 0.0, 1.0, &y, &y), OdeStatus::done);
      return y;
    };
    EXPECT_NEAR(one_step("gauss-1"), (1.0 + z / 2) / (1.0 - z / 2), 1e-15);
    EXPECT_NEAR(one_step("gauss-2"), (1.0 + z / 2 + z2 / 12) / (1.0 - z / 2 + z2 / 12), 1e-15);
    EXPECT_NEAR(one_step("gauss-3"), (1.0 + z / 2 + z2 / 10 + z3 / 120) / (1.0 - z / 2 + z2 / 10 - z3 / 120), 1e-15);
    EXPECT_NEAR(one_step("radau-iia-2"), (1.0 + z / 3) / (1.0 - 2 * z / 3 + z2 / 6), 1e-15);
    EXPECT_NEAR(one_step("radau-iia-3"), (1.0 + 2 * z / 5 + z2 / 20) / (1.0 - 3 * z / 5 + 3 * z2 / 20 - z3 / 60),
                1e-15);
  }
}

// y' = λ(y − cos t) − sin t: off the slow solution by 1 at the start, with steps far above 1/|λ|.
struct StiffToSlow {
  double rate = -1e6;
  bool operator()(double t, const double* y, double* dy) {
    dy[0] = rate * (y[0] - std::cos(t)) - std::sin(t);
    return true;
  }
};

TEST(ImplicitRungeKutta, RadauFollowsTheSlowSolution) {
  for (const char* name : {"radau-iia-2", "radau-iia-3"}) {
    ImplicitRungeKutta engine(find_tableau(name), 1);
    StiffToSlow rhs;
    double y = 2.0, h = 0.05;
    for (int k = 0; k < 40; ++k)
      ASSERT_EQ(engine.step(rhs, k * h, h, &y, &y, k == 0 ? Start::fresh : Start::continued), OdeStatus::done);
    EXPECT_NEAR(y, std::cos(2.0), 1e-9) << name;
  }
}

// Gauss keeps quadratic first integrals: the rigid body's |y|² and energy (inertia ½, 1, 2), to round-off over many
// steps.
TEST(ImplicitRungeKutta, GaussKeepsQuadraticIntegrals) {
  auto body = [](double, const double* y, double* dy) {
    dy[0] = (1.0 / 2.0 - 1.0 / 1.0) * y[1] * y[2];
    dy[1] = (1.0 / 0.5 - 1.0 / 2.0) * y[2] * y[0];
    dy[2] = (1.0 / 1.0 - 1.0 / 0.5) * y[0] * y[1];
    return true;
  };
  for (const char* name : {"gauss-1", "gauss-2", "gauss-3"}) {
    ImplicitRungeKutta engine(find_tableau(name), 3);
    std::vector<double> y = {std::cos(1.1), 0.1, std::sin(1.1)};
    const auto size = [&y] { return y[0] * y[0] + y[1] * y[1] + y[2] * y[2]; };
    const auto energy = [&y] { return y[0] * y[0] / 0.5 + y[1] * y[1] / 1.0 + y[2] * y[2] / 2.0; };
    const double size0 = size(), energy0 = energy();
    for (int k = 0; k < 5000; ++k)
      ASSERT_EQ(engine.step(body, 0.1 * k, 0.1, y.data(), y.data(), k == 0 ? Start::fresh : Start::continued),
                OdeStatus::done);
    EXPECT_NEAR(size(), size0, 5e-14) << name;
    EXPECT_NEAR(energy(), energy0, 5e-14) << name;
  }
}

// What is kept between steps changes the work, not the result.
// What decays comes to the least numbers there are, which have no digits to iterate on.
TEST(ImplicitRungeKutta, StepsOnWhereNoDigitsAreLeft) {
  struct Decay {
    bool operator()(double, const double* y, double* dy) const {
      dy[0] = y[1];
      dy[1] = -9e2 * std::sin(y[0]) - 60.0 * y[1] - y[1] * y[1];
      return true;
    }
  };
  for (const Tableau* tableau : implicit_tableaus()) {
    ImplicitRungeKutta engine(*tableau, 2);
    Decay rhs;
    for (double size = 1e-200; size > 0.0; size *= 0.1) {
      std::vector<double> y = {size, -size};
      for (int k = 0; k < 3; ++k)
        ASSERT_EQ(engine.step(rhs, 0.0, 0.01, y.data(), y.data(), k == 0 ? Start::fresh : Start::continued),
                  OdeStatus::done)
            << tableau->name << " " << size;
      EXPECT_LE(std::abs(y[0]), size);
    }
  }
}

TEST(ImplicitRungeKutta, KeepsWhatItKnows) {
  for (const Tableau* tableau : implicit_tableaus()) {
    ImplicitRungeKutta engine(*tableau, 2), fresh(*tableau, 2);
    Waves rhs;
    const double h = 0.01;
    std::vector<double> y = Waves::exact(0.5), y1(2), reference(2);
    ASSERT_EQ(engine.step(rhs, 0.5, h, y.data(), y1.data()), OdeStatus::done);
    const long first = engine.iterations();

    // a shorter step from the same state: the same J, its stages read from the polynomial
    ASSERT_EQ(engine.step(rhs, 0.5, 0.7 * h, y.data(), y1.data(), Start::same), OdeStatus::done);
    ASSERT_EQ(fresh.step(rhs, 0.5, 0.7 * h, y.data(), reference.data()), OdeStatus::done);
    EXPECT_LT(testing::largest_difference(y1, reference), 1e-15);
    EXPECT_EQ(engine.jacobians(), 1);
    EXPECT_EQ(engine.factorisations(), 2);
    EXPECT_LE(engine.iterations() - first, first);

    // the next one
    const long before = engine.iterations();
    ASSERT_EQ(engine.step(rhs, 0.5 + 0.7 * h, 0.7 * h, y1.data(), y1.data(), Start::continued), OdeStatus::done);
    ASSERT_EQ(fresh.step(rhs, 0.5 + 0.7 * h, 0.7 * h, reference.data(), reference.data()), OdeStatus::done);
    EXPECT_LT(testing::largest_difference(y1, reference), 1e-15);
    EXPECT_EQ(engine.jacobians(), 1);
    EXPECT_EQ(engine.factorisations(), 2);
    EXPECT_LE(engine.iterations() - before, first) << tableau->name;
  }
}

// Another right-hand side under the same name: without Start::fresh a J that no longer serves is found out.
TEST(ImplicitRungeKutta, RefreshesAJacobianThatNoLongerServes) {
  ImplicitRungeKutta engine(find_tableau("radau-iia-3"), 1);
  Linear rhs{-1.0};
  double y = 1.0;
  ASSERT_EQ(engine.step(rhs, 0.0, 0.1, &y, &y), OdeStatus::done);
  rhs.rate = -1e4;
  y = 1.0;
  ASSERT_EQ(engine.step(rhs, 0.1, 0.1, &y, &y, Start::continued), OdeStatus::done);
  EXPECT_EQ(engine.jacobians(), 2);
  const double z = -1e3;
  EXPECT_NEAR(y, (1.0 + 2 * z / 5 + z * z / 20) / (1.0 - 3 * z / 5 + 3 * z * z / 20 - z * z * z / 60), 1e-15);
}

// y' = −1000 y³ over a step a thousand times too long for J at the start: J at the stages gets there.
TEST(ImplicitRungeKutta, TakesTheJacobianAtTheStagesWhereItMust) {
  auto rhs = [](double, const double* y, double* dy) {
    dy[0] = -1000.0 * y[0] * y[0] * y[0];
    return true;
  };
  for (const Tableau* tableau : implicit_tableaus()) {
    if (!is_radau(*tableau)) continue;
    ImplicitRungeKutta engine(*tableau, 1);
    double y = 1.0;
    ASSERT_EQ(engine.step(rhs, 0.0, 1.0, &y, &y), OdeStatus::done) << tableau->name;
    EXPECT_GT(engine.jacobians(), 1);
    // the stage equations hold
    for (int i = 0; i < tableau->stages; ++i) {
      double sum = 1.0, Y = 0.0;
      for (int j = 0; j < tableau->stages; ++j) {
        engine.stage_value(j, &Y);
        sum += tableau->a(i, j) * -1000.0 * Y * Y * Y;
      }
      engine.stage_value(i, &Y);
      EXPECT_NEAR(Y, sum, 1e-12) << tableau->name;
    }
  }
}

// Contact forces in the stages: λ_i and k_i solve the index-1 system at Y_i.
TEST(ImplicitRungeKutta, KeepsOutputsOfTheStages) {
  for (const Tableau* tableau : implicit_tableaus()) {
    ImplicitRungeKutta engine(*tableau, 4, 1);
    Bead rhs;
    std::vector<double> y = {0.6, -0.8, 0.8, 0.6}, Y(4);
    for (int k = 0; k < 50; ++k) {
      const Start start = k == 0 ? Start::fresh : Start::continued;
      ASSERT_EQ(engine.step(rhs, 0.01 * k, 0.01, y.data(), y.data(), start), OdeStatus::done);
      for (int i = 0; i < tableau->stages; ++i) {
        engine.stage_value(i, Y.data());
        const double *dy = engine.stage_derivative(i), lambda = engine.stage_output(i)[0];
        const double H[] = {2.0 * Y[0], 2.0 * Y[1]}, c = 2.0 * (Y[2] * Y[2] + Y[3] * Y[3]);
        EXPECT_NEAR(H[0] * dy[2] + H[1] * dy[3] + c, 0.0, 2e-11) << tableau->name;
        EXPECT_NEAR(dy[2], H[0] * lambda, 2e-12) << tableau->name;
        EXPECT_NEAR(dy[3], H[1] * lambda - rhs.gravity, 2e-12) << tableau->name;
      }
    }
    // energy and constraint after half a second, as the order allows
    const double error = std::abs(0.5 * (y[2] * y[2] + y[3] * y[3]) + rhs.gravity * (y[1] + 0.8) - 0.5);
    EXPECT_LT(error, tableau->order > 3 ? 1e-6 : 1e-2) << tableau->name;
  }
}

// Where the stage equations have no solution the step says so: y' = 1 + y² beyond its pole.
TEST(ImplicitRungeKutta, SaysWhenNewtonDoesNotConverge) {
  auto rhs = [](double, const double* y, double* dy) {
    dy[0] = 1.0 + y[0] * y[0];
    return true;
  };
  ImplicitRungeKutta engine(find_tableau("gauss-1"), 1);
  double y = 0.0;
  EXPECT_EQ(engine.step(rhs, 0.0, 1.5, &y, &y), OdeStatus::newton_not_converged);
  EXPECT_EQ(y, 0.0);
  EXPECT_LT(engine.iterations(), 100);
  // Z = h/2 (1 + Z²) has one for h ≤ 1
  ASSERT_EQ(engine.step(rhs, 0.0, 0.8, &y, &y, Start::same), OdeStatus::done);
  EXPECT_NEAR(y, 1.0, 1e-14);
}

// h λ = 2 is the pole of gauss-1.
TEST(ImplicitRungeKutta, SaysWhenItsMatrixIsSingular) {
  ImplicitRungeKutta engine(find_tableau("gauss-1"), 1);
  Linear rhs{20.0};
  double y = 1.0;
  EXPECT_EQ(engine.step(rhs, 0.0, 0.1, &y, &y), OdeStatus::singular_matrix);
  EXPECT_EQ(y, 1.0);
}

TEST(ImplicitRungeKutta, PassesFailuresOn) {
  for (const Tableau* tableau : implicit_tableaus()) {
    ImplicitRungeKutta engine(*tableau, 1);
    double y = 1.0;
    Ending refusing{.end = 0.05, .refuses = true}, nan{.end = 0.05, .refuses = false}, never{.end = -1.0};
    EXPECT_EQ(engine.step(refusing, 0.0, 0.2, &y, &y), OdeStatus::evaluation_failed) << tableau->name;
    EXPECT_EQ(engine.step(nan, 0.0, 0.2, &y, &y), OdeStatus::not_finite) << tableau->name;
    EXPECT_EQ(engine.step(never, 0.0, 0.2, &y, &y), OdeStatus::evaluation_failed);
    EXPECT_EQ(y, 1.0);
    // and does not spoil the next one
    EXPECT_EQ(engine.step(refusing, 0.0, 0.01, &y, &y, Start::same), OdeStatus::done);
    EXPECT_NEAR(y, std::exp(-0.01), 1e-6);
  }
}

// ∂f/∂y at the edge of where f is defined: the difference quotient goes to the other side.
TEST(ImplicitRungeKutta, DifferencesStayInsideTheDomain) {
  auto rhs = [](double, const double* y, double* dy) {
    dy[0] = -(1.0 - std::sqrt(1.0 - y[0])) - 0.5;
    return y[0] <= 1.0;
  };
  ImplicitRungeKutta engine(find_tableau("radau-iia-2"), 1);
  double y = 1.0;
  EXPECT_EQ(engine.step(rhs, 0.0, 1e-3, &y, &y), OdeStatus::done);
  EXPECT_LT(y, 1.0);
}

TEST(ImplicitRungeKutta, RefusesExplicitTables) {
  try {
    ImplicitRungeKutta engine(find_tableau("rk4"), 1);
    FAIL();
  } catch (const InputError& error) {
    EXPECT_STREQ(error.what(), "scheme.tableau: rk4 is explicit; an implicit table is needed");
  }
}

}  // namespace
}  // namespace ricochet
