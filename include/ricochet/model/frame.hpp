// Planar frames of geometrically exact beams (Reissner, Simo): members that may turn and bend as far as they like.
//
// Node i has (x, y, φ): its place, and how far its section has turned from the undeformed frame. An element of length l
// lies in the direction β when undeformed. With ' = (·₂ − ·₁)/l, φ_m = (φ₁ + φ₂)/2 and ψ = φ_m + β:
//
//     ε = cos ψ x' + sin ψ y' − 1,   γ = −sin ψ x' + cos ψ y',   κ = φ',                                            (1)
//     V = l/2 (EA ε² + GA γ² + EI κ²),   D = η l/2 (EA ε_t² + GA γ_t² + EI κ_t²),                                   (2)
//     T = ½ ∫ ρA (x_t² + y_t²) + ρI φ_t² ds with linear shape functions, or with half the element at each node.     (3)
//
// What is driven, x_d(t), is no unknown: with M of all values in blocks, F has the forces −M_qd x_d″, and with
// T₀ = ½ x_d′ᵀM_dd x_d′ the energy ½ vᵀM v + V − T₀ changes by the work of the drives,
//     x_d′ᵀ(∂V/∂x_d + ∂D/∂x_d′ − M_dd x_d″) − vᵀM_qd x_d″.                                                          (5)
//
// κ is the change of curvature: an element that is part of a curved member has its own β. One point of integration, so
// that slender elements do not lock. The mass is constant, the stiffness −∂F/∂q in a fixed pattern.
//
// E. Reissner, J. Appl. Math. Phys. (ZAMP) 23 (1972) 795, doi:10.1007/BF01602645; J. C. Simo, L. Vu-Quoc, J. Appl.
// Mech. 53 (1986) 849, doi:10.1115/1.3171870.
#pragma once

#include <array>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "ricochet/model/curved_rows.hpp"
#include "ricochet/model/linear.hpp"

namespace ricochet {

// x, y or φ of a node: a coordinate, a value that is held, or one that is driven, a known function of time.
struct FrameValue {
  int coordinate = -1;  // −1: held or driven
  double held = 0.0;
  int drive = -1;  // its place among the drives; −1: none
};
using FrameNode = std::array<FrameValue, 3>;

struct FrameElement {
  std::array<int, 2> node = {};          // places among the nodes
  double length = 1.0, direction = 0.0;  // l > 0, β
  double EA = 1.0, GA = 1.0, EI = 1.0;   // > 0
  double rho_A = 0.0, rho_I = 0.0;       // ≥ 0
  double damping = 0.0;                  // η ≥ 0, a time
};

struct FrameMass {
  int node = 0;
  double mass = 0.0, inertia = 0.0;  // ≥ 0
};

// V = ½ k (directionᵀ q + drivenᵀ x_d + offset)², D = ½ c (directionᵀ v + drivenᵀ x_d′)².
struct FrameSpring {
  SparseVector direction;
  double offset = 0.0, stiffness = 0.0, damping = 0.0;
  SparseVector driven = {};  // weights of drives
};

struct FrameData {
  std::vector<std::string> coordinates;
  std::vector<FrameNode> nodes;
  std::vector<FrameElement> elements;
  std::vector<FrameMass> masses = {};
  std::vector<FrameSpring> springs = {};
  std::array<double, 2> gravity = {0.0, 0.0};
  bool lumped = false;                                           // half the mass of an element at each of its nodes
  double mass_damping = 0.0;                                     // α ≥ 0: force −α M v
  std::vector<std::function<OffsetMotion(double)>> drives = {};  // may be called from several threads at once
  std::vector<TimePoles> drive_poles = {};                       // of those that have some
  std::vector<LinearLoad> loads = {};
  std::vector<CurvedRows> rows = {};  // those with constraints first, then those with joints, then those with frictions
  std::vector<LinearObservation> observations = {};
};

// Throws InputError with the field of the data ("elements[3].length", …) if it is not a model: every coordinate needs
// a mass.
std::unique_ptr<Model> frame(FrameData data);

}  // namespace ricochet
