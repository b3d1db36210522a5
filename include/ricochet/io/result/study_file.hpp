// A study as a file: arrays and texts, written in one go as HDF5.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace ricochet {

struct StudyArray {
  std::string path;  // "errors/moreau-jean/q_sup"
  std::vector<double> values;
  std::size_t width = 0;  // 0: a column; otherwise rows of that length
  std::vector<std::pair<std::string, double>> attributes = {};
};

struct StudyFile {
  std::vector<std::pair<std::string, std::string>> texts;  // attributes of the file
  std::vector<StudyArray> arrays;
};

// Both throw InputError("-o") for an ending other than .h5 or .hdf5, the second one FileError for a file that cannot be
// written.
void check_study_target(const std::filesystem::path& path);
void write_study_file(const std::filesystem::path& path, const StudyFile& study);

// The page that such a file keeps, as JSON (present/study_page.hpp); nothing if the file is not one of a study. Files
// of unknown origin are looked at carefully. Throws FileError.
std::optional<std::string> read_study_page(const std::filesystem::path& path);

}  // namespace ricochet
