// The language of formulas: what it accepts, what it means, what it refuses and how it says so.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>
#include <functional>
#include <numbers>
#include <string>

#include "unit/formula/samples.hpp"

namespace {

using formula_samples::evaluate;
using formula_samples::table;
using ricochet::InputError;
using ricochet::formula::Bank;
using ricochet::formula::FormulaError;
using ricochet::formula::Graph;
using ricochet::formula::SymbolTable;
using testing::HasSubstr;

struct Meaning {
  const char* text;
  double value;
};

// x = 0.7, y = −1.1, x_dot = 0.4, a = 1.25, b = −0.75, I = 3, e = 2.5, E = 0.5, t = 0.3, p = 1.5, s = −0.2
TEST(FormulaParse, means_what_it_says) {
  const Meaning meanings[] = {
      {"1", 1.0},
      {"1.5", 1.5},
      {".5", 0.5},
      {"2.", 2.0},
      {"1e-3", 1e-3},
      {"2.e3", 2000.0},
      {"1E+2", 100.0},
      {"0.1", 0.1},
      {"4.9e-324", 4.9e-324},
      {" 1 \t+\n 2\r", 3.0},
      {"007", 7.0},
      {"1+2*3", 7.0},
      {"(1+2)*3", 9.0},
      {"2-3-4", -5.0},
      {"24/4/2", 3.0},
      {"2^3^2", 512.0},
      {"-2^2", -4.0},
      {"(-2)^2", 4.0},
      {"2^-3", 0.125},
      {"2^-1^2", 0.5},
      {"--2", 2.0},
      {"+-+2", -2.0},
      {"2*-3", -6.0},
      {"2--3", 5.0},
      {"-x^2", -0.7 * 0.7},
      {"1<2", 1.0},
      {"2<=1", 0.0},
      {"1>2", 0.0},
      {"2>=2", 1.0},
      {"x==x", 1.0},
      {"1!=1", 0.0},
      {"1+1<3", 1.0},
      {"(1<2)+(2<3)", 2.0},
      {"if(1<2,3,4)", 3.0},
      {"if(x>y,a,b)", 1.25},
      {"if(x<y,a,b)", -0.75},
      {"if(0,1,2)", 2.0},
      {"min(3,1,2)", 1.0},
      {"max(x,y)", 0.7},
      {"max(1,2,3,4,5)", 5.0},
      {"abs(y)", 1.1},
      {"sign(-3)", -1.0},
      {"sign(0)", 0.0},
      {"step(0)", 1.0},
      {"step(-1)", 0.0},
      {"floor(-1.5)", -2.0},
      {"sqrt(9)", 3.0},
      {"log10(1000)", 3.0},
      {"atan2(1,1)", std::numbers::pi / 4},
      {"pi", std::numbers::pi},
      {"t", 0.3},
      {"I", 3.0},
      {"e", 2.5},
      {"E", 0.5},
      {"2*e", 5.0},
      {"2e0*e", 5.0},
      {"x_dot", 0.4},
      {"p", 1.5},
      {"s", -0.2},
      {"sin(0)", 0.0},
      {"cos(0)", 1.0},
      {"tan(0)", 0.0},
      {"asin(1)", std::numbers::pi / 2},
      {"acos(1)", 0.0},
      {"atan(1)", std::numbers::pi / 4},
      {"sinh(0)", 0.0},
      {"cosh(0)", 1.0},
      {"tanh(0)", 0.0},
      {"exp(0)", 1.0},
      {"log(1)", 0.0},
      {"9^999999999", std::numeric_limits<double>::infinity()},
      {"1/0", std::numeric_limits<double>::infinity()},
  };
  for (const Meaning& meaning : meanings) EXPECT_DOUBLE_EQ(evaluate(meaning.text), meaning.value) << meaning.text;
}

struct Refusal {
  std::string text;
  int column;
  const char* message;
};

TEST(FormulaParse, refuses_with_column_and_sentence) {
  const Refusal refusals[] = {
      {"", 1, "the formula is empty"},
      {"  \n", 1, "the formula is empty"},
      {"2x", 2, "write 2*x to multiply"},
      {"x y", 3, "write x*y to multiply"},
      {"2(x)", 2, "write 2*( to multiply"},
      {"(x)(y)", 4, "write )*( to multiply"},
      {"2sin(x)", 2, "write 2*sin to multiply"},
      {"2exp(x)", 2, "write 2*exp to multiply"},
      {"x**2", 2, "write ^ for a power, not **"},
      {"2e", 2, "the exponent has no digits: write 2e3 for a power of ten, or 2*e to multiply by 'e'"},
      {"2e+", 2, "the exponent has no digits"},
      {"1.5E*x", 4, "the exponent has no digits"},
      {"0x10", 1, "hexadecimal numbers are not accepted"},
      {"1.2.3", 4, "one decimal point"},
      {"1..2", 3, "one decimal point"},
      {".", 1, "the character '.' is not part of a formula"},
      {"1e999", 1, "outside the range of double precision"},
      {"1e-999", 1, "outside the range of double precision"},
      {"(x", 1, "this '(' is not closed"},
      {"2*x'*y'", 4, "write x_dot for the velocity x'"},
      {"sin(x", 4, "this '(' is not closed"},
      {"x)", 2, "this ')' has no '(' before it"},
      {"()", 2, "there is nothing between '(' and ')'"},
      {"x+", 3, "the formula ends where a number, a name or '(' is expected"},
      {"*x", 1, "'*' stands where a number, a name or '(' is expected"},
      {"x,y", 2, "separates the arguments of a function"},
      {"(1,5)", 3, "separates the arguments of a function"},
      {"sin", 1, "'sin' is a function and needs its argument in parentheses"},
      {"sin x", 1, "'sin' is a function and needs its argument in parentheses"},
      {"x(2)", 1, "'x' is not a function; write * to multiply"},
      {"pi(2)", 1, "'pi' is not a function"},
      {"sin(1,2)", 1, "'sin' takes 1 argument, not 2"},
      {"sin()", 1, "'sin' takes 1 argument, not 0"},
      {"atan2(1)", 1, "'atan2' takes 2 arguments, not 1"},
      {"1+min(1)", 3, "'min' takes 2 or more arguments, not 1"},
      {"if(1,2)", 1, "'if' takes 3 arguments, not 2"},
      {"min(1,)", 7, "an argument is missing between ',' and ')'"},
      {"min(,1)", 5, "',' stands where"},
      {"1<2<3", 4, "comparisons cannot be chained: write (a<b)*(b<c) in place of a<b<c"},
      {"(1<2>=3)", 5, "comparisons cannot be chained"},
      {"x=1", 2, "write == to compare"},
      {"!x", 1, "!= means 'not equal'"},
      {"x && y", 3, "'&' is not an operator"},
      {"x | y", 3, "'|' is not an operator"},
      {"xdot", 1, "unknown name 'xdot'; did you mean 'x_dot'?"},
      {"sni(x)", 1, "unknown function 'sni'; did you mean 'sin'?"},
      {"PI", 1, "unknown name 'PI'; did you mean 'pi'?"},
      {"omega", 1, "unknown name 'omega'; known are t, a, b, I, e, E, x, y and 4 more"},
      {"x $ y", 3, "the character '$' is not part of a formula"},
      {"x + θ", 5, "the character 'θ' is not part of a formula"},
      {"x\x07", 2, "the byte 0x07 is not part of a formula"},
      {std::string("x\0y", 3), 2, "the byte 0x00 is not part of a formula"},
      {"x\xff", 2, "the byte 0xff is not part of a formula"},
      {"\xe2\x80\xae x", 1, "the byte 0xe2 is not part of a formula"},  // would turn the line around
      {"nan", 1, "unknown name 'nan'"},
      {"inf", 1, "unknown name 'inf'"},
  };
  for (const Refusal& refusal : refusals) {
    Graph graph;
    try {
      parse(graph, refusal.text, table());
      ADD_FAILURE() << refusal.text << " was accepted";
    } catch (const FormulaError& error) {
      EXPECT_THAT(error.message(), HasSubstr(refusal.message)) << refusal.text;
      EXPECT_EQ(error.column(), refusal.column) << refusal.text << ": " << error.message();
      EXPECT_THAT(error.what(), HasSubstr(error.message() + "\n  "));
    }
  }
}

std::string error_text(const std::string& text) {
  Graph graph;
  try {
    parse(graph, text, table());
  } catch (const FormulaError& error) {
    return error.what();
  }
  return "accepted";
}

TEST(FormulaParse, shows_the_place) {
  EXPECT_EQ(error_text("m*x^2/2"), "unknown name 'm'; known are t, a, b, I, e, E, x, y and 4 more\n  m*x^2/2\n  ^");
  EXPECT_EQ(error_text("x +\t* y"), "'*' stands where a number, a name or '(' is expected\n  x + * y\n      ^");
  // θ is one character, so the caret stays under its place
  EXPECT_THAT(error_text("x + θ*y"), HasSubstr("\n  x + θ*y\n      ^"));
}

// At most 60 characters, … where something is left out, the caret under the same character.
TEST(FormulaParse, clips_long_excerpts) {
  for (const std::size_t before : {0u, 10u, 29u, 31u, 200u, 5000u}) {
    for (const std::size_t after : {0u, 10u, 29u, 31u, 200u, 5000u}) {
      const std::string text = std::string(before, '-').substr(0, std::min<std::size_t>(before, 100)) +
                               (before > 100 ? std::string(before - 100, ' ') : "") + "$" + std::string(after, '+');
      const std::string message = error_text(text);
      const std::size_t first = message.find("\n  ") + 3, second = message.find("\n  ", first);
      const std::string excerpt = message.substr(first, second - first), caret = message.substr(second + 3);
      std::u32string characters;
      for (std::size_t i = 0; i < excerpt.size(); ++i) {
        if (excerpt.compare(i, 3, "…") == 0) {
          characters += U'…';
          i += 2;
        } else {
          characters += static_cast<unsigned char>(excerpt[i]);
        }
      }
      EXPECT_LE(characters.size(), 60u);
      EXPECT_EQ(characters.at(caret.size() - 1), U'$') << message;
      const std::size_t shown_before = caret.size() - 1;
      EXPECT_EQ(characters.front() == U'…', shown_before < before);
      EXPECT_EQ(characters.back() == U'…', characters.size() - shown_before - 1 < after);
    }
  }
}

TEST(FormulaParse, limits_the_length) {
  const std::string longest = "1" + std::string(ricochet::formula::longest_formula - 1, ' ');
  EXPECT_EQ(evaluate(longest), 1.0);
  EXPECT_THAT(error_text(longest + " "), HasSubstr("the formula has 65537 bytes; at most 65536 are allowed"));
  // a sum of that length is deep as a tree, but not nested
  std::string sum = "x";
  while (sum.size() + 2 <= ricochet::formula::longest_formula) sum += "+y";
  EXPECT_NEAR(evaluate(sum), 0.7 - 1.1 * 32767, 1e-6);
}

TEST(FormulaParse, limits_the_nesting) {
  const auto repeat = [](const std::string& text, int n) {
    std::string result;
    for (int i = 0; i < n; ++i) result += text;
    return result;
  };
  const auto parentheses = [&](int n) { return repeat("(", n) + "x" + repeat(")", n); };
  const auto calls = [&](int n) { return repeat("sin(", n) + "x" + repeat(")", n); };
  const auto signs = [&](int n) { return repeat("-", n) + "x"; };
  const auto powers = [&](int n) { return "x" + repeat("^x", n); };
  const auto mixed = [&](int n) { return repeat("-(", n / 2) + "x" + repeat(")", n / 2); };
  for (const auto& nest : std::initializer_list<std::function<std::string(int)>>{parentheses, calls, signs, powers}) {
    EXPECT_NO_THROW(evaluate(nest(200)));
    EXPECT_THAT(error_text(nest(201)), HasSubstr("the formula is nested more than 200 deep"));
    EXPECT_THAT(error_text(nest(12000)), HasSubstr("the formula is nested more than 200 deep"));
  }
  EXPECT_NO_THROW(evaluate(mixed(200)));
  EXPECT_THAT(error_text(mixed(202)), HasSubstr("nested more than 200 deep"));
  // depth is given back
  EXPECT_NO_THROW(evaluate(parentheses(200) + "+" + parentheses(200)));
}

TEST(FormulaParse, refuses_names_that_clash) {
  SymbolTable names;
  for (const char* name : {"I", "e", "E", "_x", "x1", "x_dot", "T"})
    EXPECT_NO_THROW(names.add(name, {Bank::parameter, 0}));
  const std::pair<const char*, const char*> refusals[] = {{"sin", "'sin' is a function in formulas"},
                                                          {"if", "'if' is a function"},
                                                          {"pi", "'pi' is the number π"},
                                                          {"t", "'t' is the time"},
                                                          {"e", "the name 'e' is used twice"},
                                                          {"1x", "'1x' is not a name"},
                                                          {"a b", "'a b' is not a name"},
                                                          {"", "a name is empty"},
                                                          {"x-y", "'x-y' is not a name"},
                                                          {"é", "'é' is not a name"},
                                                          {"x\n", "'x ' is not a name"}};
  for (const auto& [name, message] : refusals) {
    try {
      names.add(name, {Bank::parameter, 0});
      ADD_FAILURE() << name << " was accepted";
    } catch (const InputError& error) {
      EXPECT_THAT(error.what(), HasSubstr(message));
    }
  }
  EXPECT_EQ(names.names(), (std::vector<std::string>{"t", "I", "e", "E", "_x", "x1", "x_dot", "T"}));
  EXPECT_EQ(names.find("t"), (ricochet::formula::Symbol{Bank::time, 0}));
  EXPECT_EQ(names.find("nobody"), std::nullopt);
}

// Whatever the bytes: a value or a sentence, nothing else.
RC_GTEST_PROP(FormulaParse, survives_random_text, (const std::string& bytes)) {
  static const std::string alphabet = "x+-*/^(),.<>=!1e sin ab\t";
  std::string text;
  for (const char c : bytes) text += alphabet[static_cast<unsigned char>(c) % alphabet.size()];
  for (const std::string& candidate : {text, bytes}) {
    Graph graph;
    try {
      const auto node = parse(graph, candidate, table());
      RC_ASSERT(node >= 0);
    } catch (const FormulaError& error) {
      RC_ASSERT(error.column() >= 1);
      RC_ASSERT(error.column() <= static_cast<int>(candidate.size()) + 1);
      RC_ASSERT(!error.message().empty());
    }
  }
}

}  // namespace
