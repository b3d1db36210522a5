// A result as a table of numbers: what a scenario starts from, or reads as a function of time.
#include "io/attachment/attachment_formats.hpp"
#include "ricochet/core/error.hpp"
#include "ricochet/io/result/result_reader.hpp"

namespace ricochet::io {

NumberTable result_table(const std::filesystem::path& path, const std::string& file, const std::string& field) {
  StoredResult stored;
  try {
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
