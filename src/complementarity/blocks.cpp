// Problems with blocks of rows, as friction has them.
//
//   1. a single block: its closed form; two or three in the plane: all their statuses (enumeration.cpp);
//   2. many blocks without a guess: an interior point method (interior_blocks.hpp), then
//   3. Newton's method (alart_curnier.hpp);
//   4. where that stalls: the interior point method and Newton from there; Lemke's method if it is small and planar;
//   5. Gauss-Seidel, block after block exactly, then Newton from there, again and again.
#include <algorithm>
#include <climits>
#include <cmath>

#include "complementarity/memory.hpp"

namespace ricochet {
namespace {

constexpr int few_rows = 100;  // up to which W = Hᵀ M⁻¹ H is formed in any case
constexpr std::size_t many_blocks = 64;

// The problem in scaled variables, with P as it comes and U = W P + b. Formed where that is cheaper than to solve with
// M + H S Hᵀ, and for Gauss-Seidel wherever M is not diagonal. False if it cannot be.
bool set_scaled(const ComplementarityProblem& given, bool warm, bool for_sweeps, ComplementarityMemory& memory,
                const double* P) {
  ComplementarityProblem problem = given;
  const auto* schur = std::get_if<SchurForm>(&given.W);
  const LinearSolve* inner = nullptr;
  const bool fits = given.n <= largest_formed;
  const bool sweeps_need_it = for_sweeps && schur != nullptr && !is_diagonal(*schur->matrix);
  // A tenth of H or more is no sparse matrix.
  const bool is_small = schur != nullptr && (given.n <= few_rows || 4 * given.n <= schur->matrix->cols ||
                                             schur->gradient->size() / given.n > schur->gradient->rows / 10);
  if (std::holds_alternative<SystemForm>(given.W) || sweeps_need_it || (is_small && fits)) {
    if (!fits) return false;
    problem.W = DenseForm{dense_form(given, memory)};
  } else if (schur != nullptr) {
    memory.schur->set(given.n, *schur);
    inner = &memory.schur->inner();
  }
  set_scale(problem, system_of(problem, memory), memory);
  memory.scaled.set(problem, memory.scale, inner);
  memory.scaled_P.assign(static_cast<std::size_t>(given.n), 0.0);
  memory.scaled_U.resize(static_cast<std::size_t>(given.n));
  if (warm) memory.scaled.to_scaled(P, memory.scaled_P.data());
  memory.scaled.rates(memory.scaled_P.data(), memory.scaled_U.data());
  return true;
}

// Each block after the other, exactly.
void sweep_blocks(ScaledProblem& problem, double* P, double* U) {
  for (std::size_t k = 0; k < problem.blocks().size(); ++k) {
    const Block& block = problem.blocks()[k];
    const double* W = problem.own(k);
    double b[3], own[3];
    problem.block_rates(block, U, b);
    for (int i = 0; i < block.size; ++i) {
      own[i] = P[block.first + i];
      for (int j = 0; j < block.size; ++j) b[i] -= W[j * block.size + i] * P[block.first + j];
    }
    if (!solve_block(block, W, b, own)) continue;
    for (int j = 0; j < block.size; ++j) {
      const double step = own[j] - P[block.first + j];
      if (step == 0.0 || !std::isfinite(step)) continue;
      P[block.first + j] = own[j];
      problem.change(block.first + j, step, U);
    }
  }
}

// Sweeps until the residual is small or there have been so many; the residual.
double sweep_until(double tolerance, int limit, int& iterations, ComplementarityMemory& memory) {
  constexpr int between_checks = 10;
  ScaledProblem& problem = memory.scaled;
  double *x = memory.scaled_P.data(), *U = memory.scaled_U.data();
  double residual = problem.residual(x, U, tolerance);
  for (int done = 0; residual > tolerance && may_go_on(done, limit); done += between_checks) {
    for (int k = 0; k < between_checks; ++k) sweep_blocks(problem, x, U);
    iterations += between_checks;
    problem.rates(x, U);
    residual = problem.residual(x, U, tolerance);
  }
  return residual;
}

ComplementarityResult solved_single(const SolverOptions& settings, ComplementarityMemory& memory) {
  ScaledProblem& problem = memory.scaled;
  double *x = memory.scaled_P.data(), *U = memory.scaled_U.data();
  ComplementarityResult result;
  const bool solved = solve_block(problem.blocks()[0], problem.own(0), problem.b(), x, &result.is_unique);
  problem.rates(x, U);
  result.residual = problem.residual(x, U, settings.tolerance);
  if (!solved || !(result.residual <= settings.tolerance)) result.status = ComplementarityStatus::iteration_limit;
  return result;
}

// Newton's method; what it reaches.
double newton_from_here(double tolerance, int limit, int& iterations, ComplementarityMemory& memory) {
  return memory.newton->solve(memory.scaled, tolerance, limit, iterations, memory.scaled_P.data(),
                              memory.scaled_U.data());
}

// Near a solution from inside.
void interior_from_outside(int limit, int& iterations, ComplementarityMemory& memory) {
  constexpr double near = 1e-6;
  constexpr int most_steps = 150;
  memory.interior->solve(memory.scaled, near, std::min(most_steps, limit - iterations), iterations,
                         memory.scaled_P.data(), memory.scaled_U.data());
}

double residual_here(double tolerance, const ComplementarityMemory& memory) {
  return memory.scaled.residual(memory.scaled_P.data(), memory.scaled_U.data(), tolerance);
}

// P of the given problem; whether it is solved.
ComplementarityResult given_back(ComplementarityResult result, double tolerance, const ComplementarityMemory& memory,
                                 double* P) {
  memory.scaled.to_given(memory.scaled_P.data(), P);
  if (!(result.residual <= tolerance)) result.status = ComplementarityStatus::iteration_limit;
  return result;
}

ComplementarityResult solve_alternating(const SolverOptions& settings, ComplementarityMemory& memory) {
  using Status = ComplementarityStatus;
  constexpr int rounds = 6, most_pivot_rows = 400;
  ComplementarityResult result;
  result.residual = residual_here(settings.tolerance, memory);
  const int limit = settings.max_iterations > 0 ? settings.max_iterations : 100'000;
  const auto is_over = [&] { return result.residual <= settings.tolerance || !may_go_on(result.iterations, limit); };
  const auto newton = [&] { result.residual = newton_from_here(settings.tolerance, limit, result.iterations, memory); };
  const auto interior = [&] { interior_from_outside(limit, result.iterations, memory); };
  // Many contacts are far from their statuses, one step of Newton's exchanges a few.
  const bool from_inside = memory.scaled.blocks().size() > many_blocks && !settings.warm_start && !is_over();
  if (from_inside) interior();
  newton();
  if (!is_over() && !from_inside) {
    interior();
    newton();
  }
  Status failure = Status::iteration_limit;
  if (!is_over() && is_planar(memory.scaled) && pivot_rows(memory.scaled) <= most_pivot_rows) {
    const ComplementarityResult pivoted = pivot_blocks(settings, memory);
    result.iterations += pivoted.iterations;
    if (pivoted.status == Status::no_solution) failure = Status::no_solution;
    newton();
  }
  for (int round = 0, sweeps = 50; round < rounds && !is_over() && memory.scaled.can_change(); ++round, sweeps *= 3) {
    result.residual =
        sweep_until(settings.tolerance, std::min(sweeps, limit - result.iterations), result.iterations, memory);
    if (!is_over()) newton();
  }
  if (!(result.residual <= settings.tolerance)) result.status = failure;
  return result;
}

}  // namespace

ComplementarityResult block_gauss_seidel(const ComplementarityProblem& given, const SolverOptions& settings,
                                         ComplementarityMemory& memory, double* P) {
  using Status = ComplementarityStatus;
  if (!set_scaled(given, settings.warm_start, true, memory, P)) return {Status::not_supported, 0.0, 0};
  ComplementarityResult result;
  const int limit = settings.max_iterations > 0 ? settings.max_iterations : 200'000;
  result.residual = sweep_until(settings.tolerance, limit, result.iterations, memory);
  return given_back(result, settings.tolerance, memory, P);
}

ComplementarityResult alart_curnier(const ComplementarityProblem& given, const SolverOptions& settings,
                                    ComplementarityMemory& memory, double* P) {
  using Status = ComplementarityStatus;
  if (!set_scaled(given, settings.warm_start, false, memory, P)) return {Status::not_supported, 0.0, 0};
  ComplementarityResult result;
  const int limit = settings.max_iterations > 0 ? settings.max_iterations : 1000;
  result.residual = newton_from_here(settings.tolerance, limit, result.iterations, memory);
  return given_back(result, settings.tolerance, memory, P);
}

ComplementarityResult block_interior_point(const ComplementarityProblem& given, const SolverOptions& settings,
                                           ComplementarityMemory& memory, double* P) {
  if (!set_scaled(given, false, false, memory, P)) return {ComplementarityStatus::not_supported, 0.0, 0};
  ComplementarityResult result;
  const int limit = settings.max_iterations > 0 ? settings.max_iterations : 200;
  result.residual = residual_here(settings.tolerance, memory);
  if (result.residual > settings.tolerance) {
    interior_from_outside(limit, result.iterations, memory);
    result.residual = newton_from_here(settings.tolerance, limit, result.iterations, memory);
  }
  return given_back(result, settings.tolerance, memory, P);
}

ComplementarityResult block_lemke(const ComplementarityProblem& given, const SolverOptions& settings,
                                  ComplementarityMemory& memory, double* P) {
  using Status = ComplementarityStatus;
  ComplementarityProblem dense = given;
  if (given.n <= largest_formed) dense.W = DenseForm{dense_form(given, memory)};
  if (!set_scaled(dense, false, false, memory, P) || !is_planar(memory.scaled)) return {Status::not_supported, 0.0, 0};
  ComplementarityResult result = pivot_blocks(settings, memory);
  if (result.status == Status::not_supported) return result;
  // Many redundant contacts: pivots lose their digits.
  if (result.residual > settings.tolerance) {
    std::fill(memory.scaled_P.begin(), memory.scaled_P.end(), 0.0);
    memory.scaled.rates(memory.scaled_P.data(), memory.scaled_U.data());
    result.residual = newton_from_here(settings.tolerance, INT_MAX, result.iterations, memory);
  }
  memory.scaled.to_given(memory.scaled_P.data(), P);
  if (result.residual <= settings.tolerance)
    result.status = Status::solved;
  else if (result.status == Status::solved)
    result.status = Status::iteration_limit;
  return result;
}

ComplementarityResult solve_blocks(const ComplementarityProblem& given, const SolverOptions& settings,
                                   ComplementarityMemory& memory, double* P) {
  if (!set_scaled(given, settings.warm_start, false, memory, P)) return {ComplementarityStatus::not_supported, 0.0, 0};
  const bool single = memory.scaled.blocks().size() == 1 && memory.scaled.can_change();
  ComplementarityResult result;
  if (single) result = solved_single(settings, memory);
  const bool known =
      single ? result.status == ComplementarityStatus::solved : enumerate_blocks(settings, memory, result);
  if (!known) result = solve_alternating(settings, memory);
  memory.scaled.to_given(memory.scaled_P.data(), P);
  return result;
}

}  // namespace ricochet
