// What bounds a step. Largest and smallest eigenvalues: exact for small systems, by Lanczos' method for large sparse
// ones.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "ricochet/core/pattern.hpp"
#include "ricochet/core/state.hpp"
#include "ricochet/model/model.hpp"
#include "ricochet/scheme/scheme.hpp"

namespace ricochet {

// Numbers in [−1, 1) without a pattern, the same ones every time (xorshift; G. Marsaglia, J. Stat. Softw. 8 (2003) 14).
class FixedNumbers {
 public:
  double next() {
    seed_ ^= seed_ << 13;
    seed_ ^= seed_ >> 7;
    seed_ ^= seed_ << 17;
    return 2.0 * static_cast<double>(seed_ >> 11) * 0x1p-53 - 1.0;
  }

 private:
  std::uint64_t seed_ = 88172645463325252ULL;
};

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

// The largest h ω that a scheme bears, measured on the scheme itself: the scheme runs on x″ = −x for 300 steps of h. It
// is stable where the amplitude of the second half is at most three times that of the first; the limit is found by
// bisection to four digits. Infinite if no h up to 20 is unstable.
double stability_limit(const Scheme& scheme);

// "moreau is unstable beyond 2: the step must be below 0.00057"
std::string instability_text(const Scheme& scheme, double limit, const Frequency& frequency);

}  // namespace ricochet
