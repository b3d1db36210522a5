#include "ricochet/present/study_page.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "present/study_parts.hpp"
#include "ricochet/core/quantity.hpp"
#include "ricochet/core/version.hpp"
#include "ricochet/present/text.hpp"

namespace ricochet {

namespace {

Json axis_json(const StudyAxis& axis) {
  Json json = {{"label", axis.label}, {"log", axis.log}};
  if (axis.decades > 0.0) json["decades"] = axis.decades;
  return json;
}

std::string text_of(const Json& json) { return json.as_text() != nullptr ? *json.as_text() : std::string(); }
double number_of(const Json& json) { return json.as_number().value_or(std::nan("")); }
StudyAxis axis_of(const Json& json) {
  return {text_of(json.at("label")), json.at("log").is_true(), json.at("decades").as_number().value_or(0.0)};
}

// Of an array; nothing where there is none.
template <class Read>
auto list_of(const Json& json, const Read& read) {
  std::vector<decltype(read(json))> values;
  if (json.as_array() != nullptr)
    for (const Json& one : *json.as_array()) values.push_back(read(one));
  return values;
}
std::vector<std::string> texts_of(const Json& json) { return list_of(json, text_of); }
std::vector<double> numbers_of(const Json& json) { return list_of(json, number_of); }

Json plot_json(const StudyPlot& plot) {
  Json series = Json::array();
  for (const StudySeries& one : plot.series) {
    Json json = {{"name", one.name}, {"x", one.x}, {"y", one.y}, {"note", one.note}, {"dashed", one.dashed}};
    if (!one.marks) json["unmarked"] = true;
    if (one.dots) json["dots"] = true;
    if (!one.details.empty()) json["details"] = one.details;
    series.push_back(std::move(json));
  }
  Json json = {{"title", plot.title}, {"x", axis_json(plot.x)}, {"y", axis_json(plot.y)}, {"series", series}};
  if (plot.same_scale) json["same_scale"] = true;
  if (const StudyShades& shades = plot.shades; !shades.decades.empty())
    json["shades"] = {{"box", {shades.left, shades.right, shades.low, shades.high}},
                      {"rows", shades.rows},
                      {"decades", shades.decades}};
  return json;
}
Json plots_json(const std::vector<StudyPlot>& plots) {
  Json json = Json::array();
  for (const StudyPlot& plot : plots) json.push_back(plot_json(plot));
  return json;
}
StudySeries series_of(const Json& json) {
  StudySeries series{.name = text_of(json.at("name")),
                     .x = numbers_of(json.at("x")),
                     .y = numbers_of(json.at("y")),
                     .note = text_of(json.at("note")),
                     .dashed = json.at("dashed").is_true(),
                     .marks = !json.at("unmarked").is_true(),
                     .dots = json.at("dots").is_true()};
  for (const double number : numbers_of(json.at("details")))
    series.details.push_back(number >= 0.0 && number < 1e9 ? static_cast<int>(number) : -1);
  return series;
}
// None where columns are not whole.
StudyShades shades_of(const Json& json) {
  const std::vector<double> box = numbers_of(json.at("box")), decades = numbers_of(json.at("decades"));
  const double rows = number_of(json.at("rows")), columns = static_cast<double>(decades.size()) / rows;
  if (box.size() != 4 || !(rows >= 1.0 && columns >= 1.0) || std::floor(rows) != rows || std::floor(columns) != columns)
    return {};
  return {box[0], box[1], box[2], box[3], static_cast<std::size_t>(rows), decades};
}
StudyPlot plot_of(const Json& json) {
  return {text_of(json.at("title")),       axis_of(json.at("x")),
          axis_of(json.at("y")),           list_of(json.at("series"), series_of),
          json.at("same_scale").is_true(), shades_of(json.at("shades"))};
}

// A bar inside a cell would begin a new one.
std::string markdown_cell(std::string text) {
  for (std::size_t at = text.find('|'); at != std::string::npos; at = text.find('|', at + 2)) text.insert(at, "\\");
  return text;
}

}  // namespace

std::string to_json(const StudyPage& page) {
  Json json = {{"kind", page.kind},      {"title", page.title}, {"version", version},
               {"text", page.text},      {"notes", page.notes}, {"plots", plots_json(page.plots)},
               {"tables", Json::array()}};
  for (const StudyTable& table : page.tables)
    json["tables"].push_back({{"title", table.title}, {"columns", table.columns}, {"rows", table.rows}});
  if (page.details.empty()) return json.dump(2);
  json["details"] = Json::array();
  for (const StudyDetail& detail : page.details)
    json["details"].push_back({{"title", detail.title}, {"plots", plots_json(detail.plots)}});
  return json.dump();
}

std::optional<StudyPage> study_page_from(std::string_view text) {
  const std::optional<Json> json = Json::parse(text);
  if (!json || json->at("title").as_text() == nullptr) return std::nullopt;
  return StudyPage{.kind = text_of(json->at("kind")),
                   .title = text_of(json->at("title")),
                   .plots = list_of(json->at("plots"), plot_of),
                   .tables = list_of(json->at("tables"),
                                     [](const Json& table) {
                                       return StudyTable{text_of(table.at("title")), texts_of(table.at("columns")),
                                                         list_of(table.at("rows"), texts_of)};
                                     }),
                   .text = texts_of(json->at("text")),
                   .notes = texts_of(json->at("notes")),
                   .details = list_of(json->at("details"), [](const Json& one) {
                     return StudyDetail{text_of(one.at("title")), list_of(one.at("plots"), plot_of)};
                   })};
}

std::string table_text(const StudyTable& table) {
  std::vector<TextColumn> columns;
  for (const std::string& title : table.columns) columns.push_back({title, !columns.empty()});
  return aligned(columns, table.rows, "  ");
}

std::string to_text(const StudyPage& page) {
  std::string text = page.title + "\n\n";
  for (const std::string& paragraph : page.text) text += wrapped(paragraph);
  for (const StudyTable& table : page.tables) {
    text += fmt::format("\n{}\n{}", table.title, table_text(table));
  }
  return text;
}

std::string to_markdown(const StudyPage& page) {
  std::string text = fmt::format("# {}\n", page.title);
  for (const std::string& paragraph : page.text) text += fmt::format("\n{}\n", paragraph);
  for (const StudyTable& table : page.tables) {
    text += fmt::format("\n## {}\n\n|", table.title);
    for (const std::string& column : table.columns) text += fmt::format(" {} |", markdown_cell(column));
    text += "\n|";
    for (std::size_t i = 0; i < table.columns.size(); ++i) text += i == 0 ? "---|" : "---:|";
    for (const std::vector<std::string>& row : table.rows) {
      text += "\n|";
      for (const std::string& entry : row) text += fmt::format(" {} |", markdown_cell(entry));
    }
    text += "\n";
  }
  return text;
}

std::string in_unit(const std::string& words, const std::string& unit) {
  return unit.empty() ? words : fmt::format("{} [{}]", words, unit);
}

void show_units(StudyPage& page, const std::vector<Display>& display) {
  if (display.empty()) return;
  // "energy" here is a norm.
  const auto find = [&](std::string_view name) {
    if (name == "energy") return Display();
    const auto place =
        std::find_if(display.begin(), display.end(), [&](const Display& one) { return one.name == name; });
    return place == display.end() ? Display() : *place;
  };
  const std::string time = find("t").unit;
  const auto show = [&](std::string& words) {
    if (words == "step" || words == "time" || words == "period") return void(words = in_unit(words, time));
    const bool rate = words.ends_with("'");
    const Display shown = find(rate ? words.substr(0, words.size() - 1) : words);
    if (rate)
      words = in_unit(words, shown.unit.empty() || time.empty() ? "" : shown.unit + "/" + time);
    else
      words = in_unit(shown.label.empty() ? words : shown.label, shown.unit);
  };
  for (StudyPlot& plot : page.plots) show(plot.x.label), show(plot.y.label);
  for (StudyTable& table : page.tables)
    for (std::string& column : table.columns) show(column);
}

Json errors_json(const Errors& errors) {
  Json json = Json::object();
  for (std::size_t n = 0; n < norm_count; ++n) json[norm_names[n]] = errors.at(n);
  return json;
}

Json study_json(const StudyOutcome& outcome, std::string_view scenario) {
  return {{"scenario", scenario},
          {"title", outcome.title},
          {"version", version},
          {"window", {outcome.window.from, outcome.window.until}}};
}

Json reference_json(const ReferenceOutcome& reference) {
  return {{"kind", reference.kind}, {"description", reference.description}, {"agreed", errors_json(reference.agreed)}};
}

std::vector<std::string> reference_notes(const ReferenceOutcome& reference, TimeSpan window) {
  std::vector<std::string> notes;
  if (reference.recorded)
    notes.push_back("how accurate " + reference.kind +
                    " is cannot be told from it: orders are those of the differences to it");
  else if (!reference.has_velocity)
    notes.push_back(
        "the known answer has no formulas for the velocities (known.v): errors of v and of the energy are not "
        "measured");
  if (!reference.instead.empty()) notes.push_back("the reference is mannshardt: " + reference.instead);
  if (reference.agreed_until < window.until)
    notes.push_back("two settings of the reference agree until t = " + to_text(reference.agreed_until) +
                    " only: beyond, errors against it mean nothing (--window " + to_text(window.from) + ":" +
                    to_text(reference.agreed_until) + ")");
  return notes;
}

StudyFile titled_file(const char* study, const StudyOutcome& outcome, std::string_view scenario) {
  return {{{"scenario", std::string(scenario)},
           {"title", outcome.title},
           {"version", std::string(version)},
           {"study", study},
           {"reference", outcome.reference.description}},
          {}};
}

std::string path_part(std::string label) {
  for (char& c : label)
    if (c == '/') c = '|';
  return label;
}

}  // namespace ricochet
