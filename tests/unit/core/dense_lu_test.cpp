#include "core/dense_lu.hpp"
#include "core/definiteness.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <cmath>
#include <cstring>
#include <random>

namespace ricochet {
namespace {

// Eight random systems, one needing pivoting, solved one by one and side by side.
TEST(DenseLu, LanesEqualSingleSolvesBitForBit) {
  constexpr int n = 5;
  std::mt19937 generator(7);
  std::normal_distribution<double> normal;
  double A[lane_count][n][n], x[lane_count][n];
  for (auto& matrix : A)
    for (auto& row : matrix)
      for (double& a : row) a = normal(generator);
  for (auto& vector : x)
    for (double& value : vector) value = normal(generator);
  A[3][0][0] = 0.0;

  DenseLu<Lanes> lanes;
  lanes.resize(n);
  Lanes side_by_side[n];
  for (int l = 0; l < lane_count; ++l)
    for (int i = 0; i < n; ++i) {
      side_by_side[i].set(l, x[l][i]);
      for (int j = 0; j < n; ++j) lanes(i, j).set(l, A[l][i][j]);
    }
  ASSERT_TRUE(all(lanes.factorise()));
  lanes.solve(side_by_side);

  for (int l = 0; l < lane_count; ++l) {
    DenseLu<double> single;
    single.resize(n);
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < n; ++j) single(i, j) = A[l][i][j];
    ASSERT_TRUE(single.factorise());
    double y[n];
    std::memcpy(y, x[l], sizeof y);
    single.solve(y);
    for (int i = 0; i < n; ++i) {
      EXPECT_EQ(y[i], side_by_side[i][l]);
      double residual = -x[l][i];
      for (int j = 0; j < n; ++j) residual += A[l][i][j] * y[j];
      EXPECT_NEAR(residual, 0.0, 1e-12);
    }
  }
}

TEST(DenseLu, SeesSingularMatrices) {
  DenseLu<double> lu;
  lu.resize(2);
  lu(0, 0) = 1.0, lu(0, 1) = 2.0, lu(1, 0) = 2.0, lu(1, 1) = 4.0;
  EXPECT_FALSE(lu.factorise());
}

TEST(DefinitenessTest, TellsDefiniteFromIndefiniteAndUnsymmetric) {
  const Pattern pattern = Pattern::dense(2, 2);
  DefinitenessTest<double> definite;
  const double good[] = {2.0, -1.0, -1.0, 2.0}, indefinite[] = {1.0, 2.0, 2.0, 1.0}, zero[] = {1.0, 0.0, 0.0, 0.0},
               singular[] = {1.0, 1.0, 1.0, 1.0}, unsymmetric[] = {2.0, 0.1, 0.0, 2.0};
  EXPECT_TRUE(definite(pattern, good));
  EXPECT_FALSE(definite(pattern, indefinite));
  EXPECT_FALSE(definite(pattern, zero));
  EXPECT_FALSE(definite(pattern, singular));
  EXPECT_FALSE(definite(pattern, unsymmetric));
}

// A large one is not finished when the user wants the end, and whoever solves with it gets no numbers.
TEST(DenseLu, GivesUpWhenAsked) {
  const std::atomic<bool> flag = true;
  for (const int n : {20, 300}) {
    DenseLu<double> lu;
    lu.resize(n);
    for (int i = 0; i < n; ++i) lu(i, i) = 2.0;
    const InterruptScope scope(&flag);
    EXPECT_EQ(lu.factorise(), n < 200);
    std::vector<double> x(static_cast<std::size_t>(n), 1.0);
    lu.solve(x.data());
    for (const double value : x) EXPECT_EQ(std::isnan(value), n > 200);
  }
}

}  // namespace
}  // namespace ricochet
