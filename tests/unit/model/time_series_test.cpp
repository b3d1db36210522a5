// Time series: exact where the interpolation is exact, of fourth order elsewhere, and bad numbers refused.
#include "ricochet/model/time_series.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "ricochet/core/error.hpp"

namespace ricochet {
namespace {

using Numbers = std::vector<double>;
using ::testing::HasSubstr;

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double nan = std::numeric_limits<double>::quiet_NaN();

template <class Function>
Numbers values(const Numbers& t, Function f) {
  Numbers y;
  for (const double x : t) y.push_back(f(x));
  return y;
}

Numbers even_grid(double from, double until, int pieces) {
  Numbers t;
  for (int i = 0; i <= pieces; ++i) t.push_back(from + (until - from) * i / pieces);
  return t;
}

const Numbers uneven = {-1.0, -0.9, -0.2, 0.0, 0.1, 0.15, 1.4, 2.0, 3.5};

TEST(TimeSeries, GivesTheValuesAtTheTimes) {
  const auto f = [](double t) { return std::sin(3.0 * t) + 0.1; };
  for (const Numbers& t : {uneven, even_grid(0.1, 7.3, 71)}) {
    for (const Interpolation interpolation : {Interpolation::linear, Interpolation::cubic}) {
      const TimeSeries series(t, values(t, f), interpolation, Outside::zero);
      for (const double x : t) EXPECT_EQ(series(x), f(x)) << x;
    }
  }
}

TEST(TimeSeries, LinearBetweenTheTimes) {
  const TimeSeries series({0.0, 1.0, 3.0}, {1.0, 3.0, -1.0}, Interpolation::linear, Outside::zero);
  EXPECT_DOUBLE_EQ(series(0.25), 1.5);
  EXPECT_DOUBLE_EQ(series(1.5), 2.0);
  EXPECT_DOUBLE_EQ(series(2.75), -0.5);
}

// Not-a-knot ends reproduce every cubic; natural ends would not.
TEST(TimeSeries, CubicIsExactForCubics) {
  const auto f = [](double t) { return 1.0 - 2.0 * t + 0.5 * t * t + 3.0 * t * t * t; };
  for (const Numbers& t : {uneven, even_grid(-2.0, 2.0, 13), even_grid(-1.0, 1.0, 3)}) {
    const TimeSeries series(t, values(t, f), Interpolation::cubic, Outside::zero);
    for (const double x : even_grid(t.front(), t.back(), 200)) EXPECT_NEAR(series(x), f(x), 2e-13 * 150.0) << x;
  }
}

TEST(TimeSeries, ThreePointsGiveTheParabolaTwoTheLine) {
  const auto f = [](double t) { return 2.0 - t + 4.0 * t * t; };
  const Numbers t = {0.0, 0.3, 1.0};
  const TimeSeries parabola(t, values(t, f), Interpolation::cubic, Outside::zero);
  const TimeSeries line({0.0, 2.0}, {1.0, 5.0}, Interpolation::cubic, Outside::zero);
  for (const double x : even_grid(0.0, 1.0, 50)) {
    EXPECT_NEAR(parabola(x), f(x), 1e-14);
    EXPECT_NEAR(line(x), 1.0 + 2.0 * x, 1e-15);
  }
}

// Order 4 in the maximum norm over the whole span, ends included; order 2 for straight pieces.
TEST(TimeSeries, OrderOfTheError) {
  const auto f = [](double t) { return std::sin(t) + std::exp(-t); };
  const auto error = [&](Interpolation interpolation, int pieces) {
    const Numbers t = even_grid(0.0, 6.0, pieces);
    const TimeSeries series(t, values(t, f), interpolation, Outside::zero);
    double worst = 0.0;
    for (const double x : even_grid(0.0, 6.0, 20 * pieces + 7)) worst = std::max(worst, std::fabs(series(x) - f(x)));
    return worst;
  };
  EXPECT_NEAR(std::log2(error(Interpolation::cubic, 160) / error(Interpolation::cubic, 320)), 4.0, 0.1);
  EXPECT_NEAR(std::log2(error(Interpolation::linear, 160) / error(Interpolation::linear, 320)), 2.0, 0.1);
}

// Twice continuously differentiable: one-sided difference quotients agree at the knots.
TEST(TimeSeries, CubicHasContinuousDerivatives) {
  const Numbers y = {1.0, -2.0, 0.5, 0.7, 3.0, -1.0, 0.0, 2.0, 1.0};
  const TimeSeries series(uneven, y, Interpolation::cubic, Outside::zero);
  for (std::size_t i = 1; i + 1 < uneven.size(); ++i) {
    const double t = uneven[i], h = 1e-4;
    // exact for cubics up to round-off: f' and f'' from four points on one side
    const auto derivatives = [&](double d) {
      const double a = series(t), b = series(t + d), c = series(t + 2.0 * d), e = series(t + 3.0 * d);
      return std::pair((-11.0 * a + 18.0 * b - 9.0 * c + 2.0 * e) / (6.0 * d),
                       (2.0 * a - 5.0 * b + 4.0 * c - e) / (d * d));
    };
    const auto [first_left, second_left] = derivatives(-h);
    const auto [first_right, second_right] = derivatives(h);
    EXPECT_NEAR(first_left, first_right, 1e-9 * (1.0 + std::fabs(first_left)));
    EXPECT_NEAR(second_left, second_right, 1e-4 * (1.0 + std::fabs(second_left)));
  }
}

TEST(TimeSeries, BeyondTheEnds) {
  const Numbers t = {1.0, 2.0, 3.0}, y = {5.0, 6.0, 8.0};
  for (const Interpolation interpolation : {Interpolation::linear, Interpolation::cubic}) {
    const TimeSeries zero(t, y, interpolation, Outside::zero), hold(t, y, interpolation, Outside::hold);
    const double before = std::nextafter(1.0, 0.0), after = std::nextafter(3.0, 4.0);
    for (const double x : {before, -1e300, -infinity}) {
      EXPECT_EQ(zero(x), 0.0);
      EXPECT_EQ(hold(x), 5.0);
    }
    for (const double x : {after, 1e300, infinity}) {
      EXPECT_EQ(zero(x), 0.0);
      EXPECT_EQ(hold(x), 8.0);
    }
    EXPECT_EQ(zero(3.0), 8.0);
    EXPECT_TRUE(std::isnan(hold(nan)));
  }
}

// The quick way on grids that are nearly even finds the same piece as a search.
RC_GTEST_PROP(TimeSeries, NearlyEvenGridsFindTheirPieces, ()) {
  const auto number = [](int least, int most) { return *rc::gen::inRange(least, most); };
  const int pieces = number(1, 40);
  const double h = 0.01 * number(1, 1000), from = 0.1 * number(-1000, 1000);
  const double wobble = 0.001 * number(0, 600);  // of a piece: beyond 0.5 the search takes over
  Numbers t, y;
  for (int i = 0; i <= pieces; ++i) {
    t.push_back(from + h * (i + wobble * 0.001 * number(-500, 500)));
    y.push_back(0.1 * number(-50, 50));
  }
  const TimeSeries series(t, y, Interpolation::linear, Outside::zero);
  for (int k = 0; k < 50; ++k) {
    const double x = t.front() + (t.back() - t.front()) * 1e-6 * number(0, 1000001);
    const auto next = std::upper_bound(t.begin(), t.end() - 1, x);
    const auto i = static_cast<std::size_t>(next - t.begin()) - 1;
    const double expected = x >= t.back() ? y.back() : y[i] + (x - t[i]) * ((y[i + 1] - y[i]) / (t[i + 1] - t[i]));
    RC_ASSERT(series(x) == expected);
  }
  for (std::size_t i = 0; i < t.size(); ++i) RC_ASSERT(series(t[i]) == y[i]);
}

std::string complaint(const Numbers& t, const Numbers& y, Interpolation interpolation = Interpolation::linear) {
  try {
    const TimeSeries series(t, y, interpolation, Outside::zero, "model.load");
    return "";
  } catch (const InputError& error) {
    EXPECT_EQ(error.field(), "model.load");
    return error.message();
  }
}

TEST(TimeSeries, RefusesWhatIsNoSeries) {
  EXPECT_THAT(complaint({}, {}), HasSubstr("at least two points, got 0"));
  EXPECT_THAT(complaint({1.0}, {1.0}), HasSubstr("at least two points, got 1"));
  EXPECT_THAT(complaint({0.0, 1.0}, {1.0}), HasSubstr("2 times and 1 values"));
  EXPECT_THAT(complaint({0.0, 1.0, 1.0}, {1.0, 2.0, 3.0}), HasSubstr("time 2 is 1 and time 3 is 1"));
  EXPECT_THAT(complaint({0.0, 2.0, 1.5}, {1.0, 2.0, 3.0}), HasSubstr("time 2 is 2 and time 3 is 1.5"));
  EXPECT_THAT(complaint({0.0, nan}, {1.0, 2.0}), HasSubstr("time 2 is nan"));
  EXPECT_THAT(complaint({0.0, infinity}, {1.0, 2.0}), HasSubstr("time 2 is inf"));
  EXPECT_THAT(complaint({0.0, 1.0}, {1.0, -infinity}), HasSubstr("value 2 is -inf"));
  EXPECT_THAT(complaint({0.0, 1.0}, {-1.7e308, 1.7e308}), HasSubstr("too fast"));
  EXPECT_THAT(complaint({0.0, 5e-324}, {0.0, 1.0}), HasSubstr("too fast"));
  EXPECT_THAT(complaint({0.0, 1e-200, 2e-200, 3e-200}, {0.0, 1.0, 0.0, 1.0}, Interpolation::cubic),
              HasSubstr("too fast"));
}

}  // namespace
}  // namespace ricochet
