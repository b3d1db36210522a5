// Implicit Runge-Kutta steps by collocation (Gauss, Radau IIA). Nothing is allocated after construction.
//
// Unknown are the increments Z_i = Y_i − y₀ of the stages:
//
//     Z_i = h Σ_j a_ij f(t₀ + c_j h, y₀ + Z_j),   y₁ = y₀ + Σ_i d_i Z_i,   dᵀ = bᵀA⁻¹   (y₀ + Z_s for Radau IIA)
//
// by Newton's method with the matrix I − h A⊗J. J = ∂f/∂y is kept from step to step while it serves; where convergence
// is slow it is taken afresh at (t₀, y₀), then at every stage in every iteration. The iteration ends at round-off:
// errors of the stages do not add to those of the method. A matrix that is huge makes every increment small, and solves
// nothing where f is not nearly linear: what is left, ρ_i = h Σ_j a_ij f_j − Z_i, must be below half of that sum, or
// round-off. Large systems bring a StageSystem, which solves with the matrix in place of dense factors of a dense J;
// theirs is then one J for all stages in every iteration.
//
// E. Hairer, G. Wanner, Solving Ordinary Differential Equations II, Springer 1996, section IV.8,
// doi:10.1007/978-3-642-05221-7.
//
//     ImplicitRungeKutta engine(find_tableau("gauss-2"), n);
//     status = engine.step(rhs, t, h, y0, y1);                      // Start::same, Start::continued: see Start
//     engine.dense_output(dense);
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <string>
#include <vector>

#include "core/dense_lu.hpp"
#include "core/interrupt.hpp"
#include "ricochet/core/error.hpp"
#include "ricochet/runge_kutta/tableau.hpp"
#include "runge_kutta/dense_output.hpp"
#include "runge_kutta/right_hand_side.hpp"
#include "runge_kutta/stage_system.hpp"

namespace ricochet {

class ImplicitRungeKutta {
 public:
  // n: length of y; outputs: what the right-hand side hands out at each stage (see right_hand_side.hpp).
  // kind: that many components after each other have one unit, as positions and velocities have; 0: all.
  // system: borrowed.
  ImplicitRungeKutta(const Tableau& tableau, int n, int outputs = 0, int kind = 0, StageSystem* system = nullptr)
      : tableau_(&tableau),
        n_(n),
        stages_(tableau.stages),
        outputs_(outputs),
        kind_(kind > 0 ? kind : n),
        system_(system) {
    if (tableau.is_explicit)
      throw InputError("scheme.tableau", std::string(tableau.name) + " is explicit; an implicit table is needed");
    if (stages_ >= DenseOutput::width)
      throw InputError("scheme.tableau", std::string(tableau.name) + " has more than four stages");
    prepare_weights();
    const auto length = static_cast<std::size_t>(n), all = length * static_cast<std::size_t>(stages_);
    Z_.assign(all, 0.0);
    F_ = delta_ = left_ = polynomial_ = k_ = Z_;
    stage_outputs_.assign(static_cast<std::size_t>(stages_ * outputs), 0.0);
    trial_outputs_.assign(outputs, 0.0);
    y0_.assign(length, 0.0);
    y_ = y1_ = f_ = noise_ = size_ = y0_;
    if (system_ != nullptr) return;
    J_.assign(length * length, 0.0);
    lu_.resize(n * stages_);
  }

  const Tableau& tableau() const { return *tableau_; }
  int size() const { return n_; }
  long evaluations() const { return evaluations_; }        // of f, those for difference quotients included
  long iterations() const { return iterations_; }          // of Newton's method
  long jacobians() const { return jacobians_; }            // of ∂f/∂y
  long factorisations() const { return factorisations_; }  // of I − h A⊗J

