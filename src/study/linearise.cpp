#include <algorithm>
#include <cmath>

#include "core/decompositions.hpp"
#include "core/iteration_matrix.hpp"
#include "model/held_rows.hpp"
#include "model/sparse_parts.hpp"
#include "ricochet/core/error.hpp"
#include "ricochet/study/modes.hpp"

namespace ricochet {
namespace {

using Vector = std::vector<double>;

// λ with M a = F + G λ, Gᵀa + c = 0: of rows that depend on each other the smallest in least squares.
Vector reactions(const Pattern& mass, const Vector& M, const SparseMatrix& G, const Vector& F, const Vector& c) {
  const int n = mass.rows, m = G.cols();
  if (m == 0) return {};
  IterationMatrix<double> factors;
  factors.resize(n, {&mass});
  factors.set_zero();
  factors.add(0, M.data(), 1.0);
  if (!factors.factorise()) throw InputError("", "the mass is singular at this state");
  DenseMatrix W(m, m);
  Vector b(m), x(F);
  factors.solve(x.data());
  for (int r = 0; r < m; ++r) b[r] = -c[r] - column_dot(G.pattern, G.values.data(), r, x.data());
  for (int k = 0; k < m; ++k) {
    std::fill(x.begin(), x.end(), 0.0);
    for (int e = G.pattern.start[k]; e < G.pattern.start[k + 1]; ++e) x[G.pattern.row[e]] = G.values[e];
    factors.solve(x.data());
    for (int r = 0; r < m; ++r) W(r, k) = column_dot(G.pattern, G.values.data(), r, x.data());
  }
  return least_squares(W, b);
}

// −Σ λ_r ∂²g_r/∂q²: c(v) = vᵀ g_qq v beside terms that are odd or constant in v, so that
// e_iᵀ g_qq e_j = ½ (c(e_i + e_j) − c(e_i) − c(e_j)) of the even part.
void add_geometric(HeldRows& rows, const State& state, const Vector& lambda, std::vector<Triplet>& entries) {
  const int n = static_cast<int>(state.q.size());
  Vector v(n, 0.0), c(lambda.size());
  const auto sum = [&] {
    rows.acceleration_terms(state.t, state.q.data(), v.data(), c.data());
    return dot(static_cast<int>(c.size()), lambda.data(), c.data());
  };
  const double still = sum();
  const auto even = [&](int i, int j) {
    double total = -still;
    for (const double sign : {1.0, -1.0}) {
      v[i] += sign;
      if (j >= 0) v[j] += sign;
      total += 0.5 * sum();
      v[i] = 0.0;
      if (j >= 0) v[j] = 0.0;
    }
    return total;
  };
  // Pairs of coordinates that meet in a row.
  std::vector<std::vector<int>> meets(n);
  const Pattern& G = rows.pattern();
  for (int r = 0; r < G.cols; ++r)
    for (int k = G.start[r]; k < G.start[r + 1]; ++k)
      for (int l = k + 1; l < G.start[r + 1]; ++l) meets[G.row[k]].push_back(G.row[l]);
  Vector alone(n, 0.0);
  std::vector<bool> touched(n, false);
  for (const int i : G.row) touched[i] = true;
  for (int i = 0; i < n; ++i) {
    if (!touched[i]) continue;
    alone[i] = even(i, -1);
    entries.push_back({i, i, -alone[i]});
  }
  for (int i = 0; i < n; ++i) {
    std::sort(meets[i].begin(), meets[i].end());
    meets[i].erase(std::unique(meets[i].begin(), meets[i].end()), meets[i].end());
    for (const int j : meets[i]) {
      const double value = -0.5 * (even(i, j) - alone[i] - alone[j]);
      if (value == 0.0) continue;
      entries.push_back({i, j, value});
      entries.push_back({j, i, value});
    }
  }
}

void add_triplets(const Pattern& pattern, const Vector& values, std::vector<Triplet>& entries) {
  for (int j = 0; j < pattern.cols; ++j)
    for (int k = pattern.start[j]; k < pattern.start[j + 1]; ++k) entries.push_back({pattern.row[k], j, values[k]});
}

}  // namespace

Linearisation linearise(const Model& model, const State& state, const std::vector<int>& closed) {
  const Layout& layout = model.layout();
  const int n = model.nq(), nz = model.nz();
  const double t = state.t, *q = state.q.data(), *v = state.v.data(), *z = state.z.data();
  HeldRows rows(model, closed);
  Vector M(layout.mass.size()), K(layout.stiffness.size()), C(layout.damping.size());
  Vector F(n), G(rows.pattern().size()), c(rows.count());
  model.mass(t, q, M.data());
  model.force(t, q, v, z, F.data());
  model.force_jacobians(t, q, v, z, K.data(), C.data());
  rows.gradient(t, q, G.data());
  rows.acceleration_terms(t, q, v, c.data());

  Linearisation at;
  at.held = {rows.pattern(), std::move(G)};
  at.reactions = reactions(layout.mass, M, at.held, F, c);
  at.mass = {layout.mass, std::move(M)};
  at.damping = {layout.damping, std::move(C)};
  std::vector<Triplet> entries;
  add_triplets(layout.stiffness, K, entries);
  const bool reacts = std::any_of(at.reactions.begin(), at.reactions.end(), [](double x) { return x != 0.0; });
  if (reacts && !rows.is_linear()) add_geometric(rows, state, at.reactions, entries);
  at.stiffness = sparse_from_triplets(n, n, std::move(entries));

  at.force = F;
  multiply_add(at.held.pattern, at.held.values.data(), at.reactions.data(), 1.0, at.force.data());
  // What is left of the forces would move coordinates by 1e-9 of where they are, in units of √K_ii each.
  constexpr double small = 1e-9;
  double size = 0.0;
  for (int i = 0; i < n; ++i) size = std::max(size, std::sqrt(std::abs(at.stiffness.at(i, i))) * std::abs(q[i]));
  at.is_equilibrium = true;
  for (int i = 0; i < n; ++i) {
    const double left = std::abs(at.force[i]), unit = std::sqrt(std::abs(at.stiffness.at(i, i)));
    const bool is_small = left <= small * size * unit || (!at.reactions.empty() && left <= small * std::abs(F[i]));
    at.is_equilibrium = at.is_equilibrium && is_small;
  }

  if (nz > 0) {
    const std::size_t entries_of_z = static_cast<std::size_t>(n) * nz;
    at.force_z.resize(entries_of_z);
    at.rate_q.resize(entries_of_z);
    at.rate_v.resize(entries_of_z);
    at.rate_z.resize(static_cast<std::size_t>(nz) * nz);
    model.state_jacobians(t, q, v, z, at.force_z.data(), at.rate_q.data(), at.rate_v.data(), at.rate_z.data());
  }
  return at;
}

}  // namespace ricochet
