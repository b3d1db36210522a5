// Which trajectories a [sweep] table stands for, and which tables are refused.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "ricochet/core/error.hpp"
#include "ricochet/scenario/sweep_plan.hpp"
#include "scenario/sweep/samples.hpp"
#include "unit/study/sweep/sweep_samples.hpp"

namespace ricochet {
namespace {

using ::testing::DoubleEq;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using testing::replaced;
using testing::sweep_over;
using testing::sweep_scenario;

const std::string w_axis = R"({ parameter = "model.parameters.w", range = [2.0, 4.0], count = 5 })";
const std::string A_axis = R"({ parameter = "model.parameters.A", values = [0.1, 0.5, 0.2] })";
const std::string e_axis = R"({ parameter = "model.constraint.stop.restitution", range = [0.5, 1.0], count = 2 })";

SweepPlan plan(const std::string& axes, const std::string& further = "") {
  return SweepPlan(sweep_scenario(axes, further));
}

TEST(SweepPlan, LinearAxisIsExactAtItsEnds) {
  const SweepPlan sweep = plan(R"({ parameter = "model.parameters.w", range = [0.1, 0.7], count = 4 })");
  EXPECT_EQ(sweep.count(), 4u);
  EXPECT_THAT(sweep.axes()[0].values,
              ElementsAre(0.1, 0.1 + (0.7 - 0.1) * 1.0 / 3.0, 0.1 + (0.7 - 0.1) * 2.0 / 3.0, 0.7));
  EXPECT_EQ(sweep.axes()[0].name, "w");
  EXPECT_EQ(sweep.axes()[0].parameter, "model.parameters.w");
  EXPECT_FALSE(sweep.axes()[0].logarithmic);
}

TEST(SweepPlan, LogarithmicAxisHasEvenRatios) {
  const SweepPlan sweep =
      plan(R"({ parameter = "model.parameters.w", range = [1e-3, "10^2"], count = 6, spacing = "logarithmic" })");
  const std::vector<double>& values = sweep.axes()[0].values;
  EXPECT_EQ(values.front(), 1e-3);
  EXPECT_EQ(values.back(), 100.0);
  for (std::size_t k = 1; k < values.size(); ++k) EXPECT_NEAR(values[k] / values[k - 1], 10.0, 1e-13);
  EXPECT_TRUE(sweep.axes()[0].logarithmic);
}

TEST(SweepPlan, AxesMayFallAndHaveOneValue) {
  EXPECT_THAT(plan(R"({ parameter = "model.parameters.w", range = [4, 2], count = 3 })").axes()[0].values,
              ElementsAre(4.0, 3.0, 2.0));
  EXPECT_THAT(plan(R"({ parameter = "model.parameters.w", range = [4, 2], count = 1 })").axes()[0].values,
              ElementsAre(4.0));
  EXPECT_THAT(plan(R"({ parameter = "model.parameters.w", values = ["2*pi"] })").axes()[0].values,
              ElementsAre(DoubleEq(2.0 * 3.14159265358979323846)));
}

TEST(SweepPlan, LastAxisOfAGridVariesFastest) {
  const SweepPlan sweep = plan(w_axis + ", " + A_axis);
  EXPECT_TRUE(sweep.is_grid());
  EXPECT_THAT(sweep.shape(), ElementsAre(5u, 3u));
  EXPECT_EQ(sweep.count(), 15u);
  EXPECT_THAT(sweep.values(0), ElementsAre(2.0, 0.1));
  EXPECT_THAT(sweep.values(1), ElementsAre(2.0, 0.5));
  EXPECT_THAT(sweep.values(3), ElementsAre(2.5, 0.1));
  EXPECT_THAT(sweep.values(14), ElementsAre(4.0, 0.2));
  EXPECT_EQ(sweep.chain_count(), 15u);
  EXPECT_THAT(sweep.chain(7), ElementsAre(7u));
}

TEST(SweepPlan, AxesThatShareANameKeepTheirKeys) {
  const std::string axes = R"({ parameter = "initial.q.x", values = [0] }, { parameter = "initial.v.x", values = [1] },
                              { parameter = "model.constraint[0].restitution", values = [1] })";
  const SweepPlan sweep = plan(axes);
  EXPECT_EQ(sweep.axes()[0].name, "initial.q.x");
  EXPECT_EQ(sweep.axes()[1].name, "initial.v.x");
  EXPECT_EQ(sweep.axes()[2].name, "restitution");
}

// Continuation: the middle of three axes.
std::string continued(const std::string& direction) {
  return replaced(w_axis, "count = 5", "count = 3, continuation = \"" + direction + "\"");
}

TEST(SweepPlan, ChainsRunAlongTheContinuedAxis) {
  const SweepPlan sweep = plan(e_axis + ", " + continued("forward") + ", " + A_axis);
  EXPECT_FALSE(sweep.both_directions());
  EXPECT_THAT(sweep.shape(), ElementsAre(2u, 3u, 3u));
  EXPECT_EQ(sweep.chain_count(), 6u);
  EXPECT_THAT(sweep.chain(0), ElementsAre(0u, 3u, 6u));
  EXPECT_THAT(sweep.chain(2), ElementsAre(2u, 5u, 8u));
  EXPECT_THAT(sweep.chain(3), ElementsAre(9u, 12u, 15u));
  EXPECT_THAT(sweep.chain(5), ElementsAre(11u, 14u, 17u));
  const SweepPlan backward = plan(e_axis + ", " + continued("backward") + ", " + A_axis);
  EXPECT_EQ(backward.count(), 18u);
  EXPECT_THAT(backward.chain(3), ElementsAre(15u, 12u, 9u));
}

TEST(SweepPlan, BothDirectionsComeAfterEachOther) {
  const SweepPlan sweep = plan(continued("both") + ", " + A_axis);
  EXPECT_TRUE(sweep.both_directions());
  EXPECT_THAT(sweep.shape(), ElementsAre(2u, 3u, 3u));
  EXPECT_EQ(sweep.count(), 18u);
  EXPECT_EQ(sweep.chain_count(), 3u);
  // The way back starts where the way there ended.
  EXPECT_THAT(sweep.chain(1), ElementsAre(1u, 4u, 7u, 16u, 13u, 10u));
  for (std::uint64_t i = 0; i < 9; ++i) EXPECT_EQ(sweep.values(i), sweep.values(9 + i));

  // Every trajectory is in one chain.
  std::set<std::uint64_t> seen;
  for (std::uint64_t c = 0; c < sweep.chain_count(); ++c)
    for (const std::uint64_t i : sweep.chain(c)) EXPECT_TRUE(seen.insert(i).second);
  EXPECT_EQ(seen.size(), sweep.count());
  EXPECT_EQ(*seen.rbegin(), sweep.count() - 1);
}

TEST(SweepPlan, PiecesOfAContinuation) {
  const auto pieces = [](const std::string& direction, int count, int overlap) {
    return plan(replaced(continued(direction), "count = 3",
                         fmt::format("count = 3, pieces = {}, overlap = {}", count, overlap)) +
                ", " + A_axis);
  };
  const SweepPlan both = pieces("both", 2, 2);  // 1 4 7 16 13 10 in one piece
  EXPECT_EQ(both.chain_count(), 6u);
  EXPECT_THAT(both.chain(2), ElementsAre(1u, 4u, 7u));
  EXPECT_THAT(both.lead(2), ElementsAre());
  EXPECT_THAT(both.chain(3), ElementsAre(16u, 13u, 10u));
  EXPECT_THAT(both.lead(3), ElementsAre(4u, 7u));
  const SweepPlan backward = pieces("backward", 2, 5);
  EXPECT_THAT(backward.chain(0), ElementsAre(6u, 3u));
  EXPECT_THAT(backward.chain(1), ElementsAre(0u));
  EXPECT_THAT(backward.lead(1), ElementsAre(6u, 3u));
  EXPECT_THAT(pieces("forward", 3, 0).lead(2), ElementsAre());
}

// Attractors are compared where only starts and directions differ.
TEST(SweepPlan, CellsHaveTheSameParameters) {
  const std::string x_axis = R"({ parameter = "initial.q.x", range = [-1.0, 0.5], count = 4 })";
  const SweepPlan sweep = plan(continued("both") + ", " + x_axis);
  for (std::uint64_t i = 0; i < sweep.count(); ++i) EXPECT_EQ(sweep.cell(i), i % 12 / 4);
  EXPECT_THAT(sweep.cell_neighbours(), ElementsAre(std::pair(0u, 1u), std::pair(1u, 2u)));
  const SweepPlan map = plan(x_axis + ", " + e_axis + ", " + A_axis);
  EXPECT_EQ(map.cell(0), map.cell(6));
  EXPECT_EQ(map.cell_neighbours().size(), 3u + 4u);
  const SweepPlan basins = plan(x_axis);
  EXPECT_EQ(basins.cell(3), 0u);
  EXPECT_TRUE(basins.cell_neighbours().empty());
}

const std::string sampled_axes =
    R"({ parameter = "model.parameters.w", range = [2.0, 4.0] },
       { parameter = "model.parameters.A", range = [1e-3, 1.0], spacing = "logarithmic" })";

