#include "ricochet/scenario/build.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>

#include "contact/joint_forces.hpp"
#include "model/reduce.hpp"
#include "ricochet/core/error.hpp"
#include "ricochet/model/equilibrium.hpp"
#include "scenario/build/build_model.hpp"
#include "scenario/build/drawing.hpp"
#include "scenario/build/file_tables.hpp"
#include "scenario/build/outputs.hpp"
#include "scenario/checks.hpp"

namespace ricochet {

namespace {

// One value or formula for every coordinate; on bars and beams of the abscissa x, with its slope where rotations are.
std::vector<double> for_all(const Quantity& quantity, const BuiltModel& built, const std::string& field) {
  const std::size_t n = built.coordinates.size();
  if (built.abscissa.empty()) return std::vector<double>(n, evaluate_quantity(quantity, built.parameters, field));
  const Formulas formula({{field, quantity.text()}}, built.parameters, "x");
  std::vector<double> result(n);
  for (std::size_t i = 0; i < n; ++i) {
    double value_and_slope[2];
    formula.evaluate(0.0, built.abscissa[i], value_and_slope);
    result[i] = value_and_slope[built.is_slope[i] ? 1 : 0];
    check_number(result[i], {}, field);
  }
  return result;
}

// The values in the order of the system's coordinates; `rest` where none are given.
std::vector<double> system_values(const CoordinateValues& values, const BuiltModel& built, const Attachments* files,
                                  const std::vector<double>& rest, const std::string& field) {
  const std::size_t n = built.coordinates.size();
  if (auto from_file = coordinate_file(values, n, files, field)) return *from_file;
  if (values.for_all) return for_all(*values.for_all, built, field);

  std::vector<double> result = rest.empty() ? std::vector<double>(n, 0.0) : rest;
  if (values.by_name.empty()) return result;
  std::unordered_map<std::string_view, std::size_t> index;
  for (std::size_t i = 0; i < n; ++i) index.emplace(built.coordinates[i], i);
  for (const auto& [name, value] : values.by_name)
    result[index.at(name)] = evaluate_quantity(value, built.parameters, field + "." + name);
  return result;
}

// The same for the coordinates of the model, which may be modes.
std::vector<double> start_values(const CoordinateValues& values, const BuiltModel& built, const Attachments* files,
                                 const std::vector<double>& rest, double t, const std::string& field) {
  if (values.for_all == Quantity("equilibrium")) {
    if (built.basis) throw InputError(field, "\"equilibrium\" cannot be combined with modes");
    return static_equilibrium(*built.model, t, system_values({}, built, files, rest, field), built.states, field);
  }
  std::vector<double> result = system_values(values, built, files, rest, field);
  return built.basis ? modal_coordinates(built.mass, *built.basis, result) : result;
}

// Column NAME of a result, which a CSV file may call "NAME [unit]".
const std::vector<double>* result_column(const NumberTable& table, const std::string& name) {
  for (std::size_t j = 0; j < table.columns.size(); ++j)
    if (table.columns[j] == name || table.columns[j].starts_with(name + " [")) return &table.values[j];
  return nullptr;
}

// Files of one value a coordinate have no time, and no velocities.
bool is_result(const NumberTable& table) {
  const auto is_velocity = [](const std::string& name) { return name.substr(0, name.find(" [")).ends_with("_dot"); };
  return result_column(table, "t") != nullptr && std::any_of(table.columns.begin(), table.columns.end(), is_velocity);
}

}  // namespace

std::optional<std::vector<double>> coordinate_file(const CoordinateValues& values, std::size_t count,
                                                   const Attachments* files, const std::string& field) {
  if (!values.for_all || values.for_all->is_number() || !names_file(values.for_all->formula())) return std::nullopt;
  const std::string& file = values.for_all->formula();
  const NumberTable table = needed(files, field).table(file, field);
  if (names_result(file) || is_result(table))
    throw InputError(field,
                     fmt::format("'{}' is a result: only initial.q of a single run continues from one, and a sweep "
                                 "does not; give the values of its last state",
                                 file));
  std::vector<double> result = table.values.empty() ? std::vector<double>() : table.values.back();
  if (result.size() != count)
    throw InputError(field, fmt::format("'{}' has {} values, the model {} coordinates", file, result.size(), count));
  return result;
}

State last_row(const NumberTable& table, const Layout& layout, const std::string& file, const std::string& field,
               double t) {
  const auto last = [&](const std::string& name) {
    const std::vector<double>* const values = result_column(table, name);
    if (values == nullptr)
      throw InputError(field, fmt::format("'{}' is the result of another model: it has no '{}', but {}", file, name,
                                          fmt::join(table.columns, ", ")));
    if (values->empty()) throw InputError(field, fmt::format("'{}' has no rows", file));
    return values->back();
  };
  State state{.t = result_column(table, "t") != nullptr ? last("t") : t};
  for (const std::string& coordinate : layout.coordinates) state.q.push_back(last(coordinate));
  for (const std::string& coordinate : layout.coordinates) state.v.push_back(last(coordinate + "_dot"));
  for (const std::string& one : layout.states) state.z.push_back(last(one));
  return state;
}

std::optional<State> last_state(const Initial& initial, const Layout& layout, const Attachments* files) {
  const std::optional<Quantity>& name = initial.q.for_all;
  if (!name || name->is_number() || !names_file(name->formula())) return std::nullopt;
  const std::string& file = name->formula();
  const NumberTable table = needed(files, "initial.q").table(file, "initial.q");
  if (!names_result(file) && !is_result(table)) return std::nullopt;
  if (initial.v != CoordinateValues())
    throw InputError("initial.v", fmt::format("follows from '{}', the result that the run continues from", file));
  return last_row(table, layout, file, "initial.q", 0.0);
}

ComplementaritySettings solver_settings(const Solver& solver, const Parameters& parameters) {
  ComplementaritySettings settings{.solver = solver.name};
  if (solver.tolerance) settings.tolerance = evaluate_quantity(*solver.tolerance, parameters, "solver.tolerance");
  if (solver.relaxation) settings.relaxation = evaluate_quantity(*solver.relaxation, parameters, "solver.relaxation");
  if (solver.max_iterations > 1'000'000'000)
    throw InputError("solver.max_iterations", fmt::format("must be at most 1e9, got {}", solver.max_iterations));
  settings.max_iterations = static_cast<int>(solver.max_iterations);
  check(settings);
  return settings;
}

BuiltModel build_model(const LagrangianDescription& description, const Attachments*) {
  BuiltModel built;
  const LagrangianFamily family(description);
  built.parameters = evaluate_parameters(description.parameters);
  std::vector<double> values;
  for (const auto& [name, value] : built.parameters) values.push_back(value);
  built.model = family.model(values);
  built.coordinates = description.coordinates;
  for (std::size_t i = 0; i < description.states.size(); ++i)
    built.states.push_back(
        evaluate_quantity(description.states[i].initial, built.parameters, fmt::format("state[{}].initial", i)));
  return built;
}

Problem build(const Scenario& scenario, const Attachments* files) {
  validate(scenario);
  const FormulaFiles tables(files);
  BuiltModel built = in_model([&] {
    return std::visit([&](const auto& description) { return build_model(description, files); }, scenario.model);
  });

  // Times: formulas of the parameters are numbers now.
  Problem problem;
  const Time& time = scenario.time;
  const std::optional<State> continued = last_state(scenario.initial, built.model->layout(), files);
  problem.span.from = evaluate_quantity(time.from, built.parameters, "time.from");
  if (continued && time.from == Quantity(0.0)) problem.span.from = continued->t;
  problem.span.until = evaluate_quantity(time.until, built.parameters, "time.until");
  problem.settings.h = evaluate_quantity(time.step, built.parameters, "time.step");
  problem.settings.record_every = time.record_every;
  problem.settings.record_impacts = true;
  if (continued && !(problem.span.until > problem.span.from))
    throw InputError("time.until", fmt::format("must be later than {}, where the result ends that the run continues "
                                               "from, got {}",
                                               to_text(problem.span.from), to_text(problem.span.until)));
  step_count(problem.span, problem.settings.h);  // refuses a bad grid

  check_initial(scenario.initial, built.coordinates, false);
  problem.start.t = problem.span.from;
  if (built.check_start && scenario.initial.q == CoordinateValues())
    in_model([&] { built.check_start(problem.start.t); });
  if (continued) {
    problem.start.q = continued->q;
    problem.start.v = continued->v;
    problem.start.z = continued->z;
  } else {
    problem.start.q = start_values(scenario.initial.q, built, files, built.rest, problem.start.t, "initial.q");
    problem.start.v = start_values(scenario.initial.v, built, files, {}, problem.start.t, "initial.v");
    problem.start.z = built.states;
  }
  // Some modes of a start that satisfies the joints do not.
  if (built.basis && built.model->nb() > 0)
    JointForces(*built.model).project(problem.start.t, problem.start.q.data(), problem.start.v.data());

  problem.settings.outputs = compiled_outputs(scenario, built.model->layout(), built.parameters);
  problem.scheme = scenario.scheme;
  if (scenario.solver) problem.settings.solver = solver_settings(*scenario.solver, built.parameters);
  if (scenario.draw) {
    const Layout& layout = built.model->layout();
    std::vector<std::string> contacts = layout.constraints;
    for (const Friction& friction : layout.frictions)
      if (friction.constraint < 0) contacts.push_back(friction.name);
    const DrawingFormulas checked(*scenario.draw, scenario.model, layout.coordinates, contacts);
  }
  problem.model = std::move(built.model);
  problem.parameters = std::move(built.parameters);
  return problem;
}

}  // namespace ricochet
