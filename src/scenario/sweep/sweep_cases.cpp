// The trajectories of a sweep as numbers.
#include <fmt/format.h>

#include <algorithm>

#include "ricochet/core/error.hpp"
#include "ricochet/scenario/build.hpp"
#include "scenario/build/build_model.hpp"
#include "scenario/build/outputs.hpp"
#include "scenario/sweep/sweep_parts.hpp"
#include "scenario/sweep/trajectory_value.hpp"

namespace ricochet {

namespace {

template <class Value>
std::vector<std::string> names_of(const std::vector<std::pair<std::string, Value>>& values) {
  std::vector<std::string> names;
  for (const auto& item : values) names.push_back(item.first);
  return names;
}

std::string axis_field(std::size_t axis) { return fmt::format("sweep.axis[{}].parameter", axis); }

// Where all axes lead. Room for one may move what was found before: the second round finds what stays.
std::vector<AxisTarget> find_targets(Scenario& scenario, const std::vector<SweepAxis>& axes) {
  std::vector<AxisTarget> targets;
  for (int round = 0; round < 2; ++round) {
    targets.clear();
    for (std::size_t i = 0; i < axes.size(); ++i)
      targets.push_back(find_target(scenario, axes[i].parameter, axis_field(i)));
  }
  for (std::size_t i = 0; i < targets.size(); ++i)
    for (std::size_t k = 0; k < i; ++k)
      if (targets[i].field == targets[k].field)
        throw InputError(axis_field(i), fmt::format("sweep.axis[{}] already changes {}", k, targets[k].field));
  return targets;
}

// Makes values of quantities: those that an axis leads to take the axis's values.
class ValueMaker {
 public:
  ValueMaker(const std::vector<AxisTarget>& targets, const std::vector<std::string>& parameters)
      : targets_(targets), symbols_(parameter_symbols(parameters)) {}

  TrajectoryValue operator()(const Quantity& quantity, const std::string& field, const Range& range = {}) const {
    for (std::size_t i = 0; i < targets_.size(); ++i)
      if (targets_[i].quantity == &quantity) return TrajectoryValue::of_axis(i, field, range);
    return {quantity, symbols_, field, range};
  }
  std::optional<TrajectoryValue> operator()(const std::optional<Quantity>& quantity, const std::string& field,
                                            const Range& range) const {
    if (!quantity) return std::nullopt;
    return (*this)(*quantity, field, range);
  }

 private:
  const std::vector<AxisTarget>& targets_;
  formula::SymbolTable symbols_;
};

// How long trajectories last.
class Times {
 public:
  Times(const SweepDescription& sweep, const ValueMaker& value)
      : settles_(ends_when_settled(sweep)),
        transient_(settles_ ? value(sweep.settle_within, "sweep.settle_within", positive)
                            : value(sweep.transient, "sweep.transient", {0.0})),
        duration_(value(sweep.duration, "sweep.duration", positive)),
        period_(value(sweep.period, "sweep.period", positive)) {}

  void set(SweepCase& result, const std::vector<double>& axes) const {
    constexpr double periods_to_settle = 1000.0;
    result.settles = settles_;
    if (transient_) result.transient = (*transient_)(result.parameters, axes);
    result.duration = duration_(result.parameters, axes);
    if (period_) result.period = (*period_)(result.parameters, axes);
    if (!transient_) result.transient = periods_to_settle * result.period;
  }

 private:
  bool settles_;
  std::optional<TrajectoryValue> transient_;  // the longest; none: so many periods
  TrajectoryValue duration_;
  std::optional<TrajectoryValue> period_;
};

// The values of coordinates in their order; 0 where none are given.
std::vector<TrajectoryValue> start_values(const CoordinateValues& values, const std::vector<std::string>& coordinates,
                                          const Attachments* files, const ValueMaker& value, const std::string& field) {
  std::vector<TrajectoryValue> result;
  const auto from_file = coordinate_file(values, coordinates.size(), files, field);
  for (std::size_t i = 0; i < coordinates.size(); ++i) {
    const auto given = std::find_if(values.by_name.begin(), values.by_name.end(),
                                    [&](const auto& item) { return item.first == coordinates[i]; });
    if (from_file)
      result.push_back(value((*from_file)[i], field));
    else if (values.for_all)
      result.push_back(value(*values.for_all, field));
    else if (given != values.by_name.end())
      result.push_back(value(given->second, field + "." + coordinates[i]));
    else
      result.push_back(value(0.0, field));
  }
  return result;
}

std::vector<double> evaluate(const std::vector<TrajectoryValue>& values, const std::vector<double>& parameters,
                             const std::vector<double>& axes) {
  std::vector<double> result;
  for (const TrajectoryValue& value : values) result.push_back(value(parameters, axes));
  return result;
}

// Models from formulas: derived once. What an axis changes inside the model becomes a parameter of it.
class FormulaCases final : public ValuedCases {
 public:
  FormulaCases(const Scenario& scenario, const SweepPlan& plan, const Attachments* files)
      : ValuedCases(plan), scheme_(scenario.scheme), solver_(scenario.solver) {
    Scenario copy = scenario;
    const std::vector<AxisTarget> targets = find_targets(copy, plan_.axes());
    auto& model = std::get<LagrangianDescription>(copy.model);
    in_model([&] { return evaluate_parameters(std::get<LagrangianDescription>(scenario.model).parameters); });

    read_values(copy, model, targets, files);
    read_solver(copy, targets);
    add_parameters(model, targets);
    for (std::size_t i = 0; i < parameters_.size(); ++i) put_in_order(i);

    // What stands in the place of an axis now is a formula, which no range refuses.
    validate(copy);
    family_ = in_model([&] { return std::make_unique<LagrangianFamily>(model); });
    read_outputs(copy, names_of(model.parameters));
  }

