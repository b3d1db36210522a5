// Nodes x_j = jΔx, j = 0 … d. The bending energy is EI Δx/2 Σ κ_j² with the curvatures
//   κ_j = (w_{j−1} − 2w_j + w_{j+1})/Δx²,  0 < j < d,
// whose gradient is the central difference EI Δx · w_xxxx at the inner nodes. The ends close it:
//   free:    no κ there (moment and shear force vanish);
//   pinned:  no κ there, w = 0;
//   clamped: w = 0 and w₋₁ = w₁, so κ₀ = 2w₁/Δx² over half a cell. First-order rows: w₋₁ = w₀, so κ₀ = w₁/Δx².
// A free end node has the mass of half a cell; of a whole one with first-order rows.
// Clamped-free with first-order rows is ρAΔx (I, k² A_Δx) of L. Paoli, Phil. Trans. R. Soc. A 359 (2001) 2405,
// (3.9), doi:10.1098/rsta.2001.0858: first row 6 −4 1, last rows 1 −4 5 −2 and 1 −2 1, all of them first order only.
// Second-order rows begin with 7 −4 1; the last one is 2(1 −2 1), symmetric after division by its mass of 1/2.
#include "model/line.hpp"

namespace ricochet {
namespace {

// Adds weight · (Σ_i c_i w_{node_i})² as a quadratic form.
struct Term {
  int node;
  double c;
};

void add_square(const Field& field, const std::vector<Term>& terms, double weight, std::vector<Triplet>& entries) {
  for (const Term& a : terms)
    for (const Term& b : terms) {
      const int row = field.place[a.node], col = field.place[b.node];
      if (row >= 0 && col >= 0) entries.push_back({row, col, weight * a.c * b.c});
    }
}

SparseMatrix difference_stiffness(const Field& field, const BeamGeometry& geometry, double c, BoundaryRows rows) {
  const int d = geometry.elements;
  const double clamped = rows == BoundaryRows::second_order ? 0.5 * 2.0 * 2.0 : 1.0;  // weight · (coefficient of w₁)²
  std::vector<Triplet> entries;
  entries.reserve(9 * static_cast<std::size_t>(d));
  for (int i = 0; i < field.size(); ++i) entries.push_back({i, i, 0.0});
  for (int j = 1; j < d; ++j) add_square(field, {{j - 1, 1.0}, {j, -2.0}, {j + 1, 1.0}}, c, entries);
  if (geometry.left == Support::fixed) add_square(field, {{1, 1.0}}, clamped * c, entries);
  if (geometry.right == Support::fixed) add_square(field, {{d - 1, 1.0}}, clamped * c, entries);
  return sparse_from_triplets(field.size(), field.size(), std::move(entries));
}

SparseMatrix difference_mass(const Field& field, double cell, BoundaryRows rows) {
  std::vector<Triplet> entries;
  for (int node = 0; node <= field.elements; ++node) {
    const bool is_half = rows == BoundaryRows::second_order && (node == 0 || node == field.elements);
    const int i = field.place[node];
    if (i >= 0) entries.push_back({i, i, is_half ? 0.5 * cell : cell});
  }
  return sparse_from_triplets(field.size(), field.size(), std::move(entries));
}

}  // namespace

Field beam_differences(const BeamGeometry& geometry, BoundaryRows rows) {
  check(geometry);
  const double step = geometry.length / geometry.elements;
  const double stiffness = geometry.young * geometry.inertia / (step * step * step);
  const double mass = geometry.density * geometry.area * step;
  check_coefficients(mass, stiffness);

  std::vector<int> held;
  if (geometry.left != Support::free) held.push_back(0);
  if (geometry.right != Support::free) held.push_back(geometry.elements);
  Field field = number_unknowns(geometry.length, geometry.elements, FieldInterpolation::lagrange, "w", held);
  field.stiffness = difference_stiffness(field, geometry, stiffness, rows);
  field.mass = difference_mass(field, mass, rows);
  return field;
}

}  // namespace ricochet
