#include "ricochet/io/check_scenario.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "ricochet/core/version.hpp"

namespace ricochet {

namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t most_pairs = 1000;

template <class T>
Json or_null(const std::optional<T>& value) {
  return value ? Json(*value) : Json(nullptr);
}

Json names(const std::vector<int>& constraints, const ScenarioCheck& check) {
  Json list = Json::array();
  for (const int j : constraints) list.push_back(check.constraints[static_cast<std::size_t>(j)]);
  return list;
}

Json mass_json(const MassCheck& mass) {
  Json json = {{"positive_definite", mass.positive_definite}};
  json["condition"] = mass.positive_definite ? Json(mass.condition) : Json(nullptr);
  json["estimated"] = mass.estimated;
  return json;
}

Json start_json(const ScenarioCheck& check) {
  const StartCheck& start = check.report.start;
  return {{"admissible", start.admissible},
          {"smallest_gap", start.smallest_gap},
          {"violated", names(start.violated, check)},
          {"closed", names(start.closed, check)},
          {"closing", names(start.closing, check)}};
}

Json gradients_json(const ScenarioCheck& check) {
  const GradientCheck& gradients = check.report.gradients;
  Json pairs = Json::array();
  for (const auto& [a, b] : gradients.dependent_pairs) pairs.push_back(names({a, b}, check));
  return {{"nonzero", gradients.nonzero}, {"independent", or_null(gradients.independent)}, {"dependent_pairs", pairs}};
}

// Those that break continuity first, then by size of the cosine.
Json pairs_json(const ScenarioCheck& check) {
  std::vector<ConstraintPair> pairs = check.report.pairs;
  if (pairs.size() > most_pairs) {
    std::stable_sort(pairs.begin(), pairs.end(), [](const ConstraintPair& x, const ConstraintPair& y) {
      if (x.breaks_continuity != y.breaks_continuity) return x.breaks_continuity;
      return std::abs(x.cosine) > std::abs(y.cosine);
    });
    pairs.resize(most_pairs);
  }
  Json list = Json::array();
  for (const ConstraintPair& pair : pairs)
    list.push_back({{"a", check.constraints[static_cast<std::size_t>(pair.a)]},
                    {"b", check.constraints[static_cast<std::size_t>(pair.b)]},
                    {"cosine", pair.cosine},
                    {"product", pair.product},
                    {"can_be_active_together", or_null(pair.can_be_active_together)},
                    {"breaks_continuity", pair.breaks_continuity},
                    {"how", pair.how}});
  return list;
}

Json stiffness_json(const StiffnessCheck& stiffness) {
  return {{"omega_max", stiffness.omega_max},
          {"estimated", stiffness.estimated},
          {"h", stiffness.h},
          {"h_omega", stiffness.h_omega},
          {"limit", or_null(stiffness.limit)},
          {"chooses_steps", stiffness.chooses_steps}};
}

}  // namespace

ScenarioCheck check_scenario(const ScenarioFile& file) {
  const Problem problem = file.build();
  // Only a model of formulas has some to look at; its fields count from the model.
  std::vector<NonsmoothFunction> nonsmooth;
  if (const auto* description = std::get_if<LagrangianDescription>(&file.scenario().model)) {
    nonsmooth = nonsmooth_functions(*description);
    for (NonsmoothFunction& item : nonsmooth) item.field = "model." + item.field;
  }
  ScenarioCheck check;
  check.title = file.scenario().title;
  check.scheme = problem.scheme.name;
  check.coordinates = problem.model->layout().coordinates;
  check.constraints = problem.model->layout().constraints;
  try {
    check.report = check_problem(*problem.model, problem.start, problem.span, problem.scheme, problem.settings,
                                 std::move(nonsmooth));
  } catch (const InputError& error) {
    throw file.located(error);
  }
  return check;
}

std::string to_json(const ScenarioCheck& check, std::string_view scenario) {
  const CheckReport& report = check.report;
  Json findings = Json::array(), nonsmooth = Json::array();
  for (const Finding& finding : report.findings)
    findings.push_back(
        {{"subject", finding.subject}, {"verdict", name(finding.verdict)}, {"sentence", finding.sentence}});
  for (const NonsmoothFunction& item : report.nonsmooth)
    nonsmooth.push_back({{"field", item.field}, {"function", item.function}});

  const Json json = {{"scenario", scenario},
                     {"title", check.title},
                     {"version", version},
                     {"scheme", check.scheme},
                     {"constraints", check.constraints},
                     {"continuous_dependence", or_null(report.continuous_dependence)},
                     {"conclusion", report.conclusion},
                     {"mass", mass_json(report.mass)},
                     {"start", start_json(check)},
                     {"gradients", gradients_json(check)},
                     {"pairs", pairs_json(check)},
                     {"pairs_skipped", report.pairs_skipped},
                     {"restitution",
                      {{"smallest", report.restitution.smallest},
                       {"largest", report.restitution.largest},
                       {"differs", report.restitution.differs}}},
                     {"nonsmooth", nonsmooth},
                     {"stiffness", stiffness_json(report.stiffness)},
                     {"findings", findings}};
  return json.dump(2, ' ', false, Json::error_handler_t::replace);
}

}  // namespace ricochet
