// An uncompressed zip archive, written entry by entry. Sizes beyond 4 GiB take the zip64 form.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "io/format/atomic_file.hpp"

namespace ricochet {

class ZipWriter {
 public:
  static constexpr std::uint64_t largest_plain_size = 0xFFFFFFFEu;

  // `plain_limit`: the largest size and offset in the old form.
  explicit ZipWriter(AtomicFile& file, std::uint64_t plain_limit = largest_plain_size)
      : file_(file), limit_(plain_limit) {}

  // An entry: begin, add any number of times, end. `size` is the sum of what is added.
  void begin(const std::string& name, std::uint64_t size);
  void add(std::string_view bytes);
  void end();
  // The directory at the end of the archive.
  void finish();

 private:
  struct Entry {
    std::string name;
    std::uint64_t size = 0, offset = 0;
    std::uint32_t crc = 0;
  };
  std::string directory_record(const Entry& entry) const;

  AtomicFile& file_;
  std::uint64_t limit_;
  std::vector<Entry> entries_;
};

}  // namespace ricochet
