#include "scheme/kernel/failure_text.hpp"

#include <algorithm>
#include <cmath>
#include <string_view>

#include "ricochet/core/quantity.hpp"

namespace ricochet {
namespace {

std::string first_not_finite(const std::vector<std::string>& names, const double* x, std::string_view suffix) {
  if (x == nullptr) return {};
  for (std::size_t i = 0; i < names.size(); ++i)
    if (!std::isfinite(x[i])) return names[i] + std::string(suffix) + " became " + to_text(x[i]);
  return {};
}

std::string not_finite_text(const Layout& layout, const FailedStep& step) {
  std::string what = first_not_finite(layout.coordinates, step.v, "_dot");
  if (what.empty()) what = first_not_finite(layout.coordinates, step.q, "");
  if (what.empty()) what = first_not_finite(layout.states, step.z, "");
  if (what.empty()) what = first_not_finite(layout.coordinates, step.force, ": its force");
  return what.empty() ? "the state became too large to add up" : what;
}

std::string restitution_text(const Layout& layout, const double* restitution) {
  for (int j = 0; j < layout.nc(); ++j) {
    const double e = restitution[j];
    if (!(e >= 0.0 && e <= 1.0))
      return "the restitution of " + layout.constraints[j] + " must be in [0, 1], its formula gave " + to_text(e);
  }
  return "a restitution left [0, 1]";
}

std::string contact_problem_text(const Layout& layout, const Delassus<double>& problem) {
  if (const int j = problem.single_contact(); j >= 0)
    return "an impulse on " + layout.constraints[j] + " changes its rate by " + to_text(problem.diagonal(j)) +
           " times its size, which must be positive (is the gradient of its gap zero?)";
  const ComplementarityResult& result = problem.last_result();
  if (result.status == ComplementarityStatus::not_supported && problem.is_large())
    return std::to_string(problem.last_size()) + " contacts may push at once, and their problem is too large: up to " +
           std::to_string(SparseDelassus::most_formed) +
           " are solved by any solver and with any matrix, more by [solver] name = \"automatic\" and where the matrix "
           "of the step is sparse, symmetric and positive definite";
  return "the contact problem of " + std::to_string(std::max(1, problem.last_size())) +
         " contacts was not solved: " + std::string(name(result.status)) + ", residual " + to_text(result.residual) +
         " after " + std::to_string(result.iterations) + " iterations (is the gradient of a gap zero?)";
}

}  // namespace

std::string failure_text(const Model& model, FailureKind kind, const FailedStep& step) {
  switch (kind) {
    case FailureKind::not_finite: return not_finite_text(model.layout(), step);
    case FailureKind::mass_not_positive_definite: return "the mass matrix is not positive definite any more";
    case FailureKind::singular_iteration_matrix:
      return "the iteration matrix, the mass with shares of damping and stiffness that grow with the step, cannot be "
             "factorised; a smaller step would help";
    case FailureKind::newton_not_converged:
      return "the nonlinear equations of the step were not solved in 50 iterations; a smaller step would help";
    case FailureKind::complementarity_not_solved: return contact_problem_text(model.layout(), *step.problem);
    case FailureKind::restitution_out_of_range: return restitution_text(model.layout(), step.restitution);
    case FailureKind::drift_not_projected:
      return "a closed contact has drifted from its surface and cannot be brought back (are the constraints "
             "contradictory, or the gradient of a gap zero?)";
    case FailureKind::step_too_small: return "the tolerances ask for a step that is too small";
    case FailureKind::events_do_not_end:
      return "events follow each other without time going on: contacts close and open at one instant";
    case FailureKind::interrupted: return "interrupted";
    case FailureKind::none: break;
  }
  return {};
}

}  // namespace ricochet
