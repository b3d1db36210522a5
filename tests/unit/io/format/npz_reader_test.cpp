// NumPy's and SciPy's files: every kind that is read, and broken ones.
#include "io/format/npz_reader.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "io/format/atomic_file.hpp"
#include "io/format/npy.hpp"
#include "io/format/npy_reader.hpp"
#include "io/format/zip_reader.hpp"
#include "io/format/zip_writer.hpp"
#include "unit/io/attachment/attachment_support.hpp"
#include "unit/io/result/result_support.hpp"

namespace ricochet::io_test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

using Parts = std::vector<std::pair<std::string, std::string>>;

std::string data(const std::string& name) { return text_of(data_folder() / name); }

SparseMatrix matrix(const std::string& bytes, const std::string& array = {}) {
  return io::read_npz_matrix(io::MemoryBytes(bytes, "FILE", "f"), array);
}

NumberTable table(const std::string& bytes, const std::string& array = {}) {
  return io::read_npz_table(io::MemoryBytes(bytes, "FILE", "f"), array);
}

std::string complaint(const std::string& bytes, const std::string& array = {}) {
  return refusal(bytes, [&](const io::InputBytes& file) { io::read_npz_matrix(file, array); });
}

std::string npy_complaint(const std::string& bytes) { return refusal(bytes, io::read_npy_matrix); }

// An archive of these entries, not compressed.
std::string archive(const Parts& parts, std::uint64_t plain_limit = ZipWriter::largest_plain_size) {
  const TempFolder folder;
  AtomicFile file(folder / "a.zip");
  ZipWriter zip(file, plain_limit);
  for (const auto& [name, bytes] : parts) {
    zip.begin(name, bytes.size());
    zip.add(bytes);
    zip.end();
  }
  zip.finish();
  file.commit();
  return text_of(folder / "a.zip");
}

// Numbers as an array of the given shape.
template <class Number>
std::string array_of(const std::string& kind, const std::vector<std::uint64_t>& shape,
                     const std::vector<Number>& numbers) {
  return npy_header(kind, shape) +
         std::string(reinterpret_cast<const char*>(numbers.data()), numbers.size() * sizeof(Number));
}
std::string integers(const std::vector<std::int64_t>& numbers) { return array_of("i8", {numbers.size()}, numbers); }
std::string numbers(const std::vector<double>& values) { return array_of("f8", {values.size()}, values); }

TEST(NpzReader, SparseMatricesOfSciPy) {
  for (const char* name : {"csr.npz", "csc.npz", "coo.npz", "dia.npz", "csr_stored.npz"}) {
    const SparseMatrix read = matrix(data(name));
    EXPECT_EQ(rows_of(read), A_rows) << name;
    EXPECT_EQ(read.pattern.size(), 6) << name;
  }
  EXPECT_EQ(rows_of(matrix(data("bsr.npz"))), K_rows);
}

TEST(NpzReader, NamedArrays) {
  for (const char* name : {"arrays.npz", "arrays_compressed.npz"}) {
    EXPECT_EQ(rows_of(matrix(data(name), "K")), K_rows);
    EXPECT_EQ(rows_of(matrix(data(name), "A")), A_rows);
    EXPECT_EQ(matrix(data(name), "A").pattern.size(), 6);
    EXPECT_THAT(table(data(name), "t").values, ElementsAre(ElementsAre(0.0, 0.25, 0.5, 0.75, 1.0)));
    EXPECT_EQ(table(data(name), "A").values.size(), 4u);
    EXPECT_EQ(complaint(data(name), "k"), "FILE: there is no array \"k\"; did you mean K?");
    EXPECT_EQ(complaint(data(name), "stiffness"), "FILE: there is no array \"stiffness\"; known: A, K, t");
    EXPECT_EQ(complaint(data(name)),
              "FILE: holds 3 arrays; name one of them behind a colon, as in FILE.npz:A (there are A, K, t)");
  }
}

