// Results read back: the same numbers in every format; a sentence for everything else.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>

#include "ricochet/core/error.hpp"
#include "ricochet/io/result/result_reader.hpp"
#include "ricochet/io/result/result_writer.hpp"
#include "unit/io/result/result_support.hpp"

namespace ricochet::io_test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

constexpr int rows = 5000;  // more than a block

// Two coordinates, a state, two constraints, one of them with friction, a belt, two rows of joints, an observation;
// names beyond ASCII.
ResultHeader sample_header() {
  ResultHeader names = header(2, 1, 2);
  names.title = "Kugel fällt";
  names.scenario_text = "title = \"Kugel fällt\"\n";
  names.scheme = "moreau-jean";
  names.scheme_parameters = {{"theta", "0.5"}};
  names.version = "1.2.3";
  names.coordinates = {"x", "größe"};
  names.observations = {"tip"};
  names.joints = {"pin.reaction.1", "pin.reaction.2"};
  names.slips = {"wall1.slip", "belt.slip"};
  return names;
}

Impact first_impact() {
  return {.t = 0.25,
          .constraint = 1,
          .rate_minus = -1,
          .rate_plus = 0.5,
          .impulse = 1.5,
          .energy_loss = 0.375,
          .slip = {.minus = {2.5, 0}, .plus = {-0.5, 0}, .impulse = {-0.75, 0}, .status = SlipStatus::reverse}};
}

void write_sample(const std::filesystem::path& path, const ResultHeader& names = sample_header()) {
  auto writer = open_result(path, names);
  for (int i = 0; i < rows; ++i) {
    const double t = 0.1 * i, x = std::sin(t);
    const double q[] = {x, 2 * x}, v[] = {3 * x, 4 * x}, z[] = {5 * x}, gap[] = {6 * x, 7 * x}, rate[] = {8 * x, 9 * x};
    const double impulse[] = {0.0, x}, observed[] = {10 * x}, observed_rate[] = {11 * x}, reaction[] = {18 * x, 19 * x};
    const double slip[] = {20 * x, 21 * x}, friction[] = {22 * x, 23 * x};
    writer->record({.t = t,
                    .q = q,
                    .v = v,
                    .z = z,
                    .gap = gap,
                    .rate = rate,
                    .impulse = impulse,
                    .slip = slip,
                    .friction = friction,
                    .reaction = reaction,
                    .kinetic = 12 * x,
                    .potential = 13 * x,
                    .observed = observed,
                    .observed_rate = observed_rate,
                    .ledger = {14 * x, 15 * x, 16 * x, 24 * x, 17 * x}});
  }
  writer->impact(first_impact());
  writer->impact({.t = 0.75,
                  .constraint = 0,
                  .rate_minus = -2,
                  .rate_plus = 1,
                  .impulse = 3,
                  .energy_loss = 1.5,
                  .discontinuous = true});
  Solution end = solution();
  end.energy = {
      .initial = 5, .final = 2, .input = 1, .damping = -1.5, .impact = -2.25, .friction = -0.125, .numerical = -0.125};
  end.statistics.steps = 4999;
  writer->finish(end);
}

// What all formats hold.
void expect_sample(const StoredResult& result) {
  EXPECT_THAT(result.coordinates, ElementsAre("x", "größe"));
  EXPECT_EQ(result.states.size(), 1u);
  EXPECT_EQ(result.constraints.size(), 2u);
  EXPECT_THAT(result.observations, ElementsAre("tip"));
  EXPECT_THAT(result.slips, ElementsAre("wall1.slip", "belt.slip"));
  EXPECT_THAT(result.joints, ElementsAre("pin.reaction.1", "pin.reaction.2"));
  ASSERT_EQ(result.rows(), static_cast<std::size_t>(rows));
  for (std::size_t i : {0, 1, 4095, 4096, rows - 1}) {
    const double t = 0.1 * static_cast<double>(i), x = std::sin(t);
    EXPECT_EQ(result.t[i], t);
    EXPECT_EQ(result.q[1][i], 2 * x);
    EXPECT_EQ(result.v[0][i], 3 * x);
    EXPECT_EQ(result.z[0][i], 5 * x);
    EXPECT_EQ(result.gap[1][i], 7 * x);
    EXPECT_EQ(result.rate[0][i], 8 * x);
    EXPECT_EQ(result.impulse[1][i], x);
    EXPECT_EQ(result.slip[0][i], 20 * x);
    EXPECT_EQ(result.slip[1][i], 21 * x);
    EXPECT_EQ(result.friction[0][i], 22 * x);
    EXPECT_EQ(result.friction[1][i], 23 * x);
    EXPECT_EQ(result.reaction[0][i], 18 * x);
    EXPECT_EQ(result.reaction[1][i], 19 * x);
    EXPECT_EQ(result.observed[0][i], 10 * x);
    EXPECT_EQ(result.observed_rate[0][i], 11 * x);
    EXPECT_EQ(result.kinetic[i], 12 * x);
    EXPECT_EQ(result.potential[i], 13 * x);
  }
  ASSERT_EQ(result.impacts.size(), 2u);
  EXPECT_EQ(result.impacts[0], first_impact());
  EXPECT_TRUE(result.impacts[1].discontinuous);
}

