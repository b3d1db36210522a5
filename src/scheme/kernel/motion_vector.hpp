// The motion as one vector y = (q, v, z, input, damping, …) for the engines of runge_kutta/: the two works, and
// whatever else is integrated along, are its last components.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "ricochet/core/state.hpp"
#include "ricochet/model/model.hpp"

namespace ricochet {

class MotionVector {
 public:
  explicit MotionVector(const Model& model)
      : model_(model), nq_(model.nq()), nc_(model.nc()), nz_(model.nz()), motion_size_(2 * nq_ + nz_) {}

  int motion_size() const { return motion_size_; }  // of (q, v, z)

  // y from a state, with all that is integrated along at 0; and back.
  void pack(const State& state, std::vector<double>& y) const {
    std::fill(y.begin(), y.end(), 0.0);
    std::copy(state.q.begin(), state.q.end(), y.begin());
    std::copy(state.v.begin(), state.v.end(), y.begin() + nq_);
    std::copy(state.z.begin(), state.z.end(), y.begin() + 2 * nq_);
  }
  void unpack(const double* y, State& state) const {
    std::copy(y, y + nq_, state.q.begin());
    std::copy(y + nq_, y + 2 * nq_, state.v.begin());
    std::copy(y + 2 * nq_, y + motion_size_, state.z.begin());
  }
  double& input(double* y) const { return y[motion_size_]; }
  double& damping(double* y) const { return y[motion_size_ + 1]; }

  std::uint64_t evaluations() const { return evaluations_; }

 protected:
  // q' = v, v' = a, z' = rate(t, q, v, z)
  void set_motion(double t, const double* y, const double* a, double* dy) const {
    for (int i = 0; i < nq_; ++i) {
      dy[i] = y[nq_ + i];
      dy[nq_ + i] = a[i];
    }
    if (nz_ > 0) model_.state_rate(t, y, y + nq_, y + 2 * nq_, dy + 2 * nq_);
  }
  // work' = (input, damping); what moving obstacles do is input.
  void set_works(double t, const double* y, double obstacles, double* dy) const {
    const Power<double> power = model_.power(t, y, y + nq_, y + 2 * nq_);
    input(dy) = power.input + obstacles;
    damping(dy) = power.damping;
  }

  const Model& model_;
  const int nq_, nc_, nz_, motion_size_;
  std::uint64_t evaluations_ = 0;
};

}  // namespace ricochet
