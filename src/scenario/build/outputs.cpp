#include "scenario/build/outputs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "ricochet/core/error.hpp"
#include "ricochet/core/quantity.hpp"
#include "scenario/checks.hpp"

namespace ricochet {
namespace {

using formula::Bank;

class CompiledOutputs final : public Outputs {
 public:
  CompiledOutputs(std::vector<std::string> names, std::vector<Display> display)
      : Outputs(std::move(names), std::move(display)) {}

  void compile(const std::vector<OutputDescription>& outputs, const Layout& layout, const Parameters& parameters) {
    ParameterSymbols symbols(parameters);
    formula::SymbolTable& table = symbols.table;
    const auto add = [&table](const std::string& name, Bank bank, int index) {
      if (formula::is_identifier(name) && !table.find(name)) table.add(name, {bank, index});
    };
    for (int i = 0; i < layout.nq(); ++i) {
      add(layout.coordinates[i], Bank::coordinate, i);
      add(layout.coordinates[i] + "_dot", Bank::velocity, i);
    }
    for (int i = 0; i < layout.nz(); ++i) add(layout.states[i], Bank::state, i);
    int place = 0;
    const auto add_part = [&](const double* Sample::*part, const std::vector<std::string>& names,
                              const std::string& quantity, const std::vector<std::string>& rows = {}) {
      for (std::size_t i = 0; i < names.size(); ++i)
        add(spelled(names[i]) + quantity + (rows.empty() ? "" : rows[i]), Bank::auxiliary, place++);
      parts_.emplace_back(part, static_cast<int>(names.size()));
    };
    // What follows from the state comes first.
    add_part(&Sample::gap, layout.constraints, "_gap");
    add_part(&Sample::rate, layout.constraints, "_rate");
    std::vector<std::string> slips, slip_rows, joints, joint_rows;
    for (const Friction& friction : layout.frictions)
      for (int k = 1; k <= friction.rows; ++k) {
        slips.push_back(friction.name);
        slip_rows.push_back(friction.rows == 1 ? "" : fmt::format("_{}", k));
      }
    for (const Joint& joint : layout.joints)
      for (int k = 1; k <= joint.rows; ++k) joints.push_back(joint.name), joint_rows.push_back(fmt::format("_{}", k));
    add_part(&Sample::slip, slips, "_slip", slip_rows);
    add_part(&Sample::observed, layout.observations, "");
    add_part(&Sample::observed_rate, layout.observations, "_dot");
    const int of_state = place;
    add_part(&Sample::impulse, layout.constraints, "_impulse");
    add_part(&Sample::force, layout.constraints, "_force");
    add_part(&Sample::friction, slips, "_friction", slip_rows);
    add_part(&Sample::friction_force, slips, "_friction_force", slip_rows);
    add_part(&Sample::reaction, joints, "_reaction", joint_rows);

    formula::Graph graph;
    std::vector<formula::NodeId> nodes;
    for (std::size_t i = 0; i < outputs.size(); ++i) {
      nodes.push_back(formula::parse(graph, outputs[i].formula, table, fmt::format("output[{}].formula", i)));
      const std::vector<formula::Symbol> used = graph.symbols(nodes.back());
      is_of_state_.push_back(std::none_of(used.begin(), used.end(), [of_state](const formula::Symbol& symbol) {
        return symbol.bank == Bank::auxiliary && symbol.index >= of_state;
      }));
    }
    tape_ = formula::Tape(graph, nodes);
    constants_ = tape_.constants(symbols.values.data());
  }

  bool is_of_state(std::size_t i) const override { return is_of_state_[i]; }
  void set_parameters(const std::vector<double>& values) { constants_ = tape_.constants(values.data()); }

  void evaluate(const Sample& sample, double* values) const override {
    thread_local std::vector<double> auxiliary;
    auxiliary.clear();
    for (const auto& [part, size] : parts_) {
      if (const double* values_of_part = sample.*part)
        auxiliary.insert(auxiliary.end(), values_of_part, values_of_part + size);
      else
        auxiliary.insert(auxiliary.end(), static_cast<std::size_t>(size), std::numeric_limits<double>::quiet_NaN());
    }
    tape_.evaluate(
        formula::Inputs<double>{
            .t = &sample.t, .q = sample.q, .v = sample.v, .z = sample.z, .auxiliary = auxiliary.data()},
        constants_.data(), values);
  }

 private:
  // Names of constraints may have hyphens.
  static std::string spelled(std::string name) {
    std::replace(name.begin(), name.end(), '-', '_');
    return name;
  }

  std::vector<std::pair<const double * Sample::*, int>> parts_;  // what formulas know besides the state, and its size
  std::vector<bool> is_of_state_;
  formula::Tape tape_;
  std::vector<double> constants_;
};

// Everything that has a name in a result.
std::vector<std::string> all_names(const Layout& layout, const std::vector<std::string>& outputs) {
  std::vector<std::string> names;
  for (const auto* some : {&layout.coordinates, &layout.states, &layout.constraints, &layout.observations, &outputs})
    names.insert(names.end(), some->begin(), some->end());
  return names;
}

}  // namespace

std::vector<Display> display_of(const Scenario& scenario) {
  std::vector<Display> display;
  for (const OutputDescription& output : scenario.outputs)
    if (!output.unit.empty() || !output.label.empty()) display.push_back({output.name, output.unit, output.label});
  for (const DisplayDescription& shown : scenario.display) display.push_back({shown.name, shown.unit, shown.label});
  return display;
}

std::shared_ptr<const Outputs> compiled_outputs(const Scenario& scenario, const Layout& layout,
                                                const Parameters& parameters) {
  if (scenario.outputs.empty() && scenario.display.empty()) return nullptr;
  std::vector<std::string> names;
  for (std::size_t i = 0; i < scenario.outputs.size(); ++i) {
    const OutputDescription& output = scenario.outputs[i];
    const std::string field = fmt::format("output[{}]", i);
    check_name(output.name, field + ".name", true);
    if (output.formula.empty()) throw InputError(field + ".formula", "must be a formula, got an empty text");
    const std::vector<std::string> taken = all_names(layout, names);
    if (std::find(taken.begin(), taken.end(), output.name) != taken.end() || output.name == "t" ||
        output.name == "event")
      throw InputError(field + ".name", fmt::format("the name '{}' is already taken", output.name));
    names.push_back(output.name);
  }
  // Quantities that every result has are shown with units too.
  std::vector<std::string> known = all_names(layout, names);
  known.insert(known.end(), {"t", "force", "impulse", "energy"});
  // Parameters are axes of sweeps and branches.
  for (const auto& [name, value] : parameters) known.push_back(name);
  for (std::size_t i = 0; i < scenario.display.size(); ++i) {
    const DisplayDescription& shown = scenario.display[i];
    if (std::find(known.begin(), known.end(), shown.name) == known.end())
      throw InputError(fmt::format("display[{}].name", i), no_such("quantity", shown.name, known));
  }
  auto outputs = std::make_shared<CompiledOutputs>(std::move(names), display_of(scenario));
  outputs->compile(scenario.outputs, layout, parameters);
  return outputs;
}

std::shared_ptr<const Outputs> with_parameters(const std::shared_ptr<const Outputs>& outputs,
                                               const std::vector<double>& values) {
  const auto* compiled = dynamic_cast<const CompiledOutputs*>(outputs.get());
  if (compiled == nullptr) return outputs;
  auto result = std::make_shared<CompiledOutputs>(*compiled);
  result->set_parameters(values);
  return result;
}

}  // namespace ricochet