  // y1 = y0 + Σ d_i Z_i. y1 may be y0; unless done it is left as it was.
  template <class Rhs>
  OdeStatus step(Rhs& rhs, double t, double h, const double* y0, double* y1, Start start = Start::fresh) {
    OdeStatus status = OdeStatus::newton_not_converged;
    guess(h, start);
    t0_ = t, h_ = h;
    copy(n_, y0, y0_.data());
    solved_ = false;
    if (start != Start::fresh && jacobian_serves_ && (factored_h_ == h || factorise())) status = newton(rhs);
    if (status != OdeStatus::done) status = fresh_newton(rhs);
    if (status != OdeStatus::done && system_ == nullptr) status = full_newton(rhs);
    if (status != OdeStatus::done) return status;
    finish();
    if (!is_finite(n_, y1_.data())) return OdeStatus::not_finite;
    copy(n_, y1_.data(), y1);
    solved_ = true;
    return OdeStatus::done;
  }

  // The collocation polynomial: u(t₀) = y₀, u' = f at the stages, u(t₁) = y₁.
  void dense_output(DenseOutput& dense) const {
    dense.begin(t0_, h_);
    for (int j = 0; j < n_; ++j) {
      double* p = dense.coefficients(j);
      p[0] = y0_[j];
      for (int m = 0; m < DenseOutput::width - 1; ++m) p[m + 1] = m < stages_ ? polynomial_[m * n_ + j] : 0.0;
    }
  }

  void stage_value(int i, double* Y) const {
    for (int j = 0; j < n_; ++j) Y[j] = y0_[j] + Z_[i * n_ + j];
  }
  const double* stage_derivative(int i) const { return k_.data() + i * n_; }
  const double* stage_output(int i) const { return stage_outputs_.data() + i * outputs_; }

 private:
  // A⁻¹, d and the matrix that takes (Z_1 … Z_s) to the coefficients of Σ_m p_m θ^m, m = 1 … s.
  void prepare_weights() {
    const int s = stages_;
    DenseLu<double> A, V;
    A.resize(s), V.resize(s);
    for (int i = 0; i < s; ++i)
      for (int j = 0; j < s; ++j) A(i, j) = tableau_->a(i, j), V(i, j) = std::pow(tableau_->c[i], j + 1);
    if (!A.factorise() || !V.factorise())
      throw InputError("scheme.tableau", std::string(tableau_->name) + " is not a collocation method");
    const auto size = static_cast<std::size_t>(s);
    A_inverse_.assign(size * size, 0.0);
    V_inverse_ = A_inverse_;
    d_.assign(size, 0.0);
    std::vector<double> column(size);
    for (int j = 0; j < s; ++j) {
      column.assign(size, 0.0), column[j] = 1.0;
      A.solve(column.data());
      for (int i = 0; i < s; ++i) A_inverse_[i * s + j] = column[i], d_[j] += tableau_->b[i] * column[i];
      column.assign(size, 0.0), column[j] = 1.0;
      V.solve(column.data());
      for (int i = 0; i < s; ++i) V_inverse_[i * s + j] = column[i];
    }
    // stiffly accurate: y₁ is the last stage, to the last digit
    if (std::equal(tableau_->b.begin(), tableau_->b.end(), tableau_->A.end() - s)) {
      std::fill(d_.begin(), d_.end(), 0.0);
      d_.back() = 1.0;
    }
  }

  // Z from the polynomial of the last step, inside it or beyond its end; zero where there is none near enough.
  void guess(double h, Start start) {
    const double ratio = h / h_, from = start == Start::continued ? 1.0 : 0.0;
    const bool near = start != Start::fresh && solved_ && ratio > 0.0 && from + ratio <= 3.0;
    if (!near) return std::fill(Z_.begin(), Z_.end(), 0.0);
    for (int i = 0; i < stages_; ++i) {
      const double theta = from + ratio * tableau_->c[i];
      for (int j = 0; j < n_; ++j) Z_[i * n_ + j] = rise(j, theta) - from * rise(j, 1.0);
    }
  }
  double rise(int j, double theta) const {
    double sum = 0.0;
    for (int m = stages_ - 1; m >= 0; --m) sum = theta * (polynomial_[m * n_ + j] + sum);
    return sum;
  }

