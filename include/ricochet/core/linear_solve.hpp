// A matrix that can be solved with: whoever has factors lends them by this.
#pragma once

namespace ricochet {

class LinearSolve {
 public:
  virtual ~LinearSolve() = default;
  virtual void solve(double* x) const = 0;  // x := A⁻¹ x
};

}  // namespace ricochet
