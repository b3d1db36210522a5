// A ball that falls on a floor, from formulas: the library in ten lines.
#include <cmath>
#include <iostream>

#include <ricochet/ricochet.hpp>

namespace rc = ricochet;

int main() {
  auto ball = rc::lagrangian({.coordinates = {"x"},
                              .kinetic = "m*x_dot^2/2",
                              .potential = "m*g*x",
                              .parameters = {{"m", 1.0}, {"g", 9.81}},
                              .constraints = {{.name = "floor", .gap = "x", .restitution = 0.9}}});
  auto solution = rc::simulate(*ball, {.q = {1.0}, .v = {0.0}}, {0.0, 3.0}, rc::MoreauJean{.theta = 0.5}, {.h = 1e-3});

  for (const rc::Impact& impact : solution.impacts)
    std::cout << "t = " << rc::to_text(impact.t) << ": " << rc::to_text(impact.rate_minus) << " -> "
              << rc::to_text(impact.rate_plus) << '\n';

  // The first impact is known: t = √(2 x₀/g), U⁻ = −√(2 g x₀).
  if (solution.status != rc::Status::completed || solution.impacts.empty()) return 1;
  const rc::Impact& first = solution.impacts.front();
  const bool right = std::abs(first.t - std::sqrt(2.0 / 9.81)) <= 1e-3 &&
                     std::abs(first.rate_minus + std::sqrt(2.0 * 9.81)) <= 2e-2 &&
                     std::abs(first.rate_plus + 0.9 * first.rate_minus) <= 1e-12;
  return right ? 0 : 1;
}
