// The impact law as a complementarity problem, against projections on the admissible velocities.
#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "core/dense_lu.hpp"
#include "ricochet/complementarity/problem.hpp"

namespace ricochet {
namespace {

constexpr double pi = 3.14159265358979323846;

struct Case {
  int nq = 0, nc = 0;
  std::vector<double> M, H, v;  // dense by columns
  Pattern mass() const { return Pattern::dense(nq, nq); }
  Pattern gradient() const { return Pattern::dense(nq, nc); }
};

Case random_case(unsigned seed) {
  std::mt19937 generator(seed);
  std::normal_distribution<double> normal;
  Case c;
  c.nq = 2 + static_cast<int>(generator() % 5);
  c.nc = 1 + static_cast<int>(generator() % static_cast<unsigned>(c.nq));
  const std::size_t n = static_cast<std::size_t>(c.nq);
  std::vector<double> A(n * n);
  for (double& a : A) a = normal(generator);
  c.M.assign(n * n, 0.0);
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < n; ++j) {
      for (std::size_t k = 0; k < n; ++k) c.M[j * n + i] += A[k * n + i] * A[k * n + j];
      if (i == j) c.M[j * n + i] += 1.0;
    }
  c.H.resize(n * static_cast<std::size_t>(c.nc));
  c.v.resize(n);
  for (double& h : c.H) h = normal(generator);
  for (double& v : c.v) v = normal(generator);
  return c;
}

DenseLu<double> factors_of(const Case& c) {
  DenseLu<double> M;
  M.resize(c.nq);
  for (int i = 0; i < c.nq; ++i)
    for (int j = 0; j < c.nq; ++j) M(i, j) = c.M[static_cast<std::size_t>(j * c.nq + i)];
  EXPECT_TRUE(M.factorise());
  return M;
}

// Nonnegative least squares by trying every set of pushing contacts: min ½‖v + M⁻¹HP‖²_M over P ≥ 0.
std::vector<double> nnls(const Case& c) {
  const std::size_t nq = static_cast<std::size_t>(c.nq), nc = static_cast<std::size_t>(c.nc);
  const DenseLu<double> M = factors_of(c);
  std::vector<double> X = c.H, W(nc * nc), b(nc);
  for (std::size_t j = 0; j < nc; ++j) M.solve(X.data() + j * nq);
  for (std::size_t j = 0; j < nc; ++j) {
    for (std::size_t i = 0; i < nc; ++i) W[j * nc + i] = dot(c.nq, c.H.data() + i * nq, X.data() + j * nq);
    b[j] = dot(c.nq, c.H.data() + j * nq, c.v.data());
  }
  for (unsigned set = 0; set < (1u << nc); ++set) {
    std::vector<std::size_t> rows;
    for (std::size_t i = 0; i < nc; ++i)
      if ((set >> i & 1u) != 0) rows.push_back(i);
    std::vector<double> P(nc, 0.0), x(rows.size());
    DenseLu<double> lu;
    lu.resize(static_cast<int>(rows.size()));
    for (std::size_t j = 0; j < rows.size(); ++j) {
      x[j] = -b[rows[j]];
      for (std::size_t i = 0; i < rows.size(); ++i)
        lu(static_cast<int>(i), static_cast<int>(j)) = W[rows[j] * nc + rows[i]];
    }
    if (!rows.empty() && !lu.factorise()) continue;
    if (!rows.empty()) lu.solve(x.data());
    for (std::size_t j = 0; j < rows.size(); ++j) P[rows[j]] = x[j];
    bool optimal = true;
    for (std::size_t i = 0; i < nc; ++i) {
      double w = b[i];
      for (std::size_t j = 0; j < nc; ++j) w += W[j * nc + i] * P[j];
      optimal = optimal && P[i] >= -1e-13 && w >= -1e-12;
    }
    if (!optimal) continue;
    std::vector<double> point = c.v;
    for (std::size_t j = 0; j < nc; ++j)
      for (std::size_t i = 0; i < nq; ++i) point[i] += X[j * nq + i] * P[j];
    return point;
  }
  ADD_FAILURE() << "no optimal set";
  return {};
}

// LCP (27): v⁺ = v⁻ + M⁻¹H P with 0 ≤ W P + (1+e) U⁻ ⊥ P ≥ 0, U⁻ = Hᵀv⁻ + ∂g/∂t.
std::vector<double> impact_velocity(const Case& c, double e, double rate = 0.0) {
  ComplementarityWorkspace workspace;
  const Pattern mass = c.mass(), gradient = c.gradient();
  std::vector<double> b(static_cast<std::size_t>(c.nc)), P(b.size()), push(c.v.size(), 0.0);
  for (int j = 0; j < c.nc; ++j)
    b[static_cast<std::size_t>(j)] = (1.0 + e) * (column_dot(gradient, c.H.data(), j, c.v.data()) + rate);
  EXPECT_EQ(
      solve({c.nc, SchurForm{&mass, c.M.data(), &gradient, c.H.data()}, b.data()}, {}, workspace, P.data()).status,
      ComplementarityStatus::solved);
  multiply_add(gradient, c.H.data(), P.data(), 1.0, push.data());
  factors_of(c).solve(push.data());
  for (std::size_t i = 0; i < push.size(); ++i) push[i] += c.v[i];
  return push;
}

// L. Paoli 2001, (5.3), doi:10.1098/rsta.2001.0858: v⁺ = −e v⁻ + (1+e) Proj_T(v⁻), the projection by least squares over
// P ≥ 0.
TEST(ImpactLaw, IsAProjection) {
  for (unsigned seed = 0; seed < 300; ++seed) {
    const Case c = random_case(seed);
    const double e = 0.01 * (seed % 101);
    const std::vector<double> after = impact_velocity(c, e), nearest = nnls(c);
    for (std::size_t i = 0; i < c.v.size(); ++i)
      EXPECT_NEAR(after[i], -e * c.v[i] + (1.0 + e) * nearest[i], 1e-12) << "seed " << seed;
  }
}

std::vector<double> hit(const std::vector<double>& H, double e, const std::vector<double>& v) {
  return impact_velocity({.nq = 2, .nc = 2, .M = {1.0, 0.0, 0.0, 1.0}, .H = H, .v = v}, e);
}

// x ≤ 0 and y ≥ 0, from (1, 0) into the corner: straight back, the floor takes no part.
TEST(ImpactLaw, OrthogonalCorner) {
  for (const double e : {0.0, 0.25, 0.5, 1.0}) {
    const std::vector<double> after = hit({-1.0, 0.0, 0.0, 1.0}, e, {1.0, 0.0});
    EXPECT_NEAR(after[0], -e, 1e-14);
    EXPECT_NEAR(after[1], 0.0, 1e-14);
  }
}

// Wedges of 60°, 90° and 120°, n₁ = (0, 1), n₂ = (sin a, −cos a), a particle aimed at the vertex along the bisector's
// neighbourhood: both walls stop it, and what comes back is −e v⁻.
TEST(ImpactLaw, WedgeVertex) {
  struct Wedge {
    double degrees, x, y;
  };
  for (const Wedge& wedge :
       {Wedge{60.0, -0.9396926207859084, -0.3420201433256687}, Wedge{90.0, -0.8660254037844386, -0.5},
        Wedge{120.0, -0.766044443118978, -0.6427876096865394}})
    for (const double e : {0.0, 0.5, 1.0}) {
      const double a = wedge.degrees * pi / 180.0;
      const std::vector<double> after = hit({0.0, 1.0, std::sin(a), -std::cos(a)}, e, {wedge.x, wedge.y});
      EXPECT_NEAR(after[0], -e * wedge.x, 1e-14) << wedge.degrees;
      EXPECT_NEAR(after[1], -e * wedge.y, 1e-14) << wedge.degrees;
    }
}

// Moving obstacles: a floor that rises at 2 throws a resting ball to 2(1 + e).
TEST(ImpactLaw, RisingFloor) {
  for (const double e : {0.0, 0.5, 1.0})
    EXPECT_NEAR(impact_velocity({.nq = 1, .nc = 1, .M = {3.0}, .H = {1.0}, .v = {0.0}}, e, -2.0)[0], 2.0 * (1.0 + e),
                1e-14);
}

}  // namespace
}  // namespace ricochet
