// Steppers of the schemes that share the recursion of velocity_step.hpp.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "ricochet/complementarity/problem.hpp"
#include "scheme/velocity_step.hpp"

namespace ricochet {

struct VelocityScheme {
  VelocityRule rule = {};
  bool kick = false;                    // begin with a velocity step on the spot
  std::vector<std::string> notes = {};  // remarks on the parameters for this model
};

std::unique_ptr<Stepper> make_velocity_stepper(const Model& model, const VelocityScheme& scheme,
                                               const ComplementaritySettings& solver);

// The largest restitution if it is constant; nothing if there is no constraint or a formula.
std::optional<double> largest_restitution(const Model& model);

// Throws InputError if the model has auxiliary states, which the named scheme cannot take.
void refuse_states(const Model& model, std::string_view scheme);

}  // namespace ricochet
