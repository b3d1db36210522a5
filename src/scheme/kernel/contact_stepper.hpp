// A stepper that shows the contacts of its last step.
#pragma once

#include "ricochet/scheme/stepper.hpp"

namespace ricochet {

template <class Value>
class StepContacts;

class ContactStepper : public Stepper {
 public:
  virtual const StepContacts<double>& contacts() const = 0;
};

}  // namespace ricochet
