// A file that appears under its name only when it is complete.
//
// It is written beside the target as `.NAME.PID.partial` and renamed at the end. Two programs that write to the same
// target never share a temporary file; the last to finish wins.
#pragma once

#include <sys/types.h>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <utility>

#include "ricochet/core/error.hpp"

namespace ricochet {

// Owns an open file.
class Descriptor {
 public:
  explicit Descriptor(int number = -1) : number_(number) {}
  ~Descriptor() { close(); }
  Descriptor(Descriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
  Descriptor& operator=(Descriptor&& other) noexcept {
    std::swap(number_, other.number_);  // which closes what was open here
    return *this;
  }
  int number() const { return number_; }
  // 0 or the error number.
  int close();

 private:
  int number_;
};

// The bytes that are there, up to `size`; -1 with errno set if they cannot be read.
ssize_t read_all(int file, void* bytes, std::size_t size, std::uint64_t offset);
// Both return 0 or the error number.
int write_all(int file, const void* bytes, std::size_t size, std::uint64_t offset);
int save_to_disk(int file);

std::string reason(int error);

// Where links lead, one after the other: the last may lead to a file that is yet to be made. Throws FileError for
// links in a circle.
std::filesystem::path followed(const std::filesystem::path& path);

// Where the finished parts of a long work are kept until its result is whole.
std::filesystem::path journal_of(const std::filesystem::path& result);

// The path that a file under this name really has: links are followed. Throws FileError for a folder, a device or
// a name whose folder does not exist.
std::filesystem::path resolve_target(const std::filesystem::path& path);

// Whether both names lead to one file, or would once it is written: through links of any kind.
bool is_same_file(const std::filesystem::path& a, const std::filesystem::path& b);

// Tries `.NAME.PID.ENDING`, `.NAME.PID-2.ENDING`, … until `create` succeeds. `create` returns 0 or the error number;
// throws FileError for any but "exists already".
std::filesystem::path create_beside(const std::filesystem::path& target, std::string_view ending,
                                    const std::function<int(const char*)>& create);

class AtomicFile {
 public:
  explicit AtomicFile(const std::filesystem::path& target, std::string_view ending = "partial");
  ~AtomicFile();
  AtomicFile(const AtomicFile&) = delete;
  AtomicFile& operator=(const AtomicFile&) = delete;

  const std::filesystem::path& target() const { return target_; }
  const std::filesystem::path& partial() const { return partial_; }
  int descriptor() const { return file_.number(); }
  std::uint64_t size() const { return size_; }

  // Adds all bytes or none.
  void append(std::string_view bytes);
  // Overwrites bytes that are there already.
  void overwrite(std::uint64_t offset, std::string_view bytes);
  // From now on the temporary file is worth keeping, whatever happens.
  void keep() { keep_ = true; }
  bool kept() const { return keep_; }
  // Saves to the disk and renames.
  void commit();
  [[noreturn]] void fail(int error) const;

 private:
  std::filesystem::path target_, partial_;
  Descriptor file_;
  std::uint64_t size_ = 0;
  bool keep_ = false, committed_ = false;
};

// "cannot write TARGET: WHY; what was recorded so far is in REMAINS"
FileError write_error(const std::filesystem::path& target, std::string_view why,
                      const std::filesystem::path& remains = {});

}  // namespace ricochet
