#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numeric>
#include <set>
#include <unordered_set>

#include "io/result/result_table.hpp"
#include "report/html.hpp"
#include "report/page_data.hpp"
#include "report/svg_panel.hpp"
#include "ricochet/present/run.hpp"

namespace ricochet::report {

namespace {

using io::StoredSweep;
using io::StoredSweepAxis;

constexpr double width = 760.0, height = 470.0;
constexpr std::size_t dots_max = 20'000;
constexpr std::size_t cells_max = 300;  // of a map along each axis
constexpr const char* forward_color = "#2f6fb0";
constexpr const char* backward_color = "#e0812a";
constexpr const char* classes[] = {"#2f6fb0", "#e0812a", "#2a9a6f", "#8a5ab8", "#b8405e",
                                   "#cdbb62", "#1697a6", "#7a4a2a", "#9fb8d8", "#a3d39c"};
constexpr const char* no_class = "#d5dae0";
constexpr const char* failed_color = "#9a9a9a";

// Where a diagram stands in the picture.
Panel panel_of(const StoredSweepAxis& axis, Range x, Range y, bool y_log = false, double right = 20.0) {
  return {74.0, 34.0, width - 74.0 - right, height - 34.0 - 46.0, x, y, axis.logarithmic, y_log};
}

bool is_backward(const StoredSweep& sweep, std::uint64_t trajectory) {
  return sweep.both_directions && trajectory >= sweep.count / 2;
}

// Points that would fall on each other are one dot.
struct Dot {
  float x, y;
  std::uint64_t trajectory;
};

std::vector<Dot> dots_of(const StoredSweep& sweep, const Panel& panel, const std::vector<double>& column) {
  std::vector<Dot> dots;
  std::unordered_set<std::uint64_t> seen;
  for (std::uint64_t i = 0; i < sweep.count; ++i) {
    const double x = panel.x(sweep.values[0][i]);
    const std::uint64_t backward = is_backward(sweep, i) ? 1 : 0;
    for (std::uint64_t row = sweep.first[i]; row < sweep.first[i + 1]; ++row) {
      const double y = panel.y(column[row]);
      if (!std::isfinite(x) || !std::isfinite(y)) continue;
      const auto place = static_cast<std::uint64_t>(x * 2.0) << 20 | static_cast<std::uint64_t>(y * 2.0);
      if (seen.insert(place << 1 | backward).second) dots.push_back({static_cast<float>(x), static_cast<float>(y), i});
    }
  }
  return dots;
}

// An even choice without a pattern of its own: the same one every time.
bool is_chosen(std::uint64_t index, double share) {
  std::uint64_t hash = (index + 1) * 0x9E3779B97F4A7C15U;
  hash = (hash ^ (hash >> 30)) * 0xBF58476D1CE4E5B9U;
  hash ^= hash >> 31;
  return static_cast<double>(hash >> 11) * 0x1p-53 < share;
}

// The most dots a trajectory may have, so that all are few enough: crowds are thinned out, branches stay whole.
double crowd_limit(const std::vector<std::uint64_t>& crowds) {
  double low = 0.0, high = 0.0;
  for (const std::uint64_t crowd : crowds) high = std::max(high, static_cast<double>(crowd));
  const auto total = [&](double limit) {
    double sum = 0.0;
    for (const std::uint64_t crowd : crowds) sum += std::min(limit, static_cast<double>(crowd));
    return sum;
  };
  if (total(high) <= static_cast<double>(dots_max)) return high;
  for (int k = 0; k < 60; ++k) {
    const double middle = 0.5 * (low + high);
    (total(middle) <= static_cast<double>(dots_max) ? low : high) = middle;
  }
  return low;
}

// Forward and backward.
std::array<std::string, 2> dot_paths(const StoredSweep& sweep, const std::vector<Dot>& dots) {
  std::vector<std::uint64_t> crowds(sweep.count, 0);
  for (const Dot& dot : dots) ++crowds[dot.trajectory];
  const double limit = crowd_limit(crowds);
  std::array<std::string, 2> paths;
  for (std::size_t i = 0; i < dots.size(); ++i)
    if (is_chosen(i, limit / static_cast<double>(crowds[dots[i].trajectory])))
      paths[is_backward(sweep, dots[i].trajectory) ? 1 : 0] += fmt::format("M{:.1f} {:.1f}h0", dots[i].x, dots[i].y);
  return paths;
}

// The first coordinate; at impacts, where it is at its stop, the impulse.
std::size_t drawn_column(const StoredSweep& sweep) {
  const std::string wanted = sweep.record == "impacts"   ? "impulse"
                             : sweep.coordinates.empty() ? ""
                                                         : sweep.coordinates[0];
  for (std::size_t k = 0; k < sweep.point_names.size(); ++k)
    if (sweep.point_names[k] == wanted) return k;
  return sweep.point_names.size() - 1;
}

// "x [m]"
std::string in_its_unit(const StoredSweep& sweep, const std::string& name) {
  return with_units({name}, sweep_display(sweep)).front();
}

std::vector<std::pair<std::string, std::string>> directions(const StoredSweep& sweep) {
  if (!sweep.both_directions) return {};
  return {{"forward", forward_color}, {"backward", backward_color}};
}

std::string diagram(const StoredSweep& sweep) {
  const StoredSweepAxis& axis = sweep.axes[0];
  const std::size_t k = drawn_column(sweep);
  Range x, y;
  x.take(sweep.values[0]);
  y.take(sweep.points[k]);
  const Panel panel = panel_of(axis, x.roomy(0.0), y.roomy(0.05));
  const std::array<std::string, 2> dots = dot_paths(sweep, dots_of(sweep, panel, sweep.points[k]));
  const char* round = " stroke-linecap=\"round\"";
  return panel.path(dots[0], forward_color, 1.1, round) + panel.path(dots[1], backward_color, 1.1, round) +
         panel.axes(in_its_unit(sweep, axis.name), sweep.title) +
         panel.y_label(in_its_unit(sweep, sweep.point_names[k])) + panel.legend(directions(sweep));
}

// A line through the trajectories in the order of the axis.
std::string line(const StoredSweep& sweep, const Panel& panel, const std::vector<double>& values, bool backward) {
  std::vector<std::uint64_t> order;
  for (std::uint64_t i = 0; i < sweep.count; ++i)
    if (is_backward(sweep, i) == backward) order.push_back(i);
  std::sort(order.begin(), order.end(), [&](auto a, auto b) { return sweep.values[0][a] < sweep.values[0][b]; });
  std::string points;
  bool pen = false;
  for (const std::uint64_t i : order) {
    const bool there = std::isfinite(values[i]) && std::isfinite(panel.x(sweep.values[0][i]));
    if (there)
      points += fmt::format("{}{:.2f} {:.2f}", pen ? "L" : "M", panel.x(sweep.values[0][i]), panel.y(values[i]));
    pen = there;
  }
  return points;
}

// Mean and extremes of the first coordinate, or the first columns where it has none.
std::string curves(const StoredSweep& sweep) {
  std::vector<std::size_t> shown;
  for (const char* what : {".mean", ".min", ".max"})
    for (std::size_t k = 0; k < sweep.statistic_names.size() && !sweep.coordinates.empty(); ++k)
      if (sweep.statistic_names[k] == sweep.coordinates.front() + what) shown.push_back(k);
  for (std::size_t k = 0; shown.empty() && k < sweep.statistic_names.size(); ++k) shown.push_back(k);
  shown.resize(std::min<std::size_t>(shown.size(), 3));
  Range x, y;
  x.take(sweep.values[0]);
  for (const std::size_t k : shown) y.take(sweep.statistics[k]);
  const Panel panel = panel_of(sweep.axes[0], x.roomy(0.0), y.roomy(0.05));
  std::string text;
  std::vector<std::pair<std::string, std::string>> names;
  for (std::size_t k = 0; k < shown.size(); ++k) {
    const std::vector<double>& values = sweep.statistics[shown[k]];
    text += panel.path(line(sweep, panel, values, false), classes[k]);
    if (sweep.both_directions)
      text += panel.path(line(sweep, panel, values, true), classes[k], 1.1, " stroke-dasharray=\"4 3\"");
    names.emplace_back(in_its_unit(sweep, sweep.statistic_names[shown[k]]), classes[k]);
  }
  return panel.axes(in_its_unit(sweep, sweep.axes[0].name), sweep.title) + text + panel.legend(names);
}

struct Quantity {
  std::string name;
  const std::vector<double>* values = nullptr;
  bool is_class = false;
};

Quantity map_quantity(const StoredSweep& sweep) {
  if (!sweep.attractor.empty()) return {"attractor", &sweep.attractor, true};
  if (!sweep.lyapunov.empty()) return {"largest Lyapunov exponent", &sweep.lyapunov};
  if (!sweep.statistics.empty()) return {sweep.statistic_names[0], &sweep.statistics[0]};
  if (!sweep.period.empty()) return {"period", &sweep.period, true};
  return {"impacts", &sweep.impacts};
}

// From dark blue over green to yellow.
std::string shade(double share) {
  static constexpr double stops[][3] = {{68, 1, 84}, {59, 82, 139}, {33, 145, 140}, {94, 201, 98}, {253, 231, 37}};
  const double place = std::clamp(share, 0.0, 1.0) * 4.0;
  const auto k = static_cast<std::size_t>(std::min(3.0, std::floor(place)));
  const double part = place - static_cast<double>(k);
  const auto mix = [&](std::size_t c) {
    return static_cast<int>(std::lround(stops[k][c] * (1 - part) + stops[k + 1][c] * part));
  };
  return fmt::format("#{:02x}{:02x}{:02x}", mix(0), mix(1), mix(2));
}

// Edges of cells: half way between values, beyond the first and last as far as within.
std::vector<double> edges_of(const StoredSweepAxis& axis) {
  const std::vector<double>& values = axis.values;
  const auto between = [&](double a, double b, double share) {
    return axis.logarithmic ? a * std::pow(b / a, share) : a + (b - a) * share;
  };
  if (values.size() < 2) return {values.front() - 0.5, values.front() + 0.5};
  std::vector<double> edges = {between(values[0], values[1], -0.5)};
  for (std::size_t i = 0; i + 1 < values.size(); ++i) edges.push_back(between(values[i], values[i + 1], 0.5));
  edges.push_back(between(values[values.size() - 1], values[values.size() - 2], -0.5));
  return edges;
}

std::string color_of(const StoredSweep& sweep, const Quantity& quantity, const Range& range, std::uint64_t i) {
  if (!sweep.status.empty() && sweep.status[i] != 0.0) return failed_color;
  const double value = (*quantity.values)[i];
  if (!std::isfinite(value)) return no_class;
  if (!quantity.is_class)
    return shade(range.most > range.least ? (value - range.least) / (range.most - range.least) : 0.5);
  const auto place = static_cast<std::int64_t>(value) - (quantity.name == "period" ? 1 : 0);
  return place < 0 ? no_class : classes[static_cast<std::size_t>(place) % std::size(classes)];
}

// Attractors with the period and impacts of the first trajectory on them.
std::string class_words(const StoredSweep& sweep, const Quantity& quantity, std::int64_t value) {
  if (quantity.name == "period") return motion_words(value, std::numeric_limits<double>::quiet_NaN());
  if (value < 0) return "no attractor";
  for (std::uint64_t i = 0; i < sweep.count && !sweep.period.empty(); ++i)
    if ((*quantity.values)[i] == static_cast<double>(value))
      return fmt::format("{}: {}", value,
                         motion_words(static_cast<std::int64_t>(sweep.period[i]),
                                      sweep.cycle_impacts.empty() ? std::numeric_limits<double>::quiet_NaN()
                                                                  : sweep.cycle_impacts[i]));
  return fmt::format("{} {}", quantity.name, value);
}

std::string color_key(const StoredSweep& sweep, const Quantity& quantity, const Range& range, const Panel& panel) {
  std::string text;
  double y = panel.top();
  const auto entry = [&](const std::string& color, const std::string& words) {
    text += fmt::format(
        "<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"12\" height=\"12\" fill=\"{}\"/>"
        "<text x=\"{:.1f}\" y=\"{:.1f}\">{}</text>\n",
        panel.right() + 14.0, y, color, panel.right() + 31.0, y + 10.0, escaped(words));
    y += 17.0;
  };
  if (quantity.is_class) {
    std::unordered_set<std::int64_t> there;
    for (std::uint64_t i = 0; i < sweep.count; ++i)
      if (std::isfinite((*quantity.values)[i])) there.insert(static_cast<std::int64_t>((*quantity.values)[i]));
    std::vector<std::int64_t> sorted(there.begin(), there.end());
    std::sort(sorted.begin(), sorted.end());
    const std::int64_t none = quantity.name == "period" ? 0 : -1;
    for (std::size_t k = 0; k < std::min<std::size_t>(sorted.size(), 14); ++k) {
      const std::int64_t place = sorted[k] - none - 1;
      entry(place < 0 ? no_class : classes[static_cast<std::size_t>(place) % std::size(classes)],
            class_words(sweep, quantity, sorted[k]));
    }
  } else {
    for (int k = 4; k >= 0; --k)
      entry(shade(k / 4.0), fmt::format("{:.4g}", range.least + (range.most - range.least) * k / 4.0));
  }
  if (sweep.failed > 0) entry(failed_color, "failed");
  return text;
}

// Neighbours of one colour are one rectangle. Further axes stand at their first value, directions at forward.
std::string map(const StoredSweep& sweep) {
  const StoredSweepAxis &a = sweep.axes[0], &b = sweep.axes[1];
  const Quantity quantity = map_quantity(sweep);
  const std::vector<double> x = edges_of(a), y = edges_of(b);
  Range range;
  range.take(*quantity.values);
  const Panel panel = panel_of(a, {std::min(x.front(), x.back()), std::max(x.front(), x.back())},
                               {std::min(y.front(), y.back()), std::max(y.front(), y.back())}, b.logarithmic, 150.0);
  std::uint64_t inner = 1;
  for (std::size_t k = 2; k < sweep.axes.size(); ++k) inner *= sweep.axes[k].values.size();
  const std::size_t na = a.values.size(), nb = b.values.size();
  const std::size_t step_a = (na + cells_max - 1) / cells_max, step_b = (nb + cells_max - 1) / cells_max;
  std::string text = "<g shape-rendering=\"crispEdges\">\n";
  for (std::size_t j = 0; j < nb; j += step_b) {
    const auto color_at = [&](std::size_t i) { return color_of(sweep, quantity, range, (i * nb + j) * inner); };
    const double y0 = panel.y(y[j]), y1 = panel.y(y[std::min(j + step_b, nb)]);
    for (std::size_t i = 0; i < na;) {
      const std::string color = color_at(i);
      std::size_t end = i + step_a;
      while (end < na && color_at(end) == color) end += step_a;
      const double x0 = panel.x(x[i]), x1 = panel.x(x[std::min(end, na)]);
      text += fmt::format("<rect x=\"{:.2f}\" y=\"{:.2f}\" width=\"{:.2f}\" height=\"{:.2f}\" fill=\"{}\"/>\n",
                          std::min(x0, x1), std::min(y0, y1), std::abs(x1 - x0), std::abs(y1 - y0), color);
      i = end;
    }
  }
  return text + "</g>\n" + panel.axes(in_its_unit(sweep, a.name), sweep.title) +
         panel.y_label(in_its_unit(sweep, b.name)) + panel.legend({{quantity.name, "#18212c"}}) +
         color_key(sweep, quantity, range, panel);
}

// How far the cell of a node reaches to both sides: half way to where its neighbours of the same level are. The first
// grid may be uneven; `place` is where its values are drawn.
std::pair<double, double> reach_of(double value, const std::set<double>& first, double level, const auto& place) {
  const double part = std::pow(0.5, level + 1.0);
  const auto above = first.upper_bound(value);
  const auto here = above == first.begin() ? above : std::prev(above);  // the last one that is not above it
  const auto width = [&](auto from) {
    return from == first.end() || std::next(from) == first.end()
               ? 0.0
               : std::abs(place(*std::next(from)) - place(*from)) * part;
  };
  if (*here != value) return {width(here), width(here)};
  return {here == first.begin() ? 0.0 : width(std::prev(here)), width(here)};
}

// Two refined axes: a cell around each trajectory, as large as its level, fine ones over coarse ones.
std::string refined_map(const StoredSweep& sweep) {
  const Quantity quantity = map_quantity(sweep);
  Range range, x, y;
  range.take(*quantity.values);
  x.take(sweep.values[0]), y.take(sweep.values[1]);
  Panel panel = panel_of(sweep.axes[0], x.roomy(0.0), y.roomy(0.0), sweep.axes[1].logarithmic, 190.0);
  std::array<std::set<double>, 2> first;
  for (std::uint64_t i = 0; i < sweep.count; ++i)
    for (std::size_t k = 0; k < 2; ++k)
      if (sweep.level[i] == 0.0) first[k].insert(sweep.values[k][i]);
  const auto at_x = [&](double value) { return panel.x(value); };
  const auto at_y = [&](double value) { return panel.y(value); };
  std::vector<std::uint64_t> order(sweep.count);
  std::iota(order.begin(), order.end(), std::uint64_t{0});
  std::stable_sort(order.begin(), order.end(), [&](auto a, auto b) { return sweep.level[a] < sweep.level[b]; });
  std::string text = "<g shape-rendering=\"crispEdges\">\n";
  for (const std::uint64_t i : order) {
    const double u = sweep.values[0][i], v = sweep.values[1][i];
    const auto [left, right] = reach_of(u, first[0], sweep.level[i], at_x);
    const auto [below, above] = reach_of(v, first[1], sweep.level[i], at_y);
    text +=
        fmt::format("<rect x=\"{:.2f}\" y=\"{:.2f}\" width=\"{:.2f}\" height=\"{:.2f}\" fill=\"{}\"/>\n",
                    at_x(u) - left, at_y(v) - above, left + right, above + below, color_of(sweep, quantity, range, i));
  }
  return text + "</g>\n" + panel.axes(in_its_unit(sweep, sweep.axes[0].name), sweep.title) +
         panel.y_label(in_its_unit(sweep, sweep.axes[1].name)) + panel.legend({{quantity.name, "#18212c"}}) +
         color_key(sweep, quantity, range, panel);
}

}  // namespace

std::string sweep_picture(const StoredSweep& sweep) {
  std::string drawn;
  const bool has_quantity = !sweep.period.empty() || !sweep.statistics.empty() || !sweep.impacts.empty();
  if (sweep.count > 0 && !sweep.axes.empty()) {
    if (sweep.is_grid() && sweep.axes.size() > 1 && has_quantity)
      drawn = map(sweep);
    else if (sweep.axes.size() == 2 && !sweep.level.empty() && has_quantity)
      drawn = refined_map(sweep);
    else if (sweep.point_count() > 0 && !sweep.points.empty())
      drawn = diagram(sweep);
    else if (!sweep.statistics.empty())
      drawn = curves(sweep);
  }
  return svg_document(sweep.title, width, height, drawn);
}

}  // namespace ricochet::report