  SweepCase of(const std::vector<double>& axes) const override {
    SweepCase result;
    std::vector<double>& parameters = result.parameters;
    parameters.resize(parameters_.size());
    for (const std::size_t i : order_) parameters[i] = parameters_[i](parameters, axes);

    result.scheme = scheme_;
    for (const auto& [axis, name] : scheme_axes_) set_parameter(result.scheme, name, axes[axis]);
    if (!scheme_axes_.empty()) check(result.scheme);
    if (solver_) result.solver = solver_settings(solver_at(parameters, axes), {});

    result.from = (*from_)(parameters, axes);
    result.step = (*step_)(parameters, axes);
    times_->set(result, axes);
    result.start = {.t = result.from,
                    .q = evaluate(q_, parameters, axes),
                    .v = evaluate(v_, parameters, axes),
                    .z = evaluate(z_, parameters, axes)};
    result.model = family_->model(parameters);
    if (outputs_) result.outputs = with_parameters(outputs_, parameters);
    return result;
  }

  const LagrangianFamily* family() const override { return in_lanes_ ? family_.get() : nullptr; }
  const Scheme* scheme() const override { return in_lanes_ ? &scheme_ : nullptr; }
  const LagrangianFamily& equations() const { return *family_; }
  const std::shared_ptr<const Outputs>& outputs() const { return outputs_; }

 private:
  void read_values(const Scenario& copy, const LagrangianDescription& model, const std::vector<AxisTarget>& targets,
                   const Attachments* files) {
    const ValueMaker value(targets, names_of(model.parameters));
    from_ = value(copy.time.from, "time.from");
    step_ = value(copy.time.step, "time.step", positive);
    times_.emplace(*copy.sweep, value);
    q_ = start_values(copy.initial.q, model.coordinates, files, value, "initial.q");
    v_ = start_values(copy.initial.v, model.coordinates, files, value, "initial.v");
    for (std::size_t i = 0; i < model.states.size(); ++i)
      z_.push_back(value(model.states[i].initial, fmt::format("model.state[{}].initial", i)));
    for (const auto& [name, quantity] : model.parameters)
      parameters_.push_back(value(quantity, "model.parameters." + name));
    if (!copy.solver) return;
    tolerance_ = value(copy.solver->tolerance, "solver.tolerance", positive);
    relaxation_ = value(copy.solver->relaxation, "solver.relaxation", positive);
  }

  void read_outputs(const Scenario& copy, const std::vector<std::string>& names) {
    Parameters parameters;
    for (const std::string& name : names) parameters.emplace_back(name, 0.0);
    outputs_ = compiled_outputs(copy, family_->layout(), parameters);
    const auto* record = std::get_if<std::string>(&copy.sweep->record);
    if (!copy.outputs.empty() && record != nullptr && *record == "statistics") in_lanes_ = false;
  }

  // Lanes share scheme and solver.
  void read_solver(const Scenario& copy, const std::vector<AxisTarget>& targets) {
    for (std::size_t i = 0; i < targets.size(); ++i) {
      if (!targets[i].quantity) scheme_axes_.emplace_back(i, targets[i].scheme_parameter);
      if (!targets[i].quantity || targets[i].field.starts_with("solver.")) in_lanes_ = false;
    }
    if (!copy.solver) return;
    for (const auto& quantity : {copy.solver->tolerance, copy.solver->relaxation})
      if (quantity && !quantity->is_number()) in_lanes_ = false;
  }

  // An axis inside the model that is not a parameter yet becomes one, after the others.
  void add_parameters(LagrangianDescription& model, const std::vector<AxisTarget>& targets) {
    NamedQuantities added;
    for (std::size_t i = 0; i < targets.size(); ++i) {
      const AxisTarget& target = targets[i];
      if (!target.quantity) continue;
      const bool needs_one = target.field.starts_with("model.") && !target.field.starts_with("model.parameters.") &&
                             !target.field.starts_with("model.state[");
      const std::string name = needs_one ? free_name(model, i) : "0";
      *target.quantity = name;
      if (!needs_one) continue;
      added.emplace_back(name, 0.0);
      parameters_.push_back(TrajectoryValue::of_axis(i, target.field, target.range));
    }
    model.parameters.insert(model.parameters.end(), added.begin(), added.end());
  }

