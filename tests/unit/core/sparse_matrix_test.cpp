#include "ricochet/core/sparse_matrix.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "ricochet/core/error.hpp"

namespace ricochet {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

// [1 0 5; 0 7 0], its entries out of order, the 7 in two parts.
SparseMatrix sample() { return sparse_from_triplets(2, 3, {{0, 2, 5.0}, {1, 1, 3.0}, {0, 0, 1.0}, {1, 1, 4.0}}); }

TEST(SparseMatrix, SumsEntriesOfOnePlaceAndSortsThem) {
  const SparseMatrix A = sample();
  EXPECT_EQ(A.rows(), 2);
  EXPECT_EQ(A.cols(), 3);
  EXPECT_THAT(A.pattern.start, ElementsAre(0, 1, 2, 3));
  EXPECT_THAT(A.pattern.row, ElementsAre(0, 1, 0));
  EXPECT_THAT(A.values, ElementsAre(1.0, 7.0, 5.0));
}

TEST(SparseMatrix, RowsAscendWithinAColumn) {
  const SparseMatrix A = sparse_from_triplets(4, 1, {{3, 0, 3.0}, {0, 0, 0.5}, {2, 0, 2.0}});
  EXPECT_THAT(A.pattern.row, ElementsAre(0, 2, 3));
  EXPECT_THAT(A.values, ElementsAre(0.5, 2.0, 3.0));
}

TEST(SparseMatrix, EntriesOutsideThePatternAreZero) {
  const SparseMatrix A = sample();
  const double expected[2][3] = {{1.0, 0.0, 5.0}, {0.0, 7.0, 0.0}};
  for (int i = 0; i < 2; ++i)
    for (int j = 0; j < 3; ++j) EXPECT_EQ(A.at(i, j), expected[i][j]) << i << " " << j;
}

TEST(SparseMatrix, CanBeEmpty) {
  const SparseMatrix none = sparse_from_triplets(0, 0, {}), zero = sparse_from_triplets(2, 2, {});
  EXPECT_EQ(none.pattern, Pattern::empty(0, 0));
  EXPECT_EQ(zero.pattern, Pattern::empty(2, 2));
  EXPECT_EQ(zero.at(1, 0), 0.0);
  EXPECT_EQ(add(zero, 1.0, zero, 2.0), zero);
  EXPECT_TRUE(is_symmetric(zero, 0.0));
}

TEST(SparseMatrix, AddsMatricesOfDifferentPatterns) {
  const SparseMatrix B = sparse_from_triplets(2, 3, {{1, 0, 10.0}, {0, 2, 20.0}});
  const SparseMatrix sum = add(sample(), 2.0, B, -0.5);
  EXPECT_THAT(sum.pattern.start, ElementsAre(0, 2, 3, 4));
  EXPECT_THAT(sum.pattern.row, ElementsAre(0, 1, 1, 0));
  EXPECT_THAT(sum.values, ElementsAre(2.0, -5.0, 14.0, 0.0));
}

TEST(SparseMatrix, SymmetryIsMeasuredAgainstTheLargestEntry) {
  const auto matrix = [](double upper) {
    return sparse_from_triplets(2, 2, {{0, 0, 100.0}, {0, 1, upper}, {1, 0, 1.0}});
  };
  EXPECT_TRUE(is_symmetric(matrix(1.0), 0.0));
  EXPECT_FALSE(is_symmetric(matrix(1.0 + 1e-9), 0.0));
  EXPECT_TRUE(is_symmetric(matrix(1.0 + 1e-9), 1e-10));
  EXPECT_FALSE(is_symmetric(matrix(1.0 + 1e-7), 1e-10));
  EXPECT_FALSE(is_symmetric(sparse_from_triplets(2, 2, {{0, 1, 1.0}}), 1e-10));
  EXPECT_FALSE(is_symmetric(sample(), 1.0));
}

TEST(SparseMatrix, RefusesWhatDoesNotFit) {
  const auto message = [](const auto& call) -> std::string {
    try {
      call();
    } catch (const InputError& error) {
      return error.what();
    }
    return "nothing thrown";
  };
  EXPECT_THAT(message([] { sparse_from_triplets(2, 3, {{2, 0, 1.0}}); }), HasSubstr("row 2, column 0"));
  EXPECT_THAT(message([] { sparse_from_triplets(2, 3, {{0, -1, 1.0}}); }), HasSubstr("outside of a 2 by 3 matrix"));
  EXPECT_THAT(message([] { sparse_from_triplets(-1, 3, {}); }), HasSubstr("negative"));
  EXPECT_THAT(message([] { add(sample(), 1.0, sparse_from_triplets(3, 2, {}), 1.0); }), HasSubstr("2 by 3 and 3 by 2"));
}

}  // namespace
}  // namespace ricochet
