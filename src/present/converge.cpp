#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "present/study_parts.hpp"
#include "ricochet/core/quantity.hpp"

namespace ricochet {

namespace {

std::string order_text(const OrderFit& fit, std::size_t at_floor) {
  if (fit.points < 2) return at_floor > 0 ? "exact" : "-";
  if (std::isnan(fit.spread)) return fmt::format("{:.2f}", fit.order);
  return fmt::format("{:.2f} ± {:.2f}", fit.order, fit.spread);
}

StudyTable order_table(const Convergence& study) {
  StudyTable table{"Fitted orders", {"scheme"}};
  for (const std::string_view name : norm_names) table.columns.emplace_back(name);
  for (const SchemeConvergence& scheme : study.schemes) {
    if (!scheme.refused.empty()) continue;
    std::vector<std::string>& row = table.rows.emplace_back(1, scheme.label);
    for (std::size_t n = 0; n < norm_count; ++n)
      row.push_back(scheme.chooses_steps ? "-" : order_text(scheme.fits[n], scheme.at_floor[n]));
  }
  return table;
}

StudyTable error_table(const SchemeConvergence& scheme, const std::vector<double>& steps) {
  StudyTable table{"Errors of " + scheme.label, {"step"}};
  for (const std::string_view name : norm_names) table.columns.emplace_back(name);
  for (std::size_t i = 0; i < steps.size(); ++i) {
    std::vector<std::string>& row = table.rows.emplace_back(1, fmt::format("{:.6g}", steps[i]));
    for (std::size_t n = 0; n < norm_count; ++n) {
      const double error = scheme.errors[i].at(n);
      row.push_back(std::isnan(error) ? (scheme.failures[i].empty() ? "-" : "failed") : fmt::format("{:.3g}", error));
    }
  }
  return table;
}

StudyPlot order_plot(const Convergence& study, std::size_t norm) {
  StudyPlot plot{fmt::format("Error against the step: {}", norm_titles[norm]), {"step", true}, {"error", true}};
  for (const SchemeConvergence& scheme : study.schemes) {
    if (!scheme.refused.empty()) continue;
    StudySeries series{scheme.label, study.steps, {}};
    for (const Errors& errors : scheme.errors) series.y.push_back(errors.at(norm));
    if (std::none_of(series.y.begin(), series.y.end(), [](double y) { return std::isfinite(y); })) continue;
    const std::string order = order_text(scheme.fits[norm], scheme.at_floor[norm]);
    if (!scheme.chooses_steps) series.note = order == "exact" ? "exact to round-off" : "order " + order;
    plot.series.push_back(std::move(series));
  }
  return plot;
}

void add_local(StudyPage& page, const LocalStudy& local) {
  StudyTable table{"Orders of one step across an impact, by the phase of the impact in the step", {"scheme", "error"}};
  table.columns.push_back("mean");
  for (const double sigma : local.phases) table.columns.push_back(fmt::format("{:.3g}", sigma));
  for (const LocalErrors& scheme : local.schemes) {
    if (!scheme.refused.empty()) continue;
    const auto add = [&](const char* what, const OrderFit& mean, const std::vector<OrderFit>& fits) {
      std::vector<std::string> row = {scheme.label, what, order_text(mean, 1)};
      for (const OrderFit& fit : fits) row.push_back(fit.points < 2 ? "exact" : fmt::format("{:.2f}", fit.order));
      table.rows.push_back(std::move(row));
    };
    add("q", scheme.q_mean, scheme.q_orders);
    add("v", scheme.v_mean, scheme.v_orders);
    for (const auto& [what, errors] : {std::pair{"q", &scheme.q}, std::pair{"v", &scheme.v}}) {
      StudyPlot plot{fmt::format("{}: error of {} after one step", scheme.label, what),
                     {"phase of the impact in the step", false},
                     {"error", true}};
      for (std::size_t i = 0; i < local.steps.size(); ++i)
        plot.series.push_back({fmt::format("h = {:.4g}", local.steps[i]), local.phases, (*errors)[i]});
      page.plots.push_back(std::move(plot));
    }
  }
  page.tables.push_back(std::move(table));
}

std::string reference_text(const ConvergeOutcome& result) {
  std::string text = fmt::format("Reference: {}.", result.reference.description);
  if (!std::isnan(result.reference.agreed[Norm::q_sup]))
    text += fmt::format(" The two settings agree to {:.2g} in q and {:.2g} in v (L1).",
                        result.reference.agreed[Norm::q_sup], result.reference.agreed[Norm::v_l1]);
  return text;
}

Json orders_json(const std::vector<OrderFit>& fits, double OrderFit::*part) {
  Json list = Json::array();
  for (const OrderFit& fit : fits) list.push_back(fit.*part);
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
    json["orders"][scheme.label] = {{"q", scheme.q_mean.order},
                                    {"v", scheme.v_mean.order},
                                    {"q_by_sigma", orders_json(scheme.q_orders, &OrderFit::order)},
                                    {"v_by_sigma", orders_json(scheme.v_orders, &OrderFit::order)}};
    json["errors"][scheme.label] = {{"q", scheme.q}, {"v", scheme.v}};
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
      json["orders"][scheme.label][norm] = scheme.chooses_steps ? NAN : scheme.fits[n].order;
      json["spread"][scheme.label][norm] = scheme.chooses_steps ? NAN : scheme.fits[n].spread;
      json["points"][scheme.label][norm] = scheme.fits[n].points;
      Json& list = json["errors"][scheme.label][norm] = Json::array();
      for (const Errors& errors : scheme.errors) list.push_back(errors.at(n));
    }
    for (const std::string& failure : scheme.failures)
      if (!failure.empty()) json["failures"][scheme.label] = failure;
  }
}

