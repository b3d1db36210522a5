// Moreau's scheme for inelastic impacts, the force at the old velocity [Moreau 1988; Paoli 2001].
//
//   q₁ = q₀ + h v₀                                                                                  (1)
//   M(q₁)(v₁ − v₀) − h F(t₁, q₁, v₀) = H(q₁) P                                                      (2)
//   0 ≤ U₁ ⊥ P ≥ 0 where g(t₁, q₁) ≤ 0, P = 0 elsewhere                                             (3)
//
// The recursion of kernel/velocity_step.hpp with θ = 1, φ = 0, ψ = 0.
#include "ricochet/scheme/moreau_inelastic.hpp"

#include "scheme/describe.hpp"
#include "scheme/kernel/restitutions.hpp"
#include "scheme/kernel/velocity/velocity_stepper.hpp"

namespace ricochet {
namespace {

VelocityRule rule(const MoreauInelastic&) {
  return {.theta = 1.0, .phi = 0.0, .contacts = VelocityRule::Contacts::gap_at_end, .psi = 0.0};
}

std::vector<std::string> notes(const Model& model, const MoreauInelastic&) {
  refuse_rebound(model, "moreau-inelastic", "moreau");
  return {};
}

}  // namespace

template <>
SchemeEntry scheme_entry<MoreauInelastic>() {
  return {
      .name = "moreau-inelastic",
      .summary =
          "Moreau's scheme for inelastic impacts with the force taken at the old velocity: one projection a step",
      .explanation =
          "As moreau with e = 0, but F(t₁, q₁, v₀): each step is one projection on the tangent cone and nothing has to "
          "be iterated. Explicit damping and velocity-dependent forces limit the step. Refuses constraints with e > 0.",
      .order = "1 in free flight and across impacts (position in the sup norm, velocity in L1)",
      .literature =
          "J. J. Moreau, Unilateral contact and dry friction in finite freedom dynamics, CISM 302 (1988) 1, "
          "doi:10.1007/978-3-7091-2624-0_1; L. Paoli, Time discretization of vibro-impact, Phil. Trans. R. Soc. A 359 "
          "(2001) 2405, doi:10.1098/rsta.2001.0858",
      .traits = always<Traits{.takes_friction = true, .inelastic_only = true}>,
      .make = make_by_rule<MoreauInelastic, VelocityRule, rule, notes>,
      .make_lanes = make_lanes_by_rule<MoreauInelastic, VelocityRule, rule>,
  };
}

}  // namespace ricochet
