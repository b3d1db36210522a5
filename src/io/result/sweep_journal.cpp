#include "io/result/sweep_journal.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

#include "io/result/sweep_bytes.hpp"
#include "ricochet/core/error.hpp"

namespace ricochet {

namespace {

// The head of the file: magic, version of the format, digest, number of trajectories.
constexpr std::string_view magic = "ricochet-sweep\r\n";
constexpr std::uint64_t format_version = 4;
constexpr std::size_t file_head_size = magic.size() + 3 * 8;
// The head of a record: length, trajectory, steps, numbers in points, failed, checksum of all before and what follows.
constexpr std::size_t head_size = 4 * 8 + 2 * 4, checked_size = head_size - 4;
constexpr std::size_t block_size = std::size_t{1} << 20;

static_assert(magic.size() == 16);

// True while both are the same file: another program may have removed the name before the lock was there.
bool is_still_there(int file, const std::filesystem::path& path) {
  struct stat opened = {}, named = {};
  return ::fstat(file, &opened) == 0 && ::stat(path.c_str(), &named) == 0 && opened.st_ino == named.st_ino &&
         opened.st_dev == named.st_dev;
}

}  // namespace

std::string SweepJournal::bytes_of(const Head& head) {
  std::string bytes;
  for (const std::uint64_t number : {head.length, head.index, head.steps, head.point_values})
    append_number<8>(bytes, number);
  append_number<4>(bytes, head.failed);
  append_number<4>(bytes, head.checksum);
  return bytes;
}

SweepJournal::Head SweepJournal::head_of(std::string_view bytes) {
  return {number_at<8>(bytes, 0),
          number_at<8>(bytes, 8),
          number_at<8>(bytes, 16),
          number_at<8>(bytes, 24),
          static_cast<std::uint32_t>(number_at<4>(bytes, 32)),
          static_cast<std::uint32_t>(number_at<4>(bytes, 36))};
}

SweepJournal::SweepJournal(const std::filesystem::path& result, std::uint64_t digest, std::uint64_t count, bool restart,
                           JournalWords words)
    : words_(words), path_(journal_of(resolve_target(result))), digest_(digest), offsets_(count, 0) {
  resolve_target(path_);
  open();

  std::string head(file_head_size, '\0');
  const ssize_t got = ::pread(file_.number(), head.data(), head.size(), 0);
  if (got < 0) fail(errno);
  // A head that was cut short: nothing was finished yet.
  const std::string_view there(head.data(), static_cast<std::size_t>(got));
  if (there.substr(0, magic.size()) != magic.substr(0, there.size()))
    throw FileError(fmt::format("{} is not the journal of a {}; another name for the result would help", path_.string(),
                                words_.work));
  if (restart || there.size() < file_head_size) {
    begin();
    return;
  }
  if (number_at<8>(head, 16) != format_version || number_at<8>(head, 24) != digest || number_at<8>(head, 32) != count)
    throw FileError(
        fmt::format("{} holds the finished {} of another {}: the scenario, a setting or the version of ricochet has "
                    "changed since. --restart drops them; another name for the result keeps them",
                    path_.string(), words_.parts, words_.work));
  read_records();
}

SweepJournal::~SweepJournal() {
  if (file_.number() >= 0 && done_ == 0) ::unlink(path_.c_str());
}

void SweepJournal::open() {
  do {
    file_ = Descriptor(::open(path_.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666));
    if (file_.number() < 0) throw write_error(path_, reason(errno));
    int error = 0;
    do error = ::flock(file_.number(), LOCK_EX | LOCK_NB) == 0 ? 0 : errno;
    while (error == EINTR);
    if (error == EWOULDBLOCK) {
      file_.close();
      throw FileError(
          fmt::format("{} is in use: another ricochet {} writes the same result. Wait until it has "
                      "ended, or give the result another name",
                      path_.string(), words_.work));
    }
    // Not every file system has locks.
  } while (!is_still_there(file_.number(), path_));
}

void SweepJournal::begin() {
  std::string head(magic);
  for (const std::uint64_t number : {format_version, digest_, static_cast<std::uint64_t>(offsets_.size())})
    append_number<8>(head, number);
  if (::ftruncate(file_.number(), 0) != 0) fail(errno);
  if (const int error = write_all(file_.number(), head.data(), head.size(), 0)) {
    ::unlink(path_.c_str());
    fail(error);
  }
  end_ = file_head_size;
}

void SweepJournal::read_bytes(std::uint64_t offset, std::size_t size, char* bytes) const {
  const ssize_t got = read_all(file_.number(), bytes, size, offset);
  if (got < 0 || static_cast<std::size_t>(got) < size)
    throw FileError(fmt::format("cannot read {}: {}", path_.string(), got < 0 ? reason(errno) : "it is cut short"));
}

// The records up to the first bad one.
void SweepJournal::read_records() {
  struct stat status = {};
  if (::fstat(file_.number(), &status) != 0) fail(errno);
  const auto size = static_cast<std::uint64_t>(status.st_size);
  end_ = file_head_size;
  while (size - end_ >= head_size) {
    std::string bytes(head_size, '\0');
    read_bytes(end_, head_size, bytes.data());
    const Head head = head_of(bytes);
    if (head.length > size - end_ - head_size || head.index >= offsets_.size() || !is_good(head, end_)) break;
    enter(head, end_);
    end_ += head_size + head.length;
  }
  if (end_ < size && ::ftruncate(file_.number(), static_cast<off_t>(end_)) != 0) fail(errno);
}

bool SweepJournal::is_good(const Head& head, std::uint64_t offset) const {
  std::uint32_t sum = crc32(0, bytes_of(head).substr(0, checked_size));
  std::string block;
  for (std::uint64_t at = 0; at < head.length; at += block.size()) {
    block.resize(std::min<std::uint64_t>(block_size, head.length - at));
    read_bytes(offset + head_size + at, block.size(), block.data());
    sum = crc32(sum, block);
  }
  return sum == head.checksum;
}

void SweepJournal::enter(const Head& head, std::uint64_t offset) {
  if (offsets_[head.index] != 0) return;
  offsets_[head.index] = offset;
  ++done_;
  failed_ += head.failed;
  steps_ += head.steps;
  point_values_ += head.point_values;
}

SweepTrajectory SweepJournal::read(std::uint64_t trajectory) const {
  const std::uint64_t offset = offsets_[trajectory];
  std::string bytes(head_size, '\0');
  read_bytes(offset, head_size, bytes.data());
  bytes.resize(head_of(bytes).length);
  read_bytes(offset + head_size, bytes.size(), bytes.data());
  return trajectory_of_bytes(bytes);
}

void SweepJournal::append(const SweepTrajectory& trajectory) {
  const std::string contents = to_bytes(trajectory);
  Head head{contents.size(), trajectory.index, trajectory.steps, trajectory.points.size(), !trajectory.failure.empty()};
  head.checksum = crc32(crc32(0, bytes_of(head).substr(0, checked_size)), contents);
  const std::string record = bytes_of(head) + contents;

  bool save = false;
  {
    const std::lock_guard lock(mutex_);
    if (error_ != 0) fail(error_);
    if (has(trajectory.index)) return;
    if (const int error = write_all(file_.number(), record.data(), record.size(), end_)) fail(error);
    enter(head, end_);
    end_ += record.size();
    save = heartbeat_.look();
  }
  // Others go on meanwhile.
  if (save && ::fdatasync(file_.number()) != 0 && errno != EINVAL && errno != ENOTSUP) {
    const int error = errno;
    const std::lock_guard lock(mutex_);
    fail(error);
  }
}

std::string SweepJournal::kept() const {
  return fmt::format("; the {} finished {} are kept there, and the same command goes on from them", done(),
                     words_.parts);
}

void SweepJournal::fail(int error) {
  // Take back a part of a record, so that what stays ends cleanly.
  if (error_ == 0 && end_ > 0) [[maybe_unused]]
    const int taken_back = ::ftruncate(file_.number(), static_cast<off_t>(end_));
  error_ = error;
  throw WriteError(fmt::format("cannot write {}: {}{}", path_.string(), reason(error), done_ > 0 ? kept() : ""));
}

void SweepJournal::remove() {
  ::unlink(path_.c_str());
  file_.close();
}

}  // namespace ricochet
