// The motion inside an interval that a scheme with its own steps has gone through: run again, up to a time.
#pragma once

#include <memory>

#include "ricochet/scheme/scheme.hpp"

namespace ricochet {

class Replay {
 public:
  Replay(const Model& model, const Scheme& scheme, const ComplementaritySettings& solver)
      : stepper_(make_stepper(model, scheme, solver)) {
    stepper_->skip_account();
  }

  // The state at t, from that at the begin of the interval. False if the scheme failed.
  bool state_at(const State& begin, double t, State& state) {
    state = begin;
    if (!(t > begin.t)) return true;
    stepper_->begin(state);
    report_.contacts.clear();
    return stepper_->advance(state, t - begin.t, t, report_) == FailureKind::none;
  }

 private:
  std::unique_ptr<Stepper> stepper_;
  StepReport report_;
};

}  // namespace ricochet
