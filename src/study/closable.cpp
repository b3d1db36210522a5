#include "study/closable.hpp"

#include <Eigen/Dense>
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

// min ‖A x − b‖, x ≥ 0: Lawson and Hanson's algorithm NNLS (Solving Least Squares Problems, 1974, chapter 23).
Eigen::VectorXd nonnegative_least_squares(const Eigen::MatrixXd& A, const Eigen::VectorXd& b) {
  const Eigen::Index n = A.cols();
  Eigen::VectorXd x = Eigen::VectorXd::Zero(n);
  std::vector<Eigen::Index> passive;
  std::vector<char> refused(static_cast<std::size_t>(n), 0);
  const auto solve = [&] {
    Eigen::MatrixXd part(A.rows(), static_cast<Eigen::Index>(passive.size()));
    for (std::size_t k = 0; k < passive.size(); ++k) part.col(static_cast<Eigen::Index>(k)) = A.col(passive[k]);
    return Eigen::VectorXd(part.colPivHouseholderQr().solve(b));
  };
  for (Eigen::Index round = 0; round < 3 * n + 30; ++round) {
    const Eigen::VectorXd gradient = A.transpose() * (b - A * x);
    Eigen::Index best = -1;
    for (Eigen::Index j = 0; j < n; ++j) {
      const bool taken = std::find(passive.begin(), passive.end(), j) != passive.end();
      if (!taken && !refused[static_cast<std::size_t>(j)] && gradient[j] > 1e-13 &&
          (best < 0 || gradient[j] > gradient[best]))
        best = j;
    }
    if (best < 0) break;
    passive.push_back(best);
    Eigen::VectorXd s = solve();
    // A column that comes in with the wrong sign is round-off: leave it out.
    if (!(s[s.size() - 1] > 0.0)) {
      refused[static_cast<std::size_t>(best)] = 1;
      passive.pop_back();
      continue;
    }
    std::fill(refused.begin(), refused.end(), 0);
    while (s.size() > 0 && s.minCoeff() <= 0.0) {
      double step = 1.0;
      for (std::size_t k = 0; k < passive.size(); ++k)
        if (const double to = s[static_cast<Eigen::Index>(k)]; to <= 0.0) {
          const double from = x[passive[k]];
          step = std::min(step, from > 0.0 ? from / (from - to) : 0.0);
        }
      std::vector<Eigen::Index> kept;
      for (std::size_t k = 0; k < passive.size(); ++k) {
        double& value = x[passive[k]];
        const double to = s[static_cast<Eigen::Index>(k)];
        value += step * (to - value);
        if (value > 1e-15 * std::abs(to) && value > 0.0) {
          kept.push_back(passive[k]);
        } else {
          value = 0.0;
        }
      }
      if (kept.size() == passive.size()) kept.pop_back();
      passive = kept;
      s = solve();
    }
    x.setZero();
    for (std::size_t k = 0; k < passive.size(); ++k) x[passive[k]] = s[static_cast<Eigen::Index>(k)];
  }
  return x;
}

}  // namespace

LinearGaps::LinearGaps(const Pattern& gradient, const double* H) : gradient_(gradient) {
  std::map<int, int> place;
  for (const int i : gradient.row) place.emplace(i, 0);
  for (auto& [row, index] : place) {
    index = static_cast<int>(support_.size());
    support_.push_back(row);
  }
  Eigen::MatrixXd A = Eigen::MatrixXd::Zero(static_cast<Eigen::Index>(support_.size()), gradient.cols);
  for (int j = 0; j < gradient.cols; ++j)
    for (int k = gradient.start[j]; k < gradient.start[j + 1]; ++k) A(place[gradient.row[k]], j) = H[k];

  // Columns of length 1 for the rank.
  Eigen::MatrixXd unit = A;
  for (Eigen::Index j = 0; j < unit.cols(); ++j)
    if (const double length = unit.col(j).norm(); length > 0.0) unit.col(j) /= length;
  Eigen::ColPivHouseholderQR<Eigen::MatrixXd> qr(unit);
  qr.setThreshold(rank_tolerance);
  rank_ = static_cast<int>(qr.rank());
  independent_ = rank_ == gradient.cols;
  const Eigen::MatrixXd Q = Eigen::MatrixXd(qr.householderQ()).leftCols(rank_);
  const Eigen::MatrixXd R = Q.transpose() * A;
  basis_.assign(Q.data(), Q.data() + Q.size());
  R_.assign(R.data(), R.data() + R.size());
}

