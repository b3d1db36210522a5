// Iterations x := x + ω r(x) of a step: when they are at their end, and with which ω they go on.
//
// Plain ones, ω = 1, go round in circles where masses are of very different size: an impulse turns a light body so far
// that the gradient at its new place pushes it back. After some of them Aitken's rule, in the metric of M:
//
//     ω := −ω r_lastᵀM(r − r_last) / ‖r − r_last‖²_M,   kept within [1/32, 1], and 1 where it is not positive
//
// Not positive: r has grown on the way, and small steps would only be long in getting through.
// That is for curved gaps. Elsewhere they are Newton's, and what they have not solved soon they should not.
//
// The end: no velocity changes by more than
//
//     tol_i² = (1e-12 s_i)² + (4ε q_i/h)² + (1e-15)² Σ_j M_jj s_j² / M_ii
//
// s being the speeds that each coordinate has, or forces alone would give it: its own, so that neither its unit nor
// another body's speed says what it may be off by; the second is what moves q by round-off, the last what the momenta
// of all the others leave of theirs.
//
// A matrix M̂ that is huge makes every change small, and solves nothing where the force is not nearly linear: what is
// left, r = p + H P − M Δv with the impulse p of the forces, must be smaller than p, or round-off of the motion:
//
//     |r_i| ≤ ½ |p_i|,   or   |r_i| ≤ 1e-9 M_ii s_i,   or   Σ r_i²/M_ii ≤ (4ε)² Σ_ij A_ij²/M_ii
//
// A_ij being what p is a sum of: h K_ij q_j, h C_ij v_j and, where rows push, H_ij P_j, which r has too.
#pragma once

#include <limits>
#include <vector>

#include "core/interrupt.hpp"
#include "ricochet/core/lanes.hpp"
#include "ricochet/core/pattern.hpp"

namespace ricochet {

// Vector: one entry a coordinate. Over lanes each one has its own ω.
template <class Value, class Vector>
class Iterations {
 public:
  Iterations(const Vector& zero, const Pattern& mass, bool curved)
      : mass_(mass), r_last_(zero), difference_(zero), curved_(curved), most_(curved ? 200 : 50) {
    for (int j = 0; j < mass.cols; ++j)
      for (int k = mass.start[j]; k < mass.start[j + 1]; ++k)
        if (mass.row[k] == j) diagonal_.push_back(k);
  }

  // Before the given one: whether there were too many, or the user wants no more.
  bool are_over(int iteration) const { return !may_go_on(iteration, most_); }

  void begin() { weight_ = 1.0, count_ = 0; }

  // max (Δv_i/tol_i)², the iteration having changed velocities by change(i).
  template <class Change, class Speed>
  Value change(const Value* M, const Value* q, const Value& h, const Change& change, const Speed& speed) const {
    constexpr double epsilon = std::numeric_limits<double>::epsilon();
    const int n = static_cast<int>(diagonal_.size());
    Value energy = 0.0, largest = 0.0;
    for (int i = 0; i < n; ++i) energy += M[diagonal_[i]] * speed(i) * speed(i);
    const Value noise = Value(1e-30) * energy + Value(std::numeric_limits<double>::min());
    for (int i = 0; i < n; ++i) {
      const Value s = Value(1e-12) * speed(i), place = Value(4.0 * epsilon) * q[i] / h, x = change(i);
      const Value& m = M[diagonal_[i]];
      largest = larger(largest, m * x * x / (m * (s * s + place * place) + noise));
    }
    return largest;
  }

