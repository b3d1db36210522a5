// Free rows, U = 0 with P of either sign, in every solver: against the complementarity conditions and against the
// projection that the problem is.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <random>

#include "ricochet/complementarity/problem.hpp"

namespace ricochet {
namespace {

using Column = std::vector<long double>;

long double inner(const Column& x, const Column& y) { return std::inner_product(x.begin(), x.end(), y.begin(), 0.0L); }

// W = LᵀL, b = Lᵀz with L = M^(−1/2) H: velocities are z + L P in the scale of M^(1/2).
struct Problem {
  int n = 0;
  std::vector<Column> L;
  Column z;
  std::vector<Cone> cones;
  std::vector<double> W, b;

  void form() {
    n = static_cast<int>(L.size());
    W.clear(), b.clear();
    for (const Column& y : L) {
      for (const Column& x : L) W.push_back(static_cast<double>(inner(x, y)));
      b.push_back(static_cast<double>(inner(y, z)));
    }
  }
  ComplementarityProblem problem() const { return {n, DenseForm{W.data()}, b.data(), cones.data()}; }
  bool is_free(int i) const { return cones[static_cast<std::size_t>(i)] == Cone::free; }
  double own(int i) const { return W[static_cast<std::size_t>(i) * static_cast<std::size_t>(n + 1)]; }
};

struct Shape {
  int coordinates = 4, free = 2, contacts = 3, redundant_free = 0, redundant_contacts = 0;
  double decades = 6.0;  // of the masses
};

// Entries of H are small whole numbers; a redundant row is the sum or the difference of two others.
Problem make(const Shape& shape, unsigned seed) {
  std::mt19937 generator(seed);
  std::uniform_int_distribution<int> entry(-3, 3);
  std::uniform_real_distribution<double> uniform(-0.5, 0.5);
  std::normal_distribution<double> normal;
  const std::size_t nq = static_cast<std::size_t>(shape.coordinates);
  Column root(nq);
  for (long double& r : root) r = std::pow(10.0, -0.5 * shape.decades * uniform(generator));
  Problem p;
  p.z.resize(nq);
  for (long double& value : p.z) value = normal(generator);
  const auto add = [&](Cone cone, Column column) {
    p.L.push_back(std::move(column));
    p.cones.push_back(cone);
  };
  const auto random = [&] {
    Column column(nq);
    for (std::size_t k = 0; k < nq; ++k) column[k] = root[k] * entry(generator);
    if (inner(column, column) == 0.0L) column[0] = root[0];
    return column;
  };
  const auto combination = [&](std::size_t a, std::size_t c) {
    const int sign = uniform(generator) < 0.0 ? -1 : 1;
    Column column(nq);
    for (std::size_t k = 0; k < nq; ++k) column[k] = p.L[a][k] + sign * p.L[c][k];
    return inner(column, column) > 0.0L ? column : p.L[a];
  };
  const auto any = [&](int count) {
    return static_cast<std::size_t>(std::uniform_int_distribution<int>(0, count - 1)(generator));
  };
  for (int i = 0; i < shape.free; ++i) add(Cone::free, random());
  for (int i = 0; i < shape.redundant_free; ++i) add(Cone::free, combination(any(shape.free), any(shape.free)));
  for (int i = 0; i < shape.contacts; ++i) add(Cone::nonnegative, random());
  // Of free rows too: such a contact may be held by joints.
  for (int i = 0; i < shape.redundant_contacts; ++i)
    add(Cone::nonnegative, combination(any(static_cast<int>(p.L.size())), any(static_cast<int>(p.L.size()))));
  p.form();
  return p;
}

Problem random_problem() {
  const Shape shape{.coordinates = *rc::gen::inRange(1, 8),
                    .free = *rc::gen::inRange(1, 4),
                    .contacts = *rc::gen::inRange(0, 4),
                    .redundant_free = *rc::gen::inRange(0, 3),
                    .redundant_contacts = *rc::gen::inRange(0, 3)};
  return make(shape, *rc::gen::inRange(0u, 1000000u));
}

// z − its projection on the span of columns.
Column remainder(const std::vector<const Column*>& columns, Column z) {
  std::vector<Column> basis;
  for (const Column* column : columns) {
    Column x = *column;
    for (int twice = 0; twice < 2; ++twice)
      for (const Column& q : basis) {
        const long double along = inner(q, x);
        for (std::size_t k = 0; k < x.size(); ++k) x[k] -= along * q[k];
      }
    const long double length = std::sqrt(inner(x, x));
    if (length <= 1e-14L * std::sqrt(inner(*column, *column))) continue;
    for (long double& value : x) value /= length;
    basis.push_back(std::move(x));
  }
  for (const Column& q : basis) {
    const long double along = inner(q, z);
    for (std::size_t k = 0; k < z.size(); ++k) z[k] -= along * q[k];
  }
  return z;
}

// The motion is the nearest to z with U = 0 on free rows and U ≥ 0 on the others: the nearest of the projections on all
// faces that is allowed.
Column nearest(const Problem& p) {
  std::vector<const Column*> span;
  std::vector<int> contacts;
  for (int i = 0; i < p.n; ++i)
    if (p.is_free(i))
      span.push_back(&p.L[static_cast<std::size_t>(i)]);
    else
      contacts.push_back(i);
  Column best;
  long double least = HUGE_VALL;
  const std::size_t joints = span.size();
  for (unsigned face = 0; face < 1u << contacts.size(); ++face) {
    span.resize(joints);
    for (std::size_t i = 0; i < contacts.size(); ++i)
      if (face >> i & 1u) span.push_back(&p.L[static_cast<std::size_t>(contacts[i])]);
    const Column y = remainder(span, p.z);
    const bool allowed = std::all_of(contacts.begin(), contacts.end(), [&](int i) {
      const Column& column = p.L[static_cast<std::size_t>(i)];
      return inner(column, y) >= -1e-15L * std::sqrt(inner(column, column) * inner(p.z, p.z));
    });
    const long double distance = inner(p.z, p.z) - inner(y, y);
    if (!allowed || distance >= least) continue;
    least = distance;
    best = y;
  }
  return best;
}

struct Answer {
  ComplementarityResult result;
  std::vector<double> P;
};

Answer run(const ComplementarityProblem& problem, const ComplementaritySettings& settings) {
  ComplementarityWorkspace workspace;
  Answer answer{{}, std::vector<double>(static_cast<std::size_t>(problem.n), 0.0)};
  answer.result = solve(problem, settings, workspace, answer.P.data());
  return answer;
}

Column motion(const Problem& p, const std::vector<double>& P) {
  Column y = p.z;
  for (std::size_t j = 0; j < P.size(); ++j)
    for (std::size_t k = 0; k < y.size(); ++k) y[k] += p.L[j][k] * P[j];
  return y;
}

// The conditions, computed here, in the scale of a unit diagonal: the largest residual, the size of b, Σ |P|, max |P|.
struct Conditions {
  double residual = 0.0, size = 0.0, sum = 0.0, push = 0.0;
};

Conditions conditions(const Problem& p, const std::vector<double>& P) {
  Conditions c;
  for (int i = 0; i < p.n; ++i) {
    const std::size_t k = static_cast<std::size_t>(i);
    double w = p.b[k];
    for (std::size_t j = 0; j < P.size(); ++j) w += p.W[j * P.size() + k] * P[j];
    const double s = p.own(i) > 0.0 ? 1.0 / std::sqrt(p.own(i)) : 1.0;
    c.residual = std::max(c.residual, std::abs(p.is_free(i) ? w * s : std::min(P[k] / s, w * s)));
    c.size = std::max(c.size, std::abs(p.b[k] * s));
    c.sum += std::abs(P[k] / s) + std::abs(w * s);
    c.push = std::max(c.push, std::abs(P[k] / s));
  }
  return c;
}

constexpr double epsilon = std::numeric_limits<double>::epsilon();
const std::vector<std::string> exact_solvers = {"automatic", "lemke", "active-set", "interior-point"};
const std::vector<std::string> iterative_solvers = {"gauss-seidel", "projected-gradient"};

double distance(const Column& x, const Column& y) {
  long double sum = 0.0L;
  for (std::size_t k = 0; k < x.size(); ++k) sum += (x[k] - y[k]) * (x[k] - y[k]);
  return static_cast<double>(std::sqrt(sum));
}

// Solved, and the motion is the nearest one: two answers with residuals r₁, r₂ differ by (r₁ + r₂) Σ (|P| + |w|) in
// (P₁ − P₂)ᵀ W (P₁ − P₂), the square of the distance.
void expect_solved(const Problem& p, const std::string& solver, const Answer& answer, const Column& expected) {
  RC_LOG() << solver << ": " << name(answer.result.status) << ", residual " << answer.result.residual << ", iterations "
           << answer.result.iterations << '\n';
  RC_ASSERT(answer.result.status == ComplementarityStatus::solved);
  const double tolerance = find_solver(solver).tolerance;
  const Conditions c = conditions(p, answer.P);
  RC_ASSERT(c.residual <= 2.0 * tolerance * c.size + 128.0 * epsilon * c.push);
  const double residual = c.residual + 64.0 * epsilon * (c.push + c.size);
  const double error = distance(motion(p, answer.P), expected);
  RC_LOG() << "error " << error << '\n';
  RC_ASSERT(error * error <= 4.0 * residual * (c.sum + c.size * p.n));
  for (int i = 0; i < p.n; ++i) RC_ASSERT(p.is_free(i) || answer.P[static_cast<std::size_t>(i)] >= 0.0);
}

RC_GTEST_PROP(FreeRows, EveryExactSolverFindsTheNearestMotion, ()) {
  const Problem p = random_problem();
  const Column expected = nearest(p);
  for (const std::string& solver : exact_solvers)
    expect_solved(p, solver, run(p.problem(), {.solver = solver}), expected);
}

// Joints that leave little of W: redundant contacts and held ones see its round-off alone.
TEST(FreeRows, WhereJointsLeaveLittle) {
  for (const Shape& shape :
       {Shape{.coordinates = 4, .free = 3, .contacts = 3, .redundant_free = 1, .redundant_contacts = 2},
        Shape{.coordinates = 2, .free = 2, .contacts = 3}})
    for (unsigned seed = 0; seed < 1000; ++seed) {
      const Problem p = make(shape, seed);
      for (const std::string& solver : exact_solvers)
        EXPECT_EQ(run(p.problem(), {.solver = solver}).result.status, ComplementarityStatus::solved)
            << solver << ", seed " << seed;
    }
}

// Iterative solvers need a condition that they can live with.
RC_GTEST_PROP(FreeRows, EveryIterativeSolverFindsTheNearestMotion, ()) {
  const Problem p = make({.coordinates = *rc::gen::inRange(6, 9),
                          .free = *rc::gen::inRange(1, 4),
                          .contacts = *rc::gen::inRange(0, 4),
                          .redundant_free = *rc::gen::inRange(0, 3),
                          .decades = 1.0},
                         *rc::gen::inRange(0u, 1000000u));
  const Column expected = nearest(p);
  for (const std::string& solver : iterative_solvers)
    expect_solved(p, solver, run(p.problem(), {.solver = solver}), expected);
}

// The rows in another order and in other units.
RC_GTEST_PROP(FreeRows, OrderAndUnitsOfRowsDoNotMatter, ()) {
  const Problem p = random_problem();
  const Column expected = nearest(p);
  std::mt19937 generator(*rc::gen::inRange(0u, 1000000u));
  std::uniform_real_distribution<double> decades(-4.0, 4.0);
  std::vector<std::size_t> order(p.L.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::shuffle(order.begin(), order.end(), generator);
  Problem other;
  other.z = p.z;
  for (const std::size_t i : order) {
    const double unit = std::pow(10.0, decades(generator));
    other.L.push_back(p.L[i]);
    for (long double& value : other.L.back()) value *= unit;
    other.cones.push_back(p.cones[i]);
  }
  other.form();
  for (const std::string& solver : exact_solvers)
    expect_solved(other, solver, run(other.problem(), {.solver = solver}), expected);
}

// A row twice: both carry half.
RC_GTEST_PROP(FreeRows, RedundantOnesShareTheLoad, ()) {
  Problem p = make({.coordinates = 6, .free = 2, .contacts = *rc::gen::inRange(0, 4)}, *rc::gen::inRange(0u, 1000000u));
  p.L.push_back(p.L[0]);
  p.cones.push_back(Cone::free);
  p.form();
  for (const std::string& solver : exact_solvers) {
    const Answer answer = run(p.problem(), {.solver = solver});
    RC_ASSERT(answer.result.status == ComplementarityStatus::solved);
    RC_ASSERT(std::abs(answer.P.front() - answer.P.back()) <= 1e-9 * std::abs(answer.P.front()));
  }
}

// A row twice with different b.
RC_GTEST_PROP(FreeRows, ContradictionsAreReported, ()) {
  Problem p = make({.coordinates = 6, .free = 2, .contacts = *rc::gen::inRange(0, 4)}, *rc::gen::inRange(0u, 1000000u));
  p.L.push_back(p.L[0]);
  p.cones.push_back(Cone::free);
  p.form();
  p.b.back() += 1e-3 * std::sqrt(p.own(0));
  for (const std::string& solver : exact_solvers)
    RC_ASSERT(run(p.problem(), {.solver = solver}).result.status == ComplementarityStatus::no_solution);
}

// A contact on a locked coordinate: nothing pushes if it opens, nothing can help if it closes.
TEST(FreeRows, ContactOnALockedCoordinate) {
  const double W[] = {1.0, 2.0, 2.0, 4.0};
  const Cone cones[] = {Cone::free, Cone::nonnegative};
  for (const SolverEntry& solver : solvers()) {
    const double still[] = {3.0, 6.0}, opens[] = {3.0, 7.0}, closes[] = {3.0, 5.0};
    const ComplementaritySettings settings{.solver = std::string(solver.name)};
    for (const double* b : {still, opens}) {
      const Answer answer = run({2, DenseForm{W}, b, cones}, settings);
      EXPECT_EQ(answer.result.status, ComplementarityStatus::solved) << solver.name;
      EXPECT_DOUBLE_EQ(answer.P[0], -3.0) << solver.name;
      EXPECT_EQ(answer.P[1], 0.0) << solver.name;
    }
    EXPECT_EQ(run({2, DenseForm{W}, closes, cones}, settings).result.status, ComplementarityStatus::no_solution)
        << solver.name;
  }
}

TEST(FreeRows, WhatIsNotSemidefiniteHasNoSolution) {
  const double W[] = {-1.0}, b[] = {1.0};
  const Cone cones[] = {Cone::free};
  EXPECT_EQ(run({1, DenseForm{W}, b, cones}, {}).result.status, ComplementarityStatus::no_solution);
}

// Rates and impulses along gradients of two neighbouring positions: W = Gᵀ M⁻¹ H is unsymmetric. The conditions count.
RC_GTEST_PROP(FreeRows, SlightlyUnsymmetric, ()) {
  Problem p = make({.coordinates = *rc::gen::inRange(6, 9),
                    .free = *rc::gen::inRange(1, 4),
                    .contacts = *rc::gen::inRange(0, 4),
                    .decades = 1.0},
                   *rc::gen::inRange(0u, 1000000u));
  for (int i = 0; i < p.n; ++i) p.W[static_cast<std::size_t>(i) * static_cast<std::size_t>(p.n + 1)] += 0.1 * p.own(i);
  for (int j = 0; j < p.n; ++j)
    for (int i = 0; i < j; ++i) {
      const double skew = 1e-2 * std::sqrt(p.own(i) * p.own(j)) * (i + j) / p.n;
      p.W[static_cast<std::size_t>(j * p.n + i)] += skew;
      p.W[static_cast<std::size_t>(i * p.n + j)] -= skew;
    }
  for (const SolverEntry& solver : solvers()) {
    const Answer answer = run(p.problem(), {.solver = std::string(solver.name)});
    RC_LOG() << solver.name << " residual " << answer.result.residual << '\n';
    RC_ASSERT(answer.result.status == ComplementarityStatus::solved);
    const Conditions c = conditions(p, answer.P);
    RC_ASSERT(c.residual <= 2.0 * solver.tolerance * c.size + 128.0 * epsilon * c.push);
  }
}

TEST(FreeRows, WarmStart) {
  for (unsigned seed = 0; seed < 50; ++seed) {
    const Problem p = make({.coordinates = 12, .free = 3, .contacts = 8}, seed);
    ComplementarityWorkspace workspace;
    std::vector<double> P(static_cast<std::size_t>(p.n), 0.0);
    ASSERT_EQ(solve(p.problem(), {}, workspace, P.data()).status, ComplementarityStatus::solved);
    const std::vector<double> first = P;
    const ComplementarityResult again = solve(p.problem(), {.warm_start = true}, workspace, P.data());
    EXPECT_EQ(again.status, ComplementarityStatus::solved);
    EXPECT_LE(again.iterations, 2);
    EXPECT_LE(distance(motion(p, P), motion(p, first)), 1e-9);
  }
}

// A chain of bodies on a line, every third tied to its neighbour, twice where asked for; contacts between the others
// and with a floor. M is diagonal; W as a sparse matrix and in its Schur form.
struct Chain {
  Chain(int bodies, bool twice, unsigned seed) : mass{bodies, bodies, {0}, {}}, gradient{bodies, 0, {0}, {}} {
    std::mt19937 generator(seed);
    std::normal_distribution<double> normal;
    std::uniform_real_distribution<double> decades(-1.0, 1.0);
    for (int i = 0; i < bodies; ++i) {
      mass.row.push_back(i), mass.start.push_back(i + 1);
      M.push_back(std::pow(10.0, decades(generator)));
      p.z.push_back(normal(generator));
    }
    for (int i = 0; i < bodies; ++i) {
      const bool tied = i % 3 == 1;
      for (int k = 0; k < (tied && twice ? 2 : 1); ++k) add(i, tied ? Cone::free : Cone::nonnegative);
    }
    p.form();
    pattern = {p.n, p.n, {0}, {}};
    for (int j = 0; j < p.n; ++j) {
      for (int i = 0; i < p.n; ++i)
        if (const double w = p.W[static_cast<std::size_t>(j) * static_cast<std::size_t>(p.n) + i]; w != 0.0)
          pattern.row.push_back(i), W.push_back(w);
      pattern.start.push_back(static_cast<int>(pattern.row.size()));
    }
  }
  // Between body i and the one below.
  void add(int i, Cone cone) {
    Column column(M.size(), 0.0L);
    if (i > 0) gradient.row.push_back(i - 1), H.push_back(-1.0);
    if (i > 0) column[static_cast<std::size_t>(i) - 1] = -1.0L / std::sqrt(static_cast<long double>(M[i - 1]));
    gradient.row.push_back(i), H.push_back(1.0);
    column[static_cast<std::size_t>(i)] = 1.0L / std::sqrt(static_cast<long double>(M[i]));
    gradient.start.push_back(static_cast<int>(gradient.row.size()));
    ++gradient.cols;
    p.L.push_back(std::move(column));
    p.cones.push_back(cone);
  }
  ComplementarityProblem sparse() const { return {p.n, SparseForm{&pattern, W.data()}, p.b.data(), p.cones.data()}; }
  ComplementarityProblem schur() const {
    return {p.n, SchurForm{&mass, M.data(), &gradient, H.data()}, p.b.data(), p.cones.data()};
  }
  Pattern mass, gradient, pattern;
  std::vector<double> M, H, W;
  Problem p;
};

RC_GTEST_PROP(FreeRows, LargeProblemsInSparseForms, ()) {
  const Chain chain(*rc::gen::inRange(1, 300), *rc::gen::arbitrary<bool>(), *rc::gen::inRange(0u, 1000000u));
  const Answer reference = run(chain.p.problem(), {});
  const Column expected = motion(chain.p, reference.P);
  for (const ComplementarityProblem& problem : {chain.sparse(), chain.schur()})
    for (const std::string& solver : exact_solvers) {
      RC_LOG() << "n = " << chain.p.n << ", form " << problem.W.index() << ": ";
      const Answer answer = run(problem, {.solver = solver});
      expect_solved(chain.p, solver, answer, expected);
      // A row that stands twice carries half each time.
      const double push = conditions(chain.p, answer.P).push;
      for (int i = 1; i < chain.p.n; ++i)
        if (chain.p.L[static_cast<std::size_t>(i)] == chain.p.L[static_cast<std::size_t>(i) - 1])
          RC_ASSERT(std::abs(answer.P[static_cast<std::size_t>(i)] - answer.P[static_cast<std::size_t>(i) - 1]) *
                        std::sqrt(chain.p.own(i)) <=
                    1e-5 * push);
    }
}

}  // namespace
}  // namespace ricochet
