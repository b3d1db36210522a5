// Nonsmooth Hilber-Hughes-Taylor scheme [Hilber, Hughes, Taylor 1977; Acary 2016, (102)], M a = F at the start,
// γ = ½ + α, β = ¼(1 + α)²:
//
//   M a₁ = (1−α) F(t₁, q₁, v₁) + α F(t₀, q₀, v₀),   M w = H(q_½) Λ                                 (1)
//   v₁ = v₀ + h a_γ + w,   q₁ = q₀ + h v₀ + ½h² a_{2β} + ½h w                                       (2)
//   0 ≤ U₁ + e U₀ ⊥ Λ ≥ 0 for contacts forecast to close, Λ = 0 elsewhere                           (3)
//
// The step of kernel/alpha_step.hpp with α_m = 0, α_f = α. α ≥ 0: the paper of 1977 has the other sign.
#include "ricochet/scheme/hht.hpp"

#include "scheme/describe.hpp"
#include "scheme/kernel/alpha/alpha_stepper.hpp"

namespace ricochet {
namespace {

AlphaRule rule(const Hht& scheme) {
  const double alpha = scheme.alpha;
  return {.alpha_f = alpha,
          .gamma = 0.5 + alpha,
          .beta = 0.25 * (1.0 + alpha) * (1.0 + alpha),
          .forecast = scheme.forecast,
          .has_energy = true};
}

}  // namespace

void describe(ParameterTable& table, Hht& scheme) {
  table("alpha", "α", "how far before the end of the step the force is taken, in steps", scheme.alpha,
        {.lower = 0.0, .upper = 1.0 / 3.0});
  describe_forecast(table, scheme.forecast);
}

Hht::operator Scheme() const { return scheme_of("hht", *this); }

template <>
SchemeEntry scheme_entry<Hht>() {
  return {
      .name = "hht",
      .summary = "nonsmooth Hilber-Hughes-Taylor: Newmark with the force taken α h before the end of the step",
      .explanation =
          "M a₁ = (1−α) F₁ + α F₀ with γ = ½ + α, β = ¼(1 + α)², and the velocity jump of the nonsmooth Newmark "
          "scheme. Fast vibrations are damped, slow ones kept, and the order in flight stays 2. α ≥ 0 here; many texts "
          "write −α. α = 0 is newmark.",
      .order = "2 in free flight, 1 across impacts (position in the sup norm, velocity in L1)",
      .literature =
          "H. M. Hilber, T. J. R. Hughes, R. L. Taylor, Improved numerical dissipation for time integration algorithms "
          "in structural dynamics, Earthq. Eng. Struct. Dyn. 5 (1977) 283, doi:10.1002/eqe.4290050306; Q. Z. Chen, V. "
          "Acary, G. Virlez, O. Brüls, A nonsmooth generalized-α scheme for flexible multibody systems with unilateral "
          "constraints, Int. J. Numer. Meth. Engng 96 (2013) 487, doi:10.1002/nme.4563; V. Acary, Energy conservation "
          "and dissipation properties of time-integration methods for nonsmooth elastodynamics with contact, ZAMM 96 "
          "(2016) 585, doi:10.1002/zamm.201400231",
      .flight_order = 2.0,
      .parameters = parameters_of<Hht>(),
      .traits = always<Traits{.takes_friction = true}>,
      .make = make_by_rule<Hht, AlphaRule, rule>,
      .make_lanes = make_lanes_by_rule<Hht, AlphaRule, rule>,
  };
}

}  // namespace ricochet
