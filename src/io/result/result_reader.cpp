#include "io/result/result_formats.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "io/format/input_bytes.hpp"
#include "io/result/result_table.hpp"
#include "ricochet/io/result/slip_columns.hpp"

namespace ricochet {

namespace io {

namespace {

// The parts of a result by their names in a file.
using NamedColumns = std::vector<std::pair<const char*, std::vector<double>*>>;
using NamedMatrices = std::vector<std::pair<const char*, StoredResult::Columns*>>;

NamedColumns series_of(StoredResult& result) {
  return {{"t", &result.t},
          {"event", &result.event},
          {"energy/kinetic", &result.kinetic},
          {"energy/potential", &result.potential},
          {"ledger/input", &result.input},
          {"ledger/damping", &result.damping},
          {"ledger/impact", &result.impact},
          {"ledger/friction", &result.friction_work},
          {"ledger/numerical", &result.numerical}};
}

NamedMatrices matrices_of(StoredResult& result) {
  return {{"q", &result.q},
          {"v", &result.v},
          {"z", &result.z},
          {"gap", &result.gap},
          {"rate", &result.rate},
          {"impulse", &result.impulse},
          {"slip", &result.slip},
          {"friction", &result.friction},
          {"reaction", &result.reaction},
          {"observed", &result.observed},
          {"observed_rate", &result.observed_rate},
          {"output", &result.output}};
}

std::vector<Impact> impacts_of(ArrayFile& file, const std::string& name) {
  const auto column = [&file](const char* key) { return file.series(fmt::format("impacts/{}", key)); };
  const std::vector<double> t = column("t"), constraint = column("constraint"), minus = column("rate_minus"),
                            plus = column("rate_plus"), impulse = column("impulse"), loss = column("energy_loss"),
                            discontinuous = column("discontinuous");
  // A run killed while it saved may have some columns longer than others.
  std::size_t n = t.size();
  for (const std::vector<double>* one : {&constraint, &minus, &plus, &impulse, &loss}) n = std::min(n, one->size());
  std::vector<Impact> impacts(n);
  for (std::size_t i = 0; i < n; ++i) {
    if (!(constraint[i] >= 0.0 && constraint[i] < 1e9 && constraint[i] == std::floor(constraint[i])))
      throw FileError(fmt::format("{}: impact {} names the constraint {}, which there is not", name, i, constraint[i]));
    impacts[i] = {.t = t[i],
                  .constraint = static_cast<int>(constraint[i]),
                  .rate_minus = minus[i],
                  .rate_plus = plus[i],
                  .impulse = impulse[i],
                  .energy_loss = loss[i],
                  .discontinuous = i < discontinuous.size() && discontinuous[i] != 0.0};
  }
  return impacts;
}

// What the impacts of contacts with friction have besides.
void add_slips(ArrayFile& file, StoredResult& result) {
  const std::size_t width = contact_slips_max(result.constraints, result.slips);
  if (width == 0) return;
  const std::pair<const char*, std::array<double, 2> SlipReport::*> parts[] = {
      {"impacts/slip_minus", &SlipReport::minus},
      {"impacts/slip_plus", &SlipReport::plus},
      {"impacts/friction_impulse", &SlipReport::impulse}};
  std::vector<Impact>& impacts = result.impacts;
  for (const auto& [key, part] : parts) {
    const StoredResult::Columns columns = width == 1 ? StoredResult::Columns{file.series(key)} : file.matrix(key);
    for (std::size_t k = 0; k < std::min<std::size_t>(2, columns.size()); ++k)
      for (std::size_t i = 0; i < std::min(impacts.size(), columns[k].size()); ++i)
        (impacts[i].slip.*part)[k] = columns[k][i];
  }
  const std::vector<double> status = file.series("impacts/status");
  for (std::size_t i = 0; i < std::min(impacts.size(), status.size()); ++i)
    for (std::size_t k = 0; k < slip_statuses.size(); ++k)
      if (status[i] == static_cast<double>(k)) impacts[i].slip.status = static_cast<SlipStatus>(k);
}

}  // namespace

std::vector<std::string> complete(std::vector<std::string> names, std::size_t count, const char* prefix) {
  for (std::size_t i = names.size(); i < count; ++i) names.push_back(fmt::format("{}{}", prefix, i + 1));
  names.resize(count);
  return names;
}

void read_arrays(ArrayFile& file, const char* kind, const std::string& name, StoredResult& result) {
  for (const char* needed : {"t", "q", "v", "gap"})
    if (!file.has(needed))
      throw FileError(
          fmt::format("{}: is {}, but not the result of a run of ricochet: it has no {}", name, kind, needed));
  for (const auto& [key, column] : series_of(result)) *column = file.series(key);
  for (const auto& [key, columns] : matrices_of(result)) *columns = file.matrix(key);

  const std::pair<const char*, std::string*> texts[] = {{"scenario", &result.scenario_text},
                                                        {"version", &result.version},
                                                        {"title", &result.title},
                                                        {"scheme", &result.scheme},
                                                        {"status", &result.status},
                                                        {"scheme_parameters", &result.scheme_parameters},
                                                        {"failure", &result.failure}};
  for (const auto& [key, text] : texts)
    if (const std::vector<std::string> found = file.texts(key); !found.empty()) *text = found.front();
  result.coordinates = file.texts("coordinates");
  result.states = file.texts("states");
  result.constraints = file.texts("constraints");
  result.slips = file.texts("slips");
  result.joints = file.texts("joints");
  result.observations = file.texts("observations");
  result.outputs = file.texts("outputs");
  if (const std::vector<std::string> display = file.texts("display"); !display.empty())
    result.display = read_display(display.front());
  result.impacts = impacts_of(file, name);
  add_slips(file, result);
  if (const std::optional<double> steps = file.number("steps"); steps && *steps >= 0.0)
    result.steps = static_cast<std::uint64_t>(*steps);
  for (const char* key : {"initial", "final", "input", "damping", "impact", "friction", "numerical",
                          "algorithmic_initial", "algorithmic_final"})
    if (const std::optional<double> value = file.number(fmt::format("energy/{}", key)))
      result.energy.emplace_back(key, *value);
}

namespace {

// By the ending; files under another name, such as what a killed run leaves, by their first bytes.
ResultFormat told_format(const std::filesystem::path& path, const InputBytes& file) {
  if (const std::optional<ResultFormat> format = format_of(path)) return *format;
  std::string start(std::min<std::uint64_t>(4, file.size()), '\0');
  file.read(0, start.data(), start.size());
  if (start == "\x89HDF") return ResultFormat::hdf5;
  if (start == "PK\x03\x04") return ResultFormat::npz;
  file.refuse("is no result file; those end in .h5, .hdf5, .npz or .csv");
}

// All columns get the length of the shortest.
void cut(StoredResult& result) {
  std::size_t shortest = result.t.size(), longest = shortest;
  const auto look = [&](const std::vector<double>& column) {
    shortest = std::min(shortest, column.size());
    longest = std::max(longest, column.size());
  };
  for (const auto& [name, column] : series_of(result))
    if (!column->empty()) look(*column);
  for (const auto& [name, columns] : matrices_of(result))
    for (const std::vector<double>& column : *columns) look(column);
  if (shortest == longest) return;
  for (const auto& [name, column] : series_of(result))
    if (!column->empty()) column->resize(shortest);
  for (const auto& [name, columns] : matrices_of(result))
    for (std::vector<double>& column : *columns) column.resize(shortest);
  result.notes.push_back(
      fmt::format("The run was cut off while it saved: {} of {} instants are whole.", shortest, longest));
}

void check_result(StoredResult& result, const std::string& name) {
  cut(result);
  result.event.resize(result.t.size(), 0.0);  // files of earlier versions have instants of the grid only
  if (result.v.size() != result.q.size())
    throw FileError(fmt::format("{}: has {} coordinates, but {} velocities", name, result.q.size(), result.v.size()));
  result.coordinates = complete(result.coordinates, result.q.size(), "q");
  result.states = complete(result.states, result.z.size(), "z");
  result.constraints = complete(result.constraints, result.gap.size(), "constraint");
  result.slips = complete(result.slips, result.slip.size(), "slip");
  result.joints = complete(result.joints, result.reaction.size(), "reaction");
  result.observations = complete(result.observations, result.observed.size(), "observed");
  result.outputs = complete(result.outputs, result.output.size(), "output");
  if (result.impulse.size() != result.gap.size()) result.impulse.clear();
  if (result.friction.size() != result.slip.size()) result.friction.clear();
  for (std::size_t i = 0; i < result.impacts.size(); ++i)
    if (static_cast<std::size_t>(result.impacts[i].constraint) >= result.constraints.size())
      throw FileError(fmt::format("{}: impact {} is of constraint {}, but there are {}", name, i,
                                  result.impacts[i].constraint, result.constraints.size()));
  for (std::size_t i = 1; i < result.t.size(); ++i)
    if (!(result.t[i] >= result.t[i - 1]))
      throw FileError(fmt::format("{}: its times do not grow: {} follows {}", name, result.t[i], result.t[i - 1]));
}

}  // namespace

}  // namespace io

namespace {

const Display* find_display(const std::vector<Display>& all, const std::string& name) {
  const auto place = std::find_if(all.begin(), all.end(), [&](const Display& one) { return one.name == name; });
  return place == all.end() ? nullptr : &*place;
}

}  // namespace

const std::string& StoredResult::unit(const std::string& name) const {
  static const std::string none;
  const Display* shown = find_display(display, name);
  return shown == nullptr ? none : shown->unit;
}

const std::string& StoredResult::label(const std::string& name) const {
  const Display* shown = find_display(display, name);
  return shown == nullptr || shown->label.empty() ? name : shown->label;
}

bool StoredResult::has_impact_states() const {
  return std::any_of(event.begin(), event.end(), [](double mark) { return mark != 0.0; });
}

StoredResult read_result(const std::filesystem::path& path, const ReadSettings& settings) {
  const std::string name = path.string();
  if (name.empty()) throw FileError("the name of the result file is empty");
  // A link leads to its file.
  std::error_code error;
  const std::filesystem::path target = std::filesystem::canonical(path, error);
  StoredResult result;
  try {
    const io::FileBytes file(error ? path : target, name, "", std::uint64_t{1} << 40);
    if (file.size() == 0) file.refuse("is empty");
    switch (io::told_format(path, file)) {
      case io::ResultFormat::hdf5: io::read_hdf5_result(target, name, settings.careful, result); break;
      case io::ResultFormat::npz: io::read_npz_result(target, name, result); break;
      case io::ResultFormat::csv: io::read_csv_result(target, name, result); break;
    }
  } catch (const InputError& complaint) {
    throw FileError(complaint.what());
  }
  io::check_result(result, name);
  return result;
}

}  // namespace ricochet
