#include "run/invariants.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <limits>
#include <utility>

#include "core/zeros.hpp"
#include "ricochet/core/quantity.hpp"

namespace ricochet {
namespace {

constexpr double pi = 3.14159265358979323846;

// The least of what f is between 0 and 1, where it falls and then rises: golden sections.
template <class Function>
double least_between(const Function& f) {
  constexpr double section = 0.6180339887498949;
  double from = 0.0, to = 1.0, a = 1.0 - section, b = section, f_a = f(a), f_b = f(b);
  while (to - from > 1e-12) {
    if (f_a < f_b)
      to = b, b = a, f_b = f_a, a = to - section * (to - from), f_a = f(a);
    else
      from = a, a = b, f_a = f_b, b = from + section * (to - from), f_b = f(b);
  }
  return std::min(f_a, f_b);
}

// Whether the n-th is looked at: 4, 8, 16, …
bool is_sample(std::uint64_t n) { return n >= 4 && (n & (n - 1)) == 0; }

std::string since(double t) { return std::isnan(t) ? "" : ", first seen at t = " + to_text(t); }

}  // namespace

Invariants::Invariants(const Model& model, const Scheme& scheme, double h, bool records_every_step)
    : model_(model),
      layout_(model.layout()),
      h_(h),
      records_every_step_(records_every_step),
      is_rigid_(!traits(scheme).compliant),
      has_fixed_steps_(is_rigid_ && !traits(scheme).chooses_steps && !traits(scheme).locates_impacts),
      chooses_steps_(traits(scheme).chooses_steps),
      has_position_law_(traits(scheme).position_law),
      fastest_(zeros(model.nc())),
      widest_(fastest_),
      speeds_(zeros(model.nq())),
      pushes_(fastest_.size()),
      first_gain_(std::numeric_limits<double>::quiet_NaN()),
      first_numerical_(first_gain_) {}

void Invariants::see_gaps(const State& state, const GapRates& rates, const std::vector<double>& impulse, bool pushed) {
  constexpr double margin = 8.0;
  see_way(state, pushed);
  if (!pushed && !pushed_before_ && is_sample(++flights_)) see_motion(state);
  pushed_before_ = pushed;
  for (int j = 0; j < model_.nc() && pushed && is_rigid_; ++j)
    if (impulse[j] > 0.0 && is_sample(++pushes_[j])) see_push(j, state, rates);
  for (int j = 0; j < model_.nc() && !pushed && !told_turn_ && !last_gap_.empty(); ++j) see_turn(j, state, rates);
  last_ = state, last_gap_ = rates.gap, last_rate_ = rates.rate;
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

// In flight coordinates go no further than velocities and accelerations take them, within a factor: what jumps in time
// was put there.
void Invariants::see_way(const State& state, bool pushed) {
  constexpr double margin = 8.0;
  const double span = last_.q.empty() ? 0.0 : state.t - last_.t;
  for (int i = 0; i < model_.nq(); ++i) {
    speeds_[i] = std::max(speeds_[i], std::abs(state.v[i]));
    const double way = span > 0.0 ? std::abs(state.q[i] - last_.q[i]) : 0.0;
    const double round_off = way > 0.0 ? 1e-9 * (std::abs(last_.q[i]) + std::abs(state.q[i])) : 0.0;
    if (pushed || told_way_ || !(way > margin * span * speeds_[i] + round_off)) continue;
    double fastest = speeds_[i];
    for (const State* at : std::initializer_list<const State*>{&last_, &state}) {
      std::vector<double> F = zeros(model_.nq());
      model_.force(at->t, at->q.data(), at->v.data(), at->z.data(), F.data());
      fastest = std::max(fastest, span * std::abs(F[i] / diagonal_mass(at->t, at->q.data())[i]));
    }
    if (!(way > margin * span * fastest + round_off)) continue;
    told_way_ = true;
    notes.push_back(fmt::format(
        "{} goes by {:.4g} from t = {:.6g} to {:.6g}, and velocities and forces take it no further than {:.2g}: a "
        "joint that jumps in time does that, or a formula that numbers do not resolve",
        layout_.coordinates[i], way, last_.t, state.t, span * fastest));
  }
}

// A gap that closed and now opens, though nothing pushed: along the way it came to 0 and was positive on both sides.
void Invariants::see_turn(int j, const State& state, const GapRates& rates) {
  const double span = state.t - last_.t, fastest = std::max(-last_rate_[j], rates.rate[j]);
  const double nearest = std::min(last_gap_[j], rates.gap[j]);
  if (!(last_rate_[j] < 0.0 && rates.rate[j] > 0.0 && nearest > 0.0 && nearest < 2.0 * fastest * span)) return;
  std::vector<double> q = state.q, gap = rates.gap;
  const double least = least_between([&](double s) {
    for (std::size_t i = 0; i < q.size(); ++i) q[i] = last_.q[i] + s * (state.q[i] - last_.q[i]);
    model_.gap(last_.t + s * span, q.data(), gap.data());
    return gap[j];
  });
  if (!(std::abs(least) <= 1e-6 * nearest)) return;
  told_turn_ = true;
  notes.push_back(fmt::format(
      "the gap of {} comes to 0 between t = {:.6g} and {:.6g} and is positive on both sides: nothing is hit "
      "there. Write it so that it is negative behind its surface, as x is and abs(x) is not",
      layout_.constraints[j], last_.t, state.t));
}

std::vector<double> Invariants::diagonal_mass(double t, const double* q) const {
  std::vector<double> M(layout_.mass.size());
  model_.mass(t, q, M.data());
  return diagonal_of(layout_.mass, M.data());
}

// What round-off of the coordinates and velocities makes of the forces F at a state.
std::vector<double> Invariants::force_noise(const State& state, const std::vector<double>& F) const {
  constexpr double round_off = 4.0 * std::numeric_limits<double>::epsilon();
  State beside = state;
  std::vector<double> noise = F;
  for (int i = 0; i < model_.nq(); ++i) {
    const double factor = 1.0 + (i % 2 == 0 ? round_off : -round_off);
    beside.q[i] *= factor, beside.v[i] *= factor;
  }
  model_.force(state.t, beside.q.data(), beside.v.data(), state.z.data(), noise.data());
  for (int i = 0; i < model_.nq(); ++i) noise[i] = std::abs(noise[i] - F[i]);
  return noise;
}

// A gap g that pushes is about to close: along its gradient n = M⁻¹H/(HᵀM⁻¹H) it is −½g at q − 1.5 g n, but for what it
// bends, or further on, where numbers tell that from q. x³ is g/8 there: its rate foretells a surface that is not
// there, and the body rests before it.
void Invariants::see_push(int j, const State& state, const GapRates& rates) {
  const double g = rates.gap[j];
  if (told_push_ || !(g > 0.0)) return;
  const Pattern& pattern = layout_.gradient;
  const double* H = rates.contacts.gradients();
  const std::vector<double> M = diagonal_mass(state.t, state.q.data());
  double response = 0.0;
  for (int k = pattern.start[j]; k < pattern.start[j + 1]; ++k) response += H[k] * H[k] / M[pattern.row[k]];
  std::vector<double> q = state.q, gap = rates.gap;
  for (int k = pattern.start[j]; k < pattern.start[j + 1]; ++k) {
    double& x = q[pattern.row[k]];
    const double way = std::abs(1.5 * g * (H[k] / M[pattern.row[k]]) / response);
    x -= std::copysign(std::max(way, 4.0 * std::numeric_limits<double>::epsilon() * std::abs(x)), H[k]);
  }
  model_.gap(state.t, q.data(), gap.data());
  if (!(response > 0.0) || !(gap[j] > 0.0)) return;
  told_push_ = true;
  notes.push_back(fmt::format(
      "{} pushes at t = {:.6g} where its gap is {:.4g}, and its surface is not where its gradient says: half as far "
      "again the gap is {:.4g} still. Write it as a length, as x is and x^3 is not, or take a far smaller step",
      layout_.constraints[j], state.t, g, gap[j]));
}

// Without contacts M Δv = ∫F dt, which lies between the least and the most that h F is at both ends and in between:
// rules with fixed steps take means of them.
void Invariants::see_motion(const State& state) {
  if (told_motion_ || !has_fixed_steps_ || !records_every_step_ || model_.nb() + model_.ns() > 0) return;
  const double span = state.t - last_.t;
  State middle = state;
  for (int i = 0; i < model_.nq(); ++i) {
    middle.q[i] = 0.5 * (last_.q[i] + state.q[i]);
    middle.v[i] = 0.5 * (last_.v[i] + state.v[i]);
  }
  for (int i = 0; i < model_.nz(); ++i) middle.z[i] = 0.5 * (last_.z[i] + state.z[i]);
  middle.t = last_.t + 0.5 * span;
  std::vector<double> M(layout_.mass.size()), p = zeros(model_.nq()), terms = p, F = p, least = p, most = p;
  model_.mass(middle.t, middle.q.data(), M.data());
  for (int j = 0; j < model_.nq(); ++j)
    for (int k = layout_.mass.start[j]; k < layout_.mass.start[j + 1]; ++k) {
      p[layout_.mass.row[k]] += M[k] * (state.v[j] - last_.v[j]);
      terms[layout_.mass.row[k]] += std::abs(M[k] * state.v[j]);
    }
  for (const State* at : std::initializer_list<const State*>{&last_, &middle, &state}) {
    model_.force(at->t, at->q.data(), at->v.data(), at->z.data(), F.data());
    for (int i = 0; i < model_.nq(); ++i) {
      least[i] = at == &last_ ? F[i] : std::min(least[i], F[i]);
      most[i] = at == &last_ ? F[i] : std::max(most[i], F[i]);
    }
  }
  const std::vector<double> own = diagonal_of(layout_.mass, M.data()), noise = force_noise(state, F);
  int worst = 0;
  double beyond = 0.0, size = 0.0, largest = 0.0;
  for (int i = 0; i < model_.nq(); ++i) {
    const double known = span * noise[i] + 64.0 * std::numeric_limits<double>::epsilon() * terms[i];
    const double excess = std::max({least[i] * span - p[i] - known, p[i] - most[i] * span - known, 0.0});
    const double force = span * std::max(std::abs(least[i]), std::abs(most[i]));
    beyond += excess * excess / own[i], size += force * force / own[i];
    if (excess * excess / own[i] > largest) largest = excess * excess / own[i], worst = i;
  }
  if (!(beyond > 0.25 * size)) return;
  told_motion_ = true;
  notes.push_back(fmt::format(
      "from t = {:.6g} to {:.6g} {} does not move as the forces on it say: they make {:.3g} to {:.3g} of its momentum, "
      "and it changes by {:.3g}. Forces that change faster than numbers or steps resolve do that",
      last_.t, state.t, layout_.coordinates[worst], least[worst] * span, most[worst] * span, p[worst]));
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

// From rest, with a = F/M by coordinate, a step makes Δv = h a and Δq = ½h²a. Where F then has grown by more than twice
// itself, a step of h takes growth for decay: (1 + z/2)/(1 − z/2) is negative from z = hλ = 2 on.
void Invariants::see_force(const State& state) {
  const double most_growth = chooses_steps_ ? 1e15 : 2.0;  // beyond every digit no step is small enough
  if (told_growth_) return;
  const std::vector<double> M = diagonal_mass(state.t, state.q.data());
  std::vector<double> F = zeros(model_.nq()), a = F, later = F;
  model_.force(state.t, state.q.data(), state.v.data(), state.z.data(), F.data());
  State moved = state;
  for (int i = 0; i < model_.nq(); ++i) {
    a[i] = F[i] / M[i];
    moved.q[i] += 0.5 * h_ * h_ * a[i];
    moved.v[i] += h_ * a[i];
  }
  model_.force(state.t, moved.q.data(), moved.v.data(), state.z.data(), later.data());
  int most = 0;
  double growth = 0.0, size = 0.0;
  for (int i = 0; i < model_.nq(); ++i) {
    const double part = (later[i] - F[i]) * a[i];
    growth += part, size += F[i] * a[i];
    if (part > (later[most] - F[most]) * a[most]) most = i;
  }
  if (has_fixed_steps_) see_swings(state, F, a);
  if (!(growth > most_growth * size)) return;
  told_growth_ = true;
  notes.push_back(fmt::format(
      "the step is far too coarse for the force on {} at t = {:.6g}: what it does within a step of {:.4g} makes it "
      "{:.2g} times as large. Is its sign right, are its units?",
      layout_.coordinates[most], state.t, h_, later[most] / F[most]));
}

// The force swings with ω² = −ΔF·a/(½h² F·a), ΔF being what ½h²a makes of it, and holds ½ F·a/ω² of energy; where a
// step takes more than half of its turn, nothing is seen of that.
void Invariants::see_swings(const State& state, const std::vector<double>& F, const std::vector<double>& a) {
  const std::vector<double> noise = force_noise(state, F);
  std::vector<double> q = state.q, later = F;
  for (int i = 0; i < model_.nq(); ++i) q[i] += 0.5 * h_ * h_ * a[i];
  model_.force(state.t, q.data(), state.v.data(), state.z.data(), later.data());
  double turn = 0.0, size = 0.0;
  for (int i = 0; i < model_.nq(); ++i)
    if (std::abs(F[i]) > 8.0 * noise[i]) turn -= (later[i] - F[i]) * a[i], size += F[i] * a[i];
  const double omega = std::sqrt(2.0 * (turn / size)) / h_, energy = 0.5 * size / omega / omega;
  if (omega * h_ > pi && energy > swings_.energy) swings_ = {energy, 2.0 * pi / omega, state.t};
}

void Invariants::note_swings(double turnover) {
  if (!(swings_.energy > 0.1 * turnover)) return;
  notes.push_back(fmt::format(
      "the step is far too coarse for the forces: at t = {:.6g} what swings with a period of about {:.3g} holds {:.4g} "
      "of energy, and {:.4g} are turned over in all; steps of {:.3g} see nothing of that",
      swings_.t, swings_.period, swings_.energy, turnover, h_));
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
  see_force(state);
  note_swings(energy.turnover);
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
