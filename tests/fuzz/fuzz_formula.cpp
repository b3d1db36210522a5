// Any bytes as a formula: a sentence, or derivatives and a tape whose lanes equal its doubles, interpreted and as
// machine code.
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <string_view>
#include <vector>

#include "formula/machine_code.hpp"
#include "ricochet/formula/graph.hpp"
#include "ricochet/formula/parse.hpp"
#include "ricochet/formula/tape.hpp"

namespace {

using ricochet::Lanes;
using ricochet::formula::Bank;
using ricochet::formula::FormulaError;
using ricochet::formula::Graph;
using ricochet::formula::NodeId;
using ricochet::formula::Symbol;
using ricochet::formula::SymbolTable;
using ricochet::formula::Tape;

constexpr Symbol symbols[] = {
    {Bank::coordinate, 0}, {Bank::coordinate, 1}, {Bank::velocity, 0}, {Bank::time, 0}, {Bank::parameter, 0}};

const SymbolTable& table() {
  static const SymbolTable result = [] {
    SymbolTable names;
    names.add("x", symbols[0]);
    names.add("y", symbols[1]);
    names.add("v", symbols[2]);
    names.add("a", symbols[4]);
    names.add("e", {Bank::parameter, 1});
    return names;
  }();
  return result;
}

bool same(double left, double right) {
  return std::bit_cast<std::uint64_t>(left) == std::bit_cast<std::uint64_t>(right) ||
         (std::isnan(left) && std::isnan(right));
}

template <class Value>
std::vector<Value> values(const Tape& tape, const Value* x) {
  const Value parameters[] = {x[4], x[5]}, q[] = {x[0], x[1]};
  std::vector<Value> result(static_cast<std::size_t>(tape.output_count()));
  tape.evaluate<Value>({.t = &x[3], .q = q, .v = &x[2]}, tape.constants(parameters).data(), result.data());
  return result;
}

void check(std::string_view text) {
  Graph graph;
  const NodeId node = parse(graph, text, table());
  std::vector<NodeId> nodes = {node};
  for (const Symbol symbol : symbols) {
    const NodeId first = graph.derivative(node, symbol);
    nodes.push_back(first);
    nodes.push_back(graph.derivative(first, symbols[0]));
    if (!graph.depends_on(node, symbol) && !graph.is_zero(first)) std::abort();
  }
  const Tape tape(graph, nodes);

  // other values in each lane
  Lanes lanes[6];
  double doubles[ricochet::lane_count][6];
  const double numbers[] = {0.0, 1.0, -0.5, 1e300, -2.75, 1e6, 3e-310, 0.3};
  for (int i = 0; i < 6; ++i) {
    for (int k = 0; k < ricochet::lane_count; ++k) {
      doubles[k][i] = numbers[(k + 3 * i) % 8];
      lanes[i].set(k, doubles[k][i]);
    }
  }
  ricochet::formula::compile_after() = ricochet::formula::never;
  const std::vector<Lanes> all = values<Lanes>(tape, lanes);
  for (int k = 0; k < ricochet::lane_count; ++k) {
    const std::vector<double> single = values<double>(tape, doubles[k]);
    for (std::size_t i = 0; i < single.size(); ++i) {
      if (!same(all[i][k], single[i])) std::abort();
    }
  }

  // the first evaluation compiles, the second one is compiled
  ricochet::formula::compile_after() = 0;
  for (int pass = 0; pass < 2; ++pass) {
    const std::vector<Lanes> compiled = values<Lanes>(tape, lanes);
    for (int k = 0; k < ricochet::lane_count; ++k) {
      const std::vector<double> single = values<double>(tape, doubles[k]);
      for (std::size_t i = 0; i < single.size(); ++i) {
        if (!same(compiled[i][k], all[i][k]) || !same(single[i], all[i][k])) std::abort();
      }
    }
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  try {
    check(text);
  } catch (const FormulaError& error) {
    const bool has_place = error.column() >= 1 && static_cast<std::size_t>(error.column()) <= size + 1;
    if (!has_place || error.message().empty()) std::abort();
  }
  return 0;
}
