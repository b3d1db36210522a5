#include "complementarity/interior_blocks.hpp"

#include <algorithm>
#include <cmath>

#include "complementarity/memory.hpp"

namespace ricochet {
namespace {

// One block as the pairs of (1): a normal row, and a pair of the cone with nt tangents from `tangent` on. A block that
// cannot carry friction, μ = 0 or L = 0, has no cone.
struct Pairs {
  explicit Pairs(const Block& block)
      : first(block.first),
        tangent(block.first + (block.cone == Cone::disc ? 0 : 1)),
        nt(block.first + block.size - tangent),
        has_normal(block.cone == Cone::nonnegative || block.cone == Cone::coulomb),
        has_cone(nt > 0 && block.bound > 0.0),
        is_disc(block.cone == Cone::disc),
        bound(block.bound) {}
  double radius(const double* P) const { return is_disc ? bound : bound * P[first]; }
  double radius_change(const double* dP) const { return is_disc ? 0.0 : bound * dP[first]; }
  int first, tangent, nt;
  bool has_normal, has_cone, is_disc;
  double bound;
};

double dot_of(int n, const double* x, const double* y) { return n == 2 ? x[0] * y[0] + x[1] * y[1] : x[0] * y[0]; }

// How far (x₀, x) may go along (d₀, d) within x₀ ≥ ‖x‖.
double longest_in_cone(int n, double x0, const double* x, double d0, const double* d) {
  const double a = d0 * d0 - dot_of(n, d, d), b = x0 * d0 - dot_of(n, x, d), c = x0 * x0 - dot_of(n, x, x);
  // a α² + 2 b α + c = 0, the least positive root
  const double disc = b * b - a * c;
  double length = HUGE_VAL;
  if (a < 0.0 || (b < 0.0 && disc >= 0.0)) length = c / (-b + std::sqrt(std::max(disc, 0.0)));
  if (d0 < 0.0) length = std::min(length, -x0 / d0);
  return length;
}

}  // namespace

// Well inside, of the size of the answer: impulses as if all contacts were glued.
void InteriorBlocks::start(double* P) {
  const int n = problem_->n();
  const double size = problem_->size();
  for (std::size_t k = 0; k < laws_.size(); ++k) {
    laws_[k] = {};
    const int m = problem_->blocks()[k].size;
    for (int i = 0; i < m; ++i) laws_[k].B[i * m + i] = 1.0;
  }
  const bool known = step_.factorise(*problem_, laws_, 1e-8) && step_.solve(problem_->b(), P);
  double mean = 0.0;
  for (int i = 0; i < n && known; ++i) mean += std::abs(P[i]) / n;
  if (!(mean <= 1e6 * size * n)) mean = 0.0;
  for (std::size_t k = 0; k < laws_.size(); ++k) {
    const Pairs pairs(problem_->blocks()[k]);
    if (pairs.has_normal) {
      P[pairs.first] = (mean > 0.0 ? std::abs(P[pairs.first]) + 0.1 * mean : size) + 0.1 * size;
      U_[pairs.first] = size;
    }
    for (int i = 0; i < pairs.nt; ++i) P[pairs.tangent + i] = U_[pairs.tangent + i] = 0.0;
    sigma_[k] = size;
  }
}

// The mean product of a pair after a step.
double InteriorBlocks::gap(double length) const {
  double sum = 0.0;
  int count = 0;
  for (std::size_t k = 0; k < laws_.size(); ++k) {
    const Pairs pairs(problem_->blocks()[k]);
    const auto P = [&](int i) { return P_[i] + length * dP_[i]; };
    const auto U = [&](int i) { return U_[i] + length * dU_[i]; };
    if (pairs.has_normal) sum += P(pairs.first) * U(pairs.first), ++count;
    if (!pairs.has_cone) continue;
    const double radius = pairs.radius(P_.data()) + length * pairs.radius_change(dP_.data());
    sum += radius * (sigma_[k] + length * dsigma_[k]);
    for (int i = pairs.tangent; i < pairs.tangent + pairs.nt; ++i) sum += P(i) * U(i);
    ++count;
  }
  return count > 0 ? sum / count : 0.0;
}

// x·y of a block
double InteriorBlocks::cone_product(std::size_t k) const {
  const Pairs pairs(problem_->blocks()[k]);
  return pairs.radius(P_.data()) * sigma_[k] + dot_of(pairs.nt, &P_[pairs.tangent], &U_[pairs.tangent]);
}

double InteriorBlocks::largest_product() const {
  double largest = 0.0;
  for (std::size_t k = 0; k < laws_.size(); ++k) {
    const Pairs pairs(problem_->blocks()[k]);
    if (pairs.has_normal) largest = std::max(largest, P_[pairs.first] * U_[pairs.first]);
    if (pairs.has_cone) largest = std::max(largest, cone_product(k));
  }
  return largest;
}

// The longest step inside.
double InteriorBlocks::longest() const {
  double length = 1e300;
  for (std::size_t k = 0; k < laws_.size(); ++k) {
    const Pairs pairs(problem_->blocks()[k]);
    const int N = pairs.first, T = pairs.tangent;
    if (pairs.has_normal) {
      if (dP_[N] < 0.0) length = std::min(length, -P_[N] / dP_[N]);
      if (dU_[N] < 0.0) length = std::min(length, -U_[N] / dU_[N]);
    }
    if (!pairs.has_cone) continue;
    length = std::min(
        {length, longest_in_cone(pairs.nt, pairs.radius(P_.data()), &P_[T], pairs.radius_change(dP_.data()), &dP_[T]),
         longest_in_cone(pairs.nt, sigma_[k], &U_[T], dsigma_[k], &dU_[T])});
  }
  return length;
}

bool InteriorBlocks::factorise() {
  for (std::size_t k = 0; k < laws_.size(); ++k) {
    const Block& block = problem_->blocks()[k];
    const Pairs pairs(block);
    LawDerivative& law = laws_[k];
    law = {};
    const int m = block.size, offset = pairs.tangent - pairs.first;
    if (pairs.has_normal) law.A[0] = U_[pairs.first] / P_[pairs.first];
    if (!pairs.is_disc) law.B[0] = 1.0;
    const double r = pairs.radius(P_.data()), sigma = sigma_[k];
    for (int i = 0; i < pairs.nt; ++i) {
      const int row = offset + i;
      const double p = P_[pairs.tangent + i] / r;
      if (!pairs.has_cone) {
        law.A[row * m + row] = 1.0;
        continue;
      }
      for (int j = 0; j < pairs.nt; ++j) {
        const double same = i == j ? 1.0 : 0.0;
        law.A[(offset + j) * m + row] = (sigma * same - p * U_[pairs.tangent + j]) / r;
        law.B[(offset + j) * m + row] = same - p * P_[pairs.tangent + j] / r;
      }
      if (!pairs.is_disc) law.A[row] = pairs.bound * (U_[pairs.tangent + i] - sigma * p) / r;
    }
  }
  return step_.factorise(*problem_, laws_, 0.0);
}

// Towards products τ; corrected by those of the last direction.
bool InteriorBlocks::find_direction(double target, bool is_corrected) {
  for (std::size_t k = 0; k < laws_.size(); ++k) {
    const Pairs pairs(problem_->blocks()[k]);
    const int N = pairs.first, T = pairs.tangent, m = problem_->blocks()[k].size;
    if (!pairs.is_disc) Phi_[N] = U_[N];
    if (pairs.has_normal) Phi_[N] -= (target - (is_corrected ? dP_[N] * dU_[N] : 0.0)) / P_[N];
    const double r = pairs.radius(P_.data()), dr = pairs.radius_change(dP_.data());
    if (pairs.has_cone) {
      product_off_[k] = target - cone_product(k);
      if (is_corrected) product_off_[k] -= dr * dsigma_[k] + dot_of(pairs.nt, &dP_[T], &dU_[T]);
    }
    for (int i = T; i < T + pairs.nt; ++i) {
      Phi_[i] = pairs.has_cone ? (sigma_[k] * P_[i] + P_[i] * product_off_[k] / r) / r + U_[i] : P_[i];
      if (pairs.has_cone && is_corrected) Phi_[i] += (dsigma_[k] * dP_[i] + dr * dU_[i]) / r;
    }
    for (int j = 0; j < m; ++j)
      for (int i = 0; i < m; ++i) Phi_[N + i] += laws_[k].B[j * m + i] * off_[N + j];
  }
  if (!step_.solve(Phi_.data(), dP_.data())) return false;
  problem_->rates(dP_.data(), dU_.data());
  for (int i = 0; i < problem_->n(); ++i) dU_[i] += off_[i] - problem_->b()[i];
  for (std::size_t k = 0; k < laws_.size(); ++k) {
    const Pairs pairs(problem_->blocks()[k]);
    const int T = pairs.tangent;
    if (!pairs.has_cone) continue;
    dsigma_[k] = (product_off_[k] - sigma_[k] * pairs.radius_change(dP_.data()) - dot_of(pairs.nt, &U_[T], &dP_[T]) -
                  dot_of(pairs.nt, &P_[T], &dU_[T])) /
                 pairs.radius(P_.data());
  }
  return true;
}

double InteriorBlocks::solve(ScaledProblem& problem, double enough, int limit, int& iterations, double* P, double* U) {
  constexpr double within = 0.99, shortest = 1e-8;
  constexpr double central = 1e-4;  // no product is left behind by more
  constexpr int patience = 20;      // steps that halve neither the residual nor the products
  problem_ = &problem;
  const std::size_t n = static_cast<std::size_t>(problem.n()), blocks = problem.blocks().size();
  for (auto* x : {&P_, &U_, &off_, &dP_, &dU_, &Phi_}) x->assign(n, 0.0);
  for (auto* x : {&sigma_, &dsigma_, &product_off_}) x->assign(blocks, 0.0);
  laws_.resize(blocks);
  start(P_.data());
  double residual = HUGE_VAL, best = HUGE_VAL, least = HUGE_VAL;
  int idle = 0;
  for (int k = 0; k < limit; ++k) {
    problem.rates(P_.data(), off_.data());
    residual = problem.residual(P_.data(), off_.data(), enough);
    for (std::size_t i = 0; i < n; ++i) off_[i] -= U_[i];
    const double mean = gap(0.0);
    if (residual <= enough) break;
    idle = residual < 0.5 * best || mean < 0.5 * least ? 0 : idle + 1;
    if (idle == 0) best = std::min(best, residual), least = std::min(least, mean);
    if (idle > patience) break;
    ++iterations;
    if (!factorise() || !find_direction(0.0, false)) break;
    const double ratio = gap(std::min(1.0, longest())) / mean;
    if (!find_direction(std::max(ratio * ratio * ratio * mean, central * largest_product()), true)) break;
    const double length = std::min(1.0, within * longest());
    if (!(length > shortest)) break;
    for (std::size_t i = 0; i < n; ++i) P_[i] += length * dP_[i], U_[i] += length * dU_[i];
    for (std::size_t b = 0; b < blocks; ++b) sigma_[b] += length * dsigma_[b];
  }
  std::copy(P_.begin(), P_.end(), P);
  problem.rates(P, U);
  return residual;
}

}  // namespace ricochet
