// Steppers of the schemes that share the recursion of velocity_step.hpp, and what such schemes ask of a model.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "ricochet/complementarity/problem.hpp"
#include "scheme/velocity_step.hpp"

namespace ricochet {

// `notes`: remarks on the parameters for this model.
std::unique_ptr<Stepper> make_velocity_stepper(const Model& model, const VelocityRule& rule,
                                               const ComplementaritySettings& solver,
                                               std::vector<std::string> notes = {});

// The largest restitution if it is constant; nothing if there is no constraint or a formula.
std::optional<double> largest_restitution(const Model& model);

// Throws InputError if the model has auxiliary states, which the named scheme cannot take.
void refuse_states(const Model& model, std::string_view scheme);

// Throws InputError unless every restitution is 0; `instead` takes any.
void refuse_rebound(const Model& model, std::string_view scheme, std::string_view instead);

// Throws InputError unless all restitutions are one number.
void refuse_different_restitutions(const Model& model, std::string_view scheme);

}  // namespace ricochet
