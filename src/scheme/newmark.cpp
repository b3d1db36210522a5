// Nonsmooth Newmark scheme [Newmark 1959; Chen, Acary, Virlez, Brüls 2013; Acary 2016], M a = F at the start:
//
//   M a₁ = F(t₁, q₁, v₁),   M w = H(q_½) Λ                                                         (1)
//   v₁ = v₀ + h a_γ + w,   q₁ = q₀ + h v₀ + ½h² a_{2β} + ½h w                                       (2)
//   0 ≤ U₁ + e U₀ ⊥ Λ ≥ 0 for contacts forecast to close, Λ = 0 elsewhere                           (3)
//
// The step of kernel/alpha_step.hpp with α_m = α_f = 0.
#include "ricochet/scheme/newmark.hpp"

#include <array>
#include <cmath>

#include "ricochet/core/error.hpp"
#include "ricochet/core/quantity.hpp"
#include "scheme/describe.hpp"
#include "scheme/kernel/alpha/alpha_stepper.hpp"

namespace ricochet {
namespace {

using Choice = Newmark::Choice;

// In the order of Choice; gamma and beta of the last two are given.
struct Named {
  std::string_view word;
  double gamma = 0.5, beta = 0.25;
};
constexpr std::array<Named, 6> choices = {{{"average-acceleration", 0.5, 0.25},
                                           {"linear-acceleration", 0.5, 1.0 / 6.0},
                                           {"fox-goodwin", 0.5, 1.0 / 12.0},
                                           {"central-difference", 0.5, 0.0},
                                           {"damped"},
                                           {"custom"}}};

const Named& named(Choice choice) { return choices[static_cast<std::size_t>(choice)]; }

// A number that the choice does not use must not contradict it.
void check_unused(Choice choice, std::string_view name, const std::optional<double>& given, double used) {
  if (given && std::abs(*given - used) > 1e-12)
    throw InputError("scheme." + std::string(name), "is " + to_text(used) + " for choice = \"" +
                                                        std::string(named(choice).word) + "\", got " + to_text(*given) +
                                                        "; choice = \"custom\" takes any");
}

AlphaRule rule(const Newmark& scheme) {
  // Numbers without a choice speak for themselves.
  const Choice spoken = scheme.beta ? Choice::custom : scheme.gamma ? Choice::damped : Choice::average_acceleration;
  const Choice choice = scheme.choice.value_or(spoken);
  AlphaRule rule{
      .gamma = named(choice).gamma, .beta = named(choice).beta, .forecast = scheme.forecast, .has_energy = true};
  if (choice == Choice::custom || choice == Choice::damped) rule.gamma = scheme.gamma.value_or(rule.gamma);
  if (choice == Choice::custom) rule.beta = scheme.beta.value_or(rule.beta);
  if (choice == Choice::damped) rule.beta = 0.25 * (rule.gamma + 0.5) * (rule.gamma + 0.5);
  check_unused(choice, "gamma", scheme.gamma, rule.gamma);
  check_unused(choice, "beta", scheme.beta, rule.beta);
  return rule;
}

// Unconditional stability: 2β ≥ γ ≥ ½; otherwise (hω)² ≤ 1/(γ/2 − β) without damping.
std::vector<std::string> notes(const Model&, const Newmark& scheme) {
  const AlphaRule numbers = rule(scheme);
  const double gamma = numbers.gamma, beta = numbers.beta;
  if (2.0 * beta >= gamma - 1e-15) return {};
  return {"gamma = " + to_text(gamma) + ", beta = " + to_text(beta) + " is stable for h ω < " +
          to_text(std::round(1e6 / std::sqrt(0.5 * gamma - beta)) / 1e6) +
          " only, ω being the largest frequency of the system; 2 beta ≥ gamma has no such limit"};
}

}  // namespace

void describe(ParameterTable& table, Newmark& scheme) {
  std::vector<std::string> words;
  for (const Named& choice : choices) words.emplace_back(choice.word);
  table("choice", "(γ, β)", "(½, ¼), (½, 1/6), (½, 1/12), (½, 0); damped: β = ¼(γ + ½)² from gamma; custom: both",
        scheme.choice, {.words = words});
  table("gamma", "γ", "weight of the end of the step in the velocity, for damped and custom", scheme.gamma,
        {.lower = 0.5, .upper = 1.0, .fallback = choices[0].gamma});
  table("beta", "β", "half the weight of the end of the step in the position, for custom", scheme.beta,
        {.lower = 0.0, .upper = 1.0, .fallback = choices[0].beta});
  describe_forecast(table, scheme.forecast);
}

Newmark::operator Scheme() const { return scheme_of("newmark", *this); }

template <>
SchemeEntry scheme_entry<Newmark>() {
  return {
      .name = "newmark",
      .summary = "nonsmooth Newmark: β and γ for the smooth motion, impacts as a jump of the velocity beside it",
      .explanation =
          "Accelerations carry the smooth forces only; impacts and contact forces enter as a jump w of the velocity, M "
          "w = H Λ, which moves the position by ½ h w. For structures: one factorisation, one solve a step. "
          "average-acceleration keeps the energy of free linear motion and is stable for every step; damped removes "
          "fast vibrations at the price of order 1; linear-acceleration, fox-goodwin and central-difference are stable "
          "for h ω < 2√3, √6, 2 only. On a body without stiffness it is moreau-jean with θ = ½. Beyond the fastest "
          "frequencies that the step resolves the contact problem becomes soft.",
      .order = "2 in free flight for γ = ½, otherwise 1; 1 across impacts (position in the sup norm, velocity in L1)",
      .literature =
          "N. M. Newmark, A method of computation for structural dynamics, J. Eng. Mech. Div. ASCE 85 (1959) 67, "
          "doi:10.1061/JMCEA3.0000098; Q. Z. Chen, V. Acary, G. Virlez, O. Brüls, A nonsmooth generalized-α scheme for "
          "flexible multibody systems with unilateral constraints, Int. J. Numer. Meth. Engng 96 (2013) 487, "
          "doi:10.1002/nme.4563; V. Acary, Energy conservation and dissipation properties of time-integration methods "
          "for nonsmooth elastodynamics with contact, ZAMM 96 (2016) 585, doi:10.1002/zamm.201400231",
      .flight_order = 2.0,
      .parameters = parameters_of<Newmark>(),
      .traits = always<Traits{.takes_friction = true}>,
      .make = make_by_rule<Newmark, AlphaRule, rule, notes>,
      .make_lanes = make_lanes_by_rule<Newmark, AlphaRule, rule>,
  };
}

}  // namespace ricochet
