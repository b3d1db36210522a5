// The entries of a zip archive, stored or deflated, in the plain and in the zip64 form.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "io/format/input_bytes.hpp"

namespace ricochet::io {

class ZipReader {
 public:
  // Reads the directory. Refuses what is not an archive, or a broken one.
  explicit ZipReader(const InputBytes& file);

  std::vector<std::string> names() const;
  bool has(std::string_view name) const { return find(name) != nullptr; }
  // The unpacked bytes, checked against their announced size and checksum. Refuses what is not there.
  std::string bytes(std::string_view name) const;
  const InputBytes& file() const { return file_; }

 private:
  struct Entry {
    std::string name;
    std::uint16_t flags = 0, method = 0;
    std::uint32_t crc = 0;
    std::uint64_t packed_size = 0, size = 0, offset = 0;
  };
  void find_directory(std::uint64_t& begin, std::uint64_t& size, std::uint64_t& count) const;
  void read_directory(std::string_view directory, std::uint64_t count);
  const Entry* find(std::string_view name) const;
  std::uint64_t data_begin(const Entry& entry) const;

  const InputBytes& file_;
  std::vector<Entry> entries_;
};

}  // namespace ricochet::io
