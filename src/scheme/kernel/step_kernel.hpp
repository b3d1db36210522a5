// What a kernel says of itself unless it knows better, its counts and its failure: for the steppers around it
// (kernel_stepper.hpp, kernel_lanes.hpp). Besides it has begin(), contacts(), ledger(), failed_step() and its steps
// from one state, which stands with the caller or is kept between set_out() and arrive():
//
//     set_out(h, q, v, z);   go_on(t0, h, t1), hand_over(q, v) for each step;   arrive(q, v)
//
// go_on() is false for lanes that failed: their state is kept.
#pragma once

#include <optional>

#include "ricochet/core/lanes.hpp"
#include "ricochet/scheme/stepper.hpp"
#include "scheme/kernel/failure_text.hpp"
#include "scheme/kernel/step_mode.hpp"

namespace ricochet {

class StepKernel {
 public:
  static constexpr int size = 0;          // coordinates, where the compiler knows their number
  static constexpr bool can_fly = false;  // whether there is fly(), many steps in which nothing touches
  bool needs_time() const { return true; }
  void skip_account() {}  // nobody looks at the ledger
  // What is done to v before the first step.
  bool has_start() const { return false; }
  static bool start(auto&&...) { return true; }
  // A step that was good may have been left apart, to be exchanged for its begin.
  void hand_over(auto& /*q*/, auto& /*v*/) {}
  void arrive(auto* /*q*/, auto* /*v*/) const {}
  void set_modes(StepModes&) {}
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
