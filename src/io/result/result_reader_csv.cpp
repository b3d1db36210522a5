#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "io/format/input_bytes.hpp"
#include "io/format/text_lines.hpp"
#include "io/result/result_formats.hpp"
#include "ricochet/io/result/slip_columns.hpp"

namespace ricochet::io {

namespace {

bool ends_with(std::string_view text, std::string_view end) {
  return text.size() > end.size() && text.substr(text.size() - end.size()) == end;
}

// "pin.reaction.2", "floor.slip.1": the number that follows is optional.
bool is_part(std::string_view name, std::string_view part) {
  const std::size_t digits = name.find_last_not_of("0123456789") + 1;
  if (digits < name.size() && name[digits - 1] == '.') name = name.substr(0, digits - 1);
  return ends_with(name, part);
}

// How many names from `begin` are followed by as many velocities of the same names; the most that fit before `end`.
std::size_t with_velocities(const std::vector<std::string>& names, std::size_t begin, std::size_t end) {
  for (std::size_t n = (end - begin) / 2; n > 0; --n) {
    bool fits = true;
    for (std::size_t i = 0; fits && i < n; ++i) fits = names[begin + n + i] == names[begin + i] + "_dot";
    if (fits) return n;
  }
  return 0;
}

// t, coordinates, their _dot, states, NAME.gap, NAME.rate, NAME.impulse and with friction NAME.slip, NAME.friction for
// each constraint, NAME.slip, NAME.friction for each dry friction, NAME.reaction.1, … for each joint, outputs,
// energy.*, observations, their _dot, event. Columns are moved out of the table.
void sort_columns(NumberTable& table, const FileBytes& file, StoredResult& result) {
  std::vector<std::string> names = table.columns;
  // "x [m]": a unit in brackets
  for (std::string& name : names) {
    const std::size_t bracket = name.rfind(" [");
    if (bracket == std::string::npos || name.back() != ']') continue;
    const std::string unit = name.substr(bracket + 2, name.size() - bracket - 3);
    name.resize(bracket);
    result.display.push_back({name, unit, ""});
  }
  if (names.empty() || names[0] != "t")
    file.refuse("is no result of ricochet: its first line must begin with t and name the columns");
  const auto take = [&](std::size_t k) { return std::move(table.values[k]); };
  const std::size_t energy =
      static_cast<std::size_t>(std::find(names.begin(), names.end(), "energy.kinetic") - names.begin());
  if (energy + 3 > names.size())
    file.refuse("is no result of ricochet: it has no columns energy.kinetic to energy.total");

  result.t = take(0);
  const std::size_t nq = with_velocities(names, 1, energy);
  for (std::size_t i = 0; i < nq; ++i) {
    result.coordinates.push_back(names[1 + i]);
    result.q.push_back(take(1 + i));
    result.v.push_back(take(1 + nq + i));
  }
  for (std::size_t k = 1 + 2 * nq; k < energy; ++k) {
    const std::string& name = names[k];
    if (k + 2 < energy && ends_with(name, ".gap") && ends_with(names[k + 2], ".impulse")) {
      result.constraints.push_back(name.substr(0, name.size() - std::string_view(".gap").size()));
      for (StoredResult::Columns* columns : {&result.gap, &result.rate, &result.impulse}) columns->push_back(take(k++));
      --k;
    } else if (is_part(name, ".slip")) {
      result.slips.push_back(name);
      result.slip.push_back(take(k));
    } else if (is_part(name, ".friction")) {
      result.friction.push_back(take(k));
    } else if (is_part(name, ".reaction")) {
      result.joints.push_back(name);
      result.reaction.push_back(take(k));
    } else if (result.constraints.empty() && result.slips.empty() && result.joints.empty()) {
      result.states.push_back(name);
      result.z.push_back(take(k));
    } else {
      result.outputs.push_back(name);
      result.output.push_back(take(k));
    }
  }
  result.kinetic = take(energy);
  result.potential = take(energy + 1);
  std::size_t end = names.size();
  if (end > energy + 3 && names[end - 1] == "event") result.event = take(--end);
  const std::size_t after = energy + 3, no = with_velocities(names, after, end);
  for (std::size_t i = 0; i < no; ++i) {
    result.observations.push_back(names[after + i]);
    result.observed.push_back(take(after + i));
    result.observed_rate.push_back(take(after + no + i));
  }
}

// The fields of a line; quoted ones may hold commas, and two quotes for one.
std::vector<std::string> fields(std::string_view line) {
  std::vector<std::string> result(1);
  bool quoted = false;
  for (std::size_t i = 0; i < line.size(); ++i) {
    const char c = line[i];
    if (c == '"' && quoted && i + 1 < line.size() && line[i + 1] == '"')
      result.back() += line[++i];
    else if (c == '"')
      quoted = !quoted;
    else if (c == ',' && !quoted)
      result.emplace_back();
    else
      result.back() += c;
  }
  return result;
}

Impact impact_of(const std::vector<std::string>& line, const LineReader& lines, const StoredResult& result) {
  const auto named = std::find(result.constraints.begin(), result.constraints.end(), line[1]);
  if (named == result.constraints.end())
    lines.file().refuse(lines.number(), fmt::format("there is no constraint {}", shown(line[1])));
  const auto number = [&](std::size_t k) { return number_or_refuse(line[k], lines, "an impact"); };
  Impact impact{.t = number(0),
                .constraint = static_cast<int>(named - result.constraints.begin()),
                .rate_minus = number(2),
                .rate_plus = number(3),
                .impulse = number(4),
                .energy_loss = number(5),
                .discontinuous = line.size() > 6 && number(6) != 0.0};
  const std::size_t slips = contact_slips_max(result.constraints, result.slips), first = 7;
  if (slips == 0 || line.size() < first + 3 * slips + 1) return impact;
  for (std::size_t k = 0; k < std::min<std::size_t>(2, slips); ++k) {
    impact.slip.minus[k] = number(first + k);
    impact.slip.plus[k] = number(first + slips + k);
    impact.slip.impulse[k] = number(first + 2 * slips + k);
  }
  const auto status = std::find(slip_statuses.begin(), slip_statuses.end(), line[first + 3 * slips]);
  if (status == slip_statuses.end())
    lines.file().refuse(lines.number(), fmt::format("there is no status {}", shown(line[first + 3 * slips])));
  impact.slip.status = static_cast<SlipStatus>(status - slip_statuses.begin());
  return impact;
}

void read_impacts(const std::filesystem::path& path, StoredResult& result) {
  std::error_code error;
  if (!std::filesystem::exists(path, error)) {
    result.notes.push_back(fmt::format("The impacts are missing: there is no {}.", path.filename().string()));
    return;
  }
  const FileBytes file(path, path.filename().string(), "");
  LineReader lines(file);
  std::string_view line;
  if (!lines.next(line) || fields(line).size() < 6 || fields(line)[1] != "constraint")
    file.refuse("is no table of impacts: its first line must be t,constraint,rate_minus,…");
  while (lines.next(line)) {
    if (line.empty()) continue;
    const std::vector<std::string> parts = fields(line);
    if (parts.size() < 6) file.refuse(lines.number(), fmt::format("has {} fields where 6 are needed", parts.size()));
    result.impacts.push_back(impact_of(parts, lines, result));
  }
}

}  // namespace

void read_csv_result(const std::filesystem::path& path, const std::string& name, StoredResult& result) {
  const FileBytes file(path, name, "", std::uint64_t{1} << 40);
  NumberTable table = read_number_table(file);
  sort_columns(table, file, result);
  read_impacts(impacts_file(path), result);
  result.title = path.stem().string();
  result.notes.emplace_back(
      "A CSV file holds neither the scenario nor the energy account of the run: HDF5 and NPZ do.");
}

}  // namespace ricochet::io
