// What the animation of a run shows, from its scenario: blocks on lines, pendulums, a beam, a bar, beads, a frame.
#pragma once

#include <array>
#include <vector>

#include "io/format/json.hpp"
#include "ricochet/io/result/result_reader.hpp"
#include "ricochet/scenario/scenario.hpp"

namespace ricochet::report {

// A list of figures as web/src/data.ts describes them, and the columns that they need besides those of the result. A
// scenario that cannot be read gives each coordinate a line.
struct Animation {
  Json figures = Json::array();
  StoredResult::Columns drawn = {};
};
Animation animation_of(const StoredResult& result);

// What the [draw] table of the scenario says.
Json drawn_figure(const StoredResult& result, const Scenario& scenario, StoredResult::Columns& columns);
// A bar or beam computed by modes as its shape; none for other models, and where its modes cannot be found again.
std::optional<Json> modal_figure(const StoredResult& result, const Scenario& scenario, StoredResult::Columns& columns);
// Obstacles from the formulas of gaps: walls across one coordinate, which may move, and in a plane of two curves.
void add_obstacles(Json& figure, const StoredResult& result, const LagrangianDescription& model,
                   const std::vector<std::size_t>& coordinates, bool is_plane);

// x and y of a node: columns of result.q, or −1 and where it is held.
struct DrawnNode {
  std::array<int, 2> coordinate = {-1, -1};
  std::array<double, 2> held = {};
  double at(const StoredResult& result, int axis, std::size_t row) const {
    return coordinate[axis] < 0 ? held[axis] : result.q[static_cast<std::size_t>(coordinate[axis])][row];
  }
};
// The members of a frame, each through its nodes; none for other models.
std::vector<std::vector<DrawnNode>> frame_members(const StoredResult& result);

// True if a coordinate stands in the formula, and only inside sines and cosines.
enum class Occurrence { none, angle, plain };
Occurrence occurrence(const std::string& formula, const std::string& coordinate);

}  // namespace ricochet::report
