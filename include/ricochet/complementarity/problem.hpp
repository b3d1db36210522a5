// The linear complementarity problem over cones: find P with U = W P + b and, row by row, 0 ≤ U ⊥ P ≥ 0 or U = 0, or
// block by block Coulomb's law. Nothing of mechanics here.
//
//     ComplementarityWorkspace workspace;                       // once; solves then allocate nothing new
//     ComplementarityResult result = solve({.n = n, .W = DenseForm{W}, .b = b}, settings, workspace, P);
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <variant>

#include "ricochet/core/linear_solve.hpp"
#include "ricochet/core/pattern.hpp"

namespace ricochet {

// W is positive semidefinite: symmetric, or nearly so (as some schemes give it). In one of three forms:
struct DenseForm {
  const double* values = nullptr;  // by columns, n × n
};
struct SparseForm {
  const Pattern* pattern = nullptr;  // with both triangles and the whole diagonal
  const double* values = nullptr;
  // A number that changes whenever the values do, from a caller whose pattern stays as it is: what a solver made of the
  // same W is not made again. 0: nothing is known.
  std::uint64_t revision = 0;
};
// W = Hᵀ A⁻¹ H with A sparse, symmetric positive definite, and H sparse; W itself is never formed if n is large.
struct SchurForm {
  const Pattern* matrix = nullptr;  // of A, both triangles and the diagonal
  const double* A = nullptr;
  const Pattern* gradient = nullptr;  // of H: one column an unknown
  const double* H = nullptr;
  const LinearSolve* factors = nullptr;  // of A, if the caller has them
};
// W only by products and solves: what is left of a large problem without its free rows. Not for callers.
class NewtonSystem;
struct SystemForm {
  NewtonSystem* system = nullptr;
};
using MatrixForm = std::variant<DenseForm, SparseForm, SchurForm, SystemForm>;

// The law of one row. A law that ties several rows is named on the first of them.
enum class Cone : unsigned char {
  nonnegative,  // 0 ≤ U ⊥ P ≥ 0
  free,         // U = 0, P of either sign. Where such rows are redundant P is of least norm, and W P is unique.
  coulomb,      // the normal row of a contact with friction; its one or two tangent rows follow it directly:
                // 0 ≤ U_N ⊥ P_N ≥ 0, −P_T ∈ μ P_N ∂‖U_T‖
  disc,  // the first row of dry friction with a known limit: −P ∈ L ∂‖U‖; one row, or two with a tangent row
         // after it
  tangent,  // a further row of the block before it
};

struct ComplementarityProblem {
  int n = 0;
  MatrixForm W;
  const double* b = nullptr;
  const Cone* cones = nullptr;     // one a row; none: all are nonnegative
  const double* bounds = nullptr;  // μ on coulomb rows, L on disc rows; not read elsewhere; may be null without them
};

// How a scheme keeps W. Dense: W and M̂⁻¹H as a whole. Sparse: neither is formed; W is sparse where M̂ is diagonal, a
// SchurForm otherwise.
enum class ContactMatrix { automatic, dense, sparse };

class HardProblems;  // ricochet/contact/hard_problems.hpp

struct ComplementaritySettings {
  std::string solver = "automatic";                 // one of solvers()
  double tolerance = 0.0;                           // largest accepted residual, > 0; 0: the solver's own
  int max_iterations = 0;                           // ≥ 1; 0: the solver's own
  double relaxation = 1.0;                          // in (0, 2): over-relaxation of gauss-seidel
  bool warm_start = false;                          // P holds a guess when solve() is called
  ContactMatrix matrix = ContactMatrix::automatic;  // dense for few contacts; solve() takes W as it is given
  HardProblems* hardest = nullptr;                  // gets the contact problems of a scheme, one a run
  bool operator==(const ComplementaritySettings&) const = default;
};

enum class ComplementarityStatus {
  solved,
  no_solution,      // W P + b ≥ 0 is impossible for P ≥ 0, or free rows contradict each other
  iteration_limit,  // the residual is still above the tolerance
  not_finite,       // NaN or infinity in W or b
  not_supported,    // the solver cannot take this form of W at this size, or these cones
};

struct ComplementarityResult {
  ComplementarityStatus status = ComplementarityStatus::solved;
  // max |min(P, U)|, for free rows |U|, for blocks ‖P − Π(P − Ũ)‖ (block_law.hpp), of the problem scaled to unit
  // diagonal, relative to max |b|; round-off of W P does not count.
  double residual = 0.0;
  int iterations = 0;
  bool is_unique = true;  // false where it was cheap to see that there are several solutions
};

std::string_view name(ComplementarityStatus status);
// One word: solved, solved-not-unique, no-solution, not-converged, not-finite, not-supported.
std::string_view status_text(const ComplementarityResult& result);

// Memory of the solvers: grows to the largest problem met, then stays. One per thread.
class ComplementarityWorkspace {
 public:
  ComplementarityWorkspace();
  ~ComplementarityWorkspace();
  ComplementarityWorkspace(ComplementarityWorkspace&&) noexcept;
  ComplementarityWorkspace& operator=(ComplementarityWorkspace&&) noexcept;

  struct Memory;
  Memory& memory() { return *memory_; }

 private:
  std::unique_ptr<Memory> memory_;
};

// P is n long. The solver is found by settings.solver; throws InputError ("solver.name") if there is none.
ComplementarityResult solve(const ComplementarityProblem& problem, const ComplementaritySettings& settings,
                            ComplementarityWorkspace& workspace, double* P);

// The residual of any P, without allowance for round-off.
double residual(const ComplementarityProblem& problem, ComplementarityWorkspace& workspace, const double* P);

// Settings with the solver chosen and its tolerance filled in.
struct SolverOptions {
  double tolerance = 1e-10;
  int max_iterations = 0;
  double relaxation = 1.0;
  bool warm_start = false;
};

struct SolverEntry {
  std::string_view name;
  std::string_view summary;      // one line
  std::string_view explanation;  // a paragraph: what for, cost, when it fails
  std::string_view reference;
  double tolerance;  // its own default
  using Function = ComplementarityResult(const ComplementarityProblem&, const SolverOptions&,
                                         ComplementarityWorkspace::Memory&, double* P);
  Function* solve;
  Function* solve_blocks = nullptr;  // with rows of blocks, as friction has them; none: not supported
};

std::span<const SolverEntry> solvers();
const SolverEntry& find_solver(std::string_view name);
// Throws InputError ("solver.tolerance") for values outside their range.
void check(const ComplementaritySettings& settings);

}  // namespace ricochet
