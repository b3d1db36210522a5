// ricochet solvers
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "ricochet/complementarity/problem.hpp"
#include "ricochet/core/quantity.hpp"
#include "terminal.hpp"
#include "verbs.hpp"

namespace ricochet::cli {

namespace {

using Json = nlohmann::ordered_json;

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

}  // namespace

int solvers(const ListOptions& options) {
  if (!options.name.empty()) {
    const SolverEntry& entry = find_solver(options.name);
    print(options.json ? described(entry).dump(2) + "\n" : explained(entry));
    return done;
  }

  Json list = Json::array();
  std::vector<std::vector<std::string>> rows;
  for (const SolverEntry& entry : ricochet::solvers()) {
    list.push_back(described(entry));
    rows.push_back({std::string(entry.name), std::string(entry.summary)});
  }
  if (options.json) {
    print(list.dump(2) + "\n");
  } else {
    print_names(rows, "ricochet solvers NAME explains one, [solver] name = \"NAME\" in a scenario uses it.");
  }
  return done;
}

}  // namespace ricochet::cli
