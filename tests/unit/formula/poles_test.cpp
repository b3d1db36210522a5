// The functions whose zeros the poles of formulas are.
#include "formula/poles.hpp"

#include <gtest/gtest.h>

#include "unit/formula/samples.hpp"

namespace {

using formula_samples::table;
using ricochet::formula::Graph;
using ricochet::formula::NodeId;

// In any order.
void expect_poles(const std::string& text, const std::vector<std::string>& expected) {
  Graph graph;
  const std::vector<NodeId> found = poles(graph, {parse(graph, text, table())});
  std::vector<NodeId> wanted;
  for (const std::string& pole : expected) wanted.push_back(parse(graph, pole, table()));
  std::sort(wanted.begin(), wanted.end());
  EXPECT_EQ(found, wanted) << text;
}

TEST(Poles, AreTheFactorsOfDenominators) {
  expect_poles("x + sin(y)*exp(x) + x^2 + sqrt(x) + x/a + tan(a)", {});
  expect_poles("1/x + y/(2*x)", {"x"});
  expect_poles("1/(x*(y - a))^2", {"x", "y - a"});
  expect_poles("a*abs(y)/sqrt(abs(x)*y)", {"x", "y"});
  expect_poles("x^-3 + (1 + y)^a", {"x", "1 + y"});
  expect_poles("x/tan(2*y)", {"tan(2*y)", "cos(2*y)"});
  expect_poles("sin(1/(x + 1/y))", {"x + 1/y", "y"});
}

}  // namespace
