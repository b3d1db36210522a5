// From the formulas of a description to the equations of motion, as tapes. Lagrange's equations
//
//   d/dt ∂T/∂v − ∂T/∂q = −∂V/∂q − ∂D/∂v + Q,     T = T₂ + T₁ + T₀ by degree in v,  T₂ = ½ vᵀ M v,
//
// give M v' = F with
//   F_i = ∂T/∂q_i − Σ_j (∂²T/∂v_i∂q_j) v_j − ∂²T/∂v_i∂t − ∂V/∂q_i − ∂D/∂v_i + Q_i.
//
// The tapes know parameters as symbols: one set of equations serves every set of parameter values.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "ricochet/formula/tape.hpp"
#include "ricochet/model/lagrangian.hpp"

namespace ricochet {

struct LagrangianEquations {
  Layout layout;
  std::vector<std::string> parameters;  // in the order of the parameter bank

  formula::Tape mass;             // M in its pattern
  formula::Tape force;            // F
  formula::Tape jacobians;        // K then C, in their patterns
  formula::Tape gap;              // g
  formula::Tape gradient;         // H in its pattern
  formula::Tape time_derivative;  // ∂g/∂t
  formula::Tape acceleration;     // c
  formula::Tape restitution;      // e
  formula::Tape rate;             // z'
  formula::Tape state_jacobians;  // ∂F/∂z, ∂rate/∂q, ∂rate/∂v, ∂rate/∂z
  formula::Tape energy;           // T₂, V − T₀
  formula::Tape power;            // input, damping
  formula::Tape linear;           // K, K_V, C, C_D; empty unless the force is linear
  formula::Tape load;             // f, l, c;        empty unless the force is linear
};

std::shared_ptr<const LagrangianEquations> derive_equations(const LagrangianDescription& description);

}  // namespace ricochet
