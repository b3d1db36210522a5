// What a contact does in a step, and what a friction does.
#pragma once

namespace ricochet {

enum class StepMode : char {
  open,      // touches nothing, or leaves
  closed,    // holds a rate that is 0 already
  struck,    // meets a rate
  stick,     // holds a slip that is 0 already
  forward,   // slides with a positive slip, or a negative one
  backward,  //
  turns,     // slides in space: its direction changes within the step
  stops,     // sticks in the end
  reverses   // slides back in the end
};

}  // namespace ricochet
