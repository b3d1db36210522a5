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
  std::string what = lost_gap_text(layout, step.gap, step.gradient);
  if (what.empty()) what = lost_state_text(layout, step.q, step.v);
  if (what.empty()) what = first_not_finite(layout.states, step.z, "");
  if (what.empty()) what = first_not_finite(layout.coordinates, step.force, ": its force");
  return what.empty() ? nothing_lost_text : what;
}

std::string restitution_text(const Layout& layout, const double* restitution) {
  for (int j = 0; j < layout.nc(); ++j) {
    const double e = restitution[j];
    if (!(e >= 0.0 && e <= 1.0))
      return "the restitution of " + layout.constraints[j] + " must be in [0, 1], its formula gave " + to_text(e);
  }
  return "a restitution left [0, 1]";
}

std::string friction_text(const Model& model, const FailedStep& step) {
  const Layout& layout = model.layout();
  std::vector<double> bound(layout.frictions.size()), e(bound.size());
  if (step.bounds != nullptr) std::copy_n(step.bounds, bound.size(), bound.begin());
  if (step.q != nullptr && step.t) {
    model.friction_bound(*step.t, step.q, bound.data());
    model.tangential_restitution(*step.t, step.q, e.data());
  }
  for (std::size_t k = 0; k < bound.size(); ++k) {
    const Friction& friction = layout.frictions[k];
    if (!(bound[k] >= 0.0) || std::isinf(bound[k]))
      return (friction.constraint < 0 ? "the limit of " : "the coefficient of friction of ") + friction.name +
             " must be at least 0, its formula gave " + to_text(bound[k]);
    if (!(e[k] >= 0.0 && e[k] <= 1.0))
      return "the tangential restitution of " + friction.name + " must be in [0, 1], its formula gave " + to_text(e[k]);
  }
  std::string names;
  for (const Friction& friction : layout.frictions) names += (names.empty() ? "" : " or ") + friction.name;
  return "the coefficient or limit of friction of " + names +
         " became negative, or a tangential restitution left [0, 1]";
}

// The first entry of a matrix that is not finite.
template <class Name, class Row>
std::string infinite_entry(const Pattern& pattern, const std::vector<double>& A, const Row& row, const Name& column) {
  for (int j = 0; j < pattern.cols; ++j)
    for (int k = pattern.start[j]; k < pattern.start[j + 1]; ++k)
      if (!std::isfinite(A[k]))
        return "the derivative of " + row(pattern.row[k]) + " by " + column(j) + " is not finite";
  return {};
}

// Implicit steps need the derivatives of forces and of the rates of states; a root of 0 has none.
std::string infinite_derivative(const Model& model, const FailedStep& step) {
  if (!step.t || step.q == nullptr) return {};
  const Layout& layout = model.layout();
  const int nq = layout.nq(), nz = layout.nz();
  const auto memory = [](int n) { return std::vector<double>(static_cast<std::size_t>(n)); };
  std::vector<double> K = memory(layout.stiffness.size()), C = memory(layout.damping.size()), F_z = memory(nq * nz),
                      rate_q = memory(nz * nq), rate_v = rate_q, rate_z = memory(nz * nz);
  model.force_jacobians(*step.t, step.q, step.v, step.z, K.data(), C.data());
  if (nz > 0)
    model.state_jacobians(*step.t, step.q, step.v, step.z, F_z.data(), rate_q.data(), rate_v.data(), rate_z.data());
  const auto force = [&](int i) { return "the force on " + layout.coordinates[i]; };
  const auto rate = [&](int i) { return layout.states[i] + "'"; };
  const auto coordinate = [&](int j) { return layout.coordinates[j]; };
  const auto velocity = [&](int j) { return layout.coordinates[j] + "_dot"; };
  const auto state = [&](int j) { return layout.states[j]; };
  for (const std::string& text :
       {infinite_entry(layout.stiffness, K, force, coordinate), infinite_entry(layout.damping, C, force, velocity),
        infinite_entry(Pattern::dense(nq, nz), F_z, force, state),
        infinite_entry(Pattern::dense(nz, nq), rate_q, rate, coordinate),
        infinite_entry(Pattern::dense(nz, nq), rate_v, rate, velocity),
        infinite_entry(Pattern::dense(nz, nz), rate_z, rate, state)})
    if (!text.empty())
      return text +
             " here (a root or a power of 0 has no derivative), and implicit steps need it: a start elsewhere would "
             "help, or a scheme without derivatives, such as event-driven";
  return {};
}

