// Whether steps and numbers resolve what the formulas of a model do near a state.
#pragma once

#include <optional>
#include <string>

#include "ricochet/core/state.hpp"
#include "ricochet/model/model.hpp"
#include "ricochet/model/poles.hpp"
#include "run/start.hpp"

namespace ricochet {

// The coordinate whose force turns back and forth on a short way from a state, by over a percent of its size, as sums
// of noise do; nothing if none does. The way: what a step of h makes, or the last digits of time, place and velocity.
std::optional<int> wild_force_in_step(const Model& model, const State& state, double h);
std::optional<int> wild_force_in_digits(const Model& model, const State& state);
// The constraint whose gap does so in a step.
std::optional<int> wild_gap_in_step(const Model& model, const State& state, double h);
// The friction whose slip changes its sign and back there; at contacts where the contact has pushed.
std::optional<int> slip_returns_in_step(const Model& model, const State& state, double h,
                                        const std::vector<double>& impulse);

// Along a = F/M, by coordinate, the force makes the body swing with ω² = aᵀKa/aᵀMa − (½ aᵀCa/aᵀMa)² if that is
// positive, and holds ½ (Fᵀa)²/aᵀKa of energy. Nothing where F is round-off, or what swings is narrow beside q. Slopes
// of the force are differences along a, on ways that are short beside the motion and beside what a step of h makes.
struct Swing {
  double omega = 0.0, energy = 0.0;
};
std::optional<Swing> swing_of_force(const Model& model, const State& state, double h);

// A gap g that pushes is about to close: along its gradient, n = M⁻¹H/(HᵀM⁻¹H), it is −½g at q − 1.5 g n but for what
// it bends, or further on, where numbers tell that from q. What it is there.
double gap_behind(const GapRates& rates, int j, const State& state);

// Which gap has no finite value or rate within h of a state, though only time goes on: in words; empty if all have.
std::string gap_lost_in_time(const Model& model, const State& state, double h);
// Which force, or rate of a state, is no finite number on a straight step from a state; empty if all are.
std::string force_lost_in_step(const Model& model, const State& state, double h);

// What becomes infinite where function k of known poles changes sign on the straight way between two states: the
// acceleration a = F/M, by coordinate; behind them the rates of states, gaps, joints and slips, row by row. Of order 1
// or more, as lower ones have finite integrals: for a = c/pⁿ, |a p| does not shrink with p. That of sin(x)/x, x/|x|,
// 1/√|x| does. Gaps that are infinite and positive are no obstacles.
struct Pole {
  int row = 0;
  double t = 0.0;
};
std::optional<Pole> pole_between(const Model& model, const KnownPoles& poles, int k, const State& from,
                                 const State& to);

// A joint whose equation jumps between two times, though coordinates are held.
struct JointJump {
  std::string name;
  double t = 0.0, by = 0.0;
};
std::optional<JointJump> joint_that_jumps(const Model& model, const State& from, double until);

}  // namespace ricochet
