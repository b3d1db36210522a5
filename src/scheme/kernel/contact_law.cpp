#include "scheme/kernel/contact_law.hpp"

#include <algorithm>
#include <cmath>

#include "core/constants.hpp"
#include "ricochet/scheme/penalty.hpp"

namespace ricochet {
namespace {

// Where a function that falls passes through 0, between a point where it is positive and one where it is not.
template <class Function>
double root_of(double positive, double negative, const Function& f) {
  for (int k = 0; k < 200; ++k) {
    const double middle = 0.5 * (positive + negative);
    if (middle == positive || middle == negative) break;
    (f(middle) > 0.0 ? positive : negative) = middle;
  }
  return 0.5 * (positive + negative);
}

// x − ln(1 + x), which loses its digits near 0 if it is written like that.
double lack(double x) {
  if (std::abs(x) > 0.01) return x - std::log1p(x);
  double sum = 0.0, power = x * x;
  for (int k = 2; k < 12; ++k, power *= -x) sum += power / k;
  return sum;
}

// (2), for δ = v = 1
double elastic_duration(double n) {
  const double x = 1.0 / (n + 1.0);
  return 2.0 * std::sqrt(pi) * std::exp(std::lgamma(1.0 + x) - std::lgamma(0.5 + x));
}

}  // namespace

double damping_ratio(double restitution) {
  if (!(restitution > 0.0)) return 1.0;
  const double log = std::log(restitution);
  return -log / std::hypot(pi, log);
}

double restitution_of_ratio(double zeta) {
  return zeta < 1.0 ? std::exp(-pi * zeta / std::sqrt((1.0 - zeta) * (1.0 + zeta))) : 0.0;
}

// lack(a) = lack(−e a): the right side rises with e, without bound towards e = 1/a.
double restitution_of_hysteresis(double a) {
  if (!(a > 0.0)) return 1.0;
  const double left = lack(a);
  return root_of(0.0, std::min(1.0, 1.0 / a), [&](double e) { return e * a < 1.0 ? left - lack(-e * a) : -1.0; });
}

double hysteresis_of_restitution(double restitution) {
  if (restitution >= 1.0) return 0.0;
  double most = 1.0;
  while (most < 1e12 && restitution_of_hysteresis(most) > restitution) most *= 2.0;
  return root_of(0.0, most, [&](double a) { return restitution_of_hysteresis(a) - restitution; });
}

ContactLaw matched_spring(double k, double m, double e) {
  return {.k = k, .kappa = 2.0 * damping_ratio(e) * std::sqrt(k * m), .omega = std::sqrt(k / m), .restitution = e};
}

ContactLaw law_of(const Compliance& given, double m, double v, double f, double e) {
  const double k = given.stiffness, n = given.exponent;
  const bool own_damping = given.damping >= 0.0 || given.hysteresis >= 0.0;
  if (n == 1.0 && !own_damping) return matched_spring(k, m, e);
  ContactLaw law{.k = k, .kappa = std::max(given.damping, 0.0), .n = n, .alpha = std::max(given.hysteresis, 0.0)};
  if (!own_damping) law.alpha = v > 0.0 ? hysteresis_of_restitution(e) / v : 0.0;
  // As stiff as it gets: at the depth of the impact, or of the load that rests on it.
  const double depth = v > 0.0 ? std::pow((n + 1.0) * m * v * v / (2.0 * k), 1.0 / (n + 1.0)) : 0.0;
  const double rest = std::pow(m * f / k, 1.0 / n);
  const double impact = v > 0.0 ? pi * v / (elastic_duration(n) * depth) : 0.0;
  law.omega = n == 1.0 ? std::sqrt(k / m) : std::max(impact, std::sqrt(n * k * std::pow(rest, n - 1.0) / m));
  law.restitution = law.alpha > 0.0 ? restitution_of_hysteresis(law.alpha * v)
                                    : restitution_of_ratio(law.kappa / (2.0 * std::sqrt(k * m)));
  return law;
}

double contact_force(const ContactLaw& law, double depth, double rate) {
  if (law.n == 1.0) return law.k * depth * (1.0 + law.alpha * rate) + law.kappa * rate;
  if (!(depth > 0.0)) return 0.0;
  return law.k * (law.n == 1.5 ? depth * std::sqrt(depth) : std::pow(depth, law.n)) * (1.0 + law.alpha * rate);
}

}  // namespace ricochet
