// Joints at the start of a run.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "model/regular_joints.hpp"
#include "ricochet/core/state.hpp"
#include "ricochet/model/model.hpp"

namespace ricochet {

// Lets a start, which must be complete and finite, satisfy the joints: what it is off by up to 1e-9 of the terms of a
// row is taken away. Throws InputError if it is off by more, or if a direction of motion has neither mass nor joint.
// Returns the model that the motion is to be found with, if it is not the given one, and notes for the user.
struct HeldStart {
  std::unique_ptr<const Model> model = nullptr;
  JointRegularity regularity = {};
  std::vector<std::string> notes = {};  // with those of `dependent` and `idle`
  // Rows that are left out: they follow from the others, or have no gradient and hold nothing; empty if there are none.
  std::string dependent = {}, idle = {};
};
HeldStart hold_joints(const Model& given, State& state);

// Contacts whose gradients lie in the span of those of the joints, whose positions must be independent.
std::vector<int> locked_contacts(const Model& model, const State& state);

// A remark where a row of joints nearly depends on the others, as at a dead centre; empty elsewhere.
std::string dead_centre_remark(const Model& model, const State& state);

// A row that was left out since it was redundant and that a state does not satisfy; empty if there is none.
std::string broken_redundant_joint(const Model& given, const JointRegularity& regularity, const State& state);

}  // namespace ricochet
