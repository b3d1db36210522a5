#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <unordered_map>
#include <vector>

#include "ricochet/core/error.hpp"
#include "ricochet/scenario/build.hpp"
#include "scenario/checks.hpp"

namespace ricochet {

namespace {

// Beyond this a matrix of formulas is no longer the way to describe a system.
constexpr std::size_t coordinates_max = 1000;

// The names that formulas of a model may use, each taken once.
class Names {
 public:
  void take(const std::string& name, std::string what, const std::string& field) {
    check_name(name, field, false);
    const auto [place, is_new] = taken_.emplace(name, std::move(what));
    if (!is_new) throw InputError(field, fmt::format("the name '{}' is already taken by {}", name, place->second));
  }

 private:
  std::unordered_map<std::string, std::string> taken_;
};

void check_mass(const LagrangianDescription& model) {
  const std::size_t nq = model.coordinates.size();
  const std::string size = fmt::format("must have {0} rows of {0} entries, one a coordinate", nq);
  if (model.mass.size() != nq) throw InputError("model.mass", fmt::format("{}, got {} rows", size, model.mass.size()));
  for (std::size_t i = 0; i < nq; ++i)
    if (model.mass[i].size() != nq)
      throw InputError(fmt::format("model.mass[{}]", i), fmt::format("{}, got {} entries", size, model.mass[i].size()));
}

void check_constraint(const ConstraintDescription& constraint, const std::string& field) {
  check_name(constraint.name, field + ".name", true);
  if (constraint.gap.empty()) throw InputError(field + ".gap", "must be a formula, got an empty text");
  if (constraint.restitution && constraint.dissipation_index)
    throw InputError(field + ".dissipation_index", "give restitution or dissipation_index, not both");
  if (!constraint.restitution && !constraint.dissipation_index)
    throw InputError(field, "the restitution is missing: give restitution = e in [0, 1], or dissipation_index");
}

std::vector<std::string> constraint_names(const LagrangianDescription& model) {
  std::vector<std::string> names;
  for (const ConstraintDescription& constraint : model.constraints) names.push_back(constraint.name);
  return names;
}

// Constraints, joints and frictions share the columns of results, and so their names.
void take_row_name(const std::string& name, const std::string& field, std::vector<std::string>& names) {
  check_name(name, field, true);
  if (std::find(names.begin(), names.end(), name) != names.end())
    throw InputError(field, fmt::format("the name '{}' is taken by a constraint, joint or friction", name));
  names.push_back(name);
}

void check_joints(const LagrangianDescription& model, std::vector<std::string>& names) {
  for (std::size_t i = 0; i < model.joints.size(); ++i) {
    const JointDescription& joint = model.joints[i];
    const std::string field = fmt::format("model.joint[{}]", i);
    take_row_name(joint.name, field + ".name", names);
    if (joint.equation.empty() && joint.rate.empty())
      throw InputError(field, "holds nothing: give equation, g(t, q) = 0, or rate, linear in the velocities");
    if (!joint.equation.empty() && !joint.rate.empty())
      throw InputError(field + ".rate", "give equation or rate, not both: two joints may hold both");
  }
}

void check_model(const LagrangianDescription& model) {
  // Names.
  if (model.coordinates.empty())
    throw InputError("model.coordinates", "must have at least one name, got an empty list");
  if (model.coordinates.size() > coordinates_max)
    throw InputError("model.coordinates", fmt::format("a model from formulas has at most {} coordinates, got {}",
                                                      coordinates_max, model.coordinates.size()));
  Names names;
  for (std::size_t i = 0; i < model.coordinates.size(); ++i)
    names.take(model.coordinates[i], "a coordinate", fmt::format("model.coordinates[{}]", i));
  for (std::size_t i = 0; i < model.coordinates.size(); ++i)
    names.take(model.coordinates[i] + "_dot", fmt::format("the velocity of '{}'", model.coordinates[i]),
               fmt::format("model.coordinates[{}]", i));
  for (const auto& [name, value] : model.parameters) names.take(name, "a parameter", "model.parameters." + name);
  for (std::size_t i = 0; i < model.states.size(); ++i)
    names.take(model.states[i].name, "a state", fmt::format("model.state[{}].name", i));

  // Inertia: one way.
  if (model.kinetic.empty() && model.mass.empty())
    throw InputError("model", "needs kinetic, the kinetic energy as a formula, or mass, the mass matrix");
  if (!model.kinetic.empty() && !model.mass.empty()) throw InputError("model.mass", "give kinetic or mass, not both");
  if (!model.mass.empty()) check_mass(model);
  check_by_name(model.force, model.coordinates, "model.force", "coordinate", false);

  for (std::size_t i = 0; i < model.states.size(); ++i)
    if (model.states[i].rate.empty())
      throw InputError(fmt::format("model.state[{}].rate", i), "must be a formula, got an empty text");

  std::vector<std::string> names_of_rows = constraint_names(model);
  const std::size_t repeated = first_repeated(names_of_rows);
  for (std::size_t i = 0; i < model.constraints.size(); ++i) {
    const std::string field = fmt::format("model.constraint[{}]", i);
    check_constraint(model.constraints[i], field);
    if (i == repeated)
      throw InputError(field + ".name", fmt::format("there are two constraints named '{}'", names_of_rows[i]));
  }
  check_joints(model, names_of_rows);
  for (std::size_t i = 0; i < model.frictions.size(); ++i)
    take_row_name(model.frictions[i].name, fmt::format("model.friction[{}].name", i), names_of_rows);
}

}  // namespace

void validate(const Scenario& scenario) {
  check_numbers(scenario);
  if (const auto* model = std::get_if<LagrangianDescription>(&scenario.model)) {
    check_model(*model);
    check_initial(scenario.initial, model->coordinates, true);
  }
  check(scenario.scheme);
  if (scenario.solver) find_solver(scenario.solver->name);

  // Times that are numbers; formulas are known only to build().
  const Time& time = scenario.time;
  if (time.from.is_number() && time.until.is_number() && time.step.is_number())
    step_count({time.from.number(), time.until.number()}, time.step.number());

  if (scenario.sweep) check_sweep(*scenario.sweep);
  if (!scenario.known) return;
  if (const auto* model = std::get_if<LagrangianDescription>(&scenario.model))
    check_known(*scenario.known, model->coordinates, constraint_names(*model), {});
}

Scenario::Scenario() = default;
Scenario::Scenario(const Scenario&) = default;
Scenario::Scenario(Scenario&&) noexcept = default;
Scenario& Scenario::operator=(const Scenario& other) { return *this = Scenario(other); }
Scenario& Scenario::operator=(Scenario&&) noexcept = default;
Scenario::~Scenario() = default;
bool Scenario::operator==(const Scenario&) const = default;

}  // namespace ricochet