std::string singular_matrix_text(const Model& model, const FailedStep& step) {
  const std::string text = infinite_derivative(model, step);
  return !text.empty() ? text
                       : "the iteration matrix, the mass with shares of damping and stiffness that grow with the step, "
                         "cannot be factorised; a smaller step would help";
}

// The joint that is off by most, against the terms of its equation.
std::string joint_text(const Model& model, const FailedStep& step) {
  const Layout& layout = model.layout();
  std::string text = "the joints cannot be held: no position near by satisfies them all";
  if (step.q != nullptr && step.t) {
    std::vector<double> g(static_cast<std::size_t>(model.nb())),
        H(static_cast<std::size_t>(layout.joint_gradient.size()));
    model.joint(*step.t, step.q, g.data());
    model.joint_gradient(*step.t, step.q, H.data());
    double worst = -1.0;
    int row = 0;
    for (const Joint& joint : layout.joints)
      for (int k = 0; k < joint.rows; ++k, ++row) {
        double size = 0.0;
        for (int i = layout.joint_gradient.start[row]; i < layout.joint_gradient.start[row + 1]; ++i)
          size += std::abs(H[i] * step.q[layout.joint_gradient.row[i]]);
        const double off = std::abs(g[row]) / size;
        if (!(off > worst)) continue;
        worst = off;
        text = "the joint " + joint.name + " cannot be held: no position near by satisfies all joints (" + joint.name +
               (joint.rows > 1 ? " row " + std::to_string(k + 1) : std::string()) + " is off by " + to_text(g[row]) +
               ")";
      }
  }
  return text + "; a mechanism that locks or is at a dead centre does that, as do joints that contradict each other";
}

// Of a contact, a joint or a friction.
std::string name_of_row(const Layout& layout, int row) {
  if (row < layout.nc()) return layout.constraints[row];
  row -= layout.nc();
  for (const Joint& joint : layout.joints)
    if ((row -= joint.rows) < 0) return "the joint " + joint.name;
  for (const Friction& friction : layout.frictions)
    if ((row -= friction.rows) < 0) return "the friction of " + friction.name;
  return "a row";
}

// The first of its contacts: " (floor, lid, …)".
std::string first_contacts_text(const Layout& layout, const ContactProblemEnd& problem) {
  std::string names;
  for (const int j : problem.first_contacts) names += (names.empty() ? " (" : ", ") + layout.constraints[j];
  if (names.empty()) return names;
  return names + (static_cast<int>(problem.first_contacts.size()) < problem.contacts ? ", …)" : ")");
}

std::string contact_problem_text(const Layout& layout, const ContactProblemEnd& problem) {
  if (!layout.joints.empty() && problem.result.status == ComplementarityStatus::no_solution)
    return "the joints admit no velocity here: they contradict each other, or have become dependent at a dead centre";
  if (const int j = problem.single_contact; j >= 0)
    return "an impulse on " + name_of_row(layout, j) + " changes its rate by " + to_text(problem.diagonal) +
           " times its size, which must be positive (is " +
           (j < layout.nc() ? "the gradient of its gap" : "its gradient") + " zero?)";
  const ComplementarityResult& result = problem.result;
  if (result.status == ComplementarityStatus::solved)
    return "nothing could push where a contact was struck (is the gradient of a gap zero?)";
  if (result.status == ComplementarityStatus::not_supported && problem.is_large)
    return std::to_string(problem.contacts) + " contacts may push at once, and their problem is too large: up to " +
           std::to_string(SparseDelassus::most_formed) +
           " are solved by any solver and with any matrix, more by [solver] name = \"automatic\" and where the matrix "
           "of the step is sparse, symmetric and positive definite";
  if (result.status == ComplementarityStatus::not_supported && !layout.frictions.empty())
    return "the solver does not take contacts with friction: [solver] name = \"automatic\", \"alart-curnier\", "
           "\"interior-point\" and \"gauss-seidel\" do, and \"lemke\" in the plane";
  const int contacts = std::max(1, problem.contacts);
  return "the contact problem of " + std::to_string(contacts) + (contacts == 1 ? " contact" : " contacts") +
         " was not solved" + first_contacts_text(layout, problem) + ": " + std::string(name(result.status)) +
         ", residual " + to_text(result.residual) + " after " + std::to_string(result.iterations) +
         " iterations (is the gradient of a gap zero?)";
}

}  // namespace

