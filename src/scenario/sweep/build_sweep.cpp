// What is kept of the trajectories of a sweep.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "ricochet/core/error.hpp"
#include "ricochet/formula/graph.hpp"
#include "ricochet/formula/parse.hpp"
#include "scenario/build/file_tables.hpp"
#include "scenario/checks.hpp"
#include "scenario/sweep/sweep_parts.hpp"
#include "scenario/sweep/trajectory_value.hpp"

namespace ricochet {

namespace {

constexpr std::size_t bins_max = 1'000'000;

// 4 bins a decade from 1e-6 to 1e6, each decade with the same digits.
std::vector<double> default_edges() {
  constexpr double steps[4] = {1.0, 1.7782794100389228, 3.1622776601683795, 5.623413251903491};
  constexpr double powers[7] = {1.0, 10.0, 100.0, 1e3, 1e4, 1e5, 1e6};
  std::vector<double> edges;
  for (int decade = -6; decade < 6; ++decade)
    for (const double step : steps) edges.push_back(decade < 0 ? step / powers[-decade] : step * powers[decade]);
  edges.push_back(1e6);
  return edges;
}

std::vector<double> impulse_edges(const std::vector<Quantity>& bins) {
  if (bins.empty()) return default_edges();
  if (bins.size() > bins_max)
    throw InputError("sweep.impulse_bins", fmt::format("must be at most 1e6 edges, got {}", bins.size()));
  std::vector<double> edges;
  for (std::size_t i = 0; i < bins.size(); ++i) {
    const std::string field = fmt::format("sweep.impulse_bins[{}]", i);
    edges.push_back(evaluate_quantity(bins[i], {}, field));
    if (i > 0 && !(edges[i] > edges[i - 1]))
      throw InputError(
          field, fmt::format("must be above the edge before it, {}, got {}", to_text(edges[i - 1]), to_text(edges[i])));
  }
  return edges;
}

// Names of coordinates are free to choose: one that no formula can use, or that a parameter has, is not in formulas.
void add_if_possible(formula::SymbolTable& table, const std::string& name, formula::Symbol symbol) {
  try {
    table.add(name, symbol);
  } catch (const Error&) {
    return;
  }
}

}  // namespace

formula::Tape section_tape(const std::string& text, const std::string& field, const Layout& layout,
                           const std::vector<std::string>& parameters) {
  formula::SymbolTable table = parameter_symbols(parameters);
  for (int i = 0; i < layout.nq(); ++i) {
    const std::string& name = layout.coordinates[i];
    add_if_possible(table, name, {formula::Bank::coordinate, i});
    add_if_possible(table, name + "_dot", {formula::Bank::velocity, i});
  }
  for (int i = 0; i < layout.nz(); ++i) add_if_possible(table, layout.states[i], {formula::Bank::state, i});

  formula::Graph graph;
  const formula::NodeId node = formula::parse(graph, text, table, field);
  if (graph.is_constant(node))
    throw InputError(field,
                     "does not depend on the motion: it must be a formula of coordinates, velocities, states "
                     "or t that passes through 0");
  formula::Tape tape(graph, {node});
  for (const double literal : tape.literals())
    if (!std::isfinite(literal)) throw InputError(field, "contains a number that is not finite: " + to_text(literal));
  return tape;
}

namespace {

bool measures(const SweepDescription& sweep, const char* what) {
  return std::find(sweep.measure.begin(), sweep.measure.end(), what) != sweep.measure.end();
}

std::string record_name(const SweepDescription& sweep) {
  const std::string* word = std::get_if<std::string>(&sweep.record);
  return word ? *word : "section";
}

SweepRecord record_of(const std::string& name) {
  if (name == "stroboscopic") return SweepRecord::stroboscopic;
  if (name == "impacts") return SweepRecord::impacts;
  return name == "statistics" ? SweepRecord::statistics : SweepRecord::section;
}

SectionDirection direction_of(const std::string& name) {
  if (name == "rising") return SectionDirection::rising;
  return name == "falling" ? SectionDirection::falling : SectionDirection::both;
}

SweepSettings sweep_settings(const SweepDescription& sweep, const CasesBuild& built) {
  SweepSettings settings;
  settings.record = record_of(record_name(sweep));
  if (const auto* section = std::get_if<SectionDescription>(&sweep.record)) {
    settings.section = section_tape(section->section, "sweep.record.section", built.layout, built.parameters);
    settings.direction = direction_of(section->direction);
  }
  settings.skipped_points = sweep.skip;
  if (sweep.points > 0) settings.most_points = sweep.points;
  if (settings.record == SweepRecord::statistics) settings.impulse_edges = impulse_edges(sweep.impulse_bins);
  settings.spectrum = measures(sweep, "spectrum");
  settings.lyapunov = settings.spectrum || measures(sweep, "lyapunov");
  if (sweep.period_tolerance) {
    settings.period_tolerance = evaluate_quantity(*sweep.period_tolerance, {}, "sweep.period_tolerance");
    check_number(*settings.period_tolerance, positive, "sweep.period_tolerance");
  }
  return settings;
}

// Motions with impacts at the grid repeat, and agree with each other, only to a few steps.
double attractor_tolerance(const Scheme& scheme, const SweepSettings& settings) {
  constexpr double located = 1e-3, at_grid = 2e-2;
  return std::max(traits(scheme).chooses_steps ? located : at_grid, settings.period_tolerance.value_or(0.0));
}

}  // namespace

BuiltSweep build_sweep(const Scenario& scenario, const Attachments* files) {
  const FormulaFiles tables(files);
  const SweepDescription& sweep = needed_sweep(scenario);
  SweepPlan plan(scenario);
  CasesBuild built = make_cases(scenario, plan, files);
  SweepSettings settings = sweep_settings(sweep, built);
  check_measures(scenario.scheme, settings);
  const double tolerance = attractor_tolerance(scenario.scheme, settings);
  std::vector<std::string> outputs;
  if (built.outputs)
    outputs = settings.record == SweepRecord::statistics ? built.outputs->names() : built.outputs->names_of_state();
  SweepColumns columns = sweep_columns(built.layout, settings.record, outputs);
  return {std::move(plan),    std::move(built.cases),  std::move(settings),
          std::move(columns), record_name(sweep),      measures(sweep, "attractors"),
          tolerance,          std::move(built.layout), ends_when_settled(sweep)};
}

Attractors attractors_of(const BuiltSweep& sweep, const std::function<SweepTrajectory(std::uint64_t)>& read) {
  Attractors attractors(sweep.columns, sweep.attractor_tolerance);
  for (std::uint64_t i = 0; i < sweep.plan.count(); ++i) attractors.measure(read(i));
  for (std::uint64_t i = 0; i < sweep.plan.count(); ++i) attractors.add(read(i), sweep.plan.cell(i));
  for (const auto& [cell, neighbour] : sweep.plan.cell_neighbours()) attractors.link(cell, neighbour);
  attractors.name();
  return attractors;
}

}  // namespace ricochet
