#include "report/page_data.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "report/html.hpp"
#include "ricochet/io/result/slip_columns.hpp"
#include "ricochet/present/text.hpp"

namespace ricochet::report {

namespace {

constexpr std::size_t impacts_shown = 50;

std::string row(const std::vector<std::string>& cells, const char* tag = "td") {
  std::string text = "<tr>";
  for (const std::string& cell : cells) text += fmt::format("<{0}>{1}</{0}>", tag, escaped(cell));
  return text + "</tr>\n";
}

std::string final_values(const StoredResult& result) {
  if (result.rows() == 0) return "";
  std::string text = "<h2>At the end</h2>\n<table>\n" + row({"coordinate", "value", "velocity"}, "th");
  for (std::size_t k = 0; k < result.q.size(); ++k)
    text += row({result.coordinates[k], readable(result.q[k].back()), readable(result.v[k].back())});
  text += "</table>\n";
  if (result.reaction.empty()) return text;
  text += "<table>\n" + row({"joint", "reaction"}, "th");
  for (std::size_t k = 0; k < result.reaction.size(); ++k)
    text += row({result.joints[k], readable(result.reaction[k].back())});
  return text + "</table>\n";
}

std::string energy_table(const StoredResult& result) {
  if (result.energy.empty()) return "";
  std::string text = "<h2>Energy</h2>\n<table>\n";
  for (const auto& [name, value] : result.energy) text += row({name, readable(value)});
  return text + "</table>\n";
}

std::string impact_table(const StoredResult& result) {
  std::string text = fmt::format("<h2>Impacts</h2>\n<p>{} in all.</p>\n", result.impacts.size());
  if (result.impacts.empty()) return text;
  const std::size_t slips = contact_slips_max(result.constraints, result.slips);
  std::vector<std::string> titles = {"constraint", "t", "rate before", "rate after", "impulse", "energy lost"};
  if (slips > 0) titles.emplace_back("status");
  text += "<table>\n" + row(titles, "th");
  for (std::size_t i = 0; i < std::min(impacts_shown, result.impacts.size()); ++i) {
    const Impact& impact = result.impacts[i];
    std::vector<std::string> cells = {result.constraints[impact.constraint],
                                      readable(impact.t),
                                      readable(impact.rate_minus),
                                      readable(impact.rate_plus),
                                      readable(impact.impulse),
                                      readable(impact.energy_loss)};
    if (slips > 0) cells.emplace_back(slip_statuses[static_cast<std::size_t>(impact.slip.status)]);
    text += row(cells);
  }
  return text + "</table>\n";
}

// A gap where there is no number.
std::string point(double value) { return std::isfinite(value) ? readable(value) : ""; }

// The points of a plot, one line each.
std::string plot_table(const StudyPlot& plot) {
  std::string text = fmt::format("<h2>{}</h2>\n<table>\n", escaped(plot.title));
  text += row({"", plot.x.label, plot.y.label, ""}, "th");
  for (const StudySeries& series : plot.series)
    for (std::size_t i = 0; i < std::min(series.x.size(), series.y.size()); ++i)
      text += row({series.name, point(series.x[i]), point(series.y[i]), i == 0 ? series.note : ""});
  return text + "</table>\n";
}

std::string paragraphs(const std::vector<std::string>& lines) {
  std::string text;
  for (const std::string& line : lines) text += fmt::format("<p>{}</p>\n", escaped(line));
  return text;
}

std::string scenario_text(const std::string& text) {
  if (text.empty()) return "";
  return fmt::format("<details><summary>Scenario</summary><pre>{}</pre></details>\n", escaped(text));
}

}  // namespace

std::string plain_run_page(const StoredResult& result, const std::vector<std::string>& notes) {
  std::string body =
      fmt::format("<p>{}: {}. {}</p>\n", escaped(result.scheme), escaped(result.status), escaped(result.failure));
  body += paragraphs(result.notes) + paragraphs(notes);
  if (result.rows() > 0) body += run_svg(result);
  body += final_values(result) + energy_table(result) + impact_table(result) + scenario_text(result.scenario_text);
  return plain_html(result.title.empty() ? "Scenario without a title" : result.title, body);
}

std::string plain_sweep_page(const io::StoredSweep& sweep, const std::vector<std::string>& notes) {
  std::string body =
      fmt::format("<p>{} trajectories, {} failed, {} points.</p>\n", sweep.count, sweep.failed, sweep.points_in_file);
  body += paragraphs(notes) + sweep_picture(sweep);
  if (!sweep.failures.empty()) body += "<h2>Failed</h2>\n<table>\n";
  for (const auto& [trajectory, sentence] : sweep.failures) body += row({std::to_string(trajectory), sentence});
  if (!sweep.failures.empty()) body += "</table>\n";
  return plain_html(sweep.title.empty() ? "Sweep without a title" : sweep.title,
                    body + scenario_text(sweep.scenario_text));
}

std::string plain_study_page(const StudyPage& page) {
  std::string body = paragraphs(page.text) + paragraphs(page.notes);
  for (const StudyPlot& plot : page.plots) body += plot_table(plot);
  for (const StudyTable& table : page.tables) {
    body += fmt::format("<h2>{}</h2>\n<table>\n", escaped(table.title)) + row(table.columns, "th");
    for (const std::vector<std::string>& cells : table.rows) body += row(cells);
    body += "</table>\n";
  }
  return plain_html(page.title, body);
}

}  // namespace ricochet::report
