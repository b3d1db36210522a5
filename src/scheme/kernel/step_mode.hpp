// What a contact does in a step, what a friction does, and what the next step knows of it.
#pragma once

#include <algorithm>
#include <vector>

namespace ricochet {

struct ContactMemory {
  bool active = false;
  double fall = 0.0;  // of one that has drifted off where it rested: the rate of its landing, at most
};

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

// What all of them did, contacts first, then frictions.
struct StepModes {
  StepModes(int contacts, int frictions)
      : mode(static_cast<std::size_t>(contacts + frictions), StepMode::open),
        margin(mode.size(), 0.0),
        ended(static_cast<std::size_t>(frictions), 0.0) {}
  void clear() {
    if (is_clear) return;
    std::fill(mode.begin(), mode.end(), StepMode::open);
    std::fill(margin.begin(), margin.end(), 0.0);
    std::fill(ended.begin(), ended.end(), 0.0);
    is_clear = true;
  }
  std::vector<StepMode> mode;
  std::vector<double> margin;  // of what is closed or sticks: the impulse that kept it from letting go, as a rate
  std::vector<double> ended;   // slips that friction alone has stopped or reversed, as they were before
  bool is_clear = true;        // nothing touched
};

}  // namespace ricochet
