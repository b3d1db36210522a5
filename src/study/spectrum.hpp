// Largest and smallest eigenvalues: exact for small systems, by Lanczos' method for large sparse ones.
#pragma once

#include <functional>
#include <optional>

#include "ricochet/core/pattern.hpp"
#include "ricochet/core/state.hpp"
#include "ricochet/model/model.hpp"

namespace ricochet {

// y := A x, all n long.
using LinearMap = std::function<void(const double* x, double* y)>;

// The largest eigenvalue of A, self-adjoint in the inner product ⟨x, y⟩ = xᵀ B y, from below. Lanczos' method with full
// reorthogonalisation from a fixed start: exact up to `most_steps` unknowns.
double lanczos_largest(int n, const LinearMap& A, const LinearMap& B, int most_steps = 40);

struct Extremes {
  double smallest = 0.0, largest = 0.0;
  bool estimated = false;  // by Lanczos' method
};
// Of a symmetric matrix; nothing if it is not positive definite.
std::optional<Extremes> extreme_eigenvalues(const Pattern& pattern, const double* A);

struct Frequency {
  double omega = 0.0;  // 0 if no mode is restored
  bool estimated = false;
};
// The largest ω with K x = ω² M x of the motion linearised at the state, K = −∂F/∂q.
Frequency largest_frequency(const Model& model, const State& state);

}  // namespace ricochet