TEST(NpzReader, KindsOfNumbers) {
  const std::string bytes = data("kinds.npz");
  const Rows values = {{0.0, 1.0, 2.0}, {3.0, 0.0, 5.0}}, truths = {{0.0, 1.0, 1.0}, {1.0, 0.0, 1.0}};
  for (const char* kind : {"f4", "f8", "i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8"}) {
    EXPECT_EQ(rows_of(matrix(bytes, kind)), values) << kind;
    EXPECT_EQ(rows_of(matrix(bytes, kind + std::string("_big"))), values) << kind;
  }
  EXPECT_EQ(rows_of(matrix(bytes, "b1")), truths);
  EXPECT_EQ(rows_of(matrix(bytes, "fortran")), values);
  EXPECT_EQ(rows_of(matrix(bytes, "negative")), (Rows{{0.0, -1.0, -2.0}, {-3.0, 0.0, -5.0}}));
  EXPECT_THAT(table(bytes, "fortran").values, ElementsAre(ElementsAre(0, 3), ElementsAre(1, 0), ElementsAre(2, 5)));

  EXPECT_EQ(complaint(bytes, "complex"), "FILE: complex: holds complex numbers; real ones are needed");
  EXPECT_THAT(complaint(bytes, "half"), HasSubstr("half: holds numbers of the kind '<f2'; f4, f8, i1 to i8"));
  EXPECT_EQ(complaint(bytes, "text"), "FILE: text: holds text where numbers are needed");
  EXPECT_EQ(complaint(bytes, "cube"), "FILE: cube: has 3 dimensions; one or two are needed");
  EXPECT_EQ(complaint(bytes, "single"), "FILE: single: has 0 dimensions; one or two are needed");
  EXPECT_EQ(complaint(bytes, "nan"), "FILE: nan: element 2 is nan: must be finite");
  EXPECT_EQ(complaint(bytes, "empty"), "FILE: empty: is empty");
}

TEST(NpzReader, ArrayFiles) {
  for (const char* name : {"array.npy", "version2.npy", "version3.npy"}) {
    const std::string bytes = data(name);
    const io::MemoryBytes file(bytes, "FILE", "f");
    EXPECT_EQ(rows_of(io::read_npy_matrix(file)), A_rows) << name;
    EXPECT_THAT(io::read_npy_table(file).values[1], ElementsAre(-1.0, 2.25, 0.0)) << name;
  }
  EXPECT_EQ(npy_complaint(data("fields.npy")), "FILE: has named fields; an array of plain numbers is needed");
  EXPECT_EQ(npy_complaint(data("objects.npy")), "FILE: holds Python objects, not numbers");
  EXPECT_EQ(npy_complaint(data("arrays.npz")), "FILE: is not an array file of NumPy");
  EXPECT_EQ(npy_complaint(""), "FILE: is not an array file of NumPy");
  EXPECT_EQ(npy_complaint(data("array.npy") + "x"),
            "FILE: has 97 bytes of data where its shape needs 12 elements of 8 bytes");
}

TEST(NpzReader, TablesHaveSoManyColumns) {
  const auto row = [](std::size_t size) { return array_of("u1", {1, size}, std::vector<std::uint8_t>(size, 1)); };
  EXPECT_EQ(refusal(row(1'000'000), io::read_npy_table), "");
  EXPECT_EQ(refusal(row(1'000'001), io::read_npy_table), "FILE: has 1000001 columns; at most 1000000 are read");
  EXPECT_EQ(npy_complaint(row(1'000'001)), "");
}

TEST(NpzReader, RefusesEveryTruncation) {
  const std::string array = data("array.npy"), sparse = data("csr.npz");
  for (std::size_t size = 0; size < array.size(); ++size) EXPECT_NE(npy_complaint(array.substr(0, size)), "") << size;
  for (std::size_t size = 0; size < sparse.size(); ++size) EXPECT_NE(complaint(sparse.substr(0, size)), "") << size;
}

// A changed byte is refused, or does not matter: names of what is not read, times, attributes.
TEST(NpzReader, DamageNeverGivesOtherNumbers) {
  for (const char* name : {"csr.npz", "csr_stored.npz"}) {
    const std::string good = data(name);
    int refused = 0;
    for (std::size_t i = 0; i < good.size(); ++i) {
      for (const int flip : {0x01, 0x80, 0xFF}) {
        std::string bad = good;
        bad[i] = static_cast<char>(bad[i] ^ flip);
        const std::string sentence = refusal(
            bad, [&](const io::InputBytes& file) { EXPECT_EQ(rows_of(io::read_npz_matrix(file, "")), A_rows) << i; });
        refused += sentence.empty() ? 0 : 1;
      }
    }
    EXPECT_GT(refused, static_cast<int>(good.size()));
  }
}

