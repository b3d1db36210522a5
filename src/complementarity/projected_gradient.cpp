// Accelerated projected gradient with restart on ½ P̃ᵀW̃P̃ + b̃ᵀP̃, P̃ ≥ 0, in the problem scaled to unit diagonal: only
// products with W are needed. The step 1/L follows the largest curvature met.
// Y. Nesterov, Soviet Math. Dokl. 27 (1983) 372; B. O'Donoghue, E. Candès, Found. Comput. Math. 15 (2015) 715,
// doi:10.1007/s10208-013-9150-3.
#include <algorithm>
#include <cmath>

#include "complementarity/memory.hpp"

namespace ricochet {
namespace {

// Largest eigenvalue of W̃ by power iterations, a little above.
double curvature(int n, NewtonSystem& system, ComplementarityMemory& memory) {
  const double* s = memory.scale.data();
  for (int i = 0; i < n; ++i) memory.x[i] = 1.0 + 0.1 * std::sin(static_cast<double>(i + 1));
  double value = 1.0;
  for (int k = 0; k < 30; ++k) {
    const double length = std::sqrt(dot(n, memory.x.data(), memory.x.data()));
    for (int i = 0; i < n; ++i) memory.direction[i] = s[i] * memory.x[i] / length;
    system.multiply(memory.direction.data(), memory.y.data());
    for (int i = 0; i < n; ++i) memory.x[i] = s[i] * memory.y[i];
    value = std::sqrt(dot(n, memory.x.data(), memory.x.data()));
    if (!(value > 0.0)) return 1.0;
  }
  return 1.05 * value;
}

}  // namespace

ComplementarityResult projected_gradient(const ComplementarityProblem& problem, const SolverOptions& settings,
                                         ComplementarityMemory& memory, double* P) {
  using Status = ComplementarityStatus;
  const int n = problem.n;
  NewtonSystem& system = system_of(problem, memory);
  set_scale(problem, system, memory);
  const std::size_t size = static_cast<std::size_t>(n);
  for (auto* x : {&memory.x, &memory.y, &memory.direction, &memory.step, &memory.correction}) x->assign(size, 0.0);
  if (!settings.warm_start) std::fill(P, P + n, 0.0);
  ComplementarityResult result;
  result.residual = natural_residual(problem, system, memory, P);
  if (result.residual <= settings.tolerance) return result;

  const double* s = memory.scale.data();
  double L = curvature(n, system, memory), momentum = 1.0;
  double *z = memory.x.data(), *ahead = memory.step.data(), *last = memory.correction.data();
  for (int i = 0; i < n; ++i) z[i] = ahead[i] = P[i] / s[i];
  const int limit = settings.max_iterations > 0 ? settings.max_iterations : 200'000;
  while (result.residual > settings.tolerance && may_go_on(result.iterations, limit)) {
    ++result.iterations;
    // Gradient at the point ahead.
    for (int i = 0; i < n; ++i) memory.direction[i] = s[i] * ahead[i];
    system.multiply(memory.direction.data(), memory.y.data());
    double turn = 0.0;
    for (int i = 0; i < n; ++i) {
      const double gradient = s[i] * (memory.y[i] + problem.b[i]);
      last[i] = z[i];
      z[i] = std::max(0.0, ahead[i] - gradient / L);
      turn += (ahead[i] - z[i]) * (z[i] - last[i]);
    }
    // Restart where the momentum points uphill.
    const double next = turn > 0.0 ? 1.0 : 0.5 * (1.0 + std::sqrt(1.0 + 4.0 * momentum * momentum));
    const double weight = turn > 0.0 ? 0.0 : (momentum - 1.0) / next;
    momentum = next;
    for (int i = 0; i < n; ++i) ahead[i] = z[i] + weight * (z[i] - last[i]);
    if (result.iterations % 10 != 0) continue;
    for (int i = 0; i < n; ++i) P[i] = s[i] * z[i];
    result.residual = natural_residual(problem, system, memory, P);
  }
  for (int i = 0; i < n; ++i) P[i] = s[i] * z[i];
  result.residual = natural_residual(problem, system, memory, P);
  if (!(result.residual <= settings.tolerance)) result.status = Status::iteration_limit;
  return result;
}

}  // namespace ricochet
