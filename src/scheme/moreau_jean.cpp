// Moreau-Jean θ scheme [Jean 1999; Acary 2018, (41)], x_θ = (1−θ) x₀ + θ x₁:
//
//   M(q_θ)(v₁ − v₀) − h F_θ = H(q_θ) P                                                              (1)
//   q₁ = q₀ + h v_θ,   z₁ = z₀ + h rate_θ                                                           (2)
//   0 ≤ U₁ + e U₀ ⊥ P ≥ 0 where g(t₀, q₀) + γ_f h U ≤ 0, P = 0 elsewhere                              (3)
//       U₀ = Hᵀ(q_θ) v₀ + ∂g/∂t(t₀),   U₁ = Hᵀ(q_θ) v₁ + ∂g/∂t(t₁)
//
// Departs from the literature in lasting contact on curved gaps, where U₀ is measured at q₀ and U₁ at q₁
// (kernel/step_contacts.hpp): sliding along a curve is then of second order. The recursion of kernel/velocity_step.hpp
// with φ = θ.
#include "ricochet/scheme/moreau_jean.hpp"

#include "ricochet/core/quantity.hpp"
#include "scheme/describe.hpp"
#include "scheme/kernel/restitutions.hpp"
#include "scheme/kernel/velocity/velocity_stepper.hpp"

namespace ricochet {
namespace {

VelocityRule rule(const MoreauJean& scheme) {
  return {.theta = scheme.theta, .phi = scheme.theta, .forecast = scheme.forecast};
}

std::vector<std::string> notes(const Model& model, const MoreauJean& scheme) {
  const double theta = scheme.theta;
  std::vector<std::string> notes;
  if (theta < 0.5)
    notes.push_back("theta = " + to_text(theta) +
                    " is below 1/2: undamped vibrations grow at every step size; 1/2 keeps them, more damps them");
  const std::optional<double> e = largest_restitution(model);
  if (e && theta > 1.0 / (1.0 + *e))
    notes.push_back("theta = " + to_text(theta) + " is above 1/(1 + e) = " + to_text(1.0 / (1.0 + *e)) +
                    ": the scheme is then not sure to lose energy in every contact step");
  return notes;
}

}  // namespace

void describe(ParameterTable& table, MoreauJean& scheme) {
  describe_theta(table, scheme.theta);
  describe_forecast(table, scheme.forecast);
}

MoreauJean::operator Scheme() const { return scheme_of("moreau-jean", *this); }

template <>
SchemeEntry scheme_entry<MoreauJean>() {
  return {
      .name = "moreau-jean",
      .summary = "Moreau-Jean θ scheme: velocity level, impacts and contact forces in one impulse per step",
      .explanation =
          "The work-horse of nonsmooth mechanics. Each step solves M Δv = h F_θ + H P with a contact impulse P on the "
          "contacts that are forecast to close, and Newton's impact law on their gap rates. Accumulating impacts cost "
          "nothing extra and a body at rest stays at rest, with a constant penetration of size O(h²). With theta = 1/2 "
          "free motion is of second order and keeps the energy of linear systems; theta > 1/2 damps fast vibrations. "
          "Impacts are placed at the grid, so the order across impacts is one.",
      .order =
          "2 in free flight with theta = 1/2, otherwise 1; 1 across impacts (position in the sup norm, velocity in L1)",
      .literature =
          "M. Jean, The non-smooth contact dynamics method, Comput. Methods Appl. Mech. Engrg. 177 (1999) 235, "
          "doi:10.1016/S0045-7825(98)00383-1; V. Acary, Numerical methods for nonsmooth mechanical systems, lecture, "
          "2018, (41)",
      .flight_order = 2.0,
      .parameters = parameters_of<MoreauJean>(),
      .traits = always<Traits{.takes_states = true, .takes_friction = true}>,
      .make = make_by_rule<MoreauJean, VelocityRule, rule, notes>,
      .make_lanes = make_lanes_by_rule<MoreauJean, VelocityRule, rule>,
  };
}

}  // namespace ricochet
