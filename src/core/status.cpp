#include "ricochet/core/status.hpp"

namespace ricochet {

std::string_view name(Status status) {
  switch (status) {
    case Status::completed: return "completed";
    case Status::interrupted: return "interrupted";
    case Status::failed: return "failed";
  }
  return "";
}

std::string_view name(FailureKind kind) {
  switch (kind) {
    case FailureKind::none: return "none";
    case FailureKind::not_finite: return "not-finite";
    case FailureKind::mass_not_positive_definite: return "mass-not-positive-definite";
    case FailureKind::singular_iteration_matrix: return "singular-iteration-matrix";
    case FailureKind::newton_not_converged: return "newton-not-converged";
    case FailureKind::complementarity_not_solved: return "complementarity-not-solved";
    case FailureKind::restitution_out_of_range: return "restitution-out-of-range";
    case FailureKind::drift_not_projected: return "drift-not-projected";
    case FailureKind::interrupted: return "interrupted";
    case FailureKind::events_do_not_end: return "events-do-not-end";
    case FailureKind::step_too_small: return "step-too-small";
  }
  return "";
}

}  // namespace ricochet
