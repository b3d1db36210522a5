// The errors that a step may make in y = (q, v, z): |e_i| ≤ atol_i + rtol |y_i|.
//
// atol is one number, or follows the motion: a hundredth of rtol times the largest |y_i| that there has been, what the
// next step makes of it included, so that no default has a unit. A coordinate that moves by round-off only is allowed
// that: for speeds 64 ε max_k V_k √(M_kk/M_ii), the kinetic energy being common to all, for positions what that makes
// of them in a step. V_k is the largest |v_k|, or what the terms of v_k' add up to in a step, without their signs: at
// rest they cancel. And a speed that does not change its position in a step, 4 ε |q_i|/h, is round-off of forces in
// balance.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <vector>

#include "core/zeros.hpp"
#include "ricochet/model/model.hpp"

namespace ricochet {

class MotionErrors {
 public:
  MotionErrors(const Model& model, double rtol, std::optional<double> atol)
      : model_(model), nq_(model.nq()), n_(2 * nq_ + model.nz()), rtol_(rtol), follows_(!atol) {
    std::fill(allowed_.begin(), allowed_.end(), atol.value_or(0.0));
    std::fill(weight_.begin(), weight_.end(), 1.0);
  }

  // A motion begins at (t, y).
  void begin(double t, const double* y) {
    if (!follows_) return;
    std::fill(allowed_.begin(), allowed_.end(), std::numeric_limits<double>::min());
    fastest_ = 0.0;
    model_.mass(t, y, M_.data());
    const Pattern& pattern = model_.layout().mass;
    for (int i = 0; i < nq_; ++i)
      for (int k = pattern.start[i]; k < pattern.start[i + 1]; ++k)
        if (pattern.row[k] == i) weight_[i] = std::sqrt(M_[k] / M_[0]);
    see(y, 0.0);
  }

  // The motion is at y, and goes on with a step of about h.
  void see(const double* y, double h) {
    if (!follows_) return;
    for (int i = 0; i < n_; ++i) grow(i, std::abs(y[i]));
    for (int i = 0; i < nq_; ++i) {
      fastest_ = std::max(fastest_, weight_[i] * std::abs(y[nq_ + i]));
      if (h > 0.0) allowed_[nq_ + i] = std::max(allowed_[nq_ + i], 4.0 * epsilon * std::abs(y[i]) / h);
    }
  }
  // It sets out with the derivative dy, v' being a sum of terms of these sizes.
  void set_out(const double* dy, const double* terms, double h) {
    if (!follows_) return;
    for (int i = 0; i < n_; ++i) grow(i, std::abs(dy[i]) * h);
    for (int i = 0; i < nq_; ++i) fastest_ = std::max(fastest_, weight_[i] * std::abs(terms[i]) * h);
    for (int i = 0; i < nq_; ++i) {
      const double quiet = 64.0 * epsilon * fastest_ / weight_[i];
      allowed_[nq_ + i] = std::max(allowed_[nq_ + i], quiet);
      allowed_[i] = std::max(allowed_[i], quiet * h);
    }
  }

  // A force jumps where nothing has moved before: a size is what a longer step makes of the motion.
  void see_jump(const double* y0, const double* y1, const double* e, double longer) {
    for (int i = 0; i < n_ && follows_; ++i) {
      const double made = (std::abs(y1[i] - y0[i]) + std::abs(e[i])) * longer;
      if (std::isfinite(made)) grow(i, made);
    }
  }

  const double* atol() const { return allowed_.data(); }
  double allowed(int i, double size) const { return allowed_[i] + rtol_ * size; }

 private:
  static constexpr double epsilon = std::numeric_limits<double>::epsilon();
  void grow(int i, double size) { allowed_[i] = std::max(allowed_[i], 0.01 * rtol_ * size); }

  const Model& model_;
  const int nq_, n_;
  const double rtol_;
  const bool follows_;
  double fastest_ = 0.0;  // √M-weighted
  std::vector<double> allowed_ = zeros(n_), weight_ = zeros(nq_), M_ = zeros(model_.layout().mass.size());
};

}  // namespace ricochet
