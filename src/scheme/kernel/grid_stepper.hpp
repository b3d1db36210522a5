// A stepper that takes the steps of an even grid one after the other by itself, as long as nobody has to look at them.
#pragma once

#include <cstdint>
#include <vector>

#include "ricochet/scheme/stepper.hpp"

namespace ricochet {

// The even grid t_k = from + k h, k = 0 … steps, that ends exactly at `until`.
struct StepGrid {
  double from = 0.0, until = 0.0, h = 0.0;
  std::uint64_t steps = 1;

  double end_of(std::uint64_t step) const {
    return step + 1 == steps ? until : from + static_cast<double>(static_cast<std::int64_t>(step + 1)) * h;
  }
};

// What a contact did in steps of which nobody was told.
struct Push {
  double impulse = 0.0, fastest = 0.0;  // the largest |U⁻|
};

class GridStepper : public Stepper {
 public:
  // The steps from `step` on before `stop`, up to one that reports contacts or fails; `step` counts those that were
  // made. pushes: one a contact; those that pushed in a step which had no impact are only summed up there.
  virtual FailureKind advance_on(State& state, const StepGrid& grid, std::uint64_t& step, std::uint64_t stop,
                                 StepReport& report, std::vector<Push>& pushes) = 0;
};

}  // namespace ricochet
