// Who computes what in a sweep, and where it goes.
#pragma once

#include <atomic>
#include <cstdint>
#include <exception>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "io/result/sweep_journal.hpp"
#include "ricochet/study/sweep.hpp"
#include "ricochet/task/sweep.hpp"

namespace ricochet {

// The chains of a sweep, handed out one after the other; what is finished goes to the journal, and what that holds
// already is left out.
class JournalledWork final : public SweepWork {
 public:
  struct Chains {
    std::uint64_t count = 0;
    std::function<std::vector<std::uint64_t>(std::uint64_t)> at = {};
    std::function<std::vector<std::uint64_t>(std::uint64_t)> lead = {};
    std::function<std::optional<std::uint64_t>(std::uint64_t)> predecessor = {};  // where a trajectory starts
    std::uint64_t first = 0;
  };
  using Progress = std::function<void(std::uint64_t, std::uint64_t, std::uint64_t)>;

  JournalledWork(Chains chains, std::uint64_t trajectories, SweepJournal& journal,
                 const std::atomic<bool>* interrupt = nullptr, Progress progress = {});

  std::optional<SweepChain> next() override;
  void finished(SweepTrajectory&& trajectory) override;

  // From now on there is no more work; the first reason is thrown by check().
  void stop(std::exception_ptr reason);
  void check() const;

 private:
  Chains chains_;
  std::uint64_t trajectories_;
  SweepJournal& journal_;
  const std::atomic<bool>* interrupt_;
  Progress progress_;
  std::atomic<std::uint64_t> counter_;
  std::atomic<bool> stopped_{false};
  mutable std::mutex mutex_;
  std::exception_ptr reason_;
};

// The same for other processes.
class HostedWork final : public SweepHost {
 public:
  explicit HostedWork(JournalledWork& work) : work_(work) {}
  std::string next() override;
  void finished(std::string_view trajectory) override;
  void left(int rank, const std::string& why) override;

 private:
  JournalledWork& work_;
};

// The work of a process that is served.
class RemoteWork final : public SweepWork {
 public:
  RemoteWork(SweepRanks& ranks, const std::atomic<bool>* interrupt) : ranks_(ranks), interrupt_(interrupt) {}
  std::optional<SweepChain> next() override;
  void finished(SweepTrajectory&& trajectory) override;

 private:
  SweepRanks& ranks_;
  const std::atomic<bool>* interrupt_;
};

}  // namespace ricochet
