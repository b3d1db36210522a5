// Lemke's method on the scaled problem w = W̃ P̃ + b̃, W̃ = S W S, b̃ = S b, S = diag(W)^(−1/2), P = S P̃.
//
// Tableau, one row per basic variable:  [ w-columns | z-columns | a₀ | right-hand side ].
// Start: basis w, I w − W̃ P̃ − 1 a₀ = b̃. The artificial a₀ enters first; afterwards the complement of
// the variable that left enters, until a₀ leaves (solution) or nothing blocks (no solution). Ties are broken
// lexicographically, so it never cycles, and it finds a solution for every positive semidefinite W that has one.
// C. E. Lemke, Management Science 11 (1965) 681, doi:10.1287/mnsc.11.7.681.
#include <algorithm>
#include <cmath>

#include "complementarity/memory.hpp"

namespace ricochet {
namespace {

constexpr int largest = 2000;              // rows; the tableau is dense
constexpr double pivot_tolerance = 1e-12;  // smallest pivot, in the problem with unit diagonal

class Tableau {
 public:
  Tableau(const ComplementarityProblem& problem, const double* W, ComplementarityMemory& memory)
      : n_(problem.n), columns_(2 * problem.n + 2), entries_(memory.tableau), basis_(memory.basis) {
    entries_.assign(static_cast<std::size_t>(n_) * columns_, 0.0);
    basis_.resize(n_);
    const std::vector<double>& s = memory.scale;
    for (int i = 0; i < n_; ++i) {
      at(i, i) = 1.0;
      for (int j = 0; j < n_; ++j) at(i, n_ + j) = -s[i] * W[static_cast<std::size_t>(j) * n_ + i] * s[j];
      at(i, artificial()) = -1.0;
      at(i, right()) = s[i] * problem.b[i];
      basis_[i] = i;
    }
  }

  int artificial() const { return 2 * n_; }
  int right() const { return 2 * n_ + 1; }
  double right_of(int row) const { return at(row, right()); }
  int basic(int row) const { return basis_[row]; }

  // The row of the most negative right-hand side, ties by the w-columns; −1 if there is none.
  int most_negative() const {
    int best = -1;
    for (int i = 0; i < n_; ++i)
      if (right_of(i) < 0.0 && (best < 0 || lexicographically_less(i, 1.0, best, 1.0))) best = i;
    return best;
  }

  // The row that blocks `entering` first, ties by the w-columns, a₀ preferred; −1 if nothing blocks.
  int blocking(int entering) const {
    int best = -1;
    for (int i = 0; i < n_; ++i) {
      const double a = at(i, entering);
      if (a <= pivot_tolerance) continue;
      if (best < 0 || lexicographically_less(i, a, best, at(best, entering))) best = i;
    }
    if (best < 0) return best;
    // a₀ leaves whenever it may: the solution is then reached.
    for (int i = 0; i < n_; ++i) {
      const double a = at(i, entering);
      if (basis_[i] == artificial() && a > pivot_tolerance &&
          right_of(i) / a <= right_of(best) / at(best, entering) + pivot_tolerance * std::abs(right_of(best)))
        return i;
    }
    return best;
  }

  // `entering` becomes basic in `row`; returns the variable that left.
  int pivot(int row, int entering) {
    const double inverse = 1.0 / at(row, entering);
    for (int j = 0; j < columns_; ++j) at(row, j) *= inverse;
    at(row, entering) = 1.0;
    for (int i = 0; i < n_; ++i) {
      const double factor = at(i, entering);
      if (i == row || factor == 0.0) continue;
      for (int j = 0; j < columns_; ++j) at(i, j) -= factor * at(row, j);
      at(i, entering) = 0.0;
    }
    const int leaving = basis_[row];
    basis_[row] = entering;
    return leaving;
  }

  int complement(int variable) const { return variable < n_ ? variable + n_ : variable - n_; }

 private:
  double& at(int i, int j) { return entries_[static_cast<std::size_t>(i) * columns_ + j]; }
  double at(int i, int j) const { return entries_[static_cast<std::size_t>(i) * columns_ + j]; }

  // (right, w-columns)/a of row i against row k.
  bool lexicographically_less(int i, double a, int k, double c) const {
    const double difference = right_of(i) / a - right_of(k) / c;
    if (difference != 0.0) return difference < 0.0;
    for (int j = 0; j < n_; ++j) {
      const double d = at(i, j) / a - at(k, j) / c;
      if (d != 0.0) return d < 0.0;
    }
    return false;
  }

  int n_, columns_;
  std::vector<double>& entries_;
  std::vector<int>& basis_;
};

}  // namespace

ComplementarityResult lemke(const ComplementarityProblem& given, const SolverOptions& settings,
                            ComplementarityMemory& memory, double* P) {
  using Status = ComplementarityStatus;
  const int n = given.n;
  if (n > largest) return {Status::not_supported, 0.0, 0};
  const double* W = dense_form(given, memory);
  const ComplementarityProblem problem{n, DenseForm{W}, given.b};
  NewtonSystem& system = system_of(problem, memory);
  set_scale(problem, system, memory);
  std::fill(P, P + n, 0.0);

  Tableau tableau(problem, W, memory);
  const int limit = settings.max_iterations > 0 ? settings.max_iterations : 50 + 10 * n;
  ComplementarityResult result;
  bool blocked = true;
  int row = tableau.most_negative();
  int entering = tableau.artificial();
  while (row >= 0 && may_go_on(result.iterations, limit)) {
    const int leaving = tableau.pivot(row, entering);
    ++result.iterations;
    if (leaving == tableau.artificial()) break;
    entering = tableau.complement(leaving);
    row = tableau.blocking(entering);
    blocked = row >= 0;
  }

  // The basis says which rows push; their values are solved for again, free of the round-off of the pivots.
  memory.active.assign(static_cast<std::size_t>(n), 0);
  memory.x.assign(static_cast<std::size_t>(n), 0.0);
  for (int i = 0; i < n; ++i)
    if (const int variable = tableau.basic(i); variable >= n && variable < 2 * n) {
      memory.active[variable - n] = 1;
      memory.x[variable - n] = std::max(0.0, tableau.right_of(i)) * memory.scale[variable - n];
    }
  double polished = HUGE_VAL;
  if (solve_on_active(problem, system, memory, size_of_b(problem, memory), 0.0, P)) {
    for (int i = 0; i < n; ++i) P[i] = std::max(0.0, P[i]);
    polished = natural_residual(problem, system, memory, P);
  }
  result.residual = natural_residual(problem, system, memory, memory.x.data());
  if (result.residual < polished) {
    std::copy(memory.x.begin(), memory.x.end(), P);
  } else {
    result.residual = polished;
  }
  if (result.residual <= settings.tolerance) return result;
  // Nothing blocked: there is no solution, unless round-off said so. (With redundant contacts round-off in b alone can
  // make a problem unsolvable in exact arithmetic, and pivots lose their digits.)
  const ComplementarityResult repaired = proximal(problem, system, memory, limit, P);
  result.iterations += repaired.iterations;
  result.residual = repaired.residual;
  if (repaired.status != Status::solved) result.status = blocked ? Status::iteration_limit : Status::no_solution;
  return result;
}

}  // namespace ricochet
