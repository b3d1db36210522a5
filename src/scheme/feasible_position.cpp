// Paoli's position scheme for inelastic impacts and moving obstacles [Paoli 2015], in increments:
//
//   q₁ = q₀ + h v₀                                                                                  (1)
//   M(q₁)(v₁ − v₀) − h F(t₁, q₁, v₀) = H(q₂) P                                                      (2)
//   0 ≤ g(t₁ + h, q₂) ⊥ P ≥ 0,   q₂ = q₁ + h v₁                                                     (3)
//
// The recursion of kernel/velocity_step.hpp with θ = 1, φ = 0, ω = 0 and its (5); the first position is projected too.
#include "ricochet/scheme/feasible_position.hpp"

#include "scheme/describe.hpp"
#include "scheme/kernel/restitutions.hpp"
#include "scheme/kernel/velocity/velocity_stepper.hpp"

namespace ricochet {
namespace {

VelocityRule rule(const FeasiblePosition& scheme) {
  return {.theta = 1.0,
          .phi = 0.0,
          .contacts = VelocityRule::Contacts::position,
          .psi = 0.0,
          .start = VelocityRule::Start::kick,
          .start_time = scheme.start == FeasiblePosition::Start::plain ? 0.0 : 0.5};
}

std::vector<std::string> notes(const Model& model, const FeasiblePosition&) {
  refuse_rebound(model, "feasible-position", "paoli-schatzman");
  return {};
}

}  // namespace

void describe(ParameterTable& table, FeasiblePosition& scheme) {
  table("start", "z", "first position: with half the first acceleration, or plain q₀ + h v₀; then projected",
        scheme.start, {.words = {"acceleration", "plain"}});
}

FeasiblePosition::operator Scheme() const { return scheme_of("feasible-position", *this); }

template <>
SchemeEntry scheme_entry<FeasiblePosition>() {
  return {
      .name = "feasible-position",
      .summary = "Paoli's position scheme for moving obstacles: every position is admissible, impacts are inelastic",
      .explanation =
          "U_{n+1} is the point of K(t_{n+1}) = {g(t_{n+1}, ·) ≥ 0} nearest to 2U_n − U_{n−1} + h²M⁻¹F in the kinetic "
          "metric, the first position too. Nothing ever penetrates, at rest nothing moves, and moving obstacles carry "
          "what lies on them. The force takes the old velocity, so damping and stiffness limit the step. Refuses "
          "constraints with e > 0.",
      .order =
          "2 in free flight for positions if the force does not depend on the velocity, otherwise 1; 1 across impacts "
          "(position in the sup norm, velocity in L1)",
      .literature =
          "L. Paoli, Existence and approximation for vibro-impact problems with a time-dependent set of constraints, "
          "Math. Comput. Simul. 118 (2015) 302, doi:10.1016/j.matcom.2014.11.015",
      .flight_order = 2.0,
      .parameters = parameters_of<FeasiblePosition>(),
      .traits = always<Traits{.inelastic_only = true, .position_law = true}>,
      .make = make_by_rule<FeasiblePosition, VelocityRule, rule, notes>,
      .make_lanes = make_lanes_by_rule<FeasiblePosition, VelocityRule, rule>,
  };
}

}  // namespace ricochet
