// Formulas to test with: a table of names, values for them, random expressions and plain evaluation.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cctype>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <map>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "formula/operations.hpp"
#include "ricochet/formula/graph.hpp"
#include "ricochet/formula/parse.hpp"
#include "ricochet/formula/tape.hpp"

namespace formula_samples {

namespace f = ricochet::formula;
using f::Bank;

inline constexpr f::Symbol x{Bank::coordinate, 0}, y{Bank::coordinate, 1}, u{Bank::velocity, 0}, a{Bank::parameter, 0},
    b{Bank::parameter, 1}, t{Bank::time, 0}, p{Bank::state, 0}, s{Bank::auxiliary, 0};

// Parameters a, b, I, e, E; coordinates x, y with x_dot, y_dot; a state p; an auxiliary input s.
inline f::SymbolTable table() {
  f::SymbolTable result;
  int index = 0;
  for (const char* name : {"a", "b", "I", "e", "E"}) result.add(name, {Bank::parameter, index++});
  result.add("x", x);
  result.add("y", y);
  result.add("x_dot", u);
  result.add("y_dot", {Bank::velocity, 1});
  result.add("p", p);
  result.add("s", s);
  return result;
}

// A table: sin(3x) at some points between −1.5 and 1.7.
inline std::shared_ptr<const f::Curve> curve(ricochet::Interpolation interpolation = ricochet::Interpolation::cubic,
                                             ricochet::Outside outside = ricochet::Outside::hold) {
  std::vector<double> points, values;
  for (const double at : {-1.5, -1.1, -0.9, -0.4, 0.0, 0.3, 0.35, 0.8, 1.2, 1.7}) {
    points.push_back(at);
    values.push_back(std::sin(3.0 * at));
  }
  return std::make_shared<const f::Curve>(points, values, interpolation, outside);
}

// Values for all of them.
template <class Value>
struct Point {
  Value parameters[5], t[1], q[2], v[2], z[1], auxiliary[1];
  f::Inputs<Value> inputs() const { return {t, q, v, z, auxiliary}; }
};
template <class Value>
Value& value_of(Point<Value>& point, f::Symbol symbol) {
  Value* const banks[] = {point.parameters, point.t, point.q, point.v, point.z, point.auxiliary};
  return banks[static_cast<int>(symbol.bank)][symbol.index];
}
inline Point<double> standard_point() {
  return {{1.25, -0.75, 3.0, 2.5, 0.5}, {0.3}, {0.7, -1.1}, {0.4, 2.0}, {1.5}, {-0.2}};
}
template <class Random>
Point<double> random_point(Random& random) {
  std::uniform_real_distribution<double> number(-2.0, 2.0);
  Point<double> point{};
  for (double& parameter : point.parameters) parameter = number(random);
  for (const f::Symbol symbol : {x, y, u, f::Symbol{Bank::velocity, 1}, p, s, t})
    value_of(point, symbol) = number(random);
  return point;
}

// A point with other values in each lane.
inline Point<ricochet::Lanes> spread(const std::vector<Point<double>>& points) {
  Point<ricochet::Lanes> result;
  auto* to = reinterpret_cast<ricochet::Lanes*>(&result);
  for (int k = 0; k < ricochet::lane_count; ++k) {
    const auto* from = reinterpret_cast<const double*>(&points[static_cast<std::size_t>(k)]);
    for (std::size_t i = 0; i < sizeof(Point<double>) / sizeof(double); ++i) to[i].set(k, from[i]);
  }
  return result;
}

// The values of nodes through one tape.
template <class Value>
std::vector<Value> evaluate(const f::Graph& graph, const std::vector<f::NodeId>& nodes, const Point<Value>& point) {
  const f::Tape tape(graph, nodes);
  std::vector<Value> result(nodes.size());
  tape.evaluate(point.inputs(), tape.constants(point.parameters).data(), result.data());
  return result;
}
inline double evaluate(const f::Graph& graph, f::NodeId node, const Point<double>& point = standard_point()) {
  return evaluate(graph, std::vector{node}, point)[0];
}
inline double evaluate(const std::string& text, const Point<double>& point = standard_point()) {
  f::Graph graph;
  return evaluate(graph, parse(graph, text, table()), point);
}

// The same node by node, as the graph says.
inline double evaluate_directly(const f::Graph& graph, f::NodeId node, Point<double> point) {
  std::vector<double> values(static_cast<std::size_t>(node) + 1);
  const auto operand = [&](f::NodeId id, bool there) { return there ? values[static_cast<std::size_t>(id)] : 0.0; };
  for (f::NodeId id = 0; id <= node; ++id) {
    const f::Node& n = graph.at(id);
    double& value = values[static_cast<std::size_t>(id)];
    const int arity = f::arity(n.operation);
    if (n.operation == f::Operation::number) {
      value = n.value;
    } else if (n.operation == f::Operation::symbol) {
      value = value_of(point, {static_cast<Bank>(n.a), n.b});
    } else {
      const bool literal = n.operation == f::Operation::power && graph.is_number(n.b);
      value =
          f::calculate(n.operation, operand(n.a, arity > 0), operand(n.b, arity > 1), operand(n.c, arity > 2), literal);
    }
  }
  return values.back();
}

// The same bits; every NaN counts as the same.
inline bool same_bits(double left, double right) {
  return std::bit_cast<std::uint64_t>(left) == std::bit_cast<std::uint64_t>(right) ||
         (std::isnan(left) && std::isnan(right));
}

// Reads and calculates a correct text at once, without graph or tape: a second opinion.
template <class Number>
class PlainReader {
 public:
  PlainReader(const std::string& text, const Point<double>& point) : c_(text.c_str()), point_(point) {}
  Number operator()() { return comparison(); }

