// A short array on the stack, a longer one on the heap.
#pragma once

#include <vector>

namespace ricochet {

template <class Value>
class Scratch {
 public:
  explicit Scratch(int n) {
    if (n > on_stack) heap_.resize(n);
  }
  Value* data() { return heap_.empty() ? stack_ : heap_.data(); }

 private:
  static constexpr int on_stack = 64;
  Value stack_[on_stack];
  std::vector<Value> heap_;
};

}  // namespace ricochet
