// Euler-Bernoulli elements of length l, deflection cubic in x, values w₁, r₁ = w₁', w₂, r₂ (O. C. Zienkiewicz, R. L.
// Taylor, The Finite Element Method, vol. 1, 5th ed. 2000, chapter 2; J. S. Przemieniecki, Theory of Matrix Structural
// Analysis, 1968, chapter 11):
//        EI ⎡ 12   6l  −12   6l ⎤         ρAl ⎡ 156   22l   54  −13l ⎤
//   Kᵉ = ── ⎢      4l² −6l   2l²⎥    Mᵉ = ─── ⎢       4l²   13l  −3l²⎥
//        l³ ⎢           12  −6l ⎥         420 ⎢            156  −22l ⎥
//           ⎣                4l²⎦             ⎣                  4l² ⎦
// Lumped: the diagonal of Mᵉ, scaled so that the mass is kept: ρAl diag(1/2, l²/78, 1/2, l²/78) (E. Hinton, T. Rock,
// O. C. Zienkiewicz, Earthquake Eng. Struct. Dyn. 4 (1976) 245, doi:10.1002/eqe.4290040305).
#include "model/line.hpp"

namespace ricochet {
namespace {

void hold(Support support, int node, std::vector<int>& held) {
  if (support != Support::free) held.push_back(2 * node);
  if (support == Support::fixed) held.push_back(2 * node + 1);
}

SparseMatrix beam_stiffness(const Field& field, double l, double c) {
  const double a = 6.0 * l, b = 4.0 * l * l, d = 2.0 * l * l;
  const double element[4][4] = {{12, a, -12, a}, {a, b, -a, d}, {-12, -a, 12, -a}, {a, d, -a, b}};
  return assemble(field, element, c);
}

SparseMatrix beam_mass(const Field& field, double l, double c, bool lumped) {
  const double a = 22.0 * l, b = 13.0 * l, d = 4.0 * l * l, f = 3.0 * l * l, k = 420.0 / 78.0 * l * l;
  const double consistent[4][4] = {{156, a, 54, -b}, {a, d, b, -f}, {54, b, 156, -a}, {-b, -f, -a, d}};
  const double diagonal[4][4] = {{210, 0, 0, 0}, {0, k, 0, 0}, {0, 0, 210, 0}, {0, 0, 0, k}};
  return assemble(field, lumped ? diagonal : consistent, c);
}

}  // namespace

Field beam(const BeamGeometry& geometry) {
  check(geometry);
  const double l = geometry.length / geometry.elements;
  const double stiffness = geometry.young * geometry.inertia / (l * l * l);
  const double mass = geometry.density * geometry.area * l / 420.0;
  check_coefficients(mass, stiffness);
  check_coefficients(mass * l * l, stiffness * l * l);

  std::vector<int> held;
  hold(geometry.left, 0, held);
  hold(geometry.right, geometry.elements, held);
  Field field = number_unknowns(geometry.length, geometry.elements, FieldInterpolation::hermite, "wr", held);
  field.stiffness = beam_stiffness(field, l, stiffness);
  field.mass = beam_mass(field, l, mass, geometry.lumped);
  return field;
}

}  // namespace ricochet