std::vector<double> joined(const std::vector<std::vector<double>>& rows) {
  std::vector<double> all;
  for (const std::vector<double>& row : rows) all.insert(all.end(), row.begin(), row.end());
  return all;
}

void add_orders(StudyFile& file, const Convergence& study) {
  file.arrays.push_back({"steps", study.steps});
  for (const SchemeConvergence& scheme : study.schemes) {
    if (!scheme.refused.empty()) continue;
    for (std::size_t n = 0; n < norm_count; ++n) {
      StudyArray array{fmt::format("errors/{}/{}", path_part(scheme.label), norm_names[n]), {}};
      for (const Errors& errors : scheme.errors) array.values.push_back(errors.at(n));
      if (!scheme.chooses_steps && scheme.fits[n].points >= 2)
        array.attributes = {{"order", scheme.fits[n].order}, {"spread", scheme.fits[n].spread}};
      file.arrays.push_back(std::move(array));
    }
  }
}

void add_local(StudyFile& file, const LocalStudy& local) {
  file.arrays.push_back({"steps", local.steps});
  file.arrays.push_back({"sigma", local.phases});
  for (const LocalErrors& scheme : local.schemes) {
    if (!scheme.refused.empty()) continue;
    const std::string path = "local/" + path_part(scheme.label);
    file.arrays.push_back({path + "/q", joined(scheme.q), local.phases.size(), {{"order", scheme.q_mean.order}}});
    file.arrays.push_back({path + "/v", joined(scheme.v), local.phases.size(), {{"order", scheme.v_mean.order}}});
  }
}

}  // namespace

std::vector<std::string> notes(const ConvergeOutcome& result) {
  std::vector<std::string> notes = reference_notes(result.reference, result.window);
  for (const SchemeConvergence& scheme : result.study.schemes) {
    if (scheme.chooses_steps && scheme.refused.empty())
      notes.push_back(scheme.label + " chooses its steps: its errors follow rtol and atol, so no orders are fitted");
    for (std::size_t i = 0; i < result.study.steps.size(); ++i)
      if (!scheme.failures[i].empty())
        notes.push_back(
            fmt::format("{} with the step {}: {}", scheme.label, to_text(result.study.steps[i]), scheme.failures[i]));
  }
  return notes;
}

StudyPage study_page(const ConvergeOutcome& result) {
  StudyPage page{"converge", result.title.empty() ? "Convergence" : "Convergence: " + result.title};
  page.text.push_back(reference_text(result));
  page.text.push_back(fmt::format("Window: t = {:.6g} to {:.6g}.", result.window.from, result.window.until));
  if (result.local) {
    page.text.push_back(fmt::format("One step across the impact at t = {:.6g}.", result.local->t_impact));
    add_local(page, *result.local);
  } else {
    if (result.phases > 1)
      page.text.push_back(fmt::format("Errors are means over {} grids with steps close to each other.", result.phases));
    for (std::size_t n = 0; n < norm_count; ++n)
      if (StudyPlot plot = order_plot(result.study, n); !plot.series.empty()) page.plots.push_back(std::move(plot));
    page.tables.push_back(order_table(result.study));
    for (const SchemeConvergence& scheme : result.study.schemes) {
      if (scheme.refused.empty())
        page.tables.push_back(error_table(scheme, result.study.steps));
      else
        page.text.push_back(fmt::format("{} does not take this problem: {}", scheme.label, scheme.refused));
    }
  }
  page.notes = notes(result);
  show_units(page, result.display);
  return page;
}

std::string to_json(const ConvergeOutcome& result, std::string_view scenario) {
  Json json = study_json(result, scenario);
  json["phases"] = result.phases;
  json["reference"] = reference_json(result.reference);
  json["reference"]["floor"] = errors_json(result.floor);
  if (result.local)
    add_local(json, *result.local);
  else
    add_orders(json, result.study);
  json["notes"] = notes(result);
  return json.dump(2);
}

StudyFile study_file(const ConvergeOutcome& result, std::string_view scenario) {
  StudyFile file = titled_file("converge", result, scenario);
  file.texts.emplace_back("page", to_json(study_page(result)));
  if (result.local)
    add_local(file, *result.local);
  else
    add_orders(file, result.study);
  return file;
}

}  // namespace ricochet
