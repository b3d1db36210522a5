// What the animation of a run shows, from its scenario: blocks on lines, pendulums, a beam, a bar, beads, a frame.
#pragma once

#include <array>
#include <functional>
#include <vector>

#include "io/format/json.hpp"
#include "ricochet/io/result/result_reader.hpp"
#include "ricochet/model/linear.hpp"
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

// x and y of a node: columns of result.q, or −1 and where it is held, or how it is driven.
struct DrawnNode {
  std::array<int, 2> coordinate = {-1, -1};
  std::array<double, 2> held = {};
  std::array<std::function<OffsetMotion(double)>, 2> drive = {};
  double at(const StoredResult& result, int axis, std::size_t row) const {
    return coordinate[axis] < 0 ? without_coordinate(axis, result.t[row])
                                : result.q[static_cast<std::size_t>(coordinate[axis])][row];
  }
  double at(double t, const std::vector<double>& q, int axis) const {
    return coordinate[axis] < 0 ? without_coordinate(axis, t) : q[static_cast<std::size_t>(coordinate[axis])];
  }

 private:
  double without_coordinate(int axis, double t) const { return drive[axis] ? drive[axis](t).value : held[axis]; }
};
// The members of a frame, each through its nodes; none for other models.
std::vector<std::vector<DrawnNode>> frame_members(const StoredResult& result);
std::vector<std::vector<DrawnNode>> frame_members(const FrameDescription& frame,
                                                  const std::vector<std::string>& coordinates);

// a x + b y + c ≥ 0 where a node may be, a² + b² = 1: the gaps of a frame that are linear in x and y of one node, at
// the last instant, each line once.
struct ObstacleLine {
  double a = 0.0, b = 0.0, c = 0.0;
};
std::vector<ObstacleLine> frame_obstacles(const StoredResult& result);

// The nodes of a bar or beam that move: their displacements among the coordinates, where they are, and their slopes, −1
// where there are none.
struct DrawnLine {
  double length = 1.0;
  std::vector<std::size_t> places = {};
  std::vector<double> abscissae = {};
  std::vector<int> slopes = {};
};
DrawnLine drawn_line(const LineDescription& line, bool beam, const std::vector<std::string>& coordinates);

// True if a coordinate stands in the formula, and only inside sines and cosines.
enum class Occurrence { none, angle, plain };
Occurrence occurrence(const std::string& formula, const std::string& coordinate);

}  // namespace ricochet::report