// Least distance: min ‖y‖ with G y ≥ −g̃, G of the gaps and of −g_a, −g_b. By NNLS on ‖[Gᵀ; −g̃ᵀ] u − (0, …, 0, 1)‖: with
// its residual r, y = −r_1…n / r_{n+1}; no solution if the residual vanishes (Lawson and Hanson, chapter 23).
std::optional<std::vector<double>> LinearGaps::close(const double* g0, int a, int b) const {
  const int nc = gradient_.cols;
  const Eigen::Map<const Eigen::MatrixXd> R(R_.data(), rank_, nc);
  // Gaps as distances, in units of the largest.
  Eigen::VectorXd length(nc);
  double unit = 0.0;
  for (int j = 0; j < nc; ++j) {
    length[j] = R.col(j).norm();
    if (length[j] > 0.0) unit = std::max(unit, std::abs(g0[j]) / length[j]);
  }
  if (unit == 0.0) unit = 1.0;

  Eigen::MatrixXd E(rank_ + 1, nc + 2);
  const auto set = [&](int column, int j, double sign) {
    const double scale = length[j] > 0.0 ? length[j] : 1.0;
    E.col(column).head(rank_) = sign * R.col(j) / scale;
    E(rank_, column) = -sign * g0[j] / (scale * unit);
  };
  for (int j = 0; j < nc; ++j) set(j, j, 1.0);
  set(nc, a, -1.0);
  set(nc + 1, b, -1.0);
  Eigen::VectorXd target = Eigen::VectorXd::Zero(rank_ + 1);
  target[rank_] = 1.0;

  const Eigen::VectorXd residual = E * nonnegative_least_squares(E, target) - target;
  if (!(std::abs(residual[rank_]) > 1e-14)) return std::nullopt;
  const Eigen::VectorXd y = -unit / residual[rank_] * residual.head(rank_);

  // What was found must hold.
  for (int j = 0; j < nc; ++j) {
    const double g = g0[j] + R.col(j).dot(y), round_off = gap_tolerance * length[j] * (unit + y.norm());
    if (g < -round_off || ((j == a || j == b) && g > round_off)) return std::nullopt;
  }
  const Eigen::Map<const Eigen::MatrixXd> Q(basis_.data(), static_cast<Eigen::Index>(support_.size()), rank_);
  const Eigen::VectorXd d = Q * y;
  std::vector<double> displacement(static_cast<std::size_t>(gradient_.rows), 0.0);
  for (std::size_t i = 0; i < support_.size(); ++i)
    displacement[static_cast<std::size_t>(support_[i])] = d[static_cast<Eigen::Index>(i)];
  return displacement;
}