 private:
  bool take(char c) { return *c_ == c ? (++c_, true) : false; }
  Number comparison() {
    const Number left = sum();
    if (*c_ == '<' || *c_ == '>' || *c_ == '=' || *c_ == '!') {
      const char first = *c_++;
      const bool equal = take('=');
      const Number right = sum();
      if (first == '=') return left == right;
      if (first == '!') return left != right;
      return first == '<' ? (equal ? left <= right : left < right) : (equal ? left >= right : left > right);
    }
    return left;
  }
  Number sum() {
    Number value = product();
    while (*c_ == '+' || *c_ == '-') value = *c_++ == '+' ? value + product() : value - product();
    return value;
  }
  Number product() {
    Number value = signed_power();
    while (*c_ == '*' || *c_ == '/') value = *c_++ == '*' ? value * signed_power() : value / signed_power();
    return value;
  }
  Number signed_power() {
    if (take('-')) return -signed_power();
    const Number base = operand();
    return take('^') ? std::pow(base, signed_power()) : base;
  }
  Number operand() {
    if (take('(')) {
      const Number value = comparison();
      take(')');
      return value;
    }
    if (*c_ == '.' || (*c_ >= '0' && *c_ <= '9')) {
      double value = 0.0;
      c_ = std::from_chars(c_, c_ + std::char_traits<char>::length(c_), value).ptr;
      return value;
    }
    std::string name;
    while (std::isalnum(static_cast<unsigned char>(*c_)) || *c_ == '_') name += *c_++;
    if (!take('(')) {
      if (name == "pi") return static_cast<Number>(3.14159265358979323846);
      return value_of(point_, *table().find(name));
    }
    std::vector<Number> arguments;
    do arguments.push_back(comparison());
    while (take(','));
    take(')');
    return call(name, arguments);
  }
  static Number call(const std::string& name, const std::vector<Number>& v) {
    if (name == "atan2") return std::atan2(v[0], v[1]);
    if (name == "min") return *std::min_element(v.begin(), v.end());
    if (name == "max") return *std::max_element(v.begin(), v.end());
    if (name == "if") return v[0] != 0 ? v[1] : v[2];
    static const std::map<std::string, Number (*)(Number)> functions = {
        {"sin", std::sin},   {"cos", std::cos},     {"tan", std::tan},   {"asin", std::asin},   {"acos", std::acos},
        {"atan", std::atan}, {"sinh", std::sinh},   {"cosh", std::cosh}, {"tanh", std::tanh},   {"exp", std::exp},
        {"log", std::log},   {"log10", std::log10}, {"sqrt", std::sqrt}, {"floor", std::floor}, {"abs", std::fabs}};
    return functions.at(name)(v[0]);
  }
  const char* c_;
  Point<double> point_;
};

// Random texts. Smooth ones have derivatives everywhere and stay of moderate size.
class RandomFormula {
 public:
  RandomFormula(std::uint64_t seed, bool smooth) : random_(seed), smooth_(smooth) {}

