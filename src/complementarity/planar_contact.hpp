// One planar contact with Coulomb friction in closed form, over doubles or lanes:
//
//     U = W P + b,   0 ≤ U_N ⊥ P_N ≥ 0,   −P_T ∈ μ P_N ∂|U_T|.
//
// b_N ≥ 0: open, P = 0. Otherwise it is closed: with P_T = −τ P_N, |τ| ≤ μ, U_N = 0 gives
//
//     P_N = −b_N/(w_n − τ w_nt)   and   (w_n − τ w_nt) U_T = w_n b_T − w_tn b_N − τ (w_nt b_T − w_t b_N) = c − τ C,
//
// and τ = s μ (slides in the direction s) if w_n − s μ w_nt > 0 and s (c − s μ C) > 0, else τ = c/C (sticks). If
// μ |w_nt| < w_n that is the only solution; otherwise the only one for b_N < 0, and for b_N > 0 the open one is taken
// of up to three. Written with τ the impulse is in the cone whatever round-off does, also where w_n w_t = w_nt w_tn.
#pragma once

#include "ricochet/core/lanes.hpp"

namespace ricochet {

template <class Value>
struct PlanarImpulse {
  Value N, T;
};

template <class Value>
[[gnu::always_inline]] inline PlanarImpulse<Value> solve_planar_contact(const Value& w_n, const Value& w_nt,
                                                                        const Value& w_tn, const Value& w_t,
                                                                        const Value& b_n, const Value& b_t,
                                                                        const Value& mu) {
  const Value zero(0.0);
  const Value n_t = w_n * b_t, tn_n = w_tn * b_n, nt_t = w_nt * b_t, t_n = w_t * b_n;
  const Value c = n_t - tn_n, C = nt_t - t_n;
  const Value round_off_C = Value(1e-15) * (absolute(nt_t) + absolute(t_n));
  const Value round_off = Value(1e-15) * (absolute(n_t) + absolute(tn_n)) + mu * round_off_C;
  const Mask<Value> forward = (w_n - mu * w_nt > zero) & (c - mu * C > round_off);
  const Mask<Value> backward = (w_n + mu * w_nt > zero) & (c + mu * C < -round_off);
  const Mask<Value> regular = absolute(C) > round_off_C;
  const Value sticking = select(regular, c / select(regular, C, Value(1.0)), zero);
  const Value tau = select(forward, mu, select(backward, -mu, larger(-mu, smaller(mu, sticking))));
  const Mask<Value> closed = b_n < zero;
  const Value N = select(closed, -b_n / (w_n - tau * w_nt), zero);
  return {N, select(closed, -tau * N, zero)};
}

}  // namespace ricochet
