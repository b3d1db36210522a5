// From the formulas of a description to the equations of motion, as tapes. Lagrange's equations
//
//   d/dt ∂T/∂v − ∂T/∂q = −∂V/∂q − ∂D/∂v + Q,     T = T₂ + T₁ + T₀ by degree in v,  T₂ = ½ vᵀ M v,
//
// give M v' = F with
//   F_i = ∂T/∂q_i − Σ_j (∂²T/∂v_i∂q_j) v_j − ∂²T/∂v_i∂t − ∂V/∂q_i − ∂D/∂v_i + Q_i.
//
// The tapes know parameters as symbols: one set of equations serves every set of parameter values.
#pragma once

#include <array>
#include <memory>
#include <string>
#include <vector>

#include "ricochet/formula/tape.hpp"
#include "ricochet/model/lagrangian.hpp"

namespace ricochet {

// The functions that the equations consist of.
enum class Part {
  mass,             // M in its pattern
  force,            // F
  jacobians,        // K then C, in their patterns
  gap,              // g
  gradient,         // H in its pattern
  time_derivative,  // ∂g/∂t
  acceleration,     // c
  joint,            // the same four of the joints
  joint_gradient,
  joint_drift,
  joint_acceleration,
  slip_position,  // the same four of the slips, the first being 0
  slip_gradient,
  slip_drift,
  slip_acceleration,
  friction_bound,          // μ or L
  tangential_restitution,  // e_T
  restitution,             // e
  compliance,              // k, n, c, α
  rate,                    // z'
  state_jacobians,         // ∂F/∂z, ∂rate/∂q, ∂rate/∂v, ∂rate/∂z
  energy,                  // T₂, V − T₀
  power,                   // input, damping
  linear,                  // K, K_V, C, C_D; empty unless the force is linear
  load,                    // f, l, c;        empty unless the force is linear
  terms,                   // α, ω, a, b of the terms of LinearTerms; see `powers`
  poles,                   // where F, z', 1/M_ii and rows may become infinite
};

struct LagrangianEquations {
  Layout layout;
  std::vector<std::string> parameters;  // in the order of the parameter bank
  std::array<formula::Tape, static_cast<std::size_t>(Part::poles) + 1> tapes;
  // The powers of t in the terms of each force, then of each row; empty if they are no such sums.
  std::vector<std::vector<int>> powers;

  formula::Tape& operator[](Part part) { return tapes[static_cast<std::size_t>(part)]; }
};

std::shared_ptr<const LagrangianEquations> derive_equations(const LagrangianDescription& description);

}  // namespace ricochet
