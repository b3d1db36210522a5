#include "model/line.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "ricochet/core/error.hpp"

namespace ricochet {
namespace {

using Weights = std::vector<std::pair<int, double>>;

// Where x lies: 0 ≤ xi < 1 within an element; a node is hit exactly within round-off.
struct Location {
  int element = 0;
  double xi = 0.0;
};

Location locate(const Field& field, double x) {
  constexpr double round_off = 1e-9;  // in elements
  const double s = x / field.length * field.elements;
  if (!(s >= -round_off && s <= field.elements + round_off))
    throw InputError("", fmt::format("must lie between 0 and the length, {}, got {}", field.length, x));
  const double nearest = std::round(s);
  if (std::abs(s - nearest) <= round_off) return {static_cast<int>(nearest), 0.0};
  return {static_cast<int>(std::floor(s)), s - std::floor(s)};
}

void add_weight(const Field& field, int value, double weight, Weights& weights) {
  const int unknown = field.place[value];
  if (unknown >= 0 && weight != 0.0) weights.emplace_back(unknown, weight);
}

void linear_weights(const Field& field, const Location& at, Weights& weights) {
  add_weight(field, at.element, 1.0 - at.xi, weights);
  add_weight(field, at.element + 1, at.xi, weights);
}

void hermite_weights(const Field& field, const Location& at, Weights& weights) {
  const double xi = at.xi, l = field.length / field.elements;
  const int first = 2 * at.element;
  add_weight(field, first, 1.0 - xi * xi * (3.0 - 2.0 * xi), weights);
  add_weight(field, first + 1, l * xi * (1.0 - xi) * (1.0 - xi), weights);
  add_weight(field, first + 2, xi * xi * (3.0 - 2.0 * xi), weights);
  add_weight(field, first + 3, l * xi * xi * (xi - 1.0), weights);
}

void lagrange_weights(const Field& field, const Location& at, Weights& weights) {
  const int count = std::min(4, field.elements + 1);
  const int first = std::clamp(at.element - 1, 0, field.elements + 1 - count);
  const double s = at.element - first + at.xi;
  for (int i = 0; i < count; ++i) {
    double weight = 1.0;
    for (int j = 0; j < count; ++j)
      if (j != i) weight *= (s - j) / (i - j);
    add_weight(field, first + i, weight, weights);
  }
}

}  // namespace

std::vector<std::pair<int, double>> Field::at(double x) const {
  const Location where = locate(*this, x);
  Weights weights;
  if (where.xi == 0.0) {
    add_weight(*this, interpolation == FieldInterpolation::hermite ? 2 * where.element : where.element, 1.0, weights);
  } else if (interpolation == FieldInterpolation::linear) {
    linear_weights(*this, where, weights);
  } else if (interpolation == FieldInterpolation::hermite) {
    hermite_weights(*this, where, weights);
  } else {
    lagrange_weights(*this, where, weights);
  }
  return weights;
}

void check(const LineGeometry& geometry) {
  for (const auto& [field, value] : {std::pair{"length", geometry.length},
                                     {"young", geometry.young},
                                     {"inertia", geometry.inertia},
                                     {"area", geometry.area},
                                     {"density", geometry.density}})
    if (!(value > 0.0 && std::isfinite(value)))
      throw InputError(field, fmt::format("must be positive and finite, got {}", value));
  constexpr int most = 10'000'000;
  if (geometry.elements < 1 || geometry.elements > most)
    throw InputError("elements", fmt::format("must be between 1 and {}, got {}", most, geometry.elements));
}

void check_coefficients(double mass, double stiffness) {
  if (!(mass > 0.0 && std::isfinite(mass)))
    throw InputError("density", fmt::format("gives an element the mass {}; it must be positive and finite", mass));
  if (!(stiffness > 0.0 && std::isfinite(stiffness)))
    throw InputError("young",
                     fmt::format("gives an element the stiffness {}; it must be positive and finite", stiffness));
}

Field number_unknowns(double length, int elements, FieldInterpolation interpolation, const std::string& letters,
                      const std::vector<int>& held) {
  Field field;
  field.length = length;
  field.elements = elements;
  field.interpolation = interpolation;
  const int per_node = static_cast<int>(letters.size());
  field.place.assign(static_cast<std::size_t>(per_node) * (elements + 1), 0);
  for (const int value : held) field.place[value] = -1;
  for (int value = 0; value < per_node * (elements + 1); ++value) {
    if (field.place[value] < 0) continue;
    const int node = value / per_node, kind = value % per_node;
    field.place[value] = field.size();
    field.names.push_back(letters[kind] + std::to_string(node));
    field.abscissa.push_back(node == elements ? length : length * node / elements);
    field.is_slope.push_back(kind == 1);
  }
  if (field.size() == 0) throw InputError("elements", "leaves nothing that can move between the supports: take more");
  return field;
}

}  // namespace ricochet
