// Joints of linear systems: rows whose offset is a number or a formula of t.
#include <fmt/format.h>

#include "ricochet/core/error.hpp"
#include "ricochet/formula/graph.hpp"
#include "ricochet/formula/parse.hpp"
#include "ricochet/formula/tape.hpp"
#include "scenario/build/build_model.hpp"
#include "scenario/checks.hpp"

namespace ricochet {

std::function<OffsetMotion(double)> motion_of(const Quantity& offset, double factor, const Parameters& parameters,
                                              const std::string& field) {
  if (offset.is_number()) return {};
  const auto [table, values] = ParameterSymbols(parameters);
  formula::Graph graph;
  constexpr formula::Symbol time = {formula::Bank::time, 0};
  const formula::NodeId s = formula::parse(graph, offset.formula(), table, field);
  if (graph.is_constant(s)) return {};
  const formula::NodeId rate = graph.derivative(s, time);
  auto tape =
      std::make_shared<const formula::Tape>(graph, std::vector<formula::NodeId>{s, rate, graph.derivative(rate, time)});
  return [tape, constants = tape->constants(values.data()), factor](double t) {
    double values_at[3];
    tape->evaluate(formula::Inputs<double>{.t = &t}, constants.data(), values_at);
    return OffsetMotion{factor * values_at[0], factor * values_at[1], factor * values_at[2]};
  };
}

RowNames::RowNames(const LinearSystemData& system) {
  for (const LinearGap& gap : system.gaps) taken_.insert(gap.name);
  if (const Model* curved = system.curved_gaps.model.get())
    taken_.insert(curved->layout().constraints.begin(), curved->layout().constraints.end());
}

void RowNames::take(const std::string& name, const std::string& field) {
  check_name(name, field, true);
  if (!taken_.insert(name).second)
    throw InputError(field, fmt::format("the name '{}' is taken by a constraint, joint or friction", name));
}

LinearJoint row_joint(std::string name, SparseVector normal, const Quantity& offset, double factor,
                      const Sources& sources, const std::string& field) {
  LinearJoint joint{std::move(name), std::move(normal)};
  joint.motion = motion_of(offset, factor, sources.parameters(), field);
  if (!joint.motion)
    joint.offset = factor * sources.value(offset, field);
  else
    joint.poles = time_poles(offset.formula(), sources.parameters());
  return joint;
}

LinearJoint held_joint(const HeldDisplacement& held, SparseVector weights, std::size_t number, RowNames& names,
                       const Sources& sources, const std::string& field) {
  const std::string name = held.name.empty() ? fmt::format("joint{}", number) : held.name;
  names.take(name, field + ".name");
  return row_joint(name, std::move(weights), held.displacement, -1.0, sources, field + ".displacement");
}

}  // namespace ricochet
