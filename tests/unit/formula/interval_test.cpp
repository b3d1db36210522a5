// Intervals hold what formulas give anywhere inside.
#include "ricochet/formula/interval.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "unit/formula/samples.hpp"

namespace ricochet::formula {
namespace {

namespace fs = formula_samples;

Interval range_of(const std::string& text, const std::function<Interval(Symbol)>& symbol) {
  Graph graph;
  return range(graph, parse(graph, text, fs::table()), symbol);
}
Interval range_over(const std::string& text, double lower, double upper) {
  return range_of(text, [&](Symbol) { return Interval{lower, upper}; });
}

// Any formula, any box: at points inside it the value is a number in the interval, unless the interval says that it
// need not be one.
RC_GTEST_PROP(FormulaInterval, holds_the_values, ()) {
  const auto seed = *rc::gen::arbitrary<std::uint64_t>();
  Graph graph;
  const std::string text = fs::RandomFormula(seed, seed % 2 == 0)(4);
  const NodeId node = parse(graph, text, fs::table());
  std::mt19937_64 random(seed + 1);
  fs::Point<double> a = fs::random_point(random), b = fs::random_point(random);
  const double width = std::pow(10.0, std::uniform_real_distribution<double>(-6.0, 0.0)(random));
  const Interval all = range(graph, node, [&](Symbol symbol) -> Interval {
    const double x = fs::value_of(a, symbol), y = x + width * (fs::value_of(b, symbol) - x);
    return {std::min(x, y), std::max(x, y)};
  });
  for (int k = 0; k <= 20; ++k) {
    fs::Point<double> inside = a;
    const auto move = [&](double& x, double y) {
      const double share = k == 0 ? 0.0 : k == 1 ? 1.0 : std::uniform_real_distribution<double>(0.0, 1.0)(random);
      x += share * width * (y - x);
    };
    for (std::size_t i = 0; i < 5; ++i) move(inside.parameters[i], b.parameters[i]);
    move(inside.t[0], b.t[0]), move(inside.z[0], b.z[0]), move(inside.auxiliary[0], b.auxiliary[0]);
    for (std::size_t i = 0; i < 2; ++i) move(inside.q[i], b.q[i]), move(inside.v[i], b.v[i]);
    const double value = fs::evaluate_directly(graph, node, inside);
    RC_ASSERT(!all.is_number || all.contains(value));
  }
}

TEST(FormulaInterval, IsNarrowWhereItShouldBe) {
  struct Known {
    const char* text;
    double lower, upper, least, most;
  };
  constexpr double pi = 3.14159265358979323846;
  for (const Known& known : {Known{"x^2", -1.0, 2.0, 0.0, 4.0},
                             {"x*x", -1.0, 2.0, 0.0, 4.0},
                             {"x^3", -1.0, 2.0, -1.0, 8.0},
                             {"sin(x)", 0.0, pi, 0.0, 1.0},
                             {"cos(x)", 3.0, 4.0, -1.0, std::cos(4.0)},
                             {"sin(100*x)", 0.0, 1.0, -1.0, 1.0},
                             {"exp(-x^2)", -1.0, 2.0, std::exp(-4.0), 1.0},
                             {"abs(x)", -1.0, 0.5, 0.0, 1.0},
                             {"sqrt(x)", 4.0, 9.0, 2.0, 3.0},
                             {"1/x", 0.5, 2.0, 0.5, 2.0},
                             {"if(x < 3, x, 100)", 0.0, 2.0, 0.0, 2.0},
                             {"min(x, 1)", 0.0, 2.0, 0.0, 1.0},
                             {"floor(x)", 0.5, 2.5, 0.0, 2.0},
                             {"acos(x)", -1.0, 1.0, 0.0, pi},
                             {"2^x", 0.0, 3.0, 1.0, 8.0}}) {
    const Interval found = range_over(known.text, known.lower, known.upper);
    EXPECT_TRUE(found.is_number) << known.text;
    EXPECT_LE(found.lower, known.least) << known.text;
    EXPECT_GE(found.upper, known.most) << known.text;
    EXPECT_NEAR(found.lower, known.least, 1e-9) << known.text;
    EXPECT_NEAR(found.upper, known.most, 1e-9) << known.text;
  }
}

TEST(FormulaInterval, SaysWhereThereMayBeNoNumber) {
  for (const char* text : {"sqrt(x)", "log(x)", "1/x", "x^0.5", "asin(3*x)", "x^x", "tanh(log(x))", "min(sqrt(x), 1)"})
    EXPECT_FALSE(range_over(text, -1.0, 1.0).is_number) << text;
  // What an if keeps away is not asked for.
  EXPECT_TRUE(range_over("if(x < 5, x, sqrt(x - 5))", -1.0, 1.0).is_number);
}

}  // namespace
}  // namespace ricochet::formula
