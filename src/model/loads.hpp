// Forces that depend on time alone.
#pragma once

#include <vector>

#include "ricochet/model/linear.hpp"

namespace ricochet {

// f += Σ direction · signal(t)
inline void add_loads(const std::vector<LinearLoad>& loads, double t, double* f) {
  for (const LinearLoad& load : loads) {
    const double signal = load.signal(t);
    for (const auto& [i, weight] : load.direction) f[i] += weight * signal;
  }
}

// weightsᵀ x
inline double along(const SparseVector& weights, const double* x) {
  double sum = 0.0;
  for (const auto& [i, weight] : weights) sum += weight * x[i];
  return sum;
}

inline double power_of(const std::vector<LinearLoad>& loads, double t, const double* v) {
  double power = 0.0;
  for (const LinearLoad& load : loads) power += along(load.direction, v) * load.signal(t);
  return power;
}

}  // namespace ricochet
