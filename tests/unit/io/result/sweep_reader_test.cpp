// Files of sweeps read back, as their writer makes them; a sentence for what is broken. Their pages and pictures.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <hdf5.h>

#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>

#include "io/format/hdf5_handle.hpp"
#include "io/result/sweep_reader.hpp"
#include "report/page_data.hpp"
#include "ricochet/core/error.hpp"
#include "ricochet/io/result/sweep_sink.hpp"
#include "ricochet/report/page.hpp"
#include "unit/io/result/result_support.hpp"

namespace ricochet::io_test {
namespace {

using io::read_sweep;
using io::StoredSweep;
using nlohmann::json;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::SizeIs;

// Two axes, 3 × 2 values, forward and backward: twelve trajectories; number i keeps i points, number 4 failed.
SweepFileHeader grid_header() {
  SweepFileHeader header;
  header.texts = io_test::header(1, 0, 1);
  header.record = "impacts";
  header.axes = {{.parameter = "model.parameters.w", .name = "w", .values = {1, 10, 100}, .logarithmic = true},
                 {.parameter = "initial.q.x0", .name = "a/b", .values = {-1, 1}}};
  header.shape = {2, 3, 2};
  header.both_directions = true;
  header.columns = {.points = {"t", "x0"}, .statistics = {}, .state = {"x0", "x0_dot"}};
  header.lyapunov = header.attractors = header.failures = true;
  header.trajectories = 12;
  header.rows = 66;
  return header;
}

SweepTrajectory trajectory_of(std::uint64_t i) {
  SweepTrajectory trajectory{.index = i, .steps = 100 * i, .impacts = 7};
  for (std::uint64_t k = 0; k < i; ++k) {
    trajectory.points.push_back(static_cast<double>(k));
    trajectory.points.push_back(static_cast<double>(100 * i + k));
  }
  if (i == 4) trajectory.failure = "it left every bound at t = 3: größer <b>";
  trajectory.period = static_cast<std::int64_t>(i % 3);
  trajectory.lyapunov = 0.1 * static_cast<double>(i) - 0.5;
  trajectory.final = {0.0, 1.0};
  return trajectory;
}

void write_grid(const fs::path& path) {
  const SweepFileHeader header = grid_header();
  const std::unique_ptr<SweepSink> sink = sweep_file_sink(path);
  sink->begin(header);
  for (std::uint64_t i = 0; i < 12; ++i)
    sink->add(trajectory_of(i), {header.axes[0].values[i % 6 / 2], header.axes[1].values[i % 2]},
              static_cast<std::int32_t>(i % 2), 0);
  sink->commit();
}

TEST(SweepReader, WhatWasWritten) {
  const TempFolder folder;
  write_grid(folder / "s.h5");
  const std::optional<StoredSweep> read = read_sweep(folder / "s.h5", {.careful = true});
  ASSERT_TRUE(read);
  const StoredSweep& sweep = *read;
  EXPECT_EQ(sweep.record, "impacts");
  EXPECT_EQ(sweep.title, "Bäll");
  EXPECT_THAT(sweep.coordinates, ElementsAre("x0"));
  EXPECT_TRUE(sweep.both_directions && sweep.is_grid());
  ASSERT_THAT(sweep.axes, SizeIs(2));
  EXPECT_EQ(sweep.axes[0].name, "w");
  EXPECT_EQ(sweep.axes[0].parameter, "model.parameters.w");
  EXPECT_TRUE(sweep.axes[0].logarithmic && !sweep.axes[1].logarithmic);
  EXPECT_EQ(sweep.axes[1].name, "a/b");
  EXPECT_THAT(sweep.axes[1].values, ElementsAre(-1, 1));
  EXPECT_EQ(sweep.count, 12);
  EXPECT_THAT(sweep.values[0], ElementsAre(1, 1, 10, 10, 100, 100, 1, 1, 10, 10, 100, 100));
  EXPECT_EQ(sweep.failed, 1);
  ASSERT_THAT(sweep.failures, SizeIs(1));
  EXPECT_EQ(sweep.failures[0].first, 4);
  EXPECT_THAT(sweep.failures[0].second, HasSubstr("größer"));
  EXPECT_THAT(sweep.point_names, ElementsAre("t", "x0"));
  EXPECT_EQ(sweep.point_count(), 66);
  EXPECT_EQ(sweep.points[1][sweep.first[5] + 2], 502);
  EXPECT_EQ(sweep.period[5], 2);
  EXPECT_EQ(sweep.attractor[5], 1);
  EXPECT_EQ(sweep.steps[5], 500);
  EXPECT_DOUBLE_EQ(sweep.lyapunov[5], 0.0);
}

// Every trajectory keeps its last points.
TEST(SweepReader, ThinsOut) {
  const TempFolder folder;
  write_grid(folder / "s.h5");
  const std::optional<StoredSweep> sweep = read_sweep(folder / "s.h5", {.points_max = 33});
  ASSERT_TRUE(sweep);
  EXPECT_EQ(sweep->points_in_file, 66);
  EXPECT_EQ(sweep->first[11] - sweep->first[10], 5);  // of 10
  EXPECT_EQ(sweep->first[12] - sweep->first[11], 6);  // of 11
  EXPECT_EQ(sweep->points[1][sweep->first[10]], 1005);
  EXPECT_EQ(sweep->points[1].back(), 1110);
  EXPECT_THAT(report::sweep_json(*sweep, {}), HasSubstr("The file holds 66 points. Here are 36 of them"));
}

TEST(SweepReader, OtherFilesAreNone) {
  const TempFolder folder;
  EXPECT_FALSE(read_sweep(folder / "none.h5"));
  EXPECT_FALSE(read_sweep(folder / "."));
  std::ofstream(folder / "x.h5") << "text";
  EXPECT_FALSE(read_sweep(folder / "x.h5"));
  const auto writer = open_result(folder / "run.h5", header(1, 0, 1));
  feed(*writer, header(1, 0, 1), 0, 10);
  writer->finish(solution());
  EXPECT_FALSE(read_sweep(folder / "run.h5", {.careful = true}));
  EXPECT_FALSE(read_sweep(folder / "run.h5"));
  EXPECT_THROW(write_sweep_page(folder / "run.h5", folder / "p.html"), FileError);
}

// Changes one dataset of a good file.
class BrokenSweep : public testing::Test {
 protected:
  BrokenSweep() { write_grid(folder_ / "s.h5"); }

