// How far rows g(t, q) that should vanish are from 0, in units of the round-off of their terms, and whether that is as
// near as their formulas resolve. Terms without a coordinate, such as R in R − √(x² + y²), leave a round-off that
// Σ|∂g/∂q_i q_i| does not tell where the coordinates are next to 0. So a small part of the way dq to 0 is tried: what
// is resolved answers by that part, round-off by nothing or by far more.
//
// `rows` has H and o near by; of all rows, those count that `which` has.
#pragma once

#include <limits>
#include <vector>

#include "contact/contact_kinematics.hpp"
#include "core/zeros.hpp"

namespace ricochet {

// Rows up to here, in units of the round-off of their size, need not be tried.
inline constexpr double most_round_off = 1e4;

template <class Value>
class RowResolution {
 public:
  explicit RowResolution(const Mechanics<Value>& model) : model_(model) {}

  // The largest. Where all of it goes to 0 together the sizes of terms are those at the begin, the `first` look.
  template <class Which>
  Value largest(const Value& t, const Value* q, const Value* g, const ContactKinematics<Value>& rows,
                const Which& which, bool first) {
    constexpr double epsilon = std::numeric_limits<double>::epsilon();
    constexpr double nothing = 1e-240;  // at rest at 0 there is nothing to compare with
    Value largest = 0.0;
    for (int j = 0; j < held_; ++j) {
      if (!any(which[j])) continue;
      const Value size = rows.gap_size(j, t, q) + Value(nothing);
      size_[j] = first ? size : larger(size_[j], size);
      largest = larger(largest, absolute(g[j]) / (Value(epsilon) * size_[j]));
    }
    return largest;
  }
  Value& size(int j) { return size_[j]; }
  const Value& size(int j) const { return size_[j]; }

  // Without largest() before it only the answer counts. False too where dq does not lead to 0: rows that contradict
  // each other, or a gradient that is not theirs.
  template <class Which>
  Mask<Value> is_reached(const Value& t, const Value* q, const Value* dq, const Value* g,
                         const ContactKinematics<Value>& rows, const Which& which) {
    move(t, q, dq);
    Mask<Value> reached(true);
    for (int j = 0; j < held_; ++j)
      if (any(which[j])) reached = reached & (is_round_off(j, dq, g[j], rows) | !Mask<Value>(which[j]));
    return reached;
  }

  // The same of one row after another: a part of the way dq from q is tried, …
  void move(const Value& t, const Value* q, const Value* dq) {
    for (int i = 0; i < model_.nq(); ++i) q_[i] = q[i] + Value(part) * dq[i];
    model_.gap(t, q_.data(), g_.data());
    if (model_.nb() > 0) model_.joint(t, q_.data(), g_.data() + model_.nc());
  }
  // … whether row j, g at q, has answered by what H says, …
  Mask<Value> answers(int j, const Value* dq, const Value& g, const ContactKinematics<Value>& rows) const {
    const Value expected = Value(part) * rows.along(j, dq);
    return absolute(g_[j] - g - expected) <= Value(0.5) * absolute(expected);
  }
  // … and whether it is as near to 0 as its formula resolves.
  Mask<Value> is_round_off(int j, const Value* dq, const Value& g, const ContactKinematics<Value>& rows) const {
    constexpr double units = most_round_off * std::numeric_limits<double>::epsilon();
    const Mask<Value> leads = absolute(rows.along(j, dq) + g) <= Value(0.5) * absolute(g);
    return (absolute(g) <= Value(units) * size_[j]) | (leads & !answers(j, dq, g, rows));
  }

 private:
  static constexpr double part = 1.0 / 1024.0;
  const Mechanics<Value>& model_;
  const int held_ = model_.nc() + model_.nb();  // contacts and joints
  std::vector<Value> q_ = zeros<Value>(model_.nq()), g_ = zeros<Value>(held_),
                     size_ = zeros<Value>(model_.layout().rows.cols);
};

}  // namespace ricochet
