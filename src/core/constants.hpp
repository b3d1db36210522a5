// Numbers that many sources need.
#pragma once

#include <limits>

namespace ricochet {

inline constexpr double epsilon = std::numeric_limits<double>::epsilon();  // of round-off: 2⁻⁵²
inline constexpr double pi = 3.14159265358979323846;

}  // namespace ricochet
