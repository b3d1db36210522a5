// What a step knows of a contact from the step before.
#pragma once

namespace ricochet {

struct ContactMemory {
  bool active = false;
  double fall = 0.0;  // of one that has drifted off where it rested: the rate of its landing, at most
};

}  // namespace ricochet
