// Places on the way where the model becomes infinite: a step that passes a pole has seen forces of both sides, and
// nothing of the infinite impulse between.
#pragma once

#include <vector>

#include "ricochet/model/poles.hpp"
#include "run/resolution.hpp"
#include "run/watched_run.hpp"

namespace ricochet {

class PoleWatch {
 public:
  explicit PoleWatch(WatchedRun& run);

  // pushed: a contact since the last call; velocities that jump pass nothing.
  void see(const State& state, bool pushed, Observer* observer);
  bool has_told() const { return told_; }

 private:
  void tell(const Pole& pole, Observer* observer);

  WatchedRun& run_;
  const KnownPoles* const poles_;
  State passed_;  // where their functions were seen last, with the values now and then
  std::vector<double> functions_, last_functions_;
  bool told_ = false;
};

}  // namespace ricochet
