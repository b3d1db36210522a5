// Steps of velocity_step.hpp that can do with less, bit for bit the same: flights of small systems that are constant,
// and large linear systems, whose cost is the way through memory.
#pragma once

#include <algorithm>
#include <limits>

#include "scheme/kernel/velocity/velocity_step.hpp"

namespace ricochet {

// solve_step() without what only contacts need, in local variables: the compiler keeps them in registers.
template <class Value, class Shape>
template <class BeginOf, class Book>
std::uint64_t VelocityStep<Value, Shape>::fly(std::uint64_t n, const BeginOf& begin_of, const Book& book) {
  static_assert(Shape::is_constant);
  constexpr int contacts = Shape::contacts;
  Value q[Size], v[Size], q1[Size], v1[Size], y[Size], q_F[Size], v_F[Size], dq[Size];
  Value g[contacts] = {}, U[contacts] = {}, violation = -std::numeric_limits<double>::infinity();
  const bool timed = needs_time(), checks = accounts_, books = accounts_ && !keeps_energy_;
  const Value reach = h_forecast_, move = move_, pull = pull_, theta = theta_;
  std::uint64_t k = 0;
  if (!all(ready_)) return k;
  Value t0 = timed ? begin_of(k) : Value(0.0);
  for (int i = 0; i < Size; ++i) q[i] = q0_[i], v[i] = v0_[i];
  for (; k < n; ++k) {
    Value next_g[contacts], next_U[contacts];
    if (any(contacts_.forecast(reach, q, v, next_g, next_U))) break;
    if (timed) {
      const Value t1 = begin_of(k + 1);
      begin_forces(t0, t1);
      t0 = t1;
    }
    for (int i = 0; i < Size; ++i) q_F[i] = q[i] + theta * (move * v[i]);
    linear_.force(q_F, v, y);
    for (int i = 0; i < Size; ++i) y[i] *= pull;
    M_hat_.solve(y);
    Value sum = 0.0;
    for (int i = 0; i < Size; ++i) {
      v1[i] = v[i] + y[i];
      const Place end = place(q[i], v[i], v1[i]);
      q1[i] = end.q, q_F[i] = end.q_theta, v_F[i] = end.v_F, dq[i] = end.dq;
      sum += q1[i] + v1[i];
    }
    remembers_ = true;
    if (checks && !all(finite(sum))) [[unlikely]] {
      remembers_ = false;  // the load at the begin is asked for again
      break;
    }
    if (books) book(linear_work(q, v, q1, v1, dq, q_F, v_F));
    for (int i = 0; i < Size; ++i) q[i] = q1[i], v[i] = v1[i];
    for (int j = 0; j < contacts; ++j) {
      g[j] = next_g[j], U[j] = next_U[j];
      violation = larger(violation, -g[j]);
    }
  }
  if (k == 0) return k;
  for (int i = 0; i < Size; ++i) q0_[i] = q[i], v0_[i] = v[i];
  contacts_.end_flight(g, U);
  flight_violation_ = violation;
  counts_.newton_iterations += k, counts_.force_evaluations += k;
  return k;
}

// iterate() and place_end() of large linear systems, in as few passes over memory as there can be.
template <class Value, class Shape>
Mask<Value> VelocityStep<Value, Shape>::solve_bands(const Value& t0, const Value& t1) {
  ++counts_.newton_iterations, ++counts_.force_evaluations;
  linear_.scaled_force(q0_, v0_, theta_, move_, pull_, y_.data());
  M_hat_.solve(y_.data());
  const bool kept = keep_active(t0);
  if (!contacts_.touched()) return place_bands([&](int i) { return v0_[i] + y_[i]; });
  for (int i = 0; i < nq_; ++i) v_new_[i] = v0_[i] + y_[i];
  const bool good = solve_contacts(t0, t1, true) && kept;
  return place_bands([&](int i) { return v_new_[i]; }) && good;
}
// The end of the step, coordinate i with the velocity v(i); false if it is not finite.
template <class Value, class Shape>
template <class Velocity>
bool VelocityStep<Value, Shape>::place_bands(const Velocity& v) {
  constexpr int block = 512, parts = 8;
  double sums[parts] = {};
  for (int first = 0; first < nq_; first += block) {
    const int last = std::min(nq_, first + block);
    for (int i = first; i < last; ++i) {
      const Place end = place(q0_[i], v0_[i], v(i));
      v1_[i] = v(i), q1_[i] = end.q;
    }
    for (int i = first; i < last && !keeps_energy_; ++i) {
      const Place end = place(q0_[i], v0_[i], v1_[i]);
      dq_[i] = end.dq, q_theta_[i] = end.q_theta, v_F_[i] = end.v_F;
    }
    int i = first;
    for (; i + parts <= last; i += parts)
      for (int k = 0; k < parts; ++k) sums[k] += q1_[i + k] + v1_[i + k];
    for (; i < last; ++i) sums[0] += q1_[i] + v1_[i];
  }
  double sum = 0.0;
  for (const double part : sums) sum += part;
  if (finite(sum) || !accounts_) [[likely]]
    return true;
  // What the forces were, for whoever tells of it.
  for (int i = 0; i < nq_; ++i) q_theta_[i] = q0_[i] + theta_ * (move_ * v0_[i]);
  linear_.force(q_theta_.data(), v0_, F_.data());
  return note(false, FailureKind::not_finite);
}

}  // namespace ricochet
