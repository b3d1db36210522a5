#include "ricochet/report/page.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "io/atomic_file.hpp"
#include "report/assets.hpp"
#include "report/html.hpp"
#include "report/packing.hpp"
#include "report/page_data.hpp"
#include "report/plain.hpp"
#include "ricochet/core/error.hpp"

namespace ricochet {

namespace {

using Json = nlohmann::ordered_json;

[[noreturn]] void refuse(const std::string& message) { throw InputError("study", message); }

void check_list(const Json& owner, const char* key, const std::string& where) {
  if (owner.contains(key) && !owner.at(key).is_array()) refuse(fmt::format("{}{} must be a list", where, key));
}

void check_text(const Json& owner, const char* key, const std::string& where) {
  if (owner.contains(key) && !owner.at(key).is_string()) refuse(fmt::format("{}{} must be text", where, key));
}

void check_plot(const Json& plot, const std::string& where) {
  if (!plot.is_object() || !plot.contains("series")) refuse(where + " must be an object with series");
  check_list(plot, "series", where + ".");
  for (const char* axis : {"x", "y"})
    if (!plot.contains(axis) || !plot.at(axis).is_object()) refuse(fmt::format("{}.{} must be an object", where, axis));
  for (std::size_t k = 0; k < plot.at("series").size(); ++k) {
    const Json& series = plot.at("series")[k];
    const std::string place = fmt::format("{}.series[{}]", where, k);
    const bool whole = series.is_object() && series.contains("x") && series.contains("y") && series.contains("name") &&
                       series.at("x").is_array() && series.at("y").is_array();
    if (!whole) refuse(place + " must have a name and lists x and y");
    if (series.at("x").size() != series.at("y").size()) refuse(place + ": x and y must be of the same length");
    check_text(series, "name", place + ".");
    check_text(series, "note", place + ".");
  }
}

Json checked_study(std::string_view json) {
  Json study = Json::parse(json, nullptr, false);
  if (!study.is_object()) refuse("must be a JSON object");
  for (const char* key : {"kind", "title"})
    if (!study.contains(key) || !study.at(key).is_string()) refuse(fmt::format("needs a text {}", key));
  if (study.at("kind") == "run") refuse("kind = run is for results");
  for (const char* key : {"text", "notes", "plots", "tables"}) check_list(study, key, "");
  for (std::size_t k = 0; study.contains("plots") && k < study.at("plots").size(); ++k)
    check_plot(study.at("plots")[k], fmt::format("plots[{}]", k));
  for (std::size_t k = 0; study.contains("tables") && k < study.at("tables").size(); ++k) {
    const Json& table = study.at("tables")[k];
    if (!table.is_object() || !table.contains("columns") || !table.contains("rows"))
      refuse(fmt::format("tables[{}] must have columns and rows", k));
    check_list(table, "columns", fmt::format("tables[{}].", k));
    check_list(table, "rows", fmt::format("tables[{}].", k));
  }
  return study;
}

}  // namespace

bool page_is_plain() { return report::page_script().empty(); }

std::string run_page(const StoredResult& result, const PageSettings& settings) {
  if (page_is_plain()) return report::plain_run_page(result, settings.notes);
  return report::script_page(result.title, report::run_json(result, settings));
}

std::string study_page(std::string_view json) {
  const Json study = checked_study(json);
  if (page_is_plain()) return report::plain_study_page(study);
  return report::script_page(study.at("title").get<std::string>(),
                             study.dump(-1, ' ', false, Json::error_handler_t::replace));
}

std::string packed_pairs(const std::vector<double>& x, const std::vector<double>& y) {
  std::vector<double> pairs;
  pairs.reserve(2 * std::min(x.size(), y.size()));
  for (std::size_t i = 0; i < std::min(x.size(), y.size()); ++i) {
    pairs.push_back(x[i]);
    pairs.push_back(y[i]);
  }
  return report::base64_floats(pairs);
}

void write_text_file(const std::filesystem::path& path, std::string_view text) {
  AtomicFile file(path);
  file.append(text);
  file.commit();
}

void check_text_file(const std::filesystem::path& path) { const AtomicFile file(path); }

}  // namespace ricochet
