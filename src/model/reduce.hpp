// A linear system in the coordinates of some of its modes: q = Φ p with ΦᵀMΦ = 1.
#pragma once

#include "ricochet/model/linear.hpp"
#include "ricochet/model/modal.hpp"

namespace ricochet {

// Damping ratios by mode, none or the last one for all further modes, add to the damping of the system.
LinearSystemData reduced(const LinearSystemData& system, const ModalBasis& basis, const std::vector<double>& ratios);

// p = ΦᵀM q
std::vector<double> modal_coordinates(const SparseMatrix& mass, const ModalBasis& basis, const std::vector<double>& q);

// Rows that are formulas; none if there are none.
CurvedRows in_modes(const CurvedRows& rows, const ModalBasis& basis);

}  // namespace ricochet