  // Whether the impulse of the forces and of what pushes is the change of momentum, as above.
  struct Terms {  // `factor` A_ij x_j
    const Pattern& pattern;
    const Value *A, *x;
    Value factor;
  };
  template <class Impulse, class Change, class Speed>
  Mask<Value> balances(const Value* M, const Value* q, const Impulse& p, const Terms& push, const Change& dv,
                       const Speed& speed, const Terms& stiffness, const Terms& damping) {
    const int n = static_cast<int>(diagonal_.size());
    for (int i = 0; i < n; ++i) difference_[i] = p(i);
    for_each(push, [&](int i, const Value& term) { difference_[i] += term; });
    for (int j = 0; j < n; ++j)
      for (int k = mass_.start[j]; k < mass_.start[j + 1]; ++k) difference_[mass_.row[k]] -= M[k] * dv(j);
    Value beyond = 0.0;
    for (int i = 0; i < n; ++i) beyond = larger(beyond, difference_[i] * difference_[i] - Value(0.25) * p(i) * p(i));
    const Mask<Value> good = beyond <= Value(0.0);
    if (all(good)) [[likely]]
      return good;
    Value noise = 0.0;
    for (const Terms* terms : {&push, &stiffness, &damping})
      for_each(*terms, [&](int i, const Value& term) {
        const Value off = Value(4.0 * std::numeric_limits<double>::epsilon()) * term;
        noise += off * off / M[diagonal_[i]];
      });
    return good | is_round_off(M, q, speed, noise);
  }

  // Whether the iteration with this change was the last. A linear rate of convergence is used to see it one iteration
  // ahead, if it `looks_ahead`; not if the end must be `exact`, as what is measured there must be 0.
  Mask<Value> ended(const Value& change, bool looks_ahead = true, bool exact = false) {
    Mask<Value> done = change <= Value(1.0);
    if (count_ > 0 && looks_ahead) {
      const Value rate = change / last_change_;
      if (!exact) done = done | ((rate < Value(0.25)) & (rate * change <= Value(0.25)));
      // Round-off keeps it from falling further: as good as it gets.
      done = done | ((rate > Value(0.25)) & (change <= Value(1e6)));
    }
    last_change_ = change;
    return done;
  }

  // ω for the next iteration, r(i) being what the last one would have changed.
  template <class Residual>
  const Value& next_weight(const Value* M, const Residual& r) {
    constexpr int plain = 8;
    if (++count_ < plain || !curved_) return weight_;
    const int n = static_cast<int>(r_last_.size());
    if (count_ > plain) {
      for (int i = 0; i < n; ++i) difference_[i] = r(i) - r_last_[i];
      const Value size = bilinear(mass_, M, difference_.data(), difference_.data());
      const Value best = -weight_ * bilinear(mass_, M, r_last_.data(), difference_.data()) / size;
      const Value kept = select(best > Value(0.0), larger(Value(1.0 / 32.0), best), Value(1.0));
      weight_ = select(size > Value(0.0), smaller(Value(1.0), kept), weight_);
    }
    for (int i = 0; i < n; ++i) r_last_[i] = r(i);
    return weight_;
  }

 private:
  template <class Use>
  static void for_each(const Terms& terms, const Use& use) {
    if (terms.x == nullptr) return;
    for (int j = 0; j < terms.pattern.cols; ++j)
      for (int k = terms.pattern.start[j]; k < terms.pattern.start[j + 1]; ++k)
        use(terms.pattern.row[k], terms.factor * terms.A[k] * terms.x[j]);
  }
  // What was left, the difference.
  template <class Speed>
  Mask<Value> is_round_off(const Value* M, const Value* q, const Speed& speed, const Value& noise) const {
    Value left = 0.0;
    for (int i = 0; i < static_cast<int>(diagonal_.size()); ++i)
      left += difference_[i] * difference_[i] / M[diagonal_[i]];
    const Value ever = std::numeric_limits<double>::infinity();  // what q is off by in that time moves nothing
    const auto as_velocity = [&](int i) { return difference_[i] / M[diagonal_[i]]; };
    return (left <= noise) | (change(M, q, ever, as_velocity, speed) <= Value(1e6));
  }

  const Pattern& mass_;
  std::vector<int> diagonal_;  // of M
  Vector r_last_, difference_;
  Value weight_ = 1.0, last_change_ = 0.0;
  const bool curved_;
  const int most_;
  int count_ = 0;
};

}  // namespace ricochet
