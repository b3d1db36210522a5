// A run that waits now and then, for steps that are made beside those of other runs.
#pragma once

#include <memory>

#include "ricochet/run/simulate.hpp"

namespace ricochet {

class LaneFlights;

class MotionRun {
 public:
  virtual ~MotionRun() = default;
  // Whether its scheme makes steps in lanes, which it is then to be given before it goes on.
  virtual bool flies_in_lanes() const = 0;
  virtual void join(LaneFlights& flights, int lane) = 0;
  // Up to the end of the run, or to where its scheme waits for a step: true.
  virtual bool go_on() = 0;
  // What it gave.
  virtual Solution end() = 0;
};

// As simulate() begins a run of a model without joints, for somebody who reads no notes. All but start and settings
// must outlive the run.
std::unique_ptr<MotionRun> begin_run(const Model& model, const State& start, TimeSpan span, const Scheme& scheme,
                                     const RunSettings& settings, Observer* observer);

}  // namespace ricochet
