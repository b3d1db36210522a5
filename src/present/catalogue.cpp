#include "ricochet/present/catalogue.hpp"

#include <fmt/format.h>

#include <cmath>

#include "io/format/json.hpp"
#include "ricochet/complementarity/problem.hpp"
#include "ricochet/core/quantity.hpp"
#include "ricochet/io/scenario/scenario_file.hpp"
#include "ricochet/present/text.hpp"
#include "ricochet/scenario/gallery_texts.hpp"
#include "ricochet/task/run.hpp"

namespace ricochet {

namespace {

std::string allowed(const ParameterSpec& spec) {
  if (!spec.words.empty()) return fmt::format("{}", fmt::join(spec.words, ", "));
  if (std::isinf(spec.lower) && std::isinf(spec.upper)) return "any number";
  if (std::isinf(spec.upper)) return fmt::format("{} or more", to_text(spec.lower));
  if (std::isinf(spec.lower)) return fmt::format("at most {}", to_text(spec.upper));
  return fmt::format("{} to {}", to_text(spec.lower), to_text(spec.upper));
}

std::string explained(const SchemeEntry& entry) {
  std::string text = fmt::format("{}: {}\n\n{}\n", entry.name, entry.summary, wrapped(entry.explanation));
  text += fmt::format("order: {}\n", entry.order);
  if (traits(entry).chooses_steps) text += "steps: its own; `step` is the interval at which the result is recorded\n";
  if (!entry.parameters.empty()) {
    std::vector<std::vector<std::string>> rows;
    for (const ParameterSpec& spec : entry.parameters)
      rows.push_back({std::string(spec.name), std::string(spec.symbol), allowed(spec),
                      to_text(parameter(entry, spec.name)), std::string(spec.meaning)});
    text +=
        "\n" +
        aligned({{"parameter", false}, {"symbol", false}, {"allowed", false}, {"default", false}, {"meaning", false}},
                rows, "");
  }
  return text + "\n" + wrapped(entry.literature);
}

Json described(const SchemeEntry& entry) {
  Json parameters = Json::array();
  for (const ParameterSpec& spec : entry.parameters) {
    Json row = {{"name", spec.name}, {"symbol", spec.symbol}, {"meaning", spec.meaning}};
    std::visit([&](const auto& value) { row["default"] = value; }, parameter(entry, spec.name));
    // A bound that is infinite is null.
    if (spec.words.empty())
      row["lower"] = spec.lower, row["upper"] = spec.upper;
    else
      row["words"] = spec.words;
    parameters.push_back(row);
  }
  return {{"name", entry.name},
          {"summary", entry.summary},
          {"explanation", entry.explanation},
          {"order", entry.order},
          {"chooses_steps", traits(entry).chooses_steps},
          {"parameters", parameters},
          {"reference", entry.literature}};
}

std::string explained(const SolverEntry& entry) {
  std::string text = fmt::format("{}: {}\n\n{}\n", entry.name, entry.summary, wrapped(entry.explanation));
  text += fmt::format("tolerance: {} unless [solver] gives another\n", to_text(entry.tolerance));
  if (!entry.reference.empty()) text += "\n" + wrapped(entry.reference);
  return text;
}

Json described(const SolverEntry& entry) {
  return {{"name", entry.name},
          {"summary", entry.summary},
          {"explanation", entry.explanation},
          {"tolerance", entry.tolerance},
          {"reference", entry.reference}};
}

Json described(const GalleryScenario& entry) { return {{"name", entry.name}, {"title", entry.summary}}; }

// Names with their summaries, and a line on what to do with them.
template <class Entries>
std::string listed(const Entries& entries, bool json, std::string_view hint) {
  Json list = Json::array();
  std::vector<std::vector<std::string>> rows;
  for (const auto& entry : entries) {
    list.push_back(described(entry));
    rows.push_back({std::string(entry.name), std::string(entry.summary)});
  }
  return json ? list.dump(2) + "\n" : fmt::format("{}\n{}\n", aligned({{"", false}, {"", false}}, rows, ""), hint);
}

template <class Entry>
std::string shown(const Entry& entry, bool json) {
  return json ? described(entry).dump(2) + "\n" : explained(entry);
}

}  // namespace

std::string list_schemes(const std::string& name, bool json) {
  if (!name.empty()) return shown(find_scheme(name), json);
  return listed(catalogue(), json, "ricochet schemes NAME explains one, ricochet run SCENARIO --scheme NAME uses it.");
}

std::string list_solvers(const std::string& name, bool json) {
  if (!name.empty()) return shown(find_solver(name), json);
  return listed(solvers(), json, "ricochet solvers NAME explains one, [solver] name = \"NAME\" in a scenario uses it.");
}

std::vector<GalleryScenario> gallery_scenarios() {
  std::vector<GalleryScenario> scenarios;
  for (const GalleryText& entry : gallery_texts())
    scenarios.push_back({entry.name, entry.text, parse_scenario(entry.text, entry.name).title});
  return scenarios;
}

std::string list_gallery(const std::string& name, bool json) {
  if (name.empty())
    return listed(gallery_scenarios(), json, "ricochet gallery NAME prints one, ricochet run gallery:NAME runs it.");
  // A file that a scenario names.
  for (const GalleryText& file : gallery_files())
    if (file.name == name)
      return json ? Json{{"name", file.name}, {"text", file.text}}.dump(2) + "\n" : std::string(file.text);
  // The name may be written as scenarios are named elsewhere.
  const std::string plain = name.rfind("gallery:", 0) == 0 ? name.substr(8) : name;
  const ScenarioFile file = open_scenario("gallery:" + plain);
  if (!json) return file.text();
  return Json{{"name", plain}, {"title", file.scenario().title}, {"text", file.text()}}.dump(2) + "\n";
}

}  // namespace ricochet
