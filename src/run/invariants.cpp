#include "run/invariants.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "core/zeros.hpp"
#include "ricochet/core/quantity.hpp"
#include "run/resolution.hpp"

namespace ricochet {
namespace {

std::string since(double t) { return std::isnan(t) ? "" : ", first seen at t = " + to_text(t); }

}  // namespace

Invariants::Invariants(const Model& model, const Scheme& scheme, double h, bool records_every_step, bool resolved,
                       bool takes_notes)
    : run_(model, scheme, h, records_every_step),
      takes_notes_(takes_notes),
      forces_(run_, resolved),
      first_gain_(std::numeric_limits<double>::quiet_NaN()),
      first_numerical_(first_gain_) {
  // Schemes that locate events follow slides to their ends.
  if (takes_notes && run_.is_rigid && !traits(scheme).locates_impacts && model.nf() > 0) slides_.emplace(model, h);
}

void Invariants::see(const State& state, const GapRates& rates, const std::vector<double>& impulse, bool pushed,
                     Observer* observer) {
  if (is_sample(++records_)) forces_.see_noise(state, observer);
  poles_.see(state, pushed, observer);
  if (!takes_notes_) return;
  if (run_.model.nb() > 0 && !told_jump_ && !poles_.has_told() && !gaps_.last().q.empty()) see_joints(state);
  if (!pushed && is_sample(++flights_)) forces_.see_swing(state);
  if (run_.model.ns() > 0 && (run_.chooses_steps || is_sample(++pressed_[pushed ? 1 : 0])))
    see_returning_slip(state, impulse);
  if (slides_) see_slides(state, rates, impulse);
  gaps_.see(state, rates, impulse, pushed);
  if (records_ == 2) step_energy_ = gaps_.energy_in_step(state, rates);
}

void Invariants::see_force(const State& state) {
  if (takes_notes_) forces_.see_growth(state);
}

void Invariants::see_own_steps(double t, std::uint64_t made) {
  if (made > own_steps_.made) run_.own_step = (t - own_steps_.t) / static_cast<double>(made - own_steps_.made);
  own_steps_.t = t, own_steps_.made = made;
}

// Friction turns with it, by chance. A contact that does not push has none.
void Invariants::see_returning_slip(const State& state, const std::vector<double>& impulse) {
  const bool is_constant = run_.layout.structure.linear_slips && run_.layout.structure.fixed_slips;
  if (run_.follows_gaps || told_slip_ || run_.step() == 0.0 || is_constant) return;
  const std::optional<int> k = slip_returns_in_step(run_.model, state, run_.step(), impulse);
  if (!k) return;
  told_slip_ = true;
  run_.notes.push_back(fmt::format(
      "the step is far too coarse for {}: at t = {:.6g} its slip changes sign and back within a step of {:.4g}",
      run_.layout.frictions[*k].name, state.t, run_.step()));
}

void Invariants::see_slides(const State& state, const GapRates& rates, const std::vector<double>& impulse) {
  std::string text = slides_->see(state, rates, impulse);
  if (text.empty()) return;
  run_.notes.push_back(std::move(text));
  slides_.reset();
}

// Coordinates go no further than their velocities take them, within a factor; where one does, it may have been put
// there.
void Invariants::see_joints(const State& state) {
  constexpr double margin = 8.0;
  const State& last = gaps_.last();
  const double span = state.t - last.t;
  bool further = false;
  for (int i = 0; i < run_.model.nq() && !further; ++i)
    further = std::abs(state.q[i] - last.q[i]) >
              margin * span * std::max(std::abs(last.v[i]), std::abs(state.v[i])) + 1e-9 * std::abs(state.q[i]);
  if (!further || !(span > 0.0)) return;
  const std::optional<JointJump> jump = joint_that_jumps(run_.model, last, state.t);
  if (!jump) return;
  told_jump_ = true;
  run_.notes.push_back(fmt::format(
      "the joint {} jumps by {:.4g} at t = {:.6g}: what it holds was put there without a velocity, and its energy is "
      "not accounted for. Let it move there in some steps",
      jump->name, jump->by, jump->t));
}

void Invariants::see_impact(const Impact& impact) {
  if (!takes_notes_) return;
  gaps_.see_impact(impact);
  // Newton's law with friction may gain.
  const double size = std::abs(impact.rate_minus * impact.impulse) + std::abs(impact.slip.loss());
  if (impact.slip.status == SlipStatus::none || !(impact.energy_loss < -1e-9 * size) || std::exchange(told_gain_, true))
    return;
  run_.notes.push_back(
      fmt::format("the impact at t = {:.6g} of {} gained energy: Newton's restitution with friction is not "
                  "dissipative here; use tangential_restitution = restitution, or restitution = 0",
                  impact.t, run_.layout.constraints[impact.constraint]));
}

void Invariants::see_energy(double t, const LedgerTerms<double>& terms, double turnover) {
  if (std::isnan(first_gain_) && terms.impact > 1e-9 * turnover) first_gain_ = t;
  if (std::isnan(first_numerical_) && std::abs(terms.numerical) > 0.01 * turnover) first_numerical_ = t;
  if (std::abs(terms.numerical) > most_numerical_.energy) most_numerical_ = {std::abs(terms.numerical), t};
}

// ½ (U⁺ + U⁻)ᵀP ≤ 0 is sure where P solves for velocities, one e holds for all and nothing rubs.
std::string Invariants::why_gain(const State& state) const {
  if (run_.has_position_law) return "laws in positions can do that where contacts are struck together";
  if (!run_.layout.structure.constant_restitution) return "Newton's law with a restitution that varies can do that";
  std::vector<double> e = zeros(run_.model.nc());
  run_.model.restitution(state.t, state.q.data(), e.data());
  const auto [least, most] = std::minmax_element(e.begin(), e.end());
  if (*least < *most)
    return fmt::format(
        "Newton's law can do that where contacts of different restitution, here from {:.4g} to {:.4g}, are struck "
        "together",
        *least, *most);
  if (run_.layout.nf() > 0) return "Newton's law with friction can do that";
  return fmt::format(
      "with one restitution for all, here {:.4g}, no impact does that: do not trust this run. The step is too coarse "
      "for gaps that are curved, or a gradient does not belong to its gap",
      *least);
}

void Invariants::conclude(const State& state, const EnergyLedger& energy, double kinetic, bool chose_steps) {
  see_force(state);
  forces_.note_swing(kinetic);
  const double round_off = 1e-12 * (std::abs(energy.initial) + std::abs(energy.final) + step_energy_);
  if (energy.impact > 1e-9 * energy.turnover + round_off)
    run_.notes.push_back("impacts added " + to_text(energy.impact) + " of energy to the " + to_text(energy.turnover) +
                         " turned over" + since(first_gain_) + ": " + why_gain(state));
  if (std::abs(energy.numerical) > 0.01 * energy.turnover + round_off)
    run_.notes.push_back("the scheme itself " + std::string(energy.numerical < 0.0 ? "took " : "added ") +
                         to_text(std::abs(energy.numerical)) + " of energy, over 1 % of the " +
                         to_text(energy.turnover) + " turned over" + since(first_numerical_) + ": " +
                         (chose_steps ? "smaller tolerances are" : "a smaller step is") + " advisable");
  else if (most_numerical_.energy > 0.5 * energy.turnover + round_off)
    run_.notes.push_back(fmt::format(
        "the scheme itself had made {:.4g} of energy by t = {:.6g}, though all that was turned over is {:.4g}: a far "
        "smaller step is needed",
        most_numerical_.energy, most_numerical_.t, energy.turnover));
}

}  // namespace ricochet
