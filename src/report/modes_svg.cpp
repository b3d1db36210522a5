#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "report/animation.hpp"
#include "report/svg_panel.hpp"
#include "ricochet/report/page.hpp"

namespace ricochet {
namespace {

using report::Panel;
using report::Range;

constexpr std::size_t modes_max = 12;
constexpr double mode_width = 310.0, mode_height = 150.0, column_width = 378.0, line_height = 216.0;
constexpr const char *shape_color = "#2f6fb0", *rest_color = "#9a9a9a";

struct Box {
  double left, top;
  std::string title;
};

std::string point(const Panel& panel, bool first, double x, double y) {
  return fmt::format("{}{:.2f} {:.2f}", first ? "M" : "L", panel.x(x), panel.y(y));
}

// The members at rest, and displaced by a tenth of the frame's size.
std::string frame_box(const Box& box, const std::vector<std::vector<report::DrawnNode>>& members, const State& state,
                      const Mode& mode) {
  const std::vector<double>& q = state.q;
  std::array<Range, 2> size;
  double largest = 0.0;
  for (const auto& member : members)
    for (const report::DrawnNode& node : member)
      for (const int axis : {0, 1}) {
        size[axis].take(std::vector<double>{node.at(state.t, q, axis)});
        if (node.coordinate[axis] >= 0) largest = std::max(largest, std::abs(mode.shape[node.coordinate[axis]]));
      }
  const double extent = std::max(size[0].most - size[0].least, size[1].most - size[1].least);
  std::vector<double> moved = q;
  for (std::size_t i = 0; i < q.size(); ++i) moved[i] += largest > 0.0 ? 0.1 * extent / largest * mode.shape[i] : 0.0;
  Range x = size[0], y = size[1];
  for (const auto& member : members)
    for (const report::DrawnNode& node : member) {
      x.take(std::vector<double>{node.at(state.t, moved, 0)});
      y.take(std::vector<double>{node.at(state.t, moved, 1)});
    }
  report::set_one_scale(x, y, mode_width, mode_height);
  const Panel panel(box.left, box.top, mode_width, mode_height, x, y);
  std::string rest, shape;
  for (const auto& member : members)
    for (const report::DrawnNode& node : member) {
      const bool first = &node == &member.front();
      rest += point(panel, first, node.at(state.t, q, 0), node.at(state.t, q, 1));
      shape += point(panel, first, node.at(state.t, moved, 0), node.at(state.t, moved, 1));
    }
  return panel.axes("x", box.title) + panel.path(rest, rest_color, 1.0) + panel.path(shape, shape_color, 2.0);
}

// Displacements over the abscissa; ends that are held are part of the line.
std::string line_box(const Box& box, const report::DrawnLine& line, const Mode& mode) {
  std::vector<double> x = line.abscissae, y;
  for (const std::size_t place : line.places) y.push_back(mode.shape[place]);
  if (x.front() > 0.0) x.insert(x.begin(), 0.0), y.insert(y.begin(), 0.0);
  if (x.back() < line.length) x.push_back(line.length), y.push_back(0.0);
  Range width, height;
  width.take(x);
  height.take(y);
  height.take(std::vector<double>{0.0});
  const Panel panel(box.left, box.top, mode_width, mode_height, width.roomy(0.0), height.roomy(0.06));
  std::string shape;
  for (std::size_t i = 0; i < x.size(); ++i) shape += point(panel, i == 0, x[i], y[i]);
  return panel.axes("x", box.title) +
         panel.path(point(panel, true, 0.0, 0.0) + point(panel, false, line.length, 0.0), rest_color, 1.0) +
         panel.path(shape, shape_color, 2.0);
}

// A line from 0 for each coordinate, by its number.
std::string stem_box(const Box& box, const Mode& mode) {
  const double n = static_cast<double>(mode.shape.size());
  Range height;
  height.take(mode.shape);
  height.take(std::vector<double>{0.0});
  const Panel panel(box.left, box.top, mode_width, mode_height, {-0.6, n - 0.4}, height.roomy(0.06));
  std::string stems;
  for (std::size_t i = 0; i < mode.shape.size(); ++i) {
    const double x = static_cast<double>(i);
    stems += point(panel, true, x, 0.0) + point(panel, false, x, mode.shape[i]);
  }
  return panel.axes("coordinate, from 0", box.title) +
         panel.path(point(panel, true, -0.6, 0.0) + point(panel, false, n - 0.4, 0.0), rest_color, 1.0) +
         panel.path(stems, shape_color, n > 40.0 ? 1.0 : 4.0);
}

}  // namespace

std::string modes_svg(const ModesOutcome& outcome, const Scenario* scenario) {
  const FrameDescription* frame = scenario ? std::get_if<FrameDescription>(&scenario->model) : nullptr;
  const auto* beam = scenario ? std::get_if<BeamDescription>(&scenario->model) : nullptr;
  const auto* bar = scenario ? std::get_if<BarDescription>(&scenario->model) : nullptr;
  const auto members =
      frame ? report::frame_members(*frame, outcome.coordinates) : std::vector<std::vector<report::DrawnNode>>();
  const report::DrawnLine line = beam  ? report::drawn_line(*beam, true, outcome.coordinates)
                                 : bar ? report::drawn_line(*bar, false, outcome.coordinates)
                                       : report::DrawnLine();
  std::string text;
  const std::size_t count = std::min(modes_max, outcome.report.modes.size());
  for (std::size_t k = 0; k < count; ++k) {
    const Mode& mode = outcome.report.modes[k];
    const Box box{58.0 + column_width * static_cast<double>(k % 2), 34.0 + line_height * static_cast<double>(k / 2),
                  mode.omega == 0.0
                      ? fmt::format("Mode {}: rigid", k + 1)
                      : fmt::format("Mode {}: {:.5g} Hz, damping {:.3g}", k + 1, mode.frequency(), mode.damping)};
    text += !members.empty()       ? frame_box(box, members, outcome.state, mode)
            : !line.places.empty() ? line_box(box, line, mode)
                                   : stem_box(box, mode);
  }
  return report::svg_document(outcome.title, 760.0, 20.0 + line_height * static_cast<double>((count + 1) / 2), text);
}

}  // namespace ricochet