  // Newton's method with J at (t₀, y₀).
  template <class Rhs>
  OdeStatus fresh_newton(Rhs& rhs) {
    if (system_ != nullptr) {
      ++jacobians_;
      if (!system_->linearise(t0_, y0_.data())) return OdeStatus::evaluation_failed;
      return factorise() ? newton(rhs) : OdeStatus::singular_matrix;
    }
    if constexpr (!HasJacobian<Rhs>) {
      if (!f_at(rhs, t0_, y0_.data(), f_.data(), trial_outputs_.data())) return OdeStatus::evaluation_failed;
      if (!is_finite(n_, f_.data())) return OdeStatus::not_finite;
    }
    if (!jacobian(rhs, t0_, y0_.data(), f_.data())) return OdeStatus::evaluation_failed;
    if (!is_finite(n_ * n_, J_.data())) return OdeStatus::not_finite;
    return factorise() ? newton(rhs) : OdeStatus::singular_matrix;
  }

  // Iterates with the factors at hand. J no longer serves where an iteration gains less than a factor of 100.
  template <class Rhs>
  OdeStatus newton(Rhs& rhs) {
    estimate_noise(rhs);
    double before = std::numeric_limits<double>::infinity();
    for (int iteration = 0; iteration < 20; ++iteration) {
      const OdeStatus status = residual(rhs);
      if (status != OdeStatus::done) return restart(status);
      system_ != nullptr ? system_->solve(delta_.data()) : solve_dense();
      const double now = apply(), rate = now / before;
      if (!std::isfinite(now)) return restart(OdeStatus::not_finite);
      if (at_round_off(now, rate) && balances()) return OdeStatus::done;
      if (rate > 0.3 && now > stalled) return restart(OdeStatus::newton_not_converged);
      if (rate > 0.01 && now > 1e3) jacobian_serves_ = false;
      // the error left is rate/(1 − rate) of the last increment; outputs are to be as exact as the stages
      if (!HasOutputs<Rhs> && iteration > 0 && now * rate <= 1e-3) return OdeStatus::done;
      before = now;
    }
    return before <= stalled && balances() ? OdeStatus::done : restart(OdeStatus::newton_not_converged);
  }

  // J at every stage in every iteration.
  template <class Rhs>
  OdeStatus full_newton(Rhs& rhs) {
    double before = std::numeric_limits<double>::infinity();
    for (int iteration = 0; iteration < 30; ++iteration) {
      OdeStatus status = residual(rhs);
      if (status == OdeStatus::done) status = factorise_stages(rhs);
      if (status != OdeStatus::done) return restart(status);
      solve_dense();
      const double now = apply();
      if (!std::isfinite(now)) return restart(OdeStatus::not_finite);
      if (at_round_off(now, now / before) && balances()) return OdeStatus::done;
      before = now;
    }
    return before <= stalled && balances() ? OdeStatus::done : restart(OdeStatus::newton_not_converged);
  }

  // Increments in units of 1e-14: below the last digit, or near it and no longer shrinking.
  static constexpr double last_digit = 0.02, stalled = 1.5;
  static bool at_round_off(double now, double rate) { return now <= last_digit || (now <= stalled && rate > 0.9); }

  // Whether ρ is small enough for small increments to be the end.
  bool balances() const {
    constexpr double round_off = 1e-11;
    for (int k = 0; k < n_ * stages_ && is_left_; ++k) {
      const double size = std::abs(y0_[k % n_]) + std::abs(Z_[k]) + noise_[k % n_];
      if (std::abs(left_[k]) > std::max(0.5 * std::abs(left_[k] + Z_[k]), round_off * size)) return false;
    }
    return true;
  }

  // What came of a failed iteration is no guess for the next one.
  OdeStatus restart(OdeStatus status) {
    std::fill(Z_.begin(), Z_.end(), 0.0);
    jacobian_serves_ = false;
    return status;
  }

