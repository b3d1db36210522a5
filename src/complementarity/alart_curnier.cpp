#include "complementarity/alart_curnier.hpp"

#include <algorithm>
#include <cmath>

#include "complementarity/memory.hpp"

namespace ricochet {
namespace {

constexpr double least_delta = 1e-12, largest_delta = 0.1;

// Rows and columns from `first` on of a block whose P is to be the projection of y = P − U on the disc of radius r;
// r = μ (P_N − U_N) in a contact.
void disc_law(int first, int size, double radius, double mu, const double* P, const double* U, LawDerivative& law) {
  double y[2] = {0.0, 0.0};
  const int m = size - first;
  for (int i = 0; i < m; ++i) y[i] = P[first + i] - U[first + i];
  const double own = std::hypot(y[0], y[1]);
  for (int i = 0; i < m; ++i) {
    const int row = first + i;
    if (own <= radius) {
      law.Phi[row] = U[row];
      law.B[row * size + row] = 1.0;
      continue;
    }
    const double s = y[i] / own;
    law.Phi[row] = P[row] - radius * s;
    for (int j = 0; j < m; ++j) {
      const double same = i == j ? 1.0 : 0.0, G = radius / own * (same - s * y[j] / own);
      law.A[(first + j) * size + row] = same - G;
      law.B[(first + j) * size + row] = G;
    }
    if (first > 0) law.A[row] = -mu * s, law.B[row] = mu * s;
  }
}

// From an index on: ascending, each once.
void sort_unique(std::vector<int>& list, int from) {
  std::sort(list.begin() + from, list.end());
  list.erase(std::unique(list.begin() + from, list.end()), list.end());
}

// x := A⁻¹ x for columns of x, by elimination with pivoting; A is n × n by columns, n ≤ 3.
void solve_small(int n, double* A, int columns, double* x) {
  for (int k = 0; k < n; ++k) {
    int pivot = k;
    for (int i = k + 1; i < n; ++i)
      if (std::abs(A[k * n + i]) > std::abs(A[k * n + pivot])) pivot = i;
    for (int j = 0; j < n; ++j) std::swap(A[j * n + k], A[j * n + pivot]);
    for (int j = 0; j < columns; ++j) std::swap(x[j * n + k], x[j * n + pivot]);
    for (int i = 0; i < n; ++i) {
      if (i == k) continue;
      const double factor = A[k * n + i] / A[k * n + k];
      for (int j = k; j < n; ++j) A[j * n + i] -= factor * A[j * n + k];
      for (int j = 0; j < columns; ++j) x[j * n + i] -= factor * x[j * n + k];
    }
  }
  for (int k = 0; k < n; ++k)
    for (int j = 0; j < columns; ++j) x[j * n + k] /= A[k * n + k];
}

// x := J⁻¹ x, J by columns, with partial pivoting.
bool solve_dense(int n, double* J, double* x) {
  const std::size_t size = static_cast<std::size_t>(n);
  for (int k = 0; k < n; ++k) {
    double* column = J + static_cast<std::size_t>(k) * size;
    int pivot = k;
    for (int i = k + 1; i < n; ++i)
      if (std::abs(column[i]) > std::abs(column[pivot])) pivot = i;
    if (!(std::abs(column[pivot]) > 0.0) || !std::isfinite(column[pivot])) return false;
    const double inverse = 1.0 / column[pivot];
    std::swap(column[k], column[pivot]);
    std::swap(x[k], x[pivot]);
    for (int i = k + 1; i < n; ++i) column[i] *= inverse;
    for (int j = k + 1; j < n; ++j) {
      double* other = J + static_cast<std::size_t>(j) * size;
      std::swap(other[k], other[pivot]);
      const double above = other[k];
      if (above == 0.0) continue;
      for (int i = k + 1; i < n; ++i) other[i] -= column[i] * above;
    }
    for (int i = k + 1; i < n; ++i) x[i] -= column[i] * x[k];
  }
  for (int k = n - 1; k >= 0; --k) {
    const double* column = J + static_cast<std::size_t>(k) * size;
    x[k] /= column[k];
    for (int i = 0; i < k; ++i) x[i] -= column[i] * x[k];
  }
  return true;
}

}  // namespace

LawDerivative alart_curnier_law(const Block& block, const double* P, const double* U) {
  LawDerivative law{};
  if (block.cone == Cone::disc) {
    disc_law(0, block.size, block.bound, 0.0, P, U, law);
    return law;
  }
  const double x = P[0] - U[0];
  const bool is_closed = block.cone == Cone::free || x > 0.0;
  law.Phi[0] = is_closed ? U[0] : P[0];
  (is_closed ? law.B : law.A)[0] = 1.0;
  if (block.cone != Cone::coulomb) return law;
  if (is_closed) {
    disc_law(1, block.size, block.bound * x, block.bound, P, U, law);
  } else {
    for (int i = 1; i < block.size; ++i) law.Phi[i] = P[i], law.A[i * block.size + i] = 1.0;
  }
  return law;
}

// Φ of (1) with (2) at P; its norm. U of P is left in trial_U_, Φ with its derivatives in trial_laws_.
double AlartCurnier::evaluate(ScaledProblem& problem, const double* P) {
  problem.rates(P, trial_U_.data());
  double sum = 0.0;
  for (std::size_t k = 0; k < problem.blocks().size(); ++k) {
    const Block& block = problem.blocks()[k];
    double U[3];
    for (int i = 0; i < block.size; ++i) {
      const int row = block.first + i;
      U[i] = trial_U_[row] + delta_ * (P[row] - center_[row]);
    }
    trial_laws_[k] = alart_curnier_law(block, P + block.first, U);
    for (int i = 0; i < block.size; ++i) sum += trial_laws_[k].Phi[i] * trial_laws_[k].Phi[i];
  }
  return std::sqrt(sum);
}

double AlartCurnier::solve(ScaledProblem& problem, double tolerance, int limit, int& iterations, double* P, double* U) {
  constexpr int most_rounds = 60, most_further = 3;
  constexpr double shortest = 1e-3, sufficient = 0.1, aim = 1e-13;
  const std::size_t n = static_cast<std::size_t>(problem.n());
  for (auto* x : {&center_, &trial_, &trial_U_, &direction_, &best_}) x->resize(n);
  laws_.resize(problem.blocks().size());
  trial_laws_.resize(problem.blocks().size());

  double residual = problem.residual(P, U, tolerance), best = residual;
  best_.assign(P, P + n);
  delta_ = std::clamp(residual, least_delta, largest_delta);
  int idle = 0, further = 0;
  for (int round = 0; round < most_rounds && iterations < limit && !(residual <= aim); ++round) {
    center_.assign(P, P + n);
    double size = evaluate(problem, P);
    const double wanted = sufficient * size;
    laws_.swap(trial_laws_);
    const int before = iterations, most_steps = best <= tolerance ? 3 : 10;
    for (int k = 0; k < most_steps && iterations < limit && size > wanted; ++k) {
      ++iterations;
      if (!step(problem)) break;
      double length = 1.0, next = 0.0;
      for (;; length *= 0.5) {
        for (std::size_t i = 0; i < n; ++i) trial_[i] = P[i] + length * direction_[i];
        next = evaluate(problem, trial_.data());
        if (next <= (1.0 - 1e-4 * length) * size || length < shortest) break;
      }
      if (!std::isfinite(next)) break;
      size = next;
      std::copy(trial_.begin(), trial_.end(), P);
      laws_.swap(trial_laws_);
    }
    problem.rates(P, U);
    residual = problem.residual(P, U, tolerance);
    // Enough, or nothing to be gained any more.
    idle = residual < 0.5 * best ? 0 : idle + 1;
    if (residual < best) {
      best = residual;
      best_.assign(P, P + n);
    }
    if (best <= tolerance ? idle > 0 || ++further > most_further : idle >= 6) break;
    // A problem that was not solved was too far from a regular one.
    const double factor = size > wanted ? 10.0 : iterations - before > most_steps / 2 ? 0.3 : 0.1;
    delta_ = std::clamp(factor * delta_, least_delta, largest_delta);
  }
  if (!(residual <= best)) {
    std::copy(best_.begin(), best_.end(), P);
    problem.rates(P, U);
  }
  return best;
}

bool AlartCurnier::step(ScaledProblem& problem) {
  const bool done = problem.is_dense()           ? step_dense(problem)
                    : problem.schur() != nullptr ? step_schur(problem)
                                                 : step_sparse(problem);
  return done && all_finite(problem.n(), direction_.data());
}

// Rows without B, those of open contacts, are known beforehand: ΔP = −P.
bool AlartCurnier::step_dense(const ScaledProblem& problem) {
  const std::size_t n = static_cast<std::size_t>(problem.n());
  rows_.clear();
  rows_.reserve(n);
  const auto has_B = [](const LawDerivative& law) {
    return std::any_of(std::begin(law.B), std::end(law.B), [](double x) { return x != 0.0; });
  };
  x_.assign(n, 0.0);
  for (std::size_t k = 0; k < laws_.size(); ++k) {
    const Block& block = problem.blocks()[k];
    for (int i = 0; i < block.size; ++i) {
      direction_[block.first + i] = -laws_[k].Phi[i];
      if (has_B(laws_[k])) rows_.push_back(block.first + i), direction_[block.first + i] = 0.0;
    }
  }
  // W ΔP of the known rows
  problem.multiply(direction_.data(), x_.data());
  const std::size_t m = rows_.size();
  J_.resize(m * m + m);
  double* right = J_.data() + m * m;
  std::size_t row = 0;
  for (std::size_t k = 0; k < laws_.size(); ++k) {
    if (!has_B(laws_[k])) continue;
    const LawDerivative& law = laws_[k];
    const auto [first, size, cone, bound] = problem.blocks()[k];
    for (int i = 0; i < size; ++i) {
      right[row + i] = -law.Phi[i];
      for (int l = 0; l < size; ++l) right[row + i] -= law.B[l * size + i] * x_[first + l];
    }
    for (std::size_t j = 0; j < m; ++j) {
      const double* column = problem.values() + static_cast<std::size_t>(rows_[j]) * n + first;
      double* target = J_.data() + j * m + row;
      for (int i = 0; i < size; ++i) {
        target[i] = 0.0;
        for (int l = 0; l < size; ++l) target[i] += law.B[l * size + i] * column[l];
      }
    }
    for (int j = 0; j < size; ++j)
      for (int i = 0; i < size; ++i) J_[(row + j) * m + row + i] += law.A[j * size + i] + delta_ * law.B[j * size + i];
    row += size;
  }
  if (!solve_dense(static_cast<int>(m), J_.data(), right)) return false;
  for (std::size_t i = 0; i < m; ++i) direction_[rows_[i]] = right[i];
  return true;
}

void AlartCurnier::analyse() {
  values_.resize(pattern_.row.size());
  right_.resize(static_cast<std::size_t>(pattern_.cols));
  solution_.resize(static_cast<std::size_t>(pattern_.cols));
  factors_.analyse(pattern_, SparseLdlt::Ordering::minimum_degree);
  pivoted_ = {};
}

// Without pivoting, refined; where that is not enough, with it.
bool AlartCurnier::solve_sparse(double* x) {
  constexpr double accurate = 1e-10;
  const std::size_t n = static_cast<std::size_t>(pattern_.cols);
  const auto size_of = [](const std::vector<double>& y) {
    double size = 0.0;
    for (const double value : y) size = std::max(size, std::abs(value));
    return size;
  };
  right_.assign(x, x + n);
  const double size = size_of(right_);
  if (factors_.factorise_general(values_.data())) {
    std::fill(x, x + n, 0.0);
    for (int k = 0; k < 3; ++k) {
      solution_ = right_;
      multiply_add(pattern_, values_.data(), x, -1.0, solution_.data());
      if (const double off = size_of(solution_); off <= accurate * size && k > 0) return true;
      factors_.solve(solution_.data());
      for (std::size_t i = 0; i < n; ++i) x[i] += solution_[i];
    }
  }
  if (!pivoted_.analysed()) pivoted_.analyse(pattern_);
  if (!pivoted_.factorise(values_.data())) return false;
  std::copy(right_.begin(), right_.end(), x);
  pivoted_.solve(x);
  return true;
}

// Which block a row is of; whether that is news.
bool AlartCurnier::set_blocks(const ScaledProblem& problem) {
  const std::size_t n = static_cast<std::size_t>(problem.n());
  bool is_new = block_of_.size() != n;
  block_of_.resize(n);
  for (std::size_t k = 0; k < problem.blocks().size(); ++k)
    for (int i = 0; i < problem.blocks()[k].size; ++i) {
      int& block = block_of_[problem.blocks()[k].first + i];
      is_new = is_new || block != static_cast<int>(k);
      block = static_cast<int>(k);
    }
  return is_new;
}

// Whole blocks where W has an entry of them.
void AlartCurnier::set_sparse_pattern(const ScaledProblem& problem) {
  const Pattern& W = *problem.pattern();
  if (!set_blocks(problem) && factors_.analysed() && given_pattern_ == W && other_pattern_.cols == 0) return;
  given_pattern_ = W;
  other_pattern_ = {};
  // Which blocks meet: pairs of either order.
  std::vector<std::vector<int>> neighbours(problem.blocks().size());
  for (int j = 0; j < W.cols; ++j)
    for (int k = W.start[j]; k < W.start[j + 1]; ++k) {
      const int one = block_of_[W.row[k]], other = block_of_[j];
      neighbours[one].push_back(other);
      neighbours[other].push_back(one);
    }
  pattern_ = {W.rows, W.cols, {0}, {}};
  for (std::size_t k = 0; k < neighbours.size(); ++k) {
    sort_unique(neighbours[k], 0);
    for (int j = 0; j < problem.blocks()[k].size; ++j) {
      for (const int other : neighbours[k]) {
        const Block& block = problem.blocks()[static_cast<std::size_t>(other)];
        for (int i = 0; i < block.size; ++i) pattern_.row.push_back(block.first + i);
      }
      pattern_.start.push_back(static_cast<int>(pattern_.row.size()));
    }
  }
  analyse();
}

bool AlartCurnier::step_sparse(const ScaledProblem& problem) {
  set_sparse_pattern(problem);
  const Pattern& W = *problem.pattern();
  for (int j = 0; j < W.cols; ++j) {
    int k = W.start[j];
    for (int e = pattern_.start[j]; e < pattern_.start[j + 1];) {
      const int own = block_of_[pattern_.row[e]];
      const auto [first, size, cone, bound] = problem.blocks()[static_cast<std::size_t>(own)];
      const LawDerivative& law = laws_[static_cast<std::size_t>(own)];
      double entries[3] = {0.0, 0.0, 0.0};
      for (; k < W.start[j + 1] && W.row[k] < first + size; ++k) entries[W.row[k] - first] = problem.values()[k];
      if (own == block_of_[j]) entries[j - first] += delta_;
      for (int i = 0; i < size; ++i, ++e) {
        values_[e] = own == block_of_[j] ? law.A[(j - first) * size + i] : 0.0;
        for (int l = 0; l < size; ++l) values_[e] += law.B[l * size + i] * entries[l];
      }
    }
  }
  for (std::size_t k = 0; k < laws_.size(); ++k)
    for (int i = 0; i < problem.blocks()[k].size; ++i) direction_[problem.blocks()[k].first + i] = -laws_[k].Phi[i];
  return solve_sparse(direction_.data());
}

// M and, for each block, all pairs of rows that its columns of H have.
void AlartCurnier::set_schur_pattern(const ScaledProblem& problem) {
  const Pattern &M = *problem.schur()->matrix, &H = *problem.pattern();
  if (!set_blocks(problem) && factors_.analysed() && given_pattern_ == H && other_pattern_ == M) return;
  given_pattern_ = H;
  other_pattern_ = M;
  // Rows of each block.
  touched_start_.assign(1, 0);
  touched_.clear();
  for (const Block& block : problem.blocks()) {
    for (int k = H.start[block.first]; k < H.start[block.first + block.size]; ++k) touched_.push_back(H.row[k]);
    sort_unique(touched_, touched_start_.back());
    touched_start_.push_back(static_cast<int>(touched_.size()));
  }
  // Columns of the sum.
  std::vector<std::vector<int>> columns(static_cast<std::size_t>(M.cols));
  for (int j = 0; j < M.cols; ++j) columns[j].assign(M.row.begin() + M.start[j], M.row.begin() + M.start[j + 1]);
  for (std::size_t k = 0; k + 1 < touched_start_.size(); ++k)
    for (int a = touched_start_[k]; a < touched_start_[k + 1]; ++a)
      columns[touched_[a]].insert(columns[touched_[a]].end(), touched_.begin() + touched_start_[k],
                                  touched_.begin() + touched_start_[k + 1]);
  pattern_ = {M.rows, M.cols, {0}, {}};
  for (std::vector<int>& column : columns) {
    sort_unique(column, 0);
    pattern_.row.insert(pattern_.row.end(), column.begin(), column.end());
    pattern_.start.push_back(static_cast<int>(pattern_.row.size()));
  }
  // Where M goes, then the pairs of each block by columns.
  const auto place_of = [&](int i, int j) {
    const auto begin = pattern_.row.begin() + pattern_.start[j], end = pattern_.row.begin() + pattern_.start[j + 1];
    return static_cast<int>(std::lower_bound(begin, end, i) - pattern_.row.begin());
  };
  place_.clear();
  for (int j = 0; j < M.cols; ++j)
    for (int k = M.start[j]; k < M.start[j + 1]; ++k) place_.push_back(place_of(M.row[k], j));
  for (std::size_t k = 0; k + 1 < touched_start_.size(); ++k)
    for (int b = touched_start_[k]; b < touched_start_[k + 1]; ++b)
      for (int a = touched_start_[k]; a < touched_start_[k + 1]; ++a)
        place_.push_back(place_of(touched_[a], touched_[b]));
  analyse();
}

bool AlartCurnier::step_schur(const ScaledProblem& problem) {
  set_schur_pattern(problem);
  const Pattern &M = *problem.schur()->matrix, &H = *problem.pattern();
  std::fill(values_.begin(), values_.end(), 0.0);
  x_.assign(static_cast<std::size_t>(M.cols), 0.0);
  S_.resize(12 * laws_.size());
  std::size_t place = 0;
  for (int k = 0; k < M.size(); ++k) values_[place_[place++]] += problem.schur()->A[k];
  for (std::size_t k = 0; k < laws_.size(); ++k) {
    const auto [first, size, cone, bound] = problem.blocks()[k];
    const LawDerivative& law = laws_[k];
    double AB[9], *S = S_.data() + 12 * k, *c = S + 9;
    for (int i = 0; i < size * size; ++i) AB[i] = law.A[i] + delta_ * law.B[i];
    std::copy(law.B, law.B + size * size, S);
    std::copy(law.Phi, law.Phi + size, S + size * size);
    solve_small(size, AB, size + 1, S);
    std::copy(S + size * size, S + size * size + size, c);
    // The columns of H, in full over the rows of the block.
    const int* rows = touched_.data() + touched_start_[k];
    const int m = touched_start_[k + 1] - touched_start_[k];
    h_.assign(static_cast<std::size_t>(2 * m * size), 0.0);
    double *h = h_.data(), *hS = h + m * size;
    for (int j = 0; j < size; ++j)
      for (int e = H.start[first + j], a = 0; e < H.start[first + j + 1]; ++e) {
        while (rows[a] < H.row[e]) ++a;
        h[j * m + a] = problem.values()[e];
        x_[H.row[e]] -= problem.values()[e] * c[j];
      }
    for (int j = 0; j < size; ++j)
      for (int i = 0; i < size; ++i)
        for (int a = 0; a < m && S[j * size + i] != 0.0; ++a) hS[j * m + a] += h[i * m + a] * S[j * size + i];
    for (int b = 0; b < m; ++b)
      for (int a = 0; a < m; ++a, ++place)
        for (int j = 0; j < size; ++j) values_[place_[place]] += hS[j * m + a] * h[j * m + b];
  }
  if (!solve_sparse(x_.data())) return false;
  for (std::size_t k = 0; k < laws_.size(); ++k) {
    const auto [first, size, cone, bound] = problem.blocks()[k];
    const double *S = S_.data() + 12 * k, *c = S + 9;
    for (int i = 0; i < size; ++i) direction_[first + i] = -c[i];
    for (int j = 0; j < size; ++j) {
      const double rate = column_dot(H, problem.values(), first + j, x_.data());
      for (int i = 0; i < size; ++i) direction_[first + i] -= S[j * size + i] * rate;
    }
  }
  return true;
}

}  // namespace ricochet
