// Tapes as machine code: the bits of the interpreter, on every kind of registers that this machine has.
#include "formula/machine_code.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cstdio>
#include <fstream>
#include <thread>

#include "formula/execute.hpp"
#include "ricochet/core/version.hpp"
#include "unit/formula/samples.hpp"

namespace {

using formula_samples::Point;
using formula_samples::same_bits;
using ricochet::Lanes;
using ricochet::formula::CompiledTape;
using ricochet::formula::Graph;
using ricochet::formula::MachineCode;
using ricochet::formula::NodeId;
using ricochet::formula::Operation;
using ricochet::formula::Registers;
using ricochet::formula::Tape;
namespace f = ricochet::formula;
namespace samples = formula_samples;

// Tapes are compiled after this many nanoseconds as long as this lives.
class CompileAfter {
 public:
  explicit CompileAfter(std::int64_t nanoseconds) : before_(f::compile_after().exchange(nanoseconds)) {}
  ~CompileAfter() { f::compile_after() = before_; }

 private:
  const std::int64_t before_;
};

template <class Value>
std::vector<Value> interpreted(const Tape& tape, const Point<Value>& point) {
  const CompileAfter never(f::never);
  std::vector<Value> result(static_cast<std::size_t>(tape.output_count()));
  tape.evaluate(point.inputs(), tape.constants(point.parameters).data(), result.data());
  return result;
}

template <class Value>
std::vector<Value> compiled(const Tape& tape, const MachineCode& code, const Point<Value>& point) {
  std::vector<Value> result(static_cast<std::size_t>(tape.output_count()), Value(-7.0)),
      frame(static_cast<std::size_t>(tape.frame_size()), Value(-9.0));
  const f::Inputs<Value> inputs = point.inputs();
  const auto constants = tape.constants(point.parameters);
  reinterpret_cast<CompiledTape<Value>>(code.entry())(&inputs, constants.data(), result.data(), frame.data());
  return result;
}

constexpr Registers scalar_kinds[] = {Registers::sse2_scalar, Registers::avx_scalar},
                    lane_kinds[] = {Registers::sse2, Registers::avx2, Registers::avx512};

// The first output that differs from the interpreter's for points of as many doubles as there are lanes; −1: none.
int first_difference(const Tape& tape, const std::vector<Point<double>>& points) {
  const auto compare = [&](const auto& kinds, const auto& point) {
    const auto expected = interpreted(tape, point);
    for (const Registers kind : kinds) {
      if (!f::has(kind)) continue;
      const MachineCode code(tape, kind);
      if (code.entry() == nullptr && (kind == Registers::avx2 || kind == Registers::avx512)) continue;  // it has calls
      if (code.entry() == nullptr) return 0;
      const auto values = compiled(tape, code, point);
      for (std::size_t i = 0; i < values.size(); ++i)
        for (int k = 0; k < ricochet::width<std::decay_t<decltype(values[i])>>; ++k)
          if (!same_bits(ricochet::lane(values[i], k), ricochet::lane(expected[i], k))) return static_cast<int>(i);
    }
    return -1;
  };
  for (const Point<double>& point : points)
    if (const int place = compare(scalar_kinds, point); place >= 0) return place;
  return compare(lane_kinds, samples::spread(points));
}

class FormulaMachineCode : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!ricochet::compiled_formulas) GTEST_SKIP() << "this build has no asmjit";
  }
};

constexpr double infinite = std::numeric_limits<double>::infinity(),
                 no_number = std::numeric_limits<double>::quiet_NaN();
constexpr double special_numbers[] = {0.0,   -0.0,   1.0, -1.0, infinite, -infinite, no_number, 5e-324,
                                      1e300, -1e300, 0.5, 2.0,  1e5,      1e7,       -0.3,      710.0};

// Every operation of inputs, of special numbers too.
TEST_F(FormulaMachineCode, has_the_bits_of_the_interpreter_in_every_operation) {
  Graph graph;
  const NodeId x = graph.symbol(samples::x), y = graph.symbol(samples::y), u = graph.symbol(samples::u);
  std::vector<NodeId> inlined = {x, graph.symbol(samples::a), graph.add(graph.multiply(x, y), u),
                                 graph.subtract(graph.multiply(x, y), u), graph.subtract(u, graph.multiply(x, y))},
                      called;
  for (int k = static_cast<int>(Operation::negate); k <= static_cast<int>(Operation::select); ++k) {
    const auto operation = static_cast<Operation>(k);
    const int n = arity(operation);
    const bool function = operation >= Operation::power && operation < Operation::less &&
                          operation != Operation::sqrt && operation != Operation::abs;
    const NodeId node = operation == Operation::curve ? graph.apply(samples::curve(), x)
                                                      : graph.apply(operation, x, n > 1 ? y : -1, n > 2 ? u : -1);
    (function ? called : inlined).push_back(node);
  }
  const Tape tapes[] = {{graph, inlined}, {graph, called}};
  for (const Registers kind : {Registers::sse2, Registers::avx2, Registers::avx512})
    EXPECT_EQ(MachineCode(tapes[0], kind).entry() != nullptr, f::has(kind));
  std::mt19937_64 random(5);
  for (const double first : special_numbers) {
    std::vector<Point<double>> points;
    for (const double second : special_numbers) {
      points.push_back(samples::random_point(random));
      points.back().q[0] = first;
      points.back().q[1] = second;
    }
    for (std::size_t half = 0; half < points.size(); half += ricochet::lane_count) {
      const auto begin = points.begin() + static_cast<std::ptrdiff_t>(half);
      for (const Tape& tape : tapes)
        ASSERT_EQ(first_difference(tape, {begin, begin + ricochet::lane_count}), -1) << first;
    }
  }
}

