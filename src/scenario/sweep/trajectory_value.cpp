#include "scenario/sweep/trajectory_value.hpp"

#include "ricochet/core/error.hpp"
#include "scenario/checks.hpp"

namespace ricochet {

TrajectoryValue::TrajectoryValue(const Quantity& quantity, const formula::SymbolTable& parameters, std::string field,
                                 const Range& range)
    : TrajectoryValue(std::move(field), range) {
  if (quantity.is_number()) {
    number_ = quantity.number();
    return;
  }
  // As evaluate_quantity() does in a run: the same nodes, so the same round-off.
  formula::Graph graph;
  const formula::NodeId node = formula::parse(graph, quantity.formula(), parameters, field_);
  if (!graph.is_constant(node))
    throw InputError(field_, "must not depend on the time t: it is a constant of the model");
  for (const formula::Symbol& symbol : graph.symbols(node)) needs_.push_back(static_cast<std::size_t>(symbol.index));
  tape_.emplace(graph, std::vector<formula::NodeId>{node});
}

TrajectoryValue TrajectoryValue::of_axis(std::size_t axis, std::string field, const Range& range) {
  TrajectoryValue value(std::move(field), range);
  value.axis_ = axis;
  return value;
}

double TrajectoryValue::operator()(const std::vector<double>& parameters, const std::vector<double>& axes) const {
  double value = number_;
  if (axis_) value = axes[*axis_];
  if (tape_) tape_->evaluate(formula::Inputs<double>{}, tape_->constants(parameters.data()).data(), &value);
  check_number(value, range_, field_);
  return value;
}

formula::SymbolTable parameter_symbols(const std::vector<std::string>& names) {
  formula::SymbolTable table;
  for (std::size_t i = 0; i < names.size(); ++i) try {
      table.add(names[i], {formula::Bank::parameter, static_cast<int>(i)});
    } catch (const Error& error) {
      throw InputError("model.parameters." + names[i], error.what());
    }
  return table;
}

}  // namespace ricochet
