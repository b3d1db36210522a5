// HDF5, read back with its C interface.
#include <gtest/gtest.h>
#include <hdf5.h>

#include <chrono>
#include <cstdint>
#include <thread>

#include "io/format/hdf5_handle.hpp"
#include "ricochet/io/result/result_writer.hpp"
#include "unit/io/result/result_support.hpp"

namespace ricochet::io_test {
namespace {

class File {
 public:
  explicit File(const fs::path& path) : id_(H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT), H5Fclose) {}

  explicit operator bool() const { return static_cast<bool>(id_); }
  bool has(const char* name) const { return H5Lexists(id_, name, H5P_DEFAULT) > 0; }

  std::vector<hsize_t> shape(const char* name) const {
    const Hdf5Handle set(H5Dopen2(id_, name, H5P_DEFAULT), H5Dclose);
    const Hdf5Handle space(H5Dget_space(set), H5Sclose);
    std::vector<hsize_t> result(static_cast<std::size_t>(H5Sget_simple_extent_ndims(space)));
    H5Sget_simple_extent_dims(space, result.data(), nullptr);
    return result;
  }

  template <class Number>
  std::vector<Number> values(const char* name) const {
    std::size_t count = 1;
    for (const hsize_t size : shape(name)) count *= size;
    std::vector<Number> result(count);
    const Hdf5Handle set(H5Dopen2(id_, name, H5P_DEFAULT), H5Dclose);
    const hid_t type = sizeof(Number) == 8 ? H5T_NATIVE_DOUBLE : H5T_NATIVE_INT32;
    if (count > 0 && H5Dread(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, result.data()) < 0) result.clear();
    return result;
  }

  bool has_attribute(const char* owner, const char* name) const {
    return H5Aexists_by_name(id_, owner, name, H5P_DEFAULT) > 0;
  }

  // One text for a single value, as many as there are for a list.
  std::vector<std::string> texts(const char* owner, const char* name) const {
    const Hdf5Handle attribute(H5Aopen_by_name(id_, owner, name, H5P_DEFAULT, H5P_DEFAULT), H5Aclose);
    const Hdf5Handle space(H5Aget_space(attribute), H5Sclose), type(H5Aget_type(attribute), H5Tclose);
    EXPECT_GT(H5Tis_variable_str(type), 0);
    EXPECT_EQ(H5Tget_cset(type), H5T_CSET_UTF8);
    std::vector<char*> read(static_cast<std::size_t>(H5Sget_simple_extent_npoints(space)) + 1);
    H5Aread(attribute, type, read.data());
    std::vector<std::string> result;
    for (std::size_t i = 0; i + 1 < read.size(); ++i) result.emplace_back(read[i]);
    H5Dvlen_reclaim(type, space, H5P_DEFAULT, read.data());
    return result;
  }
  std::string text(const char* owner, const char* name) const { return texts(owner, name).at(0); }

  double number(const char* owner, const char* name) const {
    const Hdf5Handle attribute(H5Aopen_by_name(id_, owner, name, H5P_DEFAULT, H5P_DEFAULT), H5Aclose);
    double result = 0.0;
    H5Aread(attribute, H5T_NATIVE_DOUBLE, &result);
    return result;
  }

