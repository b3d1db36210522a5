#include "ricochet/present/modes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "io/format/csv_table.hpp"
#include "io/format/json.hpp"
#include "ricochet/core/quantity.hpp"
#include "ricochet/core/version.hpp"
#include "ricochet/present/text.hpp"

namespace ricochet {
namespace {

template <class Values>
Json by_name(const std::vector<std::string>& names, const Values& values) {
  Json object = Json::object();
  for (std::size_t k = 0; k < names.size(); ++k) object[names[k]] = values[k];
  return object;
}

// The coordinate that moves most.
const std::string& leader(const ModesOutcome& outcome, const Mode& mode) {
  std::size_t most = 0;
  const auto size = [&](std::size_t i) {
    return std::hypot(mode.shape[i], mode.shape_imag.empty() ? 0.0 : mode.shape_imag[i]);
  };
  for (std::size_t i = 0; i < mode.shape.size(); ++i)
    if (size(i) > (1.0 + 1e-9) * size(most)) most = i;
  return outcome.coordinates[most];
}

bool has_imaginary_parts(const ModesOutcome& outcome) {
  return std::any_of(outcome.report.modes.begin(), outcome.report.modes.end(),
                     [](const Mode& mode) { return !mode.shape_imag.empty(); });
}

std::string what_is_held(const ModesOutcome& outcome) {
  std::string text = outcome.constraints.empty() ? "" : outcome.closed.empty() ? "; all contacts open" : "; closed: ";
  if (!outcome.closed.empty()) text += fmt::format("{}", fmt::join(outcome.closed, ", "));
  if (!outcome.joints.empty()) text += fmt::format("; joints held: {}", fmt::join(outcome.joints, ", "));
  return text;
}

}  // namespace

std::string to_json(const ModesOutcome& outcome, std::string_view scenario) {
  Json modes = Json::array();
  for (const Mode& mode : outcome.report.modes) {
    Json entry = {{"frequency", mode.frequency()},
                  {"omega", mode.omega},
                  {"damping", mode.damping},
                  {"sigma", {mode.sigma.real(), mode.sigma.imag()}},
                  {"damped_frequency", mode.damped_frequency()},
                  {"participation", by_name(outcome.directions, mode.participation)},
                  {"gaps", by_name(outcome.constraints, mode.gaps)},
                  {"shape", mode.shape}};
    if (!mode.shape_imag.empty()) entry["shape_imag"] = mode.shape_imag;
    modes.push_back(entry);
  }
  const Json json = {{"scenario", scenario},
                     {"title", outcome.title},
                     {"version", version},
                     {"about", outcome.about},
                     {"t", outcome.state.t},
                     {"q", outcome.state.q},
                     {"v", outcome.state.v},
                     {"coordinates", outcome.coordinates},
                     {"closed", outcome.closed},
                     {"joints", outcome.joints},
                     {"is_equilibrium", outcome.report.is_equilibrium},
                     {"coupled", outcome.report.coupled},
                     {"notes", outcome.notes},
                     {"modes", modes}};
  return json.dump(2);
}

std::string summary(const ModesOutcome& outcome) {
  constexpr std::size_t directions_shown = 4;
  const std::size_t shown = outcome.directions.size() <= directions_shown ? outcome.directions.size() : 0;
  std::vector<TextColumn> columns = {{"mode"}, {"Hz"}, {"rad/s"}, {"damping"}};
  for (std::size_t k = 0; k < shown; ++k) columns.push_back({"along " + outcome.directions[k]});
  columns.push_back({"moves most", false});
  std::vector<std::vector<std::string>> rows;
  for (const Mode& mode : outcome.report.modes) {
    std::vector<std::string> row = {std::to_string(rows.size() + 1), readable(mode.frequency()), readable(mode.omega),
                                    fmt::format("{:.4g}", mode.damping)};
    for (std::size_t k = 0; k < shown; ++k) row.push_back(fmt::format("{:.1f} %", 100.0 * mode.participation[k]));
    row.push_back(mode.omega == 0.0 ? leader(outcome, mode) + " (rigid)" : leader(outcome, mode));
    rows.push_back(std::move(row));
  }
  return fmt::format("{}\n{}\n{}", outcome.title.empty() ? "Scenario without a title" : outcome.title,
                     wrapped(fmt::format("About {} at t = {:.6g}{}.",
                                         outcome.about == "rest"    ? "the start at rest"
                                         : outcome.about == "start" ? "the start"
                                                                    : "equilibrium",
                                         outcome.state.t, what_is_held(outcome))),
                     aligned(columns, rows, "  "));
}

std::string to_csv(const ModesOutcome& outcome) {
  std::string text = "mode,frequency,omega,damping,sigma_real,sigma_imag";
  const bool imaginary = has_imaginary_parts(outcome);
  for (const std::string& name : outcome.directions) text += "," + csv_quoted("participation_" + name);
  for (const std::string& name : outcome.coordinates) text += "," + csv_quoted(name);
  if (imaginary)
    for (const std::string& name : outcome.coordinates) text += "," + csv_quoted(name + "_imag");
  text += "\n";
  std::size_t number = 0;
  for (const Mode& mode : outcome.report.modes) {
    text += std::to_string(++number);
    const auto add = [&](double value) { text += "," + to_text(value); };
    for (const double value : {mode.frequency(), mode.omega, mode.damping, mode.sigma.real(), mode.sigma.imag()})
      add(value);
    for (const double share : mode.participation) add(share);
    for (const double entry : mode.shape) add(entry);
    if (imaginary)
      for (std::size_t i = 0; i < outcome.coordinates.size(); ++i)
        add(mode.shape_imag.empty() ? 0.0 : mode.shape_imag[i]);
    text += "\n";
  }
  return text;
}

}  // namespace ricochet
