// A step as a polynomial in time, each component by itself:
//
//     y_i(t₀ + θh) = p_i0 + p_i1 θ + … + p_i4 θ⁴,   0 ≤ θ ≤ 1,   or up to p_i7 θ⁷
#pragma once

#include <cstddef>
#include <vector>

namespace ricochet {

class DenseOutput {
 public:
  static constexpr int width = 8;  // places for the coefficients of a component

  explicit DenseOutput(int n = 0) { resize(n); }
  void resize(int n) {
    n_ = n;
    coefficients_.assign(static_cast<std::size_t>(width) * static_cast<std::size_t>(n), 0.0);
  }
  // The step it is valid for; its coefficients are to be filled then, as many as the degree (4 or 7) asks for.
  void begin(double t0, double h, int degree = 4) { t0_ = t0, h_ = h, inverse_h_ = 1.0 / h, degree_ = degree; }
  double* coefficients(int i) { return coefficients_.data() + width * i; }
  const double* coefficients(int i) const { return coefficients_.data() + width * i; }

  int size() const { return n_; }
  int degree() const { return degree_; }
  double t0() const { return t0_; }
  double h() const { return h_; }
  double theta(double t) const { return (t - t0_) * inverse_h_; }

  double value(int i, double theta) const {
    const double* p = coefficients(i);
    const double last = degree_ == 4 ? p[4] : p[4] + theta * (p[5] + theta * (p[6] + theta * p[7]));
    return p[0] + theta * (p[1] + theta * (p[2] + theta * (p[3] + theta * last)));
  }
  // dy_i/dt
  double derivative(int i, double theta) const {
    const double* p = coefficients(i);
    const double last =
        degree_ == 4 ? 4.0 * p[4] : 4.0 * p[4] + theta * (5.0 * p[5] + theta * (6.0 * p[6] + theta * 7.0 * p[7]));
    return inverse_h_ * (p[1] + theta * (2.0 * p[2] + theta * (3.0 * p[3] + theta * last)));
  }
  void value(double theta, double* y) const {
    for (int i = 0; i < n_; ++i) y[i] = value(i, theta);
  }
  void derivative(double theta, double* dy) const {
    for (int i = 0; i < n_; ++i) dy[i] = derivative(i, theta);
  }

 private:
  int n_ = 0, degree_ = 4;
  double t0_ = 0.0, h_ = 0.0, inverse_h_ = 0.0;
  std::vector<double> coefficients_;
};

}  // namespace ricochet
