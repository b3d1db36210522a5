// W x = y for a small W that is symmetric and positive semidefinite, such as contacts that support a body redundantly.
//
// In the scale of a unit diagonal, W̃ = S W S, by LLᵀ with diagonal pivots: W̃ = L Lᵀ with as many columns as the rank.
// Of full rank x is the solution; otherwise the one of least norm in that scale, x̃ = L (LᵀL)⁻² Lᵀ ỹ, for the part of y
// that W can give. W x is the same for all solutions.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <utility>
#include <vector>

namespace ricochet {

class SemidefiniteSolve {
 public:
  // Memory for up to n rows: none is taken after that.
  void reserve(int n) {
    const std::size_t size = static_cast<std::size_t>(n);
    if (order_.size() >= size) return;
    for (std::vector<double>* x : {&scale_, &y_, &r_}) x->resize(size);
    L_.resize(size * size);
    G_.resize(size * size);
    order_.resize(size);
  }

  // W by columns, n × n. False if an entry of the diagonal is not finite or negative. Rows with W_ii = 0 get x = 0.
  bool factorise(int n, const double* W) {
    n_ = n;
    reserve(n);
    for (int i = 0; i < n; ++i) {
      const double own = W[at(i, i)];
      if (!(own >= 0.0) || !std::isfinite(own)) return false;
      scale_[i] = own > 0.0 ? 1.0 / std::sqrt(own) : 0.0;
    }
    for (int j = 0; j < n; ++j)
      for (int i = 0; i < n; ++i) L_[at(i, j)] = scale_[i] * W[at(i, j)] * scale_[j];
    eliminate();
    if (rank_ < n) factorise_gram();
    return true;
  }

  // x := the solution for y = x
  void solve(double* x) {
    for (int i = 0; i < n_; ++i) y_[i] = scale_[order_[i]] * x[order_[i]];
    if (rank_ == n_) {
      for (int k = 0; k < n_; ++k) {
        y_[k] /= L_[at(k, k)];
        for (int i = k + 1; i < n_; ++i) y_[i] -= L_[at(i, k)] * y_[k];
      }
      for (int k = n_ - 1; k >= 0; --k) {
        for (int i = k + 1; i < n_; ++i) y_[k] -= L_[at(i, k)] * y_[i];
        y_[k] /= L_[at(k, k)];
      }
    } else {
      for (int k = 0; k < rank_; ++k) {
        r_[k] = 0.0;
        for (int i = k; i < n_; ++i) r_[k] += L_[at(i, k)] * y_[i];
      }
      solve_gram();
      solve_gram();
      for (int i = 0; i < n_; ++i) {
        y_[i] = 0.0;
        for (int k = 0; k < std::min(i + 1, rank_); ++k) y_[i] += L_[at(i, k)] * r_[k];
      }
    }
    for (int i = 0; i < n_; ++i) x[order_[i]] = scale_[order_[i]] * y_[i];
  }

 private:
  std::size_t at(int i, int j) const { return static_cast<std::size_t>(j) * static_cast<std::size_t>(n_) + i; }

  // The largest pivot comes next, until what is left is round-off.
  void eliminate() {
    constexpr double negligible = 1e-13;
    for (int i = 0; i < n_; ++i) order_[i] = i;
    for (rank_ = 0; rank_ < n_; ++rank_) {
      const int k = rank_;
      int best = k;
      for (int i = k + 1; i < n_; ++i)
        if (L_[at(i, i)] > L_[at(best, best)]) best = i;
      if (!(L_[at(best, best)] > negligible * n_)) return;
      swap_rows(k, best);
      const double pivot = std::sqrt(L_[at(k, k)]);
      L_[at(k, k)] = pivot;
      for (int i = k + 1; i < n_; ++i) L_[at(i, k)] /= pivot;
      for (int j = k + 1; j < n_; ++j)
        for (int i = j; i < n_; ++i) L_[at(i, j)] -= L_[at(i, k)] * L_[at(j, k)];
    }
  }
  // Rows and columns k and i > k; the lower triangle counts.
  void swap_rows(int k, int i) {
    if (k == i) return;
    std::swap(order_[k], order_[i]);
    std::swap(L_[at(k, k)], L_[at(i, i)]);
    for (int j = 0; j < k; ++j) std::swap(L_[at(k, j)], L_[at(i, j)]);
    for (int j = k + 1; j < i; ++j) std::swap(L_[at(j, k)], L_[at(i, j)]);
    for (int j = i + 1; j < n_; ++j) std::swap(L_[at(j, k)], L_[at(j, i)]);
  }

  // LᵀL = C Cᵀ
  void factorise_gram() {
    for (int j = 0; j < rank_; ++j)
      for (int i = j; i < rank_; ++i) {
        double sum = 0.0;
        for (int k = i; k < n_; ++k) sum += L_[at(k, i)] * L_[at(k, j)];
        for (int k = 0; k < j; ++k) sum -= G_[at(i, k)] * G_[at(j, k)];
        G_[at(i, j)] = i == j ? std::sqrt(sum) : sum / G_[at(j, j)];
      }
  }
  void solve_gram() {
    for (int k = 0; k < rank_; ++k) {
      for (int i = 0; i < k; ++i) r_[k] -= G_[at(k, i)] * r_[i];
      r_[k] /= G_[at(k, k)];
    }
    for (int k = rank_ - 1; k >= 0; --k) {
      for (int i = k + 1; i < rank_; ++i) r_[k] -= G_[at(i, k)] * r_[i];
      r_[k] /= G_[at(k, k)];
    }
  }

  int n_ = 0, rank_ = 0;
  std::vector<double> L_, G_, scale_, y_, r_;
  std::vector<int> order_;
};

}  // namespace ricochet
