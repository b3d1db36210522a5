// The formats of read_result, one function each, and what they share.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "ricochet/core/error.hpp"
#include "ricochet/io/result_reader.hpp"

namespace ricochet::io {

// All throw FileError or InputError.
void read_hdf5_result(const std::filesystem::path& path, const std::string& name, bool careful, StoredResult& result);
void read_npz_result(const std::filesystem::path& path, const std::string& name, StoredResult& result);
void read_csv_result(const std::filesystem::path& path, const std::string& name, StoredResult& result);

// The most values that are read into memory.
inline constexpr std::uint64_t result_values_max = std::uint64_t{1} << 30;

// Columns of a result by their names in the file, in one place for all formats that keep columns.
using NamedColumns = std::vector<std::pair<const char*, std::vector<double>*>>;
using NamedMatrices = std::vector<std::pair<const char*, StoredResult::Columns*>>;
NamedColumns series_of(StoredResult& result);     // t, energy/…
NamedMatrices matrices_of(StoredResult& result);  // q, v, …
using NamedMembers = std::vector<std::pair<const char*, std::string*>>;
NamedMembers texts_of(StoredResult& result);  // scenario, version, …
using NamedNameLists = std::vector<std::pair<const char*, std::vector<std::string>*>>;
NamedNameLists lists_of(StoredResult& result);  // coordinates, …
inline constexpr const char* energy_names[] = {
    "initial", "final", "input", "damping", "impact", "numerical", "algorithmic_initial", "algorithmic_final"};

// Impacts from columns; `column` gives one by its name ("t", "constraint", …), empty if the file has none.
std::vector<Impact> impacts_of(const std::function<std::vector<double>(const char*)>& column, const std::string& name);

}  // namespace ricochet::io
