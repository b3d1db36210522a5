// The mutable mechanics of a run.
#pragma once

#include <vector>

namespace ricochet {

// q: coordinates, v: velocities (right limits), z: auxiliary first-order states, z' = rate(t, q, v, z).
struct State {
  double t = 0.0;
  std::vector<double> q = {}, v = {}, z = {};
  bool operator==(const State&) const = default;
};

struct TimeSpan {
  double from = 0.0, until = 0.0;
  bool operator==(const TimeSpan&) const = default;
};

}  // namespace ricochet