 private:
  Hdf5Handle id_;
};

using Shape = std::vector<hsize_t>;

TEST(IoHdf5, DataOverSeveralBlocks) {
  const TempFolder folder;
  const ResultHeader names = header(2, 1, 3);
  constexpr long rows = 2 * 4096 + 1;
  auto writer = open_result(folder / "a.h5", names);
  feed(*writer, names, 0, rows);
  for (long i = 0; i < 5000; ++i) writer->impact(impact(i, 3));
  writer->finish(solution());

  const File file(folder / "a.h5");
  ASSERT_TRUE(file);
  const char* matrices[] = {"q", "v", "z", "gap", "rate", "impulse"};
  const int widths[] = {2, 2, 1, 3, 3, 3};
  for (int k = 0; k < 6; ++k) {
    EXPECT_EQ(file.shape(matrices[k]), (Shape{rows, static_cast<hsize_t>(widths[k])}));
    std::vector<double> expected;
    for (long i = 0; i < rows; ++i)
      for (int j = 0; j < widths[k]; ++j) expected.push_back(value(k, i, j));
    EXPECT_EQ(file.values<double>(matrices[k]), expected) << matrices[k];
  }
  std::vector<double> t, kinetic, potential, total;
  for (long i = 0; i < rows; ++i) {
    t.push_back(static_cast<double>(i));
    kinetic.push_back(value(6, i, 0));
    potential.push_back(value(7, i, 0));
    total.push_back(value(6, i, 0) + value(7, i, 0));
  }
  EXPECT_EQ(file.shape("t"), Shape{rows});
  EXPECT_EQ(file.values<double>("t"), t);
  EXPECT_EQ(file.values<double>("energy/kinetic"), kinetic);
  EXPECT_EQ(file.values<double>("energy/potential"), potential);
  EXPECT_EQ(file.values<double>("energy/total"), total);

  const auto impact_t = file.values<double>("impacts/t"), minus = file.values<double>("impacts/rate_minus"),
             plus = file.values<double>("impacts/rate_plus"), impulse = file.values<double>("impacts/impulse"),
             loss = file.values<double>("impacts/energy_loss");
  const auto constraint = file.values<std::int32_t>("impacts/constraint"),
             discontinuous = file.values<std::int32_t>("impacts/discontinuous");
  ASSERT_EQ(impact_t.size(), 5000u);
  for (std::size_t i = 0; i < 5000; ++i)
    EXPECT_EQ((Impact{impact_t[i], constraint[i], minus[i], plus[i], impulse[i], loss[i], discontinuous[i] == 1, {}}),
              impact(static_cast<long>(i), 3));
}

TEST(IoHdf5, Attributes) {
  const TempFolder folder;
  const ResultHeader names = header(2, 1, 3);
  auto writer = open_result(folder / "a.hdf5", names);
  feed(*writer, names, 0, 1);
  writer->finish(solution());
  const File file(folder / "a.hdf5");
  ASSERT_TRUE(file);
  EXPECT_EQ(file.text(".", "scenario"), names.scenario_text);
  EXPECT_EQ(file.text(".", "version"), "1.2.3");
  EXPECT_EQ(file.text(".", "title"), "Bäll");
  EXPECT_EQ(file.text(".", "scheme"), "moreau-jean");
  EXPECT_EQ(file.text(".", "scheme_parameters"), R"({"theta":0.5,"tableau":"gauss-2"})");
  EXPECT_EQ(file.text(".", "units"), "as in the scenario");
  EXPECT_EQ(file.text(".", "status"), "completed");
  EXPECT_FALSE(file.has_attribute(".", "failure"));
  EXPECT_EQ(file.number(".", "steps"), 42.0);
  EXPECT_EQ(file.texts(".", "coordinates"), names.coordinates);
  EXPECT_EQ(file.texts(".", "states"), names.states);
  EXPECT_EQ(file.texts(".", "constraints"), names.constraints);
  EXPECT_EQ(file.text("v", "units"), "coordinate/time");
  const EnergyLedger ledger = solution().energy;
  EXPECT_EQ(file.number("energy", "initial"), ledger.initial);
  EXPECT_EQ(file.number("energy", "final"), ledger.final);
  EXPECT_EQ(file.number("energy", "input"), ledger.input);
  EXPECT_EQ(file.number("energy", "damping"), ledger.damping);
  EXPECT_EQ(file.number("energy", "impact"), ledger.impact);
  EXPECT_EQ(file.number("energy", "numerical"), ledger.numerical);
}

TEST(IoHdf5, AFailedRunSaysWhy) {
  const TempFolder folder;
  Solution failed = solution();
  failed.status = Status::failed;
  failed.failure.message = "x became infinite at t = 3";
  open_result(folder / "a.h5", header(1, 0, 1))->finish(failed);
  const File file(folder / "a.h5");
  EXPECT_EQ(file.text(".", "status"), "failed");
  EXPECT_EQ(file.text(".", "failure"), "x became infinite at t = 3");
}

TEST(IoHdf5, EmptyThingsKeepTheirShapes) {
  const TempFolder folder;
  const ResultHeader names = header(1, 0, 0);
  auto writer = open_result(folder / "a.h5", names);
  feed(*writer, names, 0, 5);
  writer->finish(solution());
  const File file(folder / "a.h5");
  EXPECT_FALSE(file.has("z"));
  for (const char* name : {"gap", "rate", "impulse"}) EXPECT_EQ(file.shape(name), (Shape{5, 0})) << name;
  for (const char* name : {"impacts/t", "impacts/constraint", "impacts/energy_loss"})
    EXPECT_EQ(file.shape(name), Shape{0}) << name;
  EXPECT_TRUE(file.texts(".", "constraints").empty());
}

TEST(IoHdf5, ManyNamesAndALongScenario) {
  const TempFolder folder;
  ResultHeader names = header(9000, 0, 1);
  names.scenario_text.assign(std::size_t{5} << 20, 'x');
  auto writer = open_result(folder / "a.h5", names);
  feed(*writer, names, 0, 40);
  writer->finish(solution());
  const File file(folder / "a.h5");
  EXPECT_EQ(file.texts(".", "coordinates"), names.coordinates);
  EXPECT_EQ(file.text(".", "scenario"), names.scenario_text);
  EXPECT_EQ(file.shape("q"), (Shape{40, 9000}));
  EXPECT_EQ(file.values<double>("q").back(), value(0, 39, 8999));
}

// What a killed run would leave: a copy of the temporary file, taken while the writer lives.
TEST(IoHdf5, IsReadableAtAnyTime) {
  const TempFolder folder;
  const ResultHeader names = header(1, 0, 1);
  const fs::path partial = folder / fmt::format(".a.h5.{}.partial", ::getpid()), copy = folder / "copy.h5";
  auto writer = open_result(folder / "a.h5", names);
  // Enough blocks for the trees of chunks to grow and split.
  constexpr long stride = 40000;
  for (long i = 0; i < 30; ++i) {
    feed(*writer, names, i * stride, (i + 1) * stride);
    fs::copy_file(partial, copy, fs::copy_options::overwrite_existing);
    const File file(copy);
    ASSERT_TRUE(file) << i;
    EXPECT_EQ(file.text(".", "status"), "interrupted");
    const std::vector<double> t = file.values<double>("t"), q = file.values<double>("q");
    EXPECT_GT(static_cast<long>(t.size()), (i + 1) * stride - 17 * 4096);
    ASSERT_EQ(t.size(), q.size());
    for (std::size_t k = 0; k < t.size(); k += 97) {
      ASSERT_EQ(t[k], static_cast<double>(k));
      ASSERT_EQ(q[k], value(0, static_cast<long>(k), 0));
    }
  }
}

TEST(IoHdf5, IsSavedEveryFewSeconds) {
  const TempFolder folder;
  const ResultHeader names = header(1, 0, 1);
  const fs::path partial = folder / fmt::format(".a.h5.{}.partial", ::getpid()), copy = folder / "copy.h5";
  auto writer = open_result(folder / "a.h5", names);
  feed(*writer, names, 0, 3);
  writer->impact(impact(0, 1));
  std::this_thread::sleep_for(std::chrono::milliseconds(2100));
  writer->progress(3, 10);
  fs::copy_file(partial, copy);
  EXPECT_EQ(File(copy).shape("q"), (Shape{3, 1}));
  EXPECT_EQ(File(copy).shape("impacts/t"), Shape{1});

  // The rows already saved are not doubled.
  feed(*writer, names, 3, 5);
  writer->finish(solution());
  EXPECT_EQ(File(folder / "a.h5").values<double>("t"), (std::vector<double>{0, 1, 2, 3, 4}));
}

TEST(IoHdf5, AFullDiskLeavesWhatWasSaved) {
  for (const rlim_t limit : {600000, 1000000, 2000000, 3000000, 4000000}) {
    const TempFolder folder;
    const ResultHeader names = header(2, 0, 1);
    {
      const FileSizeLimit full(limit);
      auto writer = open_result(folder / "a.h5", names);
      EXPECT_ANY_THROW(feed(*writer, names, 0, 200000));
    }
    const File file(folder / fmt::format(".a.h5.{}.partial", ::getpid()));
    ASSERT_TRUE(file) << limit;
    const std::vector<double> t = file.values<double>("t");
    ASSERT_GE(t.size(), 4096u) << limit;
    for (std::size_t k = 0; k < t.size(); ++k) ASSERT_EQ(t[k], static_cast<double>(k));
    EXPECT_EQ(file.shape("v"), (Shape{t.size(), 2}));
  }
}

// The program's own settings for HDF5's error printing are left alone.
TEST(IoHdf5, ErrorPrintingIsRestored) {
  H5E_auto2_t before = nullptr, after = nullptr;
  void* data = nullptr;
  H5Eget_auto2(H5E_DEFAULT, &before, &data);
  const TempFolder folder;
  open_result(folder / "a.h5", header(1, 0, 1))->finish(solution());
  H5Eget_auto2(H5E_DEFAULT, &after, &data);
  EXPECT_NE(before, nullptr);
  EXPECT_EQ(before, after);
}

TEST(IoHdf5, ThreadsWriteTheirOwnFiles) {
  const TempFolder folder;
  const ResultHeader names = header(1, 0, 1);
  const auto run = [&](const std::string& name) {
    auto writer = open_result(folder / name, names);
    feed(*writer, names, 0, 50000);
    writer->finish(solution());
  };
  std::thread one([&] { run("one.h5"); }), two([&] { run("two.h5"); });
  one.join();
  two.join();
  EXPECT_EQ(File(folder / "one.h5").values<double>("t").size(), 50000u);
  EXPECT_TRUE(text_of(folder / "one.h5") == text_of(folder / "two.h5"));
}

}  // namespace
}  // namespace ricochet::io_test
