#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "ricochet/core/error.hpp"
#include "ricochet/scenario/build.hpp"
#include "scenario/checks.hpp"

namespace ricochet {

namespace {

// Beyond this a matrix of formulas is no longer the way to describe a system.
constexpr std::size_t coordinates_max = 1000;

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }

// The names of formulas: a letter or _, then letters, digits and _; elsewhere also -.
void check_name(const std::string& name, const std::string& field, bool hyphens) {
  const bool valid = !name.empty() && is_letter(name[0]) && std::all_of(name.begin(), name.end(), [&](char c) {
    return is_letter(c) || is_digit(c) || (hyphens && c == '-');
  });
  if (valid) return;
  throw InputError(field, fmt::format("'{}' is not a name: names begin with a letter and go on with letters, digits{}",
                                      name, hyphens ? ", _ and -" : " and _"));
}

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

// The keys of `values` are coordinates, each at most once; with `all`, each exactly once.
void check_by_coordinate(const NamedQuantities& values, const std::vector<std::string>& coordinates,
                         const std::string& field, bool all) {
  std::unordered_map<std::string_view, bool> given;
  for (const std::string& name : coordinates) given.emplace(name, false);
  for (const auto& [name, value] : values) {
    const auto place = given.find(name);
    if (place == given.end()) {
      const std::string_view near = nearest(name, coordinates);
      throw InputError(field + "." + name,
                       fmt::format("there is no coordinate '{}'; {}", name,
                                   near.empty() ? fmt::format("the coordinates are {}", fmt::join(coordinates, ", "))
                                                : fmt::format("did you mean '{}'?", near)));
    }
    if (place->second) throw InputError(field + "." + name, "is given twice");
    place->second = true;
  }
  if (!all) return;
  for (const std::string& name : coordinates)
    if (!given.at(name)) throw InputError(field, fmt::format("the coordinate '{}' is missing: give it a value", name));
}

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
  check_by_coordinate(model.force, model.coordinates, "model.force", false);

  for (std::size_t i = 0; i < model.states.size(); ++i)
    if (model.states[i].rate.empty())
      throw InputError(fmt::format("model.state[{}].rate", i), "must be a formula, got an empty text");

  std::unordered_map<std::string_view, std::size_t> constraints;
  for (std::size_t i = 0; i < model.constraints.size(); ++i) {
    const std::string field = fmt::format("model.constraint[{}]", i);
    check_constraint(model.constraints[i], field);
    if (!constraints.emplace(model.constraints[i].name, i).second)
      throw InputError(field + ".name", fmt::format("there are two constraints named '{}'", model.constraints[i].name));
  }
}

void check_known(const KnownAnswer& known, const LagrangianDescription& model) {
  const std::size_t nq = model.coordinates.size();
  if (known.source.empty()) throw InputError("known.source", "must say where the answer comes from");
  check_by_coordinate(known.q, model.coordinates, "known.q", !known.q.empty());
  check_by_coordinate(known.v, model.coordinates, "known.v", !known.v.empty());
  if (!known.window.empty() && known.window.size() != 2)
    throw InputError("known.window", fmt::format("must have two entries, from and until, got {}", known.window.size()));

  std::vector<std::string> constraints;
  for (const ConstraintDescription& constraint : model.constraints) constraints.push_back(constraint.name);
  for (std::size_t i = 0; i < known.impacts.size(); ++i) {
    const std::string& name = known.impacts[i].constraint;
    if (std::find(constraints.begin(), constraints.end(), name) != constraints.end()) continue;
    throw InputError(fmt::format("known.impacts[{}].constraint", i), fmt::format("there is no constraint '{}'", name));
  }

  for (std::size_t i = 0; i < known.samples.size(); ++i) {
    const KnownSample& sample = known.samples[i];
    const std::string field = fmt::format("known.samples[{}]", i);
    if (sample.q.size() != nq)
      throw InputError(field + ".q", fmt::format("must have {} entries, got {}", nq, sample.q.size()));
    if (!sample.v.empty() && sample.v.size() != nq)
      throw InputError(field + ".v", fmt::format("must have {} entries, got {}", nq, sample.v.size()));
  }
}

}  // namespace

void validate(const Scenario& scenario) {
  check_numbers(scenario);
  const auto& model = std::get<LagrangianDescription>(scenario.model);
  check_model(model);
  check_by_coordinate(scenario.initial.q, model.coordinates, "initial.q", true);
  check_by_coordinate(scenario.initial.v, model.coordinates, "initial.v", false);
  check(scenario.scheme);
  if (scenario.solver) find_solver(scenario.solver->name);

  // Times that are numbers; formulas are known only to build().
  const Time& time = scenario.time;
  if (time.from.is_number() && time.until.is_number() && time.step.is_number())
    step_count({time.from.number(), time.until.number()}, time.step.number());

  if (scenario.known) check_known(*scenario.known, model);
}

}  // namespace ricochet
