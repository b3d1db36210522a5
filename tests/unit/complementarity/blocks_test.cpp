// Problems with Coulomb friction and dry friction: the laws hold, whatever the solver and the form of W.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>
#include <random>
#include <tuple>

#include "complementarity/planar_contact.hpp"
#include "ricochet/complementarity/problem.hpp"
#include "ricochet/core/error.hpp"
#include "support/block_stacks.hpp"

namespace ricochet {
namespace {

using Status = ComplementarityStatus;

// U = Hᵀ(v + Hᵀ… P): rows of H are measured and pushed along, M = 1.
struct BlockProblem {
  int dofs = 0;
  std::vector<std::vector<double>> H;
  std::vector<Cone> cones;
  std::vector<double> bounds, W, b;

  int n() const { return static_cast<int>(H.size()); }
  void add(Cone cone, double bound, std::vector<double> row) {
    cones.push_back(cone);
    bounds.push_back(bound);
    H.push_back(std::move(row));
  }
  void finish(const std::vector<double>& v) {
    const std::size_t size = H.size();
    W.assign(size * size, 0.0);
    b.assign(size, 0.0);
    for (std::size_t i = 0; i < size; ++i) {
      b[i] = dot(dofs, H[i].data(), v.data());
      for (std::size_t j = 0; j < size; ++j) W[j * size + i] = dot(dofs, H[i].data(), H[j].data());
    }
  }
  ComplementarityProblem problem() const { return {n(), DenseForm{W.data()}, b.data(), cones.data(), bounds.data()}; }
  std::vector<double> rates(const std::vector<double>& P) const {
    std::vector<double> U(b);
    for (std::size_t j = 0; j < P.size(); ++j)
      for (std::size_t i = 0; i < P.size(); ++i) U[i] += W[j * P.size() + i] * P[j];
    return U;
  }
};

struct Shape {
  int tangents = 1, contacts = 1, dry = 0, joints = 0, dofs = 3;
  double largest_mu = 1.0;
};

// With a direction in which all contacts open, slide little and joints do not move, so that there is a solution.
BlockProblem random_problem(const Shape& shape, std::mt19937& generator) {
  std::normal_distribution<double> normal;
  std::uniform_real_distribution<double> uniform;
  BlockProblem p;
  p.dofs = shape.dofs;
  const auto row = [&] {
    std::vector<double> x(static_cast<std::size_t>(shape.dofs));
    for (double& value : x) value = normal(generator);
    return x;
  };
  std::vector<double> way = row();
  const double length = std::sqrt(dot(shape.dofs, way.data(), way.data()));
  for (double& value : way) value /= length;
  // x with a component of its own along the way
  const auto along = [&](std::vector<double> x, double component) {
    const double old = dot(shape.dofs, x.data(), way.data());
    for (std::size_t i = 0; i < x.size(); ++i) x[i] += (component - old) * way[i];
    return x;
  };
  for (int k = 0; k < shape.contacts; ++k) {
    const double mu = generator() % 8 == 0 ? 0.0 : shape.largest_mu * uniform(generator);
    p.add(Cone::coulomb, mu, along(row(), 1.0 + 2.0 * mu));
    for (int i = 0; i < shape.tangents; ++i) p.add(Cone::tangent, 0.0, along(row(), uniform(generator)));
  }
  for (int k = 0; k < shape.dry; ++k) {
    p.add(Cone::disc, 2.0 * uniform(generator), row());
    if (shape.tangents == 2 && generator() % 2 == 0) p.add(Cone::tangent, 0.0, row());
  }
  for (int k = 0; k < shape.joints; ++k)
    p.add(Cone::free, 0.0, k > 0 && generator() % 4 == 0 ? p.H.back() : along(row(), 0.0));
  p.finish(row());
  return p;
}

// The largest violation of a law, by its words: signs, bounds, complementarity, direction; relative to the sizes.
double violation(const BlockProblem& p, const std::vector<double>& P) {
  const std::vector<double> U = p.rates(P);
  double rate = 1e-300, push = 1e-300, worst = 0.0;
  for (std::size_t i = 0; i < P.size(); ++i) {
    double terms = std::abs(p.b[i]);
    for (std::size_t j = 0; j < P.size(); ++j) terms += std::abs(p.W[j * P.size() + i] * P[j]);
    rate = std::max(rate, terms);
    push = std::max({push, std::abs(P[i]), std::abs(p.b[i]) / p.W[i * P.size() + i]});
  }
  const auto see = [&](double off, double size) { worst = std::max(worst, off / size); };
  for (std::size_t i = 0; i < P.size(); ++i) {
    if (p.cones[i] == Cone::free) see(std::abs(U[i]), rate);
    if (p.cones[i] != Cone::coulomb && p.cones[i] != Cone::disc) continue;
    const bool is_contact = p.cones[i] == Cone::coulomb;
    const double limit = p.bounds[i] * (is_contact ? P[i] : 1.0);
    if (is_contact) {
      see(-U[i], rate);
      see(-P[i], push);
      see(std::min(std::abs(U[i]) / rate, std::abs(P[i]) / push), 1.0);
    }
    double slip = 0.0, force = 0.0, power = 0.0;
    for (std::size_t k = is_contact ? i + 1 : i; k < P.size() && (k == i || p.cones[k] == Cone::tangent); ++k) {
      slip = std::hypot(slip, U[k]), force = std::hypot(force, P[k]);
      power += U[k] * P[k];
    }
    see(force - limit, push);
    see(std::abs(power + limit * slip), push * rate);
  }
  return worst;
}

struct Answer {
  ComplementarityResult result;
  std::vector<double> P;
};

Answer solved(const ComplementarityProblem& problem, const ComplementaritySettings& settings = {}) {
  Answer answer;
  answer.P.assign(static_cast<std::size_t>(problem.n), 0.0);
  ComplementarityWorkspace workspace;
  answer.result = solve(problem, settings, workspace, answer.P.data());
  return answer;
}

double largest_difference(const std::vector<double>& x, const std::vector<double>& y) {
  double worst = 0.0;
  for (std::size_t i = 0; i < x.size(); ++i) worst = std::max(worst, std::abs(x[i] - y[i]));
  return worst;
}

TEST(PlanarContact, HasTheStatusesOfTheTable) {
  // w_n = w_t = 1 without coupling: sticks up to |b_T| = μ |b_N|.
  const auto solve_simple = [](double b_n, double b_t) {
    return solve_planar_contact(1.0, 0.0, 0.0, 1.0, b_n, b_t, 0.5);
  };
  EXPECT_EQ(solve_simple(1.0, 3.0).N, 0.0);
  EXPECT_EQ(solve_simple(1.0, 3.0).T, 0.0);
  EXPECT_EQ(solve_simple(-1.0, 0.25).N, 1.0);
  EXPECT_EQ(solve_simple(-1.0, 0.25).T, -0.25);
  EXPECT_EQ(solve_simple(-1.0, 3.0).T, -0.5);
  EXPECT_EQ(solve_simple(-1.0, -3.0).T, 0.5);
  // Slip and gap of one coordinate: it sticks, and there is no U_T to be wrong.
  const auto [N, T] = solve_planar_contact(1.0, 2.0, 2.0, 4.0, -1.0, -2.0, 0.1);
  EXPECT_NEAR(N + 2.0 * T, 1.0, 1e-15);
  EXPECT_LE(std::abs(T), 0.1 * N);
}

TEST(PlanarContact, LanesAreTheSameBits) {
  std::mt19937 generator(5);
  std::normal_distribution<double> normal;
  Lanes in[7];
  double single[lane_count][7];
  for (int l = 0; l < lane_count; ++l) {
    const double a = normal(generator), c = normal(generator), d = normal(generator);
    const double values[7] = {1.0 + a * a, c, c, 1.0 + c * c + d * d, normal(generator), normal(generator), a * a};
    for (int i = 0; i < 7; ++i) in[i].set(l, values[i]), single[l][i] = values[i];
  }
  const PlanarImpulse<Lanes> lanes = solve_planar_contact(in[0], in[1], in[2], in[3], in[4], in[5], in[6]);
  for (int l = 0; l < lane_count; ++l) {
    const double* x = single[l];
    const PlanarImpulse<double> one = solve_planar_contact(x[0], x[1], x[2], x[3], x[4], x[5], x[6]);
    EXPECT_EQ(lanes.N[l], one.N);
    EXPECT_EQ(lanes.T[l], one.T);
  }
}

RC_GTEST_PROP(SingleBlock, IsSolvedExactly, (unsigned seed)) {
  std::mt19937 generator(seed);
  for (const int tangents : {1, 2})
    for (const bool is_dry : {false, true}) {
      const Shape shape{.tangents = tangents,
                        .contacts = is_dry ? 0 : 1,
                        .dry = is_dry ? 1 : 0,
                        .dofs = 1 + static_cast<int>(generator() % 5),
                        .largest_mu = 5.0};
      const BlockProblem p = random_problem(shape, generator);
      const Answer answer = solved(p.problem());
      RC_ASSERT(answer.result.status == Status::solved);
      RC_ASSERT(violation(p, answer.P) < 1e-9);
    }
}

// By the table of statuses: open, stick, slide either way.
int planar_solutions(const double* W, const double* b, double mu) {
  int count = b[0] >= 0.0;
  const double det = W[0] * W[3] - W[1] * W[2];
  const double N = (W[2] * b[1] - W[3] * b[0]) / det, T = (W[1] * b[0] - W[0] * b[1]) / det;
  count += N >= 0.0 && std::abs(T) <= mu * N;
  for (const double s : {1.0, -1.0}) {
    const double push = -b[0] / (W[0] - mu * s * W[2]);
    count += push >= 0.0 && s * (b[1] + (W[1] - mu * s * W[3]) * push) > 0.0;
  }
  return count;
}

RC_GTEST_PROP(SingleBlock, SeveralSolutionsAreTold, (unsigned seed)) {
  std::mt19937 generator(seed);
  std::normal_distribution<double> normal;
  const Cone cones[] = {Cone::coulomb, Cone::tangent};
  for (int k = 0; k < 20; ++k) {
    const double a = normal(generator), c = normal(generator), d = normal(generator);
    const double W[] = {a * a + 0.01, a * c, a * c, c * c + d * d}, b[] = {normal(generator), normal(generator)};
    const double bounds[] = {std::abs(3.0 * normal(generator)), 0.0};
    const Answer answer = solved({2, DenseForm{W}, b, cones, bounds});
    RC_ASSERT(answer.result.status == Status::solved);
    RC_ASSERT(answer.result.is_unique == (planar_solutions(W, b, bounds[0]) == 1));
    RC_ASSERT(status_text(answer.result) == (answer.result.is_unique ? "solved" : "solved-not-unique"));
  }
}

// A x = r by elimination with pivoting, A by rows.
std::vector<long double> eliminated(std::vector<std::vector<long double>> A, std::vector<long double> r) {
  const std::size_t n = r.size();
  for (std::size_t k = 0; k < n; ++k) {
    std::size_t best = k;
    for (std::size_t i = k; i < n; ++i)
      if (std::abs(A[i][k]) > std::abs(A[best][k])) best = i;
    std::swap(A[k], A[best]), std::swap(r[k], r[best]);
    for (std::size_t i = k + 1; i < n; ++i) {
      const long double factor = A[i][k] / A[k][k];
      for (std::size_t j = k; j < n; ++j) A[i][j] -= factor * A[k][j];
      r[i] -= factor * r[k];
    }
  }
  for (std::size_t k = n; k-- > 0;) {
    for (std::size_t j = k + 1; j < n; ++j) r[k] -= A[k][j] * r[j];
    r[k] /= A[k][k];
  }
  return r;
}

// All solutions of planar contacts: one linear system for each of the 4^m statuses, as a whole. `margin`: how near the
// nearest status is to its limits, of those that are not clearly out of them.
std::vector<std::vector<double>> planar_solutions(const BlockProblem& p, long double& margin) {
  const std::size_t n = p.H.size(), m = n / 2;
  std::vector<std::vector<double>> solutions;
  margin = HUGE_VALL;
  for (unsigned code = 0; code < 1u << (2 * m); ++code) {
    std::vector<std::vector<long double>> A(n, std::vector<long double>(n, 0.0L));
    std::vector<long double> r(n, 0.0L);
    const auto status = [&](std::size_t k) { return code >> (2 * k) & 3u; };  // open, stick, slides
    const auto side = [&](std::size_t k) { return status(k) == 2 ? 1.0L : -1.0L; };
    const auto measure = [&](std::size_t i) {  // U_i = 0
      for (std::size_t j = 0; j < n; ++j) A[i][j] = p.W[j * n + i];
      r[i] = -p.b[i];
    };
    for (std::size_t k = 0; k < m; ++k) {
      const std::size_t N = 2 * k, T = N + 1;
      status(k) == 0 ? void(A[N][N] = 1.0L) : measure(N);
      status(k) == 1 ? measure(T) : void(A[T][T] = 1.0L);
      if (status(k) > 1) A[T][N] = side(k) * p.bounds[N];
    }
    const std::vector<long double> P = eliminated(A, r);
    long double least = HUGE_VALL;
    for (std::size_t k = 0; k < m; ++k) {
      const std::size_t N = 2 * k, T = N + 1;
      long double U[2] = {p.b[N], p.b[T]};
      for (std::size_t j = 0; j < n; ++j) U[0] += p.W[j * n + N] * P[j], U[1] += p.W[j * n + T] * P[j];
      if (status(k) == 0) least = std::min(least, U[0]);
      if (status(k) > 0) least = std::min(least, P[N]);
      if (status(k) == 1) least = std::min(least, p.bounds[N] * P[N] - std::abs(P[T]));
      if (status(k) > 1) least = std::min(least, side(k) * U[1]);
    }
    margin = std::min(margin, std::abs(least));
    if (least > 0.0L) solutions.emplace_back(P.begin(), P.end());
  }
  return solutions;
}

// Two and three contacts in the plane, W regular (one coordinate more than rows, else it is next to singular once in
// thousands of cases): the answer is one of all, and several are told.
RC_GTEST_PROP(Blocks, TwoAndThreePlanarContactsHaveOneOfAllSolutions, (unsigned seed)) {
  std::mt19937 generator(seed);
  for (const int contacts : {2, 3}) {
    Shape shape{.contacts = contacts, .dofs = 2 * contacts + 1 + static_cast<int>(generator() % 3)};
    shape.largest_mu = generator() % 2 == 0 ? 0.5 : 5.0;
    BlockProblem p = random_problem(shape, generator);
    for (std::size_t i = 0; i < p.b.size(); i += 2) p.bounds[i] = std::max(p.bounds[i], 0.01);  // 0: statuses coincide
    long double margin;
    const std::vector<std::vector<double>> all = planar_solutions(p, margin);
    if (margin < 1e-7L) continue;
    const Answer answer = solved(p.problem());
    RC_ASSERT(!all.empty());
    RC_ASSERT(answer.result.status == Status::solved);
    RC_ASSERT(answer.result.residual <= 1e-10);
    RC_ASSERT(violation(p, answer.P) < 1e-9);
    double nearest = HUGE_VAL;
    for (const auto& P : all) nearest = std::min(nearest, largest_difference(P, answer.P));
    RC_ASSERT(nearest <= 1e-8 * (1.0 + largest_difference(answer.P, std::vector<double>(answer.P.size(), 0.0))));
    RC_ASSERT(answer.result.is_unique == (all.size() == 1));
    RC_ASSERT(answer.result.iterations == 0);  // no iterative solver was asked
  }
}

// 1 to 40 contacts, regular and singular W, μ up to 5, joints (redundant too) and dry friction.
RC_GTEST_PROP(Blocks, RandomProblemsAreSolved, (unsigned seed)) {
  std::mt19937 generator(seed);
  for (const int tangents : {1, 2}) {
    Shape shape{.tangents = tangents, .contacts = 1 + static_cast<int>(generator() % 40)};
    if (generator() % 2 == 0) shape.contacts = 1 + static_cast<int>(generator() % 5);
    if (generator() % 2 == 0) shape.dry = static_cast<int>(generator() % 4);
    if (generator() % 2 == 0) shape.joints = static_cast<int>(generator() % 5);
    shape.largest_mu = generator() % 2 == 0 ? 1.0 : 5.0;
    const int rows = shape.contacts * (1 + tangents) + shape.dry * tangents + shape.joints;
    shape.dofs = generator() % 2 == 0 ? rows + 3
                                      : std::max(shape.joints + 2, rows * (2 + static_cast<int>(generator() % 6)) / 10);
    const BlockProblem p = random_problem(shape, generator);
    const Answer answer = solved(p.problem());
    RC_ASSERT(answer.result.status == Status::solved);
    RC_ASSERT(answer.result.residual <= 1e-10);
    RC_ASSERT(violation(p, answer.P) < 1e-7);
    if (tangents == 2 || shape.contacts > 10) continue;
    const Answer pivoted = solved(p.problem(), {.solver = "lemke"});
    RC_ASSERT(pivoted.result.status == Status::solved);
    RC_ASSERT(violation(p, pivoted.P) < 1e-7);
  }
}

// A body between two walls that come together, and what else it touches: no motion keeps out of both. Lemke's ray
// proves it, but for one in a hundred where pivots lose their digits.
TEST(Blocks, BodiesThatAreSqueezedHaveNoSolution) {
  int proven = 0;
  for (unsigned seed = 0; seed < 200; ++seed) {
    std::mt19937 generator(seed);
    std::uniform_real_distribution<double> uniform;
    const Shape shape{.contacts = 1 + static_cast<int>(generator() % 3), .dofs = 2 + static_cast<int>(generator() % 4)};
    BlockProblem p = random_problem(shape, generator);
    for (const double side : {1.0, -2.5}) {
      std::vector<double> normal = p.H[0];
      for (double& x : normal) x *= side;
      p.add(Cone::coulomb, uniform(generator), std::move(normal));
      p.add(Cone::tangent, 0.0, p.H[1]);
    }
    p.finish(p.H[0]);
    for (const std::size_t wall : {p.b.size() - 4, p.b.size() - 2}) p.b[wall] = -0.1 - uniform(generator);
    const Status status = solved(p.problem(), {.solver = "lemke"}).result.status;
    EXPECT_NE(status, Status::solved) << seed;
    proven += status == Status::no_solution;
  }
  EXPECT_GE(proven, 196);
}

// Statuses that change many times and W of half the rank: where pivots lose their digits nothing is proven, and the
// answer is another solver's.
TEST(Blocks, NoSolutionIsNotSaidWhereThereIsOne) {
  int unsolved = 0;
  for (unsigned seed = 0; seed < 64; ++seed) {
    std::mt19937 generator(seed);
    std::normal_distribution<double> normal;
    std::uniform_real_distribution<double> uniform;
    BlockProblem p;
    p.dofs = 30;
    const auto row = [&] {
      std::vector<double> x(30);
      for (double& value : x) value = normal(generator);
      return x;
    };
    for (int k = 0; k < 40; ++k) {
      p.add(Cone::coulomb, 5.0 * uniform(generator), row());
      p.add(Cone::tangent, 0.0, row());
    }
    p.finish(row());
    const Answer answer = solved(p.problem()), pivoted = solved(p.problem(), {.solver = "lemke"});
    EXPECT_EQ(answer.result.status, Status::solved) << seed;
    EXPECT_NE(pivoted.result.status, Status::no_solution) << seed;
    unsolved += pivoted.result.status != Status::solved;
  }
  EXPECT_GT(unsolved, 0);  // or this tests nothing
}

// Small friction and a regular W: one solution, which all solvers find, from any form of W.
RC_GTEST_PROP(Blocks, SolversAgreeWhereTheSolutionIsUnique, (unsigned seed)) {
  std::mt19937 generator(seed);
  for (const int tangents : {1, 2}) {
    Shape shape{.tangents = tangents, .contacts = 1 + static_cast<int>(generator() % 8), .dry = 1, .joints = 1};
    shape.largest_mu = 0.1;
    shape.dofs = 3 * (shape.contacts * (1 + tangents) + 4);
    const BlockProblem p = random_problem(shape, generator);
    const Answer reference = solved(p.problem(), {.solver = "gauss-seidel", .tolerance = 1e-12});
    RC_ASSERT(reference.result.status == Status::solved);
    const double size = 1.0 + largest_difference(reference.P, std::vector<double>(reference.P.size(), 0.0));
    for (const char* solver : {"automatic", "alart-curnier", "interior-point", "lemke"}) {
      if (tangents == 2 && std::string(solver) == "lemke") continue;
      const Answer answer = solved(p.problem(), {.solver = solver});
      RC_ASSERT(answer.result.status == Status::solved);
      RC_ASSERT(largest_difference(answer.P, reference.P) < 1e-8 * size);
    }
    const Pattern all = Pattern::dense(p.n(), p.n()), gradient = Pattern::dense(p.dofs, p.n());
    Pattern diagonal{p.dofs, p.dofs, {0}, {}};
    for (int i = 0; i < p.dofs; ++i) diagonal.row.push_back(i), diagonal.start.push_back(i + 1);
    const std::vector<double> ones(static_cast<std::size_t>(p.dofs), 1.0);
    std::vector<double> H;
    for (const auto& row : p.H) H.insert(H.end(), row.begin(), row.end());
    for (const MatrixForm& form : {MatrixForm(SparseForm{&all, p.W.data()}),
                                   MatrixForm(SchurForm{&diagonal, ones.data(), &gradient, H.data()})}) {
      ComplementarityProblem problem = p.problem();
      problem.W = form;
      for (const char* solver : {"automatic", "gauss-seidel"}) {
        const Answer answer = solved(problem, {.solver = solver, .tolerance = 1e-11});
        RC_ASSERT(answer.result.status == Status::solved);
        RC_ASSERT(largest_difference(answer.P, reference.P) < 1e-7 * size);
      }
    }
  }
}

// A cube of side 1 on four feet, pushed sideways and turned: W has rank 6 of 12.
BlockProblem cube_on_four_feet(double push, double turn) {
  BlockProblem p;
  p.dofs = 6;
  const double spin = std::sqrt(6.0);  // of a cube: velocities in the scale of the kinetic energy
  for (const double x : {-0.5, 0.5})
    for (const double y : {-0.5, 0.5}) {
      p.add(Cone::coulomb, 0.4, {0.0, 0.0, 1.0, spin * y, -spin * x, 0.0});
      p.add(Cone::tangent, 0.0, {1.0, 0.0, 0.0, 0.0, -0.5 * spin, -spin * y});
      p.add(Cone::tangent, 0.0, {0.0, 1.0, 0.0, 0.5 * spin, 0.0, spin * x});
    }
  p.finish({push, 0.3 * push, -1.0, 0.0, 0.0, turn});
  return p;
}

TEST(Blocks, CubeOnFourFeet) {
  for (const double push : {0.0, 0.1, 0.39, 0.6, 3.0})
    for (const double turn : {0.0, 0.2, 2.0}) {
      const BlockProblem p = cube_on_four_feet(push, turn);
      const Answer answer = solved(p.problem());
      EXPECT_EQ(answer.result.status, Status::solved) << push << " " << turn;
      EXPECT_LE(answer.result.residual, 1e-12) << push << " " << turn;
      EXPECT_LE(answer.result.iterations, 20) << push << " " << turn;
      EXPECT_LT(violation(p, answer.P), 1e-11);
    }
}

// Iterations do not grow with the size; a column is harder the taller it is: W is as badly conditioned as its height
// squared.
TEST(Blocks, StacksOfAnySizeTakeFewIterations) {
  using testing::Stack;
  for (const auto& [kind, contacts, most] :
       {std::tuple{Stack::Kind::wall, 300, 20}, std::tuple{Stack::Kind::wall, 3000, 20},
        std::tuple{Stack::Kind::pyramid, 300, 15}, std::tuple{Stack::Kind::pyramid, 3000, 15},
        std::tuple{Stack::Kind::column, 300, 30}, std::tuple{Stack::Kind::column, 3000, 40}}) {
    const Stack stack(kind, contacts, 0.01);
    for (const char* solver : {"automatic", "interior-point"}) {
      const Answer answer = solved(stack.problem(), {.solver = solver});
      EXPECT_EQ(answer.result.status, Status::solved) << contacts << " " << solver;
      EXPECT_LE(answer.result.iterations, most) << contacts << " " << solver;
      ComplementarityWorkspace workspace;
      EXPECT_LT(residual(stack.problem(), workspace, answer.P.data()), 1e-8) << contacts << " " << solver;
    }
  }
}

// Walls thrown sideways about as fast as they fall: the interior point method takes its time, as long as its products
// fall it gets there.
TEST(Blocks, ThrownWallsAndPushedColumnsAreSolved) {
  using testing::Stack;
  for (const double sideways : {0.6, 1.0, 2.0}) {
    for (const auto& [kind, contacts] :
         {std::tuple{Stack::Kind::wall, 300}, std::tuple{Stack::Kind::wall, 1000},
          std::tuple{Stack::Kind::column, 1000}, std::tuple{Stack::Kind::pyramid, 1000}}) {
      const Stack stack(kind, contacts, sideways);
      const Answer answer = solved(stack.problem(), {});
      EXPECT_EQ(answer.result.status, Status::solved) << contacts << " " << sideways;
      EXPECT_LE(answer.result.iterations, 200) << contacts << " " << sideways;
    }
  }
}

// Every solver that takes them, in the plane and in space, W regular and singular: what is called solved is.
RC_GTEST_PROP(Blocks, WhatASolverCallsSolvedIs, (unsigned seed)) {
  std::mt19937 generator(seed);
  for (const int tangents : {1, 2}) {
    Shape shape{.tangents = tangents, .contacts = 1 + static_cast<int>(generator() % 12)};
    shape.dry = static_cast<int>(generator() % 3), shape.joints = static_cast<int>(generator() % 3);
    shape.largest_mu = generator() % 2 == 0 ? 1.0 : 5.0;
    const int rows = shape.contacts * (1 + tangents) + shape.dry * tangents + shape.joints;
    shape.dofs = generator() % 2 == 0 ? rows + 3 : std::max(shape.joints + 2, rows / 2);
    const BlockProblem p = random_problem(shape, generator);
    for (const char* solver : {"interior-point", "alart-curnier", "gauss-seidel", "lemke"}) {
      const Answer answer = solved(p.problem(), {.solver = solver, .tolerance = 1e-10, .max_iterations = 2000});
      RC_ASSERT((answer.result.status == Status::not_supported) == (tangents == 2 && std::string(solver) == "lemke"));
      if (answer.result.status == Status::solved) RC_ASSERT(violation(p, answer.P) < 1e-7);
    }
  }
}

// Rates whose squares are no numbers: those of a body that has come to rest, again and again.
RC_GTEST_PROP(Blocks, SizesOfRatesDoNotMatter, (unsigned seed)) {
  std::mt19937 generator(seed);
  const BlockProblem p = random_problem(
      {.tangents = 1 + int(seed % 2), .contacts = 1 + int(seed / 2 % 5), .dry = 1, .dofs = 8}, generator);
  const Answer plain = solved(p.problem());
  RC_PRE(plain.result.status == Status::solved);
  for (const double unit : {0x1p-900, 0x1p-600, 0x1p600}) {
    BlockProblem scaled = p;
    for (double& b : scaled.b) b *= unit;
    for (int i = 0; i < p.n(); ++i)
      if (p.cones[i] == Cone::disc) scaled.bounds[i] *= unit;
    const Answer answer = solved(scaled.problem());
    RC_ASSERT(answer.result.status == Status::solved);
    for (int i = 0; i < p.n(); ++i)
      RC_ASSERT(std::abs(answer.P[i] / unit - plain.P[i]) <= 1e-9 * (1.0 + std::abs(plain.P[i])));
  }
}

// Contacts that let go without a slip, or come to lie, each for itself: P_N = max(0, −b_N/W_NN). Without friction too,
// where Coulomb's cone is a ray.
RC_GTEST_PROP(Blocks, ContactsWithoutSlip, (unsigned seed)) {
  std::mt19937 generator(seed);
  std::uniform_real_distribution<double> uniform(-1.0, 1.0);
  for (const int tangents : {1, 2}) {
    BlockProblem p;
    const int contacts = 1 + static_cast<int>(generator() % 3);
    std::vector<double> expected;
    for (int k = 0; k < contacts; ++k) {
      p.add(Cone::coulomb, generator() % 2 == 0 ? 0.0 : std::abs(uniform(generator)), {});
      p.b.push_back(uniform(generator)), expected.push_back(std::max(0.0, -p.b.back()));
      for (int i = 0; i < tangents; ++i) p.add(Cone::tangent, 0.0, {}), p.b.push_back(0.0), expected.push_back(0.0);
    }
    p.W.assign(expected.size() * expected.size(), 0.0);
    for (std::size_t i = 0; i < expected.size(); ++i) p.W[i * expected.size() + i] = 1.0;
    for (const char* solver : {"automatic", "interior-point", "alart-curnier", "gauss-seidel", "lemke"}) {
      if (tangents == 2 && std::string(solver) == "lemke") continue;
      const Answer answer = solved(p.problem(), {.solver = solver});
      RC_ASSERT(answer.result.status == Status::solved);
      RC_ASSERT(largest_difference(answer.P, expected) < 1e-9);
    }
  }
}

TEST(Blocks, AGuessSavesIterations) {
  const BlockProblem p = cube_on_four_feet(0.6, 0.2);
  ComplementarityWorkspace workspace;
  std::vector<double> P(12, 0.0);
  const ComplementarityResult cold = solve(p.problem(), {}, workspace, P.data());
  const ComplementarityResult warm = solve(p.problem(), {.warm_start = true}, workspace, P.data());
  EXPECT_GT(cold.iterations, 2);
  EXPECT_LE(warm.iterations, 1);
  EXPECT_LE(warm.residual, 1e-12);
}

TEST(Blocks, WhatASolverDoesNotTakeIsSaid) {
  const BlockProblem p = cube_on_four_feet(0.6, 0.2);
  for (const char* solver : {"lemke", "active-set", "projected-gradient"})
    EXPECT_EQ(solved(p.problem(), {.solver = solver}).result.status, Status::not_supported) << solver;
}

TEST(Blocks, AContactThatCannotOpenHasNoSolution) {
  const double W[] = {0.0, 0.0, 0.0, 1.0}, b[] = {-1.0, 0.5}, bounds[] = {0.3, 0.0};
  const Cone cones[] = {Cone::coulomb, Cone::tangent};
  EXPECT_NE(solved({2, DenseForm{W}, b, cones, bounds}).result.status, Status::solved);
}

TEST(Blocks, ContradictoryConesAreRefused) {
  const double W[] = {1.0, 0.0, 0.0, 1.0}, b[] = {-1.0, 0.5}, bounds[] = {0.3, 0.0}, negative[] = {-0.3, 0.0};
  const auto refused = [&](std::vector<Cone> cones, const double* given) {
    EXPECT_THROW(solved({2, DenseForm{W}, b, cones.data(), given}), InputError);
  };
  refused({Cone::tangent, Cone::nonnegative}, bounds);
  refused({Cone::coulomb, Cone::nonnegative}, bounds);
  refused({Cone::coulomb, Cone::tangent}, nullptr);
  refused({Cone::coulomb, Cone::tangent}, negative);
}

}  // namespace
}  // namespace ricochet
