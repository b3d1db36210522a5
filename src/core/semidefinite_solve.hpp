// W x = y for a small positive semidefinite W, symmetric or nearly so, such as contacts that support a body
// redundantly.
//
// W = L D R with unit triangles L and R (R = Lᵀ if W is symmetric) by elimination with pivots from the diagonal, as
// many columns as the rank. Of full rank x is the solution. Otherwise it is the one of least norm, for the part of y
// that W can give, both in the scale of a unit diagonal: with C = diag(W)⁻¹
//
//     x = C Rᵀ (R C Rᵀ)⁻¹ D⁻¹ (Lᵀ C L)⁻¹ Lᵀ C y.
//
// W x is the same for all solutions. No roots are taken: scaling rows by powers of two scales x, bit for bit.
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
    for (std::vector<double>* x : {&C_, &y_, &r_}) x->resize(size);
    for (std::vector<double>* A : {&A_, &left_, &right_}) A->resize(size * size);
    order_.resize(size);
  }

  // W by columns, n × n. False if an entry of the diagonal is not finite or negative. Rows with W_ii = 0 get x = 0.
  bool factorise(int n, const double* W) {
    n_ = n;
    reserve(n);
    for (int i = 0; i < n; ++i) {
      const double own = W[at(i, i)];
      if (!(own >= 0.0) || !std::isfinite(own)) return false;
      C_[i] = own > 0.0 ? 1.0 / own : 0.0;
    }
    std::copy(W, W + static_cast<std::size_t>(n) * static_cast<std::size_t>(n), A_.begin());
    eliminate();
    if (rank_ == n) return true;
    factorise_gram([this](int i, int k) { return L(i, k); }, left_);
    factorise_gram([this](int i, int k) { return R(k, i); }, right_);
    return true;
  }

  // x := the solution for y = x
  void solve(double* x) {
    for (int i = 0; i < n_; ++i) y_[i] = x[order_[i]];
    if (rank_ == n_)
      solve_regular();
    else
      solve_least_norm();
    for (int i = 0; i < n_; ++i) x[order_[i]] = y_[i];
  }

 private:
  std::size_t at(int i, int j) const { return static_cast<std::size_t>(j) * static_cast<std::size_t>(n_) + i; }
  // In the order of the pivots, i ≥ k: L below the diagonal of A_, R above it, D on it.
  double L(int i, int k) const { return i == k ? 1.0 : A_[at(i, k)]; }
  double R(int k, int i) const { return i == k ? 1.0 : A_[at(k, i)]; }
  double D(int k) const { return A_[at(k, k)]; }

  // The largest pivot against its own row comes next, until what is left is round-off.
  void eliminate() {
    constexpr double negligible = 1e-13;
    for (int i = 0; i < n_; ++i) order_[i] = i;
    for (rank_ = 0; rank_ < n_; ++rank_) {
      const int k = rank_;
      int best = k;
      for (int i = k + 1; i < n_; ++i)
        if (D(i) * C_[i] > D(best) * C_[best]) best = i;
      if (!(D(best) * C_[best] > negligible * n_)) return;
      swap_rows(k, best);
      for (int j = k + 1; j < n_; ++j) {
        const double right = A_[at(k, j)] / D(k);
        for (int i = k + 1; i < n_; ++i) A_[at(i, j)] -= A_[at(i, k)] * right;
        A_[at(k, j)] = right;
      }
      for (int i = k + 1; i < n_; ++i) A_[at(i, k)] /= D(k);
    }
  }
  void swap_rows(int k, int i) {
    if (k == i) return;
    std::swap(order_[k], order_[i]);
    std::swap(C_[k], C_[i]);
    for (int j = 0; j < n_; ++j) std::swap(A_[at(k, j)], A_[at(i, j)]);
    for (int j = 0; j < n_; ++j) std::swap(A_[at(j, k)], A_[at(j, i)]);
  }

  void solve_regular() {
    for (int k = 0; k < n_; ++k)
      for (int i = k + 1; i < n_; ++i) y_[i] -= L(i, k) * y_[k];
    for (int k = 0; k < n_; ++k) y_[k] /= D(k);
    for (int k = n_ - 1; k >= 0; --k)
      for (int i = 0; i < k; ++i) y_[i] -= R(i, k) * y_[k];
  }
  void solve_least_norm() {
    for (int k = 0; k < rank_; ++k) {
      r_[k] = 0.0;
      for (int i = k; i < n_; ++i) r_[k] += L(i, k) * C_[i] * y_[i];
    }
    solve_gram(left_);
    for (int k = 0; k < rank_; ++k) r_[k] /= D(k);
    solve_gram(right_);
    for (int i = 0; i < n_; ++i) {
      y_[i] = 0.0;
      for (int k = 0; k < std::min(i + 1, rank_); ++k) y_[i] += C_[i] * R(k, i) * r_[k];
    }
  }

  // Bᵀ C B = G E Gᵀ for the first columns of a unit triangle B: G below the diagonal, E on it.
  template <class Triangle>
  void factorise_gram(const Triangle& B, std::vector<double>& G) {
    for (int j = 0; j < rank_; ++j)
      for (int i = j; i < rank_; ++i) {
        double sum = 0.0;
        for (int k = i; k < n_; ++k) sum += B(k, i) * C_[k] * B(k, j);
        for (int k = 0; k < j; ++k) sum -= G[at(i, k)] * G[at(k, k)] * G[at(j, k)];
        G[at(i, j)] = i == j ? sum : sum / G[at(j, j)];
      }
  }
  void solve_gram(const std::vector<double>& G) {
    for (int k = 0; k < rank_; ++k)
      for (int i = 0; i < k; ++i) r_[k] -= G[at(k, i)] * r_[i];
    for (int k = 0; k < rank_; ++k) r_[k] /= G[at(k, k)];
    for (int k = rank_ - 1; k >= 0; --k)
      for (int i = k + 1; i < rank_; ++i) r_[k] -= G[at(i, k)] * r_[i];
  }

  int n_ = 0, rank_ = 0;
  std::vector<double> A_, left_, right_, C_, y_, r_;
  std::vector<int> order_;
};

}  // namespace ricochet
