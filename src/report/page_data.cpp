#include "report/page_data.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "report/animation.hpp"
#include "report/friction_rows.hpp"
#include "report/packing.hpp"
#include "ricochet/io/result/slip_columns.hpp"

namespace ricochet::report {

namespace {

using NamedColumns = std::vector<std::pair<const char*, const std::vector<double>*>>;
using NamedMatrices = std::vector<std::pair<const char*, const StoredResult::Columns*>>;

NamedColumns series_of(const StoredResult& result) {
  return {{"kinetic", &result.kinetic},    {"potential", &result.potential}, {"input", &result.input},
          {"damping", &result.damping},    {"impact", &result.impact},       {"friction_work", &result.friction_work},
          {"numerical", &result.numerical}};
}

// Gap rates are not drawn.
NamedMatrices matrices_of(const StoredResult& result, const Animation& animation) {
  return {{"q", &result.q},
          {"v", &result.v},
          {"z", &result.z},
          {"gap", &result.gap},
          {"impulse", &result.impulse},
          {"slip", &result.slip},
          {"friction", &result.friction},
          {"reaction", &result.reaction},
          {"observed", &result.observed},
          {"observed_rate", &result.observed_rate},
          {"output", &result.output},
          {"drawn", &animation.drawn}};
}

// Rows that keep the number of values below the limit. Columns that pack well do not count.
Thinning thinning_of(const StoredResult& result, const Animation& animation, std::size_t values_max) {
  std::size_t columns = frictions_of(result).size();  // their phases
  for (const auto& [name, values] : series_of(result)) columns += is_short(*values) ? 0 : 1;
  for (const auto& [name, matrix] : matrices_of(result, animation))
    for (const std::vector<double>& values : *matrix) columns += is_short(values) ? 0 : 1;
  return {result.rows(), values_max / std::max<std::size_t>(1, columns)};
}

void add_columns(std::string& json, const StoredResult& result, const Animation& animation, const Thinning& thinning) {
  json += "{\"t\":";
  pack_times(json, thinning.times(result.t));
  for (const auto& [name, values] : series_of(result))
    if (!values->empty()) add_column(json, name, thinning.extremes(*values));
  for (const auto& [name, matrix] : matrices_of(result, animation)) {
    if (matrix->empty()) continue;
    const bool impulses = std::string_view(name) == "impulse" || std::string_view(name) == "friction";
    add_list(json, name, matrix->size(), [&, columns = matrix](std::size_t k) {
      const std::vector<double>& values = (*columns)[k];
      pack_column(json, impulses ? thinning.sums(values) : thinning.extremes(values));
    });
  }
  if (const std::vector<FrictionRows> frictions = frictions_of(result); !frictions.empty())
    add_list(json, "phase", frictions.size(),
             [&](std::size_t k) { pack_column(json, thinning.extremes(frictions[k].phases())); });
  json += '}';
}

// In the order of time.
void add_impacts(std::string& json, const StoredResult& result, std::size_t most) {
  std::vector<Impact> impacts(result.impacts.begin(), result.impacts.begin() + static_cast<std::ptrdiff_t>(std::min(
                                                                                   most, result.impacts.size())));
  std::stable_sort(impacts.begin(), impacts.end(), [](const Impact& a, const Impact& b) { return a.t < b.t; });
  const auto column = [&](const char* name, const auto& value, bool exact = false) {
    std::vector<double> values;
    values.reserve(impacts.size());
    for (const Impact& impact : impacts) values.push_back(static_cast<double>(std::invoke(value, impact)));
    json += fmt::format(",\"{}\":", name);
    exact ? pack_times(json, values) : pack_column(json, values);
  };
  json += fmt::format("{{\"count\":{}", impacts.size());
  column("t", &Impact::t, true);
  column("constraint", &Impact::constraint);
  column("rate_minus", &Impact::rate_minus);
  column("rate_plus", &Impact::rate_plus);
  column("impulse", &Impact::impulse);
  column("energy_loss", &Impact::energy_loss);
  const bool any =
      std::any_of(impacts.begin(), impacts.end(), [](const Impact& impact) { return impact.discontinuous; });
  if (any) column("discontinuous", &Impact::discontinuous);
  if (const std::size_t slips = contact_slips_max(result.constraints, result.slips); slips > 0) {
    // In space the length of a vector.
    const auto size = [slips](std::array<double, 2> SlipReport::*part) {
      return [slips, part](const Impact& impact) {
        const auto& [x, y] = impact.slip.*part;
        return slips == 1 ? x : std::hypot(x, y);
      };
    };
    column("slip_minus", size(&SlipReport::minus));
    column("slip_plus", size(&SlipReport::plus));
    column("friction_impulse", size(&SlipReport::impulse));
    column("status", [](const Impact& impact) { return impact.slip.status; });
  }
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

// Parameters come from the file: they are read and written again, never passed on as they are.
Json page_head(const char* kind, const std::string& title, const std::string& version, const std::string& scheme,
               const std::string& parameters) {
  const std::optional<Json> read = Json::parse(parameters);
  return {{"kind", kind},
          {"title", title},
          {"version", version},
          {"scheme", scheme},
          {"parameters", read && read->as_object() ? *read : Json::object()}};
}

std::string run_json(const StoredResult& result, const PageSettings& settings) {
  const Animation animation = animation_of(result);
  const Thinning thinning = thinning_of(result, animation, settings.values_max);
  Json energy = Json::object();
  for (const auto& [name, value] : result.energy) energy[name] = value;

  Json head = page_head("run", result.title, result.version, result.scheme, result.scheme_parameters);
  head["status"] = result.status;
  if (!result.failure.empty()) head["failure"] = result.failure;
  head["notes"] = notes_of(result, settings, thinning);
  head["steps"] = result.steps;
  head["rows"] = thinning.rows();
  head["recorded"] = result.rows();
  head["coordinates"] = result.coordinates;
  head["states"] = result.states;
  head["constraints"] = result.constraints;
  head["slips"] = result.slips;
  head["joints"] = result.joints;
  head["observations"] = result.observations;
  head["outputs"] = result.outputs;
  Json display = Json::object();
  for (const Display& shown : result.display) display[shown.name] = Json{{"unit", shown.unit}, {"label", shown.label}};
  head["display"] = std::move(display);
  head["energy"] = energy;
  head["scenario"] = result.scenario_text;
  head["animation"] = animation.figures;

  // Numbers are appended: they may be many.
  std::string json = head.dump();
  json.back() = ',';
  json += "\"columns\":";
  add_columns(json, result, animation, thinning);
  json += ",\"impacts\":";
  add_impacts(json, result, settings.impacts_max);
  json += '}';
  return json;
}

}  // namespace ricochet::report
