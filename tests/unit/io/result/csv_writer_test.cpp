// CSV: the very text.
#include <gtest/gtest.h>

#include <charconv>
#include <chrono>
#include <limits>
#include <locale>
#include <thread>

#include "ricochet/io/result/result_reader.hpp"
#include "ricochet/io/result/result_writer.hpp"
#include "unit/io/result/result_support.hpp"

namespace ricochet::io_test {
namespace {

TEST(IoCsv, ColumnsAndRows) {
  const TempFolder folder;
  ResultHeader names = header(2, 1, 1);
  auto writer = open_result(folder / "a.csv", names);
  const double q[] = {1, 2}, v[] = {3, 4}, z[] = {5}, gap[] = {6}, rate[] = {7}, impulse[] = {0};
  writer->record({.t = 0.1,
                  .q = q,
                  .v = v,
                  .z = z,
                  .gap = gap,
                  .rate = rate,
                  .impulse = impulse,
                  .kinetic = 0.5,
                  .potential = 1e-7});
  writer->impact({.t = 0.25,
                  .constraint = 0,
                  .rate_minus = -1,
                  .rate_plus = 0.5,
                  .impulse = 1.5,
                  .energy_loss = 0.375,
                  .discontinuous = true});
  writer->finish(solution());
  EXPECT_EQ(text_of(folder / "a.csv"),
            "t,x0,x1,x0_dot,x1_dot,p0,wall0.gap,wall0.rate,wall0.impulse,energy.kinetic,energy.potential,energy.total,"
            "event\n"
            "0.1,1,2,3,4,5,6,7,0,0.5,1e-07,0.5000001,0\n");
  EXPECT_EQ(text_of(folder / "a.impacts.csv"),
            "t,constraint,rate_minus,rate_plus,impulse,energy_loss,discontinuous\n"
            "0.25,wall0,-1,0.5,1.5,0.375,1\n");
}

TEST(IoCsv, ReactionsFollowTheConstraints) {
  const TempFolder folder;
  ResultHeader names = header(1, 0, 1);
  names.joints = {"pin.reaction.1", "pin.reaction.2"};
  names.observations = {"tip"};
  auto writer = open_result(folder / "a.csv", names);
  const double one[] = {1}, reaction[] = {-2, 3};
  writer->record({.t = 0.1,
                  .q = one,
                  .v = one,
                  .gap = one,
                  .rate = one,
                  .impulse = one,
                  .reaction = reaction,
                  .observed = one,
                  .observed_rate = one});
  writer->finish(solution());
  EXPECT_EQ(
      text_of(folder / "a.csv"),
      "t,x0,x0_dot,wall0.gap,wall0.rate,wall0.impulse,pin.reaction.1,pin.reaction.2,energy.kinetic,energy.potential,"
      "energy.total,tip,tip_dot,event\n"
      "0.1,1,1,1,1,1,-2,3,0,0,0,1,1,0\n");
}

TEST(IoCsv, OutputsUnitsAndStatesAtImpacts) {
  const TempFolder folder;
  ResultHeader names = header(1, 0, 1);
  names.outputs = {"power"};
  names.display = {{"power", "W", ""}, {"x0", "m", "tip"}};
  auto writer = open_result(folder / "a.csv", names);
  const double one[] = {1}, power[] = {-2.5};
  for (const int event : {0, -1, 1})
    writer->record(
        {.t = 0.1, .event = event, .q = one, .v = one, .gap = one, .rate = one, .impulse = one, .output = power});
  writer->finish(solution());
  EXPECT_EQ(text_of(folder / "a.csv"),
            "t,x0 [m],x0_dot,wall0.gap,wall0.rate,wall0.impulse,power [W],energy.kinetic,energy.potential,energy.total,"
            "event\n"
            "0.1,1,1,1,1,1,-2.5,0,0,0,0\n0.1,1,1,1,1,1,-2.5,0,0,0,-1\n0.1,1,1,1,1,1,-2.5,0,0,0,1\n");
  const StoredResult result = read_result(folder / "a.csv");
  EXPECT_EQ(result.event, (std::vector<double>{0.0, -1.0, 1.0}));
  EXPECT_EQ(result.output, (StoredResult::Columns{{-2.5, -2.5, -2.5}}));
  EXPECT_EQ(result.unit("x0"), "m");
  EXPECT_EQ(result.unit("power"), "W");
  EXPECT_EQ(result.label("x0"), "x0");
}

// Slips and friction with their constraint, those with a limit of their own behind all constraints.
TEST(IoCsv, SlipsAndFriction) {
  const TempFolder folder;
  ResultHeader names = header(1, 0, 3);
  names.slips = {"wall0.slip", "wall2.slip.1", "wall2.slip.2", "belt.slip"};
  names.joints = {"pin.reaction.1"};
  auto writer = open_result(folder / "a.csv", names);
  const double one[] = {1, 2, 3}, slip[] = {11, 12, 13, 14}, friction[] = {21, 22, 23, 24};
  writer->record({.t = 0.1,
                  .q = one,
                  .v = one,
                  .gap = one,
                  .rate = one,
                  .impulse = one,
                  .slip = slip,
                  .friction = friction,
                  .reaction = one});
  writer->impact({.t = 0.5,
                  .constraint = 2,
                  .slip = {.minus = {1, 2}, .plus = {3, 4}, .impulse = {5, 6}, .status = SlipStatus::reverse}});
  writer->finish(solution());
  EXPECT_EQ(text_of(folder / "a.csv"),
            "t,x0,x0_dot,wall0.gap,wall0.rate,wall0.impulse,wall0.slip,wall0.friction,wall1.gap,wall1.rate,wall1."
            "impulse,wall2.gap,wall2.rate,wall2.impulse,wall2.slip.1,wall2.slip.2,wall2.friction.1,wall2.friction.2,"
            "belt.slip,belt.friction,pin.reaction.1,energy.kinetic,energy.potential,energy.total,event\n"
            "0.1,1,1,1,1,1,11,21,2,2,2,3,3,3,12,13,22,23,14,24,1,0,0,0,0\n");
  EXPECT_EQ(text_of(folder / "a.impacts.csv"),
            "t,constraint,rate_minus,rate_plus,impulse,energy_loss,discontinuous,slip_minus.1,slip_minus.2,slip_plus.1,"
            "slip_plus.2,friction_impulse.1,friction_impulse.2,status\n"
            "0.5,wall2,0,0,0,0,0,1,2,3,4,5,6,reverse\n");
}

TEST(IoCsv, WithoutConstraintsAndImpactsThereAreOnlyHeaders) {
  const TempFolder folder;
  open_result(folder / "a.csv", header(1, 0, 0))->finish(solution());
  EXPECT_EQ(text_of(folder / "a.csv"), "t,x0,x0_dot,energy.kinetic,energy.potential,energy.total,event\n");
  EXPECT_EQ(text_of(folder / "a.impacts.csv"), "t,constraint,rate_minus,rate_plus,impulse,energy_loss,discontinuous\n");
}

TEST(IoCsv, NamesAreQuotedWhereNeeded) {
  const TempFolder folder;
  ResultHeader names = header(1, 0, 1);
  names.constraints = {"left, \"soft\""};
  auto writer = open_result(folder / "a.csv", names);
  writer->impact({});
  writer->finish(solution());
  EXPECT_NE(text_of(folder / "a.csv").find(",\"left, \"\"soft\"\".gap\","), std::string::npos);
  EXPECT_NE(text_of(folder / "a.impacts.csv").find("\n0,\"left, \"\"soft\"\"\",0,"), std::string::npos);
}

// Units may hold anything: what is written is read again, and no terminal obeys it.
TEST(IoCsv, UnitsThatHoldControlsAndSeparators) {
  for (const std::string unit : {"a;b", "m\x1b[31m", "line\r\nend", "\ttab", "&lt;&gt;", "\xc2\x9b", "say \"m\""}) {
    const TempFolder folder;
    ResultHeader names = header(1, 0, 1);
    names.display = {{"x0", unit, ""}, {"t", unit, ""}};
    auto writer = open_result(folder / "a.csv", names);
    const double one[] = {1};
    writer->record({.t = 0.1, .q = one, .v = one, .gap = one, .rate = one, .impulse = one});
    writer->finish(solution());
    const std::string text = text_of(folder / "a.csv");
    EXPECT_TRUE(std::none_of(text.begin(), text.end(), [](char c) { return (c < ' ' && c > 0) && c != '\n'; })) << unit;
    EXPECT_EQ(read_result(folder / "a.csv").t, std::vector<double>{0.1}) << unit;
  }
}

// The time of each row but the header.
std::vector<std::string> first_column(const std::string& text) {
  std::vector<std::string> result;
  for (std::size_t begin = text.find('\n') + 1; begin < text.size(); begin = text.find('\n', begin) + 1)
    result.push_back(text.substr(begin, text.find(',', begin) - begin));
  return result;
}

TEST(IoCsv, NumbersReadBackTheSame) {
  using Limits = std::numeric_limits<double>;
  std::vector<double> numbers = {0.0,
                                 -0.0,
                                 0.1,
                                 1.0 / 3.0,
                                 -1e-5,
                                 1e22,
                                 123456789.0,
                                 Limits::max(),
                                 Limits::lowest(),
                                 Limits::min(),
                                 Limits::denorm_min(),
                                 1.0 + Limits::epsilon(),
                                 Limits::infinity(),
                                 -Limits::infinity()};
  for (int i = 0; i < 20000; ++i) numbers.push_back(std::ldexp(std::sin(i), i % 2000 - 1000));

  // A locale with a comma for the point changes nothing.
  struct Comma : std::numpunct<char> {
    char do_decimal_point() const override { return ','; }
  };
  const std::locale before = std::locale::global(std::locale(std::locale(), new Comma));
  const TempFolder folder;
  auto writer = open_result(folder / "a.csv", header(0, 0, 0));
  for (const double number : numbers) writer->record({.t = number});
  writer->finish(solution());
  std::locale::global(before);

  const std::vector<std::string> texts = first_column(text_of(folder / "a.csv"));
  ASSERT_EQ(texts.size(), numbers.size());
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    double read = 0.0;
    std::from_chars(texts[i].data(), texts[i].data() + texts[i].size(), read);
    EXPECT_EQ(read, numbers[i]) << texts[i];
    EXPECT_EQ(std::signbit(read), std::signbit(numbers[i])) << texts[i];
    EXPECT_LE(texts[i].size(), 24u);
  }
}

TEST(IoCsv, RowsWiderThanTheBuffer) {
  const TempFolder folder;
  const ResultHeader names = header(20000, 0, 1);
  auto writer = open_result(folder / "a.csv", names);
  feed(*writer, names, 0, 5);
  writer->finish(solution());
  EXPECT_EQ(first_column(text_of(folder / "a.csv")), (std::vector<std::string>{"0", "1", "2", "3", "4"}));
}

TEST(IoCsv, AFullDiskLeavesWholeRows) {
  const TempFolder folder;
  const ResultHeader names = header(2, 0, 1);
  {
    const FileSizeLimit full(1000000);
    auto writer = open_result(folder / "a.csv", names);
    EXPECT_ANY_THROW(feed(*writer, names, 0, 60000));
  }
  const std::string text = text_of(folder / fmt::format(".a.csv.{}.partial", ::getpid()));
  ASSERT_FALSE(text.empty());
  EXPECT_EQ(text.back(), '\n');
  EXPECT_GT(first_column(text).size(), 1000u);
}

TEST(IoCsv, IsSavedEveryFewSeconds) {
  const TempFolder folder;
  const ResultHeader names = header(1, 0, 1);
  auto writer = open_result(folder / "a.csv", names);
  feed(*writer, names, 0, 3);
  std::this_thread::sleep_for(std::chrono::milliseconds(2100));
  writer->progress(3, 10);
  EXPECT_EQ(first_column(text_of(folder / fmt::format(".a.csv.{}.partial", ::getpid()))).size(), 3u);
}

}  // namespace
}  // namespace ricochet::io_test
