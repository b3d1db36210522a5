// The orders of mannshardt with its tables. Norm: sup of the error of the position at the nodes. Fits over h = 0.32 …
// 0.01, errors averaged over eight grid phases; errors below 1e-12 are round-off and left out.
#include <gtest/gtest.h>

#include <cmath>
#include <optional>
#include <string>
#include <vector>

#include "support/orders.hpp"

namespace ricochet {
namespace {

using testing::Exact;
using testing::ExactBall;
using testing::ExactOscillator;

struct Case {
  const char* name;
  Mannshardt scheme;
  double flight;                          // of the oscillator
  double ball, accumulation, oscillator;  // one impact; 3 and all that accumulate; 3 impacts
  bool at_least = false;                  // the oscillator's
};

// The bracket decides on the ball, whose flight all tables have exactly: order p + 1.
const Case cases[] = {
    {"heun", {.tableau = "heun", .bracket = 1.0}, 2.0, 3.0, 3.0, 2.0},
    {"kutta_3", {.tableau = "kutta-3", .bracket = 1.0}, 3.0, 4.0, 4.0, 3.0},
    {"radau_iia_2", {.tableau = "radau-iia-2", .bracket = 1.0}, 3.0, 4.0, 4.0, 3.0, true},
    {"rk4", {.tableau = "rk4", .bracket = 1.0}, 4.0, 4.8, 4.8, 4.5},
    {"gauss_2", {.tableau = "gauss-2", .bracket = 1.0}, 4.0, 4.8, 4.8, 4.5, true},
    {"dormand_prince", {.tableau = "dormand-prince", .bracket = 1.0}, 5.0, 6.0, 6.0, 5.0, true},
    {"radau_iia_3", {.tableau = "radau-iia-3", .bracket = 1.0}, 5.0, 6.0, 6.0, 5.0, true},
    {"gauss_3", {.tableau = "gauss-3", .bracket = 1.0}, 6.0, 6.5, 6.5, 6.0, true},
    // Flights shorter than a step are not followed.
    {"gauss_2_without_repeating", {.tableau = "gauss-2", .bracket = 1.0, .repeat = false}, 4.0, 4.8, 1.9, 3.4, true},
};

class MannshardtOrder : public ::testing::TestWithParam<Case> {
 protected:
  double order(bool ball, double window, double h, int levels) const {
    const auto model = lagrangian(ball ? testing::ball_description(2.0, 0.5) : testing::oscillator_description(0.8));
    const Exact exact = ball ? Exact(ExactBall(2.0, 0.5)) : Exact(ExactOscillator(0.8));
    std::vector<double> steps, errors;
    for (int j = 0; j < levels; ++j, h /= 2.0) {
      steps.push_back(h);
      errors.push_back(testing::averaged(*model, exact, GetParam().scheme, window, h).q_sup);
    }
    return testing::slope(steps, errors, 1e-12);
  }
};

TEST_P(MannshardtOrder, FreeFlight) {
  const auto ball = lagrangian(testing::ball_description(2.0, 0.5));
  EXPECT_LT(testing::averaged(*ball, ExactBall(2.0, 0.5), GetParam().scheme, 0.9, 0.1).q_sup, 1e-14);
  EXPECT_NEAR(order(false, 1.5, 0.16, 4), GetParam().flight, 0.15);
}

TEST_P(MannshardtOrder, AcrossOneImpact) { EXPECT_NEAR(order(true, 1.6, 0.32, 6), GetParam().ball, 0.3); }

TEST_P(MannshardtOrder, ThroughAnAccumulation) { EXPECT_NEAR(order(true, 4.0, 0.32, 6), GetParam().accumulation, 0.3); }

TEST_P(MannshardtOrder, AcrossThreeImpacts) {
  const double measured = order(false, 10.0, 0.32, 6);
  if (GetParam().at_least)
    EXPECT_GT(measured, GetParam().oscillator - 0.2);
  else
    EXPECT_NEAR(measured, GetParam().oscillator, 0.3);
}

INSTANTIATE_TEST_SUITE_P(Tables, MannshardtOrder, ::testing::ValuesIn(cases),
                         [](const auto& instance) { return std::string(instance.param.name); });

// Known errors of the oscillator after three impacts, on one grid each: where in its bracket an impact falls decides on
// a factor.
TEST(Mannshardt, ErrorsOfTheOscillator) {
  struct Known {
    const char* tableau;
    double coarse, middle, fine;
  };
  const auto model = lagrangian(testing::oscillator_description(0.8));
  for (const Known& known : {Known{"heun", 1.1e-1, 8.2e-3, 4.9e-4}, Known{"gauss-2", 7.2e-3, 2.8e-6, 2.4e-9},
                             Known{"gauss-3", 1.0e-3, 6.3e-8, 8.9e-13}}) {
    const auto error = [&](double h) {
      return testing::measure(*model, ExactOscillator(0.8), Mannshardt{.tableau = known.tableau}, 10.0, h).q_sup;
    };
    EXPECT_LT(error(0.389), 3.0 * known.coarse) << known.tableau;
    EXPECT_LT(error(0.0974), 3.0 * known.middle) << known.tableau;
    EXPECT_LT(error(0.0243), 3.0 * known.fine) << known.tableau;
  }
}

}  // namespace
}  // namespace ricochet
