// Contact problems of growing size: a column of N beads on the floor, every contact active, e = 0; stacks of blocks
// with friction.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "core/sparse_ldlt.hpp"
#include "ricochet/complementarity/problem.hpp"
#include "support/block_stacks.hpp"

namespace rc = ricochet;
using rc::testing::Stack;

namespace {

// Contact j lies below bead j: W = HᵀH is tridiagonal, and at rest only the lowest contact has b < 0.
struct Column {
  explicit Column(int n) : b(static_cast<std::size_t>(n), 0.0) {
    pattern = {n, n, {0}, {}};
    for (int j = 0; j < n; ++j) {
      if (j > 0) pattern.row.push_back(j - 1), W.push_back(-1.0);
      pattern.row.push_back(j), W.push_back(j > 0 ? 2.0 : 1.0);
      if (j + 1 < n) pattern.row.push_back(j + 1), W.push_back(-1.0);
      pattern.start.push_back(static_cast<int>(pattern.row.size()));
    }
    b[0] = -1.0;
  }
  rc::ComplementarityProblem problem() const {
    return {static_cast<int>(b.size()), rc::SparseForm{&pattern, W.data()}, b.data()};
  }
  rc::Pattern pattern;
  std::vector<double> W, b;
};

void column(benchmark::State& state, const char* solver, bool warm) {
  const Column beads(static_cast<int>(state.range(0)));
  rc::ComplementarityWorkspace workspace;
  std::vector<double> P(beads.b.size(), 0.0);
  rc::ComplementaritySettings settings{.solver = solver};
  rc::ComplementarityResult result = rc::solve(beads.problem(), settings, workspace, P.data());
  settings.warm_start = warm;
  for (auto _ : state) result = rc::solve(beads.problem(), settings, workspace, P.data());
  state.counters["iterations"] = result.iterations;
  state.counters["residual"] = result.residual;
  state.SetComplexityN(state.range(0));
  if (result.status != rc::ComplementarityStatus::solved) state.SkipWithError("not solved");
}
BENCHMARK_CAPTURE(column, automatic_cold, "automatic", false)->RangeMultiplier(10)->Range(1000, 100000)->Complexity();
BENCHMARK_CAPTURE(column, automatic_warm, "automatic", true)->RangeMultiplier(10)->Range(1000, 100000)->Complexity();
BENCHMARK_CAPTURE(column, interior_point, "interior-point", false)
    ->RangeMultiplier(10)
    ->Range(1000, 100000)
    ->Complexity();

// The plain solve that is the limit: W P = −b by a hand-written tridiagonal elimination.
void column_by_hand(benchmark::State& state) {
  const int n = static_cast<int>(state.range(0));
  std::vector<double> d(static_cast<std::size_t>(n)), x(static_cast<std::size_t>(n));
  for (auto _ : state) {
    d[0] = 1.0, x[0] = 1.0;
    for (int j = 1; j < n; ++j) {
      const double l = -1.0 / d[j - 1];
      d[j] = 2.0 + l;
      x[j] = -l * x[j - 1];
    }
    x[n - 1] /= d[n - 1];
    for (int j = n - 2; j >= 0; --j) x[j] = (x[j] + x[j + 1]) / d[j];
    benchmark::DoNotOptimize(x.data());
  }
  state.SetComplexityN(n);
}
BENCHMARK(column_by_hand)->RangeMultiplier(10)->Range(1000, 100000)->Complexity();

// One contact on a chain of 10⁵ springs: W = Hᵀ M̂⁻¹ H is one number.
struct Chain {
  static constexpr int n = 100'000;
  Chain() {
    pattern = {n, n, {0}, {}};
    for (int j = 0; j < n; ++j) {
      if (j > 0) pattern.row.push_back(j - 1), A.push_back(-1.0);
      pattern.row.push_back(j), A.push_back(2.1);
      if (j + 1 < n) pattern.row.push_back(j + 1), A.push_back(-1.0);
      pattern.start.push_back(static_cast<int>(pattern.row.size()));
    }
    gradient = {n, 1, {0, 1}, {n / 2}};
    factors.analyse(pattern);
    factors.factorise(A.data());
  }
  rc::SparseLdlt factors;
  rc::Pattern pattern, gradient;
  std::vector<double> A, H = {1.0};
};

void one_contact_on_a_chain(benchmark::State& state) {
  const Chain chain;
  const double b = -1.0;
  double P = 0.0;
  rc::ComplementarityWorkspace workspace;
  const rc::ComplementarityProblem problem{
      1, rc::SchurForm{&chain.pattern, chain.A.data(), &chain.gradient, chain.H.data(), &chain.factors}, &b};
  for (auto _ : state) {
    rc::solve(problem, {}, workspace, &P);
    benchmark::DoNotOptimize(P);
  }
}
BENCHMARK(one_contact_on_a_chain);

void one_solve_on_a_chain(benchmark::State& state) {
  const Chain chain;
  std::vector<double> x(Chain::n, 0.0);
  for (auto _ : state) {
    x[Chain::n / 2] = 1.0;
    chain.factors.solve(x.data());
    benchmark::DoNotOptimize(x.data());
  }
}
BENCHMARK(one_solve_on_a_chain);

void stack(benchmark::State& state, Stack::Kind kind, const char* solver) {
  const Stack blocks(kind, static_cast<int>(state.range(0)), 0.01);
  rc::ComplementarityWorkspace workspace;
  std::vector<double> P(2 * static_cast<std::size_t>(blocks.contacts()), 0.0);
  rc::ComplementarityResult result;
  for (auto _ : state) result = rc::solve(blocks.problem(), {.solver = solver}, workspace, P.data());
  state.counters["iterations"] = result.iterations;
  state.counters["residual"] = result.residual;
  state.SetComplexityN(blocks.contacts());
  if (result.status != rc::ComplementarityStatus::solved) state.SkipWithError("not solved");
}
BENCHMARK_CAPTURE(stack, column_automatic, Stack::Kind::column, "automatic")
    ->RangeMultiplier(10)
    ->Range(100, 10000)
    ->Complexity()
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(stack, wall_automatic, Stack::Kind::wall, "automatic")
    ->RangeMultiplier(10)
    ->Range(100, 10000)
    ->Complexity()
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(stack, pyramid_automatic, Stack::Kind::pyramid, "automatic")
    ->RangeMultiplier(10)
    ->Range(100, 10000)
    ->Complexity()
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(stack, wall_gauss_seidel, Stack::Kind::wall, "gauss-seidel")
    ->RangeMultiplier(10)
    ->Range(100, 1000)
    ->Complexity()
    ->Unit(benchmark::kMillisecond);

}  // namespace
