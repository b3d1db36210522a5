// A stepper that shows the contacts of its last step.
#pragma once

#include <vector>

#include "scheme/kernel/grid_stepper.hpp"
#include "scheme/kernel/step_mode.hpp"

namespace ricochet {

class ContactStepper : public GridStepper {
 public:
  // From another state of the motion, where these contacts touch; who does after the last step.
  virtual void resume(const std::vector<char>& active) = 0;
  virtual void active(std::vector<char>& active) const = 0;
  // Of contacts, then of frictions; ended: slips that friction stopped or reversed, as they were before.
  virtual void modes(std::vector<StepMode>& modes, std::vector<double>& ended) = 0;
  virtual const double* gap() const = 0;  // where the step began
  virtual void gaps(double t, const double* q, double* g) const = 0;
};

}  // namespace ricochet
