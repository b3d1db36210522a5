// The list of solvers.
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <vector>

#include "complementarity/memory.hpp"
#include "ricochet/core/error.hpp"
#include "ricochet/core/quantity.hpp"

namespace ricochet {
namespace {

constexpr double exact = 1e-10, iterative = 1e-6;

const std::array<SolverEntry, 7> entries = {{
    {"automatic", "chooses by size, form and whether the last step's contacts are at hand",
     "One contact is solved in closed form. Otherwise the active set of the last step, or of the rows with b ≤ 0, is "
     "tried first; if that does not settle soon, Lemke's method takes over for small problems and the interior point "
     "method for large ones. W = Hᵀ A⁻¹ H is formed only for a few contacts.",
     "", exact, &automatic, &solve_blocks},
    {"lemke", "exact pivoting for small dense problems",
     "Complementary pivoting with a lexicographic rule against cycling. Finds a solution for every positive "
     "semidefinite W that has one, also with redundant contacts, and says when there is none, where a ray proves it. "
     "Cost grows like n³ or more: up to some hundred contacts, at most 2000.",
     "C. E. Lemke, Management Science 11 (1965) 681, doi:10.1287/mnsc.11.7.681", exact, &lemke, &block_lemke},
    {"active-set", "primal-dual active set (semismooth Newton) with a safeguard that always ends",
     "Guesses which contacts push, solves for them, exchanges all that contradict the guess; falls back to single "
     "exchanges when that makes no progress. Two or three iterations from a good guess, at any size. From a cold "
     "start on a chain of n contacts the number of iterations grows with n.",
     "M. Hintermüller, K. Ito, K. Kunisch, SIAM J. Optim. 13 (2002) 865, doi:10.1137/S1052623401383558; J. J. Júdice, "
     "F. M. Pires, Comput. Oper. Res. 21 (1994) 587, doi:10.1016/0305-0548(94)90106-6",
     exact, &active_set},
    {"interior-point", "predictor-corrector for large or cold problems",
     "Some 10 to 20 iterations whatever the size, each one sparse factorisation. Ends with an exact solve on the "
     "contacts that push; with friction `alart-curnier` makes the end. Cannot use a guess.",
     "S. J. Wright, Primal-Dual Interior-Point Methods, SIAM 1997, doi:10.1137/1.9781611971453; V. Acary, P. Armand, "
     "H. M. Nguyen, M. Shpakovych, Optim. Methods Softw. 39 (2024), doi:10.1080/10556788.2023.2296438",
     exact, &interior_point, &block_interior_point},
    {"gauss-seidel", "projected Gauss-Seidel with over-relaxation, for comparison",
     "One contact after the other. Cheap iterations, robust, slow where many contacts stack: use it with a tolerance "
     "of 1e-6 or so. The relaxation is in (0, 2).",
     "R. W. Cottle, J.-S. Pang, R. E. Stone, The Linear Complementarity Problem, SIAM 2009, "
     "doi:10.1137/1.9780898719000",
     iterative, &gauss_seidel, &block_gauss_seidel},
    {"alart-curnier", "Newton's method for friction on Alart and Curnier's equations",
     "Proximal point steps make redundant contacts regular; some ten to thirty factorisations, dense, sparse or of the "
     "size of the mass matrix. It may stall far from a solution: `automatic` then starts it from what the interior "
     "point method or Gauss-Seidel reach, and begins so with many contacts. Without friction it is the semismooth "
     "Newton method.",
     "P. Alart, A. Curnier, Comput. Methods Appl. Mech. Eng. 92 (1991) 353, doi:10.1016/0045-7825(91)90022-X", exact,
     &alart_curnier, &alart_curnier},
    {"projected-gradient", "accelerated projected gradient with restart, for comparison",
     "Needs only products with W. The number of iterations grows with the square root of W's condition.",
     "B. O'Donoghue, E. Candès, Found. Comput. Math. 15 (2015) 715, doi:10.1007/s10208-013-9150-3", iterative,
     &projected_gradient},
}};

bool form_is_finite(const ComplementarityProblem& problem) {
  if (const auto* W = std::get_if<DenseForm>(&problem.W)) return all_finite(problem.n * problem.n, W->values);
  if (const auto* W = std::get_if<SparseForm>(&problem.W)) return all_finite(W->pattern->size(), W->values);
  const auto& W = std::get<SchurForm>(problem.W);
  return (W.factors != nullptr || all_finite(W.matrix->size(), W.A)) && all_finite(W.gradient->size(), W.H);
}

// What b and P are multiplied with so that their products with W, and their squares, are numbers with all digits: a
// power of two, 1 but for extreme sizes.
double unit_for(int n, const double* b) {
  constexpr double largest = 0x1p300;
  constexpr int most = 1000;
  double size = 0.0;
  for (int i = 0; i < n; ++i) size = std::max(size, std::abs(b[i]));
  if (!(size > 0.0) || (size < largest && size > 1.0 / largest)) return 1.0;
  return std::ldexp(1.0, std::clamp(-std::ilogb(size), -most, most));
}

ComplementarityResult solve_any(const ComplementarityProblem& problem, SolverFunction* solver,
                                const SolverOptions& options, ComplementarityMemory& memory, double* P) {
  const bool has_free_rows =
      problem.cones != nullptr && std::count(problem.cones, problem.cones + problem.n, Cone::free) > 0;
  return has_free_rows ? solve_with_free_rows(problem, solver, options, memory, P)
                       : solver(problem, options, memory, P);
}

// The same problem in another unit of b and P.
ComplementarityResult solve_in_unit(double unit, ComplementarityProblem problem, SolverFunction* solver,
                                    const SolverOptions& options, ComplementarityMemory& memory, double* P) {
  std::vector<double>&b = memory.unit_b, &bounds = memory.unit_bounds;
  b.assign(problem.b, problem.b + problem.n);
  bounds.assign(problem.n, 0.0);
  for (int i = 0; i < problem.n; ++i) {
    b[i] *= unit, P[i] *= unit;
    if (problem.cones == nullptr || problem.bounds == nullptr) continue;
    const bool is_limit = problem.cones[i] == Cone::disc;
    bounds[i] = is_limit ? std::min(problem.bounds[i] * unit, std::numeric_limits<double>::max()) : problem.bounds[i];
  }
  problem.b = b.data(), problem.bounds = bounds.data();
  const ComplementarityResult result = solve_any(problem, solver, options, memory, P);
  for (int i = 0; i < problem.n; ++i) P[i] /= unit;
  return result;
}

}  // namespace

ComplementarityWorkspace::ComplementarityWorkspace() : memory_(std::make_unique<Memory>()) {}
ComplementarityWorkspace::~ComplementarityWorkspace() = default;
ComplementarityWorkspace::ComplementarityWorkspace(ComplementarityWorkspace&&) noexcept = default;
ComplementarityWorkspace& ComplementarityWorkspace::operator=(ComplementarityWorkspace&&) noexcept = default;

std::span<const SolverEntry> solvers() { return entries; }

const SolverEntry& find_solver(std::string_view name) {
  for (const SolverEntry& entry : entries)
    if (entry.name == name) return entry;
  std::vector<std::string> known;
  for (const SolverEntry& entry : entries) known.emplace_back(entry.name);
  throw InputError("solver.name", no_such("solver", name, known));
}

void check(const ComplementaritySettings& settings) {
  find_solver(settings.solver);
  if (!(settings.tolerance >= 0.0 && settings.tolerance < 1.0))
    throw InputError("solver.tolerance", "must be in (0, 1), got " + to_text(settings.tolerance));
  if (settings.max_iterations < 0)
    throw InputError("solver.max_iterations", "must be at least 1, got " + std::to_string(settings.max_iterations));
  if (!(settings.relaxation > 0.0 && settings.relaxation < 2.0))
    throw InputError("solver.relaxation", "must be in (0, 2), got " + to_text(settings.relaxation));
}

ComplementarityResult solve(const ComplementarityProblem& problem, const ComplementaritySettings& settings,
                            ComplementarityWorkspace& workspace, double* P) {
  const SolverEntry& entry = find_solver(settings.solver);
  if (!form_is_finite(problem) || !all_finite(problem.n, problem.b)) {
    for (int i = 0; i < problem.n; ++i) P[i] = 0.0;
    return {ComplementarityStatus::not_finite, 0.0, 0};
  }
  if (problem.n == 0) return {};
  const SolverOptions own{settings.tolerance > 0.0 ? settings.tolerance : entry.tolerance, settings.max_iterations,
                          settings.relaxation, settings.warm_start};
  workspace.memory().tolerance = own.tolerance;
  SolverFunction* solver = entry.solve;
  if (has_blocks(problem)) {
    check_blocks(problem);
    if (entry.solve_blocks == nullptr) return {ComplementarityStatus::not_supported, 0.0, 0};
    solver = entry.solve_blocks;
  }
  const double unit = unit_for(problem.n, problem.b);
  ComplementarityResult result = unit == 1.0 ? solve_any(problem, solver, own, workspace.memory(), P)
                                             : solve_in_unit(unit, problem, solver, own, workspace.memory(), P);
  // What was cut short may be good enough, and yet it is not what it would have become.
  if (is_interrupted()) result.status = ComplementarityStatus::iteration_limit;
  return result;
}

double residual(const ComplementarityProblem& problem, ComplementarityWorkspace& workspace, const double* P) {
  ComplementarityMemory& memory = workspace.memory();
  NewtonSystem& system = system_of(problem, memory);
  set_scale(problem, system, memory);
  memory.tolerance = HUGE_VAL;
  return natural_residual(problem, system, memory, P);
}

std::string_view status_text(const ComplementarityResult& result) {
  switch (result.status) {
    case ComplementarityStatus::solved: return result.is_unique ? "solved" : "solved-not-unique";
    case ComplementarityStatus::no_solution: return "no-solution";
    case ComplementarityStatus::iteration_limit: return "not-converged";
    case ComplementarityStatus::not_finite: return "not-finite";
    case ComplementarityStatus::not_supported: return "not-supported";
  }
  return "";
}

std::string_view name(ComplementarityStatus status) {
  switch (status) {
    case ComplementarityStatus::solved: return "solved";
    case ComplementarityStatus::no_solution: return "no solution";
    case ComplementarityStatus::iteration_limit: return "iteration limit";
    case ComplementarityStatus::not_finite: return "not finite";
    case ComplementarityStatus::not_supported: return "not supported";
  }
  return "";
}

}  // namespace ricochet
