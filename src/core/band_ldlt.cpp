// Width 1 is eliminated from both ends towards the middle row: two recurrences run side by side, and each of them waits
// for its own last result only. (A twisted factorisation; G. Meurant, SIAM J. Matrix Anal. Appl. 13 (1992) 707,
// doi:10.1137/0613045.) Wider bands are eliminated row by row.
#include "core/band_ldlt.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>

namespace ricochet {

int BandLdlt::width(const Pattern& pattern) {
  int widest_entry = 0;
  for (int j = 0; j < pattern.cols; ++j)
    for (int k = pattern.start[j]; k < pattern.start[j + 1]; ++k)
      widest_entry = std::max(widest_entry, std::abs(pattern.row[k] - j));
  return widest_entry;
}

bool BandLdlt::suits(const Pattern& pattern) {
  const int band = width(pattern);
  const double places = static_cast<double>(pattern.cols) * (2 * band + 1);
  return pattern.cols > 2 * band && band <= widest && places <= 4.0 * pattern.size();
}

void BandLdlt::analyse(const Pattern& pattern) {
  n_ = pattern.cols;
  width_ = width(pattern);
  const std::size_t n = static_cast<std::size_t>(n_), places = static_cast<std::size_t>(width_) + 1;
  source_.assign(n * places, -1);
  for (int j = 0; j < n_; ++j)
    for (int k = pattern.start[j]; k < pattern.start[j + 1]; ++k)
      if (const int i = pattern.row[k]; i >= j)
        source_[static_cast<std::size_t>(i) * places + static_cast<std::size_t>(i - j)] = k;
  L_.assign(n * static_cast<std::size_t>(width_), 0.0);
  D_inverse_.assign(n, 0.0);
}

bool BandLdlt::take_pivot(int i, double pivot) {
  if (pivot == 0.0 || !std::isfinite(pivot)) return false;
  negative_pivots_ += pivot < 0.0;
  D_inverse_[i] = 1.0 / pivot;
  return true;
}

bool BandLdlt::factorise(const double* A) {
  negative_pivots_ = 0;
  return width_ == 1 ? factorise_twisted(A) : factorise_rows(A);
}

// L_[i] belongs to the pair (i, i+1), whichever of the two is eliminated first.
bool BandLdlt::factorise_twisted(const double* A) {
  const auto entry = [&](int place) { return source_[place] < 0 ? 0.0 : A[source_[place]]; };
  const auto diagonal = [&](int i) { return entry(2 * i); };
  const auto beside = [&](int i) { return entry(2 * (i + 1) + 1); };  // (i+1, i)
  const int middle = n_ / 2;
  double from_above = 0.0, from_below = 0.0;
  for (int i = 0; i < middle; ++i) {
    if (!take_pivot(i, diagonal(i) - from_above)) return false;
    L_[i] = beside(i) * D_inverse_[i];
    from_above = L_[i] * beside(i);
  }
  for (int i = n_ - 1; i > middle; --i) {
    if (!take_pivot(i, diagonal(i) - from_below)) return false;
    L_[i - 1] = beside(i - 1) * D_inverse_[i];
    from_below = L_[i - 1] * beside(i - 1);
  }
  return take_pivot(middle, diagonal(middle) - from_above - from_below);
}

void BandLdlt::solve_twisted(double* x) const {
  const double *L = L_.data(), *D_inverse = D_inverse_.data();
  const int middle = n_ / 2, below = n_ - 1 - middle, both = std::min(middle, below);
  // Towards the middle.
  double up = 0.0, down = 0.0;
  const auto from_above = [&](int i) {
    up = x[i] - up;
    x[i] = up;
    up *= L[i];
  };
  const auto from_below = [&](int i) {
    down = x[i] - down;
    x[i] = down;
    down *= L[i - 1];
  };
  for (int k = 0; k < both; ++k) {
    from_above(k);
    from_below(n_ - 1 - k);
  }
  for (int i = both; i < middle; ++i) from_above(i);
  for (int i = n_ - 1 - both; i > middle; --i) from_below(i);
  // And back.
  up = down = x[middle] = (x[middle] - up - down) * D_inverse[middle];
  const auto to_above = [&](int i) {
    up = x[i] * D_inverse[i] - L[i] * up;
    x[i] = up;
  };
  const auto to_below = [&](int i) {
    down = x[i] * D_inverse[i] - L[i - 1] * down;
    x[i] = down;
  };
  for (int k = 1; k <= both; ++k) {
    to_above(middle - k);
    to_below(middle + k);
  }
  for (int i = middle - both - 1; i >= 0; --i) to_above(i);
  for (int i = middle + both + 1; i < n_; ++i) to_below(i);
}

// Row i: u_j = A_ij − Σ_k u_k L_jk, L_ij = u_j / D_j, D_i = A_ii − Σ_j u_j L_ij.
bool BandLdlt::factorise_rows(const double* A) {
  double u[widest + 1] = {};
  for (int i = 0; i < n_; ++i) {
    const int* source = source_.data() + static_cast<std::size_t>(i) * (static_cast<std::size_t>(width_) + 1);
    double* row = L_.data() + static_cast<std::size_t>(i) * static_cast<std::size_t>(width_);
    const int first = std::min(i, width_);
    double pivot = source[0] < 0 ? 0.0 : A[source[0]];
    for (int d = first; d >= 1; --d) {
      const int j = i - d;
      const double* above = L_.data() + static_cast<std::size_t>(j) * static_cast<std::size_t>(width_);
      double sum = source[d] < 0 ? 0.0 : A[source[d]];
      // Columns that both rows reach.
      for (int e = 1; e <= width_ - d && e <= j; ++e) sum -= u[d + e] * above[e - 1];
      u[d] = sum;
      row[d - 1] = sum * D_inverse_[j];
      pivot -= sum * row[d - 1];
    }
    if (!take_pivot(i, pivot)) return false;
  }
  return true;
}

template <int Width>
void BandLdlt::solve_rows(double* x) const {
  const int band = Width > 0 ? Width : width_;
  double last[widest + 1] = {};
  // The rows before the first hold zeros in L.
  for (int i = 0; i < n_; ++i) {
    const double* row = L_.data() + static_cast<std::size_t>(i) * static_cast<std::size_t>(band);
    double sum = x[i];
    for (int d = band; d >= 1; --d) sum -= row[d - 1] * last[d];
    for (int d = band; d >= 2; --d) last[d] = last[d - 1];
    last[1] = x[i] = sum;
  }
  // last[d]: what rows already known take from x_{i−d}.
  for (double& entry : last) entry = 0.0;
  for (int i = n_ - 1; i >= 0; --i) {
    const double* row = L_.data() + static_cast<std::size_t>(i) * static_cast<std::size_t>(band);
    const double known = x[i] * D_inverse_[i] - last[0];
    for (int d = 1; d <= band; ++d) last[d - 1] = (d < band ? last[d] : 0.0) + row[d - 1] * known;
    x[i] = known;
  }
}

void BandLdlt::solve(double* x) const {
  switch (width_) {
    case 0:
      for (int i = 0; i < n_; ++i) x[i] *= D_inverse_[i];
      return;
    case 1: return solve_twisted(x);
    case 2: return solve_rows<2>(x);
    case 3: return solve_rows<3>(x);
    case 4: return solve_rows<4>(x);
    default: return solve_rows<0>(x);
  }
}

}  // namespace ricochet
