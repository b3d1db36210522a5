// The law of one compliant contact, from what is given for it and where it begins.
//
//   λ = k δⁿ (1 + α δ') + κ δ',   δ = −g
//
// Alone and without other forces, with the mass m that it feels and the rate v with which it begins:
//   n = 1, α = 0:   e = exp(−πζ/√(1 − ζ²)), ζ = κ/(2√(k m)), 0 from ζ = 1 on; it lasts π/(ω√(1 − ζ²)), ω = √(k/m)
//   κ = 0:          a − ln(1 + a) = −e a − ln(1 − e a), a = α v, whatever k, n and m are                   (1)
//   α = κ = 0:      e = 1; the depth is δ = ((n + 1) m v²/2k)^(1/(n+1)), and it lasts
//                   2 √π Γ(1 + 1/(n+1))/Γ(½ + 1/(n+1)) δ/v = 2.943 δ/v for Hertz's n = 3/2                  (2)
//
// (1) is the integral of m v dv = −k δⁿ (1 + α v) dδ from δ = 0 to the deepest point and back [K. H. Hunt, F. R. E.
// Crossley, Coefficient of restitution interpreted as damping in vibroimpact, J. Appl. Mech. 42 (1975) 440,
// doi:10.1115/1.3423596]; for small a it is e = 1 − 2a/3.
#pragma once

#include "ricochet/model/compliance.hpp"

namespace ricochet {

struct ContactLaw {
  double k = 0.0, kappa = 0.0, n = 1.0, alpha = 0.0;
  double omega = 0.0;        // π over how long a contact without damping lasts
  double restitution = 0.0;  // what it makes of an impact alone
};

// A spring and a damper for the restitution e.
ContactLaw matched_spring(double k, double m, double e);
// What is given, for an impact with the rate v ≥ 0 that is pressed with the acceleration f ≥ 0; e counts where the law
// has no damping of its own.
ContactLaw law_of(const Compliance& given, double m, double v, double f, double e);

// λ(δ, δ')
double contact_force(const ContactLaw& law, double depth, double rate);

}  // namespace ricochet
