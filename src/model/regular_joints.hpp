// The same motion by a model whose joints are independent and whose mass is positive definite:
//
//     M̃ = M + H_B ρ H_Bᵀ,   F̃ = F − H_B ρ c_B,   ρ_k = 1/Σ_i (H_B)_ik²/M_ii                                  (1)
//
// On the joints H_Bᵀv' = −c_B, so that M̃v' = F̃ + Hλ and Mv' = F + Hλ are the same equation: links without mass become
// regular wherever [M H_B; H_Bᵀ 0] is. Rows of joints that depend on others are left out; they hold by themselves.
#pragma once

#include <memory>
#include <vector>

#include "ricochet/core/state.hpp"
#include "ricochet/model/model.hpp"

namespace ricochet {

// What a model with joints is at one state.
struct JointRegularity {
  bool mass_is_definite = true;     // M
  bool is_regular = true;           // M̃, or M if that is definite
  std::vector<int> redundant = {};  // rows of joints that depend on others, ascending; not looked for among many
  bool is_plain() const { return mass_is_definite && redundant.empty(); }
};
JointRegularity joint_regularity(const Model& model, const State& state);

// The row of joints of which the others leave least, where that is little; −1 elsewhere.
int nearly_dependent_joint(const Model& model, const State& state);

// Reactions of the rows that were kept → those of all rows of the given model, of least norm; in place, nb long.
void spread_reactions(const Model& given, const JointRegularity& regularity, const State& state, double* lambda);

// The model by (1), without these rows; `given` must stay.
std::unique_ptr<Model> regular_joints(const Model& given, const JointRegularity& regularity);

}  // namespace ricochet