void expect_attributes(const StoredResult& result) {
  EXPECT_EQ(result.title, "Kugel fällt");
  EXPECT_EQ(result.scenario_text, "title = \"Kugel fällt\"\n");
  EXPECT_EQ(result.scheme, "moreau-jean");
  EXPECT_EQ(result.scheme_parameters, "{\"theta\":0.5}");
  EXPECT_EQ(result.version, "1.2.3");
  EXPECT_EQ(result.status, "completed");
  EXPECT_EQ(result.steps, 4999u);
  ASSERT_EQ(result.energy.size(), 7u);
  EXPECT_EQ(result.energy[5], (std::pair<std::string, double>("friction", -0.125)));
  EXPECT_EQ(result.energy[4], (std::pair<std::string, double>("impact", -2.25)));
  ASSERT_TRUE(result.has_account());
  EXPECT_EQ(result.input.back(), 14 * std::sin(0.1 * (rows - 1)));
  EXPECT_EQ(result.friction_work.back(), 24 * std::sin(0.1 * (rows - 1)));
  EXPECT_EQ(result.numerical.back(), 17 * std::sin(0.1 * (rows - 1)));
  EXPECT_TRUE(result.notes.empty());
}

std::string complaint(const std::filesystem::path& path, const ReadSettings& settings = {}) {
  try {
    read_result(path, settings);
  } catch (const FileError& error) {
    return error.what();
  }
  return "no complaint";
}

// Two slips a contact in space.
TEST(IoResultReader, SlipsInSpace) {
  const TempFolder folder;
  ResultHeader names = header(1, 0, 2);
  names.slips = {"wall1.slip.1", "wall1.slip.2"};
  const Impact space = {.t = 0.5,
                        .constraint = 1,
                        .slip = {.minus = {1, 2}, .plus = {3, 4}, .impulse = {5, 6}, .status = SlipStatus::slide}};
  for (const char* ending : {"h5", "npz", "csv"}) {
    const auto path = folder / fmt::format("a.{}", ending);
    auto writer = open_result(path, names);
    const double one[] = {1, 2}, slip[] = {11, 12}, friction[] = {21, 22};
    writer->record(
        {.t = 0.1, .q = one, .v = one, .gap = one, .rate = one, .impulse = one, .slip = slip, .friction = friction});
    writer->impact(space);
    writer->impact({.t = 0.75, .constraint = 0});
    writer->finish(solution());
    const StoredResult result = read_result(path);
    EXPECT_EQ(result.slips, names.slips) << ending;
    EXPECT_EQ(result.slip, (StoredResult::Columns{{11}, {12}})) << ending;
    EXPECT_EQ(result.friction, (StoredResult::Columns{{21}, {22}})) << ending;
    ASSERT_EQ(result.impacts.size(), 2u) << ending;
    EXPECT_EQ(result.impacts[0], space) << ending;
    EXPECT_EQ(result.impacts[1], (Impact{.t = 0.75})) << ending;
  }
}

TEST(IoResultReader, Hdf5) {
  const TempFolder folder;
  write_sample(folder / "a.h5");
  const StoredResult result = read_result(folder / "a.h5");
  expect_sample(result);
  expect_attributes(result);
}

