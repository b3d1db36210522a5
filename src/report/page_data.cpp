#include "report/page_data.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "report/figures.hpp"
#include "report/packing.hpp"

namespace ricochet::report {

namespace {

using Json = nlohmann::ordered_json;

struct NamedColumn {
  const char* name;
  const std::vector<double>* values;
};
struct NamedMatrix {
  const char* name;
  const StoredResult::Columns* columns;
};

std::vector<NamedColumn> series_of(const StoredResult& result) {
  return {{"kinetic", &result.kinetic}, {"potential", &result.potential}, {"input", &result.input},
          {"damping", &result.damping}, {"impact", &result.impact},       {"numerical", &result.numerical}};
}

// Gap rates are not drawn.
std::vector<NamedMatrix> matrices_of(const StoredResult& result) {
  return {{"q", &result.q},
          {"v", &result.v},
          {"z", &result.z},
          {"gap", &result.gap},
          {"impulse", &result.impulse},
          {"observed", &result.observed}};
}

std::string text_of(const Json& json) { return json.dump(-1, ' ', false, Json::error_handler_t::replace); }

// Rows that keep the number of values below the limit. Columns that pack well do not count.
Thinning thinning_of(const StoredResult& result, std::size_t values_max) {
  std::size_t columns = 0;
  for (const auto& [name, values] : series_of(result)) columns += is_short(*values) ? 0 : 1;
  for (const auto& [name, matrix] : matrices_of(result))
    for (const std::vector<double>& values : *matrix) columns += is_short(values) ? 0 : 1;
  return {result.rows(), values_max / std::max<std::size_t>(1, columns)};
}

void add_columns(std::string& json, const StoredResult& result, const Thinning& thinning) {
  json += "{\"t\":";
  pack_times(json, thinning.times(result.t));
  for (const auto& [name, values] : series_of(result)) {
    if (values->empty()) continue;
    json += fmt::format(",\"{}\":", name);
    pack_column(json, thinning.extremes(*values));
  }
  for (const auto& [name, matrix] : matrices_of(result)) {
    if (matrix->empty()) continue;
    const bool impulses = std::string_view(name) == "impulse";
    json += fmt::format(",\"{}\":[", name);
    for (std::size_t k = 0; k < matrix->size(); ++k) {
      if (k > 0) json += ',';
      const std::vector<double>& values = (*matrix)[k];
      pack_column(json, impulses ? thinning.sums(values) : thinning.extremes(values));
    }
    json += ']';
  }
  json += '}';
}

// In the order of time.
void add_impacts(std::string& json, const StoredResult& result, std::size_t most) {
  std::vector<Impact> impacts(result.impacts.begin(), result.impacts.begin() + static_cast<std::ptrdiff_t>(std::min(
                                                                                   most, result.impacts.size())));
  std::stable_sort(impacts.begin(), impacts.end(), [](const Impact& a, const Impact& b) { return a.t < b.t; });
  const auto column = [&](const char* name, auto&& value, bool exact = false) {
    std::vector<double> values;
    values.reserve(impacts.size());
    for (const Impact& impact : impacts) values.push_back(value(impact));
    json += fmt::format(",\"{}\":", name);
    exact ? pack_times(json, values) : pack_column(json, values);
  };
  json += fmt::format("{{\"count\":{}", impacts.size());
  column(
      "t", [](const Impact& impact) { return impact.t; }, true);
  column("constraint", [](const Impact& impact) { return static_cast<double>(impact.constraint); });
  column("rate_minus", [](const Impact& impact) { return impact.rate_minus; });
  column("rate_plus", [](const Impact& impact) { return impact.rate_plus; });
  column("impulse", [](const Impact& impact) { return impact.impulse; });
  column("energy_loss", [](const Impact& impact) { return impact.energy_loss; });
  const bool any =
      std::any_of(impacts.begin(), impacts.end(), [](const Impact& impact) { return impact.discontinuous; });
  if (any) column("discontinuous", [](const Impact& impact) { return impact.discontinuous ? 1.0 : 0.0; });
  json += '}';
}

Json notes_of(const StoredResult& result, const PageSettings& settings, const Thinning& thinning) {
  Json notes = result.notes;
  for (const std::string& note : settings.notes) notes.push_back(note);
  if (!thinning.all())
    notes.push_back(
        fmt::format("The file holds {} instants. Here every {} of them are two, with the smallest and the "
                    "largest value of every curve.",
                    result.rows(), thinning.bucket()));
  if (result.impacts.size() > settings.impacts_max)
    notes.push_back(fmt::format("Of {} impacts the first {} are here.", result.impacts.size(), settings.impacts_max));
  return notes;
}

}  // namespace

std::string run_json(const StoredResult& result, const PageSettings& settings) {
  const Thinning thinning = thinning_of(result, settings.values_max);
  Json parameters = Json::parse(result.scheme_parameters, nullptr, false);
  if (!parameters.is_object()) parameters = Json::object();
  Json energy = Json::object();
  for (const auto& [name, value] : result.energy) energy[name] = value;

  Json head = {{"kind", "run"}, {"title", result.title}, {"version", result.version}, {"scheme", result.scheme}};
  head["parameters"] = parameters;
  head["status"] = result.status;
  if (!result.failure.empty()) head["failure"] = result.failure;
  head["notes"] = notes_of(result, settings, thinning);
  head["steps"] = result.steps ? Json(*result.steps) : Json();
  head["rows"] = thinning.rows();
  head["recorded"] = result.rows();
  head["coordinates"] = result.coordinates;
  head["states"] = result.states;
  head["constraints"] = result.constraints;
  head["observations"] = result.observations;
  head["energy"] = energy;
  head["scenario"] = result.scenario_text;
  head["animation"] = Json::parse(figures_of(result).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace));

  // Numbers are appended: they may be many.
  std::string json = text_of(head);
  json.back() = ',';
  json += "\"columns\":";
  add_columns(json, result, thinning);
  json += ",\"impacts\":";
  add_impacts(json, result, settings.impacts_max);
  json += '}';
  return json;
}

}  // namespace ricochet::report
