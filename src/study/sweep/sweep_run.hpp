// Trajectories of a sweep: one by itself, or several in lanes.
#pragma once

#include <optional>
#include <utility>
#include <vector>

#include "ricochet/study/sweep.hpp"

namespace ricochet {

class LaneFlights;

// A trajectory that was interrupted by the user has no slot.
using SweptSlot = std::optional<SweepTrajectory>;

// One trajectory under any scheme.
SweptSlot sweep_one(const SweepCase& a_case, const SweepSettings& settings, std::uint64_t index);

// The same of a model without joints in parts: up to the end, or to where the scheme waits for a step that is made in a
// lane. Throws InputError if it cannot begin.
class TrajectoryRun {
 public:
  virtual ~TrajectoryRun() = default;
  // As those of MotionRun.
  virtual bool flies_in_lanes() const = 0;
  virtual void join(LaneFlights& flights, int lane) = 0;
  virtual bool waits_after_going_on() = 0;
  virtual SweptSlot end() = 0;
};
std::unique_ptr<TrajectoryRun> begin_one(SweepCase a_case, const SweepSettings& settings, std::uint64_t index);

// The case with its start: that of the scenario, or that of the trajectory it continues (q, v, z), moved out of
// obstacles that it is in.
SweepCase started_case(const SweepCases& cases, std::uint64_t index, const std::vector<double>& start);

// A chain on its way.
class ChainWalk {
 public:
  explicit ChainWalk(SweepChain chain) : chain_(std::move(chain)) {}
  bool is_over() const { return next_ == chain_.trajectories.size(); }
  std::uint64_t trajectory() const { return chain_.trajectories[next_]; }
  const std::vector<double>& start() const { return chain_.start; }
  // The next one starts where this one ended, unless it failed.
  void hand_over(SweepTrajectory&& finished, SweepWork& work) {
    const bool leads = next_++ < chain_.lead;
    chain_.start = finished.failure.empty() && !is_over() ? finished.final : std::vector<double>();
    if (!leads) work.finished(std::move(finished));
  }

 private:
  SweepChain chain_;
  std::size_t next_ = 0;
};

// Whether there is a trajectory to run: the next one of the chain, or the first one of another chain.
inline bool find_next(std::optional<ChainWalk>& walk, SweepWork& work, const SweepSettings& settings) {
  if (is_set(settings.interrupt)) return false;
  if (walk && !walk->is_over()) return true;
  walk.reset();
  if (std::optional<SweepChain> chain = work.next()) walk.emplace(std::move(*chain));
  return walk.has_value();
}

// Takes chains until there are no more: in lanes where scheme, model and settings allow it, otherwise one by one.
void sweep_chains(const SweepCases& cases, const SweepSettings& settings, SweepWork& work);

// Those of schemes with their own steps, whose flights are in lanes. False if they cannot be: nothing has happened.
bool sweep_flights(const SweepCases& cases, const SweepSettings& settings, SweepWork& work);

// A slot for what cannot be run.
SweepTrajectory failed_slot(std::uint64_t index, std::string failure);

}  // namespace ricochet