bool close_by_search(const Model& model, double t, int a, int b, std::vector<double>& q) {
  const Pattern& pattern = model.layout().gradient;
  const int nc = model.nc();
  std::vector<double> g(static_cast<std::size_t>(nc)), H(static_cast<std::size_t>(pattern.size()));
  std::vector<double> length(g), trial(q);
  std::vector<int> rows;
  // Σ g² of a, b and what is violated, as distances; infinite where a gap is not a number.
  const auto distance = [&](const std::vector<double>& at) {
    model.gap(t, at.data(), g.data());
    double sum = 0.0;
    for (int j = 0; j < nc; ++j) {
      const double d = j == a || j == b ? g[j] : std::min(g[j], 0.0);
      sum += d * d / (length[j] * length[j]);
    }
    return std::isfinite(sum) ? sum : std::numeric_limits<double>::infinity();
  };
  double damping = 1e-6;
  for (int iteration = 0; iteration < 60; ++iteration) {
    double size = 1.0;
    for (const double x : q) size = std::max(size, std::abs(x));
    model.gap(t, q.data(), g.data());
    model.gap_gradient(t, q.data(), H.data());
    rows.clear();
    bool solved = true;
    for (int j = 0; j < nc; ++j) {
      double sum = 0.0;
      for (int k = pattern.start[j]; k < pattern.start[j + 1]; ++k) sum += H[k] * H[k];
      if (!std::isfinite(sum) || !std::isfinite(g[j])) return false;
      length[j] = sum > 1e-24 ? std::sqrt(sum) : 1e-12;
      const double d = g[j] / length[j];
      if (j == a || j == b || d < 0.0) rows.push_back(j);
      solved = solved && (j == a || j == b ? std::abs(d) : -d) <= 1e-11 * size;
    }
    if (solved) return true;

    // d = −J ᵀ(J Jᵀ + damping)⁻¹ r in rows of length 1.
    const auto m = static_cast<Eigen::Index>(rows.size());
    Eigen::MatrixXd JJ(m, m);
    Eigen::VectorXd r(m), x = Eigen::VectorXd::Zero(model.nq());
    for (Eigen::Index i = 0; i < m; ++i) {
      const int row = rows[static_cast<std::size_t>(i)];
      r[i] = g[row] / length[row];
      for (int k = pattern.start[row]; k < pattern.start[row + 1]; ++k) x[pattern.row[k]] = H[k] / length[row];
      for (Eigen::Index j = 0; j < m; ++j) {
        const int column = rows[static_cast<std::size_t>(j)];
        JJ(j, i) = column_dot(pattern, H.data(), column, x.data()) / length[column];
      }
      for (int k = pattern.start[row]; k < pattern.start[row + 1]; ++k) x[pattern.row[k]] = 0.0;
    }
    const double before = distance(q);
    bool better = false;
    for (int attempt = 0; attempt < 12 && !better; ++attempt) {
      const Eigen::VectorXd y = (JJ + damping * Eigen::MatrixXd::Identity(m, m)).ldlt().solve(r);
      trial = q;
      for (Eigen::Index i = 0; i < m; ++i) {
        const int row = rows[static_cast<std::size_t>(i)];
        for (int k = pattern.start[row]; k < pattern.start[row + 1]; ++k)
          trial[pattern.row[k]] -= H[k] / length[row] * y[i];
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
  std::vector<std::vector<std::pair<int, double>>> rows(static_cast<std::size_t>(gradient.rows));
  for (int c = 0; c < n; ++c) {
    const int j = columns[static_cast<std::size_t>(c)];
    double sum = 0.0;
    for (int k = gradient.start[j]; k < gradient.start[j + 1]; ++k) sum += H[k] * H[k];
    if (!(sum > 0.0)) return false;
    for (int k = gradient.start[j]; k < gradient.start[j + 1]; ++k)
      if (H[k] != 0.0) rows[static_cast<std::size_t>(gradient.row[k])].emplace_back(c, H[k] / std::sqrt(sum));
  }
  double entries = 0.0;
  for (const auto& row : rows) entries += static_cast<double>(row.size()) * static_cast<double>(row.size());
  if (entries > largest_product) return std::nullopt;
  // HᵀH by columns, then its pivots.
  Pattern pattern{n, n, {0}, {}};
  std::vector<double> values;
  std::vector<std::map<int, double>> product(static_cast<std::size_t>(n));
  for (const auto& row : rows)
    for (const auto& [c, x] : row)
      for (const auto& [d, y] : row) product[static_cast<std::size_t>(c)][d] += x * y;
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
