// NPZ: checksums, array headers, and an archive taken apart by its own directory.
#include <gtest/gtest.h>

#include <chrono>
#include <cstdint>
#include <cstring>
#include <map>
#include <thread>

#include "io/format/bytes.hpp"
#include "io/format/npy.hpp"
#include "io/format/zip_writer.hpp"
#include "ricochet/io/result/result_writer.hpp"
#include "unit/io/result/result_support.hpp"

namespace ricochet::io_test {
namespace {

// Little-endian number of `size` bytes.
std::uint64_t get(const std::string& bytes, std::uint64_t at, std::size_t size) {
  std::uint64_t result = 0;
  for (std::size_t i = size; i-- > 0;) result = (result << 8) | static_cast<unsigned char>(bytes.at(at + i));
  return result;
}

// The field of a zip64 extra that stands for the k-th overflowing number.
std::uint64_t extra_field(const std::string& bytes, std::uint64_t at, std::size_t k) {
  EXPECT_EQ(get(bytes, at, 2), 1u);
  EXPECT_GE(get(bytes, at + 2, 2), 8 * (k + 1));
  return get(bytes, at + 4 + 8 * k, 8);
}

constexpr std::uint64_t overflow = 0xFFFFFFFFu;

// Entries of an archive: found by the directory, checked against their local headers and checksums.
std::map<std::string, std::string> unzip(const std::string& bytes) {
  std::uint64_t end = bytes.size() - 22;
  EXPECT_EQ(get(bytes, end, 4), 0x06054B50u);
  std::uint64_t count = get(bytes, end + 10, 2), at = get(bytes, end + 16, 4);
  if (at == overflow) {
    EXPECT_EQ(get(bytes, end - 20, 4), 0x07064B50u);
    const std::uint64_t record = get(bytes, end - 20 + 8, 8);
    EXPECT_EQ(get(bytes, record, 4), 0x06064B50u);
    EXPECT_EQ(record + 56, end - 20);
    count = get(bytes, record + 32, 8);
    at = get(bytes, record + 48, 8);
    EXPECT_EQ(at + get(bytes, record + 40, 8), record);
  }

  std::map<std::string, std::string> result;
  for (; count > 0; --count) {
    EXPECT_EQ(get(bytes, at, 4), 0x02014B50u);
    const std::uint64_t name_size = get(bytes, at + 28, 2), extra_size = get(bytes, at + 30, 2);
    const std::string name = bytes.substr(at + 46, name_size);
    std::uint64_t size = get(bytes, at + 24, 4), offset = get(bytes, at + 42, 4);
    EXPECT_EQ(get(bytes, at + 20, 4), size);
    std::size_t k = 0;
    if (size == overflow) {
      size = extra_field(bytes, at + 46 + name_size, k++);
      EXPECT_EQ(extra_field(bytes, at + 46 + name_size, k++), size);
    }
    if (offset == overflow) offset = extra_field(bytes, at + 46 + name_size, k++);

    EXPECT_EQ(get(bytes, offset, 4), 0x04034B50u);
    EXPECT_EQ(get(bytes, offset + 14, 4), get(bytes, at + 16, 4)) << name;
    EXPECT_EQ(bytes.substr(offset + 30, name_size), name);
    if (get(bytes, offset + 22, 4) == overflow) {
      EXPECT_EQ(extra_field(bytes, offset + 30 + name_size, 0), size);
    }
    const std::uint64_t data = offset + 30 + get(bytes, offset + 26, 2) + get(bytes, offset + 28, 2);
    result[name] = bytes.substr(data, size);
    EXPECT_EQ(result[name].size(), size);
    EXPECT_EQ(crc32(0, result[name]), get(bytes, at + 16, 4)) << name;
    at += 46 + name_size + extra_size;
  }
  return result;
}

TEST(IoZip, ChecksumOfTheStandardText) {
  EXPECT_EQ(crc32(0, "123456789"), 0xCBF43926u);
  EXPECT_EQ(crc32(crc32(0, "1234"), "56789"), 0xCBF43926u);
  EXPECT_EQ(crc32(0, ""), 0u);
  EXPECT_EQ(crc32(0, "The quick brown fox jumps over the lazy dog"), 0x414FA339u);
}

TEST(IoZip, PlainAndZip64FormsHoldTheSame) {
  const TempFolder folder;
  const std::map<std::string, std::string> contents = {
      {"a", ""}, {"b/c", std::string(50, 'b')}, {"long", std::string(5000, 'x')}, {"z", "end"}};
  for (const std::uint64_t limit : {ZipWriter::largest_plain_size, std::uint64_t{1000}, std::uint64_t{10}}) {
    AtomicFile file(folder / "a.zip");
    ZipWriter zip(file, limit);
    for (const auto& [name, text] : contents) {
      zip.begin(name, text.size());
      zip.add(std::string_view(text).substr(0, text.size() / 2));
      zip.add(std::string_view(text).substr(text.size() / 2));
      zip.end();
    }
    zip.finish();
    file.commit();
    const std::string bytes = text_of(folder / "a.zip");
    EXPECT_EQ(unzip(bytes), contents) << limit;
    EXPECT_EQ(bytes.find("PK\x06\x06") != std::string::npos, limit < 5000);
  }
}

TEST(IoNpy, Headers) {
  EXPECT_EQ(npy_header("f8", {}).size(), npy_header_size);
  EXPECT_NE(npy_header("f8", {}).find("'shape': ()"), std::string::npos);
  EXPECT_NE(npy_header("f8", {7}).find("'shape': (7,)"), std::string::npos);
  EXPECT_NE(npy_header("f8", {7, 0}).find("'shape': (7, 0)"), std::string::npos);
  const std::string longest = npy_header("U18446744073709551615", {~std::uint64_t{0}, std::uint64_t{1} << 40});
  EXPECT_EQ(longest.size(), npy_header_size);
  EXPECT_EQ(longest.back(), '\n');
  EXPECT_EQ(longest.substr(0, 8), std::string("\x93NUMPY\x01\x00", 8));
  EXPECT_EQ(get(longest, 8, 2), npy_header_size - 10);
}

// The characters of a single text.
std::vector<std::uint32_t> characters(const std::string& text) {
  const std::string array = npy_text(text);
  std::vector<std::uint32_t> result((array.size() - npy_header_size) / 4);
  std::memcpy(result.data(), array.data() + npy_header_size, array.size() - npy_header_size);
  return result;
}

TEST(IoNpy, TextIsDecoded) {
  using Characters = std::vector<std::uint32_t>;
  EXPECT_EQ(characters("a\xC3\xA9\xE2\x82\xAC\xF0\x9F\x98\x80"), (Characters{'a', 0xE9, 0x20AC, 0x1F600}));
  EXPECT_EQ(characters(""), Characters{0});
  // Cut short, overlong, a surrogate, beyond the last character, a stray byte.
  EXPECT_EQ(characters("\xE2\x82"), (Characters{0xFFFD, 0xFFFD}));
  EXPECT_EQ(characters("\xC0\x80"), (Characters{0xFFFD, 0xFFFD}));
  EXPECT_EQ(characters("\xED\xA0\x80"), (Characters{0xFFFD, 0xFFFD, 0xFFFD}));
  EXPECT_EQ(characters("\xF4\x90\x80\x80"), (Characters{0xFFFD, 0xFFFD, 0xFFFD, 0xFFFD}));
  EXPECT_EQ(characters("\xFFx"), (Characters{0xFFFD, 'x'}));
}

std::string shape_of(const std::string& array) {
  const std::size_t begin = array.find("'shape': ") + 9;
  return array.substr(begin, array.find(')', begin) - begin + 1);
}

std::vector<double> numbers_of(const std::string& array) {
  std::vector<double> result((array.size() - npy_header_size) / 8);
  std::memcpy(result.data(), array.data() + npy_header_size, array.size() - npy_header_size);
  return result;
}

TEST(IoNpz, HoldsTheColumns) {
  const TempFolder folder;
  const ResultHeader names = header(2, 1, 1);
  auto writer = open_result(folder / "a.npz", names);
  feed(*writer, names, 0, 9000);
  writer->impact(impact(1, 1));
  writer->finish(solution());
  const auto entries = unzip(text_of(folder / "a.npz"));
  EXPECT_EQ(shape_of(entries.at("t.npy")), "(9000,)");
  EXPECT_EQ(shape_of(entries.at("q.npy")), "(9000, 2)");
  EXPECT_EQ(shape_of(entries.at("z.npy")), "(9000, 1)");
  EXPECT_EQ(shape_of(entries.at("energy/kinetic.npy")), "(9000,)");
  EXPECT_EQ(shape_of(entries.at("impacts/constraint.npy")), "(1,)");
  std::vector<double> rate;
  for (long i = 0; i < 9000; ++i) rate.push_back(value(4, i, 0));
  EXPECT_EQ(numbers_of(entries.at("rate.npy")), rate);
  EXPECT_EQ(numbers_of(entries.at("impacts/impulse.npy")), std::vector<double>{impact(1, 1).impulse});
  EXPECT_EQ(numbers_of(entries.at("energy/impact.npy")), std::vector<double>{-0.75});
  for (const char* name : {"scenario", "version", "title", "scheme", "scheme_parameters", "units", "coordinates",
                           "states", "constraints", "status", "steps"})
    EXPECT_TRUE(entries.contains(std::string(name) + ".npy")) << name;
}

TEST(IoNpz, EmptyThingsKeepTheirShapes) {
  const TempFolder folder;
  const ResultHeader names = header(1, 0, 0);
  auto writer = open_result(folder / "a.npz", names);
  feed(*writer, names, 0, 5);
  writer->finish(solution());
  const auto entries = unzip(text_of(folder / "a.npz"));
  EXPECT_FALSE(entries.contains("z.npy"));
  EXPECT_EQ(shape_of(entries.at("gap.npy")), "(5, 0)");
  EXPECT_EQ(shape_of(entries.at("impacts/t.npy")), "(0,)");
  EXPECT_EQ(shape_of(entries.at("constraints.npy")), "(0,)");
}

TEST(IoNpz, ColumnsAreSavedEveryFewSeconds) {
  const TempFolder folder;
  const ResultHeader names = header(1, 0, 1);
  auto writer = open_result(folder / "a.npz", names);
  feed(*writer, names, 0, 3);
  std::this_thread::sleep_for(std::chrono::milliseconds(2100));
  writer->progress(3, 10);
  const std::string array = text_of(folder / fmt::format(".a.npz.{}.partial/q.npy", ::getpid()));
  EXPECT_EQ(shape_of(array), "(3, 1)");
  EXPECT_EQ(numbers_of(array), (std::vector<double>{value(0, 0, 0), value(0, 1, 0), value(0, 2, 0)}));
}

}  // namespace
}  // namespace ricochet::io_test
