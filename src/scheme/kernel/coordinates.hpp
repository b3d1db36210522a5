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

}  // namespace ricochet
