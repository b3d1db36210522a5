// The account's input is the work of the load along the motion that is recorded, under every scheme.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

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
      // Σ ½(f₀ + f₁) Δq over the rows, for schemes whose steps alone move q.
      const std::vector<std::string_view> plain = {"moreau", "moreau-inelastic", "mabrouk", "paoli-schatzman",
                                                   "moreau-jean"};
      if (softening != 0.0 || std::find(plain.begin(), plain.end(), entry.name) == plain.end()) continue;
      const Trajectory& path = solution.trajectory;
      double along = 0.0;
      for (std::size_t i = 1; i < path.t.size(); ++i)
        along += 0.5 * (std::cos(0.9 * path.t[i - 1]) + std::cos(0.9 * path.t[i])) * (path.q[i] - path.q[i - 1]);
      EXPECT_NEAR(solution.energy.input, along, 1e-12 * input) << entry.name;
    }
  }
}

}  // namespace
}  // namespace ricochet
