// How HDF5 reaches the disk here.
//
// HDF5 changes its own tables in place, whenever its cache likes to, and does not survive a full disk: closing fails
// and so does the end of the process. This driver holds these tables back in memory until HDF5 is asked to flush, and
// writes them in one go, each only after what it points to. So
//   - the file on disk is whole at any time, as it was at the last flush: a killed run can be read. A run killed in the
//     middle of a flush may have some columns longer than others;
//   - a full disk is met before anything in place has changed;
//   - after a failure nothing more is written, and HDF5, never told of it, closes without complaint. Whoever writes
//   asks
//     error() after each call.
#pragma once

#include <hdf5.h>

#include <cstddef>
#include <cstdint>
#include <vector>

#include "io/format/atomic_file.hpp"

namespace ricochet {

class Hdf5Channel {
 public:
  explicit Hdf5Channel(const AtomicFile& file) : file_(file) {}

  // The first error met, 0 if none.
  int error() const { return error_; }

  void read(std::uint64_t address, std::size_t size, void* bytes);
  void write_data(std::uint64_t address, std::size_t size, const void* bytes);
  void write_table(H5FD_mem_t type, std::uint64_t address, std::size_t size, const void* bytes);
  // Writes what was held back; `end` is where the file's contents end.
  void flush(std::uint64_t end);

 private:
  struct Pending {
    H5FD_mem_t type;
    std::uint64_t address;
    std::vector<std::byte> bytes;
    std::uint64_t end() const { return address + bytes.size(); }
  };
  // Where a table stands in a flush.
  int rank(const Pending& table) const;
  // Newer bytes take the place of pending ones.
  void supersede(std::uint64_t address, std::size_t size, const void* bytes);
  // Remembers the first error. True if there was none now.
  bool check(int error);

  const AtomicFile& file_;
  std::vector<Pending> pending_;  // where two overlap, they agree
  std::uint64_t flushed_end_ = 0;
  int error_ = 0;
};

// Creates an HDF5 file on the channel, which must outlive it. Negative if HDF5 refuses. Attributes over 64 KiB take the
// form of the format that HDF5 1.8 brought; without them every version can read the file.
hid_t create_hdf5(Hdf5Channel& channel, bool large_attributes);

}  // namespace ricochet