// Graphs with up to 300 operations whose values are read again at any time later: more than there are registers.
RC_GTEST_FIXTURE_PROP(FormulaMachineCode, has_the_bits_of_the_interpreter_on_random_graphs, ()) {
  if (!ricochet::compiled_formulas) return;
  std::mt19937_64 random(*rc::gen::inRange<std::uint64_t>(0, 1'000'000'000));
  const auto below = [&](std::size_t n) { return std::uniform_int_distribution<std::size_t>(0, n - 1)(random); };
  Graph graph;
  std::vector<NodeId> nodes = {graph.number(1.5)};
  const auto table = samples::curve();
  for (const f::Symbol symbol : {samples::x, samples::y, samples::u, samples::t, samples::p, samples::s, samples::a})
    nodes.push_back(graph.symbol(symbol));
  const std::size_t size = 10 + below(300), reach = 2 + below(40);
  const int arithmetic = static_cast<int>(below(6));  // so many of five operations are arithmetic
  while (nodes.size() < size) {
    const auto any = [&] { return nodes[nodes.size() - 1 - below(std::min(nodes.size(), reach))]; };
    const auto first = static_cast<std::size_t>(Operation::negate);
    const auto operation =
        static_cast<Operation>(first + (static_cast<int>(below(5)) < arithmetic
                                            ? below(5)
                                            : below(static_cast<std::size_t>(Operation::select) - first + 1)));
    const int n = arity(operation);
    nodes.push_back(operation == Operation::curve
                        ? graph.apply(table, any())
                        : graph.apply(operation, any(), n > 1 ? any() : -1, n > 2 ? any() : -1));
  }
  std::vector<NodeId> outputs = {nodes.back()};
  for (std::size_t k = below(20); k > 0; --k) outputs.push_back(nodes[below(nodes.size())]);
  std::vector<Point<double>> points;
  for (int k = 0; k < ricochet::lane_count; ++k) points.push_back(samples::random_point(random));
  points[3].q[0] = infinite;
  points[5].q[1] = 1e7;
  points[6].t[0] = no_number;
  RC_ASSERT(first_difference(Tape(graph, outputs), points) == -1);
}

// The values of f(x) = Σ sin(k x), each read again later.
Tape many_sines(int n) {
  Graph graph;
  std::vector<NodeId> sines;
  for (int k = 1; k <= n; ++k)
    sines.push_back(graph.apply(Operation::sin, graph.multiply(graph.number(k), graph.symbol(samples::x))));
  NodeId sum = graph.number(0.0);
  for (const NodeId sine : sines) sum = graph.add(sum, sine);
  for (const NodeId sine : sines) sum = graph.add(graph.multiply(sum, graph.symbol(samples::y)), sine);
  return {graph, {sum}};
}

TEST_F(FormulaMachineCode, keeps_more_values_than_the_stack_has_places_for) {
  const Tape tape = many_sines(700);
  ASSERT_GT(tape.frame_size(), 700);
  EXPECT_EQ(first_difference(tape, std::vector(ricochet::lane_count, samples::standard_point())), -1);
}

// Pages in the memory map of this process that are executable, and what else they are.
std::string permissions(const void* address) {
  std::ifstream maps("/proc/self/maps");
  for (std::string line; std::getline(maps, line);) {
    unsigned long long from = 0, to = 0;
    char may[5] = "";
    if (std::sscanf(line.c_str(), "%llx-%llx %4s", &from, &to, may) != 3) continue;
    const auto place = reinterpret_cast<std::uintptr_t>(address);
    if (from <= place && place < to) return may;
  }
  return "";
}

TEST_F(FormulaMachineCode, is_never_writable) {
  const Tape tape = many_sines(3);
  const void* entry = nullptr;
  {
    const MachineCode code(tape, Registers::sse2);
    entry = code.entry();
    EXPECT_EQ(permissions(entry), "r-xp");
    EXPECT_EQ(permissions(static_cast<const char*>(entry) + code.size() - 1), "r-xp");
  }
  EXPECT_EQ(permissions(entry).find('x'), std::string::npos) << "the pages are given back";
}

// Many threads evaluate one tape while it becomes machine code.
TEST_F(FormulaMachineCode, takes_over_while_threads_evaluate) {
  for (int round = 0; round < 20; ++round) {
    const Tape tape = many_sines(5);
    const auto constants = tape.constants(samples::standard_point().parameters);
    const auto wide_constants = tape.constants(samples::spread(std::vector(8, samples::standard_point())).parameters);
    const auto value = [&](double x) {
      Point<double> point = samples::standard_point();
      point.q[0] = x;
      double result = 0.0;
      tape.evaluate(point.inputs(), constants.data(), &result);
      Lanes wide = 0.0;
      tape.evaluate(samples::spread(std::vector(8, point)).inputs(), wide_constants.data(), &wide);
      return std::pair(result, wide[7]);
    };
    std::vector<std::pair<double, double>> expected;
    {
      const CompileAfter never(f::never);
      for (int i = 0; i < 300; ++i) expected.push_back(value(0.01 * i));
    }
    const CompileAfter soon(20'000);
    std::vector<std::thread> workers;
    std::atomic<int> wrong = 0;
    for (int thread = 0; thread < 4; ++thread)
      workers.emplace_back([&] {
        for (std::size_t i = 0; i < expected.size(); ++i) wrong += value(0.01 * static_cast<double>(i)) != expected[i];
      });
    for (std::thread& worker : workers) worker.join();
    ASSERT_EQ(wrong, 0);
  }
}

}  // namespace
