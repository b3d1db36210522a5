// Vectors of zeros, as long as an int says: sizes of models are ints.
#pragma once

#include <cstddef>
#include <vector>

namespace ricochet {

template <class Value = double>
std::vector<Value> zeros(int n) {
  return std::vector<Value>(static_cast<std::size_t>(n), Value(0));
}

}  // namespace ricochet
