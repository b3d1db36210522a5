// The plots of a study as one picture, a box each.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "report/html.hpp"
#include "report/svg_panel.hpp"
#include "ricochet/report/page.hpp"

namespace ricochet {
namespace {

constexpr double study_width = 760.0, study_left = 66.0, box_width = 676.0, box_height = 250.0, box_row = 330.0;
constexpr std::size_t most_plots = 12;

bool has_place(const StudyAxis& axis, double value) { return std::isfinite(value) && (!axis.log || value > 0.0); }

report::Range range_of(const StudyPlot& plot, const StudyAxis& axis, std::vector<double> StudySeries::*values) {
  report::Range range;
  for (const StudySeries& one : plot.series)
    for (const double value : one.*values)
      if (has_place(axis, value)) range.take({&value, 1});
  if (!axis.log) return range.roomy(0.05);
  if (axis.decades > 0.0) range.least = std::max(range.least, range.most * std::pow(10.0, -axis.decades));
  return range.least <= range.most ? report::Range{range.least / 1.3, range.most * 1.3} : report::Range{0.1, 1.0};
}

// Joined points; places that an axis cannot show are gaps, what is below it lies on its foot.
std::string joined_points(const StudyPlot& plot, const StudySeries& one, const report::Panel& panel) {
  std::string points;
  bool joined = false;
  for (std::size_t i = 0; i < one.x.size(); ++i) {
    const bool seen = has_place(plot.x, one.x[i]) && has_place(plot.y, one.y[i]);
    if (seen)
      points += fmt::format("{}{:.2f} {:.2f}", joined ? "L" : "M", panel.x(one.x[i]),
                            std::min(panel.y(one.y[i]), panel.bottom()));
    joined = seen;
  }
  return points;
}

std::string marked_points(const StudyPlot& plot, const StudySeries& one, const report::Panel& panel, const char* color,
                          double radius) {
  std::string text;
  for (std::size_t i = 0; i < one.x.size(); ++i)
    if (has_place(plot.x, one.x[i]) && has_place(plot.y, one.y[i]))
      text += fmt::format("<circle cx=\"{:.2f}\" cy=\"{:.2f}\" r=\"{}\" fill=\"{}\"/>\n", panel.x(one.x[i]),
                          panel.y(one.y[i]), radius, color);
  return text;
}

// A path for each shade.
std::string shaded_cells(const StudyShades& shades, const report::Panel& panel) {
  constexpr const char* colors[] = {"#0b2545", "#1f4e8c", "#4a86c5", "#8ab6e0", "#c4daef", "#e6eff8"};
  static_assert(std::size(colors) == StudyShades::shown);
  std::array<std::string, std::size(colors)> cells;
  const double up = static_cast<double>(shades.rows), across = static_cast<double>(shades.decades.size()) / up;
  const double wide = box_width / across, high = box_height / up;
  for (std::size_t k = 0; k < shades.decades.size(); ++k)
    if (const double below = shades.decades[k]; below >= 0.0 && below < StudyShades::shown)
      cells[static_cast<std::size_t>(below)] += fmt::format(
          "M{:.1f} {:.1f}h{:.2f}v{:.2f}h{:.2f}z", panel.left() + wide * static_cast<double>(k / shades.rows),
          panel.bottom() - high * static_cast<double>(k % shades.rows), wide, -high, -wide);
  std::string text;
  for (std::size_t k = 0; k < cells.size(); ++k)
    if (!cells[k].empty()) text += fmt::format("<path class=\"shade\" d=\"{}\" fill=\"{}\"/>\n", cells[k], colors[k]);
  return text;
}

std::string box(const StudyPlot& plot, double top) {
  const StudyShades& shades = plot.shades;
  report::Range x = range_of(plot, plot.x, &StudySeries::x), y = range_of(plot, plot.y, &StudySeries::y);
  if (plot.same_scale) set_one_scale(x, y, box_width, box_height);
  if (!shades.decades.empty()) x = {shades.left, shades.right}, y = {shades.low, shades.high};
  const report::Panel panel(study_left, top, box_width, box_height, x, y, plot.x.log, plot.y.log);
  std::string behind = shades.decades.empty() ? "" : shaded_cells(shades, panel), drawn;
  std::vector<std::pair<std::string, std::string>> names;
  for (std::size_t k = 0; k < plot.series.size(); ++k) {
    const StudySeries& one = plot.series[k];
    const char* color = report::curve_colors[k % std::size(report::curve_colors)];
    if (one.dots) {
      behind += marked_points(plot, one, panel, "#999", 0.7);
    } else if (one.x.size() == 1) {  // a point of its own has its name beside it
      if (!has_place(plot.x, one.x[0]) || !has_place(plot.y, one.y[0])) continue;
      drawn += marked_points(plot, one, panel, "#222", 2.6);
      const bool right = panel.x(one.x[0]) > 0.75 * panel.right();
      drawn += fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" font-size=\"9\" text-anchor=\"{}\">{}</text>\n",
                           panel.x(one.x[0]) + (right ? -5.0 : 5.0), panel.y(one.y[0]) - 4.0, right ? "end" : "start",
                           report::escaped(one.name));
    } else {
      drawn += panel.path(joined_points(plot, one, panel), color, 1.2, one.dashed ? " stroke-dasharray=\"5 3\"" : "");
      if (one.marks) drawn += marked_points(plot, one, panel, color, 2.0);
      names.emplace_back(one.note.empty() ? one.name : one.name + ", " + one.note, color);
    }
  }
  return behind + drawn + panel.axes(plot.x.label, plot.title) + panel.y_label(plot.y.label) + panel.legend(names);
}

}  // namespace

std::string study_svg(const StudyPage& page) {
  double top = 40.0;
  std::string drawn;
  for (std::size_t k = 0; k < std::min(most_plots, page.plots.size()); ++k, top += box_row)
    drawn += box(page.plots[k], top);
  return report::svg_document(page.title, study_width, top - 20.0, drawn);
}

}  // namespace ricochet
