#include <fmt/format.h>

#include "io/hdf5_input.hpp"
#include "io/result_reader.hpp"

namespace ricochet::io {

namespace {

void read_attributes(const Hdf5Input& file, StoredResult& result) {
  for (const auto& [name, text] : texts_of(result)) {
    const std::vector<std::string> values = file.texts(name);
    if (!values.empty()) *text = values.front();
  }
  for (const auto& [name, list] : lists_of(result)) *list = file.texts(name);
  if (const std::optional<double> steps = file.number("steps"); steps && *steps >= 0.0)
    result.steps = static_cast<std::uint64_t>(*steps);
  if (!file.has("energy")) return;
  for (const char* name : energy_names)
    if (const std::optional<double> value = file.number(name, "energy")) result.energy.emplace_back(name, *value);
}

void read(Hdf5Input file, StoredResult& result) {
  for (const char* needed : {"t", "q", "v", "gap"})
    if (!file.has(needed)) file.fail(fmt::format("is an HDF5 file, but no result of ricochet: it has no {}", needed));
  for (const auto& [name, column] : series_of(result)) *column = file.series(name);
  for (const auto& [name, columns] : matrices_of(result)) *columns = file.matrix(name, 2);
  result.impacts =
      impacts_of([&file](const char* name) { return file.series(fmt::format("impacts/{}", name)); }, file.name());
  read_attributes(file, result);
}

}  // namespace

void read_hdf5_result(const std::filesystem::path& path, const std::string& name, bool careful, StoredResult& result) {
  const Hdf5Session session;
  if (careful)
    read_in_child(name, [&] {
      StoredResult tried;
      read(Hdf5Input(path, name), tried);
      return std::string();
    });
  read(Hdf5Input(path, name), result);
}

}  // namespace ricochet::io
