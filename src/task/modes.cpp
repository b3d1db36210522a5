#include "ricochet/task/modes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "ricochet/core/error.hpp"
#include "ricochet/core/quantity.hpp"
#include "ricochet/model/equilibrium.hpp"

namespace ricochet {
namespace {

// NAME, or all of NAME-0, NAME-1, …
std::vector<int> places_of(const std::string& name, const std::vector<std::string>& constraints) {
  std::vector<int> places;
  for (std::size_t k = 0; k < constraints.size(); ++k) {
    const std::string& other = constraints[k];
    if (other == name) return {static_cast<int>(k)};
    const bool is_node = other.size() > name.size() + 1 && other.starts_with(name) && other[name.size()] == '-' &&
                         std::all_of(other.begin() + static_cast<std::ptrdiff_t>(name.size()) + 1, other.end(),
                                     [](unsigned char c) { return std::isdigit(c) != 0; });
    if (is_node) places.push_back(static_cast<int>(k));
  }
  if (!places.empty()) return places;
  if (constraints.empty())
    throw InputError("closed", fmt::format("there is no constraint '{}': the model has none", name));
  const std::string_view near = nearest(name, constraints);
  throw InputError("closed", fmt::format("there is no constraint '{}'; {}", name,
                                         near.empty() ? fmt::format("there are {}", fmt::join(constraints, ", "))
                                                      : fmt::format("did you mean '{}'?", near)));
}

std::vector<int> closed_of(const ModesRequest& request, const std::vector<std::string>& constraints) {
  std::vector<int> closed;
  for (const std::string& name : request.closed)
    for (const int place : places_of(name, constraints))
      if (std::find(closed.begin(), closed.end(), place) == closed.end()) closed.push_back(place);
  return closed;
}

Direction along_all(const std::string& name, const std::vector<std::string>& coordinates, std::string_view ending,
                    std::string_view beginning = "") {
  Direction direction{name, {}};
  for (std::size_t i = 0; i < coordinates.size(); ++i)
    if (coordinates[i].ends_with(ending) && coordinates[i].starts_with(beginning))
      direction.weights.emplace_back(static_cast<int>(i), 1.0);
  return direction;
}

std::vector<Direction> default_directions(const std::vector<std::string>& coordinates) {
  constexpr std::size_t most = 12;
  if (coordinates.size() > most) return {along_all("all", coordinates, "")};
  std::vector<Direction> directions;
  for (std::size_t i = 0; i < coordinates.size(); ++i)
    directions.push_back({coordinates[i], {{static_cast<int>(i), 1.0}}});
  return directions;
}

// What moves along x and y in a frame, the deflections of a beam without its slopes.
std::vector<Direction> directions_of(const Scenario& scenario, const std::vector<std::string>& coordinates) {
  std::vector<Direction> directions;
  if (std::holds_alternative<FrameDescription>(scenario.model)) {
    directions = {along_all("x", coordinates, "_x"), along_all("y", coordinates, "_y")};
  } else if (std::holds_alternative<BeamDescription>(scenario.model)) {
    directions = {along_all("w", coordinates, "", "w")};
  } else if (std::holds_alternative<BarDescription>(scenario.model)) {
    directions = {along_all("u", coordinates, "", "u")};
  }
  std::erase_if(directions, [](const Direction& direction) { return direction.weights.empty(); });
  return directions;
}

bool is_linear(const Layout& layout) {
  return layout.structure.constant_mass && layout.structure.linear_force && layout.linear_rows();
}

std::vector<std::string> notes_of(const ModesOutcome& outcome, const Layout& layout) {
  const ModesReport& report = outcome.report;
  std::vector<std::string> notes;
  if (!report.is_equilibrium && !is_linear(layout))
    notes.push_back(
        outcome.about == "equilibrium"
            ? "forces do not balance to nine digits at the equilibrium that was found"
            : "the state is no equilibrium: motions about it are those of the modes for a short time only; about "
              "equilibrium (--about equilibrium) they last");
  for (std::size_t k = 0; k < outcome.closed.size(); ++k) {
    double size = 0.0;
    for (const double q : outcome.state.q) size = std::max(size, std::abs(q));
    if (std::abs(report.closed_gaps[k]) > 1e-9 * size)
      notes.push_back(fmt::format("the gap of '{}' is {:.6g} at this state and is held there", outcome.closed[k],
                                  report.closed_gaps[k]));
  }
  if (report.projected)
    notes.emplace_back(
        "damping or gyroscopic forces couple the modes, and the model is too large for its whole state matrix (250 "
        "coordinates): it is projected on more modes than those shown");
  const auto grows = [](const Mode& mode) { return mode.omega > 0.0 && mode.damping < -1e-12; };  // beyond round-off
  if (std::any_of(report.modes.begin(), report.modes.end(), grows))
    notes.emplace_back("the state is unstable: motions with negative damping grow");
  return notes;
}

}  // namespace

ModesOutcome find_modes(const Problem& problem, const ModesRequest& request, std::vector<Direction> directions) {
  const Layout& layout = problem.model->layout();
  if (request.about != "rest" && request.about != "start" && request.about != "equilibrium")
    throw InputError("about", fmt::format("must be rest, start or equilibrium, got '{}'", request.about));
  if (request.number < 0) throw InputError("number", fmt::format("must not be negative, got {}", request.number));
  if (directions.empty()) directions = default_directions(layout.coordinates);

  ModesOutcome outcome;
  outcome.about = request.about;
  outcome.coordinates = layout.coordinates;
  outcome.constraints = layout.constraints;
  for (const Joint& joint : layout.joints) outcome.joints.push_back(joint.name);
  const std::vector<int> closed = closed_of(request, layout.constraints);
  for (const int place : closed) outcome.closed.push_back(layout.constraints[place]);
  for (const Direction& direction : directions) outcome.directions.push_back(direction.name);

  outcome.state = problem.start;
  if (request.about != "start") std::fill(outcome.state.v.begin(), outcome.state.v.end(), 0.0);
  if (request.about == "equilibrium")
    outcome.state.q =
        static_equilibrium(*problem.model, outcome.state.t, outcome.state.q, outcome.state.z, "about", closed);
  outcome.report = find_modes(*problem.model, outcome.state, {closed, request.number, std::move(directions)});
  outcome.notes = notes_of(outcome, layout);
  return outcome;
}

ModesOutcome modes_of_scenario(const ScenarioFile& file, const ModesRequest& request) {
  const Problem problem = file.build();
  try {
    ModesOutcome outcome =
        find_modes(problem, request, directions_of(file.scenario(), problem.model->layout().coordinates));
    outcome.title = file.scenario().title;
    return outcome;
  } catch (const InputError& error) {
    if (!error.field().empty()) throw;
    throw file.located(InputError("model", error.message()));
  }
}

}  // namespace ricochet
