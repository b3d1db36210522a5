// A result as a table of numbers: what a scenario starts from, or reads as a function of time.
#include <optional>
#include <sstream>

#include "io/attachment/attachment_formats.hpp"
#include "io/format/hdf5_input.hpp"
#include "ricochet/core/error.hpp"
#include "ricochet/io/result/result_reader.hpp"

namespace ricochet::io {

namespace {

// One period of an orbit, from the result of `ricochet orbit`; nothing for other files.
std::optional<NumberTable> orbit_table(const std::filesystem::path& path, const std::string& file) {
  if (!begins_as_hdf5(path)) return std::nullopt;
  const Hdf5Session session;
  const auto read = [&]() -> std::optional<NumberTable> {
    Hdf5Input input(path, file);
    if (input.texts("study") != std::vector<std::string>{"orbit"}) return std::nullopt;
    NumberTable table{.columns = {}, .values = input.matrix("motion", 2)};
    for (const std::string& text : input.texts("columns")) {
      std::istringstream lines(text);
      for (std::string name; std::getline(lines, name);) table.columns.push_back(name);
    }
    if (table.columns.empty() || table.columns.size() != table.values.size())
      input.fail("does not name the columns of its motion: an earlier version wrote it; find the orbit again");
    return table;
  };
  const std::string kind = read_in_child(path, file, [&] { return read() ? "orbit" : "other"; });
  return kind == "orbit" ? read() : std::nullopt;
}

}  // namespace

NumberTable result_table(const std::filesystem::path& path, const std::string& file, const std::string& field) {
  StoredResult stored;
  try {
    if (std::optional<NumberTable> orbit = orbit_table(path, file)) return *orbit;
    stored = read_result(path, {.careful = true});
  } catch (const FileError& error) {
    // It names the path; the user knows the file by its name.
    std::string message = error.what();
    const std::string prefix = path.string() + ": ";
    if (message.starts_with(prefix)) message = file + ": " + message.substr(prefix.size());
    throw InputError(field, message);
  }
  NumberTable table{.columns = {"t"}, .values = {stored.t}};
  const auto add = [&](const std::vector<std::string>& names, const char* ending,
                       const StoredResult::Columns& columns) {
    for (std::size_t j = 0; j < columns.size() && j < names.size(); ++j) {
      table.columns.push_back(names[j] + ending);
      table.values.push_back(columns[j]);
    }
  };
  add(stored.coordinates, "", stored.q);
  add(stored.coordinates, "_dot", stored.v);
  add(stored.states, "", stored.z);
  // States before and after impacts have a time in common.
  for (std::vector<double>& column : table.values) {
    std::size_t kept = 0;
    for (std::size_t i = 0; i < column.size(); ++i)
      if (i >= stored.event.size() || stored.event[i] == 0.0) column[kept++] = column[i];
    column.resize(kept);
  }
  if (table.values[0].empty()) throw InputError(field, file + ": has no states");
  return table;
}

}  // namespace ricochet::io
