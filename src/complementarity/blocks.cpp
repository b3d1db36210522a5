// Problems with Coulomb friction: blocks of rows.
#include <algorithm>
#include <cmath>

#include "complementarity/memory.hpp"

namespace ricochet {
namespace {

// The problem in scaled variables, with P as it comes and U = W P + b.
bool set_scaled(const ComplementarityProblem& given, bool warm, ComplementarityMemory& memory, const double* P) {
  ComplementarityProblem problem = given;
  if (!std::holds_alternative<DenseForm>(given.W) && !std::holds_alternative<SparseForm>(given.W)) {
    if (given.n > largest_formed) return false;
    problem.W = DenseForm{dense_form(given, memory)};
  }
  set_scale(problem, system_of(problem, memory), memory);
  memory.scaled.set(problem, memory.scale);
  memory.scaled_P.assign(static_cast<std::size_t>(given.n), 0.0);
  memory.scaled_U.resize(static_cast<std::size_t>(given.n));
  if (warm) memory.scaled.to_scaled(P, memory.scaled_P.data());
  memory.scaled.rates(memory.scaled_P.data(), memory.scaled_U.data());
  return true;
}

// Each block after the other, exactly.
void sweep(const ScaledProblem& problem, double* P, double* U) {
  for (std::size_t k = 0; k < problem.blocks().size(); ++k) {
    const Block& block = problem.blocks()[k];
    const double* W = problem.own(k);
    double b[3], own[3];
    for (int i = 0; i < block.size; ++i) {
      b[i] = U[block.first + i];
      own[i] = P[block.first + i];
      for (int j = 0; j < block.size; ++j) b[i] -= W[j * block.size + i] * P[block.first + j];
    }
    if (!solve_block(block, W, b, own)) continue;
    for (int j = 0; j < block.size; ++j) {
      const double step = own[j] - P[block.first + j];
      if (step == 0.0 || !std::isfinite(step)) continue;
      P[block.first + j] = own[j];
      problem.add_column(block.first + j, step, U);
    }
  }
}

}  // namespace

ComplementarityResult block_gauss_seidel(const ComplementarityProblem& given, const SolverOptions& settings,
                                         ComplementarityMemory& memory, double* P) {
  using Status = ComplementarityStatus;
  if (!set_scaled(given, settings.warm_start, memory, P)) return {Status::not_supported, 0.0, 0};
  const ScaledProblem& problem = memory.scaled;
  double *x = memory.scaled_P.data(), *U = memory.scaled_U.data();
  constexpr int between_checks = 10;
  const int limit = settings.max_iterations > 0 ? settings.max_iterations : 200'000;
  ComplementarityResult result;
  result.residual = problem.residual(x, U, settings.tolerance);
  while (result.residual > settings.tolerance && result.iterations < limit) {
    for (int k = 0; k < between_checks; ++k) sweep(problem, x, U);
    result.iterations += between_checks;
    problem.rates(x, U);
    result.residual = problem.residual(x, U, settings.tolerance);
  }
  problem.to_given(x, P);
  if (!(result.residual <= settings.tolerance)) result.status = Status::iteration_limit;
  return result;
}

ComplementarityResult solve_blocks(const ComplementarityProblem& given, const SolverOptions& settings,
                                   ComplementarityMemory& memory, double* P) {
  using Status = ComplementarityStatus;
  if (block_at(given, 0).size < given.n) return block_gauss_seidel(given, settings, memory, P);
  // A single block is solved in closed form.
  if (!set_scaled(given, settings.warm_start, memory, P)) return {Status::not_supported, 0.0, 0};
  const ScaledProblem& problem = memory.scaled;
  double *x = memory.scaled_P.data(), *U = memory.scaled_U.data();
  ComplementarityResult result;
  const bool solved = solve_block(problem.blocks()[0], problem.own(0), problem.b(), x, &result.is_unique);
  problem.rates(x, U);
  result.residual = problem.residual(x, U, settings.tolerance);
  problem.to_given(x, P);
  if (!solved || !(result.residual <= settings.tolerance)) result.status = Status::no_solution;
  return result;
}

}  // namespace ricochet
