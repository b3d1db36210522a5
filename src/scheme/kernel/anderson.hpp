// Anderson's acceleration of a fixed point x := G(x): of the last results that combination is taken whose residuals
// r = G(x) − x cancel best,
//
//     x := G(x_k) − Σ θ_i (G(x_{i+1}) − G(x_i)),   θ: ‖r_k − Σ θ_i (r_{i+1} − r_i)‖ least.
//
// On linear maps that differ from a constant in n directions it ends after n + 1 iterations, however slowly the plain
// ones would.
#pragma once

#include <cmath>
#include <cstddef>
#include <vector>

#include "core/zeros.hpp"

namespace ricochet {

class Anderson {
 public:
  // n: entries of r, which may be a part of what tells x; size: entries of x.
  Anderson(int n, int size) : n_(n), size_(size) {}

  void begin() { count_ = 0; }

  // x, which is G(x), becomes the next one; norms are those of product(u, v).
  template <class Product>
  void next(const Product& product, const double* r, double* x) {
    if (count_ > 0) {
      const int place = (count_ - 1) % window;
      for (int i = 0; i < n_; ++i) R(place)[i] = r[i] - r_last_[i];
      for (int i = 0; i < size_; ++i) X(place)[i] = x[i] - x_last_[i];
    }
    for (int i = 0; i < n_; ++i) r_last_[i] = rest_[i] = r[i];
    for (int i = 0; i < size_; ++i) x_last_[i] = x[i];
    combine(product, x);
    ++count_;
  }

 private:
  static constexpr int window = 6;

  // By orthogonal differences of residuals, the newest first; those that say nothing new are left out.
  template <class Product>
  void combine(const Product& product, double* x) {
    constexpr double nothing_new = 1e-20;
    const int known = count_ < window ? count_ : window;
    int used = 0;
    for (int back = 0; back < known; ++back) {
      const int place = (count_ - 1 - back) % window;
      double *u = direction(used), *s = step(used);
      for (int i = 0; i < n_; ++i) u[i] = R(place)[i];
      for (int i = 0; i < size_; ++i) s[i] = X(place)[i];
      const double whole = product(u, u);
      for (int k = 0; k < used; ++k) {
        const double part = product(direction(k), u) / norm_[k];
        for (int i = 0; i < n_; ++i) u[i] -= part * direction(k)[i];
        for (int i = 0; i < size_; ++i) s[i] -= part * step(k)[i];
      }
      norm_[used] = product(u, u);
      if (!(norm_[used] > nothing_new * whole)) continue;
      const double theta = product(u, rest_.data()) / norm_[used];
      for (int i = 0; i < n_; ++i) rest_[i] -= theta * u[i];
      for (int i = 0; i < size_; ++i) x[i] -= theta * s[i];
      ++used;
    }
  }
  static double* at(std::vector<double>& all, int i, int length) {
    return all.data() + static_cast<std::size_t>(i) * static_cast<std::size_t>(length);
  }
  double* R(int i) { return at(R_, i, n_); }
  double* X(int i) { return at(X_, i, size_); }
  double* direction(int i) { return at(directions_, i, n_); }
  double* step(int i) { return at(steps_, i, size_); }

  const int n_, size_;
  int count_ = 0;
  std::vector<double> R_ = zeros(window * n_), directions_ = R_, X_ = zeros(window * size_), steps_ = X_;
  std::vector<double> r_last_ = zeros(n_), rest_ = r_last_, x_last_ = zeros(size_);
  double norm_[window] = {};
};

}  // namespace ricochet