TEST(NpzReader, BrokenHeaders) {
  const auto with_header = [](const std::string& header) {
    std::string bytes = std::string(npy_magic) + std::string("\x01\x00", 2);
    bytes += static_cast<char>(header.size() & 0xFF);
    bytes += static_cast<char>(header.size() >> 8);
    return bytes + header + std::string(16, '\0');
  };
  const std::string good = "{'descr': '<f8', 'fortran_order': False, 'shape': (2,), }\n";
  EXPECT_EQ(npy_complaint(with_header(good)), "");
  EXPECT_EQ(npy_complaint(with_header("{\"shape\":(2),\"fortran_order\":True,\"descr\":\"f8\"}")), "");
  for (const char* bad : {"", "{", "{}", "{'descr': '<f8', 'fortran_order': False}",
                          "{'descr': '<f8', 'fortran_order': False, 'shape': (2,), 'x': 1}",
                          "{'descr': '<f8', 'fortran_order': 0, 'shape': (2,)}",
                          "{'descr': '<f8', 'fortran_order': False, 'shape': (-2,)}",
                          "{'descr': '<f8', 'fortran_order': False, 'shape': (2,)} x",
                          "{'descr': '<f8', 'descr': '<f4', 'fortran_order': False, 'shape': (2,)}",
                          "{'descr': '<f8', 'fortran_order': False, 'shape': (2 2)}",
                          "{'descr': '<f8', 'fortran_order': False, 'shape': (99999999999999999999,)}",
                          "{'descr': '<f8', 'fortran_order: False, 'shape': (2,)}"})
    EXPECT_EQ(npy_complaint(with_header(bad)), "FILE: has a broken header") << bad;
  const std::string product = "{'descr': '<f8', 'fortran_order': False, 'shape': (4294967296, 4294967296, 2)}";
  EXPECT_EQ(npy_complaint(with_header(product)), "FILE: has a shape beyond all bounds");
  const std::string flat = "{'descr': '|S0', 'fortran_order': False, 'shape': (4294967296, 0)}";
  EXPECT_THAT(npy_complaint(with_header(flat)), HasSubstr("16 bytes of data"));
  std::string version = with_header(good);
  version[6] = 4;
  EXPECT_EQ(npy_complaint(version), "FILE: has version 4 of NumPy's format; 1 to 3 are read");
}

// The parts of a csr matrix, some of them changed.
std::string csr(const Parts& changes) {
  Parts parts = {{"format.npy", npy_text("csr")},
                 {"shape.npy", integers({2, 3})},
                 {"data.npy", numbers({1.0, 2.0, 3.0})},
                 {"indices.npy", integers({0, 2, 1})},
                 {"indptr.npy", integers({0, 2, 3})}};
  for (const auto& [name, bytes] : changes)
    for (auto& part : parts)
      if (part.first == name + ".npy") part.second = bytes;
  return archive(parts);
}

TEST(NpzReader, SparseMatricesAreChecked) {
  EXPECT_EQ(rows_of(matrix(csr({}))), (Rows{{1.0, 0.0, 2.0}, {0.0, 3.0, 0.0}}));
  EXPECT_EQ(rows_of(matrix(csr({{"indices", integers({2, 2, 1})}}))), (Rows{{0.0, 0.0, 3.0}, {0.0, 3.0, 0.0}}));
  EXPECT_EQ(complaint(csr({{"format", npy_text("lil")}})),
            "FILE: is a sparse matrix of the format 'lil'; csr, csc, coo, dia and bsr are read");
  EXPECT_EQ(complaint(csr({{"format", numbers({1.0})}})), "FILE: format: must hold a single text");
  EXPECT_EQ(complaint(csr({{"shape", integers({2, 3, 4})}})), "FILE: shape: must hold two sizes, got 3");
  EXPECT_EQ(complaint(csr({{"shape", numbers({2, 3})}})),
            "FILE: shape: holds fractions where whole numbers are needed");
  EXPECT_EQ(complaint(csr({{"shape", integers({2, 3000000000})}})),
            "FILE: shape: is 2 times 3000000000: must be from 1 to 10000000");
  EXPECT_THAT(complaint(csr({{"shape", integers({-2, 3})}})), HasSubstr("is -2 times 3"));
  EXPECT_EQ(complaint(csr({{"shape", integers({3, 3})}})), "FILE: indptr: has 3 elements; the shape needs 4");
  EXPECT_EQ(complaint(csr({{"shape", integers({2, 2})}})), "FILE: indices: element 2 is 2: outside 0 to 1");
  EXPECT_EQ(complaint(csr({{"indices", integers({0, -1, 1})}})), "FILE: indices: element 2 is -1: outside 0 to 2");
  EXPECT_EQ(complaint(csr({{"indices", integers({0, 1})}})), "FILE: indices: has 2 elements, but data has 3");
  EXPECT_EQ(complaint(csr({{"indptr", integers({0, 2, 4})}})),
            "FILE: indptr: element 3 is 4: must ascend from 0 to at most 3");
  EXPECT_THAT(complaint(csr({{"indptr", integers({0, 3, 2})}})), HasSubstr("element 3 is 2: must ascend"));
  EXPECT_THAT(complaint(csr({{"indptr", integers({1, 2, 3})}})), HasSubstr("element 1 is 1: must ascend"));
  EXPECT_EQ(complaint(csr({{"data", numbers({1.0, 2.0, 1.0 / 0.0})}})), "FILE: data: element 3 is inf: must be finite");
  EXPECT_EQ(complaint(archive({{"format.npy", npy_text("csr")}})), "FILE: has no entry 'data.npy'");
  EXPECT_EQ(complaint(archive({{"x.txt", "y"}})), "FILE: holds no arrays");
}

