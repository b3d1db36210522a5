// Numbers as text, and the nearest of several names.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <charconv>
#include <cmath>
#include <limits>

#include "ricochet/core/quantity.hpp"
#include "unit/formula/samples.hpp"

namespace {

using ricochet::nearest;
using ricochet::Quantity;
using ricochet::to_text;

TEST(Quantity, becomes_text) {
  EXPECT_EQ(to_text(0.1), "0.1");
  EXPECT_EQ(to_text(1.0), "1");
  EXPECT_EQ(to_text(-2.5), "-2.5");
  EXPECT_EQ(to_text(1e300), "1e+300");
  EXPECT_EQ(to_text(std::numeric_limits<double>::quiet_NaN()), "nan");
  EXPECT_EQ(to_text(-std::numeric_limits<double>::infinity()), "-inf");
  EXPECT_EQ(Quantity(3).text(), "3");
  EXPECT_EQ(Quantity("2*m").text(), "2*m");
}

RC_GTEST_PROP(Quantity, text_reads_back_to_the_same_number, (double number)) {
  RC_PRE(std::isfinite(number));
  const std::string text = to_text(number);
  double back = 0.0;
  RC_ASSERT(std::from_chars(text.data(), text.data() + text.size(), back).ec == std::errc());
  RC_ASSERT(formula_samples::same_bits(back, number));
  RC_ASSERT(formula_samples::same_bits(formula_samples::evaluate(Quantity(number).text()), number));
}

TEST(Nearest, finds_what_was_meant) {
  const std::vector<std::string> names = {"restitution", "gap", "name", "step", "until", "x_dot"};
  EXPECT_EQ(nearest("restituton", names), "restitution");
  EXPECT_EQ(nearest("Restitution", names), "restitution");
  EXPECT_EQ(nearest("stpe", names), "step");
  EXPECT_EQ(nearest("xdot", names), "x_dot");
  EXPECT_EQ(nearest("gpa", names), "gap");
  EXPECT_EQ(nearest("mass", names), "");
  EXPECT_EQ(nearest("", names), "");
  EXPECT_EQ(nearest("x", {}), "");
  EXPECT_EQ(nearest("q", {"z"}), "");  // nothing in common
  EXPECT_EQ(nearest(std::string(100'000, 'a'), names), "");
}

}  // namespace
