#include "complementarity/memory.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace ricochet {

NewtonSystem& system_of(const ComplementarityProblem& problem, ComplementarityMemory& memory) {
  if (const auto* W = std::get_if<DenseForm>(&problem.W)) {
    memory.dense.set(problem.n, W->values);
    return memory.dense;
  }
  if (const auto* W = std::get_if<SparseForm>(&problem.W)) {
    memory.sparse->set(*W);
    return *memory.sparse;
  }
  if (const auto* W = std::get_if<SystemForm>(&problem.W)) return *W->system;
  memory.schur->set(problem.n, std::get<SchurForm>(problem.W));
  return *memory.schur;
}

const double* dense_form(const ComplementarityProblem& problem, ComplementarityMemory& memory) {
  if (const auto* W = std::get_if<DenseForm>(&problem.W)) return W->values;
  const std::size_t n = static_cast<std::size_t>(problem.n);
  memory.dense_W.assign(n * n, 0.0);
  if (const auto* W = std::get_if<SparseForm>(&problem.W)) {
    for (int j = 0; j < problem.n; ++j)
      for (int k = W->pattern->start[j]; k < W->pattern->start[j + 1]; ++k)
        memory.dense_W[static_cast<std::size_t>(j) * n + static_cast<std::size_t>(W->pattern->row[k])] = W->values[k];
    return memory.dense_W.data();
  }
  if (const auto* W = std::get_if<SystemForm>(&problem.W)) {
    memory.x.assign(n, 0.0);
    for (std::size_t j = 0; j < n; ++j) {
      memory.x[j] = 1.0;
      W->system->multiply(memory.x.data(), memory.dense_W.data() + j * n);
      memory.x[j] = 0.0;
    }
    return memory.dense_W.data();
  }
  // One solve with A an unknown; with the caller's factors A itself is not looked at.
  const auto& W = std::get<SchurForm>(problem.W);
  if (W.factors == nullptr) memory.schur->set(problem.n, W);
  const LinearSolve& factors = W.factors != nullptr ? *W.factors : memory.schur->inner();
  memory.y.resize(static_cast<std::size_t>(W.gradient->rows));
  for (int j = 0; j < problem.n; ++j) {
    std::fill(memory.y.begin(), memory.y.end(), 0.0);
    for (int k = W.gradient->start[j]; k < W.gradient->start[j + 1]; ++k) memory.y[W.gradient->row[k]] = W.H[k];
    factors.solve(memory.y.data());
    for (int i = 0; i < problem.n; ++i)
      memory.dense_W[static_cast<std::size_t>(j) * n + static_cast<std::size_t>(i)] =
          column_dot(*W.gradient, W.H, i, memory.y.data());
  }
  return memory.dense_W.data();
}

void set_scale(const ComplementarityProblem& problem, const NewtonSystem& system, ComplementarityMemory& memory) {
  memory.scale.resize(static_cast<std::size_t>(problem.n));
  const auto scale_of = [](double diagonal) { return diagonal > 0.0 ? 1.0 / std::sqrt(diagonal) : 1.0; };
  for (int i = 0; i < problem.n;) {
    const Block block = block_at(problem, i);
    if (block.size == 1) {
      memory.scale[i] = scale_of(system.diagonal(i));
      ++i;
      continue;
    }
    const int tangent = i + (block.cone == Cone::coulomb ? 1 : 0), end = i + block.size;
    double trace = 0.0, normal = system.diagonal(i);
    for (int k = tangent; k < end; ++k) trace += system.diagonal(k) / (end - tangent);
    // Where one of the two vanishes the other stands for it.
    memory.scale[i] = scale_of(normal > 0.0 ? normal : trace);
    for (int k = tangent; k < end; ++k) memory.scale[k] = scale_of(trace > 0.0 ? trace : normal);
    i = end;
  }
}

double size_of_b(const ComplementarityProblem& problem, const ComplementarityMemory& memory) {
  double size = 0.0;
  for (int i = 0; i < problem.n; ++i) size = std::max(size, std::abs(problem.b[i] * memory.scale[i]));
  return size;
}

void place_w(const ComplementarityProblem& problem, NewtonSystem& system, ComplementarityMemory& memory,
             const double* P) {
  memory.w.resize(static_cast<std::size_t>(problem.n));
  system.multiply(P, memory.w.data());
  for (int i = 0; i < problem.n; ++i) memory.w[i] += problem.b[i];
}

double residual_of_w(const ComplementarityProblem& problem, const ComplementarityMemory& memory, double size,
                     const double* P) {
  double residual = 0.0, push = 0.0;
  for (int i = 0; i < problem.n; ++i) {
    const double s = memory.scale[i], scaled = P[i] / s;
    push = std::max(push, std::abs(scaled));
    const double own =
        problem.cones == nullptr ? std::abs(std::min(scaled, memory.w[i] * s)) : row_residual(problem, memory, P, i);
    residual = std::max(residual, own);
  }
  return relative_residual(residual, size, push, memory.tolerance);
}

double natural_residual(const ComplementarityProblem& problem, NewtonSystem& system, ComplementarityMemory& memory,
                        const double* P) {
  place_w(problem, system, memory, P);
  return residual_of_w(problem, memory, size_of_b(problem, memory), P);
}

double relative_residual(double residual, double size, double push, double tolerance) {
  constexpr double round_off = 64.0 * std::numeric_limits<double>::epsilon();
  size += std::min(round_off / tolerance * push, 1e4 * size);
  return size > 0.0 ? residual / size : residual;
}

bool all_finite(int n, const double* x) {
  double sum = 0.0;
  for (int i = 0; i < n; ++i) sum += x[i] - x[i];
  return sum == 0.0;
}

bool solve_on_active(const ComplementarityProblem& problem, NewtonSystem& system, ComplementarityMemory& memory,
                     double size, double floor, double* P) {
  if (!system.factorise(memory.active, nullptr, std::max(floor, 1e-14))) return false;
  memory.y.resize(static_cast<std::size_t>(problem.n));
  return solve_refined({problem.n, problem.b, memory.active, memory.scale.data(), size, floor}, system, memory.y.data(),
                       P);
}

bool solve_refined(const ActiveRows& rows, NewtonSystem& system, double* work, double* P) {
  constexpr int most_refinements = 12;
  const int n = rows.n;
  for (int i = 0; i < n; ++i) P[i] = rows.active[i] ? -rows.b[i] : 0.0;
  system.solve(P);
  double last = HUGE_VAL;
  for (int k = 0; k < most_refinements; ++k) {
    system.multiply(P, work);
    double worst = 0.0;
    for (int i = 0; i < n; ++i) {
      if (rows.floor > 0.0) work[i] += rows.floor * system.diagonal(i) * P[i];
      work[i] = rows.active[i] ? -rows.b[i] - work[i] : 0.0;
      worst = std::max(worst, std::abs(work[i] * rows.scale[i]));
    }
    if (!(worst > 1e-15 * rows.size) || !(worst < 0.5 * last)) break;
    last = worst;
    system.solve(work);
    for (int i = 0; i < n; ++i) P[i] += work[i];
  }
  return all_finite(n, P);
}

}  // namespace ricochet
