// The elementary functions of formulas, written once for a double and a pack (Lanes are worked through in packs): the
// same operations in the same order, so that every lane has the bits of the single calculation.
//
// sin, cos, exp, log: error below 1 ulp, and the same bits on every machine as far as |x| < 2¹⁷ for
// sin and cos. The others are those of the C++ library, lane by lane. The methods and coefficients of sin, cos, exp and
// log are those of FDLIBM:
//
//   Copyright (C) 1993 by Sun Microsystems, Inc. All rights reserved.
//   Developed at SunPro, a Sun Microsystems, Inc. business.
//   Permission to use, copy, modify, and distribute this software is freely granted,
//   provided that this notice is preserved.
//
// Departures: branch-free in packs, range reduction of sin and cos in three parts of π/2 at once.
#pragma once

#include <cmath>
#include <limits>
#if defined(__SSE2__)
#include <emmintrin.h>
#endif

#include "ricochet/formula/pack.hpp"

namespace ricochet::formula::elementary {

inline constexpr double infinity = std::numeric_limits<double>::infinity();
inline constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();

// Adding and subtracting 3·2⁵¹ rounds to the nearest integer, which the low bits of the sum then hold.
inline constexpr double rounding_shift = 6755399441055744.0;

// f(x, …) for each lane
template <class Function, class Value, class... Same>
[[gnu::always_inline]] inline Value each(const Function& f, const Value& x, const Same&... more) {
  Value y;
  for (int i = 0; i < pack_width<Value>; ++i) set_lane(y, i, f(lane(x, i), lane(more, i)...));
  return y;
}

// |x|, also of −0
template <class Value>
[[gnu::always_inline]] inline Value abs(const Value& x) {
  return from_bits<Value>(bits(x) & 0x7fff'ffff'ffff'ffffu);
}

// ------------------------------------------------------------------------------ sine and cosine

// x = n π/2 + y + y_low with |y| ≤ π/4 (a little more by rounding); quadrant holds n in its low bits.
// `hard` marks arguments that this reduction cannot serve: large, not finite, or so close to a
// multiple of π/2 that y would lose digits.
template <class Value>
struct Reduced {
  Value y, y_low;
  decltype(bits(Value{})) quadrant;
  decltype(Value{} < Value{}) hard;
};

template <class Value>
[[gnu::always_inline]] inline Reduced<Value> reduce(const Value& x) {
  constexpr double two_over_pi = 6.36619772367581382433e-01;
  // π/2 = part1 + part2 + part3 with 33, 33 and 53 bits: n·part1 and n·part2 are exact for n < 2¹⁷.
  constexpr double part1 = 1.57079632673412561417e+00, part2 = 6.07710050630396597660e-11,
                   part3 = 2.02226624879595063154e-21;
  constexpr double largest = 131072.0;

  const Value shifted = x * two_over_pi + rounding_shift;
  const Value n = shifted - rounding_shift;

  // x − n·part1 and the subtraction of n·part2 are exact together with the remainder `error`.
  const Value first = x - n * part1;
  const Value second = n * part2;
  const Value sum = first - second;
  const Value error = (first - sum) - second;
  const Value third = n * part3;

  Reduced<Value> r;
  r.y = sum - third;
  r.y_low = ((sum - r.y) - third) + error;
  r.quadrant = bits(shifted);
  // What is left out of π/2 is below 2⁻¹¹⁸: y has all its digits if |y| ≥ n 2⁻⁵⁸.
  r.hard = !both(abs(x) < Value(largest), abs(r.y) >= abs(n) * 0x1p-58);
  return r;
}

// sin(x + low) and cos(x + low) on [−π/4, π/4]
template <class Value>
[[gnu::always_inline]] inline Value sin_kernel(const Value& x, const Value& low) {
  constexpr double S1 = -1.66666666666666324348e-01, S2 = 8.33333333332248946124e-03, S3 = -1.98412698298579493134e-04,
                   S4 = 2.75573137070700676789e-06, S5 = -2.50507602534068634195e-08, S6 = 1.58969099521155010221e-10;
  const Value z = x * x, w = z * z, v = z * x;
  const Value r = (S2 + z * (S3 + z * S4)) + (z * w) * (S5 + z * S6);
  return x - ((z * (0.5 * low - v * r) - low) - v * S1);
}
template <class Value>
[[gnu::always_inline]] inline Value cos_kernel(const Value& x, const Value& low) {
  constexpr double C1 = 4.16666666666666019037e-02, C2 = -1.38888888888741095749e-03, C3 = 2.48015872894767294178e-05,
                   C4 = -2.75573143513906633035e-07, C5 = 2.08757232129817482790e-09, C6 = -1.13596475577881948265e-11;
  const Value z = x * x, z2 = z * z;
  const Value r = z * (C1 + z * (C2 + z * C3)) + (z2 * z2) * (C4 + z * (C5 + z * C6));
  const Value half = 0.5 * z;
  const Value w = 1.0 - half;
  return w + (((1.0 - w) - half) + (z * r - x * low));
}

// Arguments beyond the reduction above. The compiler may not merge or inline them: they are rare.
[[gnu::noinline, gnu::cold]] inline double hard_sin(double x) { return std::sin(x); }
[[gnu::noinline, gnu::cold]] inline double hard_cos(double x) { return std::cos(x); }

template <class Value, class Mask, class Function>
[[gnu::always_inline]] inline void replace_hard(Value& y, const Mask& hard, const Value& x, const Function& f) {
  for (int i = 0; i < pack_width<Value>; ++i) {
    if (lane(hard, i)) set_lane(y, i, f(lane(x, i)));
  }
}

// sin(x) for turn = 0, cos(x) = sin(x + π/2) for turn = 1
template <int turn, class Value>
[[gnu::always_inline]] inline Value sin_turned(const Value& x) {
  const Reduced<Value> r = reduce(x);
  const auto n = r.quadrant + static_cast<unsigned>(turn);
  Value y;
  if constexpr (std::is_same_v<Value, double>) {
    y = n & 1 ? cos_kernel(r.y, r.y_low) : sin_kernel(r.y, r.y_low);
  } else {
    const auto odd = 0 - (n & 1);
    y = from_bits<Value>((bits(cos_kernel(r.y, r.y_low)) & odd) | (bits(sin_kernel(r.y, r.y_low)) & ~odd));
  }
  y = from_bits<Value>(bits(y) ^ ((n & 2) << 62));
  if (__builtin_expect(any(r.hard), 0)) replace_hard(y, r.hard, x, turn == 0 ? hard_sin : hard_cos);
  return y;
}

template <class Value>
[[gnu::always_inline]] inline Value sin(const Value& x) {
  return sin_turned<0>(x);
}
template <class Value>
[[gnu::always_inline]] inline Value cos(const Value& x) {
  return sin_turned<1>(x);
}

// Both for little more than the price of one, with the bits of sin(x) and cos(x).
template <class Value>
[[gnu::always_inline]] inline void sincos(const Value& x, Value& sine, Value& cosine) {
  const Reduced<Value> r = reduce(x);
  const auto n = r.quadrant, m = n + 1u;
  const auto s = bits(sin_kernel(r.y, r.y_low)), c = bits(cos_kernel(r.y, r.y_low));
  const auto odd = 0 - (n & 1);
  sine = from_bits<Value>(((c & odd) | (s & ~odd)) ^ ((n & 2) << 62));
  cosine = from_bits<Value>(((s & odd) | (c & ~odd)) ^ ((m & 2) << 62));
  if (__builtin_expect(any(r.hard), 0)) {
    replace_hard(sine, r.hard, x, hard_sin);
    replace_hard(cosine, r.hard, x, hard_cos);
  }
}

// ------------------------------------------------------------------- exponential and logarithm

// 2ᵏ for an integer −1022 ≤ k ≤ 1023
template <class Value>
[[gnu::always_inline]] inline Value power_of_two(const Value& k) {
  return from_bits<Value>((bits(k + rounding_shift) + 1023u) << 52);
}

template <class Value>
[[gnu::always_inline]] inline Value exp(const Value& x) {
  constexpr double log2_e = 1.44269504088896338700e+00;
  constexpr double ln2_high = 6.93147180369123816490e-01, ln2_low = 1.90821492927058770002e-10;
  constexpr double P1 = 1.66666666666666019037e-01, P2 = -2.77777777770155933842e-03, P3 = 6.61375632143793436117e-05,
                   P4 = -1.65339022054652515390e-06, P5 = 4.13813679705723846039e-08;

  // Beyond these limits the result is 0 or infinite anyway. NaN passes.
  const Value y = select(x > Value(720.0), Value(720.0), select(x < Value(-760.0), Value(-760.0), x));

  // x = k ln 2 + r, |r| ≤ ln 2 / 2
  const Value k = (y * log2_e + rounding_shift) - rounding_shift;
  const Value high = y - k * ln2_high, low = k * ln2_low;
  const Value r = high - low;

  // exp(r) = 1 + r + r c/(2 − c) with a polynomial c
  const Value z = r * r;
  const Value c = r - z * (P1 + z * (P2 + z * (P3 + z * (P4 + z * P5))));
  const Value e = 1.0 - ((low - (r * c) / (2.0 - c)) - high);

  // 2ᵏ in two factors: only the last one can round, overflow or underflow.
  const Value half = (0.5 * k + rounding_shift) - rounding_shift;
  return (e * power_of_two(half)) * power_of_two(k - half);
}

template <class Value>
[[gnu::always_inline]] inline Value log(const Value& x) {
  constexpr double ln2_high = 6.93147180369123816490e-01, ln2_low = 1.90821492927058770002e-10;
  constexpr double L1 = 6.666666666666735130e-01, L2 = 3.999999999940941908e-01, L3 = 2.857142874366239149e-01,
                   L4 = 2.222219843214978396e-01, L5 = 1.818357216161805012e-01, L6 = 1.531383769920937332e-01,
                   L7 = 1.479819860511658591e-01;
  constexpr std::uint64_t one = 0x3ff0'0000'0000'0000u, root_half = 0x3fe6'a09e'0000'0000u;

  // x = 2ᵏ m with m in [√½, √2); subnormal numbers are scaled first
  const auto small = x < Value(0x1p-1022);
  const auto u = bits(select(small, x * 0x1p54, x)) + (one - root_half);
  const Value m = from_bits<Value>((u & 0x000f'ffff'ffff'ffffu) + root_half);
  const Value biased = from_bits<Value>((u >> 52) | 0x4330'0000'0000'0000u);  // 2⁵² + k + 1023
  const Value k = biased - select(small, Value(0x1p52 + 1023 + 54), Value(0x1p52 + 1023));

  // log(1 + f) = f − f²/2 + s (f²/2 + R(s²)), s = f/(2 + f)
  const Value f = m - 1.0;
  const Value half = 0.5 * f * f;
  const Value s = f / (2.0 + f);
  const Value z = s * s, w = z * z;
  const Value R = z * (L1 + w * (L3 + w * (L5 + w * L7))) + w * (L2 + w * (L4 + w * L6));
  const Value y = k * ln2_high - ((half - (s * (half + R) + k * ln2_low)) - f);

  // the edges: inf, 0, negative numbers and NaN
  const Value edge = select(x == Value(0.0), Value(-infinity), Value(not_a_number));
  return select(x > Value(0.0), select(x < Value(infinity), y, x), edge);
}

// --------------------------------------------------------------------------- exact and piecewise

template <class Value>
[[gnu::always_inline]] inline Value sqrt(const Value& x) {
#if defined(__SSE2__)
  // the instruction itself: the library's function would look for negative numbers to set errno
  if constexpr (std::is_same_v<Value, double>) {
    return _mm_cvtsd_f64(_mm_sqrt_pd(_mm_set1_pd(x)));
  } else {
    Value y;
    for (int i = 0; i < pack_width<Value>; i += 2) {
      const __m128d root = _mm_sqrt_pd(_mm_set_pd(lane(x, i + 1), lane(x, i)));
      set_lane(y, i, root[0]);
      set_lane(y, i + 1, root[1]);
    }
    return y;
  }
#else
  return each([](double a) { return std::sqrt(a); }, x);
#endif
}

template <class Value>
[[gnu::always_inline]] inline Value floor(const Value& x) {
  const auto sign = bits(x) & 0x8000'0000'0000'0000u;
  // adding 2⁵² with the sign of x rounds to an integer; one too much is taken back
  const Value shift = from_bits<Value>(sign | 0x4330'0000'0000'0000u);
  const Value rounded = from_bits<Value>(bits((x + shift) - shift) | sign);
  const Value down = rounded - select(rounded > x, Value(1.0), Value(0.0));
  return select(abs(x) < Value(0x1p52), down, x);
}

// −1, 0 or 1; NaN stays NaN
template <class Value>
[[gnu::always_inline]] inline Value sign(const Value& x) {
  return select(x > Value(0.0), Value(1.0), select(x < Value(0.0), Value(-1.0), x));
}
// 1 for x ≥ 0, otherwise 0; NaN stays NaN
template <class Value>
[[gnu::always_inline]] inline Value step(const Value& x) {
  return select(x >= Value(0.0), Value(1.0), select(x < Value(0.0), Value(0.0), x));
}
// NaN if one of the two is
template <class Value>
[[gnu::always_inline]] inline Value min(const Value& a, const Value& b) {
  return select(either(b < a, b != b), b, a);
}
template <class Value>
[[gnu::always_inline]] inline Value max(const Value& a, const Value& b) {
  return select(either(a < b, b != b), b, a);
}

// ------------------------------------------------------------------------- the library's functions

#define RICOCHET_LIBRARY_FUNCTION(name)                                           \
  template <class Value, class... Same>                                           \
  [[gnu::always_inline]] inline Value name(const Value& x, const Same&... more) { \
    return each([](auto... a) { return std::name(a...); }, x, more...);           \
  }
RICOCHET_LIBRARY_FUNCTION(tan)
RICOCHET_LIBRARY_FUNCTION(asin)
RICOCHET_LIBRARY_FUNCTION(acos)
RICOCHET_LIBRARY_FUNCTION(atan)
RICOCHET_LIBRARY_FUNCTION(sinh)
RICOCHET_LIBRARY_FUNCTION(cosh)
RICOCHET_LIBRARY_FUNCTION(tanh)
RICOCHET_LIBRARY_FUNCTION(log10)
RICOCHET_LIBRARY_FUNCTION(atan2)
RICOCHET_LIBRARY_FUNCTION(pow)
#undef RICOCHET_LIBRARY_FUNCTION

}  // namespace ricochet::formula::elementary
