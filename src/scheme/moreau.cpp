// Moreau's velocity scheme [Moreau 1988; Paoli 2001, section 4].
//
//   q₁ = q₀ + h v₀                                                                                  (1)
//   M(q₁)(v₁ − v₀) − h F(t₁, q₁, v₁) = H(q₁) P                                                      (2)
//   0 ≤ U₁ + e U₀ ⊥ P ≥ 0 where g(t₁, q₁) ≤ 0, P = 0 elsewhere                                      (3)
//       U₀ = Hᵀ(q₁) v₀ + ∂g/∂t(t₀),   U₁ = Hᵀ(q₁) v₁ + ∂g/∂t(t₁);   in lasting contact on curved gaps U₀ at q₀
//
// The recursion of kernel/velocity_step.hpp with θ = 1, φ = 0.
#include "ricochet/scheme/moreau.hpp"

#include "scheme/describe.hpp"
#include "scheme/kernel/velocity/velocity_stepper.hpp"

namespace ricochet {
namespace {

VelocityRule rule(const Moreau&) { return {.theta = 1.0, .phi = 0.0, .contacts = VelocityRule::Contacts::gap_at_end}; }

}  // namespace

template <>
SchemeEntry scheme_entry<Moreau>() {
  return {
      .name = "moreau",
      .summary = "Moreau's velocity scheme: positions first, then velocities with the force at the end of the step",
      .explanation =
          "q₁ = q₀ + h v₀; the contacts are those with g(t₁, q₁) ≤ 0; then v₁ from the force at (t₁, q₁, v₁) and the "
          "impact law. No parameter, no nonlinear solve unless the force depends on the velocity. Positions may leave "
          "the admissible set by O(h) and come back at the rebound speed only, so with a small restitution many nodes "
          "in a row lie outside; at rest a constant penetration of size O(h²) remains.",
      .order = "1 in free flight and across impacts (position in the sup norm, velocity in L1)",
      .literature =
          "J. J. Moreau, Unilateral contact and dry friction in finite freedom dynamics, CISM 302 (1988) 1, "
          "doi:10.1007/978-3-7091-2624-0_1; L. Paoli, Time discretization of vibro-impact, Phil. Trans. R. Soc. A 359 "
          "(2001) 2405, doi:10.1098/rsta.2001.0858",
      .traits = always<Traits{.takes_friction = true}>,
      .make = make_by_rule<Moreau, VelocityRule, rule>,
      .make_lanes = make_lanes_by_rule<Moreau, VelocityRule, rule>,
  };
}

}  // namespace ricochet
