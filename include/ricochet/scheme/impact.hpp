// The impact law at one instant, Newton's on the gap rates (Paoli 2001, (5.3); Acary 2018, (27)):
//     U⁺ = U⁻ + W P,   0 ≤ U⁺ + e U⁻ ⊥ P ≥ 0,   v⁺ = v⁻ + M⁻¹ H P,   W = Hᵀ M⁻¹ H.
#pragma once

#include <vector>

#include "ricochet/core/state.hpp"
#include "ricochet/core/status.hpp"
#include "ricochet/model/model.hpp"
#include "ricochet/scheme/stepper.hpp"

namespace ricochet {

struct ImpactOutcome {
  FailureKind failure = FailureKind::none;
  std::vector<ContactReport> contacts = {};  // those with P > 0
  double obstacle_work = 0.0;                // −∂g/∂tᵀ P, done by moving obstacles
};

// Applies the law to state.v on the given constraints.
ImpactOutcome apply_impact(const Model& model, State& state, const std::vector<int>& constraints);

}  // namespace ricochet
