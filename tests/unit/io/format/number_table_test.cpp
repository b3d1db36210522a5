// Tables of numbers as text.
#include "io/format/text_lines.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <locale>
#include <string>
#include <vector>

#include "unit/io/attachment/attachment_support.hpp"

namespace ricochet::io_test {
namespace {

using Columns = std::vector<std::vector<double>>;
using Names = std::vector<std::string>;
using testing::HasSubstr;

NumberTable parse(const std::string& text) {
  return io::read_number_table(io::MemoryBytes(text, "FILE", "model.load"));
}

std::string complaint(const std::string& text) { return refusal(text, io::read_number_table); }

const Columns two_by_two = {{0.0, 0.5}, {1.25, -3.0}};

TEST(NumberTable, FilesOfNumPy) {
  const NumberTable named = io::read_number_table(io::FileBytes(data_folder() / "motion.csv", "motion.csv", "f"));
  EXPECT_EQ(named.columns, (Names{"t", "a", "b"}));
  EXPECT_EQ(named.values,
            (Columns{{0.0, 0.25, 0.5, 0.75, 1.0}, {0.0, 0.0625, 0.25, 0.5625, 1.0}, {-0.0, -0.25, -0.5, -0.75, -1.0}}));
  const NumberTable plain = io::read_number_table(io::FileBytes(data_folder() / "plain.txt", "plain.txt", "f"));
  EXPECT_EQ(plain.columns, Names{});
  EXPECT_EQ(plain.values, (Columns{{0.0, 0.25, 0.5, 0.75, 1.0}, {0.0, 0.0625, 0.25, 0.5625, 1.0}}));
}

TEST(NumberTable, Separators) {
  for (const char* text :
       {"0,1.25\n0.5,-3\n", "0; 1.25\n 0.5 ;-3", "0\t1.25\n0.5\t-3\n", " 0  1.25 \n\t0.5 \t -3\t\n",
        "0 , +1.25\r\n5e-1 , -3.\r\n",
        "\xEF\xBB\xBF"
        "0,1.25\n.5,-3D0\n",
        "# head, with; all\n\n0,1.25 # note, here\n   # more\n0.5,-3 #\n", "\"0\",1.25\n0.5,\"-3\" \n"})
    EXPECT_EQ(parse(text).values, two_by_two) << text;
  EXPECT_EQ(parse("3\n4\n").values, (Columns{{3.0, 4.0}}));
}

TEST(NumberTable, Names) {
  EXPECT_EQ(parse("time, a (m/s\xC2\xB2) ,b\n1,2,3\n").columns, (Names{"time", "a (m/s\xC2\xB2)", "b"}));
  EXPECT_EQ(parse("# c\nt\tx\n1\t2\n").columns, (Names{"t", "x"}));
  EXPECT_EQ(parse("\"t\";\"a, \"\"b\"\"; # c\" ; 5\" pipe\n1;2;3\n").columns,
            (Names{"t", "a, \"b\"; # c", "5\" pipe"}));
  EXPECT_EQ(parse("t,\"1\",\"2\"\n0,1,2\n").columns, (Names{"t", "1", "2"}));
  EXPECT_EQ(parse(",a,\n0,1,2\n").columns, (Names{"", "a", ""}));
  EXPECT_EQ(parse("t a#1 # comment\n0 1\n").columns, (Names{"t", "a#1"}));
}

TEST(NumberTable, SameInEveryLocale) {
  struct DecimalComma : std::numpunct<char> {
    char do_decimal_point() const override { return ','; }
  };
  const std::locale before = std::locale::global(std::locale(std::locale(), new DecimalComma));
  EXPECT_EQ(parse("0;1.25\n0.5;-3\n").values, two_by_two);
  EXPECT_NE(complaint("0;1,25\n"), "");
  std::locale::global(before);
}

TEST(NumberTable, Refuses) {
  EXPECT_EQ(complaint(""), "FILE: has no numbers");
  EXPECT_EQ(complaint("# only a comment\n"), "FILE: has no numbers");
  EXPECT_EQ(complaint("t,a\n"), "FILE: has no numbers");
  EXPECT_EQ(complaint("1,2\n\n3\n"), "FILE:3: has 1 column where line 1 has 2");
  EXPECT_EQ(complaint("t,a\n3,4\n3,4,5\n"), "FILE:3: has 3 columns where line 1 has 2");
  EXPECT_EQ(complaint("#\n1 2\n3 4 5\n"), "FILE:3: has 3 columns where line 2 has 2");
  EXPECT_EQ(complaint("t,a\n3,\n"), "FILE:2: column 2 is empty");
  EXPECT_EQ(complaint("1,2,\n"), "FILE:1: column 3 is empty");
  EXPECT_EQ(complaint(",,\n1,2,3\n"), "FILE:1: column 1 is empty");
  EXPECT_EQ(complaint("t,a\n3,4x\n"), "FILE:2: column 2 must be a number, got '4x'");
  EXPECT_EQ(complaint("t a\n3 nan\n"), "FILE:2: column 2 must be finite, got 'nan'");
  EXPECT_EQ(complaint("t a\n3 inf\n"), "FILE:2: column 2 must be finite, got 'inf'");
  EXPECT_EQ(complaint("t a\n1e309 1\n"), "FILE:2: column 1 is beyond the range of double precision, got '1e309'");
  EXPECT_EQ(complaint("t;a\n1,5;2\n"), "FILE:2: column 1 must be a number with a decimal point, got '1,5'");
  EXPECT_EQ(complaint("t,t\n1,2\n"), "FILE:1: two columns have the name 't'");
  EXPECT_EQ(complaint("\"t\n1,2\n"), "FILE:1: a quote is not closed");
  EXPECT_EQ(complaint("\"t\"x,a\n1,2\n"), "FILE:1: a separator must follow the closing quote of 't'");
  EXPECT_EQ(complaint("t,L\xE4nge\n1,2\n"), "FILE:1: the names of the columns must be UTF-8 text");
  EXPECT_EQ(complaint("t,a\x01\n1,2\n"), "FILE:1: the name 'a?' holds control characters");
  EXPECT_EQ(complaint(std::string("1,2\n3,\0\n", 8)), "FILE:2: column 2 must be a number, got '?'");
  EXPECT_EQ(complaint("\xFF\xFEt\0"), "FILE: is UTF-16 text; save it as UTF-8");
  // A first line with numbers is no header: a typing error there is not taken for names.
  EXPECT_EQ(complaint("0.0,1.O\n1,2\n"), "FILE:1: column 2 must be a number, got '1.O'");
  EXPECT_EQ(complaint("\"1\",\"2\"\n1,2\n"),
            "FILE:1: quoted numbers could be names or values; take the quotes away, or give the columns names");
}

TEST(NumberTable, LongFilesAreReadInPieces) {
  std::string text = "t,a\n";
  for (int i = 0; i < 60000; ++i) text += fmt::format("{},{}\n", 0.001 * i, i);
  const NumberTable table = parse(text);
  ASSERT_EQ(table.values[0].size(), 60000u);
  for (std::size_t i = 0; i < 60000; ++i) {
    ASSERT_EQ(table.values[0][i], 0.001 * static_cast<double>(i));
    ASSERT_EQ(table.values[1][i], static_cast<double>(i));
  }
  EXPECT_THAT(complaint(text + "7\n"), HasSubstr("FILE:60002: has 1 column"));
  std::string wide = "1";
  while (wide.size() < 2'000'003) wide += ",1";
  EXPECT_EQ(complaint(wide), "FILE:1: has more than 1000000 columns");
  EXPECT_EQ(parse(wide.substr(0, 1'999'999)).values.size(), 1'000'000u);
  EXPECT_THAT(complaint(std::string(20 << 20, ' ')), HasSubstr("FILE:1: is longer than 16 MiB"));
}

RC_GTEST_PROP(NumberTable, ReadsBackWhatIsWritten, ()) {
  const auto separator = *rc::gen::element<std::string>(",", "; ", "\t", "   ");
  const auto rows = *rc::gen::inRange<std::size_t>(1, 12), cols = *rc::gen::inRange<std::size_t>(1, 6);
  const bool named = *rc::gen::arbitrary<bool>();
  Columns values(cols);
  std::string text;
  for (std::size_t j = 0; named && j < cols; ++j) text += fmt::format("{}c{}", j == 0 ? "" : separator, j);
  for (std::size_t i = 0; i < rows; ++i) {
    text += '\n';
    for (std::size_t j = 0; j < cols; ++j) {
      values[j].push_back(*rc::gen::arbitrary<double>());
      text += fmt::format("{}{}", j == 0 ? "" : separator, values[j].back());
    }
  }
  const NumberTable table = parse(text);
  RC_ASSERT(table.values == values);
  RC_ASSERT(table.columns.size() == (named ? cols : 0));
}

}  // namespace
}  // namespace ricochet::io_test
