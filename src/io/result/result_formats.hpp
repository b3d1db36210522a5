// The formats of result files: what tells them apart, a writer and a reader each.
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "ricochet/io/result/result_reader.hpp"
#include "ricochet/io/result/result_writer.hpp"

namespace ricochet::io {

enum class ResultFormat { hdf5, npz, csv };

// By the ending of the name; nothing for another one.
std::optional<ResultFormat> format_of(const std::filesystem::path& path);

// Where the impacts are of a result as CSV; `samples`: the file itself, not a link to it.
std::filesystem::path impacts_file(const std::filesystem::path& samples);
// All that a result under this name is made of: the file, and what its format has beside it.
std::vector<std::filesystem::path> result_files(const std::filesystem::path& path);

std::unique_ptr<ResultWriter> open_hdf5(const std::filesystem::path& path, const ResultHeader& header);
std::unique_ptr<ResultWriter> open_npz(const std::filesystem::path& path, const ResultHeader& header);
std::unique_ptr<ResultWriter> open_csv(const std::filesystem::path& path, const ResultHeader& header);

// All throw FileError or InputError.
void read_hdf5_result(const std::filesystem::path& path, const std::string& name, bool careful, StoredResult& result);
void read_npz_result(const std::filesystem::path& path, const std::string& name, StoredResult& result);
void read_csv_result(const std::filesystem::path& path, const std::string& name, StoredResult& result);

// A file of arrays by name ("q", "energy/kinetic"); what it does not have is empty.
class ArrayFile {
 public:
  virtual ~ArrayFile() = default;
  virtual bool has(const std::string& name) const = 0;
  virtual std::vector<double> series(const std::string& name) = 0;
  virtual StoredResult::Columns matrix(const std::string& name) = 0;
  virtual std::vector<std::string> texts(const std::string& name) = 0;
  virtual std::optional<double> number(const std::string& name) = 0;
};

// As many names as there are columns; those that a file does not give are numbered: "q1".
std::vector<std::string> complete(std::vector<std::string> names, std::size_t count, const char* prefix);

// `kind`: "an HDF5 file". For all formats that keep columns.
void read_arrays(ArrayFile& file, const char* kind, const std::string& name, StoredResult& result);

}  // namespace ricochet::io