TEST(IoResultReader, Npz) {
  const TempFolder folder;
  write_sample(folder / "a.npz");
  const StoredResult result = read_result(folder / "a.npz");
  expect_sample(result);
  expect_attributes(result);
}

// The text of a scenario may be long: as long as a scenario file may be.
TEST(IoResultReader, NpzWithALongScenario) {
  const TempFolder folder;
  ResultHeader names = header(1, 0, 0);
  names.scenario_text = std::string(300'000, 'x');
  auto writer = open_result(folder / "a.npz", names);
  const double one[] = {1};
  writer->record({.t = 0.1, .q = one, .v = one});
  writer->finish(solution());
  EXPECT_EQ(read_result(folder / "a.npz").scenario_text, names.scenario_text);
}

TEST(IoResultReader, Csv) {
  const TempFolder folder;
  write_sample(folder / "a.csv");
  const StoredResult result = read_result(folder / "a.csv");
  expect_sample(result);
  EXPECT_EQ(result.title, "a");
  EXPECT_EQ(result.status, "unknown");
  EXPECT_FALSE(result.has_account());
  EXPECT_THAT(result.notes, ElementsAre(HasSubstr("neither the scenario nor the energy account")));
}

TEST(IoResultReader, CsvWithoutItsImpactsSaysSo) {
  const TempFolder folder;
  write_sample(folder / "a.csv");
  std::filesystem::remove(folder / "a.impacts.csv");
  EXPECT_THAT(read_result(folder / "a.csv").notes.front(), HasSubstr("there is no a.impacts.csv"));
}

// Names with commas and quotes, and a system that has hardly anything.
TEST(IoResultReader, OddNamesAndSmallSystems) {
  for (const char* name : {"a.h5", "a.npz", "a.csv"}) {
    const TempFolder folder;
    ResultHeader names = header(1, 0, 1);
    names.constraints = {"left, \"soft\""};
    auto writer = open_result(folder / name, names);
    const double one[] = {1.0};
    writer->record({.t = 0.5, .q = one, .v = one, .gap = one, .rate = one, .impulse = one});
    writer->impact({.t = 0.5});
    writer->finish(solution());
    const StoredResult result = read_result(folder / name);
    EXPECT_THAT(result.constraints, ElementsAre("left, \"soft\""));
    EXPECT_EQ(result.impacts.size(), 1u);
    EXPECT_EQ(result.observations.size(), 0u);
  }
}

// Joints without constraints, and a joint whose name has a point.
TEST(IoResultReader, JointsAlone) {
  for (const char* name : {"a.h5", "a.npz", "a.csv"}) {
    const TempFolder folder;
    ResultHeader names = header(1, 0, 0);
    names.joints = {"left.arm.reaction.1", "left.arm.reaction.12"};
    auto writer = open_result(folder / name, names);
    const double one[] = {1.0}, reaction[] = {-2.5, 1e-300};
    writer->record({.t = 0.5, .q = one, .v = one, .reaction = reaction});
    writer->finish(solution());
    const StoredResult result = read_result(folder / name);
    EXPECT_EQ(result.joints, names.joints) << name;
    ASSERT_EQ(result.reaction.size(), 2u) << name;
    EXPECT_THAT(result.reaction[0], ElementsAre(-2.5));
    EXPECT_THAT(result.reaction[1], ElementsAre(1e-300));
    EXPECT_TRUE(result.constraints.empty() && result.states.empty()) << name;
  }
}

TEST(IoResultReader, AnotherNameIsReadByItsFirstBytes) {
  const TempFolder folder;
  for (const char* name : {"a.h5", "a.npz"}) {
    write_sample(folder / name);
    std::filesystem::rename(folder / name, folder / "left.partial");
    expect_sample(read_result(folder / "left.partial"));
  }
}

TEST(IoResultReader, ALinkLeadsToItsFile) {
  const TempFolder folder;
  write_sample(folder / "a.h5");
  std::filesystem::create_symlink(folder / "a.h5", folder / "b.h5");
  expect_sample(read_result(folder / "b.h5"));
}

TEST(IoResultReader, MissingEmptyAndForeignFiles) {
  const TempFolder folder;
  const auto write = [&](const char* name, const std::string& text) { std::ofstream(folder / name) << text; };
  EXPECT_THAT(complaint(folder / "none.h5"), HasSubstr("cannot be read: No such file"));
  EXPECT_THAT(complaint(""), HasSubstr("is empty"));
  EXPECT_THAT(complaint(folder / ""), HasSubstr("is a folder"));
  for (const char* name : {"a.h5", "a.npz", "a.csv", "a.txt"}) {
    write(name, "");
    EXPECT_THAT(complaint(folder / name), HasSubstr("is empty")) << name;
    write(name, "Dear reader,\nthis is a letter.\n");
    EXPECT_NE(complaint(folder / name), "no complaint") << name;
  }
  EXPECT_THAT(complaint(folder / "a.h5"), HasSubstr("is not an HDF5 file"));
  EXPECT_THAT(complaint(folder / "a.txt"), HasSubstr("is no result file"));
  write("b.csv", "a,b\n1,2\n");
  EXPECT_THAT(complaint(folder / "b.csv"), HasSubstr("is no result of ricochet"));
  write("c.csv", "t,x,x_dot\n1,2,3\n");
  EXPECT_THAT(complaint(folder / "c.csv"), HasSubstr("energy.kinetic"));
}

// Cut at any length a file gives a sentence or, if only its end is missing, what it has; never anything else.
TEST(IoResultReader, TruncatedFiles) {
  for (const char* name : {"a.h5", "a.npz"}) {
    const TempFolder folder;
    write_sample(folder / name);
    const std::string whole = text_of(folder / name);
    int refused = 0, tried = 0;
    for (std::size_t size = 1; size < whole.size(); size += whole.size() / 97 + 1, ++tried) {
      std::ofstream(folder / name, std::ios::binary | std::ios::trunc) << whole.substr(0, size);
      refused += complaint(folder / name) != "no complaint" ? 1 : 0;
    }
    EXPECT_EQ(refused, tried) << name;
  }
}

// Texts with bytes that are no characters are read with U+FFFD in their place.
TEST(IoResultReader, Hdf5TextsThatAreNotUtf8) {
  const TempFolder folder;
  write_sample(folder / "a.h5");
  std::string bytes = text_of(folder / "a.h5");
  const std::size_t at = bytes.find("Kugel f\xc3\xa4llt");
  ASSERT_NE(at, std::string::npos);
  bytes.replace(at + 7, 2, "\xff\xff");
  std::ofstream(folder / "a.h5", std::ios::binary | std::ios::trunc) << bytes;
  EXPECT_EQ(read_result(folder / "a.h5").scenario_text, "title = \"Kugel f\xef\xbf\xbd\xef\xbf\xbdllt\"\n");
}

// Bytes changed at random give a sentence or some numbers, and never the end of the program.
// HDF5 itself reads beyond its memory in such files, which a sanitizer takes for a failure of the test.
TEST(IoResultReader, BrokenFiles) {
#ifdef RICOCHET_ADDRESS_SANITIZER
  const std::vector<std::string> names = {"a.npz"};
#else
  const std::vector<std::string> names = {"a.h5", "a.npz"};
#endif
  for (const std::string& name : names) {
    const TempFolder folder;
    write_sample(folder / name);
    const std::string whole = text_of(folder / name);
    int refused = 0;
    for (std::size_t k = 0; k < 30; ++k) {
      std::string broken = whole;
      for (std::size_t i = 0; i < 5; ++i) {
        char& byte = broken[(k * 7919 + i * 104729 + k * k * 31) % 4096];
        byte = static_cast<char>(byte ^ 0x55);
      }
      std::ofstream(folder / name, std::ios::binary | std::ios::trunc) << broken;
      refused += complaint(folder / name, {.careful = true}) != "no complaint" ? 1 : 0;
    }
    EXPECT_GT(refused, 5) << name;
  }
}

TEST(IoResultReader, ImpactsOfConstraintsThatAreNotThere) {
  const TempFolder folder;
  write_sample(folder / "a.csv");
  std::ofstream(folder / "a.impacts.csv", std::ios::app) << "1,nobody,0,0,0,0,0\n";
  EXPECT_THAT(complaint(folder / "a.csv"), HasSubstr("there is no constraint"));
}

}  // namespace
}  // namespace ricochet::io_test
