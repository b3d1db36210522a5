// The matrix of a step: dense and sparse factors give the same solution.
#include "core/iteration_matrix.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace ricochet {
namespace {

// A band of the given width around the diagonal.
Pattern band(int n, int below, int above) {
  Pattern pattern{n, n, {0}, {}};
  for (int j = 0; j < n; ++j) {
    for (int i = std::max(0, j - above); i <= std::min(n - 1, j + below); ++i) pattern.row.push_back(i);
    pattern.start.push_back(static_cast<int>(pattern.row.size()));
  }
  return pattern;
}

struct System {
  Pattern mass, stiffness;
  std::vector<double> M, K;
};

System system(int n, bool symmetric) {
  System s{band(n, 0, 0), band(n, 2, symmetric ? 2 : 1), {}, {}};
  std::mt19937 random(7);
  std::uniform_real_distribution<double> uniform(-1.0, 1.0);
  for (int j = 0; j < n; ++j) s.M.push_back(20.0 + uniform(random));
  for (int j = 0; j < n; ++j)
    for (int k = s.stiffness.start[j]; k < s.stiffness.start[j + 1]; ++k)
      s.K.push_back(symmetric ? std::cos(j + s.stiffness.row[k]) : uniform(random));
  return s;
}

// ‖A x − b‖ for A = M + factor K.
double residual(const System& s, double factor, const std::vector<double>& x, const std::vector<double>& b) {
  std::vector<double> r = b;
  multiply_add(s.mass, s.M.data(), x.data(), -1.0, r.data());
  multiply_add(s.stiffness, s.K.data(), x.data(), -factor, r.data());
  double largest = 0.0;
  for (const double entry : r) largest = std::max(largest, std::abs(entry));
  return largest;
}

TEST(IterationMatrix, SolvesSparseAndDense) {
  for (const int n : {3, 16, 17, 200})
    for (const bool symmetric : {true, false})
      // −40: symmetric, but not definite any more.
      for (const double factor : {0.5, 3.0, -40.0}) {
        const System s = system(n, symmetric);
        IterationMatrix<double> matrix;
        matrix.resize(n, {&s.mass, &s.stiffness});
        EXPECT_EQ(matrix.is_sparse(), n > 16 && n != 17);
        matrix.set_zero();
        matrix.add(0, s.M.data(), 1.0);
        matrix.add(1, s.K.data(), factor);
        ASSERT_TRUE(matrix.factorise());
        std::vector<double> b(static_cast<std::size_t>(n), 0.0);
        for (int i = 0; i < n; ++i) b[i] = std::sin(i + 1.0);
        std::vector<double> x = b;
        matrix.solve(x.data());
        EXPECT_LT(residual(s, factor, x, b), 1e-11) << n << " " << symmetric << " " << factor;
      }
}

TEST(IterationMatrix, SingularAndNotFiniteAreTold) {
  const int n = 40;
  System s = system(n, true);
  IterationMatrix<double> matrix;
  matrix.resize(n, {&s.mass, &s.stiffness});
  matrix.set_zero();
  EXPECT_FALSE(matrix.factorise()) << "all zero";
  matrix.add(0, s.M.data(), std::nan(""));
  EXPECT_FALSE(matrix.factorise());
}

}  // namespace
}  // namespace ricochet
