// Means and extremes of a motion that is seen interval by interval, over doubles or lanes: lanes give the bits of
// single runs.
//
// Means are integrals over the intervals. From (q₀, v₀) to (q₁, v₁) in the time h,
//     ∫q = ½h (q₀ + q₁) + h²/12 (v₀ − v₁),   ∫q² = ½h (q₀² + q₁²) + h²/6 (q₀v₀ − q₁v₁)      order 4 where it is smooth
//     ∫v = q₁ − q₀,                          ∫v² = ½h (v₀² + v₁²)
// Extremes are those of the ends, and where v changes its sign on a smooth motion the turning point of the cubic
// through both ends: at s = v₀/(v₀ − v₁), which is good to h² where the cubic is stationary, so that its value is to
// h⁴.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

#include "ricochet/core/lanes.hpp"

namespace ricochet {

template <class Value>
class Moments {
 public:
  explicit Moments(int nq) : nq_(nq), entries_(static_cast<std::size_t>(2 * nq)) {}

  // An interval, where the mask `where` holds; `smooth`: v does not jump in it.
  void add(const Mask<Value>& where, const Mask<Value>& smooth, const Value& h, const Value* q0, const Value* v0,
           const Value* q1, const Value* v1) {
    const Value zero = 0.0, one = 1.0, half = 0.5 * h, share = select(smooth, h * h / 12.0, zero);
    for (int i = 0; i < nq_; ++i) {
      Entry &q = entry(i), &v = entry(nq_ + i);
      const Value twice = 2.0 * share;
      see(where, q, half * (q0[i] + q1[i]) + share * (v0[i] - v1[i]),
          half * (q0[i] * q0[i] + q1[i] * q1[i]) + twice * (q0[i] * v0[i] - q1[i] * v1[i]), q0[i], q1[i]);
      see(where, v, q1[i] - q0[i], half * (v0[i] * v0[i] + v1[i] * v1[i]), v0[i], v1[i]);
      const Mask<Value> turns = where & smooth & (v0[i] * v1[i] < zero);
      if (!any(turns)) continue;
      const Value s = v0[i] / select(turns, v0[i] - v1[i], one), r = one - s;
      const Value turn =
          r * r * ((one + 2.0 * s) * q0[i] + s * h * v0[i]) + s * s * ((one + 2.0 * r) * q1[i] - r * h * v1[i]);
      reach(turns, q, turn);
    }
  }

  // A place in between that coordinate i of a lane went through.
  void pass(int l, int i, double q) {
    Entry& e = entry(i);
    if (q < lane(e.least, l)) set_lane(e.least, l, q);
    if (q > lane(e.most, l)) set_lane(e.most, l, q);
  }

  void clear(int l) {
    for (Entry& entry : entries_) {
      set_lane(entry.sum, l, 0.0), set_lane(entry.squares, l, 0.0);
      set_lane(entry.least, l, infinity), set_lane(entry.most, l, -infinity);
    }
  }

  // Mean, root mean square, least and most of each entry in one lane, over intervals of this length together.
  void append(int l, double duration, std::vector<double>& to) const {
    for (const Entry& entry : entries_) {
      to.push_back(lane(entry.sum, l) / duration);
      to.push_back(std::sqrt(lane(entry.squares, l) / duration));
      to.push_back(lane(entry.least, l));
      to.push_back(lane(entry.most, l));
    }
  }

 private:
  static constexpr double infinity = std::numeric_limits<double>::infinity();
  struct Entry {
    Value sum = 0.0, squares = 0.0, least = infinity, most = -infinity;
  };
  Entry& entry(int i) { return entries_[static_cast<std::size_t>(i)]; }
  static void reach(const Mask<Value>& where, Entry& entry, const Value& x) {
    entry.least = select(where, smaller(entry.least, x), entry.least);
    entry.most = select(where, larger(entry.most, x), entry.most);
  }
  static void see(const Mask<Value>& where, Entry& entry, const Value& integral, const Value& squares, const Value& x0,
                  const Value& x1) {
    entry.sum = select(where, entry.sum + integral, entry.sum);
    entry.squares = select(where, entry.squares + squares, entry.squares);
    reach(where, entry, smaller(x0, x1));
    reach(where, entry, larger(x0, x1));
  }

  int nq_;
  std::vector<Entry> entries_;
};

// The same of quantities that are known row by row: ∫y = ½h (y₀ + y₁), ∫y² = ½h (y₀² + y₁²), extremes those of the
// rows.
class RowMoments {
 public:
  explicit RowMoments(std::size_t count) : last_(count, 0.0), entries_(count) {}

  void begin(const double* y) { std::copy_n(y, last_.size(), last_.begin()); }
  void add(bool kept, double h, const double* y) {
    for (std::size_t i = 0; i < last_.size(); ++i) {
      const double y0 = std::exchange(last_[i], y[i]);
      if (!kept) continue;
      Entry& entry = entries_[i];
      entry.sum += 0.5 * h * (y0 + y[i]);
      entry.squares += 0.5 * h * (y0 * y0 + y[i] * y[i]);
      entry.least = std::min({entry.least, y0, y[i]});
      entry.most = std::max({entry.most, y0, y[i]});
    }
  }
  void append(double duration, std::vector<double>& to) const {
    for (const Entry& entry : entries_)
      to.insert(to.end(), {entry.sum / duration, std::sqrt(entry.squares / duration), entry.least, entry.most});
  }

 private:
  struct Entry {
    double sum = 0.0, squares = 0.0;
    double least = std::numeric_limits<double>::infinity(), most = -least;
  };
  std::vector<double> last_;
  std::vector<Entry> entries_;
};

}  // namespace ricochet
