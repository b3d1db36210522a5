// What an event-driven motion holds from each of its events on, for those who read its arcs off.
#pragma once

#include <memory>
#include <vector>

#include "contact/friction_modes.hpp"
#include "ricochet/scheme/event_driven.hpp"
#include "ricochet/scheme/stepper.hpp"

namespace ricochet {

struct MotionPhase {
  double t = 0.0;
  std::vector<double> y = {}, v_minus = {};                  // (q, v, z) behind the event; velocities in front of it
  std::vector<char> touches = {}, struck = {}, closed = {};  // by contact: at the event; by an impact; from now on
  std::vector<FrictionModes::Entry> frictions = {};          // from now on
};

// The stepper of the scheme, which puts every event that it settles at the end of `phases`.
std::unique_ptr<Stepper> event_driven_with_phases(const Model& model, const EventDriven& settings,
                                                  std::vector<MotionPhase>& phases);

}  // namespace ricochet
