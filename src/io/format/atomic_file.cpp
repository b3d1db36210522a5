#include "io/format/atomic_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <system_error>

namespace ricochet {

namespace {

// The largest file name that Linux file systems take is 255 bytes; the temporary name adds to it.
constexpr std::size_t longest_stem = 200;
// A single call reads or writes at most 2 GiB.
constexpr std::size_t largest_piece = std::size_t{1} << 30;

std::filesystem::path folder_of(const std::filesystem::path& target) {
  return target.has_parent_path() ? target.parent_path() : std::filesystem::path(".");
}

// A rename is safe on the disk once its folder is. Not every file system can; then there is nothing more to do.
void save_folder(const std::filesystem::path& folder) {
  const Descriptor file(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (file.number() >= 0) ::fsync(file.number());
}

}  // namespace

int Descriptor::close() {
  if (number_ < 0) return 0;
  return ::close(std::exchange(number_, -1)) == 0 ? 0 : errno;
}

ssize_t read_all(int file, void* bytes, std::size_t size, std::uint64_t offset) {
  std::size_t done = 0;
  while (done < size) {
    const std::size_t wanted = std::min(size - done, largest_piece);
    const ssize_t got = ::pread(file, static_cast<char*>(bytes) + done, wanted, static_cast<off_t>(offset + done));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return -1;
    if (got == 0) break;
    done += static_cast<std::size_t>(got);
  }
  return static_cast<ssize_t>(done);
}

int write_all(int file, const void* bytes, std::size_t size, std::uint64_t offset) {
  const char* data = static_cast<const char*>(bytes);
  while (size > 0) {
    const ssize_t written = ::pwrite(file, data, std::min(size, largest_piece), static_cast<off_t>(offset));
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return errno;
    if (written == 0) return EIO;
    data += written;
    size -= static_cast<std::size_t>(written);
    offset += static_cast<std::uint64_t>(written);
  }
  return 0;
}

int save_to_disk(int file) {
  while (::fsync(file) != 0) {
    // Some file systems have nothing to save.
    if (errno == EINVAL || errno == ENOTSUP) return 0;
    if (errno != EINTR) return errno;
  }
  return 0;
}

std::string reason(int error) { return std::generic_category().message(error); }

FileError write_error(const std::filesystem::path& target, std::string_view why, const std::filesystem::path& remains) {
  std::string text = fmt::format("cannot write {}: {}", target.string(), why);
  if (!remains.empty()) text += fmt::format("; what was recorded so far is in {}", remains.string());
  return FileError(text);
}

std::filesystem::path followed(const std::filesystem::path& path) {
  namespace fs = std::filesystem;
  constexpr int most_links = 40;
  std::error_code error;
  fs::path target = path;
  for (int links = 0; fs::is_symlink(fs::symlink_status(target, error)); ++links) {
    const fs::path next = fs::read_symlink(target, error);
    if (error) throw write_error(path, error.message());
    if (links == most_links) throw write_error(path, "its links lead in a circle");
    target = target.parent_path() / next;
  }
  return target;
}

std::filesystem::path journal_of(const std::filesystem::path& result) {
  std::filesystem::path path = followed(result);
  path += ".journal";
  return path;
}

std::filesystem::path resolve_target(const std::filesystem::path& path) {
  namespace fs = std::filesystem;
  std::error_code error;
  const fs::path target = followed(path);

  const fs::file_status folder = fs::status(folder_of(target), error);
  if (folder.type() == fs::file_type::not_found)
    throw write_error(path, fmt::format("the folder {} does not exist", folder_of(target).string()));
  if (folder.type() == fs::file_type::none) throw write_error(path, error.message());
  if (!fs::is_directory(folder)) throw write_error(path, fmt::format("{} is not a folder", folder_of(target).string()));

  const fs::file_status there = fs::status(target, error);
  if (there.type() == fs::file_type::none) throw write_error(path, error.message());
  if (fs::is_directory(there)) throw write_error(path, "a folder has that name");
  if (fs::exists(there) && !fs::is_regular_file(there)) throw write_error(path, "that name is not a plain file");
  return target;
}

bool is_same_file(const std::filesystem::path& a, const std::filesystem::path& b) {
  namespace fs = std::filesystem;
  std::error_code error;
  if (a.empty() || b.empty()) return false;
  if (fs::equivalent(a, b, error) && !error) return true;
  if (fs::exists(a, error) && fs::exists(b, error)) return false;
  const auto real = [&](const fs::path& path) {
    return fs::weakly_canonical(fs::absolute(followed(path), error), error);
  };
  const fs::path there = real(a);  // none of a name that is too long
  return !there.empty() && there == real(b);
}

std::filesystem::path create_beside(const std::filesystem::path& target, std::string_view ending,
                                    const std::function<int(const char*)>& create) {
  const std::string stem = target.filename().string().substr(0, longest_stem);
  for (int attempt = 1;; ++attempt) {
    const std::string count = attempt == 1 ? "" : fmt::format("-{}", attempt);
    const auto name = target.parent_path() / fmt::format(".{}.{}{}.{}", stem, ::getpid(), count, ending);
    const int error = create(name.c_str());
    if (error == 0) return name;
    if (error != EEXIST)
      throw write_error(target,
                        fmt::format("the folder {} takes no new file ({})", folder_of(target).string(), reason(error)));
  }
}

AtomicFile::AtomicFile(const std::filesystem::path& target, std::string_view ending) : target_(resolve_target(target)) {
  partial_ = create_beside(target_, ending, [this](const char* name) {
    const int number = ::open(name, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (number < 0) return errno;
    file_ = Descriptor(number);
    return 0;
  });
}

AtomicFile::~AtomicFile() {
  if (!keep_ && !committed_) ::unlink(partial_.c_str());
}

void AtomicFile::fail(int error) const { throw write_error(target_, reason(error), keep_ ? partial_ : ""); }

void AtomicFile::append(std::string_view bytes) {
  const int error = write_all(file_.number(), bytes.data(), bytes.size(), size_);
  if (error != 0) {
    // Take back a part of the bytes, so that what stays ends cleanly.
    [[maybe_unused]] const int taken_back = ::ftruncate(file_.number(), static_cast<off_t>(size_));
    fail(error);
  }
  size_ += bytes.size();
}

void AtomicFile::overwrite(std::uint64_t offset, std::string_view bytes) {
  if (const int error = write_all(file_.number(), bytes.data(), bytes.size(), offset)) fail(error);
}

void AtomicFile::commit() {
  if (const int error = save_to_disk(file_.number())) fail(error);
  if (const int error = file_.close()) fail(error);
  if (::rename(partial_.c_str(), target_.c_str()) != 0) fail(errno);
  committed_ = true;
  save_folder(folder_of(target_));
}

}  // namespace ricochet
