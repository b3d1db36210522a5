// What the engines ask of a right-hand side f of y' = f(t, y), and what they answer.
//
//     struct Rhs {
//       bool operator()(double t, const double* y, double* dy);          // false: f cannot be evaluated here
//       bool jacobian(double t, const double* y, double* J);             // optional: ∂f/∂y dense by columns
//     };
//
// Contact forces. The index-1 system  M v' = F + H λ,  Hᵀv' + c = 0  on the active contacts is the ODE y = (q, v, z)
// with λ(t, y) eliminated:  (Hᵀ M⁻¹ H) λ = −(Hᵀ M⁻¹ F + c),  dy = (v, M⁻¹(F + H λ), rate). A Rhs does that elimination
// and hands λ out by a fourth argument, which both engines keep for every stage (stage_output):
//
//       bool operator()(double t, const double* y, double* dy, double* outputs);
//
// With an explicit table this is the half-explicit method: λ_i solves the constraint at stage i. With an implicit one
// the stages (Y_i, λ_i) are those of the table applied to the index-1 system itself. In place of the equation the Rhs
// may solve the complementarity problem 0 ≤ Γ ⊥ λ ≥ 0: λ is then piecewise smooth in y, and Newton's method says so
// where a kink inside the step keeps it from an end. The sign of λ is read from stage_output after the step. When the
// active set has changed, begin with Start::fresh: f is another function.
//
// Where large terms cancel in f, as forces and contact forces do, f is at round-off though y and ∂f/∂y are small. A Rhs
// that knows their sizes tells them, so that Newton's method can see where round-off begins:
//
//       const double* magnitude() const;                                 // optional: of the last evaluation, by
//       component
//
// Quantities to be integrated along (work of a force) are further components of y.
#pragma once

#include <concepts>

namespace ricochet {

enum class OdeStatus {
  done,
  evaluation_failed,     // the right-hand side refused
  not_finite,            // it gave NaN or infinity
  step_too_small,        // the error asks for steps below the resolution of t
  newton_not_converged,  // the stage equations
  singular_matrix,       // their matrix I − h A⊗J could not be factorised
};

// What an engine may keep from its last call.
enum class Start {
  fresh,      // nothing
  same,       // the same t₀ and y₀ with another h
  continued,  // t₀ and y₀ are the end of the last step
};

template <class Rhs>
concept HasOutputs = requires(Rhs& rhs, double t, const double* y, double* dy) {
  { rhs(t, y, dy, dy) } -> std::convertible_to<bool>;
};

template <class Rhs>
concept HasJacobian = requires(Rhs& rhs, double t, const double* y, double* J) {
  { rhs.jacobian(t, y, J) } -> std::convertible_to<bool>;
};

template <class Rhs>
concept HasMagnitude = requires(const Rhs& rhs) {
  { rhs.magnitude() } -> std::convertible_to<const double*>;
};

// body(j) for all components. The few components of a small system were written one by one a moment ago: loading them
// as a vector would wait for the stores (a step takes half as long again for n = 2), so the empty statement keeps the
// compiler from it.
template <class Size, class Body>
inline void each_component(Size n, const Body& body) {
  if (n > 16) {
    for (int j = 0; j < n; ++j) body(j);
    return;
  }
  for (int j = 0; j < n; ++j) {
    body(j);
    asm volatile("");
  }
}

inline void copy(int n, const double* from, double* to) {
  for (int j = 0; j < n; ++j) {
    to[j] = from[j];
    asm volatile("");
  }
}

inline bool is_finite(int n, const double* y) {
  double zero = 0.0;
  each_component(n, [&](int j) { zero += 0.0 * y[j]; });
  return zero == 0.0;
}

template <class Rhs, class Value>
inline bool evaluate(Rhs& rhs, const Value& t, const Value* y, Value* dy, [[maybe_unused]] Value* outputs) {
  if constexpr (HasOutputs<Rhs>) {
    return rhs(t, y, dy, outputs);
  } else {
    return rhs(t, y, dy);
  }
}

}  // namespace ricochet
