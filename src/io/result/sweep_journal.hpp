// The finished trajectories of a sweep on disk, as they come: what a kill, a full disk or a power cut cannot take.
//
// FILE.h5.journal lies beside the result FILE.h5 until that is complete. A head says which sweep it belongs to; then
// come records, each with a checksum, each written in one go. A record that a kill cut short ends the journal: it and
// what follows is dropped. One program at a time: the journal is locked while it is open.
#pragma once

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "io/format/atomic_file.hpp"
#include "io/format/heartbeat.hpp"
#include "ricochet/study/sweep.hpp"

namespace ricochet {

// What messages call it, and what it holds.
struct JournalWords {
  const char *work = "sweep", *parts = "trajectories";
};

class SweepJournal {
 public:
  // Opens the journal of the result or begins one. `digest` stands for all that decides the results of the sweep's
  // `count` trajectories; `restart` drops what an earlier sweep has left. Throws FileError if it belongs to another
  // sweep, is in use, or cannot be written.
  SweepJournal(const std::filesystem::path& result, std::uint64_t digest, std::uint64_t count, bool restart = false,
               JournalWords words = {});
  // Without any trajectory there is nothing to go on from: the file is removed.
  ~SweepJournal();
  SweepJournal(const SweepJournal&) = delete;
  SweepJournal& operator=(const SweepJournal&) = delete;

  const std::filesystem::path& path() const { return path_; }

  // What it holds.
  std::uint64_t done() const { return done_; }
  std::uint64_t failed() const { return failed_; }
  std::uint64_t steps() const { return steps_; }
  std::uint64_t point_values() const { return point_values_; }  // numbers in all points

  bool has(std::uint64_t trajectory) const { return offsets_[trajectory] != 0; }
  // Throws FileError if the file can no longer be read.
  SweepTrajectory read(std::uint64_t trajectory) const;

  // May be called from several threads. A trajectory that it holds already is left as it is. Throws WriteError, and
  // from then on each time.
  void append(const SweepTrajectory& trajectory);

  // The result is complete.
  void remove();

 private:
  struct Head {  // of a record
    std::uint64_t length = 0, index = 0, steps = 0, point_values = 0;
    std::uint32_t failed = 0, checksum = 0;
  };
  static std::string bytes_of(const Head& head);
  static Head head_of(std::string_view bytes);

  void open();
  void begin();
  void read_records();
  bool is_good(const Head& head, std::uint64_t offset) const;
  void enter(const Head& head, std::uint64_t offset);
  void read_bytes(std::uint64_t offset, std::size_t size, char* bytes) const;
  std::string kept() const;
  [[noreturn]] void fail(int error);

  const JournalWords words_;
  std::filesystem::path path_;
  std::uint64_t digest_;
  Descriptor file_;
  std::uint64_t end_ = 0;
  std::vector<std::uint64_t> offsets_;  // of the records, by trajectory; 0: none yet
  std::atomic<std::uint64_t> done_{0}, failed_{0}, steps_{0}, point_values_{0};
  std::mutex mutex_;
  Heartbeat heartbeat_;
  int error_ = 0;
};

}  // namespace ricochet
