// ricochet schemes
#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "ricochet/core/quantity.hpp"
#include "ricochet/io/run_scenario.hpp"
#include "ricochet/scheme/scheme.hpp"
#include "terminal.hpp"
#include "verbs.hpp"

namespace ricochet::cli {

namespace {

using Json = nlohmann::ordered_json;

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
  if (entry.chooses_steps) text += "steps: its own; `step` is the interval at which the result is recorded\n";
  if (!entry.parameters.empty()) {
    std::vector<std::vector<std::string>> rows;
    for (const ParameterSpec& spec : entry.parameters)
      rows.push_back({std::string(spec.name), std::string(spec.symbol), allowed(spec), to_text(spec.fallback),
                      std::string(spec.meaning)});
    text +=
        "\n" +
        aligned({{"parameter", false}, {"symbol", false}, {"allowed", false}, {"default", false}, {"meaning", false}},
                rows, "");
  }
  return text + "\n" + wrapped(entry.reference);
}

Json described(const SchemeEntry& entry) {
  Json parameters = Json::array();
  for (const ParameterSpec& spec : entry.parameters) {
    Json parameter = {{"name", spec.name}, {"symbol", spec.symbol}, {"meaning", spec.meaning}};
    std::visit([&](const auto& value) { parameter["default"] = value; }, spec.fallback);
    // A bound that is infinite is null.
    if (spec.words.empty())
      parameter["lower"] = spec.lower, parameter["upper"] = spec.upper;
    else
      parameter["words"] = spec.words;
    parameters.push_back(parameter);
  }
  return {{"name", entry.name},
          {"summary", entry.summary},
          {"explanation", entry.explanation},
          {"order", entry.order},
          {"chooses_steps", entry.chooses_steps},
          {"parameters", parameters},
          {"reference", entry.reference}};
}

}  // namespace

int schemes(const ListOptions& options) {
  if (!options.name.empty()) {
    const SchemeEntry& entry = find_scheme(options.name);
    print(options.json ? described(entry).dump(2) + "\n" : explained(entry));
    return done;
  }

  Json list = Json::array();
  std::vector<std::vector<std::string>> rows;
  for (const SchemeEntry& entry : catalogue()) {
    list.push_back(described(entry));
    rows.push_back({std::string(entry.name), std::string(entry.summary)});
  }
  if (options.json) {
    print(list.dump(2) + "\n");
  } else {
    print_names(rows, "ricochet schemes NAME explains one, ricochet run SCENARIO --scheme NAME uses it.");
  }
  return done;
}

}  // namespace ricochet::cli
