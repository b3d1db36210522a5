// A model from formulas: Lagrange's equations are derived from the energies, or the mass is given.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "ricochet/core/quantity.hpp"
#include "ricochet/model/model.hpp"

namespace ricochet {

struct ConstraintDescription {
  std::string name;
  std::string gap;                                           // g(t, q) ≥ 0
  std::optional<Quantity> restitution = std::nullopt;        // e in [0, 1], a number or a formula of t and q
  std::optional<Quantity> dissipation_index = std::nullopt;  // d ≥ 0 in its place: e = (1 − d)/(1 + d), d in [0, 1]
  bool operator==(const ConstraintDescription&) const = default;
};

struct StateDescription {
  std::string name;
  std::string rate;        // z' as a formula of t, coordinates, velocities and states
  Quantity initial = 0.0;  // a number or a formula of the parameters
  bool operator==(const StateDescription&) const = default;
};

struct LagrangianDescription {
  std::vector<std::string> coordinates;          // x brings its velocity x_dot
  std::string kinetic = {};                      // T(t, q, v), at most quadratic in the velocities
  std::vector<std::vector<Quantity>> mass = {};  // or M(t, q) in its place: no inertia terms are derived
  std::string potential = {};                    // V(t, q)
  std::string dissipation = {};                  // Rayleigh function D(t, q, v): force −∂D/∂v
  NamedQuantities force = {};                    // further generalised forces by coordinate
  NamedQuantities parameters = {};               // values, or formulas of other parameters
  std::vector<StateDescription> states = {};
  std::vector<ConstraintDescription> constraints = {};
  bool operator==(const LagrangianDescription&) const = default;
};

// Throws InputError with the field ("constraint[0].gap", "kinetic", …) if the description is not a model.
// Array positions in field paths count from 0.
std::unique_ptr<Model> lagrangian(const LagrangianDescription& description);

// The same equations for several trajectories side by side: parameters[i] are the values of lane i, with the
// names of description.parameters in their order.
std::unique_ptr<Mechanics<Lanes>> lagrangian_lanes(const LagrangianDescription& description,
                                                   const std::vector<NamedQuantities>& parameters);

// The values of parameters, each a number or a formula of the others. Throws InputError ("parameters.k").
std::vector<std::pair<std::string, double>> evaluate_parameters(const NamedQuantities& parameters);

// One quantity as a number: a formula may use the parameters and pi. Throws InputError with `field`.
double evaluate_quantity(const Quantity& quantity, const std::vector<std::pair<std::string, double>>& parameters,
                         const std::string& field);

}  // namespace ricochet
