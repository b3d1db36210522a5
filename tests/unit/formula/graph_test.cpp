// Nodes, their simplification, and their derivatives.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <chrono>
#include <cmath>
#include <limits>
#include <string>

#include "unit/formula/samples.hpp"

namespace {

using formula_samples::evaluate;
using formula_samples::Point;
using formula_samples::RandomFormula;
using formula_samples::standard_point;
using formula_samples::table;
using formula_samples::value_of;
using ricochet::formula::Bank;
using ricochet::formula::bank_bit;
using ricochet::formula::Graph;
using ricochet::formula::NodeId;
using ricochet::formula::Operation;
using ricochet::formula::Symbol;
namespace samples = formula_samples;

// The two texts are the same node.
void expect_same(const std::string& left, const std::string& right) {
  Graph graph;
  const NodeId a = parse(graph, left, table()), b = parse(graph, right, table());
  EXPECT_EQ(a, b) << left << " and " << right;
}
NodeId derivative(Graph& graph, const std::string& text, Symbol symbol) {
  return graph.derivative(parse(graph, text, table()), symbol);
}
void expect_derivative(const std::string& text, Symbol symbol, const std::string& expected) {
  Graph graph;
  EXPECT_EQ(derivative(graph, text, symbol), parse(graph, expected, table())) << "(" << text << ")' = " << expected;
}

TEST(FormulaGraph, simplifies) {
  const std::pair<const char*, const char*> equal[] = {{"x*1", "x"},
                                                       {"1*x", "x"},
                                                       {"x*0", "0"},
                                                       {"0*x", "0"},
                                                       {"x+0", "x"},
                                                       {"0+x", "x"},
                                                       {"x-0", "x"},
                                                       {"0-x", "-x"},
                                                       {"x-x", "0"},
                                                       {"0/x", "0"},
                                                       {"x/1", "x"},
                                                       {"x^1", "x"},
                                                       {"x^0", "1"},
                                                       {"1^x", "1"},
                                                       {"--x", "x"},
                                                       {"2*3+4", "10"},
                                                       {"sin(1)*0", "0"},
                                                       {"x+y", "y+x"},
                                                       {"x*y", "y*x"},
                                                       {"x+x", "2*x"},
                                                       {"x*x", "x^2"},
                                                       {"x+(-y)", "x-y"},
                                                       {"x-(-y)", "x+y"},
                                                       {"-x+y", "y-x"},
                                                       {"-(x-y)", "y-x"},
                                                       {"(-x)*y", "-(x*y)"},
                                                       {"(-x)*(-y)", "x*y"},
                                                       {"(-x)/y", "-(x/y)"},
                                                       {"x/(-y)", "-(x/y)"},
                                                       {"x-2*y", "x+(-2)*y"},
                                                       {"-(2*x)", "(-2)*x"},
                                                       {"2*(3*x)", "6*x"},
                                                       {"(2*x)*(3*y)", "6*(x*y)"},
                                                       {"x/2", "0.5*x"},
                                                       {"0.5*(2*x)", "x"},
                                                       {"a*x*b", "a*b*x"},
                                                       {"a*(x*b)", "(a*b)*x"},
                                                       {"a*x/b", "(a/b)*x"},
                                                       {"6*x/3", "2*x"},
                                                       {"a/(b*x)", "(a/b)/x"},
                                                       {"(a*x)/(b*y)", "(a/b)*(x/y)"},
                                                       {"x > y", "y < x"},
                                                       {"x >= y", "y <= x"},
                                                       {"if(1<2,x,y)", "x"},
                                                       {"if(x<y,a,a)", "a"},
                                                       {"min(x,x)", "x"},
                                                       {"sin(x+y)*2", "2*sin(y+x)"},
                                                       {"+x", "x"}};
  for (const auto& [left, right] : equal) expect_same(left, right);
}

// Numbers keep what evaluation would give, finite or not.
TEST(FormulaGraph, folds_numbers) {
  Graph graph;
  const auto folded = [&](const char* text) -> std::optional<double> {
    const NodeId node = parse(graph, text, table());
    return graph.is_number(node) ? std::optional(graph.at(node).value) : std::nullopt;
  };
  EXPECT_EQ(folded("9^999999999"), std::numeric_limits<double>::infinity());
  EXPECT_EQ(folded("-1/0"), -std::numeric_limits<double>::infinity());
  EXPECT_TRUE(std::isnan(folded("0/0").value()));
  EXPECT_TRUE(std::isnan(folded("sqrt(-1)").value()));
  EXPECT_TRUE(samples::same_bits(folded("sin(0.7)").value(), evaluate("sin(x)")));
  EXPECT_TRUE(samples::same_bits(folded("0.7^5").value(), evaluate("x^5")));
  EXPECT_TRUE(samples::same_bits(folded("0.7^-3").value(), evaluate("x^-3")));
  EXPECT_TRUE(samples::same_bits(folded("0.7^2.5").value(), evaluate("x^2.5")));
  EXPECT_EQ(folded("a*0 + 3"), 3.0);
  EXPECT_EQ(folded("a"), std::nullopt);  // parameters stay
}

// Collecting coefficients must not overflow or underflow where the text does not.
TEST(FormulaGraph, does_not_merge_numbers_out_of_range) {
  EXPECT_DOUBLE_EQ(evaluate("1e-200*(1e-200*(x*1e300))*1e100"), 0.7);
  EXPECT_DOUBLE_EQ(evaluate("1e200*(1e200*(x*1e-300))*1e-100"), 0.7);
  EXPECT_DOUBLE_EQ(evaluate("(1e200*x)/(1e-200*(1e300*(1e100*y)))"), 0.7 / -1.1);
}

// Sums keep their order: (x − big) + small must not become x + (small − big).
TEST(FormulaGraph, does_not_regroup_sums) {
  Point<double> point = standard_point();
  point.q[0] = 1e16 + 2.0;
  EXPECT_EQ(evaluate("(x - 1e16) + 1e-3", point), 2.001);
}

TEST(FormulaGraph, knows_dependencies) {
  Graph graph;
  const NodeId node = parse(graph, "a*sin(x)*x_dot + t*y", table());
  EXPECT_EQ(graph.banks(node),
            bank_bit(Bank::parameter) | bank_bit(Bank::coordinate) | bank_bit(Bank::velocity) | bank_bit(Bank::time));
  EXPECT_FALSE(graph.is_constant(node));
  EXPECT_TRUE(graph.depends_on(node, samples::y));
  EXPECT_FALSE(graph.depends_on(node, samples::b));
  EXPECT_FALSE(graph.depends_on(node, samples::p));
  EXPECT_EQ(graph.symbols(node), (std::vector<Symbol>{samples::a, samples::t, samples::x, samples::y, samples::u}));
  EXPECT_TRUE(graph.is_constant(parse(graph, "a^2*pi + x*0", table())));
  EXPECT_TRUE(graph.is_zero(parse(graph, "x-x", table())));
  EXPECT_TRUE(graph.symbols(parse(graph, "1+2", table())).empty());
}

TEST(FormulaGraph, substitutes_all_at_once) {
  Graph graph;
  const NodeId node = parse(graph, "x^2 + y*a", table());
  const NodeId swapped[] = {graph.symbol(samples::y), graph.symbol(samples::x)};
  const std::pair<Symbol, NodeId> replacements[] = {{samples::x, swapped[0]}, {samples::y, swapped[1]}};
  EXPECT_EQ(graph.substitute(node, replacements), parse(graph, "y^2 + x*a", table()));
  const std::pair<Symbol, NodeId> zero[] = {{samples::y, graph.number(0.0)}};
  EXPECT_EQ(graph.substitute(node, zero), parse(graph, "x^2", table()));
  EXPECT_EQ(graph.substitute(node, {}), node);
}

TEST(FormulaDerivative, has_the_expected_form) {
  expect_derivative("a*x_dot^2/2", samples::u, "a*x_dot");
  expect_derivative("x^3", samples::x, "3*x^2");
  expect_derivative("x^-1", samples::x, "-(x^-2)");
  expect_derivative("a*(x-y)^2/2", samples::x, "a*(x-y)");
  expect_derivative("sin(a*x)", samples::x, "a*cos(a*x)");
  expect_derivative("cos(x)", samples::x, "-sin(x)");
  expect_derivative("exp(x)", samples::x, "exp(x)");
  expect_derivative("log(x)", samples::x, "1/x");
  expect_derivative("x/y", samples::x, "1/y");
  expect_derivative("abs(x)", samples::x, "sign(x)");
  expect_derivative("min(x,y)", samples::x, "if(y<x,0,1)");
  expect_derivative("max(x,y)", samples::y, "if(x<y,1,0)");
  expect_derivative("if(x<y,x^2,y)", samples::x, "if(x<y,2*x,0)");
  for (const char* flat : {"sign(x)", "step(x)", "floor(x)", "x<y", "x==y", "x!=1", "y", "a", "if(x<0,1,2)"}) {
    expect_derivative(flat, samples::x, "0");
  }
  // second derivatives of a quadratic form are constant
  Graph graph;
  const NodeId first = derivative(graph, "a*(x - y)^2/2 + b*x*y - 3*x^2", samples::x);
  EXPECT_TRUE(graph.is_constant(graph.derivative(first, samples::x)));
  EXPECT_TRUE(graph.is_constant(graph.derivative(first, samples::y)));
}

// Against differences of fourth order at two steps: their own difference tells how far they can be trusted.
RC_GTEST_PROP(FormulaDerivative, agrees_with_differences, ()) {
  const auto seed = *rc::gen::inRange<std::uint64_t>(0, 1'000'000'000);
  const int depth = *rc::gen::inRange(1, 5);
  const std::string text = RandomFormula(seed, true)(depth);
  RC_LOG() << text << "\n";
  Graph graph;
  const NodeId node = parse(graph, text, table());
  const ricochet::formula::Tape tape(graph, {node});
  std::mt19937_64 random(seed);
  Point<double> point = samples::random_point(random);
  const auto constants = tape.constants(point.parameters);
  for (const Symbol symbol : {samples::x, samples::y, samples::u, samples::t, samples::p, samples::s}) {
    double& place = value_of(point, symbol);
    const double centre = place;
    const auto value_at = [&](double displacement) {
      place = centre + displacement;
      double value = 0.0;
      tape.evaluate(point.inputs(), constants.data(), &value);
      place = centre;
      return value;
    };
    const auto difference = [&](double h) {
      return (8.0 * (value_at(h) - value_at(-h)) - (value_at(2 * h) - value_at(-2 * h))) / (12.0 * h);
    };
    const double coarse = difference(2e-3), fine = difference(1e-3);
    const double d = evaluate(graph, graph.derivative(node, symbol), point);
    const double scale = std::max({1.0, std::fabs(d), std::fabs(value_at(0.0))});
    RC_ASSERT(std::isfinite(d));
    if (std::fabs(coarse - fine) < 1e-4 * scale)
      RC_ASSERT(std::fabs(d - fine) <= std::fabs(coarse - fine) + 1e-9 * scale);
  }
}

TEST(FormulaDerivative, of_deep_expressions_stays_small) {
  const auto begin = std::chrono::steady_clock::now();
  std::string nested = "x", product = "(x+1)";
  for (int i = 0; i < 199; ++i) nested = "sin(" + nested + ")";
  for (int i = 2; i <= 200; ++i) product += "*(x+" + std::to_string(i) + "/200)";
  std::string sum = "x^2";
  for (int i = 0; i < 5000; ++i) sum += "+sin(x)*y";
  for (const std::string& text : {nested, product, sum}) {
    Graph graph;
    NodeId node = parse(graph, text, table());
    const int before = graph.size();
    for (int order = 1; order <= 3; ++order) node = graph.derivative(node, samples::x);
    EXPECT_LT(graph.size(), 60 * before + 1000);
    EXPECT_TRUE(std::isfinite(evaluate(graph, node)));
  }
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  EXPECT_LT(seconds, 300.0);
}

// Folding numbers and evaluating symbols with these values agree.
RC_GTEST_PROP(FormulaGraph, folding_equals_evaluation, ()) {
  const auto seed = *rc::gen::inRange<std::uint64_t>(0, 1'000'000'000);
  const std::string text = RandomFormula(seed, true)(*rc::gen::inRange(1, 5));
  std::mt19937_64 random(seed);
  Point<double> point = samples::random_point(random);
  Graph graph;
  const NodeId node = parse(graph, text, table());
  std::vector<std::pair<Symbol, NodeId>> numbers;
  for (const Symbol symbol : graph.symbols(node)) numbers.emplace_back(symbol, graph.number(value_of(point, symbol)));
  const NodeId folded = graph.substitute(node, numbers);
  RC_ASSERT(graph.is_number(folded));
  const double evaluated = evaluate(graph, node, point), by_folding = graph.at(folded).value;
  RC_ASSERT(std::fabs(evaluated - by_folding) <= 1e-9 * std::max(1.0, std::fabs(evaluated)));
}

// The value of the simplified graph is that of the text, read by a second reader in higher precision.
RC_GTEST_PROP(FormulaGraph, simplification_keeps_the_value, ()) {
  const auto seed = *rc::gen::inRange<std::uint64_t>(0, 1'000'000'000);
  const std::string text = RandomFormula(seed, true)(*rc::gen::inRange(1, 6));
  RC_LOG() << text << "\n";
  std::mt19937_64 random(seed);
  const Point<double> point = samples::random_point(random);
  const long double exact = samples::PlainReader<long double>(text, point)();
  const long double rounding = std::fabs(samples::PlainReader<double>(text, point)() - exact);
  const long double error = std::fabs(evaluate(text, point) - exact);
  RC_ASSERT(error <= 100 * rounding + 1e-10L * std::max(1.0L, std::fabs(exact)));
}

}  // namespace
