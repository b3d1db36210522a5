// The equations of λ are free rows: local [W V; Vᵀ R] (r, λ) + (q, s), global W = [H G]ᵀ M⁻¹ [H G].
#include "ricochet/task/solve.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <tuple>

#include "core/sparse_solve.hpp"
#include "ricochet/core/error.hpp"
#include "ricochet/core/quantity.hpp"

namespace ricochet {
namespace {

constexpr int dense_rows = 200;  // up to which W is dense

struct SparseValues {
  Pattern pattern;
  std::vector<double> values;
};

class Entries {
 public:
  // A at (row, col) of the sum; transposed on request.
  void add(const io::FclibMatrix& A, int row, int col, bool transposed = false) {
    io::each_entry(A, [&](int i, int j, double x) { put(row + (transposed ? j : i), col + (transposed ? i : j), x); });
  }
  void put(int i, int j, double x) { entries_.emplace_back(j, i, x); }
  // Both triangles and the diagonal are in the pattern.
  void symmetrise(int n) {
    const std::size_t count = entries_.size();
    for (std::size_t k = 0; k < count; ++k) put(std::get<0>(entries_[k]), std::get<1>(entries_[k]), 0.0);
    for (int i = 0; i < n; ++i) put(i, i, 0.0);
  }

  // By columns; entries of the same place are summed.
  SparseValues columns(int rows, int cols) {
    std::stable_sort(entries_.begin(), entries_.end(), [](const auto& a, const auto& b) {
      return std::tie(std::get<0>(a), std::get<1>(a)) < std::tie(std::get<0>(b), std::get<1>(b));
    });
    SparseValues A{{rows, cols, std::vector<int>(static_cast<std::size_t>(cols) + 1, 0), {}}, {}};
    int last_row = -1, last_col = -1;
    for (const auto& [j, i, x] : entries_) {
      if (i == last_row && j == last_col) {
        A.values.back() += x;
        continue;
      }
      last_row = i, last_col = j;
      A.pattern.row.push_back(i);
      A.values.push_back(x);
      ++A.pattern.start[j + 1];
    }
    for (int j = 0; j < cols; ++j) A.pattern.start[j + 1] += A.pattern.start[j];
    return A;
  }

 private:
  std::vector<std::tuple<int, int, double>> entries_;  // column, row, value
};

class ContactProblem {
 public:
  explicit ContactProblem(const io::FclibProblem& given) : given_(given) {
    contact_rows_ = given.contacts() * given.spacedim;
    n_ = contact_rows_ + (given.is_global ? given.G.cols : given.V.cols);
    cones_.assign(static_cast<std::size_t>(n_), Cone::free);
    bounds_.assign(static_cast<std::size_t>(n_), 0.0);
    for (int k = 0; k < given.contacts(); ++k)
      for (int i = 0; i < given.spacedim; ++i) {
        const int row = k * given.spacedim + i;
        cones_[row] = i == 0 ? Cone::coulomb : Cone::tangent;
        if (i == 0) bounds_[row] = given.mu[k];
      }
    given.is_global ? set_global() : set_local();
  }

  int equations() const { return n_ - contact_rows_; }
  ComplementarityProblem problem() const { return {n_, form_, b_.data(), cones_.data(), bounds_.data()}; }

  io::FclibSolution solution(const std::vector<double>& P) const {
    io::FclibSolution found;
    found.r.assign(P.begin(), P.begin() + contact_rows_);
    found.l.assign(P.begin() + contact_rows_, P.end());
    found.u.assign(b_.begin(), b_.begin() + contact_rows_);
    if (given_.is_global) {
      found.v.assign(given_.f.begin(), given_.f.end());
      multiply_add(H_.pattern, H_.values.data(), P.data(), 1.0, found.v.data());
      factors_.solve(found.v.data());
      for (int j = 0; j < contact_rows_; ++j)
        found.u[j] = column_dot(H_.pattern, H_.values.data(), j, found.v.data()) + given_.w[j];
    } else {
      std::vector<double> U(b_);
      multiply_add(W_.pattern, W_.values.data(), P.data(), 1.0, U.data());
      found.u.assign(U.begin(), U.begin() + contact_rows_);
    }
    return found;
  }

