// Motions in closed form against Taylor series of the equations themselves, in long double and with short steps.
#include "flow/linear_flow.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>
#include <complex>
#include <random>

#include "ricochet/model/linear.hpp"

namespace ricochet {
namespace {

using Real = long double;
using Wave = std::complex<Real>;
using Matrix = std::vector<std::vector<double>>;

struct System {
  int n = 1;
  Matrix M, K, C;
  std::vector<TimeSum> loads;
  std::vector<double> q, v;

  std::unique_ptr<Model> model() const {
    LinearSystemData data;
    const auto sparse = [&](const Matrix& A) {
      std::vector<Triplet> entries;
      for (int i = 0; i < n; ++i)
        for (int j = 0; j < n; ++j) entries.push_back({i, j, A[i][j]});
      return sparse_from_triplets(n, n, std::move(entries));
    };
    for (int i = 0; i < n; ++i) data.coordinates.push_back("q" + std::to_string(i));
    data.mass = sparse(M);
    data.stiffness = sparse(K);
    data.damping = sparse(C);
    for (int i = 0; i < n; ++i)
      data.loads.push_back(
          {{{i, 1.0}}, [](double) { return 0.0; }, [sum = loads[i]](double) { return TimePiece{sum}; }});
    return linear(std::move(data));
  }
};

Matrix zero(int n) { return Matrix(n, std::vector<double>(n, 0.0)); }

// x = M⁻¹ b by Gauss's elimination without exchange of rows: M is positive definite.
std::vector<Real> solve(const Matrix& M, std::vector<Real> b) {
  const int n = static_cast<int>(b.size());
  std::vector<std::vector<Real>> A(n, std::vector<Real>(n));
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) A[i][j] = M[i][j];
  for (int k = 0; k < n; ++k)
    for (int i = k + 1; i < n; ++i) {
      const Real f = A[i][k] / A[k][k];
      for (int j = k; j < n; ++j) A[i][j] -= f * A[k][j];
      b[i] -= f * b[k];
    }
  for (int i = n - 1; i >= 0; --i) {
    for (int j = i + 1; j < n; ++j) b[i] -= A[i][j] * b[j];
    b[i] /= A[i][i];
  }
  return b;
}

// The coefficients of (σ + s)^k e^{μ(σ + s)} in powers of s.
std::vector<Real> powers_of(const TimeTerm& term, Real t, int count) {
  const Wave mu(term.rate, term.frequency);
  const Real s0 = t - term.origin;
  std::vector<Wave> c(count);
  c[0] = Wave(term.cosine, -static_cast<Real>(term.sine)) * std::exp(mu * s0);
  for (int n = 1; n < count; ++n) c[n] = c[n - 1] * mu / static_cast<Real>(n);
  for (int k = 0; k < term.power; ++k)
    for (int n = count - 1; n >= 0; --n) c[n] = s0 * c[n] + (n > 0 ? c[n - 1] : Wave(0.0L));
  std::vector<Real> real;
  for (const Wave& z : c) real.push_back(z.real());
  return real;
}

// M a = f − K q − C v by Taylor series of order 20, with steps of 1/20 of the shortest time; the largest |q| and |v| τ.
std::vector<Real> motion(const System& system, double until, double shortest, Real& largest) {
  constexpr int order = 20;
  const int n = system.n;
  const int steps = static_cast<int>(std::ceil(until / (0.05 * shortest)));
  const Real h = static_cast<Real>(until) / steps;
  std::vector<Real> q(system.q.begin(), system.q.end()), v(system.v.begin(), system.v.end());
  for (int step = 0; step < steps; ++step) {
    std::vector<std::vector<Real>> x(order + 1, std::vector<Real>(n)), f(order + 1, std::vector<Real>(n));
    for (int i = 0; i < n; ++i)
      for (const TimeTerm& term : system.loads[i]) {
        const std::vector<Real> c = powers_of(term, h * step, order + 1);
        for (int k = 0; k <= order; ++k) f[k][i] += c[k];
      }
    x[0] = q;
    x[1] = v;
    for (int k = 0; k + 2 <= order; ++k) {
      std::vector<Real> b = f[k];
      for (int i = 0; i < n; ++i)
        for (int j = 0; j < n; ++j) b[i] -= system.K[i][j] * x[k][j] + system.C[i][j] * (k + 1) * x[k + 1][j];
      x[k + 2] = solve(system.M, b);
      for (Real& entry : x[k + 2]) entry /= static_cast<Real>((k + 2) * (k + 1));
    }
    for (int i = 0; i < n; ++i) {
      q[i] = v[i] = 0.0L;
      for (int k = order; k >= 0; --k) q[i] = h * q[i] + x[k][i];
      for (int k = order; k >= 1; --k) v[i] = h * v[i] + k * x[k][i];
      largest = std::max({largest, std::abs(q[i]), std::abs(v[i]) * static_cast<Real>(shortest)});
    }
  }
  q.insert(q.end(), v.begin(), v.end());
  return q;
}

// The same by arcs.
std::vector<double> closed_form(const Model& model, const System& system, double until) {
  LinearFlow flow(model);
  std::vector<double> q = system.q, v = system.v;
  double t = 0.0, last = 0.0;
  for (int arc = 0; arc < 100'000 && t < until; ++arc) {
    EXPECT_TRUE(flow.begin(t, 0.0, q.data(), v.data(), {}, last));
    const double s = last = std::min(until - t, flow.length());
    flow.arc().place(s);
    flow.arc().values(system.n, q.data(), v.data());
    t = s < until - t ? t + s : until;
  }
  q.insert(q.end(), v.begin(), v.end());
  return q;
}

void expect_agreement(const System& system, double until, double shortest) {
  const auto model = system.model();
  ASSERT_EQ(LinearFlow::obstacle(*model, 0.0), "");
  Real size = 0.0L;
  const std::vector<Real> exact = motion(system, until, shortest, size);
  const std::vector<double> found = closed_form(*model, system, until);
  for (int i = 0; i < 2 * system.n; ++i)
    EXPECT_LE(std::abs(found[i] - exact[i]) * static_cast<Real>(i < system.n ? 1.0 : shortest), 2e-13L * size)
        << i << " of " << 2 * system.n;
}

System oscillator(double k, double c, TimeSum load, double q, double v) {
  return {1, {{1.0}}, {{k}}, {{c}}, {std::move(load)}, {q}, {v}};
}

TEST(LinearFlow, OneMode) {
  const TimeTerm constant{.cosine = -9.81}, wave{.frequency = 2.0, .cosine = 3.0, .sine = 1.0};
  const TimeTerm resonant{.frequency = 1.0, .cosine = 1.0}, near{.frequency = 1.0 + 1e-7, .sine = 1.0};
  const TimeTerm growing{.power = 2, .rate = -0.3, .frequency = 1.5, .cosine = 0.7};
  for (const double k : {0.0, 1e-12, 1e-4, 1.0, -0.5})
    for (const double c : {0.0, 1e-9, 0.1, 1.999999, 2.0, 2.000001, 7.0})
      for (const TimeSum& load : {TimeSum{}, {constant}, {wave}, {resonant}, {near}, {growing, constant}})
        for (const double q : {0.0, 0.4}) {
          SCOPED_TRACE(::testing::Message() << "k " << k << " c " << c << " load " << load.size() << " q " << q);
          expect_agreement(oscillator(k, c, load, q, -0.3), 9.0, 0.4);
        }
}

// |D|/|2μ + 2γ|² about where secular forms end, and loads so slow that a particular solution is far larger than the
// motion.
TEST(LinearFlow, AwayFromResonanceAndSlowLoads) {
  for (const double share : {0.02, 0.039, 0.041, 0.06, 0.08, 0.099, 0.11})
    for (const int power : {0, 1, 2})
      for (const double sign : {-1.0, 1.0}) {
        const double w = 1.0 / std::sqrt(1.0 + sign * 4.0 * share);
        SCOPED_TRACE(::testing::Message() << "share " << sign * share << " power " << power);
        expect_agreement(oscillator(1.0, 0.0, {{.power = power, .frequency = w, .cosine = 1.0}}, 0.9, 0.4), 4.0, 0.3);
      }
  for (const double k : {0.0, 1e-6, 1e-3})
    for (const double rate : {-1e-1, -7e-3, -1e-4}) {
      SCOPED_TRACE(::testing::Message() << "k " << k << " rate " << rate);
      expect_agreement(oscillator(k, 0.0, {{.rate = rate, .cosine = 0.2}}, 0.09, 1.0), 2.5, 0.3);
      expect_agreement(oscillator(k, 0.0, {{.frequency = rate, .sine = 0.2}}, 0.09, 1.0), 2.5, 0.3);
    }
}

RC_GTEST_PROP(LinearFlow, RandomSystems, ()) {
  std::mt19937_64 random(*rc::gen::arbitrary<std::uint64_t>());
  const auto draw = [&](double from, double to) { return std::uniform_real_distribution<double>(from, to)(random); };
  System system;
  const int n = system.n = 1 + static_cast<int>(random() % 6);
  // L Lᵀ with so many columns
  const auto definite = [&](int columns) {
    Matrix A = zero(n), L(n, std::vector<double>(n));
    for (auto& row : L)
      for (double& entry : row) entry = draw(-1.0, 1.0);
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < n; ++j)
        for (int l = 0; l < columns; ++l) A[i][j] += L[i][l] * L[j][l];
    return A;
  };
  system.M = definite(n);
  for (int i = 0; i < n; ++i) system.M[i][i] += 0.5;
  system.K = definite(static_cast<int>(random() % (n + 1)));  // with rigid modes
  system.C = zero(n);
  const int kind = static_cast<int>(random() % 3);
  const double a = draw(0.0, 0.5), b = draw(0.0, 0.5);
  const Matrix other = definite(n);
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j)
      system.C[i][j] = kind == 0 ? 0.0 : kind == 1 ? a * system.M[i][j] + b * system.K[i][j] : 0.3 * other[i][j];
  for (int i = 0; i < n; ++i) {
    TimeSum load;
    for (int k = static_cast<int>(random() % 3); k > 0; --k)
      load.push_back({static_cast<int>(random() % 3), random() % 2 ? 0.0 : draw(-0.5, 0.2),
                      random() % 3 ? draw(0.0, 3.0) : 0.0, draw(-1.0, 1.0), draw(-1.0, 1.0)});
    system.loads.push_back(load);
    system.q.push_back(draw(-1.0, 1.0));
    system.v.push_back(draw(-1.0, 1.0));
  }
  SCOPED_TRACE(::testing::Message() << "damping " << kind << " terms " << system.loads[0].size());
  expect_agreement(system, draw(0.1, 8.0), 0.3);
}

// Eigenvalues of more coordinates than that take minutes.
TEST(LinearFlow, IsRefusedToVeryLargeModels) {
  const auto is_refused = [](int count) {
    LinearSystemData bodies;
    std::vector<Triplet> entries;
    for (int i = 0; i < count; ++i) {
      bodies.coordinates.push_back("q" + std::to_string(i));
      entries.push_back({i, i, 1.0});
    }
    bodies.mass = bodies.stiffness = sparse_from_triplets(count, count, std::move(entries));
    return !LinearFlow::obstacle(*linear(std::move(bodies)), 0.0).empty();
  };
  EXPECT_FALSE(is_refused(1000));
  EXPECT_TRUE(is_refused(1001));
}

}  // namespace
}  // namespace ricochet
