#include "study/check/closable.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include "core/sparse_ldlt.hpp"

namespace ricochet {
namespace {

constexpr double rank_tolerance = 1e-10;
constexpr double gap_tolerance = 1e-9;
constexpr double largest_product = 1e7;  // entries of HᵀH

using Vector = std::vector<double>;

// The columns of A named by `columns`.
DenseMatrix selected(const DenseMatrix& A, const std::vector<int>& columns) {
  DenseMatrix part(A.rows, static_cast<int>(columns.size()));
  for (int k = 0; k < part.cols; ++k) std::copy_n(A.col(columns[k]), A.rows, part.col(k));
  return part;
}

// A x − b
Vector residual_of(const DenseMatrix& A, const Vector& x, const Vector& b) {
  Vector r(b.size(), 0.0);
  for (int j = 0; j < A.cols; ++j)
    for (int i = 0; i < A.rows; ++i) r[i] += A(i, j) * x[j];
  for (std::size_t i = 0; i < b.size(); ++i) r[i] -= b[i];
  return r;
}

// The column that lowers ‖A x − b‖ most, of those that may come in; −1 if none does.
int best_column(const DenseMatrix& A, const Vector& x, const Vector& b, const std::vector<char>& barred) {
  const Vector r = residual_of(A, x, b);
  double largest = 1e-13;
  int best = -1;
  for (int j = 0; j < A.cols; ++j)
    if (const double gain = -dot(A.rows, A.col(j), r.data()); !barred[j] && gain > largest) {
      best = j;
      largest = gain;
    }
  return best;
}

// min ‖A x − b‖, x ≥ 0: Lawson and Hanson's algorithm NNLS (Solving Least Squares Problems, 1974, chapter 23).
Vector nonnegative_least_squares(const DenseMatrix& A, const Vector& b) {
  const int n = A.cols;
  Vector x(n, 0.0);
  std::vector<int> passive;
  std::vector<char> refused(x.size(), 0);
  for (int round = 0; round < 3 * n + 30; ++round) {
    std::vector<char> barred = refused;
    for (const int j : passive) barred[j] = 1;
    const int best = best_column(A, x, b, barred);
    if (best < 0) break;
    passive.push_back(best);
    Vector s = least_squares(selected(A, passive), b);
    // A column that comes in with the wrong sign is round-off: leave it out.
    if (!(s.back() > 0.0)) {
      refused[best] = 1;
      passive.pop_back();
      continue;
    }
    std::fill(refused.begin(), refused.end(), 0);
    while (!s.empty() && *std::min_element(s.begin(), s.end()) <= 0.0) {
      double step = 1.0;
      for (std::size_t k = 0; k < passive.size(); ++k)
        if (s[k] <= 0.0) {
          const double from = x[passive[k]];
          step = std::min(step, from > 0.0 ? from / (from - s[k]) : 0.0);
        }
      std::vector<int> kept;
      for (std::size_t k = 0; k < passive.size(); ++k) {
        double& value = x[passive[k]];
        value += step * (s[k] - value);
        if (value > 1e-15 * std::abs(s[k]) && value > 0.0) {
          kept.push_back(passive[k]);
        } else {
          value = 0.0;
        }
      }
      if (kept.size() == passive.size()) kept.pop_back();
      passive = kept;
      s = least_squares(selected(A, passive), b);
    }
    std::fill(x.begin(), x.end(), 0.0);
    for (std::size_t k = 0; k < passive.size(); ++k) x[passive[k]] = s[k];
  }
  return x;
}

double norm(int n, const double* x) { return std::sqrt(dot(n, x, x)); }

}  // namespace

double squared_length(const Pattern& pattern, const double* H, int j) {
  double sum = 0.0;
  for (int k = pattern.start[j]; k < pattern.start[j + 1]; ++k) sum += H[k] * H[k];
  return sum;
}

LinearGaps::LinearGaps(const Pattern& gradient, const double* H) : gradient_(gradient) {
  std::map<int, int> place;
  for (const int i : gradient.row) place.emplace(i, 0);
  for (auto& [row, index] : place) {
    index = static_cast<int>(support_.size());
    support_.push_back(row);
  }
  DenseMatrix A(static_cast<int>(support_.size()), gradient.cols);
  for (int j = 0; j < gradient.cols; ++j)
    for (int k = gradient.start[j]; k < gradient.start[j + 1]; ++k) A(place[gradient.row[k]], j) = H[k];

  // Columns of length 1 for the rank.
  DenseMatrix unit = A;
  for (int j = 0; j < unit.cols; ++j)
    if (const double length = norm(unit.rows, unit.col(j)); length > 0.0)
      for (int i = 0; i < unit.rows; ++i) unit(i, j) /= length;
  basis_ = column_basis(unit, rank_tolerance);
  R_ = DenseMatrix(basis_.cols, gradient.cols);
  for (int j = 0; j < R_.cols; ++j)
    for (int i = 0; i < R_.rows; ++i) R_(i, j) = dot(A.rows, basis_.col(i), A.col(j));
}

// Least distance: min ‖y‖ with G y ≥ −g̃, G of the gaps and of −g of those closed. By NNLS on ‖[Gᵀ; −g̃ᵀ] u − (0, …, 0,
// 1)‖: with its residual r, y = −r_1…n / r_{n+1}; no solution if the residual vanishes (Lawson and Hanson, chapter 23).
struct LinearGaps::Distances {
  Vector length;      // of the gradients
  double unit = 0.0;  // the largest of the gaps as distances
  Vector u, r;        // the solution and its residual
};

LinearGaps::Distances LinearGaps::distances(const double* g0, const std::vector<int>& closed) const {
  const int nc = gradient_.cols;
  const int rank = R_.rows;
  Distances result;
  result.length.resize(nc);
  for (int j = 0; j < nc; ++j) {
    result.length[j] = norm(rank, R_.col(j));
    if (result.length[j] > 0.0) result.unit = std::max(result.unit, std::abs(g0[j]) / result.length[j]);
  }
  if (result.unit == 0.0) result.unit = 1.0;

  DenseMatrix E(rank + 1, nc + static_cast<int>(closed.size()));
  const auto set = [&](int column, int j, double sign) {
    const double scale = result.length[j] > 0.0 ? result.length[j] : 1.0;
    for (int i = 0; i < rank; ++i) E(i, column) = sign * R_(i, j) / scale;
    E(rank, column) = -sign * g0[j] / (scale * result.unit);
  };
  for (int j = 0; j < nc; ++j) set(j, j, 1.0);
  for (std::size_t k = 0; k < closed.size(); ++k) set(nc + static_cast<int>(k), closed[k], -1.0);
  Vector target(static_cast<std::size_t>(rank) + 1, 0.0);
  target.back() = 1.0;
  result.u = nonnegative_least_squares(E, target);
  result.r = residual_of(E, result.u, target);
  return result;
}

// Σ u_j ∇g_j = 0 and Σ u_j g_j < 0: no position makes that sum positive.
std::vector<int> LinearGaps::conflict(const double* g0) const {
  const Distances found = distances(g0, {});
  std::vector<int> gaps;
  for (int j = 0; j < gradient_.cols && norm(R_.rows + 1, found.r.data()) < 1e-9; ++j)
    if (found.u[j] > 0.0) gaps.push_back(j);
  return gaps;
}

std::optional<std::vector<double>> LinearGaps::close(const double* g0, const std::vector<int>& closed) const {
  const int nc = gradient_.cols;
  const int rank = R_.rows;
  const Distances found = distances(g0, closed);
  Vector y = found.r;
  const double last = y.back();
  if (!(std::abs(last) > 1e-14)) return std::nullopt;
  for (double& value : y) value *= -found.unit / last;

  // What was found must hold.
  const double size = found.unit + norm(rank, y.data());
  for (int j = 0; j < nc; ++j) {
    const double g = g0[j] + dot(rank, R_.col(j), y.data()), round_off = gap_tolerance * found.length[j] * size;
    const bool is_closed = std::find(closed.begin(), closed.end(), j) != closed.end();
    if (g < -round_off || (is_closed && g > round_off)) return std::nullopt;
  }
  Vector displacement(gradient_.rows, 0.0);
  for (int j = 0; j < rank; ++j)
    for (int i = 0; i < basis_.rows; ++i) displacement[support_[i]] += basis_(i, j) * y[j];
  return displacement;
}

bool close_by_search(const Model& model, double t, int a, int b, std::vector<double>& q) {
  const Layout& layout = model.layout();
  const Pattern& pattern = layout.rows;
  const int nc = model.nc(), nr = nc + model.nb();
  const std::vector<bool> has_position = layout.joint_has_position();
  const auto is_closed = [&](int j) { return j == a || j == b || j >= nc; };
  const auto counts = [&](int j) { return j < nc || has_position[static_cast<std::size_t>(j - nc)]; };
  std::vector<double> g(static_cast<std::size_t>(nr)), H(static_cast<std::size_t>(pattern.size()));
  std::vector<double> length(g), trial(q);
  std::vector<int> rows;
  const auto place_gaps = [&](const std::vector<double>& at) {
    model.gap(t, at.data(), g.data());
    if (nr > nc) model.joint(t, at.data(), g.data() + nc);
  };
  // Σ g² of a, b, the joints and what is violated, as distances; infinite where a gap is not a number.
  const auto distance = [&](const std::vector<double>& at) {
    place_gaps(at);
    double sum = 0.0;
    for (int j = 0; j < nr; ++j) {
      if (!counts(j)) continue;
      const double d = is_closed(j) ? g[j] : std::min(g[j], 0.0);
      sum += d * d / (length[j] * length[j]);
    }
    return std::isfinite(sum) ? sum : std::numeric_limits<double>::infinity();
  };
  double damping = 1e-6;
  for (int iteration = 0; iteration < 60; ++iteration) {
    double size = 1.0;
    for (const double x : q) size = std::max(size, std::abs(x));
    place_gaps(q);
    model.gap_gradient(t, q.data(), H.data());
    if (nr > nc) model.joint_gradient(t, q.data(), H.data() + layout.gradient.size());
    rows.clear();
    bool solved = true;
    for (int j = 0; j < nr; ++j) {
      if (!counts(j)) continue;
      const double sum = squared_length(pattern, H.data(), j);
      if (!std::isfinite(sum) || !std::isfinite(g[j])) return false;
      length[j] = sum > 1e-24 ? std::sqrt(sum) : 1e-12;
      const double d = g[j] / length[j];
      if (is_closed(j) || d < 0.0) rows.push_back(j);
      solved = solved && (is_closed(j) ? std::abs(d) : -d) <= 1e-11 * size;
    }
    if (solved) return true;

    // d = −J ᵀ(J Jᵀ + damping)⁻¹ r in rows of length 1.
    const int m = static_cast<int>(rows.size());
    DenseMatrix JJ(m, m), r(m, 1);
    Vector x(model.nq(), 0.0);
    for (int i = 0; i < m; ++i) {
      const int row = rows[i];
      r(i, 0) = g[row] / length[row];
      for (int k = pattern.start[row]; k < pattern.start[row + 1]; ++k) x[pattern.row[k]] = H[k] / length[row];
      for (int j = 0; j < m; ++j) JJ(j, i) = column_dot(pattern, H.data(), rows[j], x.data()) / length[rows[j]];
      for (int k = pattern.start[row]; k < pattern.start[row + 1]; ++k) x[pattern.row[k]] = 0.0;
    }
    const double before = distance(q);
    bool better = false;
    for (int attempt = 0; attempt < 12 && !better; ++attempt) {
      DenseMatrix damped = JJ;
      for (int i = 0; i < m; ++i) damped(i, i) += damping;
      const DenseMatrix y = solve_symmetric(damped, r);
      trial = q;
      for (int i = 0; i < m; ++i) {
        const int row = rows[i];
        for (int k = pattern.start[row]; k < pattern.start[row + 1]; ++k)
          trial[pattern.row[k]] -= H[k] / length[row] * y(i, 0);
      }
      better = distance(trial) < before;
      damping = better ? std::max(damping * 0.1, 1e-14) : damping * 10.0;
    }
    if (!better) return false;
    q = trial;
  }
  return false;
}

std::optional<bool> independent_columns(const Pattern& gradient, const double* H, const std::vector<int>& columns) {
  // Rows of H, with columns of length 1.
  const int n = static_cast<int>(columns.size());
  if (n == 0) return true;
  std::vector<std::vector<std::pair<int, double>>> rows(gradient.rows);
  for (int c = 0; c < n; ++c) {
    const int j = columns[c];
    const double sum = squared_length(gradient, H, j);
    if (!(sum > 0.0)) return false;
    for (int k = gradient.start[j]; k < gradient.start[j + 1]; ++k)
      if (H[k] != 0.0) rows[gradient.row[k]].emplace_back(c, H[k] / std::sqrt(sum));
  }
  double entries = 0.0;
  for (const auto& row : rows) entries += static_cast<double>(row.size()) * static_cast<double>(row.size());
  if (entries > largest_product) return std::nullopt;
  // HᵀH by columns, then its pivots.
  Pattern pattern{n, n, {0}, {}};
  std::vector<double> values;
  std::vector<std::map<int, double>> product(n);
  for (const auto& row : rows)
    for (const auto& [c, x] : row)
      for (const auto& [d, y] : row) product[c][d] += x * y;
  for (const auto& column : product) {
    for (const auto& [d, value] : column) {
      pattern.row.push_back(d);
      values.push_back(value);
    }
    pattern.start.push_back(static_cast<int>(pattern.row.size()));
  }
  SparseLdlt factors;
  factors.analyse(pattern);
  if (!factors.factorise(values.data())) return false;
  for (int c = 0; c < n; ++c)
    if (!(factors.pivot(c) > rank_tolerance)) return false;
  return true;
}

}  // namespace ricochet
