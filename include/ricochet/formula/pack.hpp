// As many doubles as one machine register holds, and their bits.
//
// Lanes are longer than a register, and compilers take comparisons and selections of such long
// vectors apart into branches. Code that must be fast works through Lanes in packs of native size.
// The functions here also exist for double, so that one template serves both.
#pragma once

#include <bit>
#include <cstdint>
#include <type_traits>

#include "ricochet/core/lanes.hpp"

namespace ricochet::formula {

template <int N>
struct PackVectors;
template <>
struct PackVectors<2> {
  typedef double Vector __attribute__((vector_size(16)));
  typedef std::int64_t Signed __attribute__((vector_size(16)));
  typedef std::uint64_t Bits __attribute__((vector_size(16)));
  typedef double Memory __attribute__((vector_size(16), may_alias));
};
template <>
struct PackVectors<4> {
  typedef double Vector __attribute__((vector_size(32)));
  typedef std::int64_t Signed __attribute__((vector_size(32)));
  typedef std::uint64_t Bits __attribute__((vector_size(32)));
  typedef double Memory __attribute__((vector_size(32), may_alias));
};

template <int N>
struct Pack {
  using Vector = typename PackVectors<N>::Vector;
  using Signed = typename PackVectors<N>::Signed;
  using Bits = typename PackVectors<N>::Bits;
  using Memory = typename PackVectors<N>::Memory;  // as it lies in an array of doubles
  Vector value;

  Pack() = default;
  [[gnu::always_inline]] Pack(double x) : value(x - Vector{}) {}  // NOLINT: a number is a pack of itself, also −0
  [[gnu::always_inline]] explicit Pack(const Vector& x) : value(x) {}

  // Where a comparison holds: all bits set.
  struct Mask {
    Signed value;
    [[gnu::always_inline]] friend Mask both(const Mask& a, const Mask& b) { return {a.value & b.value}; }
    [[gnu::always_inline]] friend Mask either(const Mask& a, const Mask& b) { return {a.value | b.value}; }
    [[gnu::always_inline]] friend Mask operator!(const Mask& a) { return {~a.value}; }
  };

  [[gnu::always_inline]] friend Pack operator+(const Pack& a, const Pack& b) { return Pack(a.value + b.value); }
  [[gnu::always_inline]] friend Pack operator-(const Pack& a, const Pack& b) { return Pack(a.value - b.value); }
  [[gnu::always_inline]] friend Pack operator*(const Pack& a, const Pack& b) { return Pack(a.value * b.value); }
  [[gnu::always_inline]] friend Pack operator/(const Pack& a, const Pack& b) { return Pack(a.value / b.value); }
  [[gnu::always_inline]] friend Pack operator-(const Pack& a) { return Pack(-a.value); }
  [[gnu::always_inline]] friend Mask operator<(const Pack& a, const Pack& b) { return {Signed(a.value < b.value)}; }
  [[gnu::always_inline]] friend Mask operator<=(const Pack& a, const Pack& b) { return {Signed(a.value <= b.value)}; }
  [[gnu::always_inline]] friend Mask operator>(const Pack& a, const Pack& b) { return {Signed(a.value > b.value)}; }
  [[gnu::always_inline]] friend Mask operator>=(const Pack& a, const Pack& b) { return {Signed(a.value >= b.value)}; }
  [[gnu::always_inline]] friend Mask operator==(const Pack& a, const Pack& b) { return {Signed(a.value == b.value)}; }
  [[gnu::always_inline]] friend Mask operator!=(const Pack& a, const Pack& b) { return {Signed(a.value != b.value)}; }

  // a where the mask holds, otherwise b
  [[gnu::always_inline]] friend Pack select(const Mask& m, const Pack& a, const Pack& b) {
    return Pack(m.value ? a.value : b.value);
  }
  [[gnu::always_inline]] friend bool any(const Mask& m) {
    std::int64_t result = 0;
    for (int i = 0; i < N; ++i) result |= m.value[i];
    return result != 0;
  }
  [[gnu::always_inline]] friend double lane(const Pack& x, int i) { return x.value[i]; }
  [[gnu::always_inline]] friend void set_lane(Pack& x, int i, double y) { x.value[i] = y; }
  [[gnu::always_inline]] friend bool lane(const Mask& m, int i) { return m.value[i] != 0; }

  // the bits of the numbers and back
  [[gnu::always_inline]] friend Bits bits(const Pack& x) { return Bits(x.value); }
  [[gnu::always_inline]] static Pack from_bits(const Bits& x) { return Pack(Vector(x)); }
};

// The same words for a double.
using ricochet::any;
using ricochet::lane;
using ricochet::select;
using ricochet::set_lane;
[[gnu::always_inline]] inline bool both(bool a, bool b) { return a && b; }
[[gnu::always_inline]] inline bool either(bool a, bool b) { return a || b; }
[[gnu::always_inline]] inline std::uint64_t bits(double x) { return std::bit_cast<std::uint64_t>(x); }
template <class Value>
[[gnu::always_inline]] inline Value from_bits(const decltype(bits(Value{}))& x) {
  if constexpr (std::is_same_v<Value, double>) {
    return std::bit_cast<double>(x);
  } else {
    return Value::from_bits(x);
  }
}

template <class Value>
inline constexpr int pack_width = static_cast<int>(sizeof(Value) / sizeof(double));

// The widest pack that the compiler's target has registers for.
#if defined(__AVX__)
using NativePack = Pack<4>;
#else
using NativePack = Pack<2>;
#endif

// A part of Lanes or of an array, from a place aligned for it.
template <class Part>
[[gnu::always_inline]] inline Part load(const double* from) {
  if constexpr (std::is_same_v<Part, double>) {
    return *from;
  } else {
    return Part(*reinterpret_cast<const typename Part::Memory*>(from));
  }
}
template <class Part>
[[gnu::always_inline]] inline void store(double* to, const Part& x) {
  if constexpr (std::is_same_v<Part, double>) {
    *to = x;
  } else {
    *reinterpret_cast<typename Part::Memory*>(to) = x.value;
  }
}

}  // namespace ricochet::formula
