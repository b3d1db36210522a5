#include "task/sweep_work.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "io/result/sweep_bytes.hpp"
#include "ricochet/core/error.hpp"

namespace ricochet {

JournalledWork::JournalledWork(Chains chains, std::uint64_t trajectories, SweepJournal& journal,
                               const std::atomic<bool>* interrupt, Progress progress)
    : chains_(std::move(chains)),
      trajectories_(trajectories),
      journal_(journal),
      interrupt_(interrupt),
      progress_(std::move(progress)),
      counter_(chains_.first) {}

// The journal's entries of a chain change only after the chain was handed out: no lock is needed to look at them.
std::optional<SweepChain> JournalledWork::next() {
  while (!stopped_ && !is_set(interrupt_)) {
    const std::uint64_t number = counter_++;
    if (number >= chains_.count) return std::nullopt;
    const std::vector<std::uint64_t> all = chains_.at(number);
    const auto first = std::find_if(all.begin(), all.end(), [this](std::uint64_t i) { return !journal_.has(i); });
    if (first == all.end()) continue;

    SweepChain chain{{first, all.end()}};
    // In the middle of a continuation: from where the last one ended, unless that one failed.
    std::optional<std::uint64_t> before;
    if (first != all.begin())
      before = *(first - 1);
    else if (chains_.predecessor)
      before = chains_.predecessor(*first);
    if (first == all.begin() && chains_.lead) {
      const std::vector<std::uint64_t> lead = chains_.lead(number);
      chain.trajectories.insert(chain.trajectories.begin(), lead.begin(), lead.end());
      chain.lead = lead.size();
    }
    if (before)
      if (SweepTrajectory last = journal_.read(*before); last.failure.empty()) chain.start = std::move(last.final);
    return chain;
  }
  return std::nullopt;
}

void JournalledWork::finished(SweepTrajectory&& trajectory) {
  journal_.append(trajectory);
  if (!progress_) return;
  const std::lock_guard lock(mutex_);
  progress_(journal_.done(), trajectories_, journal_.steps());
}

void JournalledWork::stop(std::exception_ptr reason) {
  const std::lock_guard lock(mutex_);
  stopped_ = true;
  if (!reason_) reason_ = std::move(reason);
}

void JournalledWork::check() const {
  const std::lock_guard lock(mutex_);
  if (reason_) std::rethrow_exception(reason_);
}

std::string HostedWork::next() {
  try {
    const std::optional<SweepChain> chain = work_.next();
    return chain ? to_bytes(*chain) : std::string();
  } catch (...) {
    work_.stop(std::current_exception());
    return {};
  }
}

void HostedWork::finished(std::string_view trajectory) {
  try {
    work_.finished(trajectory_of_bytes(trajectory));
  } catch (...) {
    work_.stop(std::current_exception());
  }
}

void HostedWork::left(int rank, const std::string& why) {
  if (!why.empty()) work_.stop(std::make_exception_ptr(WriteError(fmt::format("rank {} has ended: {}", rank, why))));
}

std::optional<SweepChain> RemoteWork::next() {
  if (is_set(interrupt_)) return std::nullopt;
  const std::string bytes = ranks_.next();
  return bytes.empty() ? std::nullopt : std::optional(chain_of_bytes(bytes));
}

void RemoteWork::finished(SweepTrajectory&& trajectory) { ranks_.finished(to_bytes(trajectory)); }

}  // namespace ricochet
