// Bars and beams as mass and stiffness matrices: finite elements, and finite differences for the beam.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "ricochet/core/sparse_matrix.hpp"

namespace ricochet {

enum class FieldInterpolation {
  linear,    // between the two nodes of an element
  hermite,   // cubic from deflections and slopes at the two nodes of an element
  lagrange,  // cubic through the four nearest nodes
};

// A line from x = 0 to x = length in equal elements, discretised: M u'' + K u = f.
struct Field {
  SparseMatrix mass = {}, stiffness = {};  // without the unknowns that the supports hold at zero
  std::vector<std::string> names = {};     // bar: u0, u1, … by node; beam: w3 deflection, r3 rotation of node 3
  std::vector<double> abscissa = {};       // x of each unknown
  std::vector<bool> is_slope = {};         // a rotation dw/dx, not a displacement
  FieldInterpolation interpolation = FieldInterpolation::linear;
  double length = 0.0;
  int elements = 0;
  std::vector<int> place = {};  // unknown of each value at the nodes, −1 if it is held at zero

  int size() const { return static_cast<int>(names.size()); }

  // Weights of the unknowns in the displacement at x, exact at the nodes. They also share out a force at x.
  std::vector<std::pair<int, double>> at(double x) const;
};

enum class Support {
  free,
  fixed,   // bar: u = 0; beam: clamped, w = w' = 0
  pinned,  // beam only: w = 0
};

struct LineGeometry {
  double length = 1.0;   // L > 0, m
  double young = 1.0;    // E > 0, Pa
  double inertia = 1.0;  // of a beam: I > 0, second moment of the cross-section, m⁴
  double area = 1.0;     // A > 0, m²
  double density = 1.0;  // ρ > 0, kg/m³
  int elements = 1;
  bool lumped = false;  // mass at the nodes only, diagonal; finite differences have such a one in any case
  Support left = Support::free, right = Support::free;
};
using BarGeometry = LineGeometry;
using BeamGeometry = LineGeometry;

// ρA u_tt = E A u_xx with linear elements. Frequencies converge with order 2.
Field bar(const BarGeometry& geometry);

// ρA w_tt = −E I w_xxxx (Euler-Bernoulli) with Hermite elements. Frequencies converge with order 4, lumped with
// order 2. Double precision sets a limit to the refinement: the stiffness of one element exceeds that of the beam by
// elements⁴ or so, and low frequencies lose as many digits (1e-6 of their value is left at a thousand elements).
Field beam(const BeamGeometry& geometry);

enum class BoundaryRows {
  second_order,  // centred differences at the ends
  first_order,   // as printed in L. Paoli, Phil. Trans. R. Soc. A 359 (2001) 2405, section 3(c)
};

// The same beam by central differences of w_xxxx at the nodes, one unknown a node. M and K are symmetric for every
// support and both kinds of rows. Frequencies converge with order 2, or with order 1 for first-order rows.
Field beam_differences(const BeamGeometry& geometry, BoundaryRows rows = BoundaryRows::second_order);

}  // namespace ricochet
