// What forces do in a run that its steps, or numbers, do not resolve: noise, growth, and swings that nothing holds.
#pragma once

#include "run/watched_run.hpp"

namespace ricochet {

class ForceWatch {
 public:
  // resolved: forces are known to be smooth.
  ForceWatch(WatchedRun& run, bool resolved) : run_(run), told_noise_(resolved) {}

  void see_noise(const State& state, Observer* observer);
  void see_swing(const State& state);
  void see_growth(const State& state);
  // `kinetic`: the largest energy of motion.
  void note_swing(double kinetic);

 private:
  WatchedRun& run_;
  struct {
    double energy = 0.0, omega = 0.0, t = 0.0;
  } swing_;  // that fixed steps see nothing of, with most energy
  bool told_noise_, told_growth_ = false;
};

}  // namespace ricochet
