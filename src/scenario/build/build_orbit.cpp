// Orbits as numbers, and models along a parameter.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <tuple>

#include "ricochet/core/error.hpp"
#include "ricochet/scenario/build.hpp"
#include "ricochet/scenario/orbit_plan.hpp"
#include "scenario/build/build_model.hpp"
#include "scenario/build/file_tables.hpp"
#include "scenario/checks.hpp"
#include "scenario/sweep/sweep_parts.hpp"

namespace ricochet {

namespace {

const OrbitDescription& orbit_of(const Scenario& scenario) {
  static const OrbitDescription none;
  return scenario.orbit ? *scenario.orbit : none;
}

std::optional<Quantity> period_of(const Scenario& scenario) {
  if (const OrbitDescription& orbit = orbit_of(scenario); orbit.period) return orbit.period;
  return scenario.sweep ? scenario.sweep->period : std::nullopt;
}

int coordinate(const Layout& layout, const std::string& name, const std::string& field) {
  const auto place = std::find(layout.coordinates.begin(), layout.coordinates.end(), name);
  if (place == layout.coordinates.end()) throw InputError(field, no_such("coordinate", name, layout.coordinates));
  return static_cast<int>(place - layout.coordinates.begin());
}

// The section as a function of the state, with the parameters as they are.
std::function<double(const State&)> section_of(const std::string& text, const Layout& layout,
                                               const Parameters& parameters) {
  std::vector<std::string> names;
  std::vector<double> values;
  for (const auto& [name, value] : parameters) names.push_back(name), values.push_back(value);
  formula::Tape tape = section_tape(text, "orbit.section", layout, names);
  std::vector<double> constants = tape.constants(values.data());
  return [tape = std::move(tape), constants = std::move(constants)](const State& state) {
    double value = 0.0;
    tape.evaluate(formula::Inputs<double>{.t = &state.t, .q = state.q.data(), .v = state.v.data(), .z = state.z.data()},
                  constants.data(), &value);
    return value;
  };
}

// A sweep over one or two parameters, which is never run: it makes the models along them.
Scenario as_sweep(const Scenario& scenario, const std::vector<std::pair<std::string, double>>& values) {
  Scenario copy = scenario;
  SweepDescription sweep;
  for (const auto& [key, value] : values) sweep.axes.push_back({.parameter = key, .values = {value}});
  sweep.duration = 1.0;
  sweep.period = period_of(scenario);
  sweep.record = std::string("impacts");
  copy.sweep = sweep;
  return copy;
}

// The value that the scenario gives the key.
double value_of(const Scenario& scenario, const std::string& key, const Problem& problem, const std::string& field) {
  Scenario copy = scenario;
  const AxisTarget target = find_target(copy, key, field);
  if (target.quantity == nullptr || !target.field.starts_with("model."))
    throw InputError(field, fmt::format("'{}' does not change the model: orbits are followed along a number "
                                        "of it, such as model.parameters.w",
                                        key));
  return evaluate_quantity(*target.quantity, problem.parameters, target.field);
}

// From and until, which hold the value of the scenario.
std::pair<double, double> range_of(const std::vector<Quantity>& range, const std::string& field, const std::string& key,
                                   double value, const Problem& problem) {
  if (range.size() != 2)
    throw InputError(field, fmt::format("must have two entries, the first and the last value, got {}", range.size()));
  const double from = evaluate_quantity(range[0], problem.parameters, field + "[0]");
  const double until = evaluate_quantity(range[1], problem.parameters, field + "[1]");
  const auto [low, high] = std::minmax(from, until);
  if (!(low < high)) throw InputError(field, fmt::format("its ends must differ, got {}", to_text(low)));
  if (!(value >= low && value <= high))
    throw InputError(field, fmt::format("must hold the value of {} in the scenario, {}, where the orbit is found "
                                        "first; got {} to {}",
                                        key, to_text(value), to_text(low), to_text(high)));
  return {from, until};
}

std::string last_name(const std::string& key) { return key.substr(key.rfind('.') + 1); }

// Models along one or two keys; `files` must outlive it.
std::shared_ptr<const ValuedCases> models_along(const Scenario& scenario,
                                                const std::vector<std::pair<std::string, double>>& values,
                                                const Attachments* files) {
  const Scenario swept = as_sweep(scenario, values);
  return make_cases(swept, SweepPlan(swept), files).cases;
}

void plan_second(const Scenario& scenario, const Problem& problem, const Attachments* files, ContinuationPlan& plan) {
  const ContinueDescription& table = *scenario.continuation;
  if (table.second == table.along)
    throw InputError("continue.second", "must be another key than continue.along, got " + table.second);
  plan.second_key = table.second;
  plan.second_name = last_name(table.second);
  if (plan.second_name == plan.name) plan.name = plan.key, plan.second_name = plan.second_key;
  plan.second = value_of(scenario, table.second, problem, "continue.second");
  std::tie(plan.curves.second_from, plan.curves.second_until) =
      range_of(table.second_range, "continue.second_range", table.second, plan.second, problem);
  plan.curves.from = plan.settings.from, plan.curves.until = plan.settings.until;
  plan.curves.largest_step = plan.settings.largest_step;
  plan.curves.most_points = plan.settings.most_points;
  const auto cases = models_along(scenario, {{table.along, plan.parameter}, {table.second, plan.second}}, files);
  plan.plane = [cases](double first, double second) {
    SweepCase one = cases->of({first, second});
    return OrbitSystem{std::move(one.model), one.period};
  };
}

}  // namespace

OrbitPlan plan_orbit(const Scenario& scenario, const Attachments* files) {
  const FormulaFiles tables(files);
  Problem problem = build(scenario, files);
  const OrbitDescription& orbit = orbit_of(scenario);
  const Layout& layout = problem.model->layout();
  OrbitPlan plan;
  if (const std::optional<Quantity> period = period_of(scenario)) {
    const std::string field = orbit.period ? "orbit.period" : "sweep.period";
    plan.system.period = evaluate_quantity(*period, problem.parameters, field);
    check_number(plan.system.period, positive, field);
  }
  if (orbit.longest == 0) throw InputError("orbit.longest", "must be at least 1, got 0");
  plan.settings.longest = orbit.longest;
  plan.settings.guessed = orbit.guess;
  plan.settings.step = problem.settings.h;
  if (orbit.settle) {
    plan.settings.settle = evaluate_quantity(*orbit.settle, problem.parameters, "orbit.settle");
    check_number(plan.settings.settle, positive, "orbit.settle");
  } else if (!plan.system.is_forced()) {
    plan.settings.settle = problem.span.until - problem.span.from;
  }
  for (std::size_t i = 0; i < orbit.drift.size(); ++i)
    plan.settings.drift.push_back(coordinate(layout, orbit.drift[i], fmt::format("orbit.drift[{}]", i)));
  if (!orbit.shift.empty()) plan.settings.known_shift.assign(layout.coordinates.size(), 0.0);
  for (const auto& [name, quantity] : orbit.shift)
    plan.settings.known_shift[coordinate(layout, name, "orbit.shift." + name)] =
        evaluate_quantity(quantity, problem.parameters, "orbit.shift." + name);
  if (!orbit.section.empty()) plan.settings.section = section_of(orbit.section, layout, problem.parameters);
  plan.start = std::move(problem.start);
  if (const std::string& file = orbit.start; !file.empty())
    plan.start =
        last_row(needed(files, "orbit.start").table(file, "orbit.start"), layout, file, "orbit.start", plan.start.t);
  plan.system.model = std::move(problem.model);
  return plan;
}

ContinuationPlan plan_continuation(const Scenario& scenario, const Attachments* files) {
  const FormulaFiles tables(files);
  if (!scenario.continuation || scenario.continuation->along.empty())
    throw InputError("continue.along",
                     "is missing: the key along which orbits are followed, such as "
                     "model.parameters.w (--along model.parameters.w=2:4)");
  const ContinueDescription& table = *scenario.continuation;
  ContinuationPlan plan;
  plan.orbit = plan_orbit(scenario, files);
  const Problem problem = build(scenario, files);
  plan.key = table.along;
  plan.name = last_name(table.along);
  plan.parameter = value_of(scenario, table.along, problem, "continue.along");
  std::tie(plan.settings.from, plan.settings.until) =
      range_of(table.range, "continue.range", table.along, plan.parameter, problem);
  plan.settings.largest_step = evaluate_quantity(table.step, problem.parameters, "continue.step");
  plan.settings.most_points = table.points;
  plan.settings.branches = table.branches;
  const auto cases = models_along(scenario, {{table.along, plan.parameter}}, files);
  plan.family = [cases](double value) {
    SweepCase one = cases->of({value});
    return OrbitSystem{std::move(one.model), one.period};
  };
  if (!table.second.empty()) plan_second(scenario, problem, files, plan);
  if (table.second.empty() && !table.second_range.empty())
    throw InputError("continue.second", "is missing: the key that continue.second_range is about");
  return plan;
}

}  // namespace ricochet