  std::string operator()(int depth) {
    if (depth <= 0 || pick(8) == 0) return leaf();
    const auto sub = [&] { return (*this)(depth - 1); };
    static const std::vector<const char*> smooth_functions = {"sin(@)",
                                                              "cos(@)",
                                                              "tan(sin(@))",
                                                              "asin(0.5*sin(@))",
                                                              "acos(0.5*cos(@))",
                                                              "atan(@)",
                                                              "sinh(sin(@))",
                                                              "cosh(cos(@))",
                                                              "tanh(@)",
                                                              "exp(sin(@))",
                                                              "log(2+sin(@))",
                                                              "log10(3+cos(@))",
                                                              "sqrt(1+(@)^2)",
                                                              "(@)+(@)",
                                                              "(@)-(@)",
                                                              "(@)*(@)",
                                                              "-(@)",
                                                              "(@)/(2+(@)^2)",
                                                              "(sin(@))^3",
                                                              "(2+sin(@))^-2",
                                                              "(2+cos(@))^(sin(@))",
                                                              "atan2(@,2+(@)^2)",
                                                              "2*(@)",
                                                              "(@)/4",
                                                              "(1.5+sin(@))^1.5",
                                                              "a*(@)",
                                                              "(@)*b",
                                                              "(a*(@))/(3+b^2)",
                                                              "(@)*(@)+(@)",
                                                              "(@)-(@)*(@)"};
    static const std::vector<const char*> all_functions = {
        "abs(@)",   "sign(@)",  "step(@)",  "floor(@)", "min(@,@)", "max(@,@,@)", "if((@)<(@),@,@)", "if((@)>=(@),@,@)",
        "(@)==(@)", "(@)!=(@)", "(@)<=(@)", "(@)>(@)",  "(@)/(@)",  "(@)^(@)",    "exp(@)",          "log(@)",
        "sqrt(@)",  "tan(@)",   "asin(@)",  "sinh(@)",  "(@)^7",    "(@)^-3",     "(@)^0.5",         "atan2(@,@)"};
    const std::size_t count = smooth_functions.size() + (smooth_ ? 0 : all_functions.size());
    const std::size_t choice = pick(count);
    const std::string form =
        choice < smooth_functions.size() ? smooth_functions[choice] : all_functions[choice - smooth_functions.size()];
    std::string text;
    for (const char c : form) {
      if (c == '@')
        text += sub();
      else
        text += c;
    }
    return text;
  }

 private:
  std::size_t pick(std::size_t n) { return std::uniform_int_distribution<std::size_t>(0, n - 1)(random_); }
  std::string leaf() {
    static const std::vector<const char*> leaves = {"x", "y", "x", "y",   "x_dot", "y_dot", "t",    "p", "s",
                                                    "a", "b", "I", "0.5", "1",     "2",     "3.25", "0", "pi"};
    return leaves[pick(leaves.size())];
  }
  std::mt19937_64 random_;
  bool smooth_;
};

}  // namespace formula_samples
