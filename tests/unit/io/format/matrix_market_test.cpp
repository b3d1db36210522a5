// Matrix Market: files of SciPy, all forms, and a sentence for each way to break them.
#include "io/format/text_lines.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <string>
#include <vector>

#include "unit/io/attachment/attachment_support.hpp"

namespace ricochet::io_test {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

const std::string general = "%%MatrixMarket matrix coordinate real general\n";
const std::string symmetric = "%%MatrixMarket matrix coordinate real symmetric\n";
const std::string array = "%%MatrixMarket matrix array real general\n";

SparseMatrix parse(const std::string& text) {
  return io::read_matrix_market(io::MemoryBytes(text, "FILE", "model.stiffness"));
}

std::string complaint(const std::string& text) { return refusal(text, io::read_matrix_market); }

SparseMatrix file(const std::string& name) {
  return io::read_matrix_market(io::FileBytes(data_folder() / name, name, "f"));
}

TEST(MatrixMarket, FilesOfSciPy) {
  EXPECT_EQ(rows_of(file("general.mtx")), A_rows);
  EXPECT_EQ(file("general.mtx").pattern.size(), 6);
  EXPECT_EQ(rows_of(file("symmetric.mtx")), K_rows);
  EXPECT_EQ(rows_of(file("skew.mtx")), S_rows);
  EXPECT_EQ(rows_of(file("integer.mtx")), (Rows{{3.0, 0.0, 1.0}, {0.0, -2.0, 0.0}}));
  EXPECT_EQ(rows_of(file("array.mtx")), A_rows);
  EXPECT_EQ(file("array.mtx").pattern.size(), 6);  // zeros are left out
  EXPECT_EQ(rows_of(file("array_symmetric.mtx")), K_rows);
  EXPECT_EQ(rows_of(file("array_skew.mtx")), S_rows);
}

TEST(MatrixMarket, CommentsBlankLinesAndLineEnds) {
  const std::string text =
      "%%matrixmarket MATRIX Coordinate REAL General\r\n% a comment\r\n\r\n \t\r\n  2 2\t3 \r\n%another\r\n1 1 "
      "+1.5\r\n\r\n"
      "2 1 2d-1\r\n1 2 -3.E2";
  EXPECT_EQ(rows_of(parse(text)), (Rows{{1.5, -300.0}, {0.2, 0.0}}));
}

TEST(MatrixMarket, RepeatedEntriesAddUpAndZerosStay) {
  const SparseMatrix matrix = parse(general + "2 2 4\n1 1 1\n1 1 2\n2 2 0\n1 1 0.5\n");
  EXPECT_EQ(rows_of(matrix), (Rows{{3.5, 0.0}, {0.0, 0.0}}));
  EXPECT_EQ(matrix.pattern.size(), 2);
  EXPECT_EQ(rows_of(parse(symmetric + "2 2 3\n2 1 1\n1 1 5\n2 1 2\n")), (Rows{{5.0, 3.0}, {3.0, 0.0}}));
}

TEST(MatrixMarket, OneTriangleEitherOne) {
  EXPECT_EQ(rows_of(parse(symmetric + "2 2 2\n1 1 5\n1 2 7\n")), (Rows{{5.0, 7.0}, {7.0, 0.0}}));
  EXPECT_EQ(complaint(symmetric + "2 2 2\n2 1 7\n1 2 7\n"),
            "FILE:4: a symmetric file holds one triangle only, but this entry is above the diagonal and that of line 3 "
            "is not");
}

TEST(MatrixMarket, EmptyMatrixHasSizes) {
  const SparseMatrix matrix = parse(general + "3 2 0\n");
  EXPECT_EQ(rows_of(matrix), Rows(3, {0.0, 0.0}));
  EXPECT_EQ(matrix.pattern, Pattern::empty(3, 2));
}

TEST(MatrixMarket, RefusesOtherHeaders) {
  EXPECT_EQ(complaint(""), "FILE: is empty");
  EXPECT_THAT(complaint("1 1 2\n"), StartsWith("FILE:1: a Matrix Market file begins with '%%MatrixMarket matrix "));
  EXPECT_THAT(complaint("%%MatrixMarket vector coordinate real general\n"), StartsWith("FILE:1: a Matrix Market file"));
  EXPECT_EQ(complaint("%%MatrixMarket matrix elemental real general\n"),
            "FILE:1: the format must be coordinate or array, got 'elemental'");
  EXPECT_EQ(complaint("%%MatrixMarket matrix array quaternion general\n"),
            "FILE:1: the numbers must be real or integer, got 'quaternion'");
  EXPECT_EQ(complaint("%%MatrixMarket matrix coordinate real\n"),
            "FILE:1: must be general, symmetric or skew-symmetric, got ''");
  EXPECT_THAT(complaint("%%MatrixMarket matrix coordinate real hermitian\n"), HasSubstr("got 'hermitian'"));
  EXPECT_THAT(complaint("%%MatrixMarket matrix coordinate real general 7\n"), HasSubstr("goes on with '7'"));
  EXPECT_EQ(complaint(std::string("\x89PNG\r\n\x1a\n\0\0", 10)).substr(0, 37), "FILE:1: a Matrix Market file begins w");
  EXPECT_EQ(complaint("\xFF\xFE%\0"), "FILE: is UTF-16 text; save it as UTF-8");

  for (const auto& [name, sentence] : {std::pair{"complex.mtx", "complex.mtx:1: holds complex numbers"},
                                       std::pair{"pattern.mtx", "pattern.mtx:1: holds a pattern without values"}}) {
    try {
      file(name);
      ADD_FAILURE() << name;
    } catch (const InputError& error) {
      EXPECT_THAT(error.message(), StartsWith(sentence));
    }
  }
}

TEST(MatrixMarket, RefusesOtherSizes) {
  EXPECT_EQ(complaint(general + "% nothing more\n"), "FILE: ends before the line with the sizes");
  EXPECT_EQ(complaint(general + "2 2\n"), "FILE:2: the number of entries is missing");
  EXPECT_EQ(complaint(array + "2\n"), "FILE:2: the number of columns is missing");
  EXPECT_EQ(complaint(array + "2 2 4\n1\n1\n1\n1\n"), "FILE:2: goes on with '4' where the line should end");
  EXPECT_EQ(complaint(general + "0 2 1\n"), "FILE:2: the number of rows must be at least 1, got 0");
  EXPECT_EQ(complaint(general + "2 -2 1\n"), "FILE:2: the number of columns must be a whole number, got '-2'");
  EXPECT_EQ(complaint(general + "2.5 2 1\n"), "FILE:2: the number of rows must be a whole number, got '2.5'");
  EXPECT_EQ(complaint(symmetric + "2 3 1\n1 1 1\n"),
            "FILE:2: a symmetric matrix must be square, got 2 rows and 3 columns");
  EXPECT_THAT(complaint(general + "99999999999999999999 2 1\n"), HasSubstr("the number of rows is too large"));
  EXPECT_EQ(complaint(general + "3000000000 2 1\n1 1 1\n"),
            "FILE:2: the number of rows is 3000000000: too large for a file of this size");
  EXPECT_EQ(complaint(general + "2 2000000000 1\n1 1 1\n"),
            "FILE:2: the number of columns is 2000000000: too large for a file of this size");
  EXPECT_EQ(complaint(general + "9 9 18446744073709551615\n1 1 1\n"),
            "FILE:2: announces 18446744073709551615 entries, more than the file's 77 bytes can hold");
  EXPECT_THAT(complaint(array + "9000000 9000000\n1\n"), HasSubstr("announces 81000000000000 entries"));
}

TEST(MatrixMarket, RefusesOtherEntries) {
  EXPECT_EQ(complaint(general + "% c\n2 2 2\n1 1 1\n%      "),
            "FILE: ends after 1 of the 2 entries that line 3 announces");
  EXPECT_EQ(complaint(general + "2 2 1\n1 1 1\n2 2 2\n"), "FILE:4: more entries than the 1 that line 2 announces");
  EXPECT_EQ(complaint(array + "2 1\n1\n2\n\n3\n"), "FILE:6: more entries than the 2 that line 2 announces");
  EXPECT_EQ(complaint(general + "2 2 1\n3 1 1\n"), "FILE:3: row 3 is outside 1 to 2");
  EXPECT_EQ(complaint(general + "2 2 1\n1 0 1\n"), "FILE:3: column 0 is outside 1 to 2; the first one is 1");
  EXPECT_EQ(complaint(general + "2 2 1\n1 1 nan\n"), "FILE:3: the value must be finite, got 'nan'");
  EXPECT_EQ(complaint(general + "2 2 1\n1 1 -Inf\n"), "FILE:3: the value must be finite, got '-Inf'");
  EXPECT_EQ(complaint(general + "2 2 1\n1 1 1e999\n"),
            "FILE:3: the value is beyond the range of double precision, got '1e999'");
  EXPECT_EQ(complaint(general + "2 2 1\n1 1 1,5\n"), "FILE:3: the value must be a number, got '1,5'");
  EXPECT_EQ(complaint(general + "2 2 1\n1 1 0x1p3\n"), "FILE:3: the value must be a number, got '0x1p3'");
  EXPECT_EQ(complaint(general + "2 2 1\n1 1     \n"), "FILE:3: the value is missing");
  EXPECT_EQ(complaint(general + "2 2 1\n1 1 1 2\n"), "FILE:3: goes on with '2' where the line should end");
  EXPECT_EQ(complaint("%%MatrixMarket matrix coordinate integer general\n2 2 1\n1 1 1.5\n"),
            "FILE:3: the file announces integers, got '1.5'");
  EXPECT_EQ(complaint("%%MatrixMarket matrix coordinate real skew-symmetric\n2 2 1\n1 1 1.5\n"),
            "FILE:3: the diagonal of a skew-symmetric matrix is 0, got 1.5");
}

// A file cut anywhere but at its very end is refused.
TEST(MatrixMarket, RefusesEveryTruncation) {
  const std::string text = general + "3 3 3\n1 1 10\n2 2 20\n3 3 30\n";
  ASSERT_EQ(complaint(text), "");
  for (std::size_t size = 0; size < text.size() - 4; ++size) EXPECT_NE(complaint(text.substr(0, size)), "") << size;
}

TEST(MatrixMarket, LinesAcrossPiecesOfTheFile) {
  // A million bytes of comments of odd lengths between the entries.
  std::string text = general + "1000 1000 1000\n";
  for (int i = 1; i <= 1000; ++i) text += fmt::format("%{}\n{} {} {}\n", std::string(i % 1999, 'x'), i, i, 0.5 * i);
  ASSERT_GT(text.size(), 500000u);
  const SparseMatrix matrix = parse(text);
  for (int i = 0; i < 1000; ++i) ASSERT_EQ(matrix.at(i, i), 0.5 * (i + 1));
  EXPECT_THAT(complaint(general + std::string(20 << 20, '1')), HasSubstr("FILE:2: is longer than 16 MiB"));
}

// What is written with all digits reads back to the same matrix.
RC_GTEST_PROP(MatrixMarket, ReadsBackWhatIsWritten, ()) {
  const int rows = *rc::gen::inRange(1, 8), cols = *rc::gen::inRange(1, 8), count = *rc::gen::inRange(0, 20);
  std::vector<Triplet> entries;
  std::string text = general + fmt::format("{} {} {}\n", rows, cols, count);
  for (int k = 0; k < count; ++k) {
    const auto bits = *rc::gen::arbitrary<double>();
    entries.push_back({*rc::gen::inRange(0, rows), *rc::gen::inRange(0, cols), bits});
    text += fmt::format("{} {} {}\n", entries.back().row + 1, entries.back().col + 1, bits);
  }
  RC_ASSERT(parse(text) == sparse_from_triplets(rows, cols, entries));
}

}  // namespace
}  // namespace ricochet::io_test
