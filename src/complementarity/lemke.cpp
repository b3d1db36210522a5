// Lemke's method on the scaled problem w = W̃ P̃ + b̃, W̃ = S W S, b̃ = S b, S = diag(W)^(−1/2), P = S P̃.
//
// Tableau, one row per basic variable:  [ w-columns | z-columns | a₀ | right-hand side ].
// Start: basis w, I w − W̃ P̃ − 1 a₀ = b̃. The artificial a₀ enters first; afterwards the complement of
// the variable that left enters, until a₀ leaves (solution) or nothing blocks. Ties are broken lexicographically, so it
// never cycles, and it finds a solution for every positive semidefinite W that has one. Where nothing blocks P may go
// on along a ray z without end. For a copositive W that happens only where it has
//
//     z ≥ 0,   W z ≥ 0,   z_i (W z)_i = 0,   bᵀz < 0;                                                             (1)
//
// a ray that does not is the round-off of pivots, and says nothing.
// C. E. Lemke, Management Science 11 (1965) 681, doi:10.1287/mnsc.11.7.681.
#include <algorithm>
#include <cmath>

#include "complementarity/memory.hpp"

namespace ricochet {
namespace {

constexpr int largest = 2000;              // rows; the tableau is dense
constexpr double pivot_tolerance = 1e-12;  // smallest pivot, in the problem with unit diagonal
constexpr double ray_digits = 1e-12;       // of the terms of W z: round-off; its root of bᵀz, as b = Hᵀv, W = HᵀH

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

  // What P̃ is along the ray on which nothing blocks `entering`.
  void ray(int entering, double* z) const {
    std::fill(z, z + n_, 0.0);
    for (int i = 0; i < n_; ++i)
      if (is_push(basis_[i])) z[basis_[i] - n_] = -at(i, entering);
    if (is_push(entering)) z[entering - n_] = 1.0;
  }

  bool is_push(int variable) const { return variable >= n_ && variable < artificial(); }
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

// (1) of the scaled problem.
bool ends_all(const ComplementarityProblem& problem, const double* W, const std::vector<double>& s,
              const std::vector<double>& z, std::vector<double>& rates) {
  const std::size_t n = z.size();
  double along_b = 0.0, size_of_b = 0.0, push = 0.0, terms = 0.0;
  rates.assign(n, 0.0);
  for (std::size_t i = 0; i < n; ++i) {
    const double b = s[i] * problem.b[i];
    along_b += b * z[i];
    size_of_b = std::max(size_of_b, std::abs(b)), push = std::max(push, std::abs(z[i]));
    double size = 0.0;
    for (std::size_t j = 0; j < n; ++j) {
      const double term = s[i] * W[j * n + i] * s[j] * z[j];
      rates[i] += term, size += std::abs(term);
    }
    terms = std::max(terms, size);
  }
  bool holds = along_b < -std::sqrt(ray_digits) * size_of_b * push;
  for (std::size_t i = 0; i < n; ++i) {
    const bool pushes = z[i] > ray_digits * push;
    holds = holds && z[i] >= -ray_digits * push && (pushes ? std::abs(rates[i]) : -rates[i]) <= ray_digits * terms;
  }
  return holds;
}

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
  bool has_none = false;  // no solution
  int row = tableau.most_negative();
  int entering = tableau.artificial();
  while (row >= 0 && may_go_on(result.iterations, limit)) {
    const int leaving = tableau.pivot(row, entering);
    ++result.iterations;
    if (leaving == tableau.artificial()) break;
    entering = tableau.complement(leaving);
    row = tableau.blocking(entering);
    if (row >= 0) continue;
    memory.x.resize(static_cast<std::size_t>(n));
    tableau.ray(entering, memory.x.data());
    has_none = ends_all(problem, W, memory.scale, memory.x, memory.y);
  }

  // The basis says which rows push; their values are solved for again, free of the round-off of the pivots.
  memory.active.assign(static_cast<std::size_t>(n), 0);
  memory.x.assign(static_cast<std::size_t>(n), 0.0);
  for (int i = 0; i < n; ++i)
    if (const int variable = tableau.basic(i); tableau.is_push(variable)) {
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
  // With redundant contacts round-off in b alone can make a problem unsolvable in exact arithmetic, and pivots lose
  // their digits.
  const ComplementarityResult repaired = proximal(problem, system, memory, limit, P);
  result.iterations += repaired.iterations;
  result.residual = repaired.residual;
  if (repaired.status != Status::solved) result.status = has_none ? Status::no_solution : Status::iteration_limit;
  return result;
}

}  // namespace ricochet
