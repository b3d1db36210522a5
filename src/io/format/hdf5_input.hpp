// An HDF5 file of unknown origin as numbers and texts: a sentence for what is not as it should be. What leads to other
// files, by links, external storage or virtual data sets, is refused.
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "io/format/hdf5_handle.hpp"

namespace ricochet::io {

// Use it in an Hdf5Session. All functions throw FileError("NAME: …").
class Hdf5Input {
 public:
  Hdf5Input(const std::filesystem::path& path, std::string name);

  [[noreturn]] void fail(const std::string& message) const;

  bool has(const std::string& path) const;                           // each group on the way must be there too
  std::vector<std::string> members(const std::string& group) const;  // in the order of their names

  // A dataset of one or two sizes, as columns; none if it is not there.
  std::vector<std::vector<double>> matrix(const std::string& path, int rank);
  std::vector<double> series(const std::string& path);
  // Rows of a dataset of two sizes, block after block: take(first row, rows, values row by row).
  using Take = std::function<void(std::uint64_t, std::uint64_t, const double*)>;
  void blocks(const std::string& path, const Take& take) const;
  std::array<std::uint64_t, 2> size_of(const std::string& path) const;
  // Some entries of a dataset of texts.
  std::vector<std::string> texts_at(const std::string& path, const std::vector<std::uint64_t>& rows) const;

  // Attributes of the file, or of what is at `path`; nothing for what is missing or of another kind.
  std::optional<double> number(const char* attribute, const std::string& path = "/") const;
  std::vector<double> numbers(const char* attribute, const std::string& path = "/") const;
  std::vector<std::string> texts(const char* attribute, const std::string& path = "/") const;

 private:
  struct Dataset {
    Hdf5Handle handle, space;
    std::array<std::uint64_t, 2> size = {0, 1};
    std::uint64_t piece_rows = 1;  // that are unpacked together
  };
  Dataset open(const std::string& path, int rank) const;
  std::uint64_t checked_pieces(hid_t dataset, hid_t space, std::size_t value_size, const std::string& path) const;
  [[noreturn]] void refuse_pieces(const std::string& path) const;
  void read_blocks(const Dataset& dataset, const std::string& path, int rank, const Take& take) const;

  std::string name_;
  Hdf5Handle file_;
  std::uint64_t bytes_ = 0;  // of the file
  std::uint64_t count_ = 0;  // values read into memory
};

bool begins_as_hdf5(const std::filesystem::path& path);

// Reads a file in a child process: whatever happens there, happens there. The HDF5 library crashes on some files with
// changed bytes, takes memory for texts that nothing announces, and broken files leave it in a state that it complains
// of at the end; what the child refuses need not be opened here at all. The child has as much memory as a file of that
// size may take, and ends with its parent. Returns what `read` returned (up to 2000 bytes), throws FileError for its
// exceptions and crashes; without a word where there is no room for a child.
std::string read_in_child(const std::filesystem::path& path, const std::string& name,
                          const std::function<std::string()>& read);

}  // namespace ricochet::io
