#include "run/invariants.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <string_view>
#include <utility>

#include "core/zeros.hpp"
#include "ricochet/core/quantity.hpp"

namespace ricochet {
namespace {

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

// By how much a straight step makes the gap smaller: those along a curved surface leave it, though its rate is 0. What
// time does to it counts at its rate, so that a gap that jumps does not explain itself.
double fall_of_gap(const GapRates& rates, int j, const State& state, double h) {
  std::vector<double> q = state.q, after = rates.gap;
  for (std::size_t i = 0; i < q.size(); ++i) q[i] += h * state.v[i];
  rates.model.gap(state.t, q.data(), after.data());
  return rates.gap[j] - after[j] - h * rates.contacts.obstacle_rate(j);
}

// M, diagonal, and F at a state.
struct MassAndForce {
  MassAndForce(const Model& model, const State& state) : M(model.layout().mass.size()), F(zeros(model.nq())) {
    model.mass(state.t, state.q.data(), M.data());
    M = diagonal_of(model.layout().mass, M.data());
    model.force(state.t, state.q.data(), state.v.data(), state.z.data(), F.data());
  }
  std::vector<double> M, F;
};

// Whether the n-th is looked at: 1, 2, 4, 8 …
bool is_sample(std::uint64_t n) { return (n & (n - 1)) == 0; }

// A parameter of the scheme; `missing` if it has none of that name.
double number_of(const Scheme& scheme, std::string_view name, double missing) {
  for (const auto& [given, value] : scheme.values)
    if (given == name) return std::get<double>(value);
  for (const ParameterSpec& parameter : find_scheme(scheme.name).parameters)
    if (parameter.name == name) return std::get<double>(parameter.fallback);
  return missing;
}

// What becomes infinite, by the row of a pole.
std::string name_of_pole(const Layout& layout, int row) {
  const int nq = layout.nq(), nz = layout.nz(), nc = layout.nc();
  if (row < nq) return "acceleration of " + layout.coordinates[row];
  if ((row -= nq) < nz) return "rate of " + layout.states[row];
  if ((row -= nz) < nc) return "gap of " + layout.constraints[row];
  row -= nc;
  for (const Joint& joint : layout.joints)
    if ((row -= joint.rows) < 0) return "place that the joint " + joint.name + " holds";
  for (const Friction& friction : layout.frictions)
    if ((row -= friction.rows) < 0) return "slip of " + friction.name;
  return "rate of a row";
}

std::string since(double t) { return std::isnan(t) ? "" : ", first seen at t = " + to_text(t); }

}  // namespace

Invariants::Invariants(const Model& model, const Scheme& scheme, double h, bool records_every_step, bool resolved,
                       bool takes_notes)
    : model_(model),
      layout_(model.layout()),
      h_(h),
      records_every_step_(records_every_step),
      takes_notes_(takes_notes),
      is_rigid_(!traits(scheme).compliant),
      has_fixed_steps_(is_rigid_ && !traits(scheme).chooses_steps && !traits(scheme).locates_impacts),
      chooses_steps_(traits(scheme).chooses_steps),
      has_position_law_(traits(scheme).position_law),
      locates_(traits(scheme).locates_impacts && number_of(scheme, "bracket", 0.0) == 0.0),
      gap_tolerance_(2.0 * number_of(scheme, "gap_tolerance", 0.0)),
      gap_error_(100.0 * number_of(scheme, "rtol", 1e-8)),
      fastest_(zeros(model.nc())),
      recent_(fastest_),
      before_(fastest_),
      widest_(fastest_),
      depth_(fastest_),
      unpushed_(fastest_),
      pushes_(fastest_.size()),
      functions_(zeros(poles_ != nullptr ? poles_->pole_count() : 0)),
      last_functions_(functions_),
      told_noise_(resolved),
      first_gain_(std::numeric_limits<double>::quiet_NaN()),
      first_numerical_(first_gain_) {
  // Schemes that locate events follow slides to their ends.
  if (takes_notes && is_rigid_ && !traits(scheme).locates_impacts && model.nf() > 0) slides_.emplace(model, h);
}

void Invariants::see(const State& state, const GapRates& rates, const std::vector<double>& impulse, bool pushed,
                     Observer* observer) {
  if (is_sample(++records_)) see_noise(state, observer);
  see_poles(state, pushed, observer);
  if (!takes_notes_) return;
  if (is_sample(records_)) see_wild_gap(state);
  for (int j = 0; j < model_.nc() && pushed && is_rigid_; ++j)
    if (impulse[j] > 0.0 && is_sample(++pushes_[j])) see_push(j, state, rates);
  for (int j = 0; j < model_.nc() && !pushed && !told_turn_ && !last_gap_.empty(); ++j) see_turn(j, state, rates);
  if (model_.nb() > 0 && !told_jump_ && !told_pole_ && !last_.q.empty()) see_joints(state);
  if (!pushed && is_sample(++flights_)) see_swing(state);
  // Of some pushes that last nobody tells the rate that they took away.
  for (int j = 0; j < model_.nc(); ++j)
    if (impulse[j] > 0.0 && !(recent_[j] > 0.0)) recent_[j] = std::numeric_limits<double>::infinity();
  if (slides_) see_slides(state, rates, impulse);
  if (is_rigid_ && !locates_ && !told_passing_ && !last_gap_.empty()) see_passing(state, rates, impulse);
  last_ = state, last_gap_ = rates.gap, last_rate_ = rates.rate, last_impulse_ = impulse;
  if (records_ == 2) step_energy_ = energy_in_step(state, rates);
  see_gaps(state, rates);
}

void Invariants::see_gaps(const State& state, const GapRates& rates) {
  constexpr double margin = 8.0, round_off = 1e-12;
  see_exclusion(state, rates);
  const double span = std::max(h_, state.t - std::exchange(seen_, state.t));  // faster rates may have passed unseen
  for (int j = 0; j < model_.nc(); ++j) {
    const double size = rates.contacts.gap_size(j, state.t, state.q.data());
    double depth = -rates.gap[j];
    if (std::abs(depth) <= round_off * size) depth = 0.0;
    // Along a curved obstacle the terms of the rate cancel.
    const double cancelled = rates.contacts.rate_size(j, state.v.data()) - std::abs(rates.rate[j]);
    const double now = std::max({0.0, -rates.rate[j], cancelled});
    fastest_[j] = std::max(fastest_[j], now);
    recent_[j] = std::max({recent_[j], before_[j], now});
    // What it has sunk in by since it was seen last is due to the rates since then, or a gap that moves has jumped.
    const double sunk = depth - std::max(0.0, depth_[j]);
    const auto has_jumped = [&] {
      if (layout_.structure.fixed_gaps || !has_fixed_steps_ || !records_every_step_) return false;
      if (!(sunk > margin * span * recent_[j] + 1e-9 * widest_[j])) return false;
      std::vector<double> before = rates.gap;
      model_.gap(state.t - span, state.q.data(), before.data());
      return before[j] - rates.gap[j] > 0.5 * sunk;
    };
    const auto is_unexplained = [&] {
      if (locates_) return depth > gap_tolerance_ + gap_error_ * std::max(size, widest_[j]);
      return depth > margin * span * fastest_[j] + 1e-9 * widest_[j] || has_jumped();
    };
    if (is_rigid_ && !locates_ && !told_violation_ && is_unexplained()) {
      const double along_curve = fall_of_gap(rates, j, state, h_) / h_;
      recent_[j] = std::max(recent_[j], along_curve);
      fastest_[j] = std::max(fastest_[j], along_curve);
    }
    // Where nothing moves gaps are the round-off of what a step's forces and impulses do to them.
    const bool passed = records_every_step_ && depth > widest_[j];  // the step saw nothing of it
    if (is_rigid_ && depth > 0.0 && (passed || is_unexplained()) && depth <= round_off * move_in_step(j, state, rates))
      depth = 0.0;
    if (is_rigid_ && is_unexplained())
      note_violation(j, state.t, depth);
    else if (records_every_step_ && depth > widest_[j])
      note_coarse(j, state.t, "is passed by", depth);
    widest_[j] = std::max(widest_[j], -depth);
    depth_[j] = depth;
    before_[j] = now;
    recent_[j] = 0.0;
    if (!told_flat_ && !(rates.gap[j] > 0.0)) see_flat(j, state.t, rates);
  }
}

// Opposite walls that move leave room between them, or nothing is where both want it.
void Invariants::see_exclusion(const State& state, const GapRates& rates) {
  const Structure& structure = layout_.structure;
  if (!is_rigid_ || told_exclusion_ || structure.fixed_gaps || !structure.linear_gaps) return;
  if (!walls_) {
    std::vector<int> all(static_cast<std::size_t>(model_.nc()));
    std::iota(all.begin(), all.end(), 0);
    walls_ = opposite_gaps(layout_.gradient, rates.contacts.gradients(), all);
  }
  const auto in_lengths = [&](int j, double gap) {
    double sum = 0.0;
    rates.contacts.each_entry(j, [&](int, double H) { sum += H * H; });
    return gap / std::sqrt(sum);
  };
  for (const auto& [a, b] : *walls_) {
    const auto size = [&](int j) { return in_lengths(j, rates.contacts.gap_size(j, state.t, state.q.data())); };
    const double overlap = -in_lengths(a, rates.gap[a]) - in_lengths(b, rates.gap[b]);
    if (!(overlap > 1e-12 * (size(a) + size(b)))) continue;
    told_exclusion_ = told_violation_ = true;  // which is what comes of it
    return notes.push_back(
        fmt::format("{} and {} exclude each other at t = {:.6g}: they overlap by {:.4g}, and no position keeps to both",
                    layout_.constraints[a], layout_.constraints[b], state.t, overlap));
  }
}

// What forces in a step and the last impulses do to momenta, which may cancel; M, diagonal.
Invariants::Pushes Invariants::pushes_in_step(const State& state, const GapRates& rates) const {
  MassAndForce at(model_, state);
  std::vector<double>& push = at.F;
  for (double& entry : push) entry = h_ * std::abs(entry);
  for (std::size_t k = 0; k < last_impulse_.size(); ++k)
    rates.contacts.each_entry(static_cast<int>(k), [&](int i, double H) { push[i] += std::abs(H * last_impulse_[k]); });
  return {std::move(at.M), std::move(push)};
}

// What they do to the terms of a gap, and the energy that they turn over.
double Invariants::move_in_step(int j, const State& state, const GapRates& rates) const {
  auto [M, push] = pushes_in_step(state, rates);
  for (std::size_t i = 0; i < push.size(); ++i) push[i] /= M[i];
  return h_ * rates.contacts.size_along(j, push.data());
}
double Invariants::energy_in_step(const State& state, const GapRates& rates) const {
  const auto [M, push] = pushes_in_step(state, rates);
  double energy = 0.0;
  for (std::size_t i = 0; i < push.size(); ++i) energy += push[i] * push[i] / M[i];
  return std::isfinite(energy) ? energy : 0.0;
}

// A gap that was negative and opens again, though nothing pushed: an obstacle has gone through the body and back.
void Invariants::see_passing(const State& state, const GapRates& rates, const std::vector<double>& impulse) {
  constexpr double little = 1e-4;
  for (int j = 0; j < model_.nc(); ++j) {
    const bool closed_unseen = last_gap_[j] > 0.0 || unpushed_[j] > 0.0;
    if (impulse[j] > 0.0 || !closed_unseen) {
      unpushed_[j] = 0.0;
    } else if (rates.gap[j] < 0.0) {
      unpushed_[j] = std::max(unpushed_[j], -rates.gap[j]);
    } else if (std::exchange(unpushed_[j], 0.0) > little * widest_[j] && !std::exchange(told_passing_, true)) {
      notes.push_back(fmt::format(
          "the step is far too coarse for {}: up to t = {:.6g} its gap was negative and opened again while nothing "
          "pushed, as an obstacle that comes and goes within a step or two does",
          layout_.constraints[j], state.t));
    }
  }
}

void Invariants::see_slides(const State& state, const GapRates& rates, const std::vector<double>& impulse) {
  std::string text = slides_->see(state, rates, impulse);
  if (text.empty()) return;
  notes.push_back(std::move(text));
  slides_.reset();
}

// A gap that stays at 0 behind its surface, or negative, has no gradient there: nothing pushes.
void Invariants::see_flat(int j, double t, const GapRates& rates) {
  bool is_flat = true;
  rates.contacts.each_entry(j, [&](int, double H) { is_flat = is_flat && H == 0.0; });
  if (!is_flat) return;
  told_flat_ = true;
  notes.push_back(fmt::format(
      "the gap of {} is {:.4g} at t = {:.6g} and its gradient is 0: nothing is held there. Write it so that it goes on "
      "falling behind its surface, as x does and max(x, 0) does not",
      layout_.constraints[j], rates.gap[j], t));
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

// x³ is g/8 where it should be −½g: its rate foretells a surface that is not there, and the body is stopped before it.
void Invariants::see_push(int j, const State& state, const GapRates& rates) {
  const double g = rates.gap[j];
  if (told_push_ || !(g > 0.0)) return;
  const double behind = gap_behind(rates, j, state);
  if (!(behind > 0.0)) return;
  told_push_ = true;
  notes.push_back(fmt::format(
      "{} pushes at t = {:.6g} where its gap is {:.4g}, and its surface is not where its gradient says: half as far "
      "again the gap is {:.4g} still. Write it as a length, as x is and x^3 is not, or take a far smaller step",
      layout_.constraints[j], state.t, g, behind));
}

// Coordinates go no further than their velocities take them, within a factor; where one does, it may have been put
// there.
void Invariants::see_joints(const State& state) {
  constexpr double margin = 8.0;
  const double span = state.t - last_.t;
  bool further = false;
  for (int i = 0; i < model_.nq() && !further; ++i)
    further = std::abs(state.q[i] - last_.q[i]) >
              margin * span * std::max(std::abs(last_.v[i]), std::abs(state.v[i])) + 1e-9 * std::abs(state.q[i]);
  if (!further || !(span > 0.0)) return;
  const std::optional<JointJump> jump = joint_that_jumps(model_, last_, state.t);
  if (!jump) return;
  told_jump_ = true;
  notes.push_back(fmt::format(
      "the joint {} jumps by {:.4g} at t = {:.6g}: what it holds was put there without a velocity, and its energy is "
      "not accounted for. Let it move there in some steps",
      jump->name, jump->by, jump->t));
}

// What steps or numbers do not resolve is worked through by fixed steps alone: searches in it have no end.
void Invariants::see_noise(const State& state, Observer* observer) {
  if (told_noise_) return;
  std::string where;
  std::optional<int> coordinate = wild_force_in_digits(model_, state);
  if (coordinate)
    where =
        "when time, place and velocity change in the twelfth digit: numbers do not resolve it, and the motion is "
        "arbitrary. Are its units right?";
  else if (!chooses_steps_ && (coordinate = wild_force_in_step(model_, state, h_)))
    where = fmt::format("within a step of {:.4g}: the step is far too coarse for it", h_);
  if (!coordinate) return;
  told_noise_ = true;
  std::string text = fmt::format("the force on {} goes back and forth many times at t = {:.6g} {}",
                                 layout_.coordinates[*coordinate], state.t, where);
  end_or_note(std::move(text), observer);
}

// Impacts are met by chance, or by none.
void Invariants::see_wild_gap(const State& state) {
  if (chooses_steps_ || told_coarse_) return;
  const std::optional<int> j = wild_gap_in_step(model_, state, h_);
  if (!j) return;
  told_coarse_ = true;
  notes.push_back(fmt::format(
      "the step is far too coarse for {}: at t = {:.6g} its gap goes back and forth many times within a step of {:.4g}",
      layout_.constraints[*j], state.t, h_));
}

void Invariants::end_or_note(std::string text, Observer* observer) {
  if (!has_fixed_steps_) {
    why_end = std::move(text);
    return;
  }
  notes.push_back(std::move(text));
  if (observer != nullptr) observer->note(notes.back());
}

// A step that passes a pole has seen forces of both sides, and nothing of the infinite impulse between. Velocities that
// jump pass nothing.
void Invariants::see_poles(const State& state, bool pushed, Observer* observer) {
  if (functions_.empty() || told_pole_) return;
  if (passed_.q.empty()) passed_ = state;
  const auto find = [&](const std::vector<double>& v) {
    poles_->poles(state.t, state.q.data(), v.data(), state.z.data(), functions_.data());
  };
  find(pushed ? passed_.v : state.v);
  for (std::size_t k = 0; k < functions_.size() && !told_pole_; ++k) {
    if ((functions_[k] < 0.0) == (last_functions_[k] < 0.0)) continue;
    State to = {state.t, state.q, pushed ? passed_.v : state.v, state.z};
    std::optional<Pole> pole = pole_between(model_, *poles_, static_cast<int>(k), passed_, to);
    if (!pole && pushed) {  // what a wall throws away is no more near it
      for (std::size_t i = 0; i < to.q.size(); ++i) to.q[i] = passed_.q[i] + (to.t - passed_.t) * passed_.v[i];
      pole = pole_between(model_, *poles_, static_cast<int>(k), passed_, to);
    }
    if (pole) tell_pole(*pole, observer);
  }
  if (pushed) find(state.v);
  passed_ = state;
  std::swap(functions_, last_functions_);
}

void Invariants::tell_pole(const Pole& pole, Observer* observer) {
  told_pole_ = true;
  end_or_note(fmt::format("the {} becomes infinite at t = {:.6g}, and the motion went past that between its steps: "
                          "what comes then has no meaning",
                          name_of_pole(layout_, pole.row), pole.t),
              observer);
}

// Contacts, joints and friction may hold what the force would make swing.
void Invariants::see_swing(const State& state) {
  constexpr double half_a_turn = 3.14159265358979323846;
  if (chooses_steps_ || model_.nb() + model_.ns() > 0) return;
  const std::optional<Swing> swing = swing_of_force(model_, state, h_);
  if (swing && h_ * swing->omega > half_a_turn && swing->energy > swing_.energy)
    swing_ = {swing->energy, swing->omega, state.t};
}

void Invariants::note_swing(double kinetic) {
  if (!(swing_.energy > 0.01 * kinetic)) return;
  notes.push_back(fmt::format(
      "the step is far too coarse for the forces: at t = {:.6g} what swings with a period of about {:.3g} holds {:.4g} "
      "of energy, and all that moves has {:.4g} at most; steps of {:.3g} see nothing of that",
      swing_.t, 6.283185307179586 / swing_.omega, swing_.energy, kinetic, h_));
}

void Invariants::see_impact(const Impact& impact) {
  if (!takes_notes_) return;
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
  if (locates_) {
    notes.push_back(fmt::format(
        "{} is violated by {:.4g} at t = {:.6g}: its gap closed between the places at which it was looked for. One "
        "that jumps does that, or one that falls and rises in less than a step: a smaller step would see that",
        layout_.constraints[j], depth, t));
    return;
  }
  notes.push_back(fmt::format(
      "{} is violated by {:.4g} at t = {:.6g}, which the step does not explain: its rates make {:.2g} in a step. A "
      "gap that jumps does that, contacts that contradict each other, or, step by step, lasting contact on a curved "
      "surface under schemes that move positions before velocities, such as moreau",
      layout_.constraints[j], depth, t, h_ * fastest_[j]));
}

// From rest, with a = F/M by coordinate, a step makes Δv = h a and Δq = ½h²a. Where F then has grown by more than twice
// itself, a step of h takes growth for decay: (1 + z/2)/(1 − z/2) is negative from z = hλ = 2 on.
void Invariants::see_force(const State& state) {
  const double most_growth = chooses_steps_ ? 1e15 : 2.0;  // beyond every digit no step is small enough
  if (told_growth_ || !takes_notes_) return;
  const auto [M, F] = MassAndForce(model_, state);
  std::vector<double> a = F, later = F;
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
  if (!(growth > most_growth * size)) return;
  told_growth_ = true;
  notes.push_back(fmt::format(
      "the step is far too coarse for the force on {} at t = {:.6g}: what it does within a step of {:.4g} makes it "
      "{:.2g} times as large. Is its sign right, are its units?",
      layout_.coordinates[most], state.t, h_, later[most] / F[most]));
}

void Invariants::see_energy(double t, const LedgerTerms<double>& terms, double turnover) {
  if (std::isnan(first_gain_) && terms.impact > 1e-9 * turnover) first_gain_ = t;
  if (std::isnan(first_numerical_) && std::abs(terms.numerical) > 0.01 * turnover) first_numerical_ = t;
  if (std::abs(terms.numerical) > most_numerical_.energy) most_numerical_ = {std::abs(terms.numerical), t};
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

void Invariants::conclude(const State& state, const EnergyLedger& energy, double kinetic, bool chose_steps) {
  see_force(state);
  note_swing(kinetic);
  const double round_off = 1e-12 * (std::abs(energy.initial) + std::abs(energy.final) + step_energy_);
  if (energy.impact > 1e-9 * energy.turnover + round_off)
    notes.push_back("impacts added " + to_text(energy.impact) + " of energy to the " + to_text(energy.turnover) +
                    " turned over" + since(first_gain_) + ": " + why_gain(state));
  if (std::abs(energy.numerical) > 0.01 * energy.turnover + round_off)
    notes.push_back("the scheme itself " + std::string(energy.numerical < 0.0 ? "took " : "added ") +
                    to_text(std::abs(energy.numerical)) + " of energy, over 1 % of the " + to_text(energy.turnover) +
                    " turned over" + since(first_numerical_) + ": " +
                    (chose_steps ? "smaller tolerances are" : "a smaller step is") + " advisable");
  else if (most_numerical_.energy > 0.5 * energy.turnover + round_off)
    notes.push_back(fmt::format(
        "the scheme itself had made {:.4g} of energy by t = {:.6g}, though all that was turned over is {:.4g}: a far "
        "smaller step is needed",
        most_numerical_.energy, most_numerical_.t, energy.turnover));
}

}  // namespace ricochet
