#include "io/study_json.hpp"

#include "ricochet/core/version.hpp"
#include "ricochet/io/converge_scenario.hpp"

namespace ricochet {

namespace {

using io::dump;
using io::errors_json;
using io::Json;
using io::number_or_null;
using io::numbers;

Json orders_json(const std::vector<OrderFit>& fits, double OrderFit::*part) {
  Json list = Json::array();
  for (const OrderFit& fit : fits) list.push_back(number_or_null(fit.*part));
  return list;
}

void add_local(Json& json, const LocalStudy& local) {
  json["t_impact"] = local.t_impact;
  json["steps"] = local.steps;
  json["sigma"] = local.phases;
  for (const char* key : {"orders", "errors", "refused"}) json[key] = Json::object();
  for (const LocalErrors& scheme : local.schemes) {
    if (!scheme.refused.empty()) {
      json["refused"][scheme.label] = scheme.refused;
      continue;
    }
    json["orders"][scheme.label] = {{"q", number_or_null(scheme.q_mean.order)},
                                    {"v", number_or_null(scheme.v_mean.order)},
                                    {"q_by_sigma", orders_json(scheme.q_orders, &OrderFit::order)},
                                    {"v_by_sigma", orders_json(scheme.v_orders, &OrderFit::order)}};
    Json q = Json::array(), v = Json::array();
    for (const std::vector<double>& row : scheme.q) q.push_back(numbers(row));
    for (const std::vector<double>& row : scheme.v) v.push_back(numbers(row));
    json["errors"][scheme.label] = {{"q", q}, {"v", v}};
  }
}

void add_orders(Json& json, const Convergence& study) {
  json["steps"] = study.steps;
  for (const char* key : {"orders", "spread", "points", "errors", "refused", "failures"}) json[key] = Json::object();
  for (const SchemeConvergence& scheme : study.schemes) {
    if (!scheme.refused.empty()) {
      json["refused"][scheme.label] = scheme.refused;
      continue;
    }
    for (std::size_t n = 0; n < norm_count; ++n) {
      const std::string norm(norm_names[n]);
      json["orders"][scheme.label][norm] = number_or_null(scheme.chooses_steps ? NAN : scheme.fits[n].order);
      json["spread"][scheme.label][norm] = number_or_null(scheme.chooses_steps ? NAN : scheme.fits[n].spread);
      json["points"][scheme.label][norm] = scheme.fits[n].points;
      Json& list = json["errors"][scheme.label][norm] = Json::array();
      for (const Errors& errors : scheme.errors) list.push_back(number_or_null(errors.at(n)));
    }
    for (const std::string& failure : scheme.failures)
      if (!failure.empty()) json["failures"][scheme.label] = failure;
  }
}

Json axis_json(const StudyAxis& axis) { return {{"label", axis.label}, {"log", axis.log}}; }

}  // namespace

std::string to_json(const ScenarioConvergence& result, std::string_view scenario) {
  Json json = {{"scenario", scenario},
               {"title", result.title},
               {"version", version},
               {"window", {result.window.from, result.window.until}},
               {"phases", result.phases},
               {"reference",
                {{"kind", result.reference},
                 {"description", result.reference_description},
                 {"agreed", errors_json(result.agreed)},
                 {"floor", errors_json(result.floor)}}}};
  if (result.local)
    add_local(json, *result.local);
  else
    add_orders(json, result.study);
  json["notes"] = result.notes;
  return dump(json);
}

std::string to_json(const StudyPage& page) {
  Json json = {{"kind", page.kind},   {"title", page.title},    {"version", version},     {"text", page.text},
               {"notes", page.notes}, {"plots", Json::array()}, {"tables", Json::array()}};
  for (const StudyPlot& plot : page.plots) {
    Json series = Json::array();
    for (const StudySeries& one : plot.series)
      series.push_back({{"name", one.name}, {"x", numbers(one.x)}, {"y", numbers(one.y)}, {"note", one.note}});
    json["plots"].push_back(
        {{"title", plot.title}, {"x", axis_json(plot.x)}, {"y", axis_json(plot.y)}, {"series", series}});
  }
  for (const StudyTable& table : page.tables)
    json["tables"].push_back({{"title", table.title}, {"columns", table.columns}, {"rows", table.rows}});
  return dump(json);
}

}  // namespace ricochet
