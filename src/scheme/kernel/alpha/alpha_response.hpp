// How velocities answer to impulses in a step of the generalized-α family, written for many constraints. With
// S = (1−α_m)M + (1−α_f)(h²β K + hγ C) the answer of alpha_step.hpp is
//
//     X̂ = S⁻¹[(1−α_m)M + (1−α_f)h²(β−½γ) K] M⁻¹
//       = r M⁻¹ + (1−α_m)(1−r) S⁻¹ − r (1−α_f) hγ S⁻¹ C M⁻¹,   r = 1 − γ/(2β).
//
// So the blocks X̂₁⁻¹ and X̂₂⁻¹ of X̂₁ = r M⁻¹ and X̂₂ = (1−α_m)(1−r) S⁻¹ serve as the matrix of two copies: exact without
// damping, a neighbour with it. For γ = 2β, as in constant average acceleration, X̂₂ is all of it. For γ > 2β there is
// no such form, unless all matrices are diagonal.
#pragma once

#include <vector>

#include "contact/sparse_delassus.hpp"

namespace ricochet {

class AlphaResponse {
 public:
  struct Weights {
    double alpha_m = 0.0;
    double ratio = 0.0;  // r
  };

  // Adds the matrix to `response`, if there is one.
  void set(const Pattern& mass, const double* M, const Pattern& pattern, const double* S, const Weights& weights,
           ImpulseResponse& response) {
    constexpr double round_off = 1e-14;
    const double r = weights.ratio, last = (1.0 - weights.alpha_m) * (1.0 - r);
    const bool diagonal = pattern.size() == pattern.cols, single = diagonal || r <= round_off;
    if (!diagonal && !(r >= -round_off)) return;
    if (pattern_.cols == 0) form_pattern(mass, pattern, single);
    if (diagonal) {
      for (double& value : values_) value = 1.0;
      response.answer->solve(values_.data());
      for (double& value : values_) value = 1.0 / value;
    } else {
      const int before = single ? 0 : mass.size();
      for (int k = 0; k < before; ++k) values_[k] = M[k] / r;
      for (int k = 0; k < pattern.size(); ++k) values_[before + k] = S[k] / last;
    }
    response.matrix = &pattern_;
    response.A = values_.data();
    response.copies = single ? 1 : 2;
  }

 private:
  void form_pattern(const Pattern& mass, const Pattern& pattern, bool single) {
    if (single) {
      pattern_ = pattern;
    } else {
      const int n = mass.cols;
      pattern_ = mass;
      pattern_.rows = pattern_.cols = 2 * n;
      for (const int i : pattern.row) pattern_.row.push_back(n + i);
      for (int j = 1; j <= n; ++j) pattern_.start.push_back(mass.size() + pattern.start[j]);
    }
    values_.assign(static_cast<std::size_t>(pattern_.size()), 0.0);
  }

  Pattern pattern_;
  std::vector<double> values_;
};

}  // namespace ricochet
