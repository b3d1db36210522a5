#include "complementarity/free_rows.hpp"

#include <algorithm>
#include <cmath>

#include "complementarity/memory.hpp"

namespace ricochet {
namespace {

constexpr int most_formed = 100;  // rows up to which W' is formed
constexpr double held = 1e-13;    // W'_ii against what it is the difference of
constexpr double regulariser =
    1e-10;  // added to the diagonal of W_BB in large problems; refinement takes it away again

}  // namespace

bool SystemWithoutFreeRows::set(int n, NewtonSystem& whole, NewtonSystem& joint, const std::vector<int>& free,
                                const std::vector<int>& rest) {
  n_ = n;
  whole_ = &whole;
  joint_ = &joint;
  free_ = &free;
  rest_ = &rest;
  const std::size_t size = static_cast<std::size_t>(n);
  for (auto* x : {&scale_, &D_, &x_, &r_, &solution_, &work_}) x->assign(size, 0.0);
  is_free_.assign(size, 0);
  for (const int i : free) {
    is_free_[i] = 1;
    scale_[i] = whole.diagonal(i) > 0.0 ? 1.0 / std::sqrt(whole.diagonal(i)) : 1.0;
  }
  return whole.factorise(is_free_, nullptr, regulariser);
}

void SystemWithoutFreeRows::complete(const double* b, double* P) {
  for (const int i : *free_) P[i] = 0.0;
  whole_->multiply(P, r_.data());
  double size = 0.0;
  for (const int i : *free_) {
    if (b != nullptr) r_[i] += b[i];
    size = std::max(size, std::abs(r_[i] * scale_[i]));
  }
  solve_refined({n_, r_.data(), is_free_, scale_.data(), size, 0.0}, *whole_, work_.data(), solution_.data());
  for (const int i : *free_) P[i] = solution_[i];
}

void SystemWithoutFreeRows::multiply(const double* x, double* y) {
  for (std::size_t i = 0; i < rest_->size(); ++i) x_[(*rest_)[i]] = x[i];
  complete(nullptr, x_.data());
  whole_->multiply(x_.data(), r_.data());
  for (std::size_t i = 0; i < rest_->size(); ++i) y[i] = r_[(*rest_)[i]];
}

bool SystemWithoutFreeRows::factorise(const Flags& active, const double* D, double floor) {
  active_ = is_free_;
  std::fill(D_.begin(), D_.end(), 0.0);
  for (std::size_t i = 0; i < rest_->size(); ++i) {
    active_[(*rest_)[i]] = active[i];
    if (D != nullptr) D_[(*rest_)[i]] = D[i];
  }
  return joint_->factorise(active_, D_.data(), std::max(floor, regulariser));
}

void SystemWithoutFreeRows::solve(double* x) {
  std::fill(r_.begin(), r_.end(), 0.0);
  for (std::size_t i = 0; i < rest_->size(); ++i) r_[(*rest_)[i]] = x[i];
  joint_->solve(r_.data());
  for (std::size_t i = 0; i < rest_->size(); ++i) x[i] = r_[(*rest_)[i]];
}

bool FreeRows::eliminate(const ComplementarityProblem& given, ComplementarityMemory& memory) {
  given_ = given;
  const std::size_t n = static_cast<std::size_t>(given.n);
  free_.clear();
  rest_.clear();
  free_.reserve(n);
  rest_.reserve(n);
  is_left_.assign(n, 0);
  for (int i = 0; i < given.n; ++i) (given.cones[i] == Cone::free ? free_ : rest_).push_back(i);
  W_ = std::holds_alternative<DenseForm>(given.W) || given.n <= most_formed ? dense_form(given, memory) : nullptr;
  if (!(W_ != nullptr ? factorise_dense() : factorise_large())) return false;
  for (const int i : rest_) is_left_[i] = 1;

  // b' is W P + b with P_N = 0.
  const std::size_t left = rest_.size();
  rest_b_.resize(left);
  rest_P_.assign(left, 0.0);
  P_.assign(n, 0.0);
  w_.resize(n);
  complete(P_.data());
  whole_->multiply(P_.data(), w_.data());
  for (std::size_t i = 0; i < left; ++i) rest_b_[i] = w_[rest_[i]] + given.b[rest_[i]];
  rest_problem_.n = static_cast<int>(left);
  rest_problem_.b = rest_b_.data();
  rest_cones_.resize(left);
  rest_bounds_.assign(left, 0.0);
  for (std::size_t i = 0; i < left; ++i) {
    rest_cones_[i] = given.cones[rest_[i]];
    if (given.bounds != nullptr) rest_bounds_[i] = given.bounds[rest_[i]];
  }
  rest_problem_.cones = rest_cones_.data();
  rest_problem_.bounds = rest_bounds_.data();
  return true;
}

// W' = W_NN − W_NB X
bool FreeRows::factorise_dense() {
  dense_.set(given_.n, W_);
  whole_ = &dense_;
  const std::size_t nB = free_.size();
  W_BB_.resize(nB * nB);
  for (std::size_t j = 0; j < nB; ++j)
    for (std::size_t i = 0; i < nB; ++i) W_BB_[j * nB + i] = W(free_[i], free_[j]);
  if (!inverse_.factorise(static_cast<int>(nB), W_BB_.data())) return false;
  X_.resize(nB * rest_.size());
  for (std::size_t j = 0; j < rest_.size(); ++j) {
    for (std::size_t k = 0; k < nB; ++k) X_[j * nB + k] = W(free_[k], rest_[j]);
    inverse_.solve(X_.data() + j * nB);
  }
  find_held_rows();
  const std::size_t left = rest_.size();
  rest_W_.resize(left * left);
  for (std::size_t j = 0; j < left; ++j)
    for (std::size_t i = 0; i < left; ++i) {
      double sum = W(rest_[i], rest_[j]);
      for (std::size_t k = 0; k < nB; ++k) sum -= W(rest_[i], free_[k]) * X_[j * nB + k];
      rest_W_[j * left + i] = is_held_[rest_[i]] || is_held_[rest_[j]] ? 0.0 : sum;
    }
  rest_problem_.W = DenseForm{rest_W_.data()};
  return true;
}

// They leave the rest, with their columns of X, unless they belong to a block: then their part of W' is zero.
// W'_ii is known up to ε (W_ii + Σ W_kk X_ki²).
void FreeRows::find_held_rows() {
  const std::size_t nB = free_.size();
  std::size_t left = 0;
  is_held_.assign(static_cast<std::size_t>(given_.n), 0);
  for (std::size_t j = 0; j < rest_.size(); ++j) {
    const double* x = X_.data() + j * nB;
    double own = W(rest_[j], rest_[j]), size = own;
    for (std::size_t k = 0; k < nB; ++k) {
      own -= W(rest_[j], free_[k]) * x[k];
      size += W(free_[k], free_[k]) * x[k] * x[k];
    }
    is_held_[rest_[j]] = own <= held * static_cast<double>(nB) * size;
    if (is_held_[rest_[j]] && given_.cones[rest_[j]] == Cone::nonnegative) continue;
    std::copy(x, x + nB, X_.data() + left * nB);
    rest_[left++] = rest_[j];
  }
  rest_.resize(left);
}

bool FreeRows::factorise_large() {
  NewtonSystem* joint = nullptr;
  if (const auto* sparse = std::get_if<SparseForm>(&given_.W)) {
    for (SparseSystem& system : sparse_) system.set(*sparse);
    whole_ = &sparse_[0], joint = &sparse_[1];
  } else {
    for (SchurSystem& system : schur_) system.set(given_.n, std::get<SchurForm>(given_.W));
    whole_ = &schur_[0], joint = &schur_[1];
  }
  rest_problem_.W = SystemForm{&system_};
  return system_.set(given_.n, *whole_, *joint, free_, rest_);
}

double* FreeRows::take_guess(const double* P) {
  for (std::size_t i = 0; i < rest_.size(); ++i) rest_P_[i] = P[rest_[i]];
  return rest_P_.data();
}

void FreeRows::complete(double* P) {
  std::fill(P, P + given_.n, 0.0);
  for (std::size_t i = 0; i < rest_.size(); ++i) P[rest_[i]] = rest_P_[i];
  if (W_ == nullptr) return system_.complete(given_.b, P);
  complete_dense(P);
  complete_dense(P);  // once more: refined
}

// P_B −= W_BB⁺ (W P + b)_B
void FreeRows::complete_dense(double* P) {
  whole_->multiply(P, w_.data());
  for (std::size_t k = 0; k < free_.size(); ++k) W_BB_[k] = w_[free_[k]] + given_.b[free_[k]];
  inverse_.solve(W_BB_.data());
  for (std::size_t k = 0; k < free_.size(); ++k) P[free_[k]] -= W_BB_[k];
}

ComplementarityResult solve_with_free_rows(const ComplementarityProblem& problem, SolverFunction* solver,
                                           const SolverOptions& options, ComplementarityMemory& memory, double* P) {
  using Status = ComplementarityStatus;
  constexpr int rounds = 4;
  FreeRows& free = *memory.free_rows;
  if (!free.eliminate(problem, memory)) {
    std::fill(P, P + problem.n, 0.0);
    return {Status::no_solution, 1.0, 0};
  }
  SolverOptions own = options;
  double* rest_P = free.take_guess(P);
  ComplementarityResult result;
  // The residual of the given problem counts, in its own scale; if it asks for more, the rest is solved more exactly.
  for (int round = 0; round < rounds; ++round) {
    const int spent = result.iterations;
    memory.tolerance = own.tolerance;
    result = free.rest().n > 0 ? solver(free.rest(), own, memory, rest_P) : ComplementarityResult{};
    if (result.status == Status::not_supported) return result;
    result.iterations += spent;
    memory.tolerance = options.tolerance;
    free.complete(P);
    set_scale(problem, free.whole(), memory);
    result.residual = natural_residual(problem, free.whole(), memory, P);
    if (result.residual <= options.tolerance) {
      result.status = Status::solved;
      return result;
    }
    if (result.status != Status::solved) break;
    own.tolerance = std::max(1e-14, 0.5 * own.tolerance * options.tolerance / result.residual);
    own.warm_start = true;
  }
  // Rows that no P_N moves are as good as they can be.
  double left = 0.0, fixed = 0.0;
  for (int i = 0; i < problem.n; ++i) {
    double& worst = free.is_left(i) ? left : fixed;
    worst = std::max(worst, row_residual(problem, memory, P, i));
  }
  if (fixed > left) result.status = Status::no_solution;
  // What free rows leave of W is known to ε W_ii only: where little is left, and that is redundant or held, it may have
  // no solution although the whole has one.
  if (free.is_formed() && !has_blocks(problem)) {
    const ComplementarityResult whole = proximal(problem, free.whole(), memory, 1000 + 100 * problem.n, P);
    result.iterations += whole.iterations;
    result.residual = whole.residual;
    if (whole.status == Status::solved) return {Status::solved, whole.residual, result.iterations};
  }
  if (result.status == Status::solved) result.status = Status::iteration_limit;
  return result;
}

}  // namespace ricochet