  // Other numbers in place of a dataset.
  void replace(const char* name, const std::vector<double>& values) {
    const Hdf5Handle file(H5Fopen((folder_ / "s.h5").c_str(), H5F_ACC_RDWR, H5P_DEFAULT), H5Fclose);
    ASSERT_GE(H5Ldelete(file, name, H5P_DEFAULT), 0);
    const hsize_t size = values.size();
    const Hdf5Handle space(H5Screate_simple(1, &size, nullptr), H5Sclose);
    const Hdf5Handle set(H5Dcreate2(file, name, H5T_IEEE_F64LE, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT),
                         H5Dclose);
    ASSERT_GE(H5Dwrite(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()), 0);
  }
  std::string complaint() {
    try {
      read_sweep(folder_ / "s.h5", {.careful = true});
    } catch (const FileError& error) {
      return error.what();
    }
    return "";
  }

  TempFolder folder_;
};

TEST_F(BrokenSweep, TooFewRows) {
  replace("period", {1, 2, 3});
  EXPECT_THAT(complaint(), HasSubstr("s.h5: is a broken sweep: period has 3 rows for 12 trajectories"));
}

TEST_F(BrokenSweep, OffsetsThatFall) {
  replace("first", {0, 5, 4, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15});
  EXPECT_THAT(complaint(), HasSubstr("first does not grow, or leads beyond points"));
}

TEST_F(BrokenSweep, OffsetsBeyondTheEnd) {
  replace("first", {0, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 67});
  EXPECT_THAT(complaint(), HasSubstr("first does not grow, or leads beyond points"));
}

TEST_F(BrokenSweep, AnAxisOfAnotherLength) {
  replace("axes/w", {1, 2});
  EXPECT_THAT(complaint(), HasSubstr("axis w has 2 values, where its shape has 3"));
}

TEST_F(BrokenSweep, CutShort) {
  const std::string whole = text_of(folder_ / "s.h5");
  std::ofstream(folder_ / "s.h5", std::ios::binary) << whole.substr(0, whole.size() / 2);
  EXPECT_THAT(complaint(), HasSubstr("broken"));
}

TEST(SweepPage, HoldsTheSweep) {
  const TempFolder folder;
  write_grid(folder / "s.h5");
  const json data = json::parse(report::sweep_json(*read_sweep(folder / "s.h5"), {"a note"}));
  EXPECT_EQ(data.at("kind"), "sweep");
  EXPECT_EQ(data.at("notes"), json({"a note"}));
  EXPECT_EQ(data.at("axes")[0], json({{"name", "w"}, {"parameter", "model.parameters.w"}, {"log", true}, {"size", 3}}));
  EXPECT_EQ(data.at("columns"), json({"t", "x0"}));
  EXPECT_THAT(data.at("points"), SizeIs(2));
  EXPECT_THAT(data.at("values"), SizeIs(2));
  EXPECT_EQ(data.at("rows"), 66);
  EXPECT_EQ(data.at("failures")[0][0], 4);
}

TEST(SweepPage, NoTextEndsItsScript) {
  StoredSweep sweep;
  sweep.title = sweep.scenario_text = sweep.scheme = "</script><script>alert(1)</script>";
  sweep.count = 1;
  sweep.axes = {{.name = sweep.title, .parameter = sweep.title}};
  sweep.values = {{1.0}};
  sweep.failures = {{0, sweep.title}};
  sweep.failed = 1;
  sweep.statistics = {{1.0}};
  sweep.statistic_names = {sweep.title};
  EXPECT_EQ(json::parse(report::sweep_json(sweep, {})).at("scenario"), sweep.title);
  EXPECT_THAT(report::sweep_picture(sweep), testing::Not(HasSubstr("<script")));
  EXPECT_THAT(report::plain_sweep_page(sweep, {}), testing::Not(HasSubstr("<script")));
}

// A diagram of many points stays small, and keeps the branches of every trajectory.
TEST(SweepPicture, ThinsCrowdsNotBranches) {
  StoredSweep sweep;
  sweep.record = "stroboscopic";
  sweep.count = 500;
  sweep.axes = {{.name = "w", .parameter = "w"}};
  sweep.values.resize(1), sweep.points.resize(1), sweep.first = {0};
  sweep.point_names = sweep.coordinates = {"x"};
  for (int i = 0; i < 500; ++i) {
    sweep.axes[0].values.push_back(i);
    sweep.values[0].push_back(i);
    // A motion of period 2, then chaos.
    for (int k = 0; k < 400; ++k)
      sweep.points[0].push_back(i < 250 ? k % 2 : std::fmod(static_cast<double>(i * 400 + k) * 0.618034, 1.0));
    sweep.first.push_back(sweep.points[0].size());
  }
  sweep.shape = {500};
  const std::string picture = report::sweep_picture(sweep);
  const auto number_of = [&](const std::string& part) {
    std::size_t found = 0;
    for (std::size_t at = picture.find(part); at != std::string::npos; at = picture.find(part, at + 1)) ++found;
    return found;
  };
  EXPECT_LE(number_of("h0"), 20'500);
  EXPECT_GE(number_of("h0"), 15'000);
  EXPECT_THAT(picture, HasSubstr(">w</text>"));
  // All of the branches at 0 and 1, though there are 40 times as many points.
  EXPECT_GE(number_of(" 406.3h0"), 250);
  EXPECT_GE(number_of(" 51.7h0"), 250);
}

TEST(SweepPicture, MapOfTwoAxes) {
  const TempFolder folder;
  write_grid(folder / "s.h5");
  const std::optional<PageAndPicture> made = report_sweep(folder / "s.h5", {.careful = true, .picture = true});
  ASSERT_TRUE(made);
  // Attractors by the period of the first trajectory on them.
  EXPECT_THAT(made->picture, HasSubstr(">attractor</text>"));
  EXPECT_THAT(made->picture, HasSubstr(">0: not periodic</text>"));
  EXPECT_THAT(made->picture, HasSubstr(">1: period 1</text>"));
  EXPECT_THAT(made->picture, HasSubstr("failed"));
  EXPECT_THAT(made->page, HasSubstr("Bäll"));
}

}  // namespace
}  // namespace ricochet::io_test
