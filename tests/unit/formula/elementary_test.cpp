// The elementary functions against long double, and lanes against doubles.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <vector>

#include "ricochet/formula/elementary.hpp"
#include "unit/formula/samples.hpp"

namespace {

namespace e = ricochet::formula::elementary;
using formula_samples::same_bits;
using ricochet::formula::Pack;

constexpr double inf = std::numeric_limits<double>::infinity();
constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr int sample_count = 200'000;

// The error in units of the last place of the exact value.
double ulps(double value, long double exact) {
  int exponent = 0;
  std::frexp(exact, &exponent);
  const long double unit = std::ldexp(1.0L, std::max(exponent - 53, -1074));
  return static_cast<double>(std::fabs((value - exact) / unit));
}

struct Function {
  const char* name;
  double (*own)(double);
  long double (*exact)(long double);
};
const Function sine{"sin", [](double x) { return e::sin(x); }, [](long double x) { return std::sin(x); }};
const Function cosine{"cos", [](double x) { return e::cos(x); }, [](long double x) { return std::cos(x); }};
const Function tangent{"tan", [](double x) { return e::tan(x); }, [](long double x) { return std::tan(x); }};
const Function exponential{"exp", [](double x) { return e::exp(x); }, [](long double x) { return std::exp(x); }};
const Function logarithm{"log", [](double x) { return e::log(x); }, [](long double x) { return std::log(x); }};

void expect_accurate(const Function& function, const std::vector<double>& arguments, double bound) {
  double worst = 0.0, where = 0.0;
  for (const double x : arguments) {
    const double error = ulps(function.own(x), function.exact(x));
    if (error > worst) {
      worst = error;
      where = x;
    }
  }
  EXPECT_LE(worst, bound) << function.name << " at " << where;
}

std::vector<double> uniform(double low, double high) {
  std::mt19937_64 random(1);
  std::uniform_real_distribution<double> number(low, high);
  std::vector<double> result(sample_count);
  for (double& x : result) x = number(random);
  return result;
}
// of every magnitude, and of both signs if wanted
std::vector<double> logarithmic(double low, double high, bool both_signs) {
  std::vector<double> result = uniform(std::log(low), std::log(high));
  for (std::size_t i = 0; i < result.size(); ++i) {
    result[i] = std::clamp(std::exp(result[i]), low, high) * (both_signs && i % 2 == 1 ? -1.0 : 1.0);
  }
  return result;
}

TEST(FormulaElementary, sine_and_cosine_are_below_one_ulp) {
  for (const Function& function : {sine, cosine}) {
    expect_accurate(function, uniform(-10.0, 10.0), 0.9);
    expect_accurate(function, uniform(-131072.0, 131072.0), 0.9);
    expect_accurate(function, logarithmic(1e-320, 1e9, true), 0.9);
  }
  expect_accurate(tangent, uniform(-10.0, 10.0), 2.0);
}

// Next to multiples of π/2 almost all digits cancel in the reduction.
TEST(FormulaElementary, sine_and_cosine_keep_their_digits_near_their_zeros) {
  std::vector<double> arguments;
  for (int n = 1; n < 83000; ++n) {
    const auto multiple = static_cast<double>(n * 1.57079632679489661923132169163975144L);
    for (const double x : {multiple, std::nextafter(multiple, 0.0), std::nextafter(multiple, inf)})
      arguments.push_back(x);
  }
  // sinl and cosl reduce with 64 bits of π only in some libraries: compare with the double functions of
  // the C library instead, which are accurate to 0.55 ulp
  double worst = 0.0;
  for (const double x : arguments) {
    for (const auto& [value, expected] : {std::pair{e::sin(x), std::sin(x)}, std::pair{e::cos(x), std::cos(x)}}) {
      worst = std::max(worst, ulps(value, expected));
    }
  }
  EXPECT_LE(worst, 1.0);
}

TEST(FormulaElementary, exponential_is_below_one_ulp) {
  expect_accurate(exponential, uniform(-1.0, 1.0), 0.95);
  expect_accurate(exponential, uniform(-745.0, 709.7), 0.95);
  expect_accurate(exponential, uniform(-746.0, -705.0), 1.0);  // subnormal results are rounded twice
  expect_accurate(exponential, logarithmic(1e-320, 700.0, true), 0.95);
}

TEST(FormulaElementary, logarithm_is_below_one_ulp) {
  expect_accurate(logarithm, uniform(0.5, 2.0), 0.95);
  expect_accurate(logarithm, uniform(0.999, 1.001), 0.95);
  expect_accurate(logarithm, logarithmic(1e-320, 1e308, false), 0.95);
  expect_accurate(logarithm, uniform(0.0, 1e-307), 0.95);
}

TEST(FormulaElementary, edges_are_those_of_the_library) {
  const std::vector<double> edges = {0.0,
                                     -0.0,
                                     1.0,
                                     -1.0,
                                     inf,
                                     -inf,
                                     nan,
                                     5e-324,
                                     -5e-324,
                                     1e308,
                                     -1e308,
                                     709.8,
                                     710.0,
                                     -745.2,
                                     -746.0,
                                     1e-310,
                                     131072.0,
                                     -131072.0,
                                     1e22,
                                     2.5,
                                     -2.5,
                                     0x1p52,
                                     -0x1p52,
                                     0x1p53 - 1.0,
                                     0.5,
                                     -0.5,
                                     4503599627370495.5,
                                     -4503599627370495.5};
  for (const double x : edges) {
    EXPECT_TRUE(same_bits(e::floor(x), std::floor(x))) << x;
    EXPECT_TRUE(same_bits(e::abs(x), std::fabs(x))) << x;
    EXPECT_TRUE(same_bits(e::sqrt(x), std::sqrt(x))) << x;
    EXPECT_EQ(std::isnan(e::sin(x)), std::isnan(std::sin(x))) << x;
    EXPECT_EQ(std::isnan(e::cos(x)), std::isnan(std::cos(x))) << x;
    if (!std::isfinite(std::exp(x)) || std::exp(x) == 0.0) {
      EXPECT_TRUE(same_bits(e::exp(x), std::exp(x))) << x;
    }
    if (!std::isfinite(std::log(x))) {
      EXPECT_TRUE(same_bits(e::log(x), std::log(x))) << x;
    }
  }
  EXPECT_TRUE(same_bits(e::sin(-0.0), -0.0));
  EXPECT_TRUE(same_bits(e::exp(0.0), 1.0));
  EXPECT_TRUE(same_bits(e::log(1.0), 0.0));
  EXPECT_EQ(e::sign(0.0), 0.0);
  EXPECT_EQ(e::sign(-3.0), -1.0);
  EXPECT_TRUE(std::isnan(e::sign(nan)));
  EXPECT_EQ(e::step(0.0), 1.0);
  EXPECT_EQ(e::step(-1e-300), 0.0);
  EXPECT_TRUE(std::isnan(e::step(nan)));
  for (const auto& [left, right] : {std::pair{1.0, nan}, std::pair{nan, 1.0}}) {
    EXPECT_TRUE(std::isnan(e::min(left, right)));
    EXPECT_TRUE(std::isnan(e::max(left, right)));
  }
}

// Every function in packs of two and four has the bits of the single calculation.
template <class Value>
void expect_packs_equal_doubles(const std::vector<double>& arguments) {
  constexpr int width = ricochet::formula::pack_width<Value>;
  for (std::size_t i = 0; i + width <= arguments.size(); i += width) {
    Value x, s, c;
    for (int k = 0; k < width; ++k) set_lane(x, k, arguments[i + static_cast<std::size_t>(k)]);
    e::sincos(x, s, c);
    const Value results[] = {e::sin(x),   e::cos(x),  s,          c,          e::exp(x), e::log(x),
                             e::floor(x), e::sqrt(x), e::sign(x), e::step(x), e::abs(x), e::tan(x)};
    for (int k = 0; k < width; ++k) {
      const double y = lane(x, k);
      const double expected[] = {e::sin(y),   e::cos(y),  e::sin(y),  e::cos(y),  e::exp(y), e::log(y),
                                 e::floor(y), e::sqrt(y), e::sign(y), e::step(y), e::abs(y), e::tan(y)};
      for (std::size_t n = 0; n < std::size(expected); ++n) {
        ASSERT_TRUE(same_bits(lane(results[n], k), expected[n])) << "function " << n << " at " << y;
      }
    }
  }
}

TEST(FormulaElementary, packs_equal_doubles_bit_for_bit) {
  std::vector<double> arguments = {0.0, -0.0, inf, -inf, nan, 5e-324, 1e300, -1e300, 131072.0, 1e5, 0.5, -0.5};
  for (const double x : logarithmic(1e-300, 1e9, true)) arguments.push_back(x);
  for (const double x : uniform(-800.0, 800.0)) arguments.push_back(x);
  expect_packs_equal_doubles<Pack<2>>(arguments);
  expect_packs_equal_doubles<Pack<4>>(arguments);
}

}  // namespace
