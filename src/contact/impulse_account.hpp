// The energy of impulses: P along a gap with the rates U⁻ and U⁺, ∂g/∂t being o⁻ and o⁺ then, gives the system
//
//     impact = ½(U⁻ + U⁺) P,   input = −½(o⁻ + o⁺) P, the work of a moving obstacle or of what drives a joint
//
// The first is 0 for joints, up to what the scheme itself does: numerical.
#pragma once

#include "ricochet/core/ledger.hpp"

namespace ricochet {

// Adds both to the account, the first under `own`; returns the first.
template <class Value>
inline Value account_impulse(const Value& P, const Value& U_minus, const Value& U_plus, const Value& o_minus,
                             const Value& o_plus, LedgerTerms<Value>& ledger,
                             Value LedgerTerms<Value>::*own = &LedgerTerms<Value>::impact) {
  const Value half_P = Value(0.5) * P, gain = (U_minus + U_plus) * half_P;
  ledger.*own += gain;
  ledger.input -= (o_minus + o_plus) * half_P;
  return gain;
}

}  // namespace ricochet
