// Lengths: those of hypot within a last place, the same digits in every unit, and its edges.
#include "core/length.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>

namespace ricochet {
namespace {

constexpr double epsilon = std::numeric_limits<double>::epsilon(), infinity = std::numeric_limits<double>::infinity();

TEST(Length, IsThatOfHypotInEveryUnit) {
  std::mt19937_64 random(7);
  std::uniform_real_distribution<double> any(-1.0, 1.0), digits(-20.0, 0.0);
  for (int i = 0; i < 1000; ++i) {
    const double x = any(random), y = any(random) * std::exp(digits(random)), z = any(random);
    const double plane = length(x, y), space = length(x, y, z);
    EXPECT_NEAR(plane, std::hypot(x, y), 2.0 * epsilon * plane);
    EXPECT_NEAR(space, std::hypot(x, y, z), 2.0 * epsilon * space);
    for (const int power : {-900, -500, -40, 40, 500, 900}) {
      EXPECT_EQ(length(std::scalbn(x, power), std::scalbn(y, power)), std::scalbn(plane, power));
      EXPECT_EQ(length(std::scalbn(x, power), std::scalbn(y, power), std::scalbn(z, power)), std::scalbn(space, power));
    }
  }
}

TEST(Length, Edges) {
  EXPECT_EQ(length(0.0, -0.0), 0.0);
  EXPECT_EQ(length(-3.0, 4.0), 5.0);
  EXPECT_EQ(length(1e-310, 0.0), 1e-310);
  EXPECT_EQ(length(-infinity, 1.0), infinity);
  EXPECT_EQ(length(1e308, 1e308), std::hypot(1e308, 1e308));
  EXPECT_TRUE(std::isnan(length(std::nan(""), 1.0)));
  EXPECT_TRUE(std::isnan(length(1.0, std::nan(""))));
  EXPECT_TRUE(std::isnan(length(1.0, 2.0, std::nan(""))));
}

}  // namespace
}  // namespace ricochet
