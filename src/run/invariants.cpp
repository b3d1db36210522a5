#include "run/invariants.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "core/zeros.hpp"
#include "ricochet/core/quantity.hpp"

namespace ricochet {
namespace {

std::string since(double t) { return std::isnan(t) ? "" : ", first seen at t = " + to_text(t); }

}  // namespace

Invariants::Invariants(const Model& model, const Scheme& scheme, double h, bool records_every_step)
    : model_(model),
      layout_(model.layout()),
      h_(h),
      records_every_step_(records_every_step),
      is_rigid_(!traits(scheme).compliant),
      has_fixed_steps_(is_rigid_ && !traits(scheme).chooses_steps && !traits(scheme).locates_impacts),
      has_position_law_(traits(scheme).position_law),
      fastest_(zeros(model.nc())),
      widest_(fastest_),
      first_gain_(std::numeric_limits<double>::quiet_NaN()),
      first_numerical_(first_gain_) {}

void Invariants::see_gaps(const State& state, const GapRates& rates) {
  constexpr double margin = 8.0;
  for (int j = 0; j < model_.nc(); ++j) {
    double depth = -rates.gap[j];
    if (depth > 0.0 && depth <= 1e-12 * rates.contacts.gap_size(j, state.t, state.q.data())) depth = 0.0;  // round-off
    // Along a curved obstacle the terms of the rate cancel.
    const double cancelled = rates.contacts.rate_size(j, state.v.data()) - std::abs(rates.rate[j]);
    fastest_[j] = std::max({fastest_[j], -rates.rate[j], cancelled});
    if (is_rigid_ && depth > margin * h_ * fastest_[j] + 1e-9 * widest_[j])
      note_violation(j, state.t, depth);
    else if (records_every_step_ && depth > widest_[j])  // the step saw nothing of it
      note_coarse(j, state.t, "is passed by", depth);
    widest_[j] = std::max(widest_[j], -depth);
  }
}

void Invariants::see_impact(const Impact& impact) {
  const int j = impact.constraint;
  const double closed = h_ * -impact.rate_minus;
  fastest_[j] = std::max(fastest_[j], -impact.rate_minus);
  // Met by chance.
  if (closed > widest_[j]) note_coarse(j, impact.t, "closes by", closed);
  // Newton's law with friction may gain.
  const double size = std::abs(impact.rate_minus * impact.impulse) + std::abs(impact.slip.loss());
  if (impact.slip.status == SlipStatus::none || !(impact.energy_loss < -1e-9 * size) || std::exchange(told_gain_, true))
    return;
  notes.push_back(
      fmt::format("the impact at t = {:.6g} of {} gained energy: Newton's restitution with friction is not "
                  "dissipative here; use tangential_restitution = restitution, or restitution = 0",
                  impact.t, layout_.constraints[j]));
}

void Invariants::note_coarse(int j, double t, const char* does, double by) {
  if (!has_fixed_steps_ || !(widest_[j] > 0.0) || std::exchange(told_coarse_, true)) return;
  notes.push_back(
      fmt::format("the step is far too coarse for {}: at t = {:.6g} its gap {} {:.4g} in a step, and was never wider "
                  "than {:.4g}",
                  layout_.constraints[j], t, does, by, widest_[j]));
}

void Invariants::note_violation(int j, double t, double depth) {
  if (std::exchange(told_violation_, true)) return;
  notes.push_back(fmt::format(
      "{} is violated by {:.4g} at t = {:.6g}, which the step does not explain: its rates make {:.2g} in a step. A "
      "gap that jumps does that, or contacts that contradict each other",
      layout_.constraints[j], depth, t, h_ * fastest_[j]));
}

void Invariants::see_energy(double t, const LedgerTerms<double>& terms, double turnover) {
  if (std::isnan(first_gain_) && terms.impact > 1e-9 * turnover) first_gain_ = t;
  if (std::isnan(first_numerical_) && std::abs(terms.numerical) > 0.01 * turnover) first_numerical_ = t;
}

// ½ (U⁺ + U⁻)ᵀP ≤ 0 is sure where P solves for velocities, one e holds for all and nothing rubs.
std::string Invariants::why_gain(const State& state) const {
  if (has_position_law_) return "laws in positions can do that where contacts are struck together";
  if (!layout_.structure.constant_restitution) return "Newton's law with a restitution that varies can do that";
  std::vector<double> e = zeros(model_.nc());
  model_.restitution(state.t, state.q.data(), e.data());
  const auto [least, most] = std::minmax_element(e.begin(), e.end());
  if (*least < *most)
    return fmt::format(
        "Newton's law can do that where contacts of different restitution, here from {:.4g} to {:.4g}, are struck "
        "together",
        *least, *most);
  if (layout_.nf() > 0) return "Newton's law with friction can do that";
  return fmt::format(
      "with one restitution for all, here {:.4g}, no impact does that: do not trust this run. The step is too coarse "
      "for "
      "gaps that are curved, or a gradient does not belong to its gap",
      *least);
}

void Invariants::conclude(const State& state, const EnergyLedger& energy, bool chose_steps) {
  const double round_off = 1e-12 * (std::abs(energy.initial) + std::abs(energy.final));
  if (energy.impact > 1e-9 * energy.turnover + round_off)
    notes.push_back("impacts added " + to_text(energy.impact) + " of energy to the " + to_text(energy.turnover) +
                    " turned over" + since(first_gain_) + ": " + why_gain(state));
  if (std::abs(energy.numerical) > 0.01 * energy.turnover + round_off)
    notes.push_back("the scheme itself " + std::string(energy.numerical < 0.0 ? "took " : "added ") +
                    to_text(std::abs(energy.numerical)) + " of energy, over 1 % of the " + to_text(energy.turnover) +
                    " turned over" + since(first_numerical_) + ": " +
                    (chose_steps ? "smaller tolerances are" : "a smaller step is") + " advisable");
}

}  // namespace ricochet
