#include "report/plain.hpp"

#include <fmt/format.h>

#include "report/html.hpp"
#include "ricochet/report/svg.hpp"

namespace ricochet::report {

namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t impacts_shown = 50;

std::string row(const std::vector<std::string>& cells, const char* tag = "td") {
  std::string text = "<tr>";
  for (const std::string& cell : cells) text += fmt::format("<{0}>{1}</{0}>", tag, escaped(cell));
  return text + "</tr>\n";
}

std::string number(double value) { return fmt::format("{:.6g}", value); }

std::string final_values(const StoredResult& result) {
  if (result.rows() == 0) return "";
  std::string text = "<h2>At the end</h2>\n<table>\n" + row({"coordinate", "value", "velocity"}, "th");
  for (std::size_t k = 0; k < result.q.size(); ++k)
    text += row({result.coordinates[k], number(result.q[k].back()), number(result.v[k].back())});
  return text + "</table>\n";
}

std::string energy_table(const StoredResult& result) {
  if (result.energy.empty()) return "";
  std::string text = "<h2>Energy</h2>\n<table>\n";
  for (const auto& [name, value] : result.energy) text += row({name, number(value)});
  return text + "</table>\n";
}

std::string impact_table(const StoredResult& result) {
  std::string text = fmt::format("<h2>Impacts</h2>\n<p>{} in all.</p>\n", result.impacts.size());
  if (result.impacts.empty()) return text;
  text += "<table>\n" + row({"constraint", "t", "rate before", "rate after", "impulse", "energy lost"}, "th");
  for (std::size_t i = 0; i < std::min(impacts_shown, result.impacts.size()); ++i) {
    const Impact& impact = result.impacts[i];
    text +=
        row({result.constraints[static_cast<std::size_t>(impact.constraint)], number(impact.t),
             number(impact.rate_minus), number(impact.rate_plus), number(impact.impulse), number(impact.energy_loss)});
  }
  return text + "</table>\n";
}

std::string cell(const Json& value) {
  if (value.is_string()) return value.get<std::string>();
  if (value.is_number()) return number(value.get<double>());
  return "";
}

// The points of a plot, one line each.
std::string plot_table(const Json& plot) {
  std::string text = fmt::format("<h2>{}</h2>\n<table>\n", escaped(plot.value("title", "")));
  const Json x = plot.value("x", Json::object()), y = plot.value("y", Json::object());
  text += row({"", x.value("label", ""), y.value("label", ""), ""}, "th");
  for (const Json& series : plot.value("series", Json::array())) {
    const Json xs = series.value("x", Json::array()), ys = series.value("y", Json::array());
    for (std::size_t i = 0; i < std::min(xs.size(), ys.size()); ++i)
      text += row({series.value("name", ""), cell(xs[i]), cell(ys[i]), i == 0 ? series.value("note", "") : ""});
  }
  return text + "</table>\n";
}

}  // namespace

std::string plain_run_page(const StoredResult& result, const std::vector<std::string>& notes) {
  std::string body =
      fmt::format("<p>{}: {}. {}</p>\n", escaped(result.scheme), escaped(result.status), escaped(result.failure));
  for (const std::vector<std::string>* list : {&result.notes, &notes})
    for (const std::string& note : *list) body += fmt::format("<p>{}</p>\n", escaped(note));
  if (result.rows() > 0) body += run_svg(result);
  body += final_values(result) + energy_table(result) + impact_table(result);
  if (!result.scenario_text.empty())
    body += fmt::format("<details><summary>Scenario</summary><pre>{}</pre></details>\n", escaped(result.scenario_text));
  return plain_html({result.title.empty() ? "Scenario without a title" : result.title, body});
}

std::string plain_study_page(const Json& study) {
  std::string body;
  for (const char* key : {"text", "notes"})
    for (const Json& line : study.value(key, Json::array())) body += fmt::format("<p>{}</p>\n", escaped(cell(line)));
  for (const Json& plot : study.value("plots", Json::array())) body += plot_table(plot);
  for (const Json& table : study.value("tables", Json::array())) {
    body += fmt::format("<h2>{}</h2>\n<table>\n", escaped(table.value("title", "")));
    std::vector<std::string> cells;
    for (const Json& column : table.value("columns", Json::array())) cells.push_back(cell(column));
    body += row(cells, "th");
    for (const Json& line : table.value("rows", Json::array())) {
      cells.clear();
      for (const Json& value : line) cells.push_back(cell(value));
      body += row(cells);
    }
    body += "</table>\n";
  }
  return plain_html({study.value("title", "Study"), body});
}

}  // namespace ricochet::report
