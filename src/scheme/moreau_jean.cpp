#include "ricochet/scheme/moreau_jean.hpp"

#include "ricochet/core/quantity.hpp"
#include "scheme/parameters.hpp"
#include "scheme/velocity_lanes.hpp"
#include "scheme/velocity_stepper.hpp"

namespace ricochet {
namespace {

std::vector<std::string> notes(const Model& model, double theta) {
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

VelocityRule rule(const Scheme& scheme) {
  const double theta = number(scheme, "theta");
  return {.theta = theta, .phi = theta, .gamma = number(scheme, "forecast")};
}
VelocityRule dissipative_rule(const Scheme& scheme) {
  return {.theta = number(scheme, "theta"), .phi = 0.5, .gamma = number(scheme, "forecast")};
}

std::unique_ptr<Stepper> make(const Model& model, const Scheme& scheme, const ComplementaritySettings& solver) {
  return make_velocity_stepper(model, rule(scheme), solver, notes(model, number(scheme, "theta")));
}

std::unique_ptr<Stepper> make_dissipative(const Model& model, const Scheme& scheme,
                                          const ComplementaritySettings& solver) {
  refuse_states(model, "moreau-jean-dissipative");
  return make_velocity_stepper(model, dissipative_rule(scheme), solver);
}

}  // namespace

MoreauJean::operator Scheme() const { return {"moreau-jean", {{"theta", theta}, {"forecast", forecast}}}; }
MoreauJeanDissipative::operator Scheme() const {
  return {"moreau-jean-dissipative", {{"theta", theta}, {"forecast", forecast}}};
}

SchemeEntry moreau_jean_entry() {
  const MoreauJean defaults;
  return {
      .name = "moreau-jean",
      .summary = "Moreau-Jean θ scheme: velocity level, impacts and contact forces in one impulse per step",
      .explanation =
          "The work-horse of nonsmooth mechanics. Each step solves M Δv = h F_θ + H P with a contact impulse P on "
          "the contacts that are forecast to close, and Newton's impact law on their gap rates. Accumulating impacts "
          "cost nothing extra and a body at rest stays at rest, with a constant penetration of size O(h²). With "
          "theta = 1/2 free motion is of second order and keeps the energy of linear systems; theta > 1/2 damps fast "
          "vibrations. Impacts are placed at the grid, so the order across impacts is one.",
      .order =
          "2 in free flight with theta = 1/2, otherwise 1; 1 across impacts (position in the sup norm, velocity "
          "in L1)",
      .reference =
          "M. Jean, The non-smooth contact dynamics method, Comput. Methods Appl. Mech. Engrg. 177 (1999) 235, "
          "doi:10.1016/S0045-7825(98)00383-1; V. Acary, Numerical methods for nonsmooth mechanical systems, "
          "lecture, 2018, (41)",
      .flight_order = 2.0,
      .rest = RestBehaviour::stays,
      .chooses_steps = false,
      .parameters =
          {
              theta_parameter(defaults.theta),
              forecast_parameter(),
          },
      .make = &make,
      .make_lanes = &velocity_lanes<rule>,
  };
}

SchemeEntry moreau_jean_dissipative_entry() {
  return {
      .name = "moreau-jean-dissipative",
      .summary =
          "Moreau-Jean with positions moved at midpoint velocity: loses energy for every theta ≥ 1/2 and every e",
      .explanation =
          "As moreau-jean, but q₁ = q₀ + h v_½ while the force is averaged with theta. The contact term is then "
          "U_½ᵀP, which dissipates for every restitution, and theta > 1/2 only damps through the stiffness: a falling "
          "ball is exact for every theta. With theta = 1/2 it is moreau-jean.",
      .order =
          "2 in free flight with theta = 1/2, otherwise 1; 1 across impacts (position in the sup norm, velocity "
          "in L1)",
      .reference =
          "V. Acary, Energy conservation and dissipation properties of time-integration methods for nonsmooth "
          "elastodynamics with contact, Z. Angew. Math. Mech. 96 (2016) 585, doi:10.1002/zamm.201400231; "
          "lecture, 2018, (87)-(90)",
      .flight_order = 1.0,
      .rest = RestBehaviour::stays,
      .chooses_steps = false,
      .parameters =
          {
              {.name = "theta",
               .symbol = "θ",
               .meaning = "weight of the end of the step in the force; at least 1/2, where dissipation is sure",
               .fallback = MoreauJeanDissipative().theta,
               .lower = 0.5,
               .upper = 1.0},
              forecast_parameter(),
          },
      .make = &make_dissipative,
      .make_lanes = &velocity_lanes<dissipative_rule>,
  };
}

}  // namespace ricochet
