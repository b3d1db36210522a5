#include "run/force_watch.hpp"

#include <fmt/format.h>

#include <optional>

#include "run/resolution.hpp"

namespace ricochet {

// What steps or numbers do not resolve is worked through by fixed steps alone: searches in it have no end.
void ForceWatch::see_noise(const State& state, Observer* observer) {
  if (told_noise_) return;
  std::string where;
  std::optional<int> coordinate = wild_force_in_digits(run_.model, state);
  if (coordinate)
    where =
        "when time, place and velocity change in the twelfth digit: numbers do not resolve it, and the motion is "
        "arbitrary. Are its units right?";
  else if (!run_.chooses_steps && (coordinate = wild_force_in_step(run_.model, state, run_.h)))
    where = fmt::format("within a step of {:.4g}: the step is far too coarse for it", run_.h);
  if (!coordinate) return;
  told_noise_ = true;
  std::string text = fmt::format("the force on {} goes back and forth many times at t = {:.6g} {}",
                                 run_.layout.coordinates[*coordinate], state.t, where);
  run_.end_or_note(std::move(text), observer);
}

// Contacts, joints and friction may hold what the force would make swing.
void ForceWatch::see_swing(const State& state) {
  constexpr double half_a_turn = 3.14159265358979323846;
  if (run_.chooses_steps || run_.model.nb() + run_.model.ns() > 0) return;
  const std::optional<Swing> swing = swing_of_force(run_.model, state, run_.h);
  if (swing && run_.h * swing->omega > half_a_turn && swing->energy > swing_.energy)
    swing_ = {swing->energy, swing->omega, state.t};
}

void ForceWatch::note_swing(double kinetic) {
  if (!(swing_.energy > 0.01 * kinetic)) return;
  run_.notes.push_back(fmt::format(
      "the step is far too coarse for the forces: at t = {:.6g} what swings with a period of about {:.3g} holds {:.4g} "
      "of energy, and all that moves has {:.4g} at most; steps of {:.3g} see nothing of that",
      swing_.t, 6.283185307179586 / swing_.omega, swing_.energy, kinetic, run_.h));
}

// From rest, with a = F/M by coordinate, a step makes Δv = h a and Δq = ½h²a. Where F then has grown by more than twice
// itself, a step of h takes growth for decay: (1 + z/2)/(1 − z/2) is negative from z = hλ = 2 on.
void ForceWatch::see_growth(const State& state) {
  const double most_growth = run_.chooses_steps ? 1e15 : 2.0;  // beyond every digit no step is small enough
  if (told_growth_) return;
  const auto [M, F] = MassAndForce(run_.model, state);
  std::vector<double> a = F, later = F;
  State moved = state;
  for (int i = 0; i < run_.model.nq(); ++i) {
    a[i] = F[i] / M[i];
    moved.q[i] += 0.5 * run_.h * run_.h * a[i];
    moved.v[i] += run_.h * a[i];
  }
  run_.model.force(state.t, moved.q.data(), moved.v.data(), state.z.data(), later.data());
  int most = 0;
  double growth = 0.0, size = 0.0;
  for (int i = 0; i < run_.model.nq(); ++i) {
    const double part = (later[i] - F[i]) * a[i];
    growth += part, size += F[i] * a[i];
    if (part > (later[most] - F[most]) * a[most]) most = i;
  }
  if (!(growth > most_growth * size)) return;
  told_growth_ = true;
  run_.notes.push_back(fmt::format(
      "the step is far too coarse for the force on {} at t = {:.6g}: what it does within a step of {:.4g} makes it "
      "{:.2g} times as large. Is its sign right, are its units?",
      run_.layout.coordinates[most], state.t, run_.h, later[most] / F[most]));
}

}  // namespace ricochet
