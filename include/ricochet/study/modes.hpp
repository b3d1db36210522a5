// Small motions about a state: natural frequencies, damping ratios, shapes, participation.
//
// With x the distance from the state, joints and the contacts that are taken as closed held, G = ∂(g_B, g_closed)/∂q:
//
//     M x'' + C x' + K x = F_z z + G μ,   Gᵀx = 0,   z' = R_q x + R_v x' + R_z z, (1) K = −∂(F + G λ)/∂q,   λ the
//     reactions of the state, M a = F + G λ with Gᵀa + c = 0.                           (2)
//
// Motions x = φ e^{σt}. Where damping does not couple the modes of K and M, ω² and 2ζω are φᵀKφ and φᵀCφ, φᵀMφ = 1,
// and σ = −ζω ± ω √(ζ² − 1). Otherwise σ are eigenvalues of the state matrix of (1), ω = |σ|, ζ = −Re σ/|σ|.
#pragma once

#include <complex>
#include <string>
#include <utility>
#include <vector>

#include "ricochet/core/sparse_matrix.hpp"
#include "ricochet/core/state.hpp"
#include "ricochet/model/model.hpp"

namespace ricochet {

// (1) at a state. M, K and C in their patterns; the derivatives of auxiliary states dense, by columns.
struct Linearisation {
  SparseMatrix mass, stiffness, damping;
  SparseMatrix held;                                    // G
  std::vector<double> reactions;                        // λ
  std::vector<double> force;                            // F + G λ, 0 in equilibrium
  std::vector<double> force_z, rate_q, rate_v, rate_z;  // ∂F/∂z, ∂z'/∂q, ∂z'/∂v, ∂z'/∂z
  bool is_equilibrium = false;                          // forces balance to nine digits
};
// `closed`: places among the constraints.
Linearisation linearise(const Model& model, const State& state, const std::vector<int>& closed = {});

struct Mode {
  std::complex<double> sigma;         // of e^{σt}: the one with Im σ ≥ 0; of two real ones the slower
  double omega = 0.0;                 // undamped, rad/s; 0 for rigid motions
  double damping = 0.0;               // ζ, negative where motions grow
  std::vector<double> shape;          // φ, φᴴMφ = 1, its largest entry real and positive
  std::vector<double> shape_imag;     // its imaginary part; empty where it is real
  std::vector<double> participation;  // share of the mass that moves along a direction, one a direction
  std::vector<double> gaps;           // what the mode does to the gaps, |Hᵀφ| with the sign of its real part

  double frequency() const;         // ω/2π, Hz
  double damped_frequency() const;  // Im σ/2π, Hz
};

// All coordinates along one direction, such as x of all nodes: (coordinate, weight).
struct Direction {
  std::string name;
  std::vector<std::pair<int, double>> weights;
};

struct ModesSettings {
  std::vector<int> closed = {};            // constraints held at g = 0
  int number = 0;                          // modes of lowest frequency; 0: all, at most 10
  std::vector<Direction> directions = {};  // of the participation
};

struct ModesReport {
  std::vector<Mode> modes;
  std::vector<double> closed_gaps;  // of those held closed, at the state
  int possible = 0;                 // coordinates less what is held
  bool coupled = false;             // by the state matrix
  bool projected = false;           // which was projected on more modes than those shown, of K and M alone
  bool is_equilibrium = false;
};

// Throws InputError where there are no modes: the mass is not positive definite, numbers that are none, or nothing left
// to move.
ModesReport find_modes(const Model& model, const State& state, const ModesSettings& settings = {});

}  // namespace ricochet
