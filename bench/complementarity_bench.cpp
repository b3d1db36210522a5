// Contact problems of growing size: a column of N beads on the floor, every contact active, e = 0; stacks of blocks
// with friction.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "core/sparse_ldlt.hpp"
#include "ricochet/complementarity/problem.hpp"

namespace rc = ricochet;

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

// Blocks of unit size and mass in the plane that rest on each other with friction 0.5, two points an edge: one step of
// gravity; walls and pyramids move a little sideways, which a tall column does not survive. Contacts below block `top`
// on block `below`, −1: the floor.
class Stack {
 public:
  enum class Kind { column, wall, pyramid };

  Stack(Kind kind, int contacts) {
    const double root = std::sqrt(contacts);
    const int side = static_cast<int>(std::lround(kind == Kind::wall ? 0.5 * root : root / std::sqrt(2.0)));
    const int rows = kind == Kind::column ? contacts / 2 : side;
    std::vector<int> below, row;
    for (int r = 0; r < rows; ++r) {
      const int width = kind == Kind::column ? 1 : kind == Kind::wall ? side : side - r;
      const double begin = kind == Kind::column ? 0.0 : kind == Kind::wall ? 0.5 * (r % 2) : 0.5 * r;
      row.clear();
      for (int i = 0; i < width; ++i) {
        const int top = static_cast<int>(x_.size());
        row.push_back(top);
        x_.push_back(begin + i);
        y_.push_back(r + 0.5);
        if (r == 0) rest_on(top, -1, x_[top] - 0.5, x_[top] + 0.5);
        for (const int other : below)
          if (const double off = x_[other] - x_[top]; std::abs(off) < 0.9)
            rest_on(top, other, x_[top] + std::max(off, 0.0) - 0.5, x_[top] + std::min(off, 0.0) + 0.5);
      }
      below = row;
    }
    finish(kind == Kind::column ? 0.0 : 0.01);
  }

  int contacts() const { return static_cast<int>(cones_.size()) / 2; }
  rc::ComplementarityProblem problem() const {
    return {static_cast<int>(b_.size()), rc::SchurForm{&mass_, M_.data(), &gradient_, H_.data()}, b_.data(),
            cones_.data(), bounds_.data()};
  }

 private:
  void rest_on(int top, int below, double from, double to) {
    for (const double x : {from, to}) {
      add_column(top, below, x, y_[top] - 0.5, 0.0, 1.0);
      add_column(top, below, x, y_[top] - 0.5, 1.0, 0.0);
      cones_.insert(cones_.end(), {rc::Cone::coulomb, rc::Cone::tangent});
      bounds_.insert(bounds_.end(), {0.5, 0.0});
    }
  }
  void add_column(int top, int below, double x, double y, double n_x, double n_y) {
    const auto add = [&](int block, double sign) {
      const double entries[] = {n_x, n_y, (x - x_[block]) * n_y - (y - y_[block]) * n_x};
      for (int i = 0; i < 3; ++i) gradient_.row.push_back(3 * block + i), H_.push_back(sign * entries[i]);
    };
    if (below >= 0) add(below, -1.0);
    add(top, 1.0);
    gradient_.start.push_back(static_cast<int>(gradient_.row.size()));
  }
  void finish(double sideways) {
    const int dofs = 3 * static_cast<int>(x_.size());
    gradient_.rows = mass_.rows = mass_.cols = dofs;
    gradient_.cols = static_cast<int>(cones_.size());
    std::vector<double> v(static_cast<std::size_t>(dofs));
    for (int i = 0; i < dofs; ++i) {
      mass_.row.push_back(i), mass_.start.push_back(i + 1);
      M_.push_back(i % 3 == 2 ? 1.0 / 6.0 : 1.0);
      v[i] = i % 3 == 1 ? -1.0 : i % 3 == 0 ? sideways * std::sin(1.7 * i) : 0.0;
    }
    for (int j = 0; j < gradient_.cols; ++j) b_.push_back(rc::column_dot(gradient_, H_.data(), j, v.data()));
  }

  std::vector<double> x_, y_, M_, H_, b_, bounds_;
  std::vector<rc::Cone> cones_;
  rc::Pattern mass_, gradient_;
};

void stack(benchmark::State& state, Stack::Kind kind, const char* solver) {
  const Stack blocks(kind, static_cast<int>(state.range(0)));
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
