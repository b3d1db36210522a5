// Row by row (up-looking): row k of L solves L_{1:k,1:k} y = A_{1:k,k} over its known pattern, which is what the
// elimination tree reaches from the entries of column k (T. A. Davis, Direct Methods for Sparse Linear Systems,
// SIAM 2006, chapters 4 and 8, doi:10.1137/1.9780898718881).
#include "core/sparse_ldlt.hpp"

#include <Eigen/OrderingMethods>
#include <Eigen/SparseCore>
#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <numeric>

#include "core/interrupt.hpp"

namespace ricochet {
namespace {

// Whether the factor in the given order stays about as sparse as the matrix: true for bands and trees, and for those
// with a few distant couplings. Entries of L are counted row by row along the elimination tree.
bool fills_little(const Pattern& pattern) {
  const int n = pattern.cols;
  const long long limit = static_cast<long long>(pattern.size()) + n;
  std::vector<int> parent(n, -1), seen(static_cast<std::size_t>(n), -1);
  long long count = 0;
  for (int k = 0; k < n; ++k) {
    seen[k] = k;
    for (int p = pattern.start[k]; p < pattern.start[k + 1] && pattern.row[p] < k; ++p)
      for (int i = pattern.row[p]; seen[i] != k; i = parent[i]) {
        if (parent[i] < 0) parent[i] = k;
        seen[i] = k;
        if (++count > limit) return false;
      }
  }
  return true;
}

// Columns of L as far as they are known, with those of R beside them if Width is 2.
struct Columns {
  const int* start;
  int *end, *index;
  double* L;
  const double* D_inverse;
};

// What stands at one place of L, or of L and R beside it, in an array of doubles.
template <int Width>
struct Entries {
  using Type = double;
};
template <>
struct Entries<2> {
  typedef double Type __attribute__((vector_size(16), aligned(alignof(double)), may_alias));
};

// Row k of L, and column k of R, at columns i to i + Run − 1, which are alike below the last of them; what column and
// row, y, still have to give up; the pivot. In the order of single columns.
template <int Width, int Run>
double subtract_columns(const Columns& columns, int i, int k, double pivot, double* y) {
  using Entry = typename Entries<Width>::Type;
  const Entry* all = reinterpret_cast<const Entry*>(columns.L);
  Entry *rest = reinterpret_cast<Entry*>(y), known[Run];
  const Entry* L[Run];
  for (int c = 0; c < Run; ++c) {
    known[c] = rest[i + c];
    for (int d = 0; d < c; ++d) known[c] -= all[columns.start[i + d] + c - d - 1] * known[d];
    rest[i + c] = Entry{};
    L[c] = all + columns.start[i + c] + Run - 1 - c;
  }
  const int last = i + Run - 1, count = columns.end[last] - columns.start[last];
  const int* index = columns.index + columns.start[last];
  for (int s = 0; s < count; ++s) {
    Entry target = rest[index[s]];
    for (int c = 0; c < Run; ++c) target -= L[c][s] * known[c];
    rest[index[s]] = target;
  }
  for (int c = 0; c < Run; ++c) {
    const double *own = reinterpret_cast<const double*>(known + c), above = own[0], left = own[Width - 1];
    const int end = columns.end[i + c]++;
    const double l = left * columns.D_inverse[i + c];
    pivot -= l * above;
    columns.L[Width * end] = l;
    if constexpr (Width == 2) columns.L[Width * end + 1] = above * columns.D_inverse[i + c];
    columns.index[end] = k;
  }
  return pivot;
}

// By their number.
template <int Width>
constexpr double (*subtract_run[])(const Columns&, int, int, double, double*) = {
    subtract_columns<Width, 1>, subtract_columns<Width, 2>, subtract_columns<Width, 3>,
    subtract_columns<Width, 4>, subtract_columns<Width, 5>, subtract_columns<Width, 6>};
constexpr int longest_run = std::size(subtract_run<1>);

std::vector<int> minimum_degree(const Pattern& pattern) {
  const int n = pattern.cols;
  std::vector<Eigen::Triplet<double>> entries;
  entries.reserve(pattern.size());
  for (int j = 0; j < n; ++j)
    for (int k = pattern.start[j]; k < pattern.start[j + 1]; ++k) entries.emplace_back(pattern.row[k], j, 1.0);
  Eigen::SparseMatrix<double> matrix(n, n);
  matrix.setFromTriplets(entries.begin(), entries.end());
  Eigen::PermutationMatrix<Eigen::Dynamic, Eigen::Dynamic, int> permutation;
  Eigen::AMDOrdering<int>()(matrix, permutation);
  return {permutation.indices().data(), permutation.indices().data() + n};
}

}  // namespace

void SparseLdlt::analyse(const Pattern& pattern, Ordering ordering) {
  n_ = pattern.cols;
  analysed_ = true;
  banded_ = ordering != Ordering::minimum_degree && BandLdlt::suits(pattern);
  if (banded_) {
    identity_ = true;
    return band_.analyse(pattern);
  }
  choose_ordering(pattern, ordering);
  permute_upper(pattern);
  find_rows();
  const std::size_t n = static_cast<std::size_t>(n_);
  L_.assign(row_.size(), 0.0);
  index_.assign(row_.size(), 0);
  D_inverse_.assign(n, 0.0);
  work_.assign(n, 0.0);
  permuted_.assign(n, 0.0);
  column_end_.assign(n, 0);
}

void SparseLdlt::choose_ordering(const Pattern& pattern, Ordering ordering) {
  identity_ = ordering == Ordering::natural || (ordering == Ordering::automatic && fills_little(pattern));
  order_.resize(n_);
  if (identity_) {
    std::iota(order_.begin(), order_.end(), 0);
  } else {
    order_ = minimum_degree(pattern);
  }
  place_.resize(n_);
  for (int k = 0; k < n_; ++k) place_[order_[k]] = k;
}

void SparseLdlt::permute_upper(const Pattern& pattern) {
  upper_start_.assign(static_cast<std::size_t>(n_) + 1, 0);
  const auto each_upper = [&](const auto& use) {
    for (int j = 0; j < n_; ++j)
      for (int k = pattern.start[j]; k < pattern.start[j + 1]; ++k)
        if (place_[pattern.row[k]] <= place_[j]) use(place_[pattern.row[k]], place_[j], k);
  };
  each_upper([&](int, int column, int) { ++upper_start_[column + 1]; });
  std::partial_sum(upper_start_.begin(), upper_start_.end(), upper_start_.begin());
  upper_row_.resize(upper_start_.back());
  source_.resize(upper_row_.size());
  std::vector<int> next(upper_start_.begin(), upper_start_.end() - 1);
  each_upper([&](int row, int column, int k) {
    upper_row_[next[column]] = row;
    source_[next[column]++] = k;
  });
  // Both triangles list the entries of a column, or row, by their place in the pattern.
  mirror_.resize(source_.size());
  std::copy(upper_start_.begin(), upper_start_.end() - 1, next.begin());
  for (int j = 0; j < n_; ++j)
    for (int k = pattern.start[j]; k < pattern.start[j + 1]; ++k)
      if (place_[pattern.row[k]] >= place_[j]) mirror_[next[place_[pattern.row[k]]]++] = k;
}

// The pattern of every row of L, in an order in which it can be eliminated, and the sizes of its columns.
void SparseLdlt::find_rows() {
  std::vector<int> parent(n_, -1), seen(static_cast<std::size_t>(n_), -1), path, row;
  std::vector<int> count(n_, 0);
  row_start_.assign(1, 0);
  row_.clear();
  for (int k = 0; k < n_; ++k) {
    seen[k] = k;
    row.clear();
    for (int p = upper_start_[k]; p < upper_start_[k + 1]; ++p) {
      // Up the elimination tree until something already known; paths found later come first.
      path.clear();
      for (int i = upper_row_[p]; seen[i] != k; i = parent[i]) {
        if (parent[i] < 0) parent[i] = k;
        path.push_back(i);
        ++count[i];
        seen[i] = k;
      }
      row.insert(row.end(), path.rbegin(), path.rend());
    }
    std::reverse(row.begin(), row.end());
    row_.insert(row_.end(), row.begin(), row.end());
    row_start_.push_back(static_cast<int>(row_.size()));
  }
  column_start_.assign(static_cast<std::size_t>(n_) + 1, 0);
  for (int k = 0; k < n_; ++k) column_start_[k + 1] = column_start_[k] + count[k];
}

bool SparseLdlt::factorise(const double* A) {
  if (banded_) return band_.factorise(A);
  R_.clear();
  return eliminate<true>(A);
}

bool SparseLdlt::factorise_general(const double* A) {
  R_.resize(2 * L_.size());
  other_work_.assign(2 * static_cast<std::size_t>(n_), 0.0);
  return eliminate<false>(A);
}

// Row k of L D, and column k of D R, which is its transpose if A is symmetric; otherwise entries of L and R stand side
// by side in R_, as those of the row and the column do while they are found.
template <bool IsSymmetric>
bool SparseLdlt::eliminate(const double* A) {
  constexpr int width = IsSymmetric ? 1 : 2;
  std::copy(column_start_.begin(), column_start_.end() - 1, column_end_.begin());
  negative_pivots_ = 0;
  double* y = (IsSymmetric ? work_ : other_work_).data();
  const Columns columns{column_start_.data(), column_end_.data(), index_.data(), (IsSymmetric ? L_ : R_).data(),
                        D_inverse_.data()};
  for (int k = 0; k < n_; ++k) {
    // Column k of the upper triangle, scattered; row k of the lower one.
    double pivot = 0.0;
    for (int p = upper_start_[k]; p < upper_start_[k + 1]; ++p) {
      if (upper_row_[p] == k) {
        pivot += A[source_[p]];
      } else {
        y[width * upper_row_[p]] += A[source_[p]];
        if constexpr (!IsSymmetric) y[width * upper_row_[p] + 1] += A[mirror_[p]];
      }
    }
    // Columns one after the other that are alike below the last of them are subtracted together.
    for (int p = row_start_[k], run = 1; p < row_start_[k + 1]; p += run) {
      const auto goes_on = [&](int r) {
        const int i = row_[p] + r - 1;
        return p + r < row_start_[k + 1] && row_[p + r] == i + 1 && index_[column_start_[i]] == i + 1 &&
               2 * column_start_[i + 1] == column_start_[i] + column_start_[i + 2] + 1;
      };
      for (run = 1; run < longest_run && goes_on(run);) ++run;
      pivot = subtract_run<width>[run - 1](columns, row_[p], k, pivot, y);
    }
    if (pivot == 0.0 || !std::isfinite(pivot) || (k % 64 == 0 && is_interrupted())) {
      std::fill(y, y + width * n_, 0.0);
      // Whoever solves all the same gets no numbers.
      std::fill(D_inverse_.begin(), D_inverse_.end(), std::numeric_limits<double>::quiet_NaN());
      return false;
    }
    negative_pivots_ += pivot < 0.0;
    D_inverse_[k] = 1.0 / pivot;
  }
  return true;
}

void SparseLdlt::solve(double* x) const {
  if (banded_) return band_.solve(x);
  double* y = x;
  if (!identity_) {
    y = permuted_.data();
    for (int k = 0; k < n_; ++k) y[k] = x[order_[k]];
  }
  const int width = R_.empty() ? 1 : 2;
  const double *L = (R_.empty() ? L_ : R_).data(), *R = L + width - 1;
  for (int k = 0; k < n_; ++k) {
    const double yk = y[k];
    for (int s = column_start_[k]; s < column_start_[k + 1]; ++s) y[index_[s]] -= L[width * s] * yk;
  }
  for (int k = 0; k < n_; ++k) y[k] *= D_inverse_[k];
  for (int k = n_ - 1; k >= 0; --k) {
    double yk = y[k];
    for (int s = column_start_[k]; s < column_start_[k + 1]; ++s) yk -= R[width * s] * y[index_[s]];
    y[k] = yk;
  }
  if (!identity_)
    for (int k = 0; k < n_; ++k) x[order_[k]] = y[k];
}

}  // namespace ricochet
