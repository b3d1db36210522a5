// Motion under forces alone, y = (q, v, z):  q' = v,  v' = M⁻¹F,  z' = rate(t, q, v, z).
#pragma once

#include "contact/mass_factors.hpp"

namespace ricochet {

// a = M⁻¹F. False where M is not positive definite.
template <class Value>
inline bool free_acceleration(const Mechanics<Value>& model, MassFactors<Value>& mass, const Value& t, const Value* y,
                              Value* a) {
  const int nq = model.nq();
  if (!mass.place(t, y)) return false;
  model.force(t, y, y + nq, y + 2 * nq, a);
  if (nq != 1) {
    mass.solve(a);
  } else if (any(mass.values()[0] != Value(1.0))) {
    a[0] /= mass.values()[0];
  }
  return true;
}

template <class Value>
inline bool fly(const Mechanics<Value>& model, MassFactors<Value>& mass, const Value& t, const Value* y, Value* dy) {
  const int nq = model.nq();
  if (!free_acceleration(model, mass, t, y, dy + nq)) return false;
  for (int i = 0; i < nq; ++i) dy[i] = y[nq + i];
  if (model.nz() > 0) model.state_rate(t, y, y + nq, y + 2 * nq, dy + 2 * nq);
  return true;
}

}  // namespace ricochet
