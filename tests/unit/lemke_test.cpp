// Complementarity conditions, not stored numbers.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>
#include <random>

#include "ricochet/complementarity/problem.hpp"

namespace ricochet {
namespace {

struct Dense {
  int n = 0;
  std::vector<double> W, b;
};

// W = A Aᵀ with A n × rank, columns scaled over `decades` orders of magnitude, some ties and zeros in b.
Dense random_problem(int n, int rank, double decades, unsigned seed) {
  std::mt19937 generator(seed);
  std::normal_distribution<double> normal;
  std::uniform_real_distribution<double> uniform(-0.5, 0.5);
  std::vector<double> A(static_cast<std::size_t>(n) * rank), scale(static_cast<std::size_t>(n));
  for (double& a : A) a = normal(generator);
  for (double& s : scale) s = std::pow(10.0, decades * uniform(generator));
  Dense problem{n, std::vector<double>(static_cast<std::size_t>(n) * n),
                std::vector<double>(static_cast<std::size_t>(n))};
  for (int j = 0; j < n; ++j)
    for (int i = 0; i < n; ++i) {
      double sum = 0.0;
      for (int k = 0; k < rank; ++k)
        sum += A[static_cast<std::size_t>(k) * n + i] * A[static_cast<std::size_t>(k) * n + j];
      problem.W[static_cast<std::size_t>(j) * n + i] = scale[i] * sum * scale[j];
    }
  // b in the range of A: every such problem has a solution.
  std::vector<double> x(static_cast<std::size_t>(rank));
  for (double& value : x) value = normal(generator);
  for (int i = 0; i < n; ++i) {
    double sum = 0.0;
    for (int k = 0; k < rank; ++k) sum += A[static_cast<std::size_t>(k) * n + i] * x[k];
    problem.b[i] = seed % 5 == 0 && i % 3 == 0 ? 0.0 : scale[i] * sum;
  }
  return problem;
}

ComplementarityResult solve(const Dense& problem, std::vector<double>& P) {
  ComplementarityWorkspace workspace;
  P.assign(static_cast<std::size_t>(problem.n), 0.0);
  return lemke({problem.n, problem.W.data(), problem.b.data()}, {}, workspace, P.data());
}

RC_GTEST_PROP(Lemke, SolvesPositiveDefiniteProblems, ()) {
  const int n = *rc::gen::inRange(1, 30);
  const Dense problem = random_problem(n, n + 5, *rc::gen::inRange(0, 9), *rc::gen::inRange(0u, 100000u));
  std::vector<double> P;
  const ComplementarityResult result = solve(problem, P);
  RC_ASSERT(result.status == ComplementarityStatus::solved);
  RC_ASSERT(result.residual <= 1e-10);
  for (const double value : P) RC_ASSERT(value >= 0.0);
}

RC_GTEST_PROP(Lemke, SolvesRedundantContacts, ()) {
  const int n = *rc::gen::inRange(2, 15);
  const Dense problem = random_problem(n, *rc::gen::inRange(1, n), 0.0, 1 + 5 * *rc::gen::inRange(0u, 20000u));
  std::vector<double> P;
  RC_ASSERT(solve(problem, P).status == ComplementarityStatus::solved);
}

TEST(Lemke, EmptyAndTrivial) {
  ComplementarityWorkspace workspace;
  EXPECT_EQ(lemke({0, nullptr, nullptr}, {}, workspace, nullptr).status, ComplementarityStatus::solved);
  const double W = 4.0, positive = 1.0, negative = -2.0;
  double P = -1.0;
  EXPECT_EQ(lemke({1, &W, &positive}, {}, workspace, &P).status, ComplementarityStatus::solved);
  EXPECT_EQ(P, 0.0);
  EXPECT_EQ(lemke({1, &W, &negative}, {}, workspace, &P).status, ComplementarityStatus::solved);
  EXPECT_DOUBLE_EQ(P, 0.5);
}

TEST(Lemke, SaysWhenThereIsNoSolution) {
  // w = 0·P − 1 can never be ≥ 0.
  ComplementarityWorkspace workspace;
  const double W = 0.0, b = -1.0;
  double P = 0.0;
  EXPECT_EQ(lemke({1, &W, &b}, {}, workspace, &P).status, ComplementarityStatus::no_solution);
}

TEST(Lemke, RefusesNumbersThatAreNotFinite) {
  ComplementarityWorkspace workspace;
  const double W = 1.0, b = std::nan("");
  double P = 0.0;
  EXPECT_EQ(lemke({1, &W, &b}, {}, workspace, &P).status, ComplementarityStatus::not_finite);
}

// Newton's cradle of three, e = 1: (1, 0, 0) becomes (−1/3, 2/3, 2/3) under the law (5.3).
TEST(Lemke, NewtonsCradle) {
  const double W[] = {2.0, -1.0, -1.0, 2.0}, b[] = {-2.0, 0.0};
  double P[2];
  ComplementarityWorkspace workspace;
  ASSERT_EQ(lemke({2, W, b}, {}, workspace, P).status, ComplementarityStatus::solved);
  EXPECT_NEAR(1.0 - P[0], -1.0 / 3.0, 1e-15);
  EXPECT_NEAR(P[0] - P[1], 2.0 / 3.0, 1e-15);
  EXPECT_NEAR(P[1], 2.0 / 3.0, 1e-15);
}

}  // namespace
}  // namespace ricochet
