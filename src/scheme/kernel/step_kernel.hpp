// What a kernel says of itself unless it knows better, its counts and its failure: for the steppers around it
// (kernel_stepper.hpp, kernel_lanes.hpp). It has step(), contacts(), ledger() and failed_step() besides.
#pragma once

#include <optional>

#include "ricochet/core/lanes.hpp"
#include "ricochet/scheme/stepper.hpp"
#include "scheme/kernel/failure_text.hpp"

namespace ricochet {

class StepKernel {
 public:
  static constexpr int size = 0;          // coordinates, where the compiler knows their number
  static constexpr bool can_fly = false;  // whether there is fly(), many steps in which nothing touches
  bool needs_time() const { return true; }
  bool has_ledger() const { return true; }  // otherwise the energy is as before
  // Whether contact j, in lane l, had an impact that the next step goes on with; whether any may.
  bool is_unfinished(int /*j*/, int /*l*/ = 0) const { return false; }
  bool leaves_unfinished() const { return false; }
  const double* joint_forces() const { return nullptr; }  // besides the impulses
  std::optional<AlgorithmicEnergy> algorithmic_energy() const { return std::nullopt; }

  const StepCounts& counts() const { return counts_; }
  FailureKind failure() const { return failure_; }  // of the last step

 protected:
  // The first failure is the one to tell.
  template <class Good>
  Good note(const Good& good, FailureKind kind) {
    if (failure_ == FailureKind::none && !all(good)) failure_ = kind;
    return good;
  }

  StepCounts counts_;
  FailureKind failure_ = FailureKind::none;
};

}  // namespace ricochet
