// Lemke's method on the scaled problem w = W̃ z + b̃, W̃ = S W S, b̃ = S b, S = diag(W)^(−1/2), P = S z.
//
// Tableau, one row per basic variable:  [ w-columns | z-columns | z₀ | right-hand side ].
// Start: basis w, I w − W̃ z − 1 z₀ = b̃. The artificial z₀ enters first; afterwards the complement of
// the variable that left enters, until z₀ leaves (solution) or nothing blocks (no solution).
#include <algorithm>
#include <cmath>

#include "ricochet/complementarity/problem.hpp"

namespace ricochet {
namespace {

constexpr double pivot_tolerance = 1e-12;  // smallest pivot, in the problem with unit diagonal

class Tableau {
 public:
  Tableau(const ComplementarityProblem& problem, ComplementarityWorkspace& workspace)
      : n_(problem.n), columns_(2 * problem.n + 2), entries_(workspace.tableau), basis_(workspace.basis) {
    entries_.assign(static_cast<std::size_t>(n_) * columns_, 0.0);
    basis_.resize(n_);
    const std::vector<double>& s = workspace.scale;
    for (int i = 0; i < n_; ++i) {
      at(i, i) = 1.0;
      for (int j = 0; j < n_; ++j) at(i, n_ + j) = -s[i] * problem.W[static_cast<std::size_t>(j) * n_ + i] * s[j];
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

  // The row that blocks `entering` first, ties by the w-columns, z₀ preferred; −1 if nothing blocks.
  int blocking(int entering) const {
    int best = -1;
    for (int i = 0; i < n_; ++i) {
      const double a = at(i, entering);
      if (a <= pivot_tolerance) continue;
      if (best < 0 || lexicographically_less(i, a, best, at(best, entering))) best = i;
    }
    if (best < 0) return best;
    // z₀ leaves whenever it may: the solution is then reached.
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

bool all_finite(int n, const double* x) {
  return std::all_of(x, x + n, [](double value) { return std::isfinite(value); });
}

// max |min(z, w)| of the scaled problem, relative to max |b̃|.
double natural_residual(const ComplementarityProblem& problem, const std::vector<double>& s, const double* P) {
  double residual = 0.0, size = 0.0;
  for (int i = 0; i < problem.n; ++i) {
    double w = problem.b[i];
    for (int j = 0; j < problem.n; ++j) w += problem.W[static_cast<std::size_t>(j) * problem.n + i] * P[j];
    residual = std::max(residual, std::abs(std::min(P[i] / s[i], w * s[i])));
    size = std::max(size, std::abs(problem.b[i] * s[i]));
  }
  return size > 0.0 ? residual / size : residual;
}

}  // namespace

std::string_view name(ComplementarityStatus status) {
  switch (status) {
    case ComplementarityStatus::solved: return "solved";
    case ComplementarityStatus::no_solution: return "no solution";
    case ComplementarityStatus::iteration_limit: return "iteration limit";
    case ComplementarityStatus::not_finite: return "not finite";
  }
  return "";
}

ComplementarityResult lemke(const ComplementarityProblem& problem, const ComplementaritySettings& settings,
                            ComplementarityWorkspace& workspace, double* P) {
  using Status = ComplementarityStatus;
  const int n = problem.n;
  std::fill(P, P + n, 0.0);
  if (!all_finite(n * n, problem.W) || !all_finite(n, problem.b)) return {Status::not_finite, 0.0, 0};

  // Unit diagonal, where there is a diagonal to speak of.
  workspace.scale.resize(n);
  for (int i = 0; i < n; ++i) {
    const double diagonal = problem.W[static_cast<std::size_t>(i) * n + i];
    workspace.scale[i] = diagonal > 0.0 ? 1.0 / std::sqrt(diagonal) : 1.0;
  }

  Tableau tableau(problem, workspace);
  const int limit = settings.max_iterations > 0 ? settings.max_iterations : 50 + 10 * n;
  ComplementarityResult result;
  bool blocked = true;
  int row = tableau.most_negative();
  int entering = tableau.artificial();
  while (row >= 0) {
    const int leaving = tableau.pivot(row, entering);
    if (++result.iterations > limit) return {Status::iteration_limit, 0.0, result.iterations};
    if (leaving == tableau.artificial()) break;
    entering = tableau.complement(leaving);
    row = tableau.blocking(entering);
    blocked = row >= 0;
  }

  for (int i = 0; i < n; ++i)
    if (const int variable = tableau.basic(i); variable >= n && variable < 2 * n)
      P[variable - n] = std::max(0.0, tableau.right_of(i)) * workspace.scale[variable - n];
  result.residual = natural_residual(problem, workspace.scale, P);
  // Nothing blocked: there is no solution, unless the point reached is one within the tolerance. (With redundant
  // contacts round-off in b alone can make a problem unsolvable in exact arithmetic.)
  if (result.residual > settings.tolerance) result.status = blocked ? Status::iteration_limit : Status::no_solution;
  return result;
}

}  // namespace ricochet
