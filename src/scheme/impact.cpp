#include "ricochet/scheme/impact.hpp"

#include "core/dense_lu.hpp"
#include "scheme/contact_problem.hpp"

namespace ricochet {

ImpactOutcome apply_impact(const Model& model, State& state, const std::vector<int>& constraints) {
  const int nq = model.nq(), nc = model.nc();
  const Layout& layout = model.layout();
  std::vector<double> M(layout.mass.size()), H(layout.gradient.size()), g_t(nc), e(nc), U(nc), b(nc), P(nc);
  std::vector<double> X(static_cast<std::size_t>(nq) * nc, 0.0);
  model.mass(state.t, state.q.data(), M.data());
  model.gap_gradient(state.t, state.q.data(), H.data());
  model.gap_time_derivative(state.t, state.q.data(), g_t.data());
  model.restitution(state.t, state.q.data(), e.data());

  DenseLu<double> factors;
  factors.resize(nq);
  factors.add(layout.mass, M.data(), 1.0);
  if (!DefinitenessTest<double>()(layout.mass, M.data()) || !factors.factorise())
    return {.failure = FailureKind::mass_not_positive_definite};

  // b = (1 + e) U⁻ on the constraints in question.
  ContactProblem<double> problem(nc);
  MaskArray<double> active(nc);
  for (const int j : constraints) {
    if (!(e[j] >= 0.0 && e[j] <= 1.0)) return {.failure = FailureKind::restitution_out_of_range};
    double* x = X.data() + static_cast<std::size_t>(j) * nq;
    for (int k = layout.gradient.start[j]; k < layout.gradient.start[j + 1]; ++k) x[layout.gradient.row[k]] = H[k];
    factors.solve(x);
    problem.set_column(layout.gradient, H.data(), j, x);
    U[j] = g_t[j] + column_dot(layout.gradient, H.data(), j, state.v.data());
    b[j] = (1.0 + e[j]) * U[j];
    active[j] = true;
  }
  if (!problem.solve(active.data(), b.data(), P.data())) return {.failure = FailureKind::complementarity_not_solved};

  ImpactOutcome outcome;
  for (const int j : constraints)
    for (int i = 0; i < nq; ++i) state.v[i] += X[static_cast<std::size_t>(j) * nq + i] * P[j];
  for (const int j : constraints) {
    if (!(P[j] > 0.0)) continue;
    const double after = g_t[j] + column_dot(layout.gradient, H.data(), j, state.v.data());
    outcome.contacts.push_back({j, state.t, U[j], after, P[j], 0.0});
    outcome.obstacle_work -= g_t[j] * P[j];
  }
  return outcome;
}

}  // namespace ricochet