std::string lost_state_text(const Layout& layout, const double* q, const double* v) {
  const std::string what = first_not_finite(layout.coordinates, v, "_dot");
  return what.empty() ? first_not_finite(layout.coordinates, q, "") : what;
}

std::string lost_gap_text(const std::string& constraint) {
  return "the gap of " + constraint +
         " has no finite value any more: it needs values on both sides of its surface, as x has and sqrt(x) has not";
}

std::string lost_gap_text(const Layout& layout, const double* gap, const double* gradient) {
  for (int j = 0; j < layout.nc() && gap != nullptr; ++j)
    if (!std::isfinite(gap[j])) return lost_gap_text(layout.constraints[j]);
  for (int j = 0; j < layout.nc() && gradient != nullptr; ++j)
    for (int k = layout.gradient.start[j]; k < layout.gradient.start[j + 1]; ++k)
      if (!std::isfinite(gradient[k]))
        return "the gradient of the gap of " + layout.constraints[j] + " became " + to_text(gradient[k]) +
               ": a gap needs a finite one, on its surface too";
  return {};
}

FailureKind failure_of(OdeStatus status, FailureKind evaluation) {
  switch (status) {
    case OdeStatus::done: return FailureKind::none;
    case OdeStatus::evaluation_failed: return evaluation == FailureKind::none ? FailureKind::not_finite : evaluation;
    case OdeStatus::not_finite: return FailureKind::not_finite;
    case OdeStatus::step_too_small: return FailureKind::step_too_small;
    case OdeStatus::newton_not_converged: return FailureKind::newton_not_converged;
    case OdeStatus::singular_matrix: return FailureKind::singular_iteration_matrix;
  }
  return FailureKind::none;
}

std::string failure_text(const Model& model, FailureKind kind, const FailedStep& step) {
  switch (kind) {
    case FailureKind::not_finite: return not_finite_text(model.layout(), step);
    case FailureKind::mass_not_positive_definite: return "the mass matrix is not positive definite any more";
    case FailureKind::singular_iteration_matrix: return singular_matrix_text(model, step);
    case FailureKind::newton_not_converged:
      return "the nonlinear equations of the step were not solved: a smaller step would help where forces are smooth, "
             "none where they jump or are noise";
    case FailureKind::complementarity_not_solved: {
      const std::string lost = lost_gap_text(model.layout(), step.gap, step.gradient);
      return lost.empty() ? contact_problem_text(model.layout(), step.problem) : lost;
    }
    case FailureKind::restitution_out_of_range: return restitution_text(model.layout(), step.restitution);
    case FailureKind::friction_out_of_range: return friction_text(model, step);
    case FailureKind::drift_not_projected:
      return "a closed contact has drifted from its surface and cannot be brought back (are the constraints "
             "contradictory, or the gradient of a gap zero?)";
    case FailureKind::joint_not_held: return joint_text(model, step);
    case FailureKind::step_too_small: return "the tolerances ask for a step that is too small";
    case FailureKind::events_do_not_end:
      return "events follow each other without time going on: contacts close and open at one instant";
    case FailureKind::interrupted: return "interrupted";
    case FailureKind::none: break;
  }
  return {};
}

}  // namespace ricochet
