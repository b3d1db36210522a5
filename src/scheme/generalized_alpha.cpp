// Nonsmooth generalized-α scheme [Chung, Hulbert 1993; Chen, Acary, Virlez, Brüls 2013], M a = F at the start,
// α_m = (2ρ∞−1)/(ρ∞+1), α_f = ρ∞/(ρ∞+1), γ = ½ + α_f − α_m, β = ¼(γ + ½)²:
//
//   M[(1−α_m) a₁ + α_m a₀] = (1−α_f) F(t₁, q₁, v₁) + α_f F(t₀, q₀, v₀),   M w = H(q_½) Λ           (1)
//   v₁ = v₀ + h a_γ + w,   q₁ = q₀ + h v₀ + ½h² a_{2β} + ½h w                                       (2)
//   0 ≤ U₁ + e U₀ ⊥ Λ ≥ 0 for contacts forecast to close, Λ = 0 elsewhere                           (3)
//
// The step of kernel/alpha_step.hpp.
#include "ricochet/scheme/generalized_alpha.hpp"

#include "scheme/describe.hpp"
#include "scheme/kernel/alpha/alpha_stepper.hpp"

namespace ricochet {
namespace {

AlphaRule rule(const GeneralizedAlpha& scheme) {
  const double rho = scheme.rho_infinity;
  const double alpha_m = (2.0 * rho - 1.0) / (rho + 1.0), alpha_f = rho / (rho + 1.0);
  const double gamma = 0.5 + alpha_f - alpha_m, beta = 0.25 * (gamma + 0.5) * (gamma + 0.5);
  return {.alpha_m = alpha_m, .alpha_f = alpha_f, .gamma = gamma, .beta = beta, .forecast = scheme.forecast};
}

}  // namespace

void describe(ParameterTable& table, GeneralizedAlpha& scheme) {
  table("rho_infinity", "ρ∞", "spectral radius for infinitely fast vibrations: 1 keeps them, 0 removes them",
        scheme.rho_infinity, {.lower = 0.0, .upper = 1.0});
  describe_forecast(table, scheme.forecast);
}

GeneralizedAlpha::operator Scheme() const { return scheme_of("generalized-alpha", *this); }

template <>
SchemeEntry scheme_entry<GeneralizedAlpha>() {
  return {
      .name = "generalized-alpha",
      .summary = "nonsmooth generalized-α: damping of fast vibrations chosen by the spectral radius ρ∞",
      .explanation =
          "Inertia taken α_m h and force α_f h before the end of the step, α_m = (2ρ∞−1)/(ρ∞+1), α_f = ρ∞/(ρ∞+1), γ = "
          "½ + α_f − α_m, β = ¼(γ + ½)², with the velocity jump of the nonsmooth Newmark scheme. Of all schemes of "
          "order 2 with the same damping of fast vibrations it damps slow ones least: ρ∞ = 1 keeps all energy, 0 "
          "removes what the step does not resolve at once.",
      .order = "2 in free flight, 1 across impacts (position in the sup norm, velocity in L1)",
      .literature =
          "J. Chung, G. M. Hulbert, A time integration algorithm for structural dynamics with improved numerical "
          "dissipation: the generalized-α method, J. Appl. Mech. 60 (1993) 371, doi:10.1115/1.2900803; Q. Z. Chen, V. "
          "Acary, G. Virlez, O. Brüls, A nonsmooth generalized-α scheme for flexible multibody systems with unilateral "
          "constraints, Int. J. Numer. Meth. Engng 96 (2013) 487, doi:10.1002/nme.4563; V. Acary, Energy conservation "
          "and dissipation properties of time-integration methods for nonsmooth elastodynamics with contact, ZAMM 96 "
          "(2016) 585, doi:10.1002/zamm.201400231",
      .flight_order = 2.0,
      .parameters = parameters_of<GeneralizedAlpha>(),
      .traits = always<Traits{.takes_friction = true}>,
      .make = make_by_rule<GeneralizedAlpha, AlphaRule, rule>,
      .make_lanes = make_lanes_by_rule<GeneralizedAlpha, AlphaRule, rule>,
  };
}

}  // namespace ricochet
