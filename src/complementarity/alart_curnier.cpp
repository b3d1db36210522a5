#include "complementarity/alart_curnier.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "complementarity/memory.hpp"
#include "core/length.hpp"

namespace ricochet {
namespace {

constexpr double least_delta = 1e-12, first_delta = 1e-6, largest_delta = 0.1;

// Rows and columns from `first` on of a block whose P is to be the projection of y = P − U on the disc of radius r;
// r = μ (P_N − U_N) in a contact.
void disc_law(int first, int size, double radius, double mu, const double* P, const double* U, LawDerivative& law) {
  double y[2] = {0.0, 0.0};
  const int m = size - first;
  for (int i = 0; i < m; ++i) y[i] = P[first + i] - U[first + i];
  const double own = length(y[0], y[1]);
  for (int i = 0; i < m; ++i) {
    const int row = first + i;
    if (own <= radius) {
      law.Phi[row] = U[row];
      law.B[row * size + row] = 1.0;
      continue;
    }
    const double s = y[i] / own;
    law.Phi[row] = P[row] - radius * s;
    for (int j = 0; j < m; ++j) {
      const double same = i == j ? 1.0 : 0.0, G = radius / own * (same - s * y[j] / own);
      law.A[(first + j) * size + row] = same - G;
      law.B[(first + j) * size + row] = G;
    }
    if (first > 0) law.A[row] = -mu * s, law.B[row] = mu * s;
  }
}

}  // namespace

LawDerivative alart_curnier_law(const Block& block, const double* P, const double* U) {
  LawDerivative law{};
  if (block.cone == Cone::disc) {
    disc_law(0, block.size, block.bound, 0.0, P, U, law);
    return law;
  }
  const double x = P[0] - U[0];
  const bool is_closed = block.cone == Cone::free || x > 0.0;
  law.Phi[0] = is_closed ? U[0] : P[0];
  (is_closed ? law.B : law.A)[0] = 1.0;
  if (block.cone != Cone::coulomb) return law;
  if (is_closed) {
    disc_law(1, block.size, block.bound * x, block.bound, P, U, law);
  } else {
    for (int i = 1; i < block.size; ++i) law.Phi[i] = P[i], law.A[i * block.size + i] = 1.0;
  }
  return law;
}

// Φ of (1) with (2) at P; its norm. U of P is left in trial_U_, Φ with its derivatives in trial_laws_.
double AlartCurnier::evaluate(ScaledProblem& problem, const double* P) {
  problem.rates(P, trial_U_.data());
  double sum = 0.0;
  for (std::size_t k = 0; k < problem.blocks().size(); ++k) {
    const Block& block = problem.blocks()[k];
    double U[3];
    for (int i = 0; i < block.size; ++i) {
      const int row = block.first + i;
      U[i] = trial_U_[row] + delta_ * (P[row] - center_[row]);
    }
    trial_laws_[k] = alart_curnier_law(block, P + block.first, U);
    for (int i = 0; i < block.size; ++i) sum += trial_laws_[k].Phi[i] * trial_laws_[k].Phi[i];
  }
  return std::sqrt(sum);
}

double AlartCurnier::solve(ScaledProblem& problem, double tolerance, int limit, int& iterations, double* P, double* U) {
  constexpr int most_rounds = 60, most_further = 3;
  constexpr double shortest = 1e-3, sufficient = 0.1, aim = 1e-13, fine = 1e-12;
  const double finest = std::min(tolerance, fine);
  const std::size_t n = static_cast<std::size_t>(problem.n());
  for (auto* x : {&center_, &trial_, &trial_U_, &direction_, &best_, &Phi_}) x->resize(n);
  laws_.resize(problem.blocks().size());
  trial_laws_.resize(problem.blocks().size());

  double residual = problem.residual(P, U, tolerance), best = residual;
  best_.assign(P, P + n);
  delta_ = std::clamp(residual, first_delta, largest_delta);
  int idle = 0, further = 0;
  bool is_fine = problem.residual(P, U, finest) <= finest;
  for (int round = 0; round < most_rounds && may_go_on(iterations, limit) && !(residual <= aim); ++round) {
    center_.assign(P, P + n);
    double size = evaluate(problem, P);
    const double wanted = sufficient * size;
    laws_.swap(trial_laws_);
    const int before = iterations, most_steps = best <= tolerance ? 3 : 10;
    for (int k = 0; k < most_steps && may_go_on(iterations, limit) && size > wanted; ++k) {
      ++iterations;
      if (!step(problem)) break;
      double length = 1.0, next = 0.0;
      for (;; length *= 0.5) {
        for (std::size_t i = 0; i < n; ++i) trial_[i] = P[i] + length * direction_[i];
        next = evaluate(problem, trial_.data());
        if (next <= (1.0 - 1e-4 * length) * size || length < shortest) break;
      }
      if (!std::isfinite(next)) break;
      size = next;
      std::copy(trial_.begin(), trial_.end(), P);
      laws_.swap(trial_laws_);
    }
    problem.rates(P, U);
    const double last = std::exchange(residual, problem.residual(P, U, tolerance));
    // Enough, or nothing to be gained any more.
    idle = residual < 0.5 * best ? 0 : idle + 1;
    if (residual < best) {
      best = residual;
      best_.assign(P, P + n);
      is_fine = problem.residual(P, U, finest) <= finest;
    }
    const int patience = is_fine ? 1 : best <= tolerance ? 3 : 6;
    if (idle >= patience || (is_fine && ++further > most_further)) break;
    // A problem that was not solved was too far from a regular one; one that does well stays, for where P is not unique
    // it drifts by round-off of U over δ.
    const bool falls = residual < 0.05 * last;
    const double factor = size > wanted ? 10.0 : falls ? 1.0 : iterations - before > most_steps / 2 ? 0.3 : 0.1;
    delta_ = std::clamp(factor * delta_, least_delta, largest_delta);
  }
  if (!(residual <= best)) {
    std::copy(best_.begin(), best_.end(), P);
    problem.rates(P, U);
  }
  return best;
}

bool AlartCurnier::step(ScaledProblem& problem) {
  for (std::size_t k = 0; k < laws_.size(); ++k) {
    const Block& block = problem.blocks()[k];
    std::copy(laws_[k].Phi, laws_[k].Phi + block.size, Phi_.begin() + block.first);
  }
  return step_.factorise(problem, laws_, delta_) && step_.solve(Phi_.data(), direction_.data());
}

}  // namespace ricochet
