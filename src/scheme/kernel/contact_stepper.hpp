// A stepper that takes the steps of an even grid one after the other by itself, as long as nobody has to look at them,
// and shows the contacts of its last step.
#pragma once

#include <cstdint>
#include <vector>

#include "ricochet/scheme/stepper.hpp"
#include "scheme/kernel/step_mode.hpp"

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

class ContactStepper : public Stepper {
 public:
  // The steps from `step` on before `stop`, up to one that reports contacts or fails; `step` counts those that were
  // made. pushes: one a contact; those that pushed in a step which had no impact are only summed up there.
  virtual FailureKind advance_on(State& state, const StepGrid& grid, std::uint64_t& step, std::uint64_t stop,
                                 StepReport& report, std::vector<Push>& pushes) = 0;

  // From another state of the motion, where these contacts touch, an empty list if that is not known; who does after
  // the last step.
  virtual void resume(const std::vector<ContactMemory>& contacts) = 0;
  virtual void remember(std::vector<ContactMemory>& contacts) const = 0;
  virtual void modes(StepModes& modes) = 0;  // of the last step
  virtual const double* gap() const = 0;     // where the step began
  virtual void gaps(double t, const double* q, double* g) const = 0;
};

}  // namespace ricochet
