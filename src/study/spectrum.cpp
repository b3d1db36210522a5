#include "study/spectrum.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "core/decompositions.hpp"
#include "core/definiteness.hpp"
#include "core/iteration_matrix.hpp"

namespace ricochet {
namespace {

constexpr int largest_dense = 150;  // unknowns

LinearMap times(const Pattern& pattern, const double* A) {
  return [&pattern, A](const double* x, double* y) {
    std::fill(y, y + pattern.rows, 0.0);
    multiply_add(pattern, A, x, 1.0, y);
  };
}

void identity(int n, const double* x, double* y) { std::copy(x, x + n, y); }

}  // namespace

double lanczos_largest(int n, const LinearMap& A, const LinearMap& B, int most_steps) {
  const int steps = std::min(n, most_steps);
  std::vector<std::vector<double>> basis;
  std::vector<double> diagonal, beside;
  std::vector<double> w(n), Bw(n);
  FixedNumbers numbers;
  for (double& x : w) x = numbers.next();
  for (int k = 0; k <= steps; ++k) {
    // Orthogonal to all before, twice for round-off.
    for (int pass = 0; pass < 2; ++pass) {
      B(w.data(), Bw.data());
      for (const std::vector<double>& v : basis) {
        const double part = dot(n, v.data(), Bw.data());
        for (int i = 0; i < n; ++i) w[i] -= part * v[i];
      }
    }
    B(w.data(), Bw.data());
    const double length = std::sqrt(std::max(dot(n, w.data(), Bw.data()), 0.0));
    const double size = diagonal.empty() ? 0.0 : *std::max_element(diagonal.begin(), diagonal.end());
    if (k == steps || !(length > 1e-13 * std::abs(size))) break;
    if (k > 0) beside.push_back(length);
    basis.push_back(w);
    for (double& x : basis.back()) x /= length;
    B(basis.back().data(), Bw.data());
    A(basis.back().data(), w.data());
    diagonal.push_back(dot(n, w.data(), Bw.data()));
  }
  if (diagonal.empty()) return 0.0;
  beside.resize(diagonal.size() - 1);
  return largest_of_tridiagonal(diagonal, beside);
}

std::optional<Extremes> extreme_eigenvalues(const Pattern& pattern, const double* A) {
  const int n = pattern.rows;
  if (!DefinitenessTest<double>()(pattern, A)) return std::nullopt;
  if (n <= largest_dense) {
    const std::vector<double> values = symmetric_eigen(DenseMatrix(pattern, A)).values;
    return Extremes{values.front(), values.back(), false};
  }
  IterationMatrix<double> factors;
  factors.resize(n, {&pattern});
  factors.set_zero();
  factors.add(0, A, 1.0);
  if (!factors.factorise()) return std::nullopt;
  const LinearMap plain = [n](const double* x, double* y) { identity(n, x, y); };
  const LinearMap inverse = [n, &factors](const double* x, double* y) {
    identity(n, x, y);
    factors.solve(y);
  };
  return Extremes{1.0 / lanczos_largest(n, inverse, plain), lanczos_largest(n, times(pattern, A), plain), true};
}

Frequency largest_frequency(const Model& model, const State& state) {
  const Layout& layout = model.layout();
  const int n = model.nq();
  std::vector<double> M(layout.mass.size());
  std::vector<double> K(layout.stiffness.size());
  std::vector<double> C(layout.damping.size());
  model.mass(state.t, state.q.data(), M.data());
  model.force_jacobians(state.t, state.q.data(), state.v.data(), state.z.data(), K.data(), C.data());

  if (n <= largest_dense) {
    const DenseMatrix A = solve_symmetric(DenseMatrix(layout.mass, M.data()), DenseMatrix(layout.stiffness, K.data()));
    if (!std::all_of(A.values.begin(), A.values.end(), [](double x) { return std::isfinite(x); })) return {};
    return {std::sqrt(std::max(largest_real_part(A), 0.0)), false};
  }
  IterationMatrix<double> factors;
  factors.resize(n, {&layout.mass});
  factors.set_zero();
  factors.add(0, M.data(), 1.0);
  if (!factors.factorise()) return {};
  // M⁻¹ of the symmetric part of K.
  const LinearMap apply = [&](const double* x, double* y) {
    for (int i = 0; i < n; ++i) y[i] = 0.5 * column_dot(layout.stiffness, K.data(), i, x);
    multiply_add(layout.stiffness, K.data(), x, 0.5, y);
    factors.solve(y);
  };
  return {std::sqrt(std::max(lanczos_largest(n, apply, times(layout.mass, M.data())), 0.0)), true};
}

}  // namespace ricochet
