// What studies take as text.
#include "ricochet/io/scenario/option_text.hpp"

#include <gtest/gtest.h>

#include "support/complaint.hpp"

namespace ricochet {
namespace {

using testing::complaint;

TEST(StudyOptions, Schemes) {
  const std::vector<SchemeChoice> choices =
      parse_schemes("moreau-jean:theta=1:forecast=0.5,mannshardt:tableau=gauss-3");
  ASSERT_EQ(choices.size(), 2u);
  EXPECT_EQ(choices[0].label, "moreau-jean:theta=1:forecast=0.5");
  EXPECT_EQ(std::get<double>(parameter(choices[0].scheme, "theta")), 1.0);
  EXPECT_EQ(std::get<std::string>(parameter(choices[1].scheme, "tableau")), "gauss-3");
  EXPECT_NE(complaint([] { parse_schemes("moro"); }).find("--schemes: \"moro\": there is no scheme"),
            std::string::npos);
  EXPECT_NE(complaint([] { parse_schemes("moreau-jean:theta"); }).find("NAME:KEY=VALUE"), std::string::npos);
  EXPECT_NE(complaint([] { parse_schemes("moreau-jean:theta=7"); }).find("theta must be in [0, 1], got 7"),
            std::string::npos);
  EXPECT_NE(complaint([] { parse_schemes("moreau-jean:thota=1"); }).find("did you mean theta?"), std::string::npos);
  EXPECT_EQ(complaint([] { parse_schemes("moreau,moreau"); }), "--schemes: moreau is given twice");
  EXPECT_EQ(complaint([] { parse_schemes("moreau,"); }), "--schemes: a name is missing between two commas");
}

TEST(StudyOptions, StepsAndWindows) {
  EXPECT_EQ(parse_steps("0.04:3"), (std::vector<double>{0.04, 0.02, 0.01}));
  EXPECT_EQ(parse_steps("5e-3, 1e-2"), (std::vector<double>{1e-2, 5e-3}));
  EXPECT_EQ(parse_window("0:1.6"), (TimeSpan{0.0, 1.6}));
  EXPECT_EQ(complaint([] { parse_steps("1e-2,x"); }), "--steps: \"x\" is not a number");
  EXPECT_EQ(complaint([] { parse_steps("0"); }), "--steps: must be positive, got 0");
  EXPECT_EQ(complaint([] { parse_steps("0.1,0.1"); }), "--steps: one is given twice");
  EXPECT_EQ(complaint([] { parse_steps("0.1:2.5"); }), "--steps: the number after the colon must be 1 to 40, got 2.5");
  EXPECT_EQ(complaint([] { parse_window("1.6"); }), "--window: is written FROM:UNTIL, such as 0:1.6, got \"1.6\"");
  EXPECT_EQ(complaint([] { parse_window("2:1"); }), "--window: must end after it begins, got 2:1");
}

TEST(StudyOptions, WholeNumbers) {
  EXPECT_EQ(parse_whole_number("16", "--phases", 1, 16), 16);
  EXPECT_EQ(complaint([] { parse_whole_number("17", "--phases", 1, 16); }),
            "--phases: must be a whole number from 1 to 16, got 17");
  EXPECT_EQ(complaint([] { parse_whole_number("1.5", "--phases", 1, 16); }),
            "--phases: must be a whole number from 1 to 16, got 1.5");
  EXPECT_EQ(complaint([] { parse_whole_number("x", "--phases", 1, 16); }), "--phases: \"x\" is not a number");
}

}  // namespace
}  // namespace ricochet
