// Orbits as numbers, and models along a parameter.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "ricochet/core/error.hpp"
#include "ricochet/scenario/build.hpp"
#include "ricochet/scenario/orbit_plan.hpp"
#include "scenario/checks.hpp"
#include "scenario/file_tables.hpp"
#include "scenario/sweep_parts.hpp"

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

// A sweep over the one parameter, which is never run: it makes the models along it.
Scenario as_sweep(const Scenario& scenario, const std::string& key, double value) {
  Scenario copy = scenario;
  SweepDescription sweep;
  sweep.axes = {{.parameter = key, .values = {value}}};
  sweep.duration = 1.0;
  sweep.period = period_of(scenario);
  sweep.record = std::string("impacts");
  copy.sweep = sweep;
  return copy;
}

// The value that the scenario gives the key.
double value_of(const Scenario& scenario, const std::string& key, const Problem& problem) {
  Scenario copy = scenario;
  const AxisTarget target = find_target(copy, key, "continue.along");
  if (target.quantity == nullptr || !target.field.starts_with("model."))
    throw InputError("continue.along", fmt::format("'{}' does not change the model: orbits are followed along a number "
                                                   "of it, such as model.parameters.w",
                                                   key));
  return evaluate_quantity(*target.quantity, problem.parameters, target.field);
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
  plan.system.model = std::move(problem.model);
  plan.start = std::move(problem.start);
  return plan;
}

ContinuationPlan plan_continuation(const Scenario& scenario, const Attachments* files) {
  const FormulaFiles tables(files);
  if (!scenario.continuation || scenario.continuation->along.empty())
    throw InputError("continue.along",
                     "is missing: the key along which orbits are followed, such as "
                     "model.parameters.w (--along model.parameters.w=2:4)");
  const ContinueDescription& table = *scenario.continuation;
  if (table.range.size() != 2)
    throw InputError("continue.range",
                     fmt::format("must have two entries, the first and the last value, got {}", table.range.size()));
  ContinuationPlan plan;
  plan.orbit = plan_orbit(scenario, files);
  const Problem problem = build(scenario, files);
  plan.key = table.along;
  plan.name = table.along.substr(table.along.rfind('.') + 1);
  plan.parameter = value_of(scenario, table.along, problem);
  plan.settings.from = evaluate_quantity(table.range[0], problem.parameters, "continue.range[0]");
  plan.settings.until = evaluate_quantity(table.range[1], problem.parameters, "continue.range[1]");
  const auto [low, high] = std::minmax(plan.settings.from, plan.settings.until);
  if (!(low < high)) throw InputError("continue.range", fmt::format("its ends must differ, got {}", to_text(low)));
  if (!(plan.parameter >= low && plan.parameter <= high))
    throw InputError("continue.range", fmt::format("must hold the value of {} in the scenario, {}, where the orbit is "
                                                   "found first; got {} to {}",
                                                   table.along, to_text(plan.parameter), to_text(low), to_text(high)));
  plan.settings.largest_step = evaluate_quantity(table.step, problem.parameters, "continue.step");
  plan.settings.most_points = table.points;
  plan.settings.branches = table.branches;

  const Scenario swept = as_sweep(scenario, table.along, plan.parameter);
  const std::shared_ptr<const ValuedCases> cases = make_cases(swept, SweepPlan(swept), files).cases;
  plan.family = [cases](double value) {
    SweepCase one = cases->of({value});
    return OrbitSystem{std::move(one.model), one.period};
  };
  return plan;
}

}  // namespace ricochet
