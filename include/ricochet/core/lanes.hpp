// A pack of doubles that is calculated with like one double.
//
// Numerical kernels are templates over their value type: `double` for one trajectory, `Lanes` for
// several side by side. Everything a kernel needs beyond + − * / is here in both forms, with the
// same operations in the same order, so that a lane's result equals the single run's bit for bit.
#pragma once

#include <cstdint>
#include <type_traits>

namespace ricochet {

inline constexpr int lane_count = 8;

// Lanes consist of parts that fit the registers of today's machines: compilers take comparisons and selections of
// longer vectors apart, lane by lane.
inline constexpr int part_width = 4, part_count = lane_count / part_width;
static_assert(part_count == 2);

// Aligned to its size: otherwise the alignment, and with it the layout of every struct that holds one,
// would depend on the instruction set of the compiler.
struct alignas(lane_count * sizeof(double)) Lanes {
  typedef double Part __attribute__((vector_size(part_width * sizeof(double))));
  Part part[part_count];

  Lanes() = default;
  [[gnu::always_inline]] Lanes(double x) : part{x - Part{}, x - Part{}} {}  // NOLINT: a pack of the number, also −0

  [[gnu::always_inline]] double operator[](int lane) const { return part[lane / part_width][lane % part_width]; }
  [[gnu::always_inline]] void set(int lane, double x) { part[lane / part_width][lane % part_width] = x; }

#define RICOCHET_LANES_OPERATOR(op)                                                 \
  [[gnu::always_inline]] friend Lanes operator op(const Lanes& a, const Lanes& b) { \
    Lanes c;                                                                        \
    for (int i = 0; i < part_count; ++i) c.part[i] = a.part[i] op b.part[i];        \
    return c;                                                                       \
  }                                                                                 \
  [[gnu::always_inline]] Lanes& operator op##=(const Lanes& b) {                    \
    for (int i = 0; i < part_count; ++i) part[i] = part[i] op b.part[i];            \
    return *this;                                                                   \
  }
  RICOCHET_LANES_OPERATOR(+)
  RICOCHET_LANES_OPERATOR(-)
  RICOCHET_LANES_OPERATOR(*)
  RICOCHET_LANES_OPERATOR(/)
#undef RICOCHET_LANES_OPERATOR
  [[gnu::always_inline]] friend Lanes operator-(const Lanes& a) {
    Lanes c;
    for (int i = 0; i < part_count; ++i) c.part[i] = -a.part[i];
    return c;
  }
};

// The truth value of a comparison: all bits set where it holds.
struct alignas(lane_count * sizeof(std::int64_t)) LaneMask {
  typedef std::int64_t Part __attribute__((vector_size(part_width * sizeof(std::int64_t))));
  Part part[part_count];

  LaneMask() = default;
  [[gnu::always_inline]] LaneMask(bool x)  // NOLINT
      : part{Part{} - static_cast<std::int64_t>(x), Part{} - static_cast<std::int64_t>(x)} {}

  [[gnu::always_inline]] bool operator[](int lane) const { return part[lane / part_width][lane % part_width] != 0; }
  [[gnu::always_inline]] void set(int lane, bool x) { part[lane / part_width][lane % part_width] = x ? -1 : 0; }

  [[gnu::always_inline]] friend LaneMask operator&(const LaneMask& a, const LaneMask& b) {
    LaneMask c;
    for (int i = 0; i < part_count; ++i) c.part[i] = a.part[i] & b.part[i];
    return c;
  }
  [[gnu::always_inline]] friend LaneMask operator|(const LaneMask& a, const LaneMask& b) {
    LaneMask c;
    for (int i = 0; i < part_count; ++i) c.part[i] = a.part[i] | b.part[i];
    return c;
  }
  [[gnu::always_inline]] friend LaneMask operator!(const LaneMask& a) {
    LaneMask c;
    for (int i = 0; i < part_count; ++i) c.part[i] = ~a.part[i];
    return c;
  }
};

#define RICOCHET_LANES_COMPARISON(op)                                                        \
  [[gnu::always_inline]] inline LaneMask operator op(const Lanes& a, const Lanes& b) {       \
    LaneMask m;                                                                              \
    for (int i = 0; i < part_count; ++i) m.part[i] = LaneMask::Part(a.part[i] op b.part[i]); \
    return m;                                                                                \
  }
RICOCHET_LANES_COMPARISON(<)
RICOCHET_LANES_COMPARISON(<=)
RICOCHET_LANES_COMPARISON(>)
RICOCHET_LANES_COMPARISON(>=)
RICOCHET_LANES_COMPARISON(==)
RICOCHET_LANES_COMPARISON(!=)
#undef RICOCHET_LANES_COMPARISON

template <class Value>
using Mask = std::conditional_t<std::is_same_v<Value, Lanes>, LaneMask, bool>;

template <class Value>
inline constexpr int width = std::is_same_v<Value, Lanes> ? lane_count : 1;

// select(m, a, b): a where m holds, otherwise b.
[[gnu::always_inline]] inline double select(bool m, double a, double b) { return m ? a : b; }
[[gnu::always_inline]] inline bool select(bool m, bool a, bool b) { return m ? a : b; }
[[gnu::always_inline]] inline Lanes select(const LaneMask& m, const Lanes& a, const Lanes& b) {
  Lanes c;
  for (int i = 0; i < part_count; ++i) c.part[i] = m.part[i] ? a.part[i] : b.part[i];
  return c;
}
[[gnu::always_inline]] inline LaneMask select(const LaneMask& m, const LaneMask& a, const LaneMask& b) {
  return (m & a) | ((!m) & b);
}

[[gnu::always_inline]] inline bool any(bool m) { return m; }
[[gnu::always_inline]] inline bool all(bool m) { return m; }
[[gnu::always_inline]] inline bool any(const LaneMask& m) {
  const LaneMask::Part all = m.part[0] | m.part[1];
#if defined(__SSE2__)
  // The signs of two numbers at once; the compilers take the vector apart.
  typedef std::int64_t Half __attribute__((vector_size(16)));
  typedef double Numbers __attribute__((vector_size(16)));
  const Half half = __builtin_shufflevector(all, all, 0, 1) | __builtin_shufflevector(all, all, 2, 3);
  return __builtin_ia32_movmskpd(Numbers(half)) != 0;
#else
  std::int64_t bits = 0;
  for (int i = 0; i < part_width; ++i) bits |= all[i];
  return bits != 0;
#endif
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
