// How a run ended. Numerical trouble is not an exception: the run stops, says why, and keeps its data.
#pragma once

#include <atomic>
#include <string>
#include <string_view>

namespace ricochet {

enum class Status { completed, interrupted, failed };

enum class FailureKind {
  none,
  not_finite,                  // a coordinate, velocity or state became NaN or infinite
  mass_not_positive_definite,  // M(t, q) lost its positive definiteness
  singular_iteration_matrix,   // M̂ could not be factorised
  newton_not_converged,        // the nonlinear step equations
  complementarity_not_solved,  // the contact problem
  restitution_out_of_range,    // a formula for e left [0, 1]
  drift_not_projected,         // a closed contact could not be brought back to its surface
  friction_out_of_range,       // a μ, a limit or a tangential restitution that a formula gives is not allowed
  joint_not_held,              // no position or velocity near by satisfies the joints
  step_too_small,              // the tolerances ask for a step below the smallest one
  interrupted,                 // by the user, inside an interval of a scheme that chooses its steps
  events_do_not_end,           // events follow each other without time going on
};

struct Failure {
  FailureKind kind = FailureKind::none;
  double t = 0.0;       // the last time reached
  std::string message;  // one sentence for the user
};

// Whether the user has asked for the end; without a flag nobody can.
inline bool is_set(const std::atomic<bool>* interrupt) {
  return interrupt != nullptr && interrupt->load(std::memory_order_relaxed);
}

std::string_view name(Status status);
std::string_view name(FailureKind kind);

}  // namespace ricochet
