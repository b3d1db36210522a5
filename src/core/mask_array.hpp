// An array of truth values, one a lane; std::vector<bool> has no array behind it.
#pragma once

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <memory>

#include "ricochet/core/lanes.hpp"

namespace ricochet {

template <class Value>
class MaskArray {
 public:
  MaskArray() = default;
  explicit MaskArray(std::integral auto size) { assign(static_cast<std::size_t>(size)); }
  // All false; allocates only to grow.
  void assign(std::size_t size) {
    if (size > capacity_) {
      values_ = std::make_unique<Mask<Value>[]>(size);
      capacity_ = size;
    }
    std::fill(values_.get(), values_.get() + size, Mask<Value>(false));
  }
  Mask<Value>& operator[](std::size_t i) { return values_[i]; }
  const Mask<Value>& operator[](std::size_t i) const { return values_[i]; }
  const Mask<Value>* data() const { return values_.get(); }

 private:
  std::unique_ptr<Mask<Value>[]> values_;
  std::size_t capacity_ = 0;
};

}  // namespace ricochet
