// The position scheme of Paoli and Schatzman [Paoli, Schatzman 2002; Paoli 2001, (3.1)-(3.3)],
//
//   q_{i+1} = −e q_{i−1} + (1+e) P_K((2q_i − (1−e) q_{i−1} + h²M⁻¹F)/(1+e)),                        (1)
//
// in the increments v_i = (q_{i+1} − q_i)/h, so that round-off does not grow like ε/h²: the recursion of
// kernel/velocity_step.hpp with θ = 1, φ = 0 and its (5).
//
//   force     F                                                ω   μ                                (2)
//   central   F(t₁, q₁, ½(v₀ + v₁))                            ½   0
//   mabrouk   F(t₁, q₁, v₁)                                    1   0
//   newmark   K at ¼(q_{i−1} + 2q_i + q_{i+1}), loads alike    ½   ¼
#include "ricochet/scheme/paoli_schatzman.hpp"

#include "scheme/describe.hpp"
#include "scheme/kernel/restitutions.hpp"
#include "scheme/kernel/velocity/velocity_stepper.hpp"

namespace ricochet {
namespace {

using Force = PaoliSchatzman::Force;

VelocityRule rule(const PaoliSchatzman& scheme) {
  VelocityRule rule{.theta = 1.0, .phi = 0.0, .contacts = VelocityRule::Contacts::position, .psi = 0.5};
  if (scheme.force == Force::mabrouk) rule.psi = 1.0;
  if (scheme.force == Force::newmark) rule.mu = 0.25;
  if (scheme.start == PaoliSchatzman::Start::acceleration) {
    rule.start = VelocityRule::Start::advanced;
    rule.start_time = 0.5;
  }
  return rule;
}

std::vector<std::string> notes(const Model& model, const PaoliSchatzman& scheme) {
  refuse_different_restitutions(model, "paoli-schatzman");
  if (scheme.force == Force::newmark || model.layout().stiffness.size() == 0) return {};
  return {"force = \"" + std::get<std::string>(parameter(scheme, "force")) +
          "\" is stable for h ω < 2 only, ω being the largest frequency of the system; \"newmark\" has no such limit"};
}

}  // namespace

void describe(ParameterTable& table, PaoliSchatzman& scheme) {
  table("start", "z", "first position: with half the first acceleration, contact forces included, or plain q₀ + h v₀",
        scheme.start, {.words = {"acceleration", "plain"}});
  table("force", "F",
        "central F(t, q, v_½), mabrouk F(t, q, v_new), or newmark: average acceleration, stable for every step",
        scheme.force, {.words = {"central", "mabrouk", "newmark"}});
}

PaoliSchatzman::operator Scheme() const { return scheme_of("paoli-schatzman", *this); }

template <>
SchemeEntry scheme_entry<PaoliSchatzman>() {
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
          "2 in free flight for positions (1 with force = mabrouk where the force depends on the velocity), 1 for "
          "velocities; 1 across impacts (position in the sup norm, velocity in L1)",
      .literature =
          "L. Paoli, M. Schatzman, A numerical scheme for impact problems I and II, SIAM J. Numer. Anal. 40 (2002) "
          "702, 734, doi:10.1137/S0036142900378728, doi:10.1137/S003614290037873X; L. Paoli, Time discretization of "
          "vibro-impact, Phil. Trans. R. Soc. A 359 (2001) 2405, (3.1)-(3.3), doi:10.1098/rsta.2001.0858",
      .flight_order = 2.0,
      .parameters = parameters_of<PaoliSchatzman>(),
      .traits = always<Traits{.position_law = true}>,
      .make = make_by_rule<PaoliSchatzman, VelocityRule, rule, notes>,
      .make_lanes = make_lanes_by_rule<PaoliSchatzman, VelocityRule, rule>,
  };
}

}  // namespace ricochet
