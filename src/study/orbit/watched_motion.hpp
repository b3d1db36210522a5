// A motion by the event-driven scheme, at even times and with its events, until it repeats.
#pragma once

#include <atomic>
#include <string>
#include <vector>

#include "ricochet/study/orbit.hpp"
#include "scheme/event/motion_phases.hpp"

namespace ricochet {

// Where an arc ends and the next one begins.
struct MotionEvent {
  double t = 0.0;
  std::vector<double> y = {}, v_minus = {};  // behind it; the velocities in front of it
  std::vector<char> touches = {};
  std::vector<int> struck = {};
  ArcEnd end = ArcEnd::period;  // of the arc in front of it; period: where the motion began
  int which = -1;
  OrbitHold held = {};  // behind it
};

class WatchedMotion {
 public:
  WatchedMotion(const Model& model, const OrbitSettings& settings, bool forced);

  // From `start` on, at steps of h, at most so many, until it repeats. Returns why it could not go on, in a sentence.
  std::string run(State start, double h, std::uint64_t steps);

  std::uint64_t lag() const { return lag_; }  // points (of a load), or events, after which all repeats; 0: it does not
  const std::vector<double>& times() const { return times_; }
  const std::vector<std::vector<double>>& points() const { return points_; }
  // Behind the first, which is the start.
  const std::vector<MotionEvent>& events() const { return events_; }
  // What is held at a point of time.
  const OrbitHold& held_at(double t) const;
  // How far components went in the last points.
  std::vector<double> spreads(std::size_t last) const;
  bool is_ignored(int i) const;  // a coordinate that comes back shifted
  // Whether two states do, up to what motions repeat to.
  bool agree(const std::vector<double>& a, const std::vector<double>& b) const;

 private:
  void take(const MotionPhase& phase);
  void record(const State& state);
  std::uint64_t sample_lag() const;
  std::uint64_t event_lag() const;
  std::uint64_t guessed_lag() const;
  bool repeats_after(std::size_t lag) const;

  const Model& model_;
  const OrbitSettings& settings_;
  const bool forced_;
  const int nq_ = model_.nq(), n_ = 2 * nq_ + model_.nz();
  std::vector<int> ignored_;
  std::vector<double> times_, sizes_ = std::vector<double>(static_cast<std::size_t>(n_), 0.0);
  std::vector<std::vector<double>> points_;
  std::vector<MotionEvent> events_;
  std::uint64_t lag_ = 0;
};

}  // namespace ricochet
