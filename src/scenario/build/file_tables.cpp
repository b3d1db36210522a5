#include "scenario/build/file_tables.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "ricochet/core/error.hpp"
#include "ricochet/core/quantity.hpp"
#include "scenario/build/build_model.hpp"
#include "scenario/keys/key_path.hpp"

namespace ricochet {

const std::vector<double>& column_of(const NumberTable& table, const std::string& file, const std::string& column,
                                     const std::string& field, const std::string& column_field) {
  const std::size_t count = table.values.size();
  if (count < 2)
    throw InputError(field,
                     fmt::format("'{}' must have two columns or more, times or points first, got {}", file, count));
  if (column.empty()) return table.values[1];
  const auto named = std::find(table.columns.begin(), table.columns.end(), column);
  if (named != table.columns.end()) return table.values[static_cast<std::size_t>(named - table.columns.begin())];
  if (const auto index = as_index(column); index && *index < count) return table.values[*index];
  if (table.columns.empty())
    throw InputError(column_field,
                     fmt::format("'{}' has no column '{}': its columns count from 0 to {}", file, column, count - 1));
  const std::string_view near = nearest(column, table.columns);
  throw InputError(column_field, fmt::format("'{}' has no column '{}'; {}", file, column,
                                             near.empty() ? fmt::format("it has {}", fmt::join(table.columns, ", "))
                                                          : fmt::format("did you mean '{}'? It has {}", near,
                                                                        fmt::join(table.columns, ", "))));
}

std::shared_ptr<const formula::Curve> FileTables::curve(const formula::TableName& name) const {
  std::shared_ptr<const formula::Curve>& known = curves_[name];
  if (known) return known;
  auto file = files_read_.find(name.file);
  if (file == files_read_.end()) file = files_read_.emplace(name.file, needed(files_, "").table(name.file, "")).first;
  const NumberTable& table = file->second;
  try {
    known = std::make_shared<const formula::Curve>(table.values.at(0), column_of(table, name.file, name.column, "", ""),
                                                   name.interpolation, name.outside, name.file);
  } catch (const InputError& error) {
    throw InputError("",
                     error.field().empty() ? error.message() : fmt::format("'{}': {}", error.field(), error.message()));
  }
  return known;
}

}  // namespace ricochet
