#include "complementarity/block_step.hpp"

#include <algorithm>
#include <cmath>

#include "complementarity/memory.hpp"

namespace ricochet {
namespace {

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

// J := its factors L R, by columns, with partial pivoting.
bool factorise_square(int n, double* J, int* pivots) {
  const std::size_t size = static_cast<std::size_t>(n);
  for (int k = 0; k < n; ++k) {
    double* column = J + static_cast<std::size_t>(k) * size;
    int pivot = k;
    for (int i = k + 1; i < n; ++i)
      if (std::abs(column[i]) > std::abs(column[pivot])) pivot = i;
    if (!(std::abs(column[pivot]) > 0.0) || !std::isfinite(column[pivot])) return false;
    pivots[k] = pivot;
    const double inverse = 1.0 / column[pivot];
    std::swap(column[k], column[pivot]);
    for (int i = k + 1; i < n; ++i) column[i] *= inverse;
    for (int j = k + 1; j < n; ++j) {
      double* other = J + static_cast<std::size_t>(j) * size;
      std::swap(other[k], other[pivot]);
      const double above = other[k];
      if (above == 0.0) continue;
      for (int i = k + 1; i < n; ++i) other[i] -= column[i] * above;
    }
  }
  return true;
}

void solve_square(int n, const double* J, const int* pivots, double* x) {
  const std::size_t size = static_cast<std::size_t>(n);
  for (int k = 0; k < n; ++k) {
    const double* column = J + static_cast<std::size_t>(k) * size;
    std::swap(x[k], x[pivots[k]]);
    for (int i = k + 1; i < n; ++i) x[i] -= column[i] * x[k];
  }
  for (int k = n - 1; k >= 0; --k) {
    const double* column = J + static_cast<std::size_t>(k) * size;
    x[k] /= column[k];
    for (int i = 0; i < k; ++i) x[i] -= column[i] * x[k];
  }
}

bool has_B(const LawDerivative& law) {
  return std::any_of(std::begin(law.B), std::end(law.B), [](double x) { return x != 0.0; });
}

}  // namespace

bool BlockStep::factorise(const ScaledProblem& problem, const std::vector<LawDerivative>& laws, double delta) {
  problem_ = &problem;
  laws_ = &laws;
  if (problem.is_dense()) return factorise_dense(delta);
  if (problem.schur() != nullptr) return factorise_schur(delta);
  return factorise_sparse(delta);
}

bool BlockStep::solve(const double* Phi, double* x) {
  const bool done = problem_->is_dense()           ? solve_dense(Phi, x)
                    : problem_->schur() != nullptr ? solve_schur(Phi, x)
                                                   : solve_whole(Phi, x);
  return done && all_finite(problem_->n(), x);
}

// Rows without B, those of open contacts, are known beforehand: ΔP = −Φ.
bool BlockStep::factorise_dense(double delta) {
  const std::size_t n = static_cast<std::size_t>(problem_->n());
  rows_.clear();
  rows_.reserve(n);
  for (std::size_t k = 0; k < laws_->size(); ++k) {
    const Block& block = problem_->blocks()[k];
    for (int i = 0; i < block.size && has_B((*laws_)[k]); ++i) rows_.push_back(block.first + i);
  }
  const std::size_t m = rows_.size();
  values_.resize(m * m);
  pivots_.resize(m);
  std::size_t row = 0;
  for (std::size_t k = 0; k < laws_->size(); ++k) {
    const LawDerivative& law = (*laws_)[k];
    if (!has_B(law)) continue;
    const auto [first, size, cone, bound] = problem_->blocks()[k];
    for (std::size_t j = 0; j < m; ++j) {
      const double* column = problem_->values() + static_cast<std::size_t>(rows_[j]) * n + first;
      double* target = values_.data() + j * m + row;
      for (int i = 0; i < size; ++i) {
        target[i] = 0.0;
        for (int l = 0; l < size; ++l) target[i] += law.B[l * size + i] * column[l];
      }
    }
    for (int j = 0; j < size; ++j)
      for (int i = 0; i < size; ++i)
        values_[(row + j) * m + row + i] += law.A[j * size + i] + delta * law.B[j * size + i];
    row += size;
  }
  return factorise_square(static_cast<int>(m), values_.data(), pivots_.data());
}

bool BlockStep::solve_dense(const double* Phi, double* x) {
  const std::size_t n = static_cast<std::size_t>(problem_->n()), m = rows_.size();
  for (std::size_t i = 0; i < n; ++i) x[i] = -Phi[i];
  for (const int i : rows_) x[i] = 0.0;
  // W ΔP of the known rows
  x_.resize(n);
  problem_->multiply(x, x_.data());
  right_.resize(m);
  std::size_t row = 0;
  for (std::size_t k = 0; k < laws_->size(); ++k) {
    const LawDerivative& law = (*laws_)[k];
    if (!has_B(law)) continue;
    const auto [first, size, cone, bound] = problem_->blocks()[k];
    for (int i = 0; i < size; ++i) {
      right_[row + i] = -Phi[first + i];
      for (int l = 0; l < size; ++l) right_[row + i] -= law.B[l * size + i] * x_[first + l];
    }
    row += size;
  }
  solve_square(static_cast<int>(m), values_.data(), pivots_.data(), right_.data());
  for (std::size_t i = 0; i < m; ++i) x[rows_[i]] = right_[i];
  return true;
}

void BlockStep::analyse() {
  values_.resize(pattern_.row.size());
  right_.resize(static_cast<std::size_t>(pattern_.cols));
  solution_.resize(static_cast<std::size_t>(pattern_.cols));
  factors_.analyse(pattern_, SparseLdlt::Ordering::minimum_degree);
  pivoted_ = {};
}

// Without pivoting; with it where that fails, or where refinement is not enough.
bool BlockStep::factorise_values() {
  is_pivoted_ = !factors_.factorise_general(values_.data());
  return !is_pivoted_ || factorise_pivoted();
}

bool BlockStep::factorise_pivoted() {
  is_pivoted_ = true;
  if (!pivoted_.analysed()) pivoted_.analyse(pattern_);
  return pivoted_.factorise(values_.data());
}

bool BlockStep::solve_values(double* x) {
  constexpr double accurate = 1e-10;
  const std::size_t n = static_cast<std::size_t>(pattern_.cols);
  const auto size_of = [](const std::vector<double>& y) {
    double size = 0.0;
    for (const double value : y) size = std::max(size, std::abs(value));
    return size;
  };
  right_.assign(x, x + n);
  const double size = size_of(right_);
  if (!is_pivoted_) {
    std::fill(x, x + n, 0.0);
    for (int k = 0; k < 3; ++k) {
      solution_ = right_;
      multiply_add(pattern_, values_.data(), x, -1.0, solution_.data());
      if (const double off = size_of(solution_); off <= accurate * size && k > 0) return true;
      factors_.solve(solution_.data());
      for (std::size_t i = 0; i < n; ++i) x[i] += solution_[i];
    }
    if (!factorise_pivoted()) return false;
  }
  std::copy(right_.begin(), right_.end(), x);
  pivoted_.solve(x);
  return true;
}

// Which block a row is of; whether that is news.
bool BlockStep::set_blocks(const ScaledProblem& problem) {
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
void BlockStep::set_sparse_pattern(const ScaledProblem& problem) {
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

bool BlockStep::factorise_sparse(double delta) {
  set_sparse_pattern(*problem_);
  const ScaledProblem& problem = *problem_;
  const Pattern& W = *problem.pattern();
  for (int j = 0; j < W.cols; ++j) {
    int k = W.start[j];
    for (int e = pattern_.start[j]; e < pattern_.start[j + 1];) {
      const int own = block_of_[pattern_.row[e]];
      const auto [first, size, cone, bound] = problem.blocks()[static_cast<std::size_t>(own)];
      const LawDerivative& law = (*laws_)[static_cast<std::size_t>(own)];
      double entries[3] = {0.0, 0.0, 0.0};
      for (; k < W.start[j + 1] && W.row[k] < first + size; ++k) entries[W.row[k] - first] = problem.values()[k];
      if (own == block_of_[j]) entries[j - first] += delta;
      for (int i = 0; i < size; ++i, ++e) {
        values_[e] = own == block_of_[j] ? law.A[(j - first) * size + i] : 0.0;
        for (int l = 0; l < size; ++l) values_[e] += law.B[l * size + i] * entries[l];
      }
    }
  }
  return factorise_values();
}

bool BlockStep::solve_whole(const double* Phi, double* x) {
  for (int i = 0; i < problem_->n(); ++i) x[i] = -Phi[i];
  return solve_values(x);
}

// M and, for each block, all pairs of rows that its columns of H have.
void BlockStep::set_schur_pattern(const ScaledProblem& problem) {
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
  place_ = places_in(pattern_, M);
  for (std::size_t k = 0; k + 1 < touched_start_.size(); ++k)
    for (int b = touched_start_[k]; b < touched_start_[k + 1]; ++b)
      for (int a = touched_start_[k]; a < touched_start_[k + 1]; ++a)
        place_.push_back(pattern_.place(touched_[a], touched_[b]));
  analyse();
}

bool BlockStep::factorise_schur(double delta) {
  const ScaledProblem& problem = *problem_;
  set_schur_pattern(problem);
  const Pattern &M = *problem.schur()->matrix, &H = *problem.pattern();
  std::fill(values_.begin(), values_.end(), 0.0);
  S_.resize(18 * laws_->size());
  std::size_t place = 0;
  for (int k = 0; k < M.size(); ++k) values_[place_[place++]] += problem.schur()->A[k];
  for (std::size_t k = 0; k < laws_->size(); ++k) {
    const auto [first, size, cone, bound] = problem.blocks()[k];
    const LawDerivative& law = (*laws_)[k];
    // S and behind it (A + δ B)⁻¹
    double AB[9], *S = S_.data() + 18 * k;
    const int entries = size * size;
    for (int i = 0; i < entries; ++i) AB[i] = law.A[i] + delta * law.B[i];
    std::copy(law.B, law.B + entries, S);
    for (int i = 0; i < entries; ++i) S[entries + i] = i % (size + 1) == 0 ? 1.0 : 0.0;
    solve_small(size, AB, 2 * size, S);
    // The columns of H, in full over the rows of the block.
    const int* rows = touched_.data() + touched_start_[k];
    const int m = touched_start_[k + 1] - touched_start_[k];
    h_.assign(static_cast<std::size_t>(2 * m * size), 0.0);
    double *h = h_.data(), *hS = h + m * size;
    for (int j = 0; j < size; ++j)
      for (int e = H.start[first + j], a = 0; e < H.start[first + j + 1]; ++e) {
        while (rows[a] < H.row[e]) ++a;
        h[j * m + a] = problem.values()[e];
      }
    for (int j = 0; j < size; ++j)
      for (int i = 0; i < size; ++i)
        for (int a = 0; a < m && S[j * size + i] != 0.0; ++a) hS[j * m + a] += h[i * m + a] * S[j * size + i];
    for (int b = 0; b < m; ++b)
      for (int a = 0; a < m; ++a, ++place)
        for (int j = 0; j < size; ++j) values_[place_[place]] += hS[j * m + a] * h[j * m + b];
  }
  return factorise_values();
}

bool BlockStep::solve_schur(const double* Phi, double* x) {
  const ScaledProblem& problem = *problem_;
  const Pattern& H = *problem.pattern();
  // x := −c, then what it pushes
  for (std::size_t k = 0; k < laws_->size(); ++k) {
    const auto [first, size, cone, bound] = problem.blocks()[k];
    const double* inverse = S_.data() + 18 * k + size * size;
    for (int i = 0; i < size; ++i) {
      x[first + i] = 0.0;
      for (int j = 0; j < size; ++j) x[first + i] -= inverse[j * size + i] * Phi[first + j];
    }
  }
  x_.assign(static_cast<std::size_t>(pattern_.cols), 0.0);
  multiply_add(H, problem.values(), x, 1.0, x_.data());
  if (!solve_values(x_.data())) return false;
  for (std::size_t k = 0; k < laws_->size(); ++k) {
    const auto [first, size, cone, bound] = problem.blocks()[k];
    const double* S = S_.data() + 18 * k;
    for (int j = 0; j < size; ++j) {
      const double rate = column_dot(H, problem.values(), first + j, x_.data());
      for (int i = 0; i < size; ++i) x[first + i] -= S[j * size + i] * rate;
    }
  }
  return true;
}

}  // namespace ricochet
