// The largest h ω that a scheme bears, measured on the scheme itself.
#pragma once

#include "ricochet/scheme/scheme.hpp"

namespace ricochet {

// The scheme runs on x″ = −x for 300 steps of h. It is stable where the amplitude of the second half is at most three
// times that of the first; the limit is found by bisection to four digits. Infinite if no h up to 20 is unstable.
double stability_limit(const Scheme& scheme);

}  // namespace ricochet
