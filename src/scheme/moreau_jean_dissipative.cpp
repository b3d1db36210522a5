// Moreau-Jean with positions moved at midpoint velocity [Acary 2016; 2018, (87)-(90)], x_θ = (1−θ) x₀ + θ x₁:
//
//   M(q_θ)(v₁ − v₀) − h F_θ = H(q_θ) P                                                              (1)
//   q₁ = q₀ + h v_½                                                                                 (2)
//   0 ≤ U₁ + e U₀ ⊥ P ≥ 0 where g(t₀, q₀) + γ_f h U ≤ 0, P = 0 elsewhere                              (3)
//
// For linear systems without damping exactly ΔE − ΔqᵀF_θ = (½−θ) ‖Δq‖²_K + U_½ᵀP, F the load: not positive where no
// contact with P > 0 opens when the step begins. The recursion of kernel/velocity_step.hpp with φ = ½.
#include "ricochet/scheme/moreau_jean_dissipative.hpp"

#include "scheme/describe.hpp"
#include "scheme/kernel/velocity/velocity_stepper.hpp"

namespace ricochet {
namespace {

VelocityRule rule(const MoreauJeanDissipative& scheme) {
  return {.theta = scheme.theta, .phi = 0.5, .forecast = scheme.forecast};
}

}  // namespace

void describe(ParameterTable& table, MoreauJeanDissipative& scheme) {
  table("theta", "θ", "weight of the end of the step in the force; at least 1/2: less would feed vibrations",
        scheme.theta, {.lower = 0.5, .upper = 1.0});
  describe_forecast(table, scheme.forecast);
}

MoreauJeanDissipative::operator Scheme() const { return scheme_of("moreau-jean-dissipative", *this); }

template <>
SchemeEntry scheme_entry<MoreauJeanDissipative>() {
  return {
      .name = "moreau-jean-dissipative",
      .summary =
          "Moreau-Jean with positions moved at midpoint velocity: impacts lose energy for every theta ≥ 1/2 and every "
          "e",
      .explanation =
          "As moreau-jean, but q₁ = q₀ + h v_½ while the force is averaged with theta. On linear systems without "
          "damping a step then changes the energy by the work of the load, (1/2 − theta) |Δq|²_K and U_½ᵀP. The last "
          "term is a loss for every restitution where the gap closes when the step begins; a contact that opens then "
          "and is pressed back within the step can gain a little. theta > 1/2 only damps through the stiffness: a "
          "falling ball is exact for every theta. With theta = 1/2 it is moreau-jean.",
      .order =
          "2 in free flight with theta = 1/2, otherwise 1; 1 across impacts (position in the sup norm, velocity in L1)",
      .literature =
          "V. Acary, Energy conservation and dissipation properties of time-integration methods for nonsmooth "
          "elastodynamics with contact, Z. Angew. Math. Mech. 96 (2016) 585, doi:10.1002/zamm.201400231; lecture, "
          "2018, (87)-(90)",
      .flight_order = 1.0,
      .parameters = parameters_of<MoreauJeanDissipative>(),
      .traits = always<Traits{.takes_friction = true}>,
      .make = make_by_rule<MoreauJeanDissipative, VelocityRule, rule>,
      .make_lanes = make_lanes_by_rule<MoreauJeanDissipative, VelocityRule, rule>,
  };
}

}  // namespace ricochet
