// Modes of a scenario's model: natural frequencies, damping ratios, shapes.
#pragma once

#include <string>
#include <vector>

#include "ricochet/io/scenario/scenario_file.hpp"
#include "ricochet/study/modes.hpp"

namespace ricochet {

struct ModesRequest {
  // The state: "rest", the start without its velocities; "start", with them; "equilibrium", the one found from there.
  std::string about = "rest";
  std::vector<std::string> closed = {};  // constraints; NAME is NAME-0, NAME-1, … along a member too
  int number = 0;                        // the lowest, as many as there are; 0: at most 10
};

struct ModesOutcome {
  std::string title;
  std::string about;
  State state;
  std::vector<std::string> coordinates, constraints, closed, joints;
  std::vector<std::string> directions;  // of the participation
  ModesReport report;
  std::vector<std::string> notes;  // what the numbers do not say, one sentence each
};

// Participation along `directions`; if there are none along each coordinate, or all of them where they are many. Throws
// InputError with the request's field.
ModesOutcome find_modes(const Problem& problem, const ModesRequest& request, std::vector<Direction> directions = {});
// Throws ScenarioError for what is wrong with the scenario, InputError for the request.
ModesOutcome modes_of_scenario(const ScenarioFile& file, const ModesRequest& request);

}  // namespace ricochet
