// Explicit steps: orders, error estimates, dense output, what is kept between steps, failures.
#include "runge_kutta/explicit.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "ricochet/core/error.hpp"
#include "unit/runge_kutta/problems.hpp"

namespace ricochet {
namespace {

using testing::Bead;
using testing::Ending;
using testing::Fit;
using testing::Oscillator;
using testing::Waves;

std::vector<const Tableau*> explicit_tableaus() {
  std::vector<const Tableau*> list;
  for (const Tableau& tableau : tableaus())
    if (tableau.is_explicit) list.push_back(&tableau);
  return list;
}

// Steps from large to small; those of order 8 are at round-off where others begin.
std::vector<int> step_counts(const Tableau& tableau) {
  if (tableau.order > 6) return {16, 17, 18, 20, 22, 24, 28, 33, 40, 48};
  return {16, 32, 64, 128, 256, 512, 1024};
}
double slope_tolerance(const Tableau& tableau) { return tableau.order > 6 ? 0.3 : 0.1; }

TEST(ExplicitRungeKutta, ConvergesWithItsOrder) {
  for (const Tableau* tableau : explicit_tableaus()) {
    Fit fit{.smallest = tableau->order > 6 ? 3e-14 : 5e-13};
    for (const int n : step_counts(*tableau)) {
      ExplicitRungeKutta engine(*tableau, 2);
      Waves rhs;
      fit.add(1.0 / n, testing::waves_error(engine, rhs, n));
    }
    ASSERT_GE(fit.x.size(), 4U) << tableau->name;
    EXPECT_NEAR(fit.slope(), tableau->order, slope_tolerance(*tableau)) << tableau->name;
  }
}

// One step from the exact solution: the error of the polynomial is O(h^(order + 1)).
TEST(ExplicitRungeKutta, DenseOutputHasItsOrder) {
  for (const Tableau* tableau : explicit_tableaus()) {
    Fit fit{.smallest = tableau->order > 6 ? 1e-14 : 1e-13};
    for (const int n : step_counts(*tableau)) {
      ExplicitRungeKutta engine(*tableau, 2);
      DenseOutput dense(2);
      Waves rhs;
      std::vector<double> y = Waves::exact(0.7);
      ASSERT_EQ(engine.step(rhs, 0.7, 1.0 / n, y.data(), y.data()), OdeStatus::done);
      ASSERT_TRUE(engine.dense_output(rhs, dense));
      fit.add(1.0 / n, testing::dense_error(dense));
    }
    ASSERT_GE(fit.x.size(), 3U) << tableau->name;
    EXPECT_NEAR(fit.slope(), tableau->dense_order + 1, slope_tolerance(*tableau)) << tableau->name;
  }
}

// The polynomial meets y and f at both ends; its derivative is that of its values.
TEST(ExplicitRungeKutta, DenseOutputMeetsTheEnds) {
  for (const Tableau* tableau : explicit_tableaus()) {
    ExplicitRungeKutta engine(*tableau, 2);
    DenseOutput dense(2);
    Waves rhs;
    const double t = 0.7, h = 0.05;
    const std::vector<double> y0 = Waves::exact(t);
    std::vector<double> y1(2), f(2), y(2), before(2), after(2), slope(2);
    ASSERT_EQ(engine.step(rhs, t, h, y0.data(), y1.data()), OdeStatus::done);
    ASSERT_TRUE(engine.dense_output(rhs, dense));
    EXPECT_DOUBLE_EQ(dense.theta(t + 0.5 * h), 0.5);

    dense.value(0.0, y.data());
    EXPECT_EQ(y, y0);
    dense.value(1.0, y.data());
    EXPECT_LT(testing::largest_difference(y, y1), 1e-15);
    rhs(t, y0.data(), f.data());
    dense.derivative(0.0, slope.data());
    EXPECT_LT(testing::largest_difference(slope, f), 1e-13);
    rhs(t + h, y1.data(), f.data());
    dense.derivative(1.0, slope.data());
    EXPECT_LT(testing::largest_difference(slope, f), 1e-13);

    dense.value(0.4 - 1e-4, before.data());
    dense.value(0.4 + 1e-4, after.data());
    dense.derivative(0.4, slope.data());
    for (int i = 0; i < 2; ++i) {
      EXPECT_NEAR((after[i] - before[i]) / (2e-4 * h), slope[i], 1e-9) << tableau->name;
      EXPECT_EQ(dense.value(i, 0.4 + 1e-4), after[i]);
      EXPECT_EQ(dense.derivative(i, 0.4), slope[i]);
    }
  }
}

// y₁ of a step from the exact solution with other weights.
std::vector<double> step_with(Tableau tableau, const std::vector<double>& b, double h) {
  tableau.b = b;
  tableau.first_same_as_last = false;
  ExplicitRungeKutta engine(tableau, 2);
  Waves rhs;
  std::vector<double> y = Waves::exact(0.7);
  EXPECT_EQ(engine.step(rhs, 0.7, h, y.data(), y.data()), OdeStatus::done);
  return y;
}

// e is the difference of two results: with b̂ in place of b the step is off by just that, and e = O(h^(order + 1)).
TEST(ExplicitRungeKutta, ErrorIsTheDifferenceToTheEmbeddedResult) {
  for (const Tableau* tableau : explicit_tableaus()) {
    ExplicitRungeKutta engine(*tableau, 2);
    EXPECT_EQ(engine.has_error(), !tableau->b_embedded.empty());
    EXPECT_EQ(engine.has_low_error(), tableau->name == "dop853");
    if (!engine.has_error()) continue;
    Fit fit{.smallest = 1e-15}, low_fit{.smallest = 1e-15};
    for (int n = 32; n <= 512; n *= 2) {
      Waves rhs;
      const std::vector<double> y0 = Waves::exact(0.7);
      std::vector<double> y1(2), e(2);
      ASSERT_EQ(engine.step(rhs, 0.7, 1.0 / n, y0.data(), y1.data()), OdeStatus::done);
      const auto compare = [&](const std::vector<double>& b, Fit& orders) {
        const std::vector<double> embedded = step_with(*tableau, b, 1.0 / n);
        for (int i = 0; i < 2; ++i) EXPECT_NEAR(y1[i] - embedded[i], e[i], 2e-15);
        orders.add(1.0 / n, std::abs(e[0]) + std::abs(e[1]));
      };
      engine.error(e.data());
      compare(tableau->b_embedded, fit);
      if (!engine.has_low_error()) continue;
      engine.low_error(e.data());
      compare(tableau->b_low, low_fit);
    }
    ASSERT_GE(fit.x.size(), 3U);
    EXPECT_NEAR(fit.slope(), tableau->embedded_order + 1, 0.1) << tableau->name;
    if (engine.has_low_error()) EXPECT_NEAR(low_fit.slope(), tableau->low_order + 1, 0.1) << tableau->name;
  }
}

// Reusing f changes no bit, and saves an evaluation.
TEST(ExplicitRungeKutta, KeepsWhatItKnows) {
  for (const Tableau* tableau : explicit_tableaus()) {
    const int s = tableau->stages;
    ExplicitRungeKutta engine(*tableau, 2), fresh(*tableau, 2);
    DenseOutput dense(2);
    Waves rhs;
    std::vector<double> y = Waves::exact(0.5), y1(2), reference(2);
    ASSERT_EQ(engine.step(rhs, 0.5, 0.1, y.data(), y1.data()), OdeStatus::done);
    EXPECT_EQ(engine.evaluations(), s);

    // a shorter step from the same state
    ASSERT_EQ(engine.step(rhs, 0.5, 0.05, y.data(), y1.data(), Start::same), OdeStatus::done);
    ASSERT_EQ(fresh.step(rhs, 0.5, 0.05, y.data(), reference.data()), OdeStatus::done);
    EXPECT_EQ(y1, reference);
    EXPECT_EQ(engine.evaluations(), 2 * s - 1);

    // the next one, whose first stage dense output has evaluated
    ASSERT_TRUE(engine.dense_output(rhs, dense));
    const long known = engine.evaluations();
    ASSERT_EQ(engine.step(rhs, 0.55, 0.05, y1.data(), y1.data(), Start::continued), OdeStatus::done);
    ASSERT_EQ(fresh.step(rhs, 0.55, 0.05, reference.data(), reference.data()), OdeStatus::done);
    EXPECT_EQ(y1, reference);
    EXPECT_EQ(engine.evaluations(), known + s - 1);

    // without dense output it is evaluated, unless shared
    const long before = engine.evaluations();
    ASSERT_EQ(engine.step(rhs, 0.6, 0.05, y1.data(), y1.data(), Start::continued), OdeStatus::done);
    ASSERT_EQ(fresh.step(rhs, 0.6, 0.05, reference.data(), reference.data()), OdeStatus::done);
    EXPECT_EQ(y1, reference);
    EXPECT_EQ(engine.evaluations(), before + (tableau->first_same_as_last ? s - 1 : s)) << tableau->name;
  }
}

// Few components and many go through loops of their own: the same bits.
TEST(ExplicitRungeKutta, ManyComponentsGiveTheSameAsOne) {
  struct Copies {
    int n;
    bool operator()(double t, const double* y, double* dy) {
      for (int i = 0; i < n; ++i) dy[i] = std::cos(t) * y[i] * y[i];
      return true;
    }
  };
  for (const Tableau* tableau : explicit_tableaus()) {
    std::vector<double> one = {0.4}, many(40, 0.4), e1(1), e40(40);
    Copies single{1}, copies{40};
    ExplicitRungeKutta a(*tableau, 1), b(*tableau, 40);
    DenseOutput dense_a(1), dense_b(40);
    ASSERT_EQ(a.step(single, 0.1, 0.2, one.data(), one.data()), OdeStatus::done);
    ASSERT_EQ(b.step(copies, 0.1, 0.2, many.data(), many.data()), OdeStatus::done);
    EXPECT_EQ(many, std::vector<double>(40, one[0])) << tableau->name;
    ASSERT_TRUE(a.dense_output(single, dense_a) && b.dense_output(copies, dense_b));
    EXPECT_EQ(dense_a.value(0, 0.3), dense_b.value(39, 0.3));
    if (!a.has_error()) continue;
    a.error(e1.data()), b.error(e40.data());
    EXPECT_EQ(e40, std::vector<double>(40, e1[0]));
  }
}

// Contact forces in the stages: Hᵀv' + c = 0 at every stage, and λ of a shared stage goes with it.
TEST(ExplicitRungeKutta, KeepsOutputsOfTheStages) {
  for (const Tableau* tableau : explicit_tableaus()) {
    ExplicitRungeKutta engine(*tableau, 4, 1);
    DenseOutput dense(4);
    Bead rhs;
    std::vector<double> y = {0.6, -0.8, 0.8, 0.6};
    ASSERT_EQ(engine.step(rhs, 0.0, 0.01, y.data(), y.data()), OdeStatus::done);
    // at the start: λ = −(Hᵀ F + c)/|H|² with H = (1.2, −1.6), F = (0, −9.81), c = 2
    EXPECT_DOUBLE_EQ(engine.stage_output(0)[0], -(1.6 * 9.81 + 2.0) / 4.0);
    EXPECT_DOUBLE_EQ(engine.stage_derivative(0)[2], 1.2 * engine.stage_output(0)[0]);
    for (int i = 1; i < tableau->stages; ++i)
      EXPECT_NEAR(engine.stage_output(i)[0], engine.stage_output(0)[0], 0.2) << tableau->name;
    ASSERT_TRUE(engine.dense_output(rhs, dense));
    const double end = engine.end_output()[0];
    EXPECT_NE(end, engine.stage_output(0)[0]);
    ASSERT_EQ(engine.step(rhs, 0.01, 0.01, y.data(), y.data(), Start::continued), OdeStatus::done);
    EXPECT_EQ(engine.stage_output(0)[0], end);
  }
}

// A refused or failed step leaves y1 alone, also when it is y0.
TEST(ExplicitRungeKutta, PassesFailuresOn) {
  for (const Tableau* tableau : explicit_tableaus()) {
    ExplicitRungeKutta engine(*tableau, 1);
    double y = 1.0;
    Ending refusing{.end = 0.05, .refuses = true}, nan{.end = 0.05, .refuses = false}, never{.end = -1.0};
    EXPECT_EQ(engine.step(refusing, 0.0, 0.1, &y, &y), OdeStatus::evaluation_failed) << tableau->name;
    EXPECT_EQ(engine.step(nan, 0.0, 0.1, &y, &y), OdeStatus::not_finite) << tableau->name;
    EXPECT_EQ(engine.step(never, 0.0, 0.1, &y, &y), OdeStatus::evaluation_failed);
    EXPECT_EQ(y, 1.0);
    // and does not spoil the next one
    EXPECT_EQ(engine.step(refusing, 0.0, 0.01, &y, &y, Start::same), OdeStatus::done);
    EXPECT_NEAR(y, std::exp(-0.01), 1e-6);
  }
}

// Where only f(t₁, y₁) is missing there is a step but no polynomial, unless that f is a stage.
TEST(ExplicitRungeKutta, DenseOutputNeedsTheEnd) {
  ExplicitRungeKutta engine(find_tableau("heun"), 1);
  DenseOutput dense(1);
  double y = 1.0;
  int calls = 0;
  auto twice = [&calls](double, const double* state, double* dy) {
    dy[0] = -state[0];
    return ++calls <= 2;
  };
  ASSERT_EQ(engine.step(twice, 0.0, 0.1, &y, &y), OdeStatus::done);
  EXPECT_FALSE(engine.dense_output(twice, dense));
}

TEST(ExplicitRungeKutta, RefusesImplicitTables) {
  try {
    ExplicitRungeKutta engine(find_tableau("gauss-2"), 1);
    FAIL();
  } catch (const InputError& error) {
    EXPECT_STREQ(error.what(), "scheme.tableau: gauss-2 is implicit; an explicit table is needed");
  }
}

}  // namespace
}  // namespace ricochet
