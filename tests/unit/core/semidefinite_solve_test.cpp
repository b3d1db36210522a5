#include "core/semidefinite_solve.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <random>

namespace ricochet {
namespace {

// W = A Aᵀ of a given rank, y = W x; the last rows repeat the first ones if the rank is less than n.
struct SemidefiniteCase {
  SemidefiniteCase(int size, int rank, double skew, unsigned seed) : n(static_cast<std::size_t>(size)) {
    std::mt19937 generator(seed);
    std::normal_distribution<double> normal;
    const std::size_t r = static_cast<std::size_t>(rank);
    std::vector<double> A(n * n, 0.0), S(n * n, 0.0);
    for (std::size_t i = 0; i < r; ++i)
      for (std::size_t k = 0; k < n; ++k) A[k * n + i] = normal(generator);
    for (std::size_t j = 0; j < r; ++j)
      for (std::size_t i = 0; i < j; ++i) S[i * n + j] = -(S[j * n + i] = skew * normal(generator));
    W.assign(n * n, 0.0);
    for (std::size_t j = 0; j < n; ++j)
      for (std::size_t i = 0; i < n; ++i) {
        W[j * n + i] = S[j % r * n + i % r];
        for (std::size_t k = 0; k < n; ++k) W[j * n + i] += A[k * n + i % r] * A[k * n + j % r];
      }
    std::vector<double> x(n);
    for (double& value : x) value = normal(generator);
    y = product(x);
  }
  std::vector<double> product(const std::vector<double>& x) const {
    std::vector<double> result(n, 0.0);
    for (std::size_t j = 0; j < n; ++j)
      for (std::size_t i = 0; i < n; ++i) result[i] += W[j * n + i] * x[j];
    return result;
  }
  std::vector<double> solution() const {
    SemidefiniteSolve solver;
    std::vector<double> x = y;
    RC_ASSERT(solver.factorise(static_cast<int>(n), W.data()));
    solver.solve(x.data());
    return x;
  }
  std::size_t n;
  std::vector<double> W, y;
};

// Rows that repeat each other share what they carry: the least norm.
RC_GTEST_PROP(SemidefiniteSolve, SolvesAndSharesAlike, ()) {
  const int n = *rc::gen::inRange(1, 12), rank = *rc::gen::inRange(1, n + 1);
  const double skew = *rc::gen::element(0.0, 1e-3, 0.1);
  const SemidefiniteCase c(n, rank, skew, *rc::gen::inRange(0u, 1000000u));
  const std::vector<double> x = c.solution(), again = c.product(x);
  double size = 0.0, worst = 0.0, push = 0.0;
  for (std::size_t i = 0; i < c.n; ++i) {
    size = std::max(size, std::abs(c.y[i]));
    push = std::max(push, std::abs(x[i]));
    worst = std::max(worst, std::abs(again[i] - c.y[i]));
  }
  RC_ASSERT(worst <= 1e-11 * (size + push));
  for (std::size_t i = static_cast<std::size_t>(rank); i < c.n; ++i)
    RC_ASSERT(std::abs(x[i] - x[i % static_cast<std::size_t>(rank)]) <= 1e-10 * push);
}

// Rows in units that differ by powers of two: the same digits.
RC_GTEST_PROP(SemidefiniteSolve, UnitsChangeNoBit, ()) {
  const int n = *rc::gen::inRange(1, 12), rank = *rc::gen::inRange(1, n + 1);
  const SemidefiniteCase c(n, rank, 1e-3, *rc::gen::inRange(0u, 1000000u));
  SemidefiniteCase scaled = c;
  std::vector<int> power(c.n);
  for (int& p : power) p = *rc::gen::inRange(-30, 30);
  for (std::size_t j = 0; j < c.n; ++j) {
    for (std::size_t i = 0; i < c.n; ++i) scaled.W[j * c.n + i] = std::ldexp(c.W[j * c.n + i], power[i] + power[j]);
    scaled.y[j] = std::ldexp(c.y[j], power[j]);
  }
  const std::vector<double> x = c.solution(), other = scaled.solution();
  for (std::size_t i = 0; i < c.n; ++i) RC_ASSERT(std::ldexp(other[i], power[i]) == x[i]);
}

}  // namespace
}  // namespace ricochet
