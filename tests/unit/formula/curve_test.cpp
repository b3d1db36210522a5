// Tables in formulas: the curve, its derivatives and bounds, what is read and what is refused, and the same bits from
// the interpreter, from lanes and from machine code (those in machine_code_test.cpp).
#include "ricochet/formula/curve.hpp"

#include <gmock/gmock.h>

#include "ricochet/formula/interval.hpp"
#include "samples.hpp"

namespace {

namespace f = ricochet::formula;
namespace samples = formula_samples;
using f::Curve;
using f::NodeId;
using ricochet::InputError;
using ricochet::Interpolation;
using ricochet::Outside;
using ::testing::HasSubstr;

// Every name is the sample's curve; what was asked for last is kept.
class OneTable : public f::Tables {
 public:
  std::shared_ptr<const Curve> curve(const f::TableName& name) const override {
    if (name.file == "gone.csv") throw InputError("", "gone.csv: there is no such file");
    asked = name;
    return samples::curve(name.interpolation, name.outside);
  }
  mutable f::TableName asked;
};

std::string complaint(const std::string& text) {
  const OneTable tables;
  const f::TableScope scope(tables);
  f::Graph graph;
  try {
    f::parse(graph, text, samples::table());
  } catch (const f::FormulaError& error) {
    return error.message();
  }
  return "";
}

TEST(FormulaTable, IsReadWithColumnAndWords) {
  const OneTable tables;
  const f::TableScope scope(tables);
  f::Graph graph;
  const auto asked = [&](const std::string& text) {
    f::parse(graph, text, samples::table());
    return tables.asked;
  };
  EXPECT_EQ(asked("table(\"record.csv\", t)"), (f::TableName{.file = "record.csv"}));
  EXPECT_EQ(asked("2*table('a b/r.csv', x + t, \"north\")"), (f::TableName{.file = "a b/r.csv", .column = "north"}));
  EXPECT_EQ(asked("table('r.csv', t, '3', 'cubic', 'zero')"),
            (f::TableName{"r.csv", "3", Interpolation::cubic, Outside::zero}));
  EXPECT_EQ(asked("table('r.csv', t, 'hold', 'linear')"),
            (f::TableName{"r.csv", "", Interpolation::linear, Outside::hold}));
}

TEST(FormulaTable, Refusals) {
  EXPECT_EQ(complaint("table('r.csv', x)"), "");
  EXPECT_EQ(complaint("table('gone.csv', x)"), "gone.csv: there is no such file");
  EXPECT_THAT(complaint("table(x, t)"), HasSubstr("needs the name of a file first"));
  EXPECT_THAT(complaint("table('r.csv')"), HasSubstr("needs the point behind its file"));
  EXPECT_THAT(complaint("table('r.csv', 'north')"), HasSubstr("needs the point behind its file"));
  EXPECT_THAT(complaint("table('r.csv', t, north)"), HasSubstr("stand in quotes"));
  EXPECT_THAT(complaint("table('r.csv', t, 'a', 'b')"), HasSubstr("'b' is one column too many"));
  EXPECT_THAT(complaint("table('r.csv, t)"), HasSubstr("is not closed"));
  EXPECT_THAT(complaint("table('r.csv', t"), HasSubstr("this '(' is not closed"));
  EXPECT_THAT(complaint("x + 'r.csv'"), HasSubstr("is a text: only table"));
  EXPECT_THAT(complaint("tabel('r.csv', t)"), HasSubstr("did you mean 'table'?"));
  f::Graph graph;
  EXPECT_THROW(f::parse(graph, "table('r.csv', t)", samples::table()), f::FormulaError) << "nobody reads files here";
}

// A name of one's own stays: only a call means the function.
TEST(FormulaTable, MayBeANameToo) {
  f::SymbolTable names = samples::table();
  names.add("table", {f::Bank::parameter, 0});
  f::Graph graph;
  EXPECT_EQ(graph.symbols(f::parse(graph, "2*table", names)), (std::vector{samples::a}));
}

TEST(FormulaTable, DerivativesOfTheCurve) {
  const auto cubic = samples::curve(), linear = samples::curve(Interpolation::linear);
  const Curve slope = cubic->derivative(), second = slope.derivative();
  for (double at = -1.45; at < 1.7; at += 0.0837) {
    const double h = 1e-5;
    EXPECT_NEAR(slope(at), ((*cubic)(at + h) - (*cubic)(at - h)) / (2.0 * h), 1e-8);
    EXPECT_NEAR(second(at), (slope(at + h) - slope(at - h)) / (2.0 * h), 1e-7);
  }
  EXPECT_TRUE(linear->derivative().derivative().is_zero());
  EXPECT_FALSE(linear->derivative().is_zero());
  EXPECT_TRUE(cubic->is_smooth());
  EXPECT_FALSE(linear->is_smooth());
  EXPECT_TRUE(Curve({0.0, 1.0, 2.0}, {1.0, 3.0, 5.0}, Interpolation::linear, Outside::hold).is_smooth());
  EXPECT_EQ((*cubic)(-9.0), std::sin(-4.5));
  EXPECT_EQ((*cubic)(9.0), std::sin(5.1));
  EXPECT_EQ(slope(9.0), 0.0);
  EXPECT_EQ((*samples::curve(Interpolation::cubic, Outside::zero))(9.0), 0.0);
}

// d/dx table(x² + t) = table'(x² + t) 2x, by the chain rule of the graph.
TEST(FormulaTable, DerivativesOfFormulas) {
  const OneTable tables;
  const f::TableScope scope(tables);
  f::Graph graph;
  const NodeId node = f::parse(graph, "a*table('r.csv', x^2 + t, 'cubic')", samples::table());
  const NodeId dx = graph.derivative(node, samples::x), dt = graph.derivative(node, samples::t);
  const samples::Point<double> point = samples::standard_point();
  const double x = point.q[0], a = point.parameters[0], at = x * x + point.t[0];
  const Curve slope = samples::curve()->derivative();
  EXPECT_NEAR(samples::evaluate(graph, dx, point), a * slope(at) * 2.0 * x, 1e-15);
  EXPECT_NEAR(samples::evaluate(graph, dt, point), a * slope(at), 1e-15);
  EXPECT_TRUE(graph.is_zero(graph.derivative(node, samples::u)));
  EXPECT_EQ(graph.derivative(node, samples::x), dx) << "the same node again";
}

// A tape keeps what it needs, also when graph and reader are gone.
TEST(FormulaTable, TapesKeepTheirCurves) {
  f::Tape tape;
  std::vector<double> constants;
  {
    const OneTable tables;
    const f::TableScope scope(tables);
    f::Graph graph;
    const NodeId node = f::parse(graph, "table('r.csv', x) + table('r.csv', b)", samples::table());
    tape = f::Tape(graph, {node, graph.derivative(node, samples::x)});
    constants = tape.constants(samples::standard_point().parameters);
  }
  const samples::Point<double> point = samples::standard_point();
  double values[2];
  tape.evaluate(point.inputs(), constants.data(), values);
  const auto linear = samples::curve(Interpolation::linear);
  EXPECT_EQ(values[0], (*linear)(point.q[0]) + (*linear)(point.parameters[1]));
  EXPECT_EQ(values[1], linear->derivative()(point.q[0]));
}

TEST(FormulaTable, BoundsHoldAndAreReached) {
  std::mt19937_64 random(3);
  std::uniform_real_distribution<double> number(-2.0, 2.5);
  for (const Interpolation interpolation : {Interpolation::linear, Interpolation::cubic})
    for (const Outside outside : {Outside::hold, Outside::zero})
      for (int k = 0; k < 50; ++k) {
        const auto curve = samples::curve(interpolation, outside);
        double lower = number(random), upper = number(random);
        if (upper < lower) std::swap(lower, upper);
        const auto [least, most] = curve->bounds(lower, upper);
        // At even places and at the points of the curve, where straight lines turn.
        std::vector<double> places;
        for (int i = 0; i <= 2000; ++i) places.push_back(lower + (upper - lower) * i / 2000.0);
        for (const double x : curve->points())
          if (x >= lower && x <= upper) places.push_back(x);
        double seen_least = 1e9, seen_most = -1e9;
        for (const double x : places) {
          const double y = (*curve)(x);
          ASSERT_GE(y, least - 1e-15);
          ASSERT_LE(y, most + 1e-15);
          seen_least = std::min(seen_least, y);
          seen_most = std::max(seen_most, y);
        }
        EXPECT_NEAR(seen_least, least, 1e-4);
        EXPECT_NEAR(seen_most, most, 1e-4);
      }
  f::Graph graph;
  const NodeId node = graph.apply(samples::curve(), graph.symbol(samples::t));
  const f::Interval range = f::range(graph, node, [](f::Symbol) { return f::Interval{0.0, 0.5}; });
  EXPECT_TRUE(range.is_number);
  double most = -1.0;
  for (int i = 0; i <= 1000; ++i) most = std::max(most, (*samples::curve())(0.0005 * i));
  EXPECT_LE(range.lower, 0.0);
  EXPECT_GE(range.upper, most);
  EXPECT_NEAR(range.upper, most, 1e-6);
}

TEST(FormulaTable, PointsMustIncrease) {
  const auto said = [](const std::vector<double>& x, const std::vector<double>& y) -> std::string {
    try {
      Curve(x, y, Interpolation::linear, Outside::hold, "r.csv");
    } catch (const InputError& error) {
      return error.message();
    }
    return "";
  };
  EXPECT_EQ(said({0.0, 1.0, 1.0}, {0.0, 1.0, 2.0}), "points must increase, but point 2 is 1 and point 3 is 1");
  EXPECT_EQ(said({0.0}, {0.0}), "needs at least two points, got 1");
  EXPECT_EQ(said({0.0, 1.0}, {0.0}), "needs one value a point, got 2 points and 1 values");
}

}  // namespace
