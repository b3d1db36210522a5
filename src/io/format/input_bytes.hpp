// A file to be read: its bytes, and how complaints about it are worded.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

#include "io/format/atomic_file.hpp"

namespace ricochet::io {

// The largest file that is read, and the most numbers that are taken into memory from one.
inline constexpr std::uint64_t input_size_max = std::uint64_t{4} << 30;
inline constexpr std::uint64_t input_values_max = std::uint64_t{1} << 30;
// The most columns of a table, which take room even where it has no rows.
inline constexpr std::uint64_t table_columns_max = 1'000'000;
// The most bytes of memory for what a file of this size holds: it may be packed, but not beyond all measure.
constexpr std::uint64_t input_memory_max(std::uint64_t file_size) {
  const std::uint64_t more = std::uint64_t{1} << 30, most = sizeof(double) * input_values_max;
  return file_size < most / 16 ? std::min(most, more + 16 * file_size) : most;
}

class InputBytes {
 public:
  // `name` as its user writes it; `field` is the key that names it.
  InputBytes(std::string name, std::string field) : name_(std::move(name)), field_(std::move(field)) {}
  virtual ~InputBytes() = default;
  InputBytes(const InputBytes&) = delete;
  InputBytes& operator=(const InputBytes&) = delete;

  virtual std::uint64_t size() const = 0;
  // All `count` bytes, which lie within the file.
  virtual void read(std::uint64_t offset, char* to, std::size_t count) const = 0;

  // Throw InputError: "K.mtx: …", "K.mtx:17: …".
  [[noreturn]] void refuse(const std::string& message) const;
  [[noreturn]] void refuse(std::uint64_t line, const std::string& message) const;

 private:
  std::string name_, field_;
};

// Bytes that outlive it.
class MemoryBytes final : public InputBytes {
 public:
  MemoryBytes(std::string_view bytes, std::string name, std::string field)
      : InputBytes(std::move(name), std::move(field)), bytes_(bytes) {}
  std::uint64_t size() const override { return bytes_.size(); }
  void read(std::uint64_t offset, char* to, std::size_t count) const override;

 private:
  std::string_view bytes_;
};

// A regular file; refuses folders, pipes and devices, and files above `limit` bytes.
class FileBytes final : public InputBytes {
 public:
  FileBytes(const std::filesystem::path& path, std::string name, std::string field,
            std::uint64_t limit = input_size_max);
  std::uint64_t size() const override { return size_; }
  void read(std::uint64_t offset, char* to, std::size_t count) const override;

 private:
  Descriptor file_;
  std::uint64_t size_ = 0;
};

}  // namespace ricochet::io
