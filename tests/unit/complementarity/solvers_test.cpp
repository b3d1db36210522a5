// Every solver against the complementarity conditions, not stored numbers.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>

#include "core/sparse_ldlt.hpp"
#include "ricochet/complementarity/problem.hpp"
#include "ricochet/core/error.hpp"

namespace ricochet {
namespace {

struct Dense {
  int n = 0;
  std::vector<double> W, b;
  ComplementarityProblem problem() const { return {n, DenseForm{W.data()}, b.data()}; }
};

struct Shape {
  int n = 1, rank = 1;
  double decades = 0.0;      // W is scaled over so many orders of magnitude
  bool ties = false;         // some entries of b are zero, some equal
  double unsymmetric = 0.0;  // size of a skew part
};

// W = S A Aᵀ S with A n × rank, b in the range of S A: every such problem has a solution.
Dense make(const Shape& shape, unsigned seed) {
  const std::size_t n = static_cast<std::size_t>(shape.n), rank = static_cast<std::size_t>(shape.rank);
  std::mt19937 generator(seed);
  std::normal_distribution<double> normal;
  std::uniform_real_distribution<double> uniform(-0.5, 0.5);
  std::vector<double> A(n * rank), scale(n), x(rank);
  for (double& a : A) a = normal(generator);
  for (double& s : scale) s = std::pow(10.0, shape.decades * uniform(generator));
  for (double& value : x) value = normal(generator);
  // Ties: two equal rows, so that their entries of b are equal too, and rows orthogonal to x.
  if (shape.ties && n > 2) {
    for (std::size_t k = 0; k < rank; ++k) A[k * n + 1] = A[k * n];
    double along = 0.0, square = 0.0;
    for (std::size_t k = 0; k < rank; ++k) along += A[k * n + 2] * x[k], square += x[k] * x[k];
    for (std::size_t k = 0; k < rank; ++k) A[k * n + 2] -= along / square * x[k];
  }
  Dense dense{shape.n, std::vector<double>(n * n), std::vector<double>(n)};
  for (std::size_t j = 0; j < n; ++j)
    for (std::size_t i = 0; i < n; ++i) {
      double sum = 0.0;
      for (std::size_t k = 0; k < rank; ++k) sum += A[k * n + i] * A[k * n + j];
      dense.W[j * n + i] = scale[i] * sum * scale[j];
    }
  for (std::size_t j = 0; j < n; ++j)
    for (std::size_t i = 0; i < j; ++i) {
      const double skew = shape.unsymmetric * normal(generator) * std::sqrt(dense.W[i * n + i] * dense.W[j * n + j]);
      dense.W[j * n + i] += skew;
      dense.W[i * n + j] -= skew;
    }
  for (std::size_t i = 0; i < n; ++i) {
    double sum = 0.0;
    for (std::size_t k = 0; k < rank; ++k) sum += A[k * n + i] * x[k];
    dense.b[i] = scale[i] * sum;
  }
  return dense;
}

std::vector<double> product(const Dense& dense, const std::vector<double>& P) {
  std::vector<double> y(P.size(), 0.0);
  for (std::size_t j = 0; j < P.size(); ++j)
    for (std::size_t i = 0; i < P.size(); ++i) y[i] += dense.W[j * P.size() + i] * P[j];
  return y;
}

struct Answer {
  ComplementarityResult result;
  std::vector<double> P;
};

Answer run(const ComplementarityProblem& problem, ComplementaritySettings settings) {
  ComplementarityWorkspace workspace;
  Answer answer{{}, std::vector<double>(static_cast<std::size_t>(problem.n), 0.0)};
  answer.result = solve(problem, settings, workspace, answer.P.data());
  return answer;
}

// The conditions, computed here: P ≥ 0, and the natural map small in the scaled problem.
double natural_map(const Dense& dense, const std::vector<double>& P) {
  const std::vector<double> WP = product(dense, P);
  double worst = 0.0, size = 0.0;
  for (std::size_t i = 0; i < P.size(); ++i) {
    const double s = 1.0 / std::sqrt(dense.W[i * P.size() + i]);
    worst = std::max(worst, std::abs(std::min(P[i] / s, (WP[i] + dense.b[i]) * s)));
    size = std::max(size, std::abs(dense.b[i] * s));
  }
  return size > 0.0 ? worst / size : worst;
}

// What round-off of W P alone may put into it: ε times the largest scaled P against the size of b.
double round_off(const Dense& dense, const std::vector<double>& P) {
  double push = 0.0, size = 0.0;
  for (std::size_t i = 0; i < P.size(); ++i) {
    const double s = 1.0 / std::sqrt(dense.W[i * P.size() + i]);
    push = std::max(push, P[i] / s);
    size = std::max(size, std::abs(dense.b[i] * s));
  }
  return size > 0.0 ? 128.0 * std::numeric_limits<double>::epsilon() * push / size : 0.0;
}

const std::vector<std::string> exact_solvers = {"automatic", "lemke", "active-set", "interior-point"};
const std::vector<std::string> all_solvers = {"automatic",      "lemke",        "active-set",
                                              "interior-point", "gauss-seidel", "projected-gradient"};

void expect_solved(const Dense& dense, const std::string& solver) {
  const Answer answer = run(dense.problem(), {.solver = solver});
  RC_LOG() << solver << " residual " << answer.result.residual << " iterations " << answer.result.iterations << '\n';
  RC_ASSERT(answer.result.status == ComplementarityStatus::solved);
  const double tolerance = find_solver(solver).tolerance;
  RC_ASSERT(answer.result.residual <= tolerance);
  RC_ASSERT(natural_map(dense, answer.P) <= 2.0 * tolerance + round_off(dense, answer.P));
  for (const double value : answer.P) RC_ASSERT(value >= 0.0);
}

RC_GTEST_PROP(Solvers, PositiveDefinite, ()) {
  const int n = *rc::gen::inRange(1, 60);
  const Dense dense = make({.n = n, .rank = 2 * n + 3}, *rc::gen::inRange(0u, 1000000u));
  for (const std::string& solver : all_solvers) expect_solved(dense, solver);
}

RC_GTEST_PROP(Solvers, ScaledOverTwelveOrders, ()) {
  const int n = *rc::gen::inRange(1, 60);
  const Dense dense = make({.n = n, .rank = 2 * n + 3, .decades = 12.0}, *rc::gen::inRange(0u, 1000000u));
  for (const std::string& solver : all_solvers) expect_solved(dense, solver);
}

RC_GTEST_PROP(Solvers, DegenerateTies, ()) {
  const int n = *rc::gen::inRange(3, 40);
  const Dense dense = make({.n = n, .rank = 2 * n + 3, .ties = true}, *rc::gen::inRange(0u, 1000000u));
  for (const std::string& solver : all_solvers) expect_solved(dense, solver);
}

RC_GTEST_PROP(Solvers, Redundant, ()) {
  const int n = *rc::gen::inRange(2, 40);
  const Dense dense = make({.n = n, .rank = *rc::gen::inRange(1, n)}, *rc::gen::inRange(0u, 1000000u));
  for (const std::string& solver : exact_solvers) expect_solved(dense, solver);
}

RC_GTEST_PROP(Solvers, SlightlyUnsymmetric, ()) {
  const int n = *rc::gen::inRange(1, 60);
  const Dense dense = make({.n = n, .rank = 2 * n + 3, .unsymmetric = 1e-3}, *rc::gen::inRange(0u, 1000000u));
  for (const std::string& solver : all_solvers) expect_solved(dense, solver);
}

// Rates down to the least numbers there are, as a body has that comes to rest again and again.
RC_GTEST_PROP(Solvers, SizesOfRatesDoNotMatter, ()) {
  const int n = *rc::gen::inRange(1, 20);
  const unsigned seed = *rc::gen::inRange(0u, 1000000u);
  const Dense dense = make({.n = n, .rank = 2 * n + 3, .decades = 12.0}, seed);
  for (const std::string& solver : all_solvers) {
    const Answer plain = run(dense.problem(), {.solver = solver});
    for (const double unit : {0x1p-1040, 0x1p-1000, 0x1p-600, 0x1p600}) {
      Dense scaled = dense;
      for (double& b : scaled.b) b *= unit;
      const Answer answer = run(scaled.problem(), {.solver = solver});
      RC_ASSERT(answer.result.status == ComplementarityStatus::solved);
      for (int i = 0; i < n && unit >= 0x1p-600; ++i)
        RC_ASSERT(std::abs(answer.P[i] / unit - plain.P[i]) <= 1e-9 * std::abs(plain.P[i]));
    }
  }
}

// Up to 300 rows, dense.
RC_GTEST_PROP(Solvers, AnySize, ()) {
  const int n = *rc::gen::inRange(0, 301);
  const Dense dense = make({.n = n, .rank = n + n / 2 + 3, .decades = 6.0}, *rc::gen::inRange(0u, 1000000u));
  for (const char* solver : {"automatic", "active-set", "interior-point"}) expect_solved(dense, solver);
}

// Contacts between neighbours of a random sparse graph: W = Hᵀ M⁻¹ H as a sparse matrix and in its Schur form.
struct SparseCase {
  SparseCase(int n, unsigned seed) : mass(diagonal_pattern(n + 5)), gradient{n + 5, n, {0}, {}} {
    std::mt19937 generator(seed);
    std::normal_distribution<double> normal;
    std::uniform_real_distribution<double> uniform(0.2, 2.0);
    std::uniform_int_distribution<int> body(0, n + 4);
    for (int i = 0; i < n + 5; ++i) M.push_back(uniform(generator));
    for (int j = 0; j < n; ++j) {
      int a = body(generator), c = body(generator);
      if (a > c) std::swap(a, c);
      gradient.row.push_back(a), H.push_back(1.0 + 0.3 * normal(generator));
      if (c != a) gradient.row.push_back(c), H.push_back(-1.0 + 0.3 * normal(generator));
      gradient.start.push_back(static_cast<int>(gradient.row.size()));
      b.push_back(normal(generator));
    }
    // b = Hᵀ v keeps redundant contacts solvable.
    std::vector<double> v(static_cast<std::size_t>(n) + 5);
    for (double& value : v) value = normal(generator);
    for (int j = 0; j < n; ++j) b[static_cast<std::size_t>(j)] = column_dot(gradient, H.data(), j, v.data());
    form_W(n);
  }
  static Pattern diagonal_pattern(int n) {
    Pattern p{n, n, {0}, {}};
    for (int j = 0; j < n; ++j) p.row.push_back(j), p.start.push_back(j + 1);
    return p;
  }
  void form_W(int n) {
    dense = {n, std::vector<double>(static_cast<std::size_t>(n) * n, 0.0), b};
    for (int j = 0; j < n; ++j) {
      std::vector<double> x(M.size(), 0.0);
      for (int k = gradient.start[j]; k < gradient.start[j + 1]; ++k)
        x[static_cast<std::size_t>(gradient.row[k])] =
            H[static_cast<std::size_t>(k)] / M[static_cast<std::size_t>(gradient.row[k])];
      for (int i = 0; i < n; ++i)
        dense.W[static_cast<std::size_t>(j) * n + i] = column_dot(gradient, H.data(), i, x.data());
    }
    pattern = {n, n, {0}, {}};
    for (int j = 0; j < n; ++j) {
      for (int i = 0; i < n; ++i)
        if (dense.W[static_cast<std::size_t>(j) * n + i] != 0.0)
          pattern.row.push_back(i), W.push_back(dense.W[static_cast<std::size_t>(j) * n + i]);
      pattern.start.push_back(static_cast<int>(pattern.row.size()));
    }
  }
  Pattern mass, gradient, pattern;
  std::vector<double> M, H, b, W;
  Dense dense;
};

RC_GTEST_PROP(Solvers, SparseForms, ()) {
  const int n = *rc::gen::inRange(1, 301);
  const SparseCase c(n, *rc::gen::inRange(0u, 1000000u));
  const ComplementarityProblem forms[] = {
      {n, SparseForm{&c.pattern, c.W.data()}, c.b.data()},
      {n, SchurForm{&c.mass, c.M.data(), &c.gradient, c.H.data(), nullptr}, c.b.data()}};
  for (const ComplementarityProblem& problem : forms)
    for (const char* solver : {"automatic", "active-set", "interior-point"}) {
      const Answer answer = run(problem, {.solver = solver});
      RC_LOG() << solver << " form " << problem.W.index() << " residual " << answer.result.residual << '\n';
      RC_ASSERT(answer.result.status == ComplementarityStatus::solved);
      RC_ASSERT(natural_map(c.dense, answer.P) <= 1e-7);
    }
}

// A workspace that has seen W before, by its revision or without one, gives the bits of a new one.
RC_GTEST_PROP(Solvers, SparseRevisions, ()) {
  const int n = *rc::gen::inRange(2, 101);
  SparseCase c(n, *rc::gen::inRange(0u, 1000000u));
  ComplementarityWorkspace workspace;
  std::uint64_t revision = 0;
  for (int round = 0; round < 12; ++round) {
    if (*rc::gen::arbitrary<bool>()) {
      for (double& w : c.W) w *= 1.25;
      ++revision;
    }
    for (double& b : c.b) b = *rc::gen::arbitrary<bool>() ? -b : b;
    const bool tells = *rc::gen::arbitrary<bool>();
    const ComplementarityProblem problem{n, SparseForm{&c.pattern, c.W.data(), tells ? revision : 0}, c.b.data()};
    const char* solver = *rc::gen::element("automatic", "active-set", "interior-point");
    std::vector<double> P(static_cast<std::size_t>(n), 0.0);
    solve(problem, {.solver = solver}, workspace, P.data());
    RC_ASSERT(P == run(problem, {.solver = solver}).P);
  }
}

// Slightly unsymmetric and sparse: W plus a multiple of the identity, which keeps it regular, plus a skew part of 1e-3.
RC_GTEST_PROP(Solvers, SparseSlightlyUnsymmetric, ()) {
  const int n = *rc::gen::inRange(1, 301);
  SparseCase c(n, *rc::gen::inRange(0u, 1000000u));
  std::size_t k = 0;
  for (int j = 0; j < n; ++j)
    for (; k < static_cast<std::size_t>(c.pattern.start[j + 1]); ++k) {
      const int i = c.pattern.row[k];
      c.W[k] += i == j ? 0.5 : (i < j ? 1e-3 : -1e-3);
      c.dense.W[static_cast<std::size_t>(j) * n + i] = c.W[k];
    }
  for (const char* solver : {"automatic", "active-set", "interior-point"}) {
    const Answer answer = run({n, SparseForm{&c.pattern, c.W.data()}, c.b.data()}, {.solver = solver});
    RC_LOG() << solver << " residual " << answer.result.residual << '\n';
    RC_ASSERT(answer.result.status == ComplementarityStatus::solved);
    RC_ASSERT(natural_map(c.dense, answer.P) <= 2e-10);
  }
}

// W P is unique even where P is not. Two approximate solutions with residuals r₁, r₂ of the scaled problem differ by
// (P₁ − P₂)ᵀ W (P₁ − P₂) ≤ (r₁ + r₂) Σ(|P₁| + |P₂| + |w₁| + |w₂|) at most.
RC_GTEST_PROP(Solvers, AgreeOnWP, ()) {
  const int n = *rc::gen::inRange(2, 40);
  const Dense dense = make({.n = n, .rank = *rc::gen::inRange(1, 2 * n)}, *rc::gen::inRange(0u, 1000000u));
  const Answer reference = run(dense.problem(), {.solver = "lemke"});
  for (const std::string& solver : exact_solvers) {
    const Answer answer = run(dense.problem(), {.solver = solver});
    std::vector<double> difference(answer.P.size());
    double bound = 0.0, energy = 0.0, size = 0.0;
    for (std::size_t i = 0; i < difference.size(); ++i) {
      const double s = 1.0 / std::sqrt(dense.W[i * difference.size() + i]);
      difference[i] = answer.P[i] - reference.P[i];
      size = std::max(size, std::abs(dense.b[i] * s));
    }
    const std::vector<double> WP = product(dense, answer.P), WP0 = product(dense, reference.P),
                              W_difference = product(dense, difference);
    for (std::size_t i = 0; i < difference.size(); ++i) {
      const double s = 1.0 / std::sqrt(dense.W[i * difference.size() + i]);
      energy += difference[i] * W_difference[i];
      bound += (answer.P[i] + reference.P[i]) / s + (std::abs(WP[i] + dense.b[i]) + std::abs(WP0[i] + dense.b[i])) * s;
    }
    const double residuals = (natural_map(dense, answer.P) + natural_map(dense, reference.P) + 1e-14) * size;
    RC_ASSERT(energy <= 2.0 * residuals * bound);
    RC_ASSERT(residuals <= 1e-5 * size);
  }
}

TEST(Solvers, LargeDense) {
  const Dense dense = make({.n = 300, .rank = 700}, 4);
  for (const std::string& solver : all_solvers) {
    const Answer answer = run(dense.problem(), {.solver = solver});
    EXPECT_EQ(answer.result.status, ComplementarityStatus::solved) << solver;
    EXPECT_LE(natural_map(dense, answer.P), 2.0 * find_solver(solver).tolerance) << solver;
  }
}

TEST(Solvers, Empty) {
  for (const std::string& solver : all_solvers)
    EXPECT_EQ(run({0, DenseForm{}, nullptr}, {.solver = solver}).result.status, ComplementarityStatus::solved)
        << solver;
}

TEST(Solvers, NothingPushes) {
  const Dense dense{2, {2.0, 0.5, 0.5, 1.0}, {0.0, 3.0}};
  for (const std::string& solver : all_solvers) {
    const Answer answer = run(dense.problem(), {.solver = solver});
    EXPECT_EQ(answer.result.status, ComplementarityStatus::solved) << solver;
    EXPECT_NEAR(answer.P[0], 0.0, 1e-9) << solver;
    EXPECT_NEAR(answer.P[1], 0.0, 1e-9) << solver;
  }
}

// w = (0·P) − 1 and a pair that pulls apart: no solution, and everyone says that it was not solved.
TEST(Solvers, WithoutASolution) {
  const Dense one{1, {0.0}, {-1.0}}, pair{2, {1.0, -1.0, -1.0, 1.0}, {-1.0, -1.0}};
  for (const Dense& dense : {one, pair})
    for (const std::string& solver : all_solvers)
      EXPECT_NE(run(dense.problem(), {.solver = solver, .max_iterations = 1000}).result.status,
                ComplementarityStatus::solved)
          << solver;
  for (const char* solver : {"lemke", "automatic"})
    for (const Dense& dense : {one, pair})
      EXPECT_EQ(run(dense.problem(), {.solver = solver}).result.status, ComplementarityStatus::no_solution) << solver;
}

TEST(Solvers, NotFinite) {
  const Dense nan{1, {1.0}, {std::nan("")}}, infinite{1, {INFINITY}, {-1.0}};
  for (const Dense& dense : {nan, infinite})
    for (const std::string& solver : all_solvers)
      EXPECT_EQ(run(dense.problem(), {.solver = solver}).result.status, ComplementarityStatus::not_finite) << solver;
}

TEST(Solvers, SettingsAreChecked) {
  EXPECT_THROW(check({.solver = "lemkee"}), InputError);
  EXPECT_THROW(check({.tolerance = -1.0}), InputError);
  EXPECT_THROW(check({.max_iterations = -1}), InputError);
  EXPECT_THROW(check({.relaxation = 2.0}), InputError);
  EXPECT_NO_THROW(check({}));
}

// Newton's cradle of three, e = 1: (1, 0, 0) becomes (−1/3, 2/3, 2/3) under the law (5.3).
TEST(Solvers, NewtonsCradle) {
  const Dense cradle{2, {2.0, -1.0, -1.0, 2.0}, {-2.0, 0.0}};
  for (const std::string& solver : exact_solvers) {
    const std::vector<double> P = run(cradle.problem(), {.solver = solver}).P;
    EXPECT_NEAR(1.0 - P[0], -1.0 / 3.0, 1e-14) << solver;
    EXPECT_NEAR(P[0] - P[1], 2.0 / 3.0, 1e-14) << solver;
    EXPECT_NEAR(P[1], 2.0 / 3.0, 1e-14) << solver;
  }
}

// A column of n beads of mass 1 on a floor: contact j lies below bead j, H_j = e_j − e_{j−1}.
struct Column {
  explicit Column(int n) : mass(diagonal(n)), gradient{n, n, {0}, {}}, M(static_cast<std::size_t>(n), 1.0) {
    for (int j = 0; j < n; ++j) {
      if (j > 0) gradient.row.push_back(j - 1), H.push_back(-1.0);
      gradient.row.push_back(j), H.push_back(1.0);
      gradient.start.push_back(static_cast<int>(gradient.row.size()));
    }
    // W = Hᵀ H is tridiagonal.
    W_pattern = {n, n, {0}, {}};
    for (int j = 0; j < n; ++j) {
      if (j > 0) W_pattern.row.push_back(j - 1), W.push_back(-1.0);
      W_pattern.row.push_back(j), W.push_back(j > 0 ? 2.0 : 1.0);
      if (j + 1 < n) W_pattern.row.push_back(j + 1), W.push_back(-1.0);
      W_pattern.start.push_back(static_cast<int>(W_pattern.row.size()));
    }
    // At rest under gravity for one step: only the lowest contact is pressed directly.
    b.assign(static_cast<std::size_t>(n), 0.0);
    b[0] = -1.0;
  }
  static Pattern diagonal(int n) {
    Pattern p{n, n, {0}, {}};
    for (int j = 0; j < n; ++j) p.row.push_back(j), p.start.push_back(j + 1);
    return p;
  }
  ComplementarityProblem sparse() const {
    return {static_cast<int>(b.size()), SparseForm{&W_pattern, W.data()}, b.data()};
  }
  ComplementarityProblem schur() const {
    return {static_cast<int>(b.size()), SchurForm{&mass, M.data(), &gradient, H.data()}, b.data()};
  }
  Pattern mass, gradient, W_pattern;
  std::vector<double> M, H, W, b;
};

// The contact below bead j carries the beads j … n−1.
TEST(BeadColumn, EveryFormAndSolverCarriesTheWeight) {
  const int n = 1000;
  const Column column(n);
  for (const ComplementarityProblem& problem : {column.sparse(), column.schur()})
    for (const char* solver : {"automatic", "active-set", "interior-point"}) {
      const Answer answer = run(problem, {.solver = solver});
      ASSERT_EQ(answer.result.status, ComplementarityStatus::solved) << solver;
      for (int j = 0; j < n; ++j) ASSERT_NEAR(answer.P[static_cast<std::size_t>(j)], n - j, 1e-6) << solver;
    }
}

TEST(BeadColumn, WarmStartTakesAtMostThreeIterations) {
  const Column column(2000);
  ComplementarityWorkspace workspace;
  std::vector<double> P(2000, 0.0);
  solve(column.sparse(), {}, workspace, P.data());
  const ComplementarityResult again = solve(column.sparse(), {.warm_start = true}, workspace, P.data());
  EXPECT_EQ(again.status, ComplementarityStatus::solved);
  EXPECT_LE(again.iterations, 3);
}

// A random sparse chain with springs between neighbours: A = M̂ is banded, W = Hᵀ A⁻¹ H is full.
TEST(Schur, AgreesWithTheDenseForm) {
  std::mt19937 generator(3);
  std::normal_distribution<double> normal;
  for (const int n : {5, 40, 150}) {
    const Column column(n);
    std::vector<double> A = column.W, b(static_cast<std::size_t>(n));
    for (int j = 0; j < n; ++j)
      for (int k = column.W_pattern.start[j]; k < column.W_pattern.start[j + 1]; ++k)
        if (column.W_pattern.row[k] == j) A[static_cast<std::size_t>(k)] += 0.5;
    for (double& value : b) value = normal(generator);
    const ComplementarityProblem schur{n, SchurForm{&column.W_pattern, A.data(), &column.gradient, column.H.data()},
                                       b.data()};
    // W by solves.
    SparseLdlt factors;
    factors.analyse(column.W_pattern);
    ASSERT_TRUE(factors.factorise(A.data()));
    Dense dense{n, std::vector<double>(static_cast<std::size_t>(n) * n), b};
    std::vector<double> x(static_cast<std::size_t>(n));
    for (int j = 0; j < n; ++j) {
      std::fill(x.begin(), x.end(), 0.0);
      for (int k = column.gradient.start[j]; k < column.gradient.start[j + 1]; ++k)
        x[static_cast<std::size_t>(column.gradient.row[k])] = column.H[static_cast<std::size_t>(k)];
      factors.solve(x.data());
      for (int i = 0; i < n; ++i)
        dense.W[static_cast<std::size_t>(j) * n + i] = column_dot(column.gradient, column.H.data(), i, x.data());
    }
    for (const std::string& solver : exact_solvers) {
      const Answer answer = run(schur, {.solver = solver});
      ASSERT_EQ(answer.result.status, ComplementarityStatus::solved) << solver << " n = " << n;
      EXPECT_LE(natural_map(dense, answer.P), 2e-10) << solver;
    }
  }
}

TEST(SparseLdlt, SolvesInBothOrderings) {
  std::mt19937 generator(5);
  std::uniform_int_distribution<int> pick(0, 79);
  const int n = 80;
  // A random graph, its Laplacian plus the identity.
  std::vector<double> dense(static_cast<std::size_t>(n) * n, 0.0);
  for (int i = 0; i < n; ++i) dense[static_cast<std::size_t>(i) * n + i] = 1.0;
  for (int e = 0; e < 160; ++e) {
    const int i = pick(generator), j = pick(generator);
    if (i == j) continue;
    dense[static_cast<std::size_t>(i) * n + j] -= 1.0, dense[static_cast<std::size_t>(j) * n + i] -= 1.0;
    dense[static_cast<std::size_t>(i) * n + i] += 1.0, dense[static_cast<std::size_t>(j) * n + j] += 1.0;
  }
  Pattern pattern{n, n, {0}, {}};
  std::vector<double> values;
  for (int j = 0; j < n; ++j) {
    for (int i = 0; i < n; ++i)
      if (dense[static_cast<std::size_t>(j) * n + i] != 0.0)
        pattern.row.push_back(i), values.push_back(dense[static_cast<std::size_t>(j) * n + i]);
    pattern.start.push_back(static_cast<int>(pattern.row.size()));
  }
  int sizes[2];
  int which = 0;
  for (const auto ordering : {SparseLdlt::Ordering::natural, SparseLdlt::Ordering::minimum_degree}) {
    SparseLdlt ldlt;
    ldlt.analyse(pattern, ordering);
    sizes[which++] = ldlt.factor_size();
    ASSERT_TRUE(ldlt.factorise(values.data()));
    ASSERT_TRUE(ldlt.factorise(values.data())) << "again, with the same memory";
    EXPECT_EQ(ldlt.negative_pivots(), 0);
    std::vector<double> x(static_cast<std::size_t>(n), 1.0), y(static_cast<std::size_t>(n), 0.0);
    ldlt.solve(x.data());
    multiply_add(pattern, values.data(), x.data(), 1.0, y.data());
    for (const double value : y) EXPECT_NEAR(value, 1.0, 1e-12);
  }
  EXPECT_LT(sizes[1], sizes[0]);
}

}  // namespace
}  // namespace ricochet
