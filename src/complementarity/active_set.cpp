// Block principal pivoting, which is the primal-dual active set method (semismooth Newton on min(P, W P + b) = 0) with
// a safeguard: as long as exchanging all infeasible rows at once lowers their number it does so; after ten exchanges
// without progress it exchanges only the last infeasible row (Murty's rule), which ends for every P-matrix.
// J. J. Júdice, F. M. Pires, Comput. Oper. Res. 21 (1994) 587, doi:10.1016/0305-0548(94)90106-6;
// M. Hintermüller, K. Ito, K. Kunisch, SIAM J. Optim. 13 (2002) 865, doi:10.1137/S1052623401383558.
#include <algorithm>
#include <cmath>
#include <limits>

#include "complementarity/memory.hpp"

namespace ricochet {
namespace {

bool is_free(const ComplementarityProblem& problem, int i) {
  return problem.cones != nullptr && problem.cones[i] == Cone::free;
}

// Rows that push, by the guess; without one, rows with b ≤ 0. Ties count: a chain at rest pushes everywhere although
// only its foot has b < 0. Free rows always do.
void start(const ComplementarityProblem& problem, bool warm, ComplementarityMemory& memory, const double* P) {
  memory.active.resize(static_cast<std::size_t>(problem.n));
  const double size = size_of_b(problem, memory);
  for (int i = 0; i < problem.n; ++i)
    memory.active[i] = is_free(problem, i) || (warm ? P[i] > 0.0 : problem.b[i] * memory.scale[i] <= 1e-12 * size);
}

// Which rows contradict their status, and by more than round-off: P < 0 where active, w < 0 where not.
int mark_infeasible(const ComplementarityProblem& problem, ComplementarityMemory& memory, double size,
                    const double* P) {
  const int n = problem.n;
  memory.next.assign(static_cast<std::size_t>(n), 0);
  double push = 0.0;
  for (int i = 0; i < n; ++i) push = std::max(push, std::abs(P[i] / memory.scale[i]));
  const double slack = 0.1 * memory.tolerance * size + 16.0 * std::numeric_limits<double>::epsilon() * push;
  int count = 0;
  for (int i = 0; i < n; ++i) {
    const double s = memory.scale[i];
    memory.next[i] = !is_free(problem, i) && (memory.active[i] ? P[i] / s : memory.w[i] * s) < -slack;
    count += memory.next[i];
  }
  return count;
}

// All that contradict change sides, or only the last of them.
void exchange(bool all, ComplementarityMemory& memory) {
  const std::size_t n = memory.active.size();
  if (all) {
    for (std::size_t i = 0; i < n; ++i) memory.active[i] ^= memory.next[i];
    return;
  }
  std::size_t last = n - 1;
  while (!memory.next[last]) --last;
  memory.active[last] ^= 1;
}

}  // namespace

ComplementarityResult exchange_active(const ComplementarityProblem& problem, NewtonSystem& system,
                                      ComplementarityMemory& memory, int limit, double floor, double* P) {
  const int n = problem.n;
  const double size = size_of_b(problem, memory);
  int best = n + 1, patience = 10;
  bool w_known = false;
  ComplementarityResult result;
  while (may_go_on(result.iterations, limit)) {
    ++result.iterations;
    w_known = solve_on_active(problem, system, memory, size, floor, P);
    if (!w_known) break;
    place_w(problem, system, memory, P);
    const int infeasible = mark_infeasible(problem, memory, size, P);
    if (infeasible == 0) break;
    if (infeasible < best) {
      best = infeasible;
      patience = 10;
    } else if (patience > 0) {
      --patience;
    }
    exchange(patience > 0, memory);
  }
  for (int i = 0; i < n; ++i) {
    const double clipped = !std::isfinite(P[i]) ? 0.0 : is_free(problem, i) ? P[i] : std::max(0.0, P[i]);
    w_known = w_known && P[i] == clipped;
    P[i] = clipped;
  }
  if (!w_known) place_w(problem, system, memory, P);
  result.residual = residual_of_w(problem, memory, size, P);
  if (!(result.residual <= memory.tolerance)) result.status = ComplementarityStatus::iteration_limit;
  return result;
}

ComplementarityResult proximal(const ComplementarityProblem& problem, NewtonSystem& system,
                               ComplementarityMemory& memory, int limit, double* P) {
  constexpr int rounds = 60;
  double delta = 1e-6;
  const int n = problem.n;
  std::fill(P, P + n, 0.0);
  start(problem, false, memory, P);
  memory.shifted.resize(static_cast<std::size_t>(n));
  ComplementarityResult result{ComplementarityStatus::iteration_limit, HUGE_VAL, 0};
  for (int round = 0; round < rounds && may_go_on(result.iterations, limit); ++round) {
    for (int i = 0; i < n; ++i) memory.shifted[i] = problem.b[i] - delta * system.diagonal(i) * P[i];
    const ComplementarityProblem regular{n, problem.W, memory.shifted.data(), problem.cones};
    result.iterations += exchange_active(regular, system, memory, limit - result.iterations, delta, P).iterations;
    result.residual = natural_residual(problem, system, memory, P);
    if (result.residual <= memory.tolerance) {
      result.status = ComplementarityStatus::solved;
      return result;
    }
    delta = std::max(1e-11, 0.5 * delta);  // slow directions: the smallest eigenvalues of W against δ
  }
  return result;
}

ComplementarityResult active_set(const ComplementarityProblem& problem, const SolverOptions& settings,
                                 ComplementarityMemory& memory, double* P) {
  NewtonSystem& system = system_of(problem, memory);
  set_scale(problem, system, memory);
  start(problem, settings.warm_start, memory, P);
  const int limit = settings.max_iterations > 0 ? settings.max_iterations : 100 + 10 * problem.n;
  ComplementarityResult result = exchange_active(problem, system, memory, limit, 0.0, P);
  if (result.status == ComplementarityStatus::solved || settings.max_iterations > 0) return result;
  const int spent = result.iterations;
  result = proximal(problem, system, memory, 10 * limit, P);
  result.iterations += spent;
  return result;
}

}  // namespace ricochet
