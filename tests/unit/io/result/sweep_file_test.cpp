// The result of a sweep, read back.
#include "ricochet/io/result/sweep_sink.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <cmath>
#include <thread>

#include "io/result/sweep_reader.hpp"
#include "ricochet/core/error.hpp"
#include "unit/io/result/result_support.hpp"
#include "unit/io/result/sweep_support.hpp"

namespace ricochet {
namespace {

using io_test::FileSizeLimit;
using io_test::TempFolder;
using io_test::text_of;
using sweep_test::trajectory;
using testing::ElementsAre;
using testing::IsEmpty;

SweepFileHeader header(std::uint64_t trajectories) {
  SweepFileHeader result;
  result.texts = io_test::header(1, 0, 1);
  result.record = "stroboscopic";
  SweepAxis w{.parameter = "model.parameters.w", .name = "w"},
      e{.parameter = "model.constraint.wall.restitution", .name = "restitution"};
  w.values = {1.0, 10.0};
  w.logarithmic = true;
  for (std::uint64_t i = 0; i < trajectories / 2; ++i) e.values.push_back(0.1 * static_cast<double>(i));
  result.axes = {w, e};
  result.shape = {2, trajectories / 2};
  result.columns = sweep_test::columns();
  result.trajectories = trajectories;
  for (std::uint64_t i = 0; i < trajectories; ++i) result.rows += i % 5;
  return result;
}

std::vector<double> values(std::uint64_t i) { return {static_cast<double>(i), -static_cast<double>(i)}; }

void write(const std::filesystem::path& path, const SweepFileHeader& with, std::uint64_t fails = 1000000) {
  const std::unique_ptr<SweepSink> sink = sweep_file_sink(path);
  sink->begin(with);
  for (std::uint64_t i = 0; i < with.trajectories; ++i)
    sink->add(trajectory(i, i == fails ? "it broke" : ""), values(i), static_cast<std::int32_t>(i % 4) - 1, 0);
  sink->commit();
}

TEST(SweepFile, IsWhatItsReaderTakes) {
  const TempFolder folder;
  SweepFileHeader with = header(8);
  with.lyapunov = with.attractors = with.failures = true;
  write(folder / "a.h5", with, 6);
  EXPECT_THAT(folder.names(true), IsEmpty());

  const auto sweep = io::read_sweep(folder / "a.h5");
  ASSERT_TRUE(sweep);
  EXPECT_EQ(sweep->record, "stroboscopic");
  EXPECT_EQ(sweep->scheme, "moreau-jean");
  EXPECT_EQ(sweep->scenario_text, with.texts.scenario_text);
  EXPECT_THAT(sweep->shape, ElementsAre(2, 4));
  EXPECT_TRUE(sweep->is_grid());
  EXPECT_EQ(sweep->axes[0].name, "w");
  EXPECT_TRUE(sweep->axes[0].logarithmic);
  EXPECT_EQ(sweep->axes[1].parameter, "model.constraint.wall.restitution");
  EXPECT_FALSE(sweep->axes[1].logarithmic);
  EXPECT_EQ(sweep->axes[1].values, with.axes[1].values);
  EXPECT_EQ(sweep->count, 8u);
  EXPECT_THAT(sweep->first, ElementsAre(0, 0, 1, 3, 6, 10, 10, 11, 13));
  EXPECT_THAT(sweep->status, ElementsAre(0, 0, 0, 0, 0, 0, 1, 0));
  EXPECT_THAT(sweep->period, ElementsAre(0, 1, 2, 0, 1, 2, 0, 1));
  EXPECT_THAT(sweep->attractor, ElementsAre(-1, 0, 1, 2, -1, 0, 1, 2));
  EXPECT_EQ(sweep->steps[5], 105.0);
  EXPECT_EQ(sweep->impacts[5], 15.0);
  EXPECT_EQ(sweep->lyapunov[4], 0.4);
  EXPECT_TRUE(std::isnan(sweep->lyapunov[3]));
  ASSERT_EQ(sweep->failures.size(), 1u);
  EXPECT_EQ(sweep->failures[0], (std::pair<std::uint64_t, std::string>(6, "it broke")));
  EXPECT_EQ(sweep->point_names, with.columns.points);
  for (std::uint64_t i = 0; i < 8; ++i) {
    EXPECT_EQ(sweep->values[1][i], -static_cast<double>(i));
    for (std::uint64_t row = sweep->first[i]; row < sweep->first[i + 1]; ++row)
      EXPECT_EQ(sweep->points[2][row], trajectory(i).points[3 * (row - sweep->first[i]) + 2]);
  }
}

TEST(SweepFile, HasOnlyWhatThereIs) {
  const TempFolder folder;
  SweepFileHeader with = header(4);
  with.record = "statistics";
  with.columns.points.clear();
  with.columns.statistics = {"x.mean", "x.rms"};
  with.impulse_edges = {0.0, 0.5, 1.0, 2.0};
  with.rows = 0;
  with.failures = true;
  with.axes[0].values.clear();
  with.axes[1].values.clear();
  with.shape = {4};
  write(folder / "a.h5", with, 2);
  const auto sweep = io::read_sweep(folder / "a.h5");
  ASSERT_TRUE(sweep);
  EXPECT_FALSE(sweep->is_grid());
  EXPECT_THAT(sweep->points, IsEmpty());
  EXPECT_THAT(sweep->lyapunov, IsEmpty());
  EXPECT_THAT(sweep->attractor, IsEmpty());
  EXPECT_THAT(sweep->statistic_names, ElementsAre("x.mean", "x.rms"));
  EXPECT_EQ(sweep->statistics[1][3], 3.5);
  EXPECT_TRUE(std::isnan(sweep->statistics[1][2]));
  EXPECT_EQ(sweep->histogram[2][3], 3.0);
  EXPECT_THAT(sweep->impulse_edges, ElementsAre(0.0, 0.5, 1.0, 2.0));
}

// Blocks end in the middle; the second file is written in another second.
TEST(SweepFile, TheSameSweepIsTheSameBytes) {
  const TempFolder folder;
  SweepFileHeader with = header(40000);
  with.lyapunov = with.attractors = with.failures = true;
  write(folder / "a.h5", with, 777);
  std::this_thread::sleep_for(std::chrono::milliseconds(1100));
  write(folder / "b.h5", with, 777);
  EXPECT_EQ(text_of(folder / "a.h5"), text_of(folder / "b.h5"));
  const auto sweep = io::read_sweep(folder / "a.h5");
  ASSERT_TRUE(sweep);
  EXPECT_EQ(sweep->points[1].back(), 100.0 * 39999 + 31);
  EXPECT_EQ(sweep->steps[39999], 40099.0);
  EXPECT_EQ(sweep->failures.at(0).second, "it broke");
}

TEST(SweepFile, AFullDiskLeavesTheOldOne) {
  const TempFolder folder;
  write(folder / "a.h5", header(4));
  const std::string before = text_of(folder / "a.h5");
  {
    const FileSizeLimit limit(100000);
    EXPECT_THROW(write(folder / "a.h5", header(40000)), FileError);
  }
  EXPECT_EQ(text_of(folder / "a.h5"), before);
  EXPECT_THAT(folder.names(true), IsEmpty());
}

TEST(SweepSink, PointsOrStatisticsAsCsv) {
  const TempFolder folder;
  SweepFileHeader with = header(3);
  with.axes[1].name = "model.parameters.a";
  with.rows = 3;
  {
    const std::unique_ptr<SweepSink> sink = sweep_file_sink(folder / "a.h5", folder / "points.csv");
    sink->begin(with);
    for (const std::uint64_t i : {0, 2, 6}) sink->add(trajectory(i), {0.1, static_cast<double>(i)}, 0, 0);
    sink->commit();
  }
  EXPECT_EQ(text_of(folder / "points.csv"),
            "w,model.parameters.a,trajectory,t,x,x_dot\n"
            "0.1,2,2,200,201,202\n0.1,2,2,210,211,212\n0.1,6,6,600,601,602\n");
  with.axes.resize(1);
  with.columns = {.points = {}, .statistics = {"x.mean", "x.rms"}, .state = {"x"}};
  {
    const std::unique_ptr<SweepSink> sink = sweep_file_sink(folder / "a.h5", folder / "means.csv");
    sink->begin(with);
    for (const std::uint64_t i : {1, 2}) sink->add(trajectory(i, i == 2 ? "it broke" : ""), {1.0 / 3.0}, 0, 0);
    sink->commit();
  }
  EXPECT_EQ(text_of(folder / "means.csv"), "w,trajectory,x.mean,x.rms\n0.3333333333333333,1,1.25,1.5\n");
}

}  // namespace
}  // namespace ricochet
