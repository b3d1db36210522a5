// A pendulum that swings against a wall, written in C++: every scheme runs it like a model from formulas.
//
//     m l² φ'' = −m g l sin φ,   φ ≥ 0,   φ'⁺ = −e φ'⁻
#include <cmath>
#include <iostream>

#include <ricochet/ricochet.hpp>

namespace rc = ricochet;

class Pendulum : public rc::Model {
 public:
  double m = 1.0, l = 1.0, g = 9.81, e = 0.8;

  Pendulum()
      : rc::Model({.coordinates = {"phi"},
                   .constraints = {"wall"},
                   .structure = {.constant_mass = true, .linear_gaps = true, .fixed_gaps = true}}) {}

  void mass(double, const double*, double* M) const override { M[0] = m * l * l; }
  void force(double, const double* q, const double*, const double*, double* F) const override {
    F[0] = -m * g * l * std::sin(q[0]);
  }
  void gap(double, const double* q, double* gap) const override { gap[0] = q[0]; }
  void gap_gradient(double, const double*, double* H) const override { H[0] = 1.0; }
  void restitution(double, const double*, double* restitution) const override { restitution[0] = e; }
  rc::Energy<double> energy(double, const double* q, const double* v) const override {
    return {.kinetic = m * l * l * v[0] * v[0] / 2, .potential = -m * g * l * std::cos(q[0])};
  }
};

int main() {
  const Pendulum pendulum;
  const double phi = 0.5;
  const auto solution = rc::simulate(pendulum, {.q = {phi}, .v = {0.0}}, {0.0, 2.0}, rc::MoreauJean{}, {.h = 1e-4});
  if (solution.status != rc::Status::completed || solution.impacts.empty()) return 1;

  // From φ₀ at rest, energy gives the rate at the wall: U⁻ = −√(2 g/l (1 − cos φ₀)).
  const rc::Impact& first = solution.impacts.front();
  const double expected = -std::sqrt(2.0 * pendulum.g / pendulum.l * (1.0 - std::cos(phi)));
  std::cout << "first impact at t = " << rc::to_text(first.t) << ", rate " << rc::to_text(first.rate_minus)
            << " (from the energy: " << rc::to_text(expected) << ")\n";

  const rc::EnergyLedger& energy = solution.energy;
  const double open =
      energy.final - energy.initial - (energy.input + energy.damping + energy.impact + energy.numerical);
  const bool right = std::abs(first.rate_minus - expected) <= 2e-3 &&
                     std::abs(first.rate_plus + pendulum.e * first.rate_minus) <= 1e-9 && std::abs(open) <= 1e-9;
  return right ? 0 : 1;
}
