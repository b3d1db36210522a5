// Lengths of vectors of two and three numbers with the same bits on every machine: C libraries differ in the last digit
// of hypot, square roots are rounded correctly everywhere.
#pragma once

#include <algorithm>
#include <cmath>

namespace ricochet {

// √(x² + y² + z²); numbers whose squares leave the range are scaled by a power of two, which rounds nothing.
inline double length(double x, double y, double z = 0.0) {
  const double largest = std::max({std::abs(x), std::abs(y), std::abs(z)});
  if (largest > 0x1p-480 && largest < 0x1p480) return std::sqrt(x * x + y * y + z * z);
  if (!(largest > 0.0) || std::isinf(largest)) return std::abs(x) + std::abs(y) + std::abs(z);
  const int scale = std::ilogb(largest);
  x = std::scalbn(x, -scale), y = std::scalbn(y, -scale), z = std::scalbn(z, -scale);
  return std::scalbn(std::sqrt(x * x + y * y + z * z), scale);
}

}  // namespace ricochet
