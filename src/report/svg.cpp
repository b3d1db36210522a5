#include "ricochet/report/page.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "present/study_parts.hpp"
#include "report/animation.hpp"
#include "report/friction_rows.hpp"
#include "report/svg_panel.hpp"

namespace ricochet {

namespace {

constexpr double page_width = 760.0, page_height = 560.0;
constexpr double half_width = 310.0, full_width = 688.0;  // of panels
constexpr double row_height = 274.0;                      // from one panel to the next below it
constexpr std::size_t curves_max = 6;
constexpr std::size_t columns_max = 500;  // pairs of points a curve
constexpr std::size_t phase_points_max = 20000;
constexpr std::size_t impact_ticks_max = 400;
constexpr const char* impact_color = "#d43d51";

using report::FrictionPhase;
using report::FrictionRows;
using report::Panel;
using report::Range;
using report::Values;

// The smallest and the largest value of each column of the picture, in the order they come.
std::string curve(const Panel& panel, Values t, Values values) {
  std::string points;
  const auto add = [&](std::size_t i) {
    if (!std::isfinite(values[i])) return;
    points += fmt::format("{}{:.2f} {:.2f}", points.empty() ? "M" : "L", panel.x(t[i]), panel.y(values[i]));
  };
  const std::size_t bucket = std::max<std::size_t>(1, values.size() / columns_max);
  for (std::size_t begin = 0; begin < values.size(); begin += bucket) {
    const auto first = values.begin() + begin;
    const auto last = values.begin() + static_cast<std::ptrdiff_t>(std::min(begin + bucket, values.size()));
    const auto [least, most] = std::minmax_element(first, last);
    const auto [one, other] = std::minmax(least, most);
    add(static_cast<std::size_t>(one - values.begin()));
    if (one != other) add(static_cast<std::size_t>(other - values.begin()));
  }
  return points;
}

std::string impact_ticks(const Panel& panel, const StoredResult& result) {
  const std::size_t step = std::max<std::size_t>(1, result.impacts.size() / impact_ticks_max);
  std::string points;
  for (std::size_t i = 0; i < result.impacts.size(); i += step)
    points += fmt::format("M{:.2f} {:.1f}v-6", panel.x(result.impacts[i].t), panel.bottom());
  return panel.path(points, impact_color, 0.8);
}

// Phases in which a contact sticks or slides, from each row back to the one before it.
std::string bands(const Panel& panel, const StoredResult& result, const std::vector<FrictionRows>& frictions) {
  std::string text;
  for (std::size_t row = 1; row < result.rows() && !frictions.empty(); ++row) {
    const FrictionPhase phase = joint_phase(frictions, row);
    const std::size_t begin = row - 1;
    while (row + 1 < result.rows() && joint_phase(frictions, row + 1) == phase) ++row;
    if (phase == FrictionPhase::open) continue;
    const double x = panel.x(result.t[begin]);
    text += fmt::format(
        "<rect x=\"{:.2f}\" y=\"{:.1f}\" width=\"{:.2f}\" height=\"{:.1f}\" fill=\"{}\" opacity=\"0.18\"/>\n", x,
        panel.top(), panel.x(result.t[row]) - x, panel.bottom() - panel.top(), phase_color(phase));
  }
  return text;
}

// Its label, with its unit if it has one.
std::string shown_name(const StoredResult& result, const std::string& name) {
  return in_unit(result.label(name), result.unit(name));
}
std::string rate_unit(const StoredResult& result, const std::string& name) {
  const std::string &length = result.unit(name), &time = result.unit("t");
  return length.empty() || time.empty() ? "" : fmt::format("{}/{}", length, time);
}

struct Line {
  std::string name;
  const std::vector<double>* values;
  const char* color;
  const char* more = "";  // attributes
};

// Curves against time, `under` which something may be drawn.
template <class Draw>
std::string history(const StoredResult& result, double left, double top, double width, const char* title,
                    const std::string& y_title, const std::vector<Line>& lines, const Draw& under) {
  Range x, y;
  x.take(result.t);
  for (const Line& line : lines) y.take(*line.values);
  const Panel panel(left, top, width, 200.0, x.roomy(0.0), y.roomy(0.06));
  std::string text = panel.axes(shown_name(result, "t"), title) + panel.y_label(y_title) + under(panel);
  std::vector<std::pair<std::string, std::string>> names;
  for (const Line& line : lines) {
    text += panel.path(curve(panel, result.t, *line.values), line.color, 1.1, line.more);
    if (!line.name.empty()) names.emplace_back(line.name, line.color);
  }
  return text + panel.legend(names);
}

// Coordinates or velocities; the axis has the unit that all curves have.
std::string motions(const StoredResult& result, const std::vector<FrictionRows>& frictions, bool velocities,
                    double top) {
  const StoredResult::Columns& columns = velocities ? result.v : result.q;
  const std::size_t count = std::min(curves_max, columns.size());
  const auto unit = [&](std::size_t k) {
    return velocities ? rate_unit(result, result.coordinates[k]) : result.unit(result.coordinates[k]);
  };
  std::string common = unit(0);
  std::vector<Line> lines;
  for (std::size_t k = 0; k < count; ++k) {
    lines.push_back({in_unit(result.label(result.coordinates[k]), unit(k)), &columns[k], report::curve_colors[k]});
    if (unit(k) != common) common.clear();
  }
  return history(result, 58.0, top, half_width, velocities ? "Velocities" : "Coordinates",
                 in_unit(velocities ? "velocity" : "coordinate", common), lines,
                 [&](const Panel& panel) { return bands(panel, result, frictions) + impact_ticks(panel, result); });
}

// Forces of joints, under the other panels.
std::string reactions(const StoredResult& result, double top) {
  std::vector<Line> lines;
  for (std::size_t k = 0; k < std::min(curves_max, result.reaction.size()); ++k)
    lines.push_back({result.joints[k], &result.reaction[k], report::curve_colors[k]});
  return history(result, 58.0, top, full_width, "Reactions", in_unit("reaction", result.unit("force")), lines,
                 [&](const Panel& panel) { return impact_ticks(panel, result); });
}

// Pieces of a portrait that stick and slide, shaded. Points within half a pixel of the last one are left out; `pen_at`
// is false where a piece does not begin at the row before.
template <class Phase, class PenAt>
std::string shaded(const Panel& panel, Values xs, Values ys, const Phase& phase_at, const PenAt& pen_at) {
  std::string sticks, slides;
  std::size_t from = 0;  // the row that the next piece begins with
  for (std::size_t row = 1; row < xs.size(); ++row) {
    const FrictionPhase phase = phase_at(row);
    if (!pen_at(row) || !std::isfinite(xs[from] + ys[from])) from = row;
    if (!std::isfinite(xs[row] + ys[row])) continue;
    const double px = panel.x(xs[from]), py = panel.y(ys[from]), qx = panel.x(xs[row]), qy = panel.y(ys[row]);
    const bool ends = row + 1 == xs.size() || phase_at(row + 1) != phase || !pen_at(row + 1);
    if (!ends && from != row && std::abs(px - qx) + std::abs(py - qy) < 0.5) continue;
    if (phase != FrictionPhase::open)
      (phase == FrictionPhase::sticks ? sticks : slides) += fmt::format("M{:.2f} {:.2f}L{:.2f} {:.2f}", px, py, qx, qy);
    from = row;
  }
  constexpr const char* pale = " opacity=\"0.4\" stroke-linecap=\"round\"";
  return panel.path(slides, phase_color(FrictionPhase::slides), 5.0, pale) +
         panel.path(sticks, phase_color(FrictionPhase::sticks), 5.0, pale);
}

// The motion of the first coordinate, with velocity jumps in a colour of their own.
std::string phase(const StoredResult& result, const std::vector<FrictionRows>& frictions, double left, double top) {
  const std::vector<double>&q = result.q[0], &v = result.v[0];
  Range x, y;
  x.take(q);
  y.take(v);
  const Panel panel(left, top, half_width, 200.0, x.roomy(0.06), y.roomy(0.06));
  const std::vector<bool> jump = report::jumps_after(result);
  const std::size_t step = std::max<std::size_t>(1, q.size() / phase_points_max);
  std::string motion, jumps;
  bool pen = false;
  for (std::size_t i = 0; i < q.size(); ++i) {
    const bool jumps_now = jump[i] && i + 1 < q.size();
    if (!jumps_now && pen && i % step != 0 && i + 1 != q.size()) continue;
    motion += fmt::format("{}{:.2f} {:.2f}", pen ? "L" : "M", panel.x(q[i]), panel.y(v[i]));
    if (jumps_now)
      jumps += fmt::format("M{:.2f} {:.2f}L{:.2f} {:.2f}", panel.x(q[i]), panel.y(v[i]), panel.x(q[i + 1]),
                           panel.y(v[i + 1]));
    pen = !jumps_now;
  }
  const std::string held = frictions.empty()
                               ? ""
                               : shaded(
                                     panel, q, v, [&](std::size_t row) { return joint_phase(frictions, row); },
                                     [&](std::size_t row) { return !jump[row - 1]; });
  const std::string& name = result.coordinates[0];
  return panel.axes(shown_name(result, name), "Phase portrait") +
         panel.y_label(in_unit("velocity", rate_unit(result, name))) + held +
         panel.path(motion, report::curve_colors[0]) + panel.path(jumps, impact_color, 0.9) +
         panel.legend({{"velocity jumps", impact_color}});
}

std::string energy(const StoredResult& result, double left, double top) {
  std::vector<double> total(result.kinetic);
  for (std::size_t i = 0; i < total.size(); ++i) total[i] += result.potential[i];
  std::vector<Line> lines = {{"kinetic", &result.kinetic, "#2f6fb0"},
                             {"potential", &result.potential, "#2a9a6f"},
                             {"total", &total, "#18212c"}};
  const auto lost = [](std::vector<double> gained) {
    for (double& value : gained) value = 0.0 - value;
    return gained;
  };
  const std::vector<double> by_impacts = lost(result.impact), by_friction = lost(result.friction_work);
  if (result.has_account()) lines.push_back({"lost in impacts", &by_impacts, impact_color});
  if (!result.slips.empty() && !by_friction.empty()) lines.push_back({"in friction", &by_friction, "#b0673a"});
  return history(result, left, top, half_width, "Energy", in_unit("energy", result.unit("energy")), lines,
                 [](const Panel&) { return ""; });
}

std::string friction_against_slip(const StoredResult& result, const std::vector<FrictionRows>& frictions, double top) {
  // The first that has a force.
  std::size_t k = 0;
  std::vector<double> force = report::friction_force(result, 0);
  for (std::size_t place = 1; place < result.slip.size(); ++place) {
    if (std::any_of(force.begin(), force.end(), [](double value) { return std::abs(value) > 0.0; })) break;
    k = place;
    force = report::friction_force(result, place);
  }
  Range x, y;
  x.take(result.slip[k]);
  y.take(force);
  const Panel panel(58.0, top, half_width, 200.0, x.roomy(0.06), y.roomy(0.06));
  std::string motion;
  bool pen = false;
  double last_x = 0.0, last_y = 0.0;
  for (std::size_t row = 1; row < result.rows(); ++row) {
    const double px = panel.x(result.slip[k][row]), py = panel.y(force[row]);
    if (!std::isfinite(py)) {
      pen = false;
      continue;
    }
    if (pen && std::abs(px - last_x) + std::abs(py - last_y) < 0.5) continue;
    motion += fmt::format("{}{:.2f} {:.2f}", pen ? "L" : "M", px, py);
    pen = true, last_x = px, last_y = py;
  }
  const FrictionRows& owner = owner_of(frictions, k);
  return panel.axes(result.slips[k], "Friction force against slip") +
         panel.y_label(in_unit("force of friction", result.unit("force"))) +
         shaded(
             panel, result.slip[k], force, [&](std::size_t row) { return owner.phase(row); },
             [&](std::size_t row) { return std::isfinite(force[row - 1]); }) +
         panel.path(motion, report::curve_colors[0]) +
         panel.legend({{"sticks", phase_color(FrictionPhase::sticks)}, {"slides", phase_color(FrictionPhase::slides)}});
}

// |slip| · |friction|, dashed its mean over the run with what impacts wear.
std::string wear_power(const StoredResult& result, const std::vector<FrictionRows>& frictions, double top) {
  const std::size_t count = std::min(curves_max, frictions.size());
  std::vector<std::vector<double>> powers, means;
  for (std::size_t k = 0; k < count; ++k) {
    powers.push_back(frictions[k].power());
    means.emplace_back(result.rows(), frictions[k].mean_power());
  }
  std::vector<Line> lines;
  for (std::size_t k = 0; k < count; ++k) {
    lines.push_back({frictions[k].name(), &powers[k], report::curve_colors[k]});
    const std::string mean = count == 1 ? fmt::format("mean {:.4g}", means[k].front()) : "";
    lines.push_back({mean, &means[k], report::curve_colors[k], " stroke-dasharray=\"5 4\""});
  }
  return history(result, 436.0, top, half_width, "Wear power", "|slip| · |friction|", lines,
                 [&](const Panel& panel) { return bands(panel, result, frictions); });
}

// The part of a line within a box, with hatches on the side where nothing may be; nothing if it is not in sight.
std::string obstacle(const Panel& panel, const Range& x, const Range& y, const report::ObstacleLine& line) {
  // From the point nearest to the middle of the box along (−b, a), as far as the box goes.
  const double middle_x = 0.5 * (x.least + x.most), middle_y = 0.5 * (y.least + y.most);
  const double distance = line.a * middle_x + line.b * middle_y + line.c;
  const std::array<double, 2> foot = {middle_x - distance * line.a, middle_y - distance * line.b};
  const std::array<double, 2> along = {-line.b, line.a}, least = {x.least, y.least}, most = {x.most, y.most};
  double from = -std::numeric_limits<double>::infinity(), until = -from;
  for (const int axis : {0, 1}) {
    if (along[axis] == 0.0) {
      if (foot[axis] < least[axis] || foot[axis] > most[axis]) return "";
      continue;
    }
    const double one = (least[axis] - foot[axis]) / along[axis], other = (most[axis] - foot[axis]) / along[axis];
    from = std::max(from, std::min(one, other));
    until = std::min(until, std::max(one, other));
  }
  if (!(from < until)) return "";
  const auto place = [&](double s) {
    return std::array{panel.x(foot[0] + s * along[0]), panel.y(foot[1] + s * along[1])};
  };
  const std::array<double, 2> begin = place(from), end = place(until);
  std::string points = fmt::format("M{:.2f} {:.2f}L{:.2f} {:.2f}", begin[0], begin[1], end[0], end[1]);
  const int hatches = static_cast<int>(std::hypot(end[0] - begin[0], end[1] - begin[1]) / 10.0);
  for (int i = 0; i < hatches; ++i) {
    const std::array<double, 2> root = place(from + (until - from) * (i + 0.5) / hatches);
    points += fmt::format("M{:.2f} {:.2f}l{:.2f} {:.2f}", root[0], root[1], -5.0 * line.a - 3.0 * line.b,
                          5.0 * line.b - 3.0 * line.a);
  }
  return panel.path(points, "#6a6a6a", 1.0);
}

// The deformed members of a frame at some instants, to scale: grey at the start, in colour at the end.
std::string shapes(const StoredResult& result, const std::vector<std::vector<report::DrawnNode>>& members, double top) {
  constexpr std::size_t instants = 9;
  constexpr double height = 200.0;
  std::array<Range, 2> ranges;
  const auto each_instant = [&](const auto& use) {
    for (std::size_t i = 0; i < instants; ++i) use(i * (result.rows() - 1) / (instants - 1), i);
  };
  each_instant([&](std::size_t row, std::size_t) {
    for (const auto& member : members)
      for (const report::DrawnNode& node : member)
        for (const int axis : {0, 1}) ranges[axis].take(std::vector<double>{node.at(result, axis, row)});
  });
  report::set_one_scale(ranges[0], ranges[1], full_width, height);
  const Panel panel(58.0, top, full_width, height, ranges[0], ranges[1]);
  std::string text = panel.axes("x", "Members") + panel.y_label("y");
  for (const report::ObstacleLine& line : report::frame_obstacles(result))
    text += obstacle(panel, ranges[0], ranges[1], line);
  each_instant([&](std::size_t row, std::size_t i) {
    std::string points;
    for (const auto& member : members)
      for (const report::DrawnNode& node : member)
        points += fmt::format("{}{:.2f} {:.2f}", &node == &member.front() ? "M" : "L", panel.x(node.at(result, 0, row)),
                              panel.y(node.at(result, 1, row)));
    text += panel.path(points, i + 1 == instants ? report::curve_colors[0] : "#8a8a8a", i + 1 == instants ? 2.0 : 1.0);
  });
  return text +
         panel.legend({{fmt::format("t = {:.4g}", result.t.back()), report::curve_colors[0]}, {"before", "#8a8a8a"}});
}

}  // namespace

std::string run_svg(const StoredResult& result) {
  std::string text;
  double height = page_height;
  if (result.rows() > 0 && !result.q.empty()) {
    const std::vector<FrictionRows> frictions = report::frictions_of(result);
    text += motions(result, frictions, false, 34.0);
    text += motions(result, frictions, true, 34.0 + row_height);
    text += phase(result, frictions, 436.0, 34.0);
    if (!result.kinetic.empty()) text += energy(result, 436.0, 34.0 + row_height);
    const auto add_below = [&](const std::string& panel) {
      text += panel;
      height += row_height;
    };
    const auto below = [&] { return height - page_height + 34.0 + 2 * row_height; };
    if (!frictions.empty())
      add_below(friction_against_slip(result, frictions, below()) + wear_power(result, frictions, below()));
    if (!result.reaction.empty()) add_below(reactions(result, below()));
    if (const auto members = report::frame_members(result); !members.empty())
      add_below(shapes(result, members, below()));
  }
  return report::svg_document(result.title, page_width, height, text);
}

}  // namespace ricochet
