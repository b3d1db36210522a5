#include "ricochet/scenario/build.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "ricochet/core/error.hpp"
#include "scenario/checks.hpp"

namespace ricochet {

namespace {

using Parameters = std::vector<std::pair<std::string, double>>;

// Runs a function of model/, whose fields count from the model.
template <class Function>
auto in_model(Function function) {
  try {
    return function();
  } catch (const InputError& error) {
    throw InputError(error.field().empty() ? "model" : "model." + error.field(), error.message());
  }
}

double evaluate(const Quantity& quantity, const Parameters& parameters, const std::string& field) {
  const double value = evaluate_quantity(quantity, parameters, field);
  check_number(value, {}, field);
  return value;
}

// The values in the order of the coordinates; 0 where none is given.
std::vector<double> by_coordinate(const NamedQuantities& values, const std::vector<std::string>& coordinates,
                                  const Parameters& parameters, const std::string& field) {
  std::vector<double> result(coordinates.size(), 0.0);
  for (const auto& [name, value] : values) {
    const auto place = std::find(coordinates.begin(), coordinates.end(), name) - coordinates.begin();
    result[static_cast<std::size_t>(place)] = evaluate(value, parameters, field + "." + name);
  }
  return result;
}

ComplementaritySettings solver_settings(const Solver& solver, const Parameters& parameters) {
  ComplementaritySettings settings{.solver = solver.name};
  if (solver.tolerance) settings.tolerance = evaluate(*solver.tolerance, parameters, "solver.tolerance");
  if (solver.relaxation) settings.relaxation = evaluate(*solver.relaxation, parameters, "solver.relaxation");
  if (solver.max_iterations > 1'000'000'000)
    throw InputError("solver.max_iterations", fmt::format("must be at most 1e9, got {}", solver.max_iterations));
  settings.max_iterations = static_cast<int>(solver.max_iterations);
  check(settings);
  return settings;
}

}  // namespace

Problem build(const Scenario& scenario) {
  validate(scenario);
  const auto& description = std::get<LagrangianDescription>(scenario.model);

  Problem problem;
  problem.model = in_model([&] { return lagrangian(description); });
  const Parameters parameters = in_model([&] { return evaluate_parameters(description.parameters); });

  // Times: formulas of the parameters are numbers now.
  const Time& time = scenario.time;
  problem.span.from = evaluate(time.from, parameters, "time.from");
  problem.span.until = evaluate(time.until, parameters, "time.until");
  problem.settings.h = evaluate(time.step, parameters, "time.step");
  problem.settings.record_every = time.record_every;
  step_count(problem.span, problem.settings.h);  // refuses a bad grid

  problem.start.t = problem.span.from;
  problem.start.q = by_coordinate(scenario.initial.q, description.coordinates, parameters, "initial.q");
  problem.start.v = by_coordinate(scenario.initial.v, description.coordinates, parameters, "initial.v");
  for (std::size_t i = 0; i < description.states.size(); ++i)
    problem.start.z.push_back(
        evaluate(description.states[i].initial, parameters, fmt::format("model.state[{}].initial", i)));

  problem.scheme = scenario.scheme;
  if (scenario.solver) problem.settings.solver = solver_settings(*scenario.solver, parameters);
  return problem;
}

}  // namespace ricochet
