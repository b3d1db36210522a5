// What schemes ask of a model's restitutions before a run.
#pragma once

#include <optional>
#include <string_view>

#include "ricochet/model/model.hpp"

namespace ricochet {

// The largest restitution if it is constant; nothing if there is no constraint or a formula.
std::optional<double> largest_restitution(const Model& model);

// Throws InputError unless every restitution is 0; `instead` takes any.
void refuse_rebound(const Model& model, std::string_view scheme, std::string_view instead);

// Throws InputError unless all restitutions are one number.
void refuse_different_restitutions(const Model& model, std::string_view scheme);

}  // namespace ricochet
