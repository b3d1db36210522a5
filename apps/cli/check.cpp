// ricochet check
#include "ricochet/io/check_scenario.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "settings.hpp"
#include "terminal.hpp"
#include "verbs.hpp"

namespace ricochet::cli {

namespace {

constexpr std::size_t pairs_shown = 10;

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

// Those that matter most first.
std::string pair_table(const ScenarioCheck& check) {
  std::vector<ConstraintPair> pairs = check.report.pairs;
  if (pairs.empty()) return "";
  std::stable_sort(pairs.begin(), pairs.end(), [](const ConstraintPair& x, const ConstraintPair& y) {
    if (x.breaks_continuity != y.breaks_continuity) return x.breaks_continuity;
    return std::abs(x.cosine) > std::abs(y.cosine);
  });
  std::vector<std::vector<std::string>> rows;
  for (std::size_t i = 0; i < std::min(pairs_shown, pairs.size()); ++i) {
    const ConstraintPair& pair = pairs[i];
    rows.push_back({fmt::format("{}, {}", check.constraints[static_cast<std::size_t>(pair.a)],
                                check.constraints[static_cast<std::size_t>(pair.b)]),
                    fmt::format("{:+.4g}", pair.cosine), together(pair), pair.breaks_continuity ? "yes" : "no",
                    pair.how});
  }
  std::string text =
      aligned({{"constraints", false}, {"cosine"}, {"closed together", false}, {"breaks", false}, {"how", false}}, rows,
              "    ");
  if (pairs.size() > rows.size()) text += fmt::format("    … and {} more\n", pairs.size() - rows.size());
  return text;
}

std::string summary(const ScenarioCheck& check) {
  std::string text = fmt::format("{}\n\n", check.title.empty() ? "Scenario without a title" : check.title);
  for (const Finding& finding : check.report.findings) {
    text += fmt::format("  {}: {}\n{}", finding.subject, name(finding.verdict), indented(wrapped(finding.sentence)));
    if (finding.subject == "angles") text += pair_table(check);
  }
  return text + "\n" + wrapped(check.report.conclusion);
}

}  // namespace

int check(const CheckOptions& options) {
  const ScenarioCheck result =
      check_scenario(open_scenario(options.scenario, settings_of(options.set, options.scheme, options.step)));
  print(options.json ? to_json(result, options.scenario) + "\n" : summary(result));
  return done;
}

}  // namespace ricochet::cli
