#include "ricochet/model/equilibrium.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/sparse_solve.hpp"
#include "model/held_rows.hpp"
#include "model/sparse_parts.hpp"
#include "ricochet/core/error.hpp"

namespace ricochet {
namespace {

using Vector = std::vector<double>;

// The equations (1) of q and λ, with the matrix of Newton's iteration, A = [K −H_B; −H_Bᵀ 0], K = −∂F/∂q: the change of
// H_B with q is left out, so that the iteration on curved joints converges with order 1.
class Balance {
 public:
  Balance(const Model& model, double t, const Vector& z, const std::vector<int>& closed)
      : model_(model), rows_(model, closed), t_(t), z_(z), nq_(model.nq()), nb_(rows_.count()), rest_(nq_, 0.0) {
    const Layout& layout = model.layout();
    // The sparse pattern of A, and where the entries of K and H_B go.
    std::vector<Triplet> entries;
    const auto each = [&](const Pattern& pattern, const auto& use) {
      for (int j = 0; j < pattern.cols; ++j)
        for (int k = pattern.start[j]; k < pattern.start[j + 1]; ++k) use(pattern.row[k], j);
    };
    for (int i = 0; i < nq_ + nb_; ++i) entries.push_back({i, i, 1.0});
    each(layout.stiffness, [&](int i, int j) {
      entries.push_back({i, j, 1.0});
      entries.push_back({j, i, 1.0});
    });
    each(rows_.pattern(), [&](int i, int j) {
      entries.push_back({i, nq_ + j, 1.0});
      entries.push_back({nq_ + j, i, 1.0});
    });
    pattern_ = sparse_from_triplets(nq_ + nb_, nq_ + nb_, std::move(entries)).pattern;
    K_place_ = places_in(pattern_, layout.stiffness);
    each(rows_.pattern(), [&](int i, int j) {
      H_place_.push_back(pattern_.place(i, nq_ + j));
      H_mirror_.push_back(pattern_.place(nq_ + j, i));
    });
    for (int i = 0; i < nq_; ++i) diagonal_.push_back(pattern_.place(i, i));
    A_.resize(pattern_.size());
    K_.resize(layout.stiffness.size());
    C_.resize(layout.damping.size());
    H_.resize(rows_.pattern().size());
    solve_.analyse(pattern_);
  }

  // F and g_B, without reactions: nq + nb values.
  Vector residual(const Vector& q) {
    Vector r(nq_ + nb_);
    model_.force(t_, q.data(), rest_.data(), z_.data(), r.data());
    rows_.place(t_, q.data(), r.data() + nq_);
    return r;
  }

  // x = (dq, dλ) with A x = r + (H_B λ, 0). False if A is singular.
  bool step(const Vector& q, const Vector& lambda, const Vector& r, Vector& x) {
    model_.force_jacobians(t_, q.data(), rest_.data(), z_.data(), K_.data(), C_.data());
    rows_.gradient(t_, q.data(), H_.data());
    std::fill(A_.begin(), A_.end(), 0.0);
    for (std::size_t k = 0; k < K_.size(); ++k) A_[K_place_[k]] += K_[k];
    for (std::size_t k = 0; k < H_.size(); ++k) A_[H_place_[k]] = A_[H_mirror_[k]] = -H_[k];
    x = r;
    multiply_add(rows_.pattern(), H_.data(), lambda.data(), 1.0, x.data());
    if (!solve_.factorise(A_.data())) return false;
    solve_.solve(x.data());
    return std::all_of(x.begin(), x.end(), [](double value) { return std::isfinite(value); });
  }

  // |xᵀ K y| of displacements, at the place of the last step.
  double work(const double* x, const double* y) const {
    return std::abs(bilinear(model_.layout().stiffness, K_.data(), x, y));
  }

  // Displacements from q₀ that are round-off of the largest, in units of √K_ii, are none: a joint that holds a
  // coordinate where it is finds it there.
  void drop_round_off(const Vector& q0, Vector& q) const {
    constexpr double round_off = 1e-14;
    double largest = 0.0;
    for (int i = 0; i < nq_; ++i) largest = std::max(largest, unit(i) * std::abs(q[i] - q0[i]));
    for (int i = 0; i < nq_; ++i)
      if (unit(i) * std::abs(q[i] - q0[i]) <= round_off * largest) q[i] = q0[i];
  }

