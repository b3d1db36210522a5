// What a run asks of its start, and the impact of a start that moves into an obstacle it touches.
#pragma once

#include <optional>
#include <vector>

#include "ricochet/contact/impact.hpp"
#include "ricochet/core/state.hpp"
#include "ricochet/model/model.hpp"

namespace ricochet {

// Gaps and gap rates of a state.
struct GapRates {
  explicit GapRates(const Model& model);
  void measure(const State& state);

  const Model& model;
  std::vector<double> gap, rate, H;
};

// Completes `state` (velocities that are not given are 0) and measures its gaps. Throws InputError unless it can be run
// from: finite, the mass positive definite, restitutions in [0, 1], no gap negative. Returns Σ H²/M over the diagonal
// of the mass, by constraint.
std::vector<double> check_start(const Model& model, State& state, double from, GapRates& rates);

// The impact of a start that moves into an obstacle it touches, applied to state.v.
std::optional<ImpactOutcome> hit_at_start(const Model& model, State& state, const GapRates& rates);

}  // namespace ricochet
