// The tape: its values, its lanes, its constants, its registers.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>
#include <limits>
#include <string>
#include <thread>
#include <vector>

#include "formula/execute.hpp"
#include "unit/formula/samples.hpp"

namespace {

using formula_samples::evaluate;
using formula_samples::evaluate_directly;
using formula_samples::Point;
using formula_samples::RandomFormula;
using formula_samples::same_bits;
using formula_samples::spread;
using formula_samples::standard_point;
using formula_samples::table;
using ricochet::Lanes;
using ricochet::formula::Bank;
using ricochet::formula::Graph;
using ricochet::formula::Inputs;
using ricochet::formula::Instruction;
using ricochet::formula::NodeId;
using ricochet::formula::Operation;
using ricochet::formula::Tape;
namespace f = ricochet::formula;
namespace samples = formula_samples;

std::vector<NodeId> with_derivatives(Graph& graph, const std::string& text) {
  const NodeId node = parse(graph, text, table());
  return {node, graph.derivative(node, samples::x), graph.derivative(node, samples::u),
          graph.derivative(node, samples::t)};
}

RC_GTEST_PROP(FormulaTape, equals_direct_evaluation_bit_for_bit, ()) {
  const auto seed = *rc::gen::inRange<std::uint64_t>(0, 1'000'000'000);
  RandomFormula formula(seed, false);
  Graph graph;
  std::vector<NodeId> nodes;
  for (int i = *rc::gen::inRange(1, 4); i > 0; --i) {
    for (const NodeId node : with_derivatives(graph, formula(*rc::gen::inRange(0, 5)))) nodes.push_back(node);
  }
  std::mt19937_64 random(seed);
  for (int i = 0; i < 5; ++i) {
    const Point<double> point = samples::random_point(random);
    const std::vector<double> values = evaluate(graph, nodes, point);
    for (std::size_t k = 0; k < nodes.size(); ++k)
      RC_ASSERT(same_bits(values[k], evaluate_directly(graph, nodes[k], point)));
  }
}

RC_GTEST_PROP(FormulaTape, lanes_equal_doubles_bit_for_bit, ()) {
  const auto seed = *rc::gen::inRange<std::uint64_t>(0, 1'000'000'000);
  RandomFormula formula(seed, false);
  Graph graph;
  std::vector<NodeId> nodes;
  for (int i = 0; i < 3; ++i) {
    for (const NodeId node : with_derivatives(graph, formula(*rc::gen::inRange(0, 5)))) nodes.push_back(node);
  }
  std::mt19937_64 random(seed);
  std::vector<Point<double>> points;
  for (int k = 0; k < ricochet::lane_count; ++k) points.push_back(samples::random_point(random));
  points[3].q[0] = std::numeric_limits<double>::infinity();
  points[5].q[1] = 1e7;
  points[6].t[0] = std::numeric_limits<double>::quiet_NaN();
  const std::vector<Lanes> lanes = evaluate(graph, nodes, spread(points));
  for (int k = 0; k < ricochet::lane_count; ++k) {
    const std::vector<double> values = evaluate(graph, nodes, points[static_cast<std::size_t>(k)]);
    for (std::size_t i = 0; i < nodes.size(); ++i) RC_ASSERT(same_bits(lanes[i][k], values[i]));
  }
}

// Every instruction, in each version of the interpreter.
TEST(FormulaTape, all_interpreters_give_the_same_bits) {
  constexpr double inf = std::numeric_limits<double>::infinity(), nan = std::numeric_limits<double>::quiet_NaN();
  std::vector<double> numbers = {0.0,   -0.0,   1.0, -1.0, inf, -inf, nan,  5e-324,
                                 1e300, -1e300, 0.5, 2.0,  1e5, 1e7,  -0.3, 710.0};
  std::mt19937_64 random(7);
  std::normal_distribution<double> normal(0.0, 3.0);
  while (numbers.size() < 3000) numbers.push_back(normal(random));
  std::shuffle(numbers.begin(), numbers.end(), random);

  constexpr int lanes = ricochet::lane_count;
  const auto curve = samples::curve();
  for (std::uint16_t code = 0; code < f::opcode(f::Extra::end); ++code) {
    // a, b, c in places 0 to 2 of the frame; results to place 3 of the frame and place 1 of the outputs
    const bool sincos = code == f::opcode(f::Extra::sincos);
    const Instruction program[] = {{.opcode = code,
                                    .target_array = 0,
                                    .second_array = 1,
                                    .target = f::offset(3),
                                    .a = f::offset(0),
                                    .b = f::offset(1),
                                    .c = f::offset(2)},
                                   {.opcode = f::opcode(f::Extra::end)}};
    for (std::size_t start = 0; start + 3 * lanes <= numbers.size(); start += lanes) {
      Lanes frame[2][4], outputs[2][2];
      for (int place = 0; place < 3; ++place) {
        for (int k = 0; k < lanes; ++k)
          frame[0][place].set(k, numbers[start + static_cast<std::size_t>(place * lanes + k)]);
        // The second operand of a curve is one.
        if (place == 1 && code == f::opcode(f::Operation::curve)) frame[0][place] = f::curve_handle(*curve);
        frame[1][place] = frame[0][place];
      }
      const auto doubles = [](Lanes* x) { return reinterpret_cast<double*>(x); };
      execute_lanes_baseline(program, {doubles(frame[0]), doubles(outputs[0])});
      if (f::has_avx2()) execute_lanes_avx2(program, {doubles(frame[1]), doubles(outputs[1])});
      for (int k = 0; k < lanes; ++k) {
        double single[4] = {frame[0][0][k], frame[0][1][k], frame[0][2][k], 0.0}, output[2] = {};
        execute(program, {single, output});
        ASSERT_TRUE(same_bits(frame[0][3][k], single[3]))
            << "instruction " << code << " of " << single[0] << ", " << single[1];
        ASSERT_TRUE(!sincos || same_bits(outputs[0][1][k], output[1])) << single[0];
        if (!f::has_avx2()) continue;
        ASSERT_TRUE(same_bits(frame[1][3][k], single[3]))
            << "AVX2: instruction " << code << " of " << single[0] << ", " << single[1];
        ASSERT_TRUE(!sincos || same_bits(outputs[1][1][k], output[1])) << single[0];
      }
    }
  }
}

TEST(FormulaTape, knows_what_is_constant) {
  Graph graph;
  std::vector<NodeId> nodes;
  for (const char* text : {"a^2*pi", "x", "0*x", "sin(t)", "x-x", "1", "a*0"})
    nodes.push_back(parse(graph, text, table()));
  const Tape tape(graph, nodes);
  ASSERT_EQ(tape.output_count(), 7);
  EXPECT_EQ(tape.instruction_count(), 1);

  const Tape constants(graph, {nodes[0], nodes[5]});
  EXPECT_EQ(constants.instruction_count(), 0);
  double values[2];
  const auto bank = constants.constants(standard_point().parameters);
  constants.evaluate(Inputs<double>{}, bank.data(), values);
  EXPECT_DOUBLE_EQ(values[0], 1.25 * 1.25 * M_PI);
  EXPECT_EQ(values[1], 1.0);

  const Tape nothing;
  EXPECT_EQ(nothing.output_count(), 0);
  nothing.evaluate(Inputs<double>{}, nothing.constants(static_cast<const double*>(nullptr)).data(), values);
  EXPECT_EQ(Tape(graph, {}).output_count(), 0);
}

// The parameters of a tape may differ from lane to lane.
TEST(FormulaTape, takes_parameters_per_lane) {
  Graph graph;
  const NodeId node = parse(graph, "a^2*x + exp(b)", table());
  std::vector<Point<double>> points(ricochet::lane_count, standard_point());
  for (int k = 0; k < ricochet::lane_count; ++k) {
    points[static_cast<std::size_t>(k)].parameters[0] = 0.1 * k;
    points[static_cast<std::size_t>(k)].parameters[1] = -0.3 * k;
  }
  const Lanes lanes = evaluate(graph, std::vector{node}, spread(points))[0];
  for (int k = 0; k < ricochet::lane_count; ++k)
    EXPECT_TRUE(same_bits(lanes[k], evaluate(graph, node, points[static_cast<std::size_t>(k)])));
}

TEST(FormulaTape, shares_and_fuses) {
  Graph graph;
  const auto count = [&](std::vector<const char*> texts) {
    std::vector<NodeId> nodes;
    for (const char* text : texts) nodes.push_back(parse(graph, text, table()));
    return Tape(graph, nodes).instruction_count();
  };
  EXPECT_EQ(count({"sin(x)", "cos(x)"}), 1);  // both from one instruction
  EXPECT_EQ(count({"x*y+t"}), 1);             // a·b + c
  EXPECT_EQ(count({"x*y-t"}), 1);
  EXPECT_EQ(count({"t-x*y"}), 1);
  EXPECT_EQ(count({"x*y+t", "x*y"}), 3);          // the product is wanted itself: multiply, add, copy
  EXPECT_EQ(count({"x^2", "x^4", "x^8"}), 5);     // x⁸ from x⁴ from x², and two copies
  EXPECT_EQ(count({"exp(x+y)", "exp(y+x)"}), 4);  // one sum, one function, and a copy to each output
  EXPECT_EQ(count({"x", "y", "t", "a"}), 0);
  EXPECT_EQ(count({"a*b*x*E*I"}), 1);  // the constant factor is known before
}

TEST(FormulaTape, reuses_places) {
  Graph graph;
  std::string text = "0";
  for (int i = 1; i < 2000; ++i) text += "+sin(x*" + std::to_string(i) + ")";
  const Tape tape(graph, {parse(graph, text, table())});
  EXPECT_GT(tape.instruction_count(), 3000);
  EXPECT_LE(tape.frame_size(), 1998 + 1 + 3);  // numbers, x, and three intermediate values
}

// More intermediate values than the stack has places for.
TEST(FormulaTape, evaluates_large_frames) {
  Graph graph;
  std::vector<NodeId> terms;
  for (int i = 1; i <= 1000; ++i)
    terms.push_back(graph.apply(Operation::sin, graph.multiply(graph.number(i), graph.symbol(samples::x))));
  // all sines are needed again, in the reverse order
  NodeId sum = graph.number(0.0);
  for (const NodeId term : terms) sum = graph.add(sum, term);
  for (auto term = terms.rbegin(); term != terms.rend(); ++term)
    sum = graph.add(graph.multiply(sum, graph.symbol(samples::y)), *term);
  const Tape tape(graph, {sum});
  ASSERT_GT(tape.frame_size(), 1000);
  EXPECT_TRUE(same_bits(evaluate(graph, sum), evaluate_directly(graph, sum, standard_point())));
  const std::vector<Point<double>> points(ricochet::lane_count, standard_point());
  EXPECT_TRUE(same_bits(evaluate(graph, std::vector{sum}, spread(points))[0][7], evaluate(graph, sum)));
}

TEST(FormulaTape, writes_every_output_once_each) {
  Graph graph;
  const NodeId product = parse(graph, "x*y", table()), sum = parse(graph, "x*y+t", table());
  const NodeId input = parse(graph, "x", table()), constant = parse(graph, "a", table());
  const std::vector<double> values =
      evaluate(graph, {product, sum, product, input, input, constant, constant, sum}, standard_point());
  const double xy = 0.7 * -1.1;
  EXPECT_EQ(values, (std::vector<double>{xy, xy + 0.3, xy, 0.7, 0.7, 1.25, 1.25, xy + 0.3}));
}

TEST(FormulaTape, is_shared_by_threads) {
  Graph graph;
  std::vector<NodeId> nodes = with_derivatives(graph, "a*sin(x*y)*exp(-t) + sqrt(1+x_dot^2)*atan2(x,2+y^2)");
  // one tape on the stack, one with a large frame
  NodeId large = graph.number(0.0);
  for (int i = 1; i < 400; ++i)
    large = graph.add(large, graph.apply(Operation::cos, graph.multiply(graph.number(i), graph.symbol(samples::x))));
  const Tape small_tape(graph, nodes), large_tape(graph, {large});
  const auto bank = small_tape.constants(standard_point().parameters),
             large_bank = large_tape.constants(standard_point().parameters);
  const auto calculate = [&](int thread, int i) {
    Point<double> point = standard_point();
    point.q[0] = 0.01 * thread + 0.001 * i;
    std::vector<double> result(5);
    small_tape.evaluate(point.inputs(), bank.data(), result.data());
    large_tape.evaluate(point.inputs(), large_bank.data(), result.data() + 4);
    return result;
  };
  constexpr int threads = 4, rounds = 500;
  std::vector<std::vector<std::vector<double>>> results(threads);
  std::vector<std::thread> workers;
  for (int thread = 0; thread < threads; ++thread) {
    workers.emplace_back([&, thread] {
      for (int i = 0; i < rounds; ++i) results[static_cast<std::size_t>(thread)].push_back(calculate(thread, i));
    });
  }
  for (std::thread& worker : workers) worker.join();
  for (int thread = 0; thread < threads; ++thread) {
    for (int i = 0; i < rounds; ++i)
      ASSERT_EQ(results[static_cast<std::size_t>(thread)][static_cast<std::size_t>(i)], calculate(thread, i));
  }
}

}  // namespace
