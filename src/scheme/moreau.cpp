#include "ricochet/scheme/moreau.hpp"

#include "scheme/parameters.hpp"
#include "scheme/velocity_lanes.hpp"
#include "scheme/velocity_stepper.hpp"

namespace ricochet {
namespace {

// q₁ = q₀ + h v₀, everything else at the end of the step.
VelocityRule moreau_rule(const Scheme&) {
  return {.theta = 1.0, .phi = 0.0, .contacts = VelocityRule::Contacts::gap_at_end};
}
VelocityRule mabrouk_rule(const Scheme& scheme) {
  VelocityRule kicked = moreau_rule(scheme);
  kicked.start = VelocityRule::Start::kick;
  return kicked;
}
VelocityRule inelastic_rule(const Scheme& scheme) {
  VelocityRule old_velocity = moreau_rule(scheme);
  old_velocity.omega = 0.0;
  return old_velocity;
}

std::unique_ptr<Stepper> make_moreau(const Model& model, const Scheme& scheme, const ComplementaritySettings& solver) {
  refuse_states(model, "moreau");
  return make_velocity_stepper(model, moreau_rule(scheme), solver);
}

std::unique_ptr<Stepper> make_mabrouk(const Model& model, const Scheme& scheme, const ComplementaritySettings& solver) {
  refuse_states(model, "mabrouk");
  return make_velocity_stepper(model, mabrouk_rule(scheme), solver);
}

std::unique_ptr<Stepper> make_inelastic(const Model& model, const Scheme& scheme,
                                        const ComplementaritySettings& solver) {
  refuse_states(model, "moreau-inelastic");
  refuse_rebound(model, "moreau-inelastic", "moreau");
  return make_velocity_stepper(model, inelastic_rule(scheme), solver);
}

constexpr std::string_view paoli =
    "J. J. Moreau, Unilateral contact and dry friction in finite freedom dynamics, CISM 302 (1988) 1, "
    "doi:10.1007/978-3-7091-2624-0_1; L. Paoli, Time discretization of vibro-impact, Phil. Trans. R. Soc. A 359 (2001) "
    "2405, doi:10.1098/rsta.2001.0858";

}  // namespace

SchemeEntry moreau_entry() {
  return {
      .name = "moreau",
      .summary = "Moreau's velocity scheme: positions first, then velocities with the force at the end of the step",
      .explanation =
          "q₁ = q₀ + h v₀; the contacts are those with g(t₁, q₁) ≤ 0; then v₁ from the force at (t₁, q₁, v₁) and the "
          "impact "
          "law. No parameter, no nonlinear solve unless the force depends on the velocity. Positions may leave the "
          "admissible set by O(h) and come back at the rebound speed only, so with a small restitution many nodes in a "
          "row "
          "lie outside; at rest a constant penetration of size O(h²) remains.",
      .order = "1 in free flight and across impacts (position in the sup norm, velocity in L1)",
      .reference = paoli,
      .flight_order = 1.0,
      .rest = RestBehaviour::stays,
      .chooses_steps = false,
      .parameters = {},
      .make = &make_moreau,
      .make_lanes = &velocity_lanes<moreau_rule>,
  };
}

SchemeEntry mabrouk_entry() {
  return {
      .name = "mabrouk",
      .summary = "Monteiro Marques-Mabrouk: moreau after a projected velocity step on the spot",
      .explanation =
          "The recursion of moreau, begun with v⁰ = −e v₀ + (1+e) Proj(v₀ + h/(1+e) M⁻¹F) at the start. Velocities are "
          "then those "
          "of the next node, v_i ≈ v(t_{i+1}). Rest, penetration and order are those of moreau.",
      .order = "1 in free flight and across impacts (position in the sup norm, velocity in L1)",
      .reference =
          "M. Mabrouk, A unified variational model for the dynamics of perfect unilateral constraints, Eur. J. Mech. "
          "A/Solids 17 (1998) 819, doi:10.1016/S0997-7538(98)80007-7; L. Paoli, Time discretization of "
          "vibro-impact, Phil. Trans. R. Soc. A 359 (2001) 2405, (4.10)-(4.15), doi:10.1098/rsta.2001.0858",
      .flight_order = 1.0,
      .rest = RestBehaviour::stays,
      .chooses_steps = false,
      .parameters = {},
      .make = &make_mabrouk,
      .make_lanes = &velocity_lanes<mabrouk_rule>,
  };
}

SchemeEntry moreau_inelastic_entry() {
  return {
      .name = "moreau-inelastic",
      .summary =
          "Moreau's scheme for inelastic impacts with the force taken at the old velocity: one projection a step",
      .explanation =
          "As moreau with e = 0, but F(t₁, q₁, v₀): each step is one projection on the tangent cone and nothing has to "
          "be "
          "iterated. Explicit damping and velocity-dependent forces limit the step. Refuses constraints with e > 0.",
      .order = "1 in free flight and across impacts (position in the sup norm, velocity in L1)",
      .reference = paoli,
      .flight_order = 1.0,
      .rest = RestBehaviour::stays,
      .inelastic_only = true,
      .chooses_steps = false,
      .parameters = {},
      .make = &make_inelastic,
      .make_lanes = &velocity_lanes<inelastic_rule>,
  };
}

}  // namespace ricochet
