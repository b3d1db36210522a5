#include "ricochet/present/check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "io/format/json.hpp"
#include "ricochet/core/version.hpp"
#include "ricochet/present/text.hpp"

namespace ricochet {

namespace {

constexpr std::size_t most_pairs = 1000, pairs_shown = 10;

// Those that break continuity first, then by size of the cosine.
std::vector<ConstraintPair> by_importance(std::vector<ConstraintPair> pairs) {
  std::stable_sort(pairs.begin(), pairs.end(), [](const ConstraintPair& x, const ConstraintPair& y) {
    if (x.breaks_continuity != y.breaks_continuity) return x.breaks_continuity;
    return std::abs(x.cosine) > std::abs(y.cosine);
  });
  return pairs;
}

Json names(const std::vector<int>& constraints, const CheckOutcome& check) {
  Json list = Json::array();
  for (const int j : constraints) list.push_back(check.constraints[j]);
  return list;
}

Json mass_json(const MassCheck& mass) {
  return {{"positive_definite", mass.positive_definite},
          {"condition", mass.positive_definite ? Json(mass.condition) : Json(nullptr)},
          {"estimated", mass.estimated}};
}

Json start_json(const CheckOutcome& check) {
  const StartCheck& start = check.report.start;
  return {{"admissible", start.admissible},
          {"smallest_gap", start.smallest_gap},
          {"violated", names(start.violated, check)},
          {"closed", names(start.closed, check)},
          {"closing", names(start.closing, check)}};
}

Json gradients_json(const CheckOutcome& check) {
  const GradientCheck& gradients = check.report.gradients;
  Json pairs = Json::array();
  for (const auto& [a, b] : gradients.dependent_pairs) pairs.push_back(names({a, b}, check));
  return {{"nonzero", gradients.nonzero}, {"independent", gradients.independent}, {"dependent_pairs", pairs}};
}

Json pairs_json(const CheckOutcome& check) {
  std::vector<ConstraintPair> pairs = check.report.pairs;
  if (pairs.size() > most_pairs) {
    pairs = by_importance(std::move(pairs));
    pairs.resize(most_pairs);
  }
  Json list = Json::array();
  for (const ConstraintPair& pair : pairs)
    list.push_back({{"a", check.constraints[pair.a]},
                    {"b", check.constraints[pair.b]},
                    {"cosine", pair.cosine},
                    {"product", pair.product},
                    {"can_be_active_together", pair.can_be_active_together},
                    {"breaks_continuity", pair.breaks_continuity},
                    {"how", pair.how}});
  return list;
}

Json stiffness_json(const StiffnessCheck& stiffness) {
  return {{"omega_max", stiffness.omega_max},
          {"estimated", stiffness.estimated},
          {"h", stiffness.h},
          {"h_omega", stiffness.h_omega},
          {"limit", stiffness.limit},
          {"chooses_steps", stiffness.chooses_steps}};
}

// Lines of at most 80 characters, each indented.
std::string indented(const std::string& text) {
  std::string result;
  std::string_view rest = text;
  while (!rest.empty()) {
    const std::size_t end = std::min(rest.find('\n'), rest.size());
    result += fmt::format("    {}\n", rest.substr(0, end));
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  return result;
}

const char* together(const ConstraintPair& pair) {
  if (!pair.can_be_active_together) return "not known";
  return *pair.can_be_active_together ? "yes" : "no";
}

std::string pair_table(const CheckOutcome& check) {
  const std::vector<ConstraintPair> pairs = by_importance(check.report.pairs);
  if (pairs.empty()) return "";
  std::vector<std::vector<std::string>> rows;
  for (std::size_t i = 0; i < std::min(pairs_shown, pairs.size()); ++i) {
    const ConstraintPair& pair = pairs[i];
    rows.push_back({fmt::format("{}, {}", check.constraints[pair.a], check.constraints[pair.b]),
                    fmt::format("{:+.4g}", pair.cosine), together(pair), pair.breaks_continuity ? "yes" : "no",
                    pair.how});
  }
  std::string text =
      aligned({{"constraints", false}, {"cosine"}, {"closed together", false}, {"breaks", false}, {"how", false}}, rows,
              "    ");
  if (pairs.size() > rows.size()) text += fmt::format("    … and {} more\n", pairs.size() - rows.size());
  return text;
}

}  // namespace

std::string summary(const CheckOutcome& check) {
  std::string text = fmt::format("{}\n\n", check.title.empty() ? "Scenario without a title" : check.title);
  for (const Finding& finding : check.report.findings) {
    text += fmt::format("  {}: {}\n{}", finding.subject, name(finding.verdict), indented(wrapped(finding.sentence)));
    if (finding.subject == "angles") text += pair_table(check);
  }
  return text + "\n" + wrapped(check.report.conclusion);
}

std::string to_json(const CheckOutcome& check, std::string_view scenario) {
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
                     {"continuous_dependence", report.continuous_dependence},
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
  return json.dump(2);
}

}  // namespace ricochet
