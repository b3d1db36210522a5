// A scheme at work on several trajectories side by side, one a lane: what a Stepper is for one.
#pragma once

#include <memory>
#include <vector>

#include "ricochet/complementarity/problem.hpp"
#include "ricochet/core/lanes.hpp"
#include "ricochet/model/model.hpp"
#include "ricochet/scheme/scheme.hpp"
#include "ricochet/scheme/stepper.hpp"

namespace ricochet {

// The motions, each on its own even grid t_k = from + k h, k = 0 … steps, that ends exactly at `until`.
struct LaneMotion {
  Lanes from = 0.0, until = 0.0, h = 0.0;
  Lanes steps = 0.0, made = 0.0;  // whole numbers
  Lanes t = 0.0;
  std::vector<Lanes> q, v, z;
};

class LaneStepper {
 public:
  virtual ~LaneStepper() = default;

  // The model's values and the motion of this lane were set from outside. Lanes that are on their way go on as if
  // nothing had happened. False if the motion cannot begin.
  virtual bool begin(LaneMotion& motion, int lane) = 0;

  // Up to n steps of all lanes; fewer where something touched or a lane failed in the last of them.
  virtual std::uint64_t advance(LaneMotion& motion, std::uint64_t n) = 0;

  // Of the last step. Lanes that failed are where they were.
  virtual bool touched() const = 0;
  virtual const LaneMask& failed() const = 0;
  virtual void append_contacts(const LaneMotion& motion, int lane, ContactReports& reports) const = 0;
  // Of begin().
  virtual void append_start_contacts(const LaneMotion& motion, int lane, ContactReports& reports) const = 0;
};

}  // namespace ricochet
