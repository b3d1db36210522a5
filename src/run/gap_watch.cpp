#include "run/gap_watch.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "run/resolution.hpp"

namespace ricochet {
namespace {

constexpr double gap_digits = 1e-12;  // of the terms of a gap: round-off

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

// Along a curved obstacle the terms of the rate cancel.
double closing_rate(const GapRates& rates, int j, const State& state) {
  const double cancelled = rates.contacts.rate_size(j, state.v.data()) - std::abs(rates.rate[j]);
  return std::max({0.0, -rates.rate[j], cancelled});
}

// By how much a straight step makes the gap smaller: those along a curved surface leave it, though its rate is 0. What
// time does to it counts at its rate, so that a gap that jumps does not explain itself.
double fall_of_gap(const GapRates& rates, int j, const State& state, double h) {
  std::vector<double> q = state.q, after = rates.gap;
  for (std::size_t i = 0; i < q.size(); ++i) q[i] += h * state.v[i];
  rates.model.gap(state.t, q.data(), after.data());
  return rates.gap[j] - after[j] - h * rates.contacts.obstacle_rate(j);
}

}  // namespace

void GapWatch::see(const State& state, const GapRates& rates, const std::vector<double>& impulse, bool pushed) {
  // Steps that are chosen grow and shrink: they are looked at more often.
  if (is_sample(++records_) || (run_.chooses_steps && records_ % 8 == 0)) see_wild(state);
  const bool is_first = last_gap_.empty();
  for (int j = 0; j < run_.model.nc(); ++j) {
    Contact& contact = contacts_[j];
    if (pushed && run_.is_rigid && impulse[j] > 0.0 && is_sample(++contact.pushes)) see_push(j, state, rates);
    if (!pushed && !told_turn_ && !is_first) see_turn(j, state, rates);
    // Of some pushes that last nobody tells the rate that they took away.
    if (impulse[j] > 0.0 && !(contact.recent > 0.0)) contact.recent = std::numeric_limits<double>::infinity();
  }
  if (run_.is_rigid && !run_.locates && !told_passing_ && !is_first) see_passing(state, rates, impulse);
  last_ = state, last_gap_ = rates.gap, last_rate_ = rates.rate, last_impulse_ = impulse;
  see_depths(state, rates);
}

void GapWatch::see_depths(const State& state, const GapRates& rates) {
  see_exclusion(state, rates);
  const bool is_start = std::isinf(seen_);
  const double span = std::max(run_.h, state.t - std::exchange(seen_, state.t));  // faster rates may have passed unseen
  for (int j = 0; j < run_.model.nc(); ++j) {
    see_depth(j, span, is_start, state, rates);
    see_flat(j, state.t, rates);
  }
}

void GapWatch::see_depth(int j, double span, bool is_start, const State& state, const GapRates& rates) {
  Contact& contact = contacts_[j];
  const double size = rates.contacts.gap_size(j, state.t, state.q.data()), now = closing_rate(rates, j, state);
  contact.fastest = std::max(contact.fastest, now);
  contact.recent = std::max({contact.recent, contact.before, now});
  double depth = std::abs(rates.gap[j]) <= gap_digits * size ? 0.0 : -rates.gap[j];
  const double sunk = depth - std::max(0.0, contact.depth);
  // What is soft may be entered, by what pushes.
  const auto is_unexplained = [&] {
    if (run_.locates) return depth > run_.gap_tolerance + run_.gap_error * std::max(size, contact.widest);
    return (run_.is_rigid && depth > way(contact, contact.fastest, span)) || has_jumped(j, sunk, span, state, rates);
  };
  bool unexplained = is_unexplained();
  if (unexplained && run_.is_rigid && !run_.locates && !told_violation_) {
    const double along_curve = fall_of_gap(rates, j, state, run_.h) / run_.h;
    contact.recent = std::max(contact.recent, along_curve);
    contact.fastest = std::max(contact.fastest, along_curve);
    unexplained = is_unexplained();
  }
  // Where nothing moves gaps are the round-off of what forces and impulses do to them, step after step.
  const bool passed = run_.records_every_step && sunk > contact.widest;  // the step saw nothing of it
  if (run_.is_rigid && depth > 0.0 && (passed || unexplained)) {
    const double deeper = depth - contact.rounded;
    if (deeper > 0.0 && deeper <= gap_digits * move_in_step(j, state, rates)) contact.rounded = depth;
    if (depth <= contact.rounded) depth = 0.0, unexplained = false;
  }
  if (unexplained)
    note_violation(j, state.t, depth);
  else if (passed && depth > 0.0 && !is_lasting(j, sunk, state, rates))
    note_coarse(j, state.t, "is passed by", sunk);
  if (is_start) contact.began_closed = depth >= 0.0;
  contact.widest = std::max(contact.widest, -depth);
  contact.depth = depth;
  contact.before = now;
  contact.recent = 0.0;
}

// How far a gap may close at a rate, some times over.
double GapWatch::way(const Contact& contact, double rate, double span) {
  constexpr double margin = 8.0;
  return margin * span * rate + 1e-9 * contact.widest;
}

// What it has sunk in by since it was seen last is due to the rates since then, or a gap that moves has jumped.
bool GapWatch::has_jumped(int j, double sunk, double span, const State& state, const GapRates& rates) const {
  if (run_.layout.structure.fixed_gaps || !run_.records_every_step) return false;
  if (run_.is_rigid ? !run_.has_fixed_steps : last_impulse_.empty() || last_impulse_[j] != 0.0) return false;
  if (!(sunk > way(contacts_[j], contacts_[j].recent, span))) return false;
  std::vector<double> before = rates.gap;
  run_.model.gap(state.t - span, state.q.data(), before.data());
  return before[j] - rates.gap[j] > 0.5 * sunk;
}

// Whom it strikes closed at this rate, met by chance where that is far in a step.
void GapWatch::see_impact(const Impact& impact) {
  Contact& contact = contacts_[impact.constraint];
  const double closed = run_.h * -impact.rate_minus;
  contact.fastest = std::max(contact.fastest, -impact.rate_minus);
  if (!(closed > contact.widest) || !run_.has_fixed_steps || told_coarse_ || last_.q.empty()) return;
  if (!is_lasting(impact.constraint, closed, last_, GapRates(run_.model, last_)))
    note_coarse(impact.constraint, impact.t, "closes by", closed);
}

// A contact that begins closed and lasts opens and closes by what forces make in two steps, (2h)²|a|, and by what these
// make along a curved surface.
bool GapWatch::is_lasting(int j, double depth, const State& state, const GapRates& rates) {
  if (!contacts_[j].began_closed) return false;
  auto [M, a] = MassAndForce(run_.model, state);
  for (std::size_t i = 0; i < a.size(); ++i) a[i] /= M[i];
  const double way = 2.0 * run_.h;
  if (depth > way * way * rates.contacts.size_along(j, a.data()) + std::abs(fall_of_gap(rates, j, state, way)))
    return false;
  contacts_[j].widest = std::max(contacts_[j].widest, depth);
  return true;
}

// Walls may leave no room where a step ends that was not made, or the next one.
void GapWatch::see_end(State state) {
  state.t += 2.0 * run_.h;
  see_exclusion(state, GapRates(run_.model, state));
}

// Opposite walls that move leave room between them, or nothing is where both want it.
void GapWatch::see_exclusion(const State& state, const GapRates& rates) {
  const Structure& structure = run_.layout.structure;
  if (!run_.is_rigid || told_exclusion_ || structure.fixed_gaps || !structure.linear_gaps) return;
  if (!walls_) {
    std::vector<int> all(static_cast<std::size_t>(run_.model.nc()));
    std::iota(all.begin(), all.end(), 0);
    walls_ = opposite_gaps(run_.layout.gradient, rates.contacts.gradients(), all);
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
    return run_.notes.push_back(
        fmt::format("{} and {} exclude each other at t = {:.6g}: they overlap by {:.4g}, and no position keeps to both",
                    run_.layout.constraints[a], run_.layout.constraints[b], state.t, overlap));
  }
}

// What forces in a step and the last impulses do to momenta, which may cancel; M, diagonal.
GapWatch::Pushes GapWatch::pushes_in_step(const State& state, const GapRates& rates) const {
  MassAndForce at(run_.model, state);
  std::vector<double>& push = at.F;
  for (double& entry : push) entry = run_.h * std::abs(entry);
  for (std::size_t k = 0; k < last_impulse_.size(); ++k)
    rates.contacts.each_entry(static_cast<int>(k), [&](int i, double H) { push[i] += std::abs(H * last_impulse_[k]); });
  return {std::move(at.M), std::move(push)};
}

// What they do to the terms of a gap, and the energy that they turn over.
double GapWatch::move_in_step(int j, const State& state, const GapRates& rates) const {
  auto [M, push] = pushes_in_step(state, rates);
  for (std::size_t i = 0; i < push.size(); ++i) push[i] /= M[i];
  return run_.h * rates.contacts.size_along(j, push.data());
}

double GapWatch::energy_in_step(const State& state, const GapRates& rates) const {
  const auto [M, push] = pushes_in_step(state, rates);
  double energy = 0.0;
  for (std::size_t i = 0; i < push.size(); ++i) energy += push[i] * push[i] / M[i];
  return std::isfinite(energy) ? energy : 0.0;
}

// A gap that was negative and opens again, though nothing pushed: an obstacle has gone through the body and back.
void GapWatch::see_passing(const State& state, const GapRates& rates, const std::vector<double>& impulse) {
  constexpr double little = 1e-4;
  for (int j = 0; j < run_.model.nc(); ++j) {
    const bool closed_unseen = last_gap_[j] > 0.0 || contacts_[j].unpushed > 0.0;
    if (impulse[j] > 0.0 || !closed_unseen) {
      contacts_[j].unpushed = 0.0;
    } else if (rates.gap[j] < 0.0) {
      contacts_[j].unpushed = std::max(contacts_[j].unpushed, -rates.gap[j]);
    } else if (std::exchange(contacts_[j].unpushed, 0.0) > little * contacts_[j].widest &&
               !std::exchange(told_passing_, true)) {
      run_.notes.push_back(fmt::format(
          "the step is far too coarse for {}: up to t = {:.6g} its gap was negative and opened again while nothing "
          "pushed, as an obstacle that comes and goes within a step or two does",
          run_.layout.constraints[j], state.t));
    }
  }
}

// A gap that stays at 0 behind its surface, or negative, has no gradient there, and one like x³ next to none: nothing
// pushes.
void GapWatch::see_flat(int j, double t, const GapRates& rates) {
  constexpr double vanishing = 1e-10;  // beside the largest so far
  if (run_.layout.structure.linear_gaps || told_flat_) return;
  double square = 0.0;
  rates.contacts.each_entry(j, [&](int, double H) { square += H * H; });
  const double gradient = std::sqrt(square), largest = std::max(contacts_[j].steepest, gradient);
  contacts_[j].steepest = largest;
  if (rates.gap[j] > 0.0 || gradient > vanishing * largest) return;
  told_flat_ = true;
  run_.notes.push_back(
      fmt::format("the gap of {} is {:.4g} at t = {:.6g} and its gradient is {}: nothing is held there. Write it so "
                  "that it goes on "
                  "falling behind its surface, as x does and max(x, 0) and x^3 do not",
                  run_.layout.constraints[j], rates.gap[j], t,
                  gradient == 0.0 ? "0" : fmt::format("{:.2g}, after {:.2g}", gradient, largest)));
}

// A gap that closed and now opens, though nothing pushed: along the way it came to 0 and was positive on both sides.
void GapWatch::see_turn(int j, const State& state, const GapRates& rates) {
  const double span = state.t - last_.t, fastest = std::max(-last_rate_[j], rates.rate[j]);
  const auto [nearest, widest] = std::minmax({last_gap_[j], rates.gap[j]});
  if (!(last_rate_[j] < 0.0 && rates.rate[j] > 0.0 && nearest > 0.0 && nearest < 2.0 * fastest * span)) return;
  std::vector<double> q = state.q, gap = rates.gap;
  const double least = least_between([&](double s) {
    for (std::size_t i = 0; i < q.size(); ++i) q[i] = last_.q[i] + s * (state.q[i] - last_.q[i]);
    run_.model.gap(last_.t + s * span, q.data(), gap.data());
    return gap[j];
  });
  // One of both may be there: then the gap itself must turn, and not the motion.
  const auto turns = [&, &widest = widest] {
    const GapRates before(run_.model, last_);
    std::vector<double> way = state.q;
    for (std::size_t i = 0; i < way.size(); ++i) way[i] -= last_.q[i];
    return std::abs(least) <= 1e-6 * widest && before.contacts.along(j, way.data()) < 0.0 &&
           rates.contacts.along(j, way.data()) > 0.0;
  };
  if (!(std::abs(least) <= 1e-6 * nearest) && !turns()) return;
  told_turn_ = true;
  run_.notes.push_back(fmt::format(
      "the gap of {} comes to 0 between t = {:.6g} and {:.6g} and is positive on both sides: nothing is hit "
      "there. Write it so that it is negative behind its surface, as x is and abs(x) is not",
      run_.layout.constraints[j], last_.t, state.t));
}

// x³ is g/8 where it should be −½g: its rate foretells a surface that is not there, and the body is stopped before it.
void GapWatch::see_push(int j, const State& state, const GapRates& rates) {
  const double g = rates.gap[j];
  if (told_push_ || !(g > 0.0)) return;
  const double behind = gap_behind(rates, j, state);
  if (!(behind > 0.0)) return;
  told_push_ = true;
  run_.notes.push_back(fmt::format(
      "{} pushes at t = {:.6g} where its gap is {:.4g}, and its surface is not where its gradient says: half as far "
      "again the gap is {:.4g} still. Write it as a length, as x is and x^3 is not, or take a far smaller step",
      run_.layout.constraints[j], state.t, g, behind));
}

// Impacts are met by chance, or by none.
void GapWatch::see_wild(const State& state) {
  const bool is_straight = run_.layout.structure.linear_gaps && run_.layout.structure.fixed_gaps;
  if (run_.follows_gaps || told_coarse_ || run_.step() == 0.0 || is_straight) return;
  const std::optional<int> j = wild_gap_in_step(run_.model, state, run_.step());
  if (!j) return;
  told_coarse_ = true;
  run_.notes.push_back(fmt::format(
      "the step is far too coarse for {}: at t = {:.6g} its gap goes back and forth within a step of {:.4g}",
      run_.layout.constraints[*j], state.t, run_.step()));
}

void GapWatch::note_coarse(int j, double t, const char* does, double by) {
  if (!run_.has_fixed_steps || !(contacts_[j].widest > 0.0) || std::exchange(told_coarse_, true)) return;
  run_.notes.push_back(
      fmt::format("the step is far too coarse for {}: at t = {:.6g} its gap {} {:.4g} in a step, and was never wider "
                  "than {:.4g}",
                  run_.layout.constraints[j], t, does, by, contacts_[j].widest));
}

void GapWatch::note_violation(int j, double t, double depth) {
  if (std::exchange(told_violation_, true)) return;
  if (run_.locates) {
    run_.notes.push_back(fmt::format(
        "{} is violated by {:.4g} at t = {:.6g}: its gap closed between the places at which it was looked for. One "
        "that jumps does that, or one that falls and rises in less than a step: a smaller step would see that",
        run_.layout.constraints[j], depth, t));
    return;
  }
  run_.notes.push_back(fmt::format(
      "{} is violated by {:.4g} at t = {:.6g}, which the step does not explain: its rates make {:.2g} in a step. A "
      "gap that jumps does that, contacts that contradict each other, or, step by step, lasting contact on a curved "
      "surface under schemes that move positions before velocities, such as moreau",
      run_.layout.constraints[j], depth, t, run_.h * contacts_[j].fastest));
}

}  // namespace ricochet
