// ricochet sweep, from a scenario to its result file, and what to tell of it. See docs/sweep.md.
//
// Finished trajectories are kept in FILE.h5.journal as they come. After a kill, a full disk or an interrupt the same
// call goes on from there and ends with the same bytes; the result FILE.h5 appears when it is complete.
#pragma once

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "ricochet/core/lanes.hpp"
#include "ricochet/core/status.hpp"
#include "ricochet/io/result/sweep_sink.hpp"
#include "ricochet/io/scenario/scenario_file.hpp"

namespace ricochet {

// Where work comes from and results go, as bytes to be sent to other processes.
class SweepHost {
 public:
  virtual ~SweepHost() = default;
  virtual std::string next() = 0;  // empty: nothing is left
  virtual void finished(std::string_view trajectory) = 0;
  // A process has ended early; `why` is a sentence, or empty if it was asked to.
  virtual void left(int rank, const std::string& why) = 0;
};

// What a process has read before all begin.
struct RankWord {
  bool ready = true;
  std::string text;  // the sweep's fingerprint, or why the process is not ready
};

// Processes that share a sweep, such as the ranks of MPI: each builds the same sweep; rank 0 hands out the work, keeps
// the journal and writes the result.
class SweepRanks {
 public:
  virtual ~SweepRanks() = default;
  virtual int rank() const = 0;
  virtual int size() const = 0;
  // Each says what it has and hears what all have, in their order. Called once by each, at the beginning.
  virtual std::vector<RankWord> exchange(const RankWord& own) = 0;
  // Rank 0: answers the others until all have left. Called from one thread.
  virtual void serve(SweepHost& host) = 0;
  // The others: next() and finished() may be called from several threads at once; leave() once, at the end.
  virtual std::string next() = 0;
  virtual void finished(const std::string& trajectory) = 0;
  virtual void leave(const std::string& why) = 0;
};

struct SweepRequest {
  std::unique_ptr<SweepSink> sink = {};          // of the result, such as sweep_file_sink
  int threads = 0;                               // of this process; 0: one a core
  int lanes = lane_count;                        // or 1
  bool restart = false;                          // drop what an earlier sweep has left
  const std::atomic<bool>* interrupt = nullptr;  // set it to end cleanly
  // Called when all files are read and all is built; what it throws ends the sweep before anything is written.
  std::function<void()> begin = {};
  // Trajectories done, all of them, and steps so far; from any thread, one at a time.
  std::function<void(std::uint64_t, std::uint64_t, std::uint64_t)> progress = {};
  SweepRanks* ranks = nullptr;
};

struct SweepFailure {
  std::uint64_t trajectory = 0;
  std::vector<double> values = {};  // on the axes
  std::string message = {};
};

struct SweepOutcome {
  std::string title, scheme, record;
  std::vector<std::string> axes = {};
  Status status = Status::completed;   // failed: every trajectory did
  std::uint64_t trajectories = 0;      // in all
  std::uint64_t done = 0, failed = 0;  // done: also those that failed
  std::uint64_t resumed = 0;           // taken over from an earlier sweep
  std::uint64_t steps = 0, points = 0;
  double seconds = 0.0;
  int threads = 1, ranks = 1, lanes = 1;
  std::uint64_t added = 0;                                                 // where neighbours differ, by sweep.refine
  std::uint64_t not_settled = 0;                                           // whose transient was too short
  std::optional<std::uint64_t> settled = std::nullopt;                     // whose transient ended sooner, if asked for
  std::optional<std::vector<AttractorSummary>> attractors = std::nullopt;  // along a parameter: their branches
  std::vector<SweepFailure> failures = {};                                 // the first ones
  std::filesystem::path output, csv;                                       // empty if not written
  std::filesystem::path journal;  // not empty if interrupted: what is done is there
};

// Throws ScenarioError for what cannot be run, InputError or FileError for a result that cannot be written, both before
// anything is computed; WriteError later. On other ranks than 0 only the status means something.
SweepOutcome sweep_scenario(const ScenarioFile& file, const SweepRequest& request);

}  // namespace ricochet