TEST(SweepPlan, EachPartOfALatinHypercubeHoldsOneSample) {
  for (const std::uint64_t n : {1u, 2u, 3u, 7u, 64u, 1000u}) {
    const SweepPlan sweep = plan(sampled_axes, "sampling = \"latin-hypercube\"\nsamples = " + std::to_string(n) + "\n");
    EXPECT_FALSE(sweep.is_grid());
    EXPECT_THAT(sweep.shape(), ElementsAre(n));
    EXPECT_EQ(sweep.chain_count(), n);
    std::vector<int> linear(n, 0), logarithmic(n, 0);
    for (std::uint64_t i = 0; i < n; ++i) {
      const std::vector<double> values = sweep.values(i);
      const double parts[2] = {(values[0] - 2.0) / 2.0, std::log10(values[1] / 1e-3) / 3.0};
      ++linear.at(static_cast<std::size_t>(parts[0] * static_cast<double>(n)));
      ++logarithmic.at(static_cast<std::size_t>(parts[1] * static_cast<double>(n)));
    }
    EXPECT_EQ(linear, std::vector<int>(n, 1)) << n;
    EXPECT_EQ(logarithmic, std::vector<int>(n, 1)) << n;
  }
}

TEST(SweepPlan, LatinHypercubeAxesAreIndependent) {
  const SweepPlan sweep = plan(sampled_axes, "sampling = \"latin-hypercube\"\nsamples = 10000\n");
  double sum = 0.0;
  for (std::uint64_t i = 0; i < 10000; ++i) {
    const std::vector<double> values = sweep.values(i);
    sum += (values[0] - 3.0) * (std::log10(values[1]) + 1.5);
  }
  // Correlation of two even distributions of standard deviations 2/√12 and 3/√12: about 1/√n.
  EXPECT_LT(std::abs(sum / 10000.0) / (2.0 * 3.0 / 12.0), 0.04);
}

