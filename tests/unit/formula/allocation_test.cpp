// Evaluating a tape allocates nothing.
#include <gtest/gtest.h>

#include "formula/machine_code.hpp"
#include "support/allocations.hpp"
#include "unit/formula/samples.hpp"

namespace {

using formula_samples::Point;
using formula_samples::standard_point;
using formula_samples::table;
using ricochet::Lanes;
using ricochet::formula::Graph;
using ricochet::formula::NodeId;
using ricochet::formula::Tape;

template <class Value>
void expect_no_allocation(const Tape& tape, const Point<Value>& point, bool first_may_allocate) {
  const auto constants = tape.constants(point.parameters);
  std::vector<Value> outputs(static_cast<std::size_t>(tape.output_count()));
  // interpreted, then compiled by the evaluation that comes first
  for (const std::int64_t compile_after : {ricochet::formula::never, std::int64_t{0}}) {
    ricochet::formula::compile_after() = compile_after;
    if (first_may_allocate || compile_after == 0) tape.evaluate(point.inputs(), constants.data(), outputs.data());
    const long before = ricochet::testing::allocations();
    for (int i = 0; i < 100; ++i) tape.evaluate(point.inputs(), constants.data(), outputs.data());
    EXPECT_EQ(ricochet::testing::allocations(), before);
  }
}

TEST(FormulaAllocation, evaluation_allocates_nothing) {
  Graph graph;
  const NodeId node =
      parse(graph, "a*sin(x*y)*exp(-t) + log(1+x^2)*tan(x_dot) + p^1.5*s + if(x<y, floor(x), abs(y))", table());
  const Tape tape(graph, {node, graph.derivative(node, formula_samples::x)});
  Point<Lanes> lanes;
  const Point<double> point = standard_point();
  for (std::size_t i = 0; i < sizeof(point) / sizeof(double); ++i) {
    reinterpret_cast<Lanes*>(&lanes)[i] = Lanes(reinterpret_cast<const double*>(&point)[i]);
  }
  expect_no_allocation(tape, point, false);
  expect_no_allocation(tape, lanes, false);

  // beyond the stack only the first evaluation of a thread does
  std::string text = "x";
  for (int i = 1; i < 600; ++i) text += "+sin(x*" + std::to_string(i) + ")";
  const Tape large(graph, {parse(graph, text, table())});
  expect_no_allocation(large, point, true);
  expect_no_allocation(large, lanes, true);
}

}  // namespace
