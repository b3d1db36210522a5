// The impact law at one instant, Newton's on the gap rates (Paoli 2001, (5.3); Acary 2018, (27)):
//     U⁺ = U⁻ + W P,   0 ≤ U⁺ + e U⁻ ⊥ P ≥ 0,   v⁺ = v⁻ + M⁻¹ H P,   W = Hᵀ M⁻¹ H.
#pragma once

#include <vector>

#include "ricochet/contact/contact_report.hpp"
#include "ricochet/core/state.hpp"
#include "ricochet/core/status.hpp"
#include "ricochet/model/model.hpp"

namespace ricochet {

// Whether two constraints that can be closed together break continuous dependence on the data. With
//     c = ⟨∇g_a, M⁻¹∇g_b⟩ / (|∇g_a| |∇g_b|),   |x|² = ⟨x, M⁻¹x⟩,
// the motion depends continuously on the data where c ≤ 0 for e = 0, and where c = 0 for e > 0 (Paoli, M3AS 15 (2005)
// 53); values below the tolerance count as 0. c = 1: one obstacle given twice, which breaks nothing. e: the larger
// restitution of the two.
inline constexpr double angle_tolerance = 1e-8;
constexpr bool breaks_continuity(double cosine, double e) {
  constexpr double same = 1.0 - 1e-12;
  return (cosine > angle_tolerance && cosine < same) || (e > 0.0 && cosine < -angle_tolerance);
}

struct ImpactOutcome {
  FailureKind failure = FailureKind::none;
  ContactReports contacts = {};  // those with P > 0
  double obstacle_work = 0.0;    // −∂g/∂tᵀ P, done by moving obstacles
};

// Applies the law to state.v on the given constraints.
ImpactOutcome apply_impact(const Model& model, State& state, const std::vector<int>& constraints);

}  // namespace ricochet
