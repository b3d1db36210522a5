// Monteiro Marques-Mabrouk [Mabrouk 1998; Paoli 2001, (4.10)-(4.15)]: the steps of moreau.cpp after one on the spot.
//
//   M(q₀)(v⁰ − v₀) − h F(t₀, q₀, v⁰) = H(q₀) P                                                      (1)
//   0 ≤ U⁰ + e U₀ ⊥ P ≥ 0 where g(t₀, q₀) ≤ 0, P = 0 elsewhere                                      (2)
//
// The recursion of kernel/velocity_step.hpp with θ = 1, φ = 0 and a kick at the start. Velocities are those of the next
// node, v_i ≈ v(t_{i+1}).
#include "ricochet/scheme/mabrouk.hpp"

#include "scheme/describe.hpp"
#include "scheme/kernel/velocity/velocity_stepper.hpp"

namespace ricochet {
namespace {

VelocityRule rule(const Mabrouk&) {
  return {.theta = 1.0, .phi = 0.0, .contacts = VelocityRule::Contacts::gap_at_end, .start = VelocityRule::Start::kick};
}

}  // namespace

template <>
SchemeEntry scheme_entry<Mabrouk>() {
  return {
      .name = "mabrouk",
      .summary = "Monteiro Marques-Mabrouk: moreau after a projected velocity step on the spot",
      .explanation =
          "The recursion of moreau, begun with v⁰ = −e v₀ + (1+e) Proj(v₀ + h/(1+e) M⁻¹F) at the start. Velocities are "
          "then those of the next node, v_i ≈ v(t_{i+1}). Rest, penetration and order are those of moreau.",
      .order = "1 in free flight and across impacts (position in the sup norm, velocity in L1)",
      .literature =
          "M. Mabrouk, A unified variational model for the dynamics of perfect unilateral constraints, Eur. J. Mech. "
          "A/Solids 17 (1998) 819, doi:10.1016/S0997-7538(98)80007-7; L. Paoli, Time discretization of vibro-impact, "
          "Phil. Trans. R. Soc. A 359 (2001) 2405, (4.10)-(4.15), doi:10.1098/rsta.2001.0858",
      .traits = always<Traits{.takes_friction = true}>,
      .make = make_by_rule<Mabrouk, VelocityRule, rule>,
      .make_lanes = make_lanes_by_rule<Mabrouk, VelocityRule, rule>,
  };
}

}  // namespace ricochet
