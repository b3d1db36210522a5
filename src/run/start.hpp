// What a run asks of its start, and the impact of a start that moves into an obstacle it touches.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "contact/contact_kinematics.hpp"
#include "ricochet/contact/impact.hpp"
#include "ricochet/core/state.hpp"
#include "ricochet/model/model.hpp"

namespace ricochet {

std::vector<double> diagonal_of(const Pattern& pattern, const double* A);

// Gaps, gap rates and slips of a state, and the gradients there.
struct GapRates {
  explicit GapRates(const Model& model);
  GapRates(const Model& model, const State& state) : GapRates(model) { measure(state); }
  void measure(const State& state);

  const Model& model;
  ContactKinematics<double> contacts;
  std::vector<double> gap, rate, slip;
};

// Nᵀx: displacements, or velocities, that the model observes.
void observe(const Layout& layout, const double* x, double* observed);

// Which of the rows from `first` up to `last`, placed at the state, are as near to 0 as their formulas resolve. Those
// without a coordinate in common are tried together.
std::vector<char> round_off_rows(const Model& model, const State& state, const ContactKinematics<double>& rows,
                                 int first, int last);

// What a start does to the constraints: those inside whose obstacle it is, those that touch within round-off, and those
// of them that it moves into.
struct StartContacts {
  std::vector<int> violated = {}, closed = {}, closing = {};
};
StartContacts contacts_at_start(const Model& model, const State& state, const GapRates& rates);

// Velocities that are not given are 0. Throws InputError unless the state has all values, and finite ones.
void complete_start(const Model& model, State& state, double from);

// Completes `state` and measures its gaps. Throws InputError unless it can be run
// from: finite, the mass positive definite, restitutions in [0, 1], no gap negative. Returns Σ H²/M over the diagonal
// of the mass, by constraint.
std::vector<double> check_start(const Model& model, State& state, double from, GapRates& rates);

// The impact of a start that moves into an obstacle it touches, applied to state.v.
std::optional<ImpactOutcome> hit_at_start(const Model& model, State& state, const GapRates& rates);

// Pairs among these gaps that have opposite gradients: what is between them keeps
//
//     g_a/‖∇g_a‖ + g_b/‖∇g_b‖,
//
// wherever it is if the gradients are constant.
std::vector<std::pair<int, int>> opposite_gaps(const Pattern& gradient, const double* H, const std::vector<int>& among);

// What the user may want to know of a start.
std::vector<std::string> start_notes(const Model& model, const State& state, const GapRates& rates);

}  // namespace ricochet
