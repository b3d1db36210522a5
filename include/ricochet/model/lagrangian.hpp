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
  std::optional<Quantity> friction = std::nullopt;           // Coulomb's μ ≥ 0, a number or a formula of t and q
  std::vector<std::string> slip = {};  // one or two sliding velocities, linear in the velocities; go with friction
  std::optional<Quantity> tangential_restitution = std::nullopt;  // e_T in [0, 1]
  NamedQuantities compliance = {};  // of Compliance by name: numbers, or formulas of the parameters
  bool operator==(const ConstraintDescription&) const = default;
};

// Rows that are held: by their position, g(t, q) = 0, or by their rate, linear in the velocities, alone.
struct JointDescription {
  std::string name;
  std::vector<std::string> equation = {};
  std::vector<std::string> rate = {};
  bool operator==(const JointDescription&) const = default;
};

// Dry friction with a known limit: belts, brakes, bearings, Jenkins elements.
struct FrictionDescription {
  std::string name;
  std::vector<std::string> slip = {};  // one or two, linear in the velocities
  Quantity limit = 0.0;                // |λ| ≤ L, a number or a formula of t and q
  bool operator==(const FrictionDescription&) const = default;
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
  std::vector<JointDescription> joints = {};
  std::vector<FrictionDescription> frictions = {};
  bool operator==(const LagrangianDescription&) const = default;
};

// Throws InputError with the field ("constraint[0].gap", "kinetic", …) if the description is not a model.
// Array positions in field paths count from 0.
std::unique_ptr<Model> lagrangian(const LagrangianDescription& description);

// The equations over lanes: each lane with its own parameter values.
class LagrangianLanes : public Mechanics<Lanes> {
 public:
  using Mechanics<Lanes>::Mechanics;
  // The values of one lane, in the order of the family's parameters.
  virtual void set(int lane, const double* parameters) = 0;
};

struct LagrangianEquations;

// One description with many sets of parameter values: its equations are derived once. Where a formula gives the value
// of a parameter, the values handed over here count and not the formula.
class LagrangianFamily {
 public:
  // Throws InputError as lagrangian() does.
  explicit LagrangianFamily(const LagrangianDescription& description);

  const Layout& layout() const;
  const std::vector<std::string>& parameters() const;  // their names, in the order of the description
  std::unique_ptr<Model> model(const std::vector<double>& parameters) const;
  // All lanes with the same values at first.
  std::unique_ptr<LagrangianLanes> lanes(const std::vector<double>& parameters) const;

 private:
  std::shared_ptr<const LagrangianEquations> equations_;
};

// The values of parameters, each a number or a formula of the others. Throws InputError ("parameters.k").
std::vector<std::pair<std::string, double>> evaluate_parameters(const NamedQuantities& parameters);

// One quantity as a number: a formula may use the parameters and pi. Throws InputError with `field`.
double evaluate_quantity(const Quantity& quantity, const std::vector<std::pair<std::string, double>>& parameters,
                         const std::string& field);

// Throws InputError ("compliance.damping") for names that a Compliance does not have, and for what does not go
// together.
void check_compliance(const NamedQuantities& compliance, const std::string& field);

// A function in a formula that breaks the smoothness which the theory assumes.
struct NonsmoothFunction {
  std::string field;     // "potential", "constraint[0].gap"
  std::string function;  // "abs", "sign", "step", "floor", "min", "max", "if", "comparison"
  bool operator==(const NonsmoothFunction&) const = default;
};

// abs, sign, step, floor, min, max, atan2, if and comparisons of what changes in a run, in the formulas of mass,
// forces, states and gaps. The description must be one that lagrangian() takes.
std::vector<NonsmoothFunction> nonsmooth_functions(const LagrangianDescription& description);

}  // namespace ricochet
