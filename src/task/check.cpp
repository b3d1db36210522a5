#include "ricochet/task/check.hpp"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/place.hpp"
#include "scenario/build/file_tables.hpp"

namespace ricochet {

std::vector<NonsmoothFunction> nonsmooth_functions(const Scenario& scenario, const Attachments* files) {
  const FormulaFiles tables(files);
  const auto* description = std::get_if<LagrangianDescription>(&scenario.model);
  if (description == nullptr) return {};
  std::vector<NonsmoothFunction> functions = nonsmooth_functions(*description);
  // Their fields count from the model.
  for (NonsmoothFunction& item : functions) item.field = "model." + item.field;
  return functions;
}

namespace {

// Linear models have formulas of the time: loads, offsets, what is driven. As a description of formulas, with gaps by
// their values at q = 0.
class TimeFormulas {
 public:
  explicit TimeFormulas(const NamedQuantities& parameters) { formulas_.parameters = parameters; }

  void add(const LinearDescription& linear, const Model& model) {
    const std::vector<std::string>& names = model.layout().coordinates;
    if (linear.modes == 0) formulas_.coordinates = names;
    for (const auto& [name, force] : linear.load) add_value("load " + name, force);
    for (std::size_t i = 0; i < linear.loads.size(); ++i) add_load(path_to("loads", i), linear.loads[i].signal);
    add_base(linear.base);
    for (const RowConstraint& row : linear.constraints)
      add_gap(row.name, row.gap.empty() ? row.offset : Quantity(row.gap), row.impact, row.friction);
    for (std::size_t i = 0; i < linear.stops.size(); ++i) {
      const StopLimits& limits = linear.stops[i].limits;
      const std::string name = limits.name.empty() ? "stop" + std::to_string(i) : limits.name;
      if (limits.lower)
        add_gap(name + "-lower", "-(" + limits.lower->text() + ")", limits.impact, linear.stops[i].friction);
      if (limits.upper) add_gap(name + "-upper", *limits.upper, limits.impact, linear.stops[i].friction);
    }
    for (const RowJoint& joint : linear.joints) {
      add_value("joint " + joint.name, joint.offset);
      for (const std::string& equation : joint.equation) add_value("joint " + joint.name, equation);
    }
    for (std::size_t i = 0; i < linear.held.size(); ++i) add_held(linear.held[i].held, i);
    for (const RowFriction& friction : linear.frictions) {
      formulas_.frictions.push_back({.name = friction.name, .limit = friction.limit});
      add_slips(friction.name, friction.slips);
    }
  }
  void add(const LineDescription& line, const Model&) {
    for (std::size_t i = 0; i < line.loads.size(); ++i) add_load(path_to("loads", i), line.loads[i].signal);
    add_base(line.base);
    for (std::size_t i = 0; i < line.held.size(); ++i) add_held(line.held[i].held, i);
  }

  std::unique_ptr<const CheckedFormulas> made(bool has_positions) {
    auto formulas = std::make_unique<CheckedFormulas>(formulas_);
    for (const auto& [label, text] : values_) formulas->add_value(label, text);
    if (!has_positions) formulas->forget_positions();
    return formulas;
  }

 private:
  void add_value(std::string label, const Quantity& quantity) {
    if (!quantity.is_number()) values_.emplace_back(std::move(label), quantity.text());
  }
  // Values of files are numbers.
  void add_load(const std::string& field, const SignalDescription& signal) {
    if (signal.file.empty()) add_value("load " + field, Quantity(signal.formula));
  }
  void add_base(const std::optional<BaseMotion>& base) {
    if (base && base->signal.file.empty()) add_value("acceleration of the base", Quantity(base->signal.formula));
  }
  void add_held(const HeldDisplacement& held, std::size_t i) {
    add_value("displacement of " + (held.name.empty() ? "joint" + std::to_string(i) : held.name), held.displacement);
  }
  void add_slips(const std::string& name, const SlipRows& slips) {
    for (const Quantity* offset : {&slips.slip_offset, &slips.second_slip_offset})
      add_value("slip of " + name, *offset);
  }
  void add_gap(const std::string& name, const Quantity& gap, const ImpactDescription& impact,
               const ContactFriction& friction) {
    ConstraintDescription& constraint = formulas_.constraints.emplace_back();
    constraint.name = name;
    constraint.gap = gap.text();
    constraint.restitution = impact.restitution;
    constraint.dissipation_index = impact.dissipation_index;
    constraint.friction = friction.friction;
    constraint.tangential_restitution = friction.tangential_restitution;
    add_slips(name, friction.slips);
  }

  LagrangianDescription formulas_;
  std::vector<std::pair<std::string, std::string>> values_;
};

// Formulas of coordinates that a reduction to modes has replaced.
bool has_lost_positions(const LinearDescription& linear) {
  return linear.modes > 0 && (std::any_of(linear.constraints.begin(), linear.constraints.end(),
                                          [](const RowConstraint& row) { return !row.gap.empty(); }) ||
                              std::any_of(linear.joints.begin(), linear.joints.end(),
                                          [](const RowJoint& row) { return !row.equation.empty(); }));
}

// Nothing for beads, which have no formulas, and for what is looked at at some times: frames and large models.
std::unique_ptr<const CheckedFormulas> formulas_of(const ModelDescription& model, const Model& built) {
  constexpr std::size_t most = 50;  // coordinates: their number squared are the entries of the mass
  if (const auto* formulas = std::get_if<LagrangianDescription>(&model))
    return formulas->coordinates.size() > most ? nullptr : std::make_unique<const CheckedFormulas>(*formulas);
  const auto of_time = [&](const auto& description, bool has_positions) {
    TimeFormulas formulas(description.parameters);
    formulas.add(description, built);
    return formulas.made(has_positions);
  };
  if (const auto* linear = std::get_if<LinearDescription>(&model))
    return has_lost_positions(*linear) ? nullptr : of_time(*linear, linear->modes == 0);
  if (const auto* bar = std::get_if<BarDescription>(&model)) return of_time(*bar, false);
  if (const auto* beam = std::get_if<BeamDescription>(&model)) return of_time(*beam, false);
  return nullptr;
}

}  // namespace

std::unique_ptr<const CheckedFormulas> checked_formulas(const Scenario& scenario, const Model& model,
                                                        const Attachments* files) {
  const FormulaFiles tables(files);
  return formulas_of(scenario.model, model);
}

CheckOutcome check_problem(const Problem& problem, std::vector<NonsmoothFunction> nonsmooth,
                           const CheckedFormulas* formulas) {
  return {{},
          problem.scheme.name,
          problem.model->layout().constraints,
          check_problem(*problem.model, problem.start, problem.span, problem.scheme, problem.settings,
                        std::move(nonsmooth), formulas)};
}

CheckOutcome check_scenario(const ScenarioFile& file) {
  const Problem problem = file.build();
  try {
    CheckOutcome outcome = check_problem(problem, nonsmooth_functions(file.scenario(), file.files()),
                                         checked_formulas(file.scenario(), *problem.model, file.files()).get());
    outcome.title = file.scenario().title;
    return outcome;
  } catch (const InputError& error) {
    throw file.located(error);
  }
}

}  // namespace ricochet