  static std::string free_name(const LagrangianDescription& model, std::size_t axis) {
    std::vector<std::string> taken = names_of(model.parameters);
    for (const std::string& name : model.coordinates) taken.insert(taken.end(), {name, name + "_dot"});
    for (const StateDescription& state : model.states) taken.push_back(state.name);
    std::string name = fmt::format("_axis{}", axis);
    while (std::find(taken.begin(), taken.end(), name) != taken.end()) name = "_" + name;
    return name;
  }

  // A parameter after those that its formula needs.
  void put_in_order(std::size_t parameter) {
    if (std::find(order_.begin(), order_.end(), parameter) != order_.end()) return;
    for (const std::size_t needed : parameters_[parameter].needs()) put_in_order(needed);
    order_.push_back(parameter);
  }

  Solver solver_at(const std::vector<double>& parameters, const std::vector<double>& axes) const {
    Solver solver = *solver_;
    if (tolerance_) solver.tolerance = (*tolerance_)(parameters, axes);
    if (relaxation_) solver.relaxation = (*relaxation_)(parameters, axes);
    return solver;
  }

  Scheme scheme_;
  std::optional<Solver> solver_;
  std::vector<TrajectoryValue> parameters_, q_, v_, z_;
  std::vector<std::size_t> order_;  // in which the parameters are evaluated
  std::optional<TrajectoryValue> from_, step_, tolerance_, relaxation_;
  std::optional<Times> times_;
  std::vector<std::pair<std::size_t, std::string>> scheme_axes_;
  bool in_lanes_ = true;
  std::unique_ptr<LagrangianFamily> family_;
  std::shared_ptr<const Outputs> outputs_;
};

// Any other kind of model: built anew for each trajectory.
class BuiltCases final : public ValuedCases {
 public:
  BuiltCases(const Scenario& scenario, const Problem& base, const SweepPlan& plan, const Attachments* files)
      : ValuedCases(plan), scenario_(scenario), files_(files) {
    Scenario copy = scenario;
    const std::vector<AxisTarget> targets = find_targets(copy, plan_.axes());
    times_.emplace(*copy.sweep, ValueMaker(targets, names_of(base.parameters)));
    // The table itself need not be checked and copied again and again.
    scenario_.sweep.reset();
    scenario_.known.reset();
    for (std::size_t i = 0; i < targets.size(); ++i) {
      if (targets[i].field.starts_with("initial.")) check_start(i, targets[i].field);
      if (!targets[i].field.starts_with("sweep.")) axes_.push_back(i);
    }
  }

  SweepCase of(const std::vector<double>& axes) const override {
    Scenario copy = scenario_;
    for (const std::size_t i : axes_) set(copy, i, axes[i]);
    Problem problem = build(copy, files_);

    SweepCase result;
    for (const auto& item : problem.parameters) result.parameters.push_back(item.second);
    result.scheme = std::move(problem.scheme);
    result.solver = problem.settings.solver;
    result.from = problem.span.from;
    result.step = problem.settings.h;
    times_->set(result, axes);
    result.start = std::move(problem.start);
    result.model = std::move(problem.model);
    result.outputs = std::move(problem.settings.outputs);
    return result;
  }

 private:
  void set(Scenario& scenario, std::size_t axis, double value) const {
    const AxisTarget target = find_target(scenario, plan_.axes()[axis].parameter, axis_field(axis));
    if (target.quantity)
      *target.quantity = value;
    else
      set_parameter(scenario.scheme, target.scheme_parameter, value);
  }

  // Only the built model knows its coordinates.
  void check_start(std::size_t axis, const std::string& field) const {
    Scenario copy = scenario_;
    set(copy, axis, 0.0);
    try {
      build(copy, files_);
    } catch (const InputError& error) {
      if (error.field() == field) throw InputError(axis_field(axis), error.message());
      throw;
    }
  }

  Scenario scenario_;
  const Attachments* files_;
  std::optional<Times> times_;
  std::vector<std::size_t> axes_;  // those that change the scenario
};

}  // namespace

CasesBuild make_cases(const Scenario& scenario, const SweepPlan& plan, const Attachments* files) {
  validate(scenario);
  if (std::holds_alternative<LagrangianDescription>(scenario.model)) {
    auto cases = std::make_unique<FormulaCases>(scenario, plan, files);
    Layout layout = cases->equations().layout();
    std::shared_ptr<const Outputs> outputs = cases->outputs();
    return {std::move(cases), std::move(layout), names_of(std::get<LagrangianDescription>(scenario.model).parameters),
            std::move(outputs)};
  }
  const Problem base = build(scenario, files);
  return {std::make_unique<BuiltCases>(scenario, base, plan, files), base.model->layout(), names_of(base.parameters),
          base.settings.outputs};
}

}  // namespace ricochet
