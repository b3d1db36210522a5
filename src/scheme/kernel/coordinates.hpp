// Vectors of the step kernels, and what the compiler may know of a model (core/shape.hpp).
#pragma once

#include <array>
#include <cstddef>
#include <type_traits>
#include <vector>

#include "ricochet/complementarity/problem.hpp"
#include "ricochet/model/model.hpp"

namespace ricochet {

// A vector of one entry a coordinate, in place if their number is known.
template <class Value, int Size>
using Coordinates =
    std::conditional_t<(Size > 0), std::array<Value, static_cast<std::size_t>(Size)>, std::vector<Value>>;

template <class Value, int Size>
Coordinates<Value, Size> zero_coordinates(int n) {
  Coordinates<Value, Size> x;
  if constexpr (Size == 0) x.resize(static_cast<std::size_t>(n));
  for (Value& entry : x) entry = 0.0;
  return x;
}

// make(size), with the number of coordinates as a constant if it is at most Most and there are no auxiliary states,
// otherwise with 0.
template <int Most, class Make>
auto with_size(const auto& model, const Make& make) {
  if constexpr (Most > 0) {
    if (model.nz() == 0 && model.nq() == Most) return make(std::integral_constant<int, Most>());
    return with_size<Most - 1>(model, make);
  } else {
    return make(std::integral_constant<int, 0>());
  }
}

// Whether a model is that constant shape, and no more is asked of its contact problems than solutions.
inline bool is_constant_of(const auto& model, const ComplementaritySettings& solver, int nq, int nc, int slips = 0) {
  const Layout& layout = model.layout();
  const Structure& structure = layout.structure;
  const bool is_constant = structure.linear_force && structure.constant_mass && structure.constant_restitution &&
                           layout.linear_rows() && layout.fixed_rows() && model.nz() == 0 && layout.nb() == 0;
  const bool slides = layout.frictions.size() == 1 && layout.frictions[0].constraint == 0 &&
                      layout.frictions[0].rows == 1 && structure.constant_friction;
  return is_constant && model.nq() == nq && model.nc() == nc && layout.nr() == nc + slips && (slips == 0 || slides) &&
         solver.hardest == nullptr && solver.matrix != ContactMatrix::sparse;
}

}  // namespace ricochet
