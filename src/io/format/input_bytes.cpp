#include "io/format/input_bytes.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "ricochet/core/error.hpp"

namespace ricochet::io {

void InputBytes::refuse(const std::string& message) const {
  throw InputError(field_, fmt::format("{}: {}", name_, message));
}

void InputBytes::refuse(std::uint64_t line, const std::string& message) const {
  throw InputError(field_, fmt::format("{}:{}: {}", name_, line, message));
}

void MemoryBytes::read(std::uint64_t offset, char* to, std::size_t count) const {
  if (count > 0) std::memcpy(to, bytes_.substr(offset, count).data(), count);
}

FileBytes::FileBytes(const std::filesystem::path& path, std::string name, std::string field, std::uint64_t limit)
    : InputBytes(std::move(name), std::move(field)) {
  // Without waiting: a pipe has nobody at its other end.
  file_ = Descriptor(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY | O_NOFOLLOW));
  struct stat status {};
  if (file_.number() < 0 || ::fstat(file_.number(), &status) != 0) refuse("cannot be read: " + reason(errno));
  if (S_ISDIR(status.st_mode)) refuse("is a folder, not a file");
  if (!S_ISREG(status.st_mode)) refuse("is a device or a pipe, not a file");
  size_ = static_cast<std::uint64_t>(status.st_size);
  if (size_ > limit)
    refuse(fmt::format("has {:.1f} MiB; files of more than {:.1f} MiB are not read",
                       static_cast<double>(size_) / 1048576.0, static_cast<double>(limit) / 1048576.0));
}

void FileBytes::read(std::uint64_t offset, char* to, std::size_t count) const {
  const ssize_t got = read_all(file_.number(), to, count, offset);
  if (got < 0) refuse("cannot be read: " + reason(errno));
  if (static_cast<std::size_t>(got) < count) refuse("became shorter while it was read");
}

}  // namespace ricochet::io