  // A coordinate that neither the stiffness nor the joints hold, −1 if there is none. In units of √K_ii per coordinate,
  // a load of size 1 moves what is held by less than the condition of K, and what is loose by the inverse of round-off.
  int loose(const Vector& q, const Vector& lambda) {
    constexpr double far = 1e12;
    Vector r(nq_ + nb_, 0.0), x;
    int worst = 0;
    if (!step(q, lambda, r, x)) {
      for (int i = 0; i < nq_; ++i)
        if (unit(i) < unit(worst)) worst = i;
      return worst;
    }
    for (int i = 0; i < nq_; ++i) r[i] = unit(i) * std::cos(1.0 + i);
    solve_.solve(r.data());
    for (int i = 0; i < nq_; ++i)
      if (!(unit(i) * std::abs(r[i]) <= unit(worst) * std::abs(r[worst]))) worst = i;
    return unit(worst) * std::abs(r[worst]) <= far ? -1 : worst;
  }

 private:
  double unit(int i) const { return std::sqrt(std::abs(A_[diagonal_[i]])); }  // √K_ii at the place of the last step

  const Model& model_;
  HeldRows rows_;
  const double t_;
  const Vector z_;
  const int nq_, nb_;
  const Vector rest_;
  Pattern pattern_;
  std::vector<int> K_place_, H_place_, H_mirror_, diagonal_;
  Vector A_, K_, C_, H_;
  SparseSolve solve_;
};

// Newton's iteration for the share s of the load. A step that is 1e-8 of the whole displacement in work is followed by
// a last one.
bool converge(Balance& balance, double s, const Vector& r0, const Vector& q0, Vector& q, Vector& lambda) {
  constexpr int most = 25;
  constexpr double small = 1e-16;
  const std::size_t nq = q.size();
  bool last = false;
  Vector x, u(nq);
  for (int iteration = 0; iteration < most; ++iteration) {
    Vector r = balance.residual(q);
    for (std::size_t i = 0; i < r.size(); ++i) r[i] -= (1.0 - s) * r0[i];
    if (!balance.step(q, lambda, r, x)) return false;
    for (std::size_t i = 0; i < nq; ++i) {
      q[i] += x[i];
      u[i] = q[i] - q0[i];
    }
    for (std::size_t j = 0; j < lambda.size(); ++j) lambda[j] += x[nq + j];
    if (last) return true;
    last = balance.work(x.data(), x.data()) <= small * balance.work(u.data(), u.data());
  }
  return false;
}

}  // namespace

std::vector<double> static_equilibrium(const Model& model, double t, std::vector<double> q,
                                       const std::vector<double>& z, const std::string& field,
                                       const std::vector<int>& closed) {
  constexpr double smallest_step = 1.0 / 65536;
  Balance balance(model, t, z, closed);
  Vector lambda(model.nb() + closed.size(), 0.0);
  if (const int i = balance.loose(q, lambda); i >= 0)
    throw InputError(field, fmt::format("there is no static equilibrium to be found: the model is a mechanism, nothing "
                                        "holds '{}'; give it a support or a spring, or give q in numbers",
                                        model.layout().coordinates[i]));
  const Vector q0 = q, r0 = balance.residual(q);
  double s = 0.0;
  for (double step = 1.0; s < 1.0;) {
    Vector next = q, next_lambda = lambda;
    const double share = std::min(1.0, s + step);
    if (converge(balance, share, r0, q0, next, next_lambda)) {
      q = std::move(next);
      lambda = std::move(next_lambda);
      s = share;
      step *= 2.0;
    } else if ((step /= 2.0) < smallest_step) {
      throw InputError(field, fmt::format("no static equilibrium was found: the path to it ends at {:.4g} of the load, "
                                          "beyond which the iteration does not converge; lower the load, or give q in "
                                          "numbers",
                                          s));
    }
  }
  balance.drop_round_off(q0, q);
  return q;
}

}  // namespace ricochet
