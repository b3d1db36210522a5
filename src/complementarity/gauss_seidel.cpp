// Projected Gauss-Seidel with over-relaxation r: P_i := max(0, P_i − r w_i/W_ii), w = W P + b kept up to date by
// columns. R. W. Cottle, J.-S. Pang, R. E. Stone, The Linear Complementarity Problem, SIAM 2009, section 5.5,
// doi:10.1137/1.9780898719000.
#include <algorithm>
#include <cmath>

#include "complementarity/memory.hpp"

namespace ricochet {
namespace {

template <class Column>
double sweep(int n, double relaxation, const NewtonSystem& system, const Column& add_column, double* w, double* P) {
  double change = 0.0;
  for (int i = 0; i < n; ++i) {
    const double diagonal = system.diagonal(i);
    if (!(diagonal > 0.0)) continue;
    const double moved = std::max(0.0, P[i] - relaxation * w[i] / diagonal), step = moved - P[i];
    if (step == 0.0) continue;
    P[i] = moved;
    add_column(i, step, w);
    change = std::max(change, std::abs(step) * std::sqrt(diagonal));
  }
  return change;
}

}  // namespace

ComplementarityResult gauss_seidel(const ComplementarityProblem& given, const SolverOptions& settings,
                                   ComplementarityMemory& memory, double* P) {
  using Status = ComplementarityStatus;
  const int n = given.n;
  ComplementarityProblem problem = given;
  if (std::holds_alternative<SchurForm>(problem.W) || std::holds_alternative<SystemForm>(problem.W)) {
    if (n > largest_formed) return {Status::not_supported, 0.0, 0};
    problem.W = DenseForm{dense_form(given, memory)};
  }
  NewtonSystem& system = system_of(problem, memory);
  set_scale(problem, system, memory);
  if (!settings.warm_start) std::fill(P, P + n, 0.0);
  ComplementarityResult result;
  result.residual = natural_residual(problem, system, memory, P);
  const int limit = settings.max_iterations > 0 ? settings.max_iterations : 200'000;
  const auto* dense = std::get_if<DenseForm>(&problem.W);
  const auto* sparse = std::get_if<SparseForm>(&problem.W);
  const auto add_column = [&](int j, double step, double* w) {
    if (dense != nullptr) {
      const double* column = dense->values + static_cast<std::size_t>(j) * n;
      for (int i = 0; i < n; ++i) w[i] += step * column[i];
    } else {
      for (int k = sparse->pattern->start[j]; k < sparse->pattern->start[j + 1]; ++k)
        w[sparse->pattern->row[k]] += step * sparse->values[k];
    }
  };
  constexpr int between_checks = 10;
  while (result.residual > settings.tolerance && may_go_on(result.iterations, limit)) {
    for (int k = 0; k < between_checks; ++k) sweep(n, settings.relaxation, system, add_column, memory.w.data(), P);
    result.iterations += between_checks;
    result.residual = natural_residual(problem, system, memory, P);
  }
  if (!(result.residual <= settings.tolerance)) result.status = Status::iteration_limit;
  return result;
}

}  // namespace ricochet