  // δ_i = −Z_i + h Σ_j a_ij F_j, kept as ρ where it is not small.
  template <class Rhs>
  OdeStatus residual(Rhs& rhs) {
    ++iterations_;
    for (int i = 0; i < stages_; ++i) {
      stage_value(i, y_.data());
      if (!f_at(rhs, t0_ + tableau_->c[i] * h_, y_.data(), F_.data() + i * n_, stage_outputs_.data() + i * outputs_))
        return OdeStatus::evaluation_failed;
    }
    if (!is_finite(n_ * stages_, F_.data())) return OdeStatus::not_finite;
    double beyond = 0.0;
    for (int i = 0; i < stages_; ++i)
      for (int j = 0; j < n_; ++j) {
        double sum = 0.0;
        for (int l = 0; l < stages_; ++l) sum += tableau_->a(i, l) * F_[l * n_ + j];
        const double left = delta_[i * n_ + j] = h_ * sum - Z_[i * n_ + j];
        beyond = std::max(beyond, std::abs(left) - 0.5 * std::abs(h_ * sum));
      }
    is_left_ = beyond > 0.0;
    if (is_left_) copy(n_ * stages_, delta_.data(), left_.data());
    return OdeStatus::done;
  }

  // Z += δ; the largest |δ| against 1e-14 of its component and of what round-off in f makes of it. What has decayed to
  // the least numbers there are has no digits to compare.
  double apply() {
    double largest = 0.0;
    for (int i = 0; i < stages_; ++i)
      for (int j = 0; j < n_; ++j) {
        const double delta = delta_[i * n_ + j];
        const double Z = Z_[i * n_ + j] += delta;
        if (delta == 0.0) continue;
        const double size = 1e-14 * (std::abs(y0_[j]) + std::abs(Z) + noise_[j]);
        const double ratio = std::abs(delta) / std::max(size, std::numeric_limits<double>::min());
        largest = ratio <= std::numeric_limits<double>::max() ? std::max(largest, ratio)
                                                              : std::numeric_limits<double>::infinity();
      }
    return largest;
  }

  // h|f| + |hJ| (|y₀| + h|f|): round-off of y₀ and of f in the stages, in units of the last digit; |f| where it is
  // told. Positions move with their rates: theirs is h of these too.
  template <class Rhs>
  void estimate_noise([[maybe_unused]] const Rhs& rhs) {
    std::fill(noise_.begin(), noise_.end(), 0.0);
    for (int l = 0; l < n_; ++l) {
      double& size = size_[l] = std::abs(y0_[l]);
      if constexpr (HasMagnitude<Rhs>) {
        noise_[l] += h_ * rhs.magnitude()[l];
        size += h_ * rhs.magnitude()[l];
      }
      for (int j = 0; j < n_ && system_ == nullptr; ++j) noise_[j] += std::abs(h_ * J_[l * n_ + j]) * size;
    }
    if (system_ != nullptr) system_->add_noise(h_, size_.data(), noise_.data());
    for (int j = kind_; j < n_ && is_rate(j); ++j) noise_[j - kind_] += h_ * noise_[j];
  }

  template <class Rhs>
  bool f_at(Rhs& rhs, double t, const double* y, double* f, double* outputs) {
    ++evaluations_;
    return !is_interrupted() && evaluate(rhs, t, y, f, outputs);
  }

  // J at (t, y), f = f(t, y): from the right-hand side, or by difference quotients.
  template <class Rhs>
  bool jacobian(Rhs& rhs, double t, const double* y, const double* f) {
    ++jacobians_;
    if constexpr (HasJacobian<Rhs>) {
      return rhs.jacobian(t, y, J_.data());
    } else {
      constexpr double least = 1e-280;  // has all its digits in a quotient
      for (int j = 0; j < n_; ++j) {
        const int first = j - j % kind_;
        double size = 0.0;
        for (int k = first; k < std::min(first + kind_, n_); ++k)
          size = std::max({size, std::abs(y[k]), std::abs(h_ * f[k])});
        const double own = std::max({std::abs(y[j]), std::abs(h_ * f[j]), 1e-3 * size});
        const double d = 1.5e-8 * (own > 0.0 ? std::max(own, least) : 1.0);
        if (!difference(rhs, t, y, f, j, d) && !difference(rhs, t, y, f, j, -d)) return false;
      }
      return true;
    }
  }
  template <class Rhs>
  bool difference(Rhs& rhs, double t, const double* y, const double* f, int j, double d) {
    copy(n_, y, y1_.data());
    y1_[j] += d;
    const double inverse = 1.0 / (y1_[j] - y[j]);
    double* column = J_.data() + j * n_;
    if (!f_at(rhs, t, y1_.data(), column, trial_outputs_.data())) return false;
    for (int i = 0; i < n_; ++i) column[i] = (column[i] - f[i]) * inverse;
    return is_finite(n_, column);
  }