 private:
  void set_local() {
    Entries entries;
    entries.add(given_.W, 0, 0);
    entries.add(given_.V, 0, contact_rows_);
    entries.add(given_.V, contact_rows_, 0, true);
    entries.add(given_.R, contact_rows_, contact_rows_);
    entries.symmetrise(n_);
    W_ = entries.columns(n_, n_);
    check_normals();
    b_ = given_.q;
    b_.insert(b_.end(), given_.s.begin(), given_.s.end());
    form_ = SparseForm{&W_.pattern, W_.values.data()};
    if (n_ > dense_rows) return;
    dense_.assign(static_cast<std::size_t>(n_) * static_cast<std::size_t>(n_), 0.0);
    for (int j = 0; j < n_; ++j)
      for (int k = W_.pattern.start[j]; k < W_.pattern.start[j + 1]; ++k)
        dense_[static_cast<std::size_t>(j) * n_ + W_.pattern.row[k]] = W_.values[k];
    form_ = DenseForm{dense_.data()};
  }

  // An impulse along a normal moves its contact apart.
  void check_normals() const {
    for (int j = 0; j < contact_rows_; j += given_.spacedim) {
      const double own = diagonal_entry(W_.pattern, W_.values.data(), j);
      if (!(own > 0.0))
        throw InputError("fclib_local/W", "has " + to_text(own) + " on its diagonal for the normal of contact " +
                                              std::to_string(j / given_.spacedim) + ", which must be positive");
    }
  }

  void set_global() {
    const int m = given_.M.rows;
    Entries mass, gradient;
    mass.add(given_.M, 0, 0);
    mass.symmetrise(m);
    M_ = mass.columns(m, m);
    gradient.add(given_.H, 0, 0);
    gradient.add(given_.G, 0, contact_rows_);
    H_ = gradient.columns(m, n_);
    factors_.analyse(M_.pattern);
    if (!factors_.factorise(M_.values.data()))
      throw InputError("fclib_global/M", "is singular: no velocity follows from it");
    std::vector<double> v(given_.f);
    factors_.solve(v.data());
    b_ = given_.w;
    b_.insert(b_.end(), given_.b.begin(), given_.b.end());
    for (int j = 0; j < n_; ++j) b_[j] += column_dot(H_.pattern, H_.values.data(), j, v.data());
    form_ = SchurForm{&M_.pattern, M_.values.data(), &H_.pattern, H_.values.data(), &factors_};
  }

  const io::FclibProblem& given_;
  int contact_rows_ = 0, n_ = 0;
  std::vector<Cone> cones_;
  std::vector<double> bounds_, b_, dense_;
  SparseValues W_, M_, H_;
  SparseSolve factors_;
  MatrixForm form_;
};

}  // namespace

SolveOutcome solve_contact_problem(const io::FclibProblem& given, const ComplementaritySettings& settings) {
  check(settings);
  const auto begin = std::chrono::steady_clock::now();
  const ContactProblem contact(given);
  const ComplementarityProblem problem = contact.problem();
  ComplementarityWorkspace workspace;
  std::vector<double> P(static_cast<std::size_t>(problem.n), 0.0);
  SolveOutcome outcome{.is_global = given.is_global,
                       .contacts = given.contacts(),
                       .dimension = given.spacedim,
                       .equations = contact.equations(),
                       .solver = settings.solver};
  outcome.result = solve(problem, settings, workspace, P.data());
  outcome.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  if (problem.n > 0 && outcome.result.status != ComplementarityStatus::not_supported)
    outcome.residual = residual(problem, workspace, P.data());
  // What a solver calls solved in its own scaling must be so in that of the problem.
  if (outcome.result.status == ComplementarityStatus::solved &&
      !(outcome.residual <= std::max(1e-6, settings.tolerance)))
    outcome.result.status = ComplementarityStatus::iteration_limit, outcome.result.residual = outcome.residual;
  outcome.solution = contact.solution(P);
  return outcome;
}

}  // namespace ricochet
