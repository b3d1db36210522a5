// A stepper whose steps are its own: they pass over the ends of the intervals that it is asked for, and what the motion
// is there follows from the polynomial of a step. So the motion does not depend on where it is looked at.
#pragma once

#include "ricochet/scheme/stepper.hpp"

namespace ricochet {

// Smooth motion y = (q, v, z): a step, or its part before an event.
class MotionPiece {
 public:
  double begin = 0.0, end = 0.0;  // times
  const double *y_begin = nullptr, *y_end = nullptr;

  // y at a time in between. False if it cannot be evaluated.
  virtual bool state_at(double t, double* y) = 0;

 protected:
  ~MotionPiece() = default;
};

// An observer of a run may be one as well: the motion is then told piece by piece, in the order of time, and between
// the first and the last row there are no others. An impact lies between two pieces.
class MotionWatcher {
 public:
  virtual ~MotionWatcher() = default;
  // Asked once, before the motion begins.
  virtual bool wants_motion() = 0;
  virtual void pass(MotionPiece& piece) = 0;
};

class LaneFlights;

class FreeStepper : public Stepper {
 public:
  // Steps may be made in a lane of `flights`, beside those of other steppers. An advance then returns without a failure
  // where it waits for one, and is to be called again as before when it is made. After skip_account().
  virtual bool flies_in_lanes() const { return false; }
  virtual void join(LaneFlights& /*flights*/, int /*lane*/) {}
  bool waits() const { return waits_; }

  // The motion will go on until then, whatever ends are asked for before: no step passes that. Without it steps end
  // where an advance does.
  virtual void set_horizon(double until) = 0;
  virtual void set_watcher(MotionWatcher& watcher) = 0;

 protected:
  bool waits_ = false;  // for a step to be made in a lane
};

}  // namespace ricochet
