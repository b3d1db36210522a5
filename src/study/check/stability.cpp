#include "study/spectrum.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "ricochet/model/lagrangian.hpp"

namespace ricochet {
namespace {

constexpr int half = 150;  // steps
constexpr double growth = 3.0;

bool is_stable(const Model& oscillator, const Scheme& scheme, double h) {
  const auto stepper = make_stepper(oscillator, scheme);
  State state{.t = 0.0, .q = {1.0}, .v = {0.3}, .z = {}};
  StepReport report;
  stepper->begin(state);
  std::array<double, 2> amplitude = {0.0, 0.0};
  for (int k = 0; k < 2 * half; ++k) {
    if (stepper->advance(state, h, (k + 1) * h, report) != FailureKind::none) return false;
    double& largest = amplitude[static_cast<std::size_t>(k / half)];
    largest = std::max(largest, std::hypot(state.q[0], state.v[0]));
  }
  return amplitude[1] <= growth * amplitude[0];
}

}  // namespace

double stability_limit(const Scheme& scheme) {
  const auto oscillator = lagrangian({.coordinates = {"x"}, .kinetic = "x_dot^2/2", .potential = "x^2/2"});
  constexpr std::array trials = {0.05, 0.2, 0.5, 0.9, 1.3, 1.9, 2.3, 2.7, 3.3, 4.1, 6.1, 11.3, 20.0};
  double stable = 0.0, unstable = std::numeric_limits<double>::infinity();
  for (const double h : trials) {
    if (!is_stable(*oscillator, scheme, h)) {
      unstable = h;
      break;
    }
    stable = h;
  }
  if (std::isinf(unstable)) return unstable;
  while (unstable - stable > 1e-4 * unstable) {
    const double middle = 0.5 * (stable + unstable);
    (is_stable(*oscillator, scheme, middle) ? stable : unstable) = middle;
  }
  return stable;
}

std::string instability_text(const Scheme& scheme, double limit, const Frequency& frequency) {
  return fmt::format("{} is unstable beyond {:.4g}: the step must be below {:.4g}", scheme.name, limit,
                     limit / frequency.omega);
}

}  // namespace ricochet
