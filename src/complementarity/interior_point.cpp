// Mehrotra's predictor-corrector on w = W P + b, P w = μ: each iteration solves (W + diag(w/P)) ΔP = r twice with one
// factorisation. As soon as the iterates tell which rows push, a few active-set exchanges make the answer exact.
// S. J. Wright, Primal-Dual Interior-Point Methods, SIAM 1997, doi:10.1137/1.9781611971453.
#include <algorithm>
#include <cmath>

#include "complementarity/memory.hpp"

namespace ricochet {
namespace {

// In the scaled problem W̃ = S W S with unit diagonal: P̃ = P/s and w̃ = w s are of comparable size.
class Iteration {
 public:
  Iteration(const ComplementarityProblem& problem, NewtonSystem& system, ComplementarityMemory& memory, double* P)
      : n_(problem.n), b_(problem.b), system_(system), m_(memory), P_(P), size_(size_of_b(problem, memory)) {
    const std::size_t n = static_cast<std::size_t>(n_);
    for (auto* x : {&m_.w, &m_.x, &m_.y, &m_.direction, &m_.step, &m_.correction, &m_.D}) x->assign(n, 0.0);
    m_.active.assign(n, 1);
    start();
  }

  // A start well inside, of the size of the answer: |W⁻¹b| tells how large P may get (a long chain carries far more
  // than any single b), |b| how large w is.
  void start() {
    for (int i = 0; i < n_; ++i) m_.direction[i] = -b_[i];
    const bool known = system_.factorise(m_.active, nullptr, 1e-8);
    if (known) system_.solve(m_.direction.data());
    double mean = 0.0;
    for (int i = 0; i < n_ && known; ++i) mean += std::abs(m_.direction[i]) / m_.scale[i] / n_;
    if (!std::isfinite(mean) || mean > 1e6 * size_ * n_) mean = 0.0;
    const double shift = std::max(0.1 * mean, 0.1 * size_);
    for (int i = 0; i < n_; ++i) {
      P_[i] = ((mean > 0.0 ? std::abs(m_.direction[i]) / m_.scale[i] : size_) + shift) * m_.scale[i];
      m_.w[i] = size_ / m_.scale[i];
    }
  }

  double gap() const {
    double sum = 0.0;
    for (int i = 0; i < n_; ++i) sum += P_[i] * m_.w[i];
    return sum / n_;
  }

  // Residual r = W P + b − w, kept in y.
  void evaluate() {
    system_.multiply(P_, m_.y.data());
    for (int i = 0; i < n_; ++i) m_.y[i] += b_[i] - m_.w[i];
  }

  // Largest of the scaled residual and the scaled complementarity products, against the size of b.
  double error() const {
    double worst = 0.0;
    for (int i = 0; i < n_; ++i) {
      const double s = m_.scale[i];
      worst = std::max({worst, std::abs(m_.y[i] * s), std::min(P_[i] / s, m_.w[i] * s)});
    }
    return worst / size_;
  }

  // (W + D) ΔP = −r − (w − (μ − c)/P), Δw = W ΔP + r: c is the second-order term ΔP Δw of the predictor.
  void solve(double target, bool corrected) {
    for (int i = 0; i < n_; ++i) {
      const double c = corrected ? m_.correction[i] : 0.0;
      m_.x[i] = (target - c) / P_[i] - m_.w[i];  // what Δw + D ΔP must be
      m_.direction[i] = m_.x[i] - m_.y[i];
    }
    system_.solve(m_.direction.data());
    for (int i = 0; i < n_; ++i) m_.step[i] = m_.x[i] - m_.D[i] * m_.direction[i];
  }

  // The longest step that keeps P and w positive, at most 1.
  double longest() const {
    double length = 1.0;
    for (int i = 0; i < n_; ++i) {
      if (m_.direction[i] < 0.0) length = std::min(length, -P_[i] / m_.direction[i]);
      if (m_.step[i] < 0.0) length = std::min(length, -m_.w[i] / m_.step[i]);
    }
    return length;
  }

  double gap_after(double length) const {
    double sum = 0.0;
    for (int i = 0; i < n_; ++i) sum += (P_[i] + length * m_.direction[i]) * (m_.w[i] + length * m_.step[i]);
    return sum / n_;
  }

  // One predictor-corrector step; its length, 0 if the matrix could not be factorised.
  double advance() {
    for (int i = 0; i < n_; ++i) m_.D[i] = m_.w[i] / P_[i];
    if (!system_.factorise(m_.active, m_.D.data(), 0.0)) return 0.0;
    const double mu = gap();
    solve(0.0, false);
    const double ratio = gap_after(longest()) / mu;
    for (int i = 0; i < n_; ++i) m_.correction[i] = m_.direction[i] * m_.step[i];
    solve(ratio * ratio * ratio * mu, true);
    const double length = std::min(1.0, 0.995 * longest());
    if (!std::isfinite(length)) return length;
    for (int i = 0; i < n_; ++i) {
      P_[i] += length * m_.direction[i];
      m_.w[i] += length * m_.step[i];
    }
    return length;
  }

  // The iterate is kept apart while an active set is tried.
  void keep() {
    m_.direction.assign(P_, P_ + n_);
    m_.step = m_.w;
  }
  void restore() {
    std::copy(m_.direction.begin(), m_.direction.end(), P_);
    m_.w = m_.step;
    m_.active.assign(static_cast<std::size_t>(n_), 1);
  }
  void guess_active() {
    for (int i = 0; i < n_; ++i) m_.active[i] = P_[i] / m_.scale[i] > m_.w[i] * m_.scale[i];
  }

  bool trivial() const { return size_ == 0.0; }

 private:
  int n_;
  const double* b_;
  NewtonSystem& system_;
  ComplementarityMemory& m_;
  double* P_;
  double size_;
};

}  // namespace

ComplementarityResult interior_point(const ComplementarityProblem& problem, const SolverOptions& settings,
                                     ComplementarityMemory& memory, double* P) {
  using Status = ComplementarityStatus;
  constexpr int exchanges = 5;
  const int n = problem.n;
  NewtonSystem& system = system_of(problem, memory);
  set_scale(problem, system, memory);
  Iteration iteration(problem, system, memory, P);
  ComplementarityResult result;
  if (iteration.trivial()) {
    std::fill(P, P + n, 0.0);
    return result;
  }
  const int limit = settings.max_iterations > 0 ? settings.max_iterations : 100;
  double try_at = 1e-4, length = 1.0;
  for (bool stuck = false;;) {
    iteration.evaluate();
    stuck = stuck || !may_go_on(result.iterations, limit);
    if (stuck || iteration.error() <= try_at) {
      try_at *= 1e-2;
      iteration.keep();
      iteration.guess_active();
      const ComplementarityResult exact = exchange_active(problem, system, memory, exchanges, 0.0, P);
      result.residual = exact.residual;
      if (exact.status == Status::solved) return result;
      iteration.restore();
      if (stuck || try_at < 1e-14) break;
      iteration.evaluate();
    }
    ++result.iterations;
    length = iteration.advance();
    stuck = !(length > 1e-10);
  }
  result.residual = natural_residual(problem, system, memory, P);
  if (result.residual <= settings.tolerance) return result;
  // Redundant contacts leave it undecided which rows push.
  const ComplementarityResult repaired = proximal(problem, system, memory, 100, P);
  result.iterations += repaired.iterations;
  result.residual = repaired.residual;
  if (repaired.status == Status::solved) return result;
  result.status = length < 1e-6 ? Status::no_solution : Status::iteration_limit;
  return result;
}

}  // namespace ricochet