TEST(SweepPlan, RandomSamplesFillTheRange) {
  const SweepPlan sweep = plan(sampled_axes, "sampling = \"random\"\nsamples = 20000\nseed = 7\n");
  std::vector<int> found(10, 0);
  for (std::uint64_t i = 0; i < 20000; ++i) ++found.at(static_cast<std::size_t>((sweep.values(i)[0] - 2.0) * 5.0));
  // 2000 each, with a standard deviation of √(20000 · 0.1 · 0.9) = 42.
  for (const int in_part : found) EXPECT_NEAR(in_part, 2000, 5 * 42);
}

TEST(SweepPlan, SamplesDependOnTheSeedAlone) {
  for (const char* sampling : {"random", "latin-hypercube"}) {
    const std::string further = std::string("sampling = \"") + sampling + "\"\nsamples = 50\n";
    const SweepPlan a = plan(sampled_axes, further), b = plan(sampled_axes, further + "seed = 1\n"),
                    c = plan(sampled_axes, further + "seed = 2\n");
    int different = 0;
    for (std::uint64_t i = 0; i < 50; ++i) {
      EXPECT_EQ(a.values(i), b.values(i));
      different += a.values(i) != c.values(i);
    }
    EXPECT_EQ(different, 50);
  }
}

// SplitMix64 from the seed 1234567, as its authors' program gives it.
TEST(SweepSamples, AreThoseOfSplitMix) {
  std::uint64_t state = 1234567;
  for (const std::uint64_t expected : {6457827717110365317u, 3203168211198807973u, 9817491932198370423u}) {
    EXPECT_EQ(mix(state), expected);
    state += 0x9e3779b97f4a7c15;
  }
}

