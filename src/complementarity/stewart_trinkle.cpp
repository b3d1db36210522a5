// Planar friction as a linear complementarity problem for Lemke's method: P_T = β⁺ − β⁻ and σ = |U_T| where it slides,
//
//     0 ≤ U_N ⊥ P_N ≥ 0,   0 ≤ ±U_T + σ ⊥ β± ≥ 0,   0 ≤ μ P_N − β⁺ − β⁻ ⊥ σ ≥ 0,
//
// with L in place of μ P_N for dry friction. The matrix is copositive if W is semidefinite, so that the method ends
// with a solution or says that there is none. D. E. Stewart, J. C. Trinkle, Int. J. Numer. Methods Eng. 39 (1996) 2673,
// doi:10.1002/(SICI)1097-0207(19960815)39:15<2673::AID-NME972>3.0.CO;2-I; M. Anitescu, F. A. Potra, Nonlinear Dyn. 14
// (1997) 231, doi:10.1023/A:1008292328909.
#include <algorithm>

#include "complementarity/memory.hpp"

namespace ricochet {
bool is_planar(const ScaledProblem& problem) {
  return problem.is_dense() && std::all_of(problem.blocks().begin(), problem.blocks().end(), [](const Block& block) {
           return block.cone != Cone::free && block.size <= (block.cone == Cone::coulomb ? 2 : 1);
         });
}

int pivot_rows(const ScaledProblem& problem) {
  int count = 0;
  for (const Block& block : problem.blocks())
    count += block.cone == Cone::coulomb ? 4 : block.cone == Cone::disc ? 3 : 1;
  return count;
}

ComplementarityResult pivot_blocks(const SolverOptions& settings, ComplementarityMemory& memory) {
  const ScaledProblem& problem = memory.scaled;
  const std::size_t n = static_cast<std::size_t>(problem.n()), m = static_cast<std::size_t>(pivot_rows(problem));
  memory.pivot_W.assign(m * m, 0.0);
  memory.pivot_b.assign(m, 0.0);
  memory.pivot_P.assign(m, 0.0);
  memory.pivot_row.assign(m, -1);
  memory.pivot_sign.assign(m, 0.0);
  const auto at = [&](std::size_t i, std::size_t j) -> double& { return memory.pivot_W[j * m + i]; };
  std::size_t next = 0;
  const auto add = [&](int row, double sign) {
    memory.pivot_row[next] = row;
    memory.pivot_sign[next] = sign;
    memory.pivot_b[next++] = sign * problem.b()[row];
  };
  for (const Block& block : problem.blocks()) {
    const bool is_contact = block.cone == Cone::coulomb;
    if (block.cone != Cone::disc) add(block.first, 1.0);
    if (block.cone == Cone::nonnegative) continue;
    const int tangent = block.first + (is_contact ? 1 : 0);
    add(tangent, 1.0);
    add(tangent, -1.0);
    const std::size_t sigma = next++;
    for (const std::size_t beta : {sigma - 2, sigma - 1}) at(beta, sigma) = 1.0, at(sigma, beta) = -1.0;
    if (is_contact)
      at(sigma, sigma - 3) = block.bound;
    else
      memory.pivot_b[sigma] = block.bound;
  }
  for (std::size_t j = 0; j < m; ++j)
    for (std::size_t i = 0; i < m; ++i)
      if (memory.pivot_row[i] >= 0 && memory.pivot_row[j] >= 0)
        at(i, j) = memory.pivot_sign[i] * memory.pivot_sign[j] *
                   problem.values()[static_cast<std::size_t>(memory.pivot_row[j]) * n + memory.pivot_row[i]];
  ComplementarityResult result = lemke({static_cast<int>(m), DenseForm{memory.pivot_W.data()}, memory.pivot_b.data()},
                                       settings, memory, memory.pivot_P.data());
  std::fill(memory.scaled_P.begin(), memory.scaled_P.end(), 0.0);
  for (std::size_t i = 0; i < m; ++i)
    if (memory.pivot_row[i] >= 0) memory.scaled_P[memory.pivot_row[i]] += memory.pivot_sign[i] * memory.pivot_P[i];
  memory.scaled.rates(memory.scaled_P.data(), memory.scaled_U.data());
  result.residual = memory.scaled.residual(memory.scaled_P.data(), memory.scaled_U.data(), settings.tolerance);
  return result;
}

}  // namespace ricochet
