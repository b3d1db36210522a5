// One step of a kernel (scheme/kernel/step_kernel.hpp), as the steppers around it make them.
#pragma once

#include <vector>

#include "ricochet/core/lanes.hpp"

namespace ricochet {

template <class Value>
Mask<Value> make_step(auto& kernel, const Value& t0, const Value& h, const Value& t1, std::vector<Value>& q,
                      std::vector<Value>& v, Value* z = nullptr) {
  kernel.set_out(h, q.data(), v.data(), z);
  const Mask<Value> good = kernel.go_on(t0, h, t1);
  if (all(good)) kernel.hand_over(q, v);
  kernel.arrive(q.data(), v.data());
  return good;
}

}  // namespace ricochet