TEST(SweepSamples, PermutationTakesEachPlaceOnce) {
  for (const std::uint64_t n : {1u, 2u, 5u, 16u, 17u, 1023u}) {
    std::set<std::uint64_t> places;
    for (std::uint64_t i = 0; i < n; ++i) places.insert(permuted(3, i, n));
    EXPECT_EQ(places.size(), n);
    EXPECT_EQ(*places.rbegin(), n - 1);
  }
  EXPECT_LT(permuted(3, 999'999'999, 1'000'000'000), 1'000'000'000u);
}

// Refusals.

std::string complaint(const std::string& text) {
  try {
    SweepPlan(parse_scenario(text, "s"));
    return "";
  } catch (const Error& error) {
    return error.what();
  }
}

TEST(SweepPlan, RefusesAScenarioWithoutATable) {
  const std::string text = complaint(testing::oscillator_text);
  EXPECT_THAT(text, HasSubstr("sweep: the scenario has no table [sweep]; the least is\n  [sweep]\n  axis = [{ "));
  // What it shows can be used.
  EXPECT_EQ(complaint(testing::oscillator_text + text.substr(text.find("\n  [sweep]"))), "");
}

TEST(SweepPlan, RefusesWhatMakesNoSense) {
  const std::string axis = R"({ parameter = "model.parameters.w", )";
  const std::string sampled = "sampling = \"random\"\nsamples = 3\n";
  const struct {
    std::string axes, further, message;
  } cases[] = {
      {"", "", "sweep.axis: must have at least one axis, such as { parameter = \"model.parameters.w\""},
      {R"({ parameter = "", values = [1] })", "", "sweep.axis[0].parameter: must be the path of a key"},
      {axis + "count = 0 }", "", "sweep.axis[0]: has no values: give range = [2.0, 4.0] and count = 100, or values"},
      {axis + "range = [1, 2] }", "", "sweep.axis[0]: needs count, the number of values"},
      {axis + "range = [1, 2], count = 0 }", "", "sweep.axis[0]: needs count"},
      {axis + "range = [1], count = 2 }", "", "sweep.axis[0].range: must have two entries, the first and the last"},
      {axis + "range = [1, 2], values = [1] }", "", "sweep.axis[0].values: give values, or range and count, not both"},
      {axis + "count = 2, values = [1] }", "", "sweep.axis[0].values: give values, or range and count, not both"},
      {axis + "range = [0, 2], count = 2, spacing = \"logarithmic\" }", "",
       "sweep.axis[0].range[0]: must be positive for spacing = \"logarithmic\", got 0"},
      {axis + "values = [1, -1], spacing = \"logarithmic\" }", "",
       "sweep.axis[0].values[1]: must be positive for spacing = \"logarithmic\", got -1"},
      {axis + "range = [1, 2], count = 2, spacing = \"log\" }", "",
       "sweep.axis[0].spacing: there is no spacing \"log\"; known: linear, logarithmic"},
      {axis + "range = [1, 2], count = 2, spacing = \"liner\" }", "", "did you mean linear?"},
      {axis + "range = [1, \"w\"], count = 2 }", "", "sweep.axis[0].range[1]: "},
      {axis + "range = [1, \"1/0\"], count = 2 }", "", "sweep.axis[0].range[1]: must be a finite number, got inf"},
      {axis + "range = [-1e308, 1e308], count = 2 }", "", "sweep.axis[0].range: is too wide"},
      {axis + "values = [1], continuation = \"foward\" }", "",
       "sweep.axis[0].continuation: there is no continuation \"foward\"; did you mean forward?"},
      {continued("forward") + "," + replaced(continued("both"), "w\"", "A\""), "",
       "sweep.axis[1].continuation: only one axis can be continued, and sweep.axis[0] is: leave one of the two out"},
      // How many.
      {axis + "range = [1, 2], count = 1000000001 }", "", "sweep.axis: a sweep has at most 1e9 trajectories"},
      {axis + "range = [1, 2], count = 500000001, continuation = \"both\" }", "", "at most 1e9 trajectories"},
      {axis + "range = [1, 2], count = 1000000000000000 }, " + axis + "range = [1, 2], count = 1000000000000000 }", "",
       "at most 1e9 trajectories"},
      {axis + "range = [1, 2] }", "sampling = \"random\"\nsamples = 1000000001\n",
       "sweep.samples: a sweep has at most 1e9 trajectories"},
      {w_axis, "samples = 3\n", "sweep.samples: is for sampling = \"latin-hypercube\" or \"random\""},
      {axis + "range = [1, 2] }", "sampling = \"random\"\n",
       "sweep.samples: must be 1 or more for sampling = \"random\""},
      // Sampling.
      {w_axis, "sampling = \"gird\"\n", "sweep.sampling: there is no sampling \"gird\"; did you mean grid?"},
      {axis + "values = [1] }", sampled, "sweep.axis[0].values: cannot be sampled: give range = [2.0, 4.0]"},
      {axis + "count = 0 }", sampled, "sweep.axis[0]: needs range = [2.0, 4.0] for sampling = \"random\""},
      {w_axis, sampled, "sweep.axis[0].count: is for a grid: with sampling = \"random\" sweep.samples says how many"},
      {axis + "values = [1, 2], pieces = 2 }", "", "sweep.axis[0].pieces: are those of a continuation"},
      {axis + "values = [1, 2], overlap = 2 }", "", "sweep.axis[0].overlap: is that of pieces: give pieces"},
      {axis + "values = [1, 2], continuation = \"both\", pieces = 0 }", "", "sweep.axis[0].pieces: must be 1 or more"},
      {axis + "values = [1, 2], continuation = \"both\", pieces = 3 }", "",
       "sweep.axis[0].pieces: must be at most the number of values, 2, got 3"},
      {axis + "range = [1, 2], continuation = \"forward\" }", sampled,
       "sweep.axis[0].continuation: needs neighbours, which only a grid has"},
  };
  for (const auto& [axes, further, message] : cases)
    EXPECT_THAT(complaint(sweep_over(axes, further)), HasSubstr(message)) << axes << "\n" << further;
}

TEST(SweepPlan, RefusesRecordsThatMakeNoSense) {
  const auto with = [](const std::string& record, const std::string& further = "") {
    return complaint(replaced(sweep_over(w_axis, further), "record = \"stroboscopic\"", "record = " + record));
  };
  EXPECT_EQ(with("\"impacts\""), "");
  EXPECT_EQ(with("{ section = \"x_dot\" }", "skip = 3\npoints = 2\nmeasure = [\"lyapunov\", \"attractors\"]\n"), "");
  EXPECT_EQ(with("\"statistics\"", "impulse_bins = [0, 1]\nmeasure = [\"lyapunov\"]\n"), "");
  EXPECT_THAT(with("\"stroboscopc\""),
              HasSubstr("sweep.record: there is no record \"stroboscopc\"; did you mean stroboscopic?"));
  EXPECT_THAT(with("3"), HasSubstr("sweep.record: must be a word in quotes or a table, got 3"));
  EXPECT_THAT(with("{ section = \"x\", direction = \"up\" }"),
              HasSubstr("sweep.record.direction: there is no direction \"up\"; known: rising, falling, both"));
  EXPECT_THAT(with("{ direction = \"both\" }"), HasSubstr("sweep.record: the key 'section', such as section ="));
  EXPECT_THAT(with("{ section = \"x\", directoin = \"both\" }"),
              HasSubstr("unknown key 'directoin'; did you mean 'direction'?"));
  EXPECT_THAT(complaint(replaced(sweep_over(w_axis), "period = \"2*pi/w\"", "")),
              HasSubstr("sweep: the period is missing: record = \"stroboscopic\" needs period"));
  EXPECT_THAT(with("\"statistics\"", "skip = 1\n"), HasSubstr("sweep.skip: is for points"));
  EXPECT_THAT(with("\"statistics\"", "points = 1\n"), HasSubstr("sweep.points: is for points"));
  EXPECT_THAT(with("\"impacts\"", "impulse_bins = [0, 1]\n"),
              HasSubstr("sweep.impulse_bins: is for record = \"statistics\""));
  EXPECT_THAT(with("\"statistics\"", "impulse_bins = [0]\n"), HasSubstr("must have at least two edges"));
  EXPECT_THAT(with("\"impacts\"", "measure = [\"lyapunow\"]\n"),
              HasSubstr("sweep.measure[0]: there is no measure \"lyapunow\"; did you mean lyapunov?"));
  EXPECT_THAT(with("\"statistics\"", "measure = [\"attractors\"]\n"),
              HasSubstr("sweep.measure[0]: attractors are told apart by their points"));
}

TEST(SweepPlan, SettlingNeedsAPeriodAndAlonePassesALimit) {
  const auto with = [](const std::string& transient, const std::string& further) {
    return complaint(replaced(replaced(sweep_over(w_axis), "\"10*2*pi/w\"", transient), "record = \"stroboscopic\"",
                              "record = \"impacts\"") +
                     further);
  };
  EXPECT_EQ(with("\"settled\"", "settle_within = \"50*2*pi/w\"\n"), "");
  EXPECT_THAT(with("1.0", "settle_within = 5.0\n"), HasSubstr("sweep.settle_within: is for transient = \"settled\""));
  EXPECT_THAT(with("\"settled\"", "settle_within = 0.0\n"), HasSubstr("sweep.settle_within: must be positive, got 0"));
  const std::string without = replaced(replaced(sweep_over(w_axis), "\"10*2*pi/w\"", "\"settled\""),
                                       "record = \"stroboscopic\"\nperiod = \"2*pi/w\"", "record = \"impacts\"");
  EXPECT_THAT(complaint(without), HasSubstr("the period is missing: transient = \"settled\" looks at the state after"));
}

TEST(SweepPlan, RefusesNumbersOutOfRange) {
  const auto with = [](const std::string& old, const std::string& by) {
    return complaint(replaced(sweep_over(w_axis), old, by));
  };
  EXPECT_THAT(with("\"10*2*pi/w\"", "-1"), HasSubstr("sweep.transient: must be at least 0, got -1"));
  EXPECT_THAT(with("\"64*2*pi/w\"", "0"), HasSubstr("sweep.duration: must be positive, got 0"));
  EXPECT_THAT(with("duration = \"64*2*pi/w\"", ""), HasSubstr("sweep: the key 'duration', such as duration ="));
  EXPECT_THAT(with("period = \"2*pi/w\"", "period = 0"), HasSubstr("sweep.period: must be positive, got 0"));
  EXPECT_THAT(with("period = \"2*pi/w\"", "period = 1\nperiod_tolerance = 0"),
              HasSubstr("sweep.period_tolerance: must be positive, got 0"));
  EXPECT_THAT(with("period = ", "seed = -1\nperiod = "), HasSubstr("sweep.seed: must be a whole number, 0 or more"));
  EXPECT_THAT(with("period = ", "measures = []\nperiod = "),
              HasSubstr("unknown key 'measures'; did you mean 'measure'?"));
  EXPECT_THAT(with("count = 5", "count = 2.5"), HasSubstr("sweep.axis[0].count: must be a whole number, 0 or more"));
  EXPECT_THAT(with("count = 5", "cuont = 5"), HasSubstr("unknown key 'cuont'; did you mean 'count'?"));
}

}  // namespace
}  // namespace ricochet
