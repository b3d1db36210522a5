// A pack of doubles that is calculated with like one double.
//
// Numerical kernels are templates over their value type: `double` for one trajectory, `Lanes` for
// several side by side. Everything a kernel needs beyond + − * / is here in both forms, with the
// same operations in the same order, so that a lane's result equals the single run's bit for bit.
#pragma once

#include <cmath>
#include <cstdint>
#include <type_traits>

namespace ricochet {

inline constexpr int lane_count = 8;

// Aligned to its size: otherwise the alignment, and with it the layout of every struct that holds one,
// would depend on the instruction set of the compiler.
struct alignas(lane_count * sizeof(double)) Lanes {
  typedef double Vector __attribute__((vector_size(lane_count * sizeof(double))));
  Vector value;

  Lanes() = default;
  [[gnu::always_inline]] Lanes(double x) : value(x - Vector{}) {}  // NOLINT: a number is a pack of itself, also −0
  [[gnu::always_inline]] explicit Lanes(const Vector& x) : value(x) {}

  [[gnu::always_inline]] double operator[](int lane) const { return value[lane]; }
  [[gnu::always_inline]] void set(int lane, double x) { value[lane] = x; }

  [[gnu::always_inline]] friend Lanes operator+(const Lanes& a, const Lanes& b) { return Lanes(a.value + b.value); }
  [[gnu::always_inline]] friend Lanes operator-(const Lanes& a, const Lanes& b) { return Lanes(a.value - b.value); }
  [[gnu::always_inline]] friend Lanes operator*(const Lanes& a, const Lanes& b) { return Lanes(a.value * b.value); }
  [[gnu::always_inline]] friend Lanes operator/(const Lanes& a, const Lanes& b) { return Lanes(a.value / b.value); }
  [[gnu::always_inline]] friend Lanes operator-(const Lanes& a) { return Lanes(-a.value); }
  [[gnu::always_inline]] Lanes& operator+=(const Lanes& b) {
    value += b.value;
    return *this;
  }
  [[gnu::always_inline]] Lanes& operator-=(const Lanes& b) {
    value -= b.value;
    return *this;
  }
  [[gnu::always_inline]] Lanes& operator*=(const Lanes& b) {
    value *= b.value;
    return *this;
  }
  [[gnu::always_inline]] Lanes& operator/=(const Lanes& b) {
    value /= b.value;
    return *this;
  }
};

// The truth value of a comparison: all bits set where it holds.
struct alignas(lane_count * sizeof(std::int64_t)) LaneMask {
  typedef std::int64_t Vector __attribute__((vector_size(lane_count * sizeof(std::int64_t))));
  Vector value;

  LaneMask() = default;
  [[gnu::always_inline]] LaneMask(bool x) : value(Vector{} - static_cast<std::int64_t>(x)) {}  // NOLINT
  [[gnu::always_inline]] explicit LaneMask(const Vector& x) : value(x) {}

  [[gnu::always_inline]] bool operator[](int lane) const { return value[lane] != 0; }
  [[gnu::always_inline]] void set(int lane, bool x) { value[lane] = x ? -1 : 0; }

  [[gnu::always_inline]] friend LaneMask operator&(const LaneMask& a, const LaneMask& b) {
    return LaneMask(a.value & b.value);
  }
  [[gnu::always_inline]] friend LaneMask operator|(const LaneMask& a, const LaneMask& b) {
    return LaneMask(a.value | b.value);
  }
  [[gnu::always_inline]] friend LaneMask operator!(const LaneMask& a) { return LaneMask(~a.value); }
};

[[gnu::always_inline]] inline LaneMask operator<(const Lanes& a, const Lanes& b) {
  return LaneMask(LaneMask::Vector(a.value < b.value));
}
[[gnu::always_inline]] inline LaneMask operator<=(const Lanes& a, const Lanes& b) {
  return LaneMask(LaneMask::Vector(a.value <= b.value));
}
[[gnu::always_inline]] inline LaneMask operator>(const Lanes& a, const Lanes& b) {
  return LaneMask(LaneMask::Vector(a.value > b.value));
}
[[gnu::always_inline]] inline LaneMask operator>=(const Lanes& a, const Lanes& b) {
  return LaneMask(LaneMask::Vector(a.value >= b.value));
}
[[gnu::always_inline]] inline LaneMask operator==(const Lanes& a, const Lanes& b) {
  return LaneMask(LaneMask::Vector(a.value == b.value));
}
[[gnu::always_inline]] inline LaneMask operator!=(const Lanes& a, const Lanes& b) {
  return LaneMask(LaneMask::Vector(a.value != b.value));
}

template <class Value>
using Mask = std::conditional_t<std::is_same_v<Value, Lanes>, LaneMask, bool>;

template <class Value>
inline constexpr int width = std::is_same_v<Value, Lanes> ? lane_count : 1;

// select(m, a, b): a where m holds, otherwise b.
[[gnu::always_inline]] inline double select(bool m, double a, double b) { return m ? a : b; }
[[gnu::always_inline]] inline bool select(bool m, bool a, bool b) { return m ? a : b; }
[[gnu::always_inline]] inline Lanes select(const LaneMask& m, const Lanes& a, const Lanes& b) {
  return Lanes(m.value ? a.value : b.value);
}
[[gnu::always_inline]] inline LaneMask select(const LaneMask& m, const LaneMask& a, const LaneMask& b) {
  return (m & a) | ((!m) & b);
}

[[gnu::always_inline]] inline bool any(bool m) { return m; }
[[gnu::always_inline]] inline bool all(bool m) { return m; }
[[gnu::always_inline]] inline bool any(const LaneMask& m) {
  std::int64_t bits = 0;
  for (int lane = 0; lane < lane_count; ++lane) bits |= m.value[lane];
  return bits != 0;
}
[[gnu::always_inline]] inline bool all(const LaneMask& m) { return !any(!m); }

// One lane of a value, to read and to write; a double is its own only lane.
[[gnu::always_inline]] inline double lane(double x, int) { return x; }
[[gnu::always_inline]] inline double lane(const Lanes& x, int i) { return x[i]; }
[[gnu::always_inline]] inline bool lane(bool x, int) { return x; }
[[gnu::always_inline]] inline bool lane(const LaneMask& x, int i) { return x[i]; }
[[gnu::always_inline]] inline void set_lane(double& x, int, double y) { x = y; }
[[gnu::always_inline]] inline void set_lane(Lanes& x, int i, double y) { x.set(i, y); }
[[gnu::always_inline]] inline void set_lane(bool& x, int, bool y) { x = y; }
[[gnu::always_inline]] inline void set_lane(LaneMask& x, int i, bool y) { x.set(i, y); }

template <class Value>
[[gnu::always_inline]] inline Value smaller(const Value& a, const Value& b) {
  return select(b < a, b, a);
}
template <class Value>
[[gnu::always_inline]] inline Value larger(const Value& a, const Value& b) {
  return select(a < b, b, a);
}
template <class Value>
[[gnu::always_inline]] inline Value absolute(const Value& a) {
  return select(a < Value(0.0), -a, a);
}
// Holds for finite numbers only: infinity and NaN minus themselves are NaN.
template <class Value>
[[gnu::always_inline]] inline Mask<Value> finite(const Value& a) {
  return (a - a) == Value(0.0);
}

}  // namespace ricochet
