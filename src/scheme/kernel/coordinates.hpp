// Vectors of the step kernels.
#pragma once

#include <array>
#include <cstddef>
#include <type_traits>
#include <vector>

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

}  // namespace ricochet
