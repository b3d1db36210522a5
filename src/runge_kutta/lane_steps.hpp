// Steps of several motions side by side, one a lane, with the bits of AdaptiveRungeKutta: whose step it is puts it here
// (advance_in_lane), all are made together, and each goes on with its own.
#pragma once

#include "runge_kutta/adaptive.hpp"

namespace ricochet {

class LaneSteps {
 public:
  // The settings are those of all.
  LaneSteps(const Tableau& tableau, int n, const StepSettings& settings)
      : engine_(tableau, n), errors_(n, settings.controlled, settings.rtol, settings.atol) {}

  void put(int lane, const ExplicitRungeKutta& engine, const StepErrors<double>& errors) {
    engine_.set_lane(lane, engine);
    for (int i = 0; i < errors_.controlled(); ++i) errors_.atol()[i].set(lane, errors.atol()[i]);
  }
  template <class Rhs>
  void make(Rhs& rhs) {
    made_ = engine_.step_lanes(rhs);
    if (made_) errors_.find(engine_, engine_.begin_state(), engine_.end_state());
  }
  // False: they could not be made together, and everyone has to make his own.
  bool are_made() const { return made_; }
  OdeStatus take(int lane, ExplicitRungeKutta& engine, double* y1, StepErrors<double>& errors) const {
    errors.error = errors_.error[lane], errors.low = errors_.low[lane];
    // of steps that are not accepted
    for (int i = 0; i < errors_.controlled() && !(errors.error <= 1.0); ++i) errors.e()[i] = errors_.e()[i][lane];
    return engine.take_lane(lane, engine_, y1);
  }

 private:
  ExplicitSteps<Lanes> engine_;
  StepErrors<Lanes> errors_;
  bool made_ = false;
};

}  // namespace ricochet
