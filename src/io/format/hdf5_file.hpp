// An HDF5 file that appears under its name when it is complete: attributes, groups and datasets, without dates.
//
// All members throw FileError: for the disk's reason if it has one, otherwise for HDF5's refusal. Whoever calls
// them holds an Hdf5Session.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "io/format/atomic_file.hpp"
#include "io/format/hdf5_driver.hpp"
#include "io/format/hdf5_handle.hpp"

namespace ricochet {

// The types of numbers in the file, the same on every machine, and in memory.
inline hid_t stored_type(double) { return H5T_IEEE_F64LE; }
inline hid_t stored_type(std::int32_t) { return H5T_STD_I32LE; }
inline hid_t stored_type(std::int64_t) { return H5T_STD_I64LE; }
inline hid_t stored_type(std::uint64_t) { return H5T_STD_U64LE; }
inline hid_t given_type(double) { return H5T_NATIVE_DOUBLE; }
inline hid_t given_type(std::int32_t) { return H5T_NATIVE_INT32; }
inline hid_t given_type(std::int64_t) { return H5T_NATIVE_INT64; }
inline hid_t given_type(std::uint64_t) { return H5T_NATIVE_UINT64; }

// A dataset: a column of one number a row, or of rows.
struct Hdf5Shape {
  hid_t type = -1;  // in the file
  bool is_matrix = false;
  std::uint64_t rows = 0, width = 1;
  std::uint64_t chunk_rows = 0;  // 0: of fixed size, in one piece; otherwise it can grow
};

class Hdf5File {
 public:
  Hdf5File(const std::filesystem::path& path, bool large_attributes);
  ~Hdf5File();
  Hdf5File(const Hdf5File&) = delete;
  Hdf5File& operator=(const Hdf5File&) = delete;

  hid_t root() const { return handle_; }
  explicit operator bool() const { return static_cast<bool>(handle_); }
  AtomicFile& file() { return file_; }
  const AtomicFile& file() const { return file_; }

  // "energy/kinetic": the groups above it are created where they are missing.
  Hdf5Handle create(const std::string& path, const Hdf5Shape& shape);
  // Rows first … first + count − 1, which must be there.
  void write_rows(hid_t dataset, const std::string& name, const Hdf5Shape& shape, hid_t given, std::uint64_t first,
                  std::uint64_t count, const void* values);

  // A dataset written at once: a column, or rows of a width that is not 0.
  Hdf5Handle put(const std::string& path, const std::vector<double>& values, std::size_t width = 0);

  // Attributes take the place of earlier ones.
  void set_text(hid_t owner, const std::string& name, const std::string& text);
  void set_list(hid_t owner, const std::string& name, const std::vector<std::string>& list);
  void set_value(hid_t owner, const std::string& name, hid_t stored, hid_t given, const void* value);
  template <class Number>
  void set_number(hid_t owner, const std::string& name, Number value) {
    set_value(owner, name, stored_type(value), given_type(value), &value);
  }
  void set_values(hid_t owner, const std::string& name, hid_t stored, hid_t given, std::size_t count,
                  const void* values);

  void check(herr_t status, const std::string& what) const;
  Hdf5Handle check(Hdf5Handle handle, const std::string& what) const;

  void flush() { check(H5Fflush(handle_, H5F_SCOPE_GLOBAL), "file"); }
  bool close() { return handle_.close(); }
  // Puts the file under its name. Other handles into it must be closed.
  void commit();

 private:
  void create_groups(const std::string& path);
  void set_attribute(hid_t owner, const std::string& name, hid_t stored, hid_t given, hid_t space, const void* value);
  void check_channel() const {
    if (channel_.error() != 0) file_.fail(channel_.error());
  }
  [[noreturn]] void refuse(const std::string& what) const;

  AtomicFile file_;
  Hdf5Channel channel_;
  Hdf5Handle handle_;
};

}  // namespace ricochet
