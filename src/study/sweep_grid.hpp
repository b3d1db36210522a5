// The even grid of a trajectory of a sweep, and which part of it is kept.
#pragma once

#include <cstdint>

#include "ricochet/study/sweep.hpp"

namespace ricochet {

struct SweepGrid {
  TimeSpan span;
  double h = 0.0;
  std::uint64_t steps = 0, transient = 0;  // of all, and before the first that is kept
  std::uint64_t per_period = 0;            // 0: no period

  double duration() const { return static_cast<double>(steps - transient) * h; }
};

// With a period the step divides it, and stroboscopic trajectories last whole periods. Throws InputError.
SweepGrid sweep_grid(const SweepCase& a_case, SweepRecord record);

}  // namespace ricochet
