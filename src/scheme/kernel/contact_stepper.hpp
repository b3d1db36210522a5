// A stepper that shows the contacts of its last step.
#pragma once

#include <vector>

#include "scheme/kernel/contact_memory.hpp"
#include "scheme/kernel/grid_stepper.hpp"
#include "scheme/kernel/step_mode.hpp"

namespace ricochet {

class ContactStepper : public GridStepper {
 public:
  // From another state of the motion, where these contacts touch, an empty list if that is not known; who does after
  // the last step.
  virtual void resume(const std::vector<ContactMemory>& contacts) = 0;
  virtual void remember(std::vector<ContactMemory>& contacts) const = 0;
  virtual void modes(StepModes& modes) = 0;  // of the last step
  virtual const double* gap() const = 0;     // where the step began
  virtual void gaps(double t, const double* q, double* g) const = 0;
};

}  // namespace ricochet