TEST(NpzReader, Zip64Archives) {
  const Parts parts = {{"K.npy", numbers({1.0, 2.0})}, {"t.npy", numbers({3.0})}};
  const std::string bytes = archive(parts, 10);
  EXPECT_EQ(rows_of(matrix(bytes, "K")), (Rows{{1.0}, {2.0}}));
  EXPECT_EQ(rows_of(matrix(bytes, "t")), (Rows{{3.0}}));
}

TEST(NpzReader, ArchivesAreChecked) {
  EXPECT_THAT(complaint(""), HasSubstr("is not an NPZ file, or it is cut short"));
  EXPECT_THAT(complaint("%%MatrixMarket"), HasSubstr("is not an NPZ file"));
  const std::string bytes = numbers({1.0});
  EXPECT_EQ(complaint(archive({{"K.npy", bytes}, {"K.npy", bytes}})), "FILE: has two entries of the name 'K.npy'");

  // The only entry of the directory: flags, method, sizes and offset where the format has them.
  const std::string good = archive({{"K.npy", bytes}});
  const auto changed = [&](std::size_t at, const std::string& value) {
    std::string bad = good;
    return complaint(bad.replace(bad.rfind("PK\x01\x02") + at, value.size(), value));
  };
  EXPECT_EQ(changed(8, "\x01"), "FILE: the entry 'K.npy' is encrypted");
  EXPECT_THAT(changed(10, "\x0C"), HasSubstr("is packed by method 12; stored and deflated entries are read"));
  EXPECT_THAT(changed(16, "abcd"), HasSubstr("is damaged"));
  EXPECT_THAT(changed(24, "\x01"), HasSubstr("is damaged"));
  EXPECT_THAT(changed(20, std::string("\xFF\xFF", 2)), HasSubstr("is not where the directory says"));
  EXPECT_THAT(changed(42, "\x01"), HasSubstr("is not where the directory says"));
  EXPECT_THAT(changed(42, "\xFE\xFF\xFF\x7F"), HasSubstr("is not where the directory says"));
}

// Compressed data that unpack to another size than announced, or to an absurd one.
TEST(NpzReader, SizesOfCompressedEntries) {
  const std::string good = data("csr.npz");
  const auto changed = [&](std::uint32_t size) {
    std::string bad = good;
    const std::size_t at = bad.find("data.npy", bad.find("PK\x01\x02")) - 46 + 24;
    for (std::size_t i = 0; i < 4; ++i) bad[at + i] = static_cast<char>((size >> (8 * i)) & 0xFF);
    return complaint(bad);
  };
  EXPECT_EQ(changed(128 + 6 * 8), "");
  EXPECT_THAT(changed(128 + 5 * 8), HasSubstr("the entry 'data.npy' is damaged"));
  EXPECT_THAT(changed(128 + 7 * 8), HasSubstr("the entry 'data.npy' is damaged"));
  EXPECT_THAT(changed(0xF0000000u), HasSubstr("the entry 'data.npy' unpacks to 4026531840 bytes from"));
}

}  // namespace
}  // namespace ricochet::io_test
