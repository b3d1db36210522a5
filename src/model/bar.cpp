// Two-node elements of length l with linear displacement, O. C. Zienkiewicz, R. L. Taylor, The Finite Element Method,
// vol. 1, 5th ed. 2000, chapters 2 and 17:
//   Kᵉ = EA/l [1 −1; −1 1],  Mᵉ = ρAl/6 [2 1; 1 2], lumped: ρAl/2 [1 0; 0 1]
#include "model/line.hpp"
#include "ricochet/core/error.hpp"

namespace ricochet {
namespace {

constexpr double stiffness_of_element[2][2] = {{1, -1}, {-1, 1}};
constexpr double consistent_mass[2][2] = {{2, 1}, {1, 2}};
constexpr double lumped_mass[2][2] = {{3, 0}, {0, 3}};

void check_bar(const BarGeometry& geometry) {
  check(geometry);
  if (geometry.left == Support::pinned) throw InputError("left", "the end of a bar is free or fixed, not pinned");
  if (geometry.right == Support::pinned) throw InputError("right", "the end of a bar is free or fixed, not pinned");
}

}  // namespace

Field bar(const BarGeometry& geometry) {
  check_bar(geometry);
  const double l = geometry.length / geometry.elements;
  const double stiffness = geometry.young * geometry.area / l;
  const double mass = geometry.density * geometry.area * l / 6.0;
  check_coefficients(mass, stiffness);

  std::vector<int> held;
  if (geometry.left == Support::fixed) held.push_back(0);
  if (geometry.right == Support::fixed) held.push_back(geometry.elements);
  Field field = number_unknowns(geometry.length, geometry.elements, FieldInterpolation::linear, "u", held);
  field.stiffness = assemble(field, stiffness_of_element, stiffness);
  field.mass = assemble(field, geometry.lumped ? lumped_mass : consistent_mass, mass);
  return field;
}

}  // namespace ricochet
