// Modes of undamped linear systems: K φ = ω² M φ.
#pragma once

#include <vector>

#include "ricochet/core/sparse_matrix.hpp"

namespace ricochet {

struct ModalBasis {
  std::vector<double> omega = {};   // ascending; 0 for rigid motions
  std::vector<double> square = {};  // ω², negative where motions grow
  std::vector<double> shapes = {};  // φ by columns, φᵀMφ = 1, the entry largest in size is positive
  int n = 0, m = 0;                 // unknowns, modes

  double shape(int i, int mode) const { return shapes[static_cast<std::size_t>(mode) * n + i]; }
};

struct ModalConditions {
  SparseMatrix held = {};  // G: K φ = ω² M φ + G μ on Gᵀφ = 0; columns may depend on each other
  bool may_grow = false;   // ω² < 0, motions that grow, are modes; otherwise the stiffness is refused
};

// The modes of lowest ω². K symmetric, positive semi-definite (rigid motions are found); M symmetric, positive
// definite. Dense up to 400 unknowns, sparse above. As many as there are, if rows are held. Throws Error if modes
// cannot be found to their accuracy.
ModalBasis lowest_modes(const SparseMatrix& stiffness, const SparseMatrix& mass, int count,
                        const ModalConditions& conditions = {});

// The two ways of lowest_modes, for any size.
ModalBasis lowest_modes_dense(const SparseMatrix& stiffness, const SparseMatrix& mass, int count,
                              const ModalConditions& conditions = {});
ModalBasis lowest_modes_sparse(const SparseMatrix& stiffness, const SparseMatrix& mass, int count,
                               const ModalConditions& conditions = {});

// C = M Φ diag(2ζω) Φᵀ M: damping ratio ζ for each mode of the basis, none for the others. The matrix is dense:
// for systems of at most 2000 unknowns. One ratio serves all modes.
SparseMatrix modal_damping(const SparseMatrix& mass, const ModalBasis& basis, const std::vector<double>& ratios);

}  // namespace ricochet
