// Factors of banded matrices, and which order sparse factors take.
#include "core/band_ldlt.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "core/sparse_ldlt.hpp"

namespace ricochet {
namespace {

struct Matrix {
  Pattern pattern;
  std::vector<double> values;
};

// Symmetric, dominated by its diagonal; with `sign` −1 in places indefinite.
Matrix band(int n, int width, double sign) {
  Matrix matrix{{n, n, {0}, {}}, {}};
  for (int j = 0; j < n; ++j) {
    for (int i = std::max(0, j - width); i <= std::min(n - 1, j + width); ++i) {
      matrix.pattern.row.push_back(i);
      const double own = (j % 5 == 3 ? sign : 1.0) * (2.0 * width + 1.0 + 0.1 * std::sin(j));
      matrix.values.push_back(i == j ? own : std::cos(i + j));
    }
    matrix.pattern.start.push_back(static_cast<int>(matrix.pattern.row.size()));
  }
  return matrix;
}

// A grid of m × m points, each coupled with its neighbours.
Matrix grid(int m) {
  const int n = m * m;
  Matrix matrix{{n, n, {0}, {}}, {}};
  for (int j = 0; j < n; ++j) {
    for (const int i : {j - m, j - 1, j, j + 1, j + m}) {
      const bool beside = std::abs(i - j) == 1;
      if (i < 0 || i >= n || (beside && i / m != j / m)) continue;
      matrix.pattern.row.push_back(i);
      matrix.values.push_back(i == j ? 4.5 : -1.0);
    }
    matrix.pattern.start.push_back(static_cast<int>(matrix.pattern.row.size()));
  }
  return matrix;
}

double error_of(const Matrix& matrix, const LinearSolve& factors) {
  const int n = matrix.pattern.cols;
  std::vector<double> x(static_cast<std::size_t>(n)), y(x);
  for (int i = 0; i < n; ++i) x[i] = std::sin(i + 1.0);
  multiply_add(matrix.pattern, matrix.values.data(), x.data(), 1.0, y.data());
  factors.solve(y.data());
  double error = 0.0;
  for (int i = 0; i < n; ++i) error = std::max(error, std::abs(y[i] - x[i]));
  return error;
}

TEST(BandLdlt, SolvesEveryWidthAndSize) {
  for (const double sign : {1.0, -1.0})
    for (int width = 0; width <= BandLdlt::widest; ++width)
      for (const int n : {2 * width + 1, 2 * width + 2, 50, 301}) {
        const Matrix matrix = band(n, width, sign);
        ASSERT_TRUE(BandLdlt::suits(matrix.pattern)) << n << " " << width;
        SparseLdlt factors;
        factors.analyse(matrix.pattern);
        ASSERT_TRUE(factors.is_banded());
        ASSERT_TRUE(factors.factorise(matrix.values.data()));
        EXPECT_LT(error_of(matrix, factors), 1e-12) << n << " " << width;
        // Sylvester: as many negative pivots as with any other order.
        SparseLdlt other;
        other.analyse(matrix.pattern, SparseLdlt::Ordering::minimum_degree);
        ASSERT_TRUE(other.factorise(matrix.values.data()));
        EXPECT_FALSE(other.is_banded());
        EXPECT_EQ(factors.negative_pivots(), other.negative_pivots()) << n << " " << width;
        EXPECT_EQ(factors.negative_pivots() > 0, sign < 0.0 && n > 3) << n << " " << width;
      }
}

TEST(BandLdlt, SingularAndNotFiniteAreTold) {
  for (const int width : {0, 1, 3}) {
    Matrix matrix = band(40, width, 1.0);
    SparseLdlt factors;
    factors.analyse(matrix.pattern);
    std::vector<double> values = matrix.values;
    values[static_cast<std::size_t>(matrix.pattern.start[20] + width)] = std::nan("");
    EXPECT_FALSE(factors.factorise(values.data()));
    std::fill(values.begin(), values.end(), 0.0);
    EXPECT_FALSE(factors.factorise(values.data()));
    EXPECT_TRUE(factors.factorise(matrix.values.data()));
    EXPECT_LT(error_of(matrix, factors), 1e-13);
  }
}

TEST(SparseLdlt, OrderFollowsTheFill) {
  // A band keeps its order, also with a coupling of its ends.
  Matrix ring = band(400, 1, 1.0);
  ring.pattern.row.insert(ring.pattern.row.begin() + 2, 399);
  ring.values.insert(ring.values.begin() + 2, 0.25);
  ring.pattern.row.insert(ring.pattern.row.end() - 2, 0);
  ring.values.insert(ring.values.end() - 2, 0.25);
  for (std::size_t j = 1; j <= 400; ++j) ring.pattern.start[j] += j == 400 ? 2 : 1;
  SparseLdlt factors;
  factors.analyse(ring.pattern);
  EXPECT_TRUE(factors.is_natural());
  EXPECT_FALSE(factors.is_banded());
  ASSERT_TRUE(factors.factorise(ring.values.data()));
  EXPECT_LT(error_of(ring, factors), 1e-13);

  // A grid does not: its natural order fills a band of m.
  const Matrix plane = grid(40);
  SparseLdlt ordered, natural;
  ordered.analyse(plane.pattern);
  natural.analyse(plane.pattern, SparseLdlt::Ordering::natural);
  EXPECT_FALSE(ordered.is_natural());
  EXPECT_LT(2 * ordered.factor_size(), natural.factor_size());
  ASSERT_TRUE(ordered.factorise(plane.values.data()));
  EXPECT_LT(error_of(plane, ordered), 1e-12);
}

}  // namespace
}  // namespace ricochet
