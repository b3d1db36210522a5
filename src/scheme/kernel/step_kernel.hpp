// What a kernel says of itself unless it knows better: the steps that a stepper (kernel_stepper.hpp, kernel_lanes.hpp)
// goes on with. Besides it has step(), contacts(), ledger(), counts(), failure() and the trial that failed.
#pragma once

#include <optional>

#include "ricochet/scheme/stepper.hpp"

namespace ricochet {

struct StepKernel {
  static constexpr int size = 0;          // coordinates, where the compiler knows their number
  static constexpr bool can_fly = false;  // whether there is fly(), many steps in which nothing touches
  bool needs_time() const { return true; }
  bool has_ledger() const { return true; }  // otherwise the energy is as before
  bool is_unfinished(int, int = 0) const {
    return false;
  }                                                 // contact j, in lane l: an impact that the next step goes on with
  bool leaves_unfinished() const { return false; }  // whether there may be one
  const double* joint_forces() const { return nullptr; }  // besides the impulses
  std::optional<AlgorithmicEnergy> algorithmic_energy() const { return std::nullopt; }
};

}  // namespace ricochet
