// The engines allocate nothing once constructed.
#include <gtest/gtest.h>

#include <vector>

#include "runge_kutta/adaptive.hpp"
#include "support/allocations.hpp"
#include "unit/runge_kutta/problems.hpp"

namespace ricochet {
namespace {

// Steps of every kind from the very first on: fresh, again, continued, refused.
TEST(RungeKuttaAllocation, StepsAllocateNothing) {
  for (const Tableau& tableau : tableaus()) {
    testing::Bead rhs;
    testing::Ending ending{.end = 0.0};
    DenseOutput dense(4);
    std::vector<double> y = {0.6, -0.8, 0.8, 0.6}, y1(4), e(4);
    const auto run = [&](auto& engine, auto& single, const auto& fill) {
      const long before = testing::allocations();
      for (int k = 0; k < 100; ++k) {
        EXPECT_EQ(engine.step(rhs, 0.01 * k, 0.02, y.data(), y1.data(), k == 0 ? Start::fresh : Start::continued),
                  OdeStatus::done);
        EXPECT_EQ(engine.step(rhs, 0.01 * k, 0.01, y.data(), y.data(), Start::same), OdeStatus::done);
        fill();
        EXPECT_EQ(single.step(ending, 0.0, 0.1, y1.data(), y1.data()), OdeStatus::evaluation_failed);
      }
      EXPECT_EQ(testing::allocations(), before) << tableau.name;
    };
    if (tableau.is_explicit) {
      ExplicitRungeKutta engine(tableau, 4, 1), single(tableau, 1);
      run(engine, single, [&] {
        if (engine.has_error()) engine.error(e.data());
        EXPECT_TRUE(engine.dense_output(rhs, dense));
      });
    } else {
      ImplicitRungeKutta engine(tableau, 4, 1), single(tableau, 1);
      run(engine, single, [&] { engine.dense_output(dense); });
    }
  }
}

TEST(RungeKuttaAllocation, AdaptiveRunsAllocateNothing) {
  AdaptiveRungeKutta ode(find_tableau("dormand-prince"), 2, {});
  DenseOutput dense(2);
  testing::Waves rhs;
  const std::vector<double> start = testing::Waves::exact(0.5);
  const long before = testing::allocations();
  for (int run = 0; run < 3; ++run) {
    EXPECT_EQ(ode.begin(rhs, 0.5, start.data(), 3.0), OdeStatus::done);
    while (ode.t() < 3.0) {
      EXPECT_EQ(ode.advance(rhs, 3.0), OdeStatus::done);
      EXPECT_TRUE(ode.dense_output(rhs, dense));
    }
  }
  EXPECT_EQ(testing::allocations(), before);
  EXPECT_GT(ode.accepted(), 100);
}

}  // namespace
}  // namespace ricochet
