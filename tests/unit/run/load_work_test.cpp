// The account's input is the work of the load along the motion that is recorded, under every scheme.
#include <gtest/gtest.h>

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

}  // namespace
}  // namespace ricochet
