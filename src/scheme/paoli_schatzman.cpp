#include "ricochet/scheme/position_schemes.hpp"
#include "scheme/parameters.hpp"
#include "scheme/velocity_lanes.hpp"
#include "scheme/velocity_stepper.hpp"

namespace ricochet {
namespace {

// q_{i+1} = −e q_{i−1} + (1+e) P_K((2q_i − (1−e) q_{i−1} + h²M⁻¹F)/(1+e)), in increments: (1), (3) and (5) of
// velocity_step.hpp.
VelocityRule rule(const Scheme& scheme) {
  VelocityRule rule{.theta = 1.0, .phi = 0.0, .contacts = VelocityRule::Contacts::position, .omega = 0.5};
  const std::string force = word(scheme, "force");
  if (force == "mabrouk") rule.omega = 1.0;
  if (force == "newmark") rule.mu = 0.25;
  if (word(scheme, "start") == "acceleration") {
    rule.start = VelocityRule::Start::advanced;
    rule.start_time = 0.5;
  }
  return rule;
}

std::unique_ptr<Stepper> make(const Model& model, const Scheme& scheme, const ComplementaritySettings& solver) {
  refuse_states(model, "paoli-schatzman");
  refuse_different_restitutions(model, "paoli-schatzman");
  std::vector<std::string> notes;
  if (word(scheme, "force") != "newmark" && model.layout().stiffness.size() > 0)
    notes.push_back("force = \"" + word(scheme, "force") +
                    "\" is stable for h ω < 2 only, ω being the largest frequency of the system; \"newmark\" has no "
                    "such limit");
  return make_velocity_stepper(model, rule(scheme), solver, notes);
}

}  // namespace

PaoliSchatzman::operator Scheme() const { return {"paoli-schatzman", {{"start", start}, {"force", force}}}; }

SchemeEntry paoli_schatzman_entry() {
  const PaoliSchatzman defaults;
  return {
      .name = "paoli-schatzman",
      .summary = "Paoli-Schatzman: two-step scheme for positions with the restitution inside a projection on g ≥ 0",
      .explanation =
          "q_{i+1} = −e q_{i−1} + (1+e) P_K((2q_i − (1−e) q_{i−1} + h²M⁻¹F)/(1+e)), P_K the projection on the "
          "admissible positions in the kinetic metric, computed in increments so that round-off does not grow. An "
          "impact takes two steps and at most two positions lie outside; a body at rest returns to the surface "
          "exactly. Proven to converge. Velocities are v_i = (q_{i+1} − q_i)/h. Needs one restitution for all "
          "constraints. Where several constraints meet, hits come over successive steps.",
      .order =
          "2 in free flight for positions, 1 for velocities; 1 across impacts (position in the sup norm, velocity "
          "in L1)",
      .reference =
          "L. Paoli, M. Schatzman, A numerical scheme for impact problems I and II, SIAM J. Numer. Anal. 40 (2002) "
          "702, "
          "734, doi:10.1137/S0036142900378728, doi:10.1137/S003614290037873X; L. Paoli, Time discretization of "
          "vibro-impact, Phil. Trans. R. Soc. A 359 (2001) 2405, (3.1)-(3.3), doi:10.1098/rsta.2001.0858",
      .flight_order = 2.0,
      .rest = RestBehaviour::stays,
      .position_law = true,
      .chooses_steps = false,
      .parameters = {{.name = "start",
                      .symbol = "z",
                      .meaning = "first position: with half the first acceleration, contact forces included, or plain "
                                 "q₀ + h v₀",
                      .fallback = defaults.start,
                      .words = {"acceleration", "plain"}},
                     {.name = "force",
                      .symbol = "F",
                      .meaning = "central F(t, q, v_½), mabrouk F(t, q, v_new), or newmark: average acceleration, "
                                 "stable for every step",
                      .fallback = defaults.force,
                      .words = {"central", "mabrouk", "newmark"}}},
      .make = &make,
      .make_lanes = &velocity_lanes<rule>,
  };
}

}  // namespace ricochet
