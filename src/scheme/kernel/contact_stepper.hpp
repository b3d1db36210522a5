// A stepper that shows the contacts of its last step.
#pragma once

#include "scheme/kernel/grid_stepper.hpp"

namespace ricochet {

class ContactStepper : public GridStepper {
 public:
  virtual void resume() = 0;              // from another state of the motion: what touched is remembered
  virtual bool touched() const = 0;       // a contact was forecast to close, or dry friction acts
  virtual const double* gap() const = 0;  // where the step began
  virtual void gaps(double t, const double* q, double* g) const = 0;
};

}  // namespace ricochet
