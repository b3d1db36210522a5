#include "ricochet/scheme/position_schemes.hpp"
#include "scheme/parameters.hpp"
#include "scheme/velocity_lanes.hpp"
#include "scheme/velocity_stepper.hpp"

namespace ricochet {
namespace {

VelocityRule rule(const Scheme& scheme) {
  return {.theta = 1.0,
          .phi = 0.0,
          .contacts = VelocityRule::Contacts::position,
          .omega = 0.0,
          .start = VelocityRule::Start::kick,
          .start_time = word(scheme, "start") == "plain" ? 0.0 : 0.5};
}

std::unique_ptr<Stepper> make(const Model& model, const Scheme& scheme, const ComplementaritySettings& solver) {
  refuse_states(model, "feasible-position");
  refuse_rebound(model, "feasible-position", "paoli-schatzman");
  return make_velocity_stepper(model, rule(scheme), solver);
}

}  // namespace

FeasiblePosition::operator Scheme() const { return {"feasible-position", {{"start", start}}}; }

SchemeEntry feasible_position_entry() {
  const FeasiblePosition defaults;
  return {
      .name = "feasible-position",
      .summary = "Paoli's position scheme for moving obstacles: every position is admissible, impacts are inelastic",
      .explanation =
          "U_{n+1} is the point of K(t_{n+1}) = {g(t_{n+1}, ·) ≥ 0} nearest to 2U_n − U_{n−1} + h²M⁻¹F in the kinetic "
          "metric, the first position too. Nothing ever penetrates, at rest nothing moves, and moving obstacles carry "
          "what lies on them. The force takes the old velocity, so damping and stiffness limit the step. Refuses "
          "constraints with e > 0.",
      .order =
          "2 in free flight for positions if the force does not depend on the velocity, otherwise 1; 1 across "
          "impacts (position in the sup norm, velocity in L1)",
      .reference =
          "L. Paoli, Existence and approximation for vibro-impact problems with a time-dependent set of constraints, "
          "Math. "
          "Comput. Simul. 118 (2015) 302, doi:10.1016/j.matcom.2014.11.015",
      .flight_order = 2.0,
      .rest = RestBehaviour::stays,
      .inelastic_only = true,
      .position_law = true,
      .chooses_steps = false,
      .parameters = {{.name = "start",
                      .symbol = "z",
                      .meaning = "first position: with half the first acceleration, or plain q₀ + h v₀; then projected",
                      .fallback = defaults.start,
                      .words = {"acceleration", "plain"}}},
      .make = &make,
      .make_lanes = &velocity_lanes<rule>,
  };
}

}  // namespace ricochet