  // I − h A⊗J with one J for all stages.
  bool factorise() {
    for (int l = 0; l < stages_ && system_ == nullptr; ++l) fill_columns(l);
    ++factorisations_;
    jacobian_serves_ = system_ != nullptr ? system_->factorise(h_) : lu_.factorise();
    factored_h_ = h_;
    return jacobian_serves_;
  }
  template <class Rhs>
  OdeStatus factorise_stages(Rhs& rhs) {
    for (int l = 0; l < stages_; ++l) {
      stage_value(l, y_.data());
      if (!jacobian(rhs, t0_ + tableau_->c[l] * h_, y_.data(), F_.data() + l * n_)) return OdeStatus::evaluation_failed;
      fill_columns(l);
    }
    ++factorisations_;
    estimate_noise(rhs);
    return lu_.factorise() ? OdeStatus::done : OdeStatus::singular_matrix;
  }
  // The columns of stage l, of (q, h v): which row is the pivot does not depend on the unit of time. h as a power of
  // two, so that nothing is rounded.
  void fill_columns(int l) {
    unit_ = std::ldexp(1.0, std::ilogb(h_));
    for (int i = 0; i < stages_; ++i) {
      const double factor = -h_ * tableau_->a(i, l);
      for (int c = 0; c < n_; ++c) {
        const double from = is_rate(c) ? 1.0 / unit_ : 1.0;
        for (int r = 0; r < n_; ++r) {
          const double entry = factor * J_[c * n_ + r] * from;
          lu_(i * n_ + r, l * n_ + c) = is_rate(r) ? entry * unit_ : entry;
        }
        if (i == l) lu_(i * n_ + c, l * n_ + c) += 1.0;
      }
    }
  }
  bool is_rate(int j) const { return j >= kind_ && j < 2 * kind_; }
  void solve_dense() {
    for (int k = 0; k < n_ * stages_; ++k)
      if (is_rate(k % n_)) delta_[k] *= unit_;
    lu_.solve(delta_.data());
    for (int k = 0; k < n_ * stages_; ++k)
      if (is_rate(k % n_)) delta_[k] /= unit_;
  }

  // y₁, the polynomial and the derivatives k = (hA)⁻¹ Z.
  void finish() {
    const int s = stages_;
    const double inverse_h = 1.0 / h_;
    for (int j = 0; j < n_; ++j) {
      double sum = 0.0;
      for (int i = 0; i < s; ++i) sum += d_[i] * Z_[i * n_ + j];
      y1_[j] = y0_[j] + sum;
      for (int m = 0; m < s; ++m) {
        double p = 0.0, k = 0.0;
        for (int i = 0; i < s; ++i) {
          p += V_inverse_[m * s + i] * Z_[i * n_ + j];
          k += A_inverse_[m * s + i] * Z_[i * n_ + j];
        }
        polynomial_[m * n_ + j] = p;
        k_[m * n_ + j] = inverse_h * k;
      }
    }
  }

  const Tableau* tableau_;
  int n_, stages_, outputs_, kind_;
  StageSystem* system_;
  std::vector<double> A_inverse_, V_inverse_, d_;              // by rows
  std::vector<double> Z_, F_, delta_, left_, polynomial_, k_;  // by stages
  std::vector<double> stage_outputs_, trial_outputs_;
  std::vector<double> y0_, y_, y1_, f_, noise_, size_, J_;
  DenseLu<double> lu_;
  double t0_ = 0.0, h_ = 0.0, factored_h_ = 0.0, unit_ = 1.0;  // unit_: 2^k near h
  bool jacobian_serves_ = false, solved_ = false, is_left_ = false;
  long evaluations_ = 0, iterations_ = 0, jacobians_ = 0, factorisations_ = 0;
};

}  // namespace ricochet
