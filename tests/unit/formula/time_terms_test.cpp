// Sums of t^k exp(αt) cos(ωt + φ), recognised on the graph.
#include "formula/time_terms.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "ricochet/formula/parse.hpp"
#include "ricochet/formula/tape.hpp"

namespace ricochet::formula {
namespace {

struct Recognised {
  Graph graph;
  std::optional<std::vector<TimeTermNodes>> terms;
  NodeId node = -1;
};
Recognised recognise(const std::string& text) {
  Recognised result;
  SymbolTable table;
  table.add("a", {Bank::parameter, 0});
  table.add("w", {Bank::parameter, 1});
  table.add("x", {Bank::coordinate, 0});
  result.node = parse(result.graph, text, table);
  result.terms = time_terms(result.graph, result.node);
  return result;
}

TEST(TimeTerms, SumsHaveTheValuesOfTheirFormulas) {
  for (const char* text :
       {"3", "a*t", "(1 + t)^3", "sin(w*t + 1)", "exp(-a*t)*cos(w*t)", "sin(t)*cos(w*t)*sin(2*t)", "cos(w*t)^4",
        "t^2*exp(-t)*sin(3*t - a)", "sinh(a*t) + cosh(t)/2", "a*cos(w*t)/exp(a*t)", "(t - 1)*(t + 1)/w", "exp(t)^2",
        "-(2 - t)*sin(pi*t)", "sqrt(a)*t + log(w)", "exp(-t)^(-1)"}) {
    Recognised found = recognise(text);
    ASSERT_TRUE(found.terms.has_value()) << text;
    std::vector<NodeId> nodes = {found.node};
    for (const TimeTermNodes& term : *found.terms)
      nodes.insert(nodes.end(), {term.rate, term.frequency, term.cosine, term.sine});
    const Tape tape(found.graph, nodes);
    const double parameters[] = {0.7, 2.3};
    const std::vector<double> constants = tape.constants(parameters);
    std::vector<double> values(nodes.size());
    for (const double t : {-1.3, 0.0, 0.4, 2.0}) {
      tape.evaluate(Inputs<double>{.t = &t}, constants.data(), values.data());
      double sum = 0.0;
      for (std::size_t i = 0; i < found.terms->size(); ++i) {
        const double* part = values.data() + 1 + 4 * i;
        sum += std::pow(t, (*found.terms)[i].power) * std::exp(part[0] * t) *
               (part[2] * std::cos(part[1] * t) + part[3] * std::sin(part[1] * t));
      }
      EXPECT_NEAR(sum, values[0], 1e-13 * (1.0 + std::abs(values[0]))) << text << " at " << t;
    }
  }
}

TEST(TimeTerms, OtherFunctionsAreNone) {
  for (const char* text : {"sqrt(t)", "1/t", "sign(sin(t))", "sin(t^2)", "exp(sin(t))", "abs(t)", "tanh(t)", "t^a",
                           "2^t", "x*t", "if(t < 1, 0, 1)", "t^9", "1/cos(t)"})
    EXPECT_FALSE(recognise(text).terms.has_value()) << text;
}

// However deep.
TEST(TimeTerms, LongSums) {
  std::string text = "t";
  for (int k = 0; k < 5000; ++k) text += " + sin(t)";
  const Recognised found = recognise(text);
  ASSERT_TRUE(found.terms.has_value());
  EXPECT_EQ(found.terms->size(), 2u);
}

}  // namespace
}  // namespace ricochet::formula
