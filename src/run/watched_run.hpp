// What those who watch a run know of it, and what they have found.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "ricochet/run/simulate.hpp"

namespace ricochet {

struct WatchedRun {
  // h: the even step.
  WatchedRun(const Model& model, const Scheme& scheme, double h, bool records_every_step);

  const Model& model;
  const Layout& layout;
  const double h;
  const bool records_every_step;
  const bool is_rigid;         // impacts happen at instants
  const bool has_fixed_steps;  // which are met at nodes
  const bool chooses_steps, has_position_law;
  const bool follows_gaps;                // and slips, between nodes too
  const bool locates;                     // impacts as well as numbers allow: gaps are not passed by a step's way
  const double gap_tolerance, gap_error;  // what gaps are then off by: absolute, and a share of their size

  // Numbers do not resolve it: fixed steps go on, and the observer, if there is one, is told at once.
  void end_or_note(std::string text, Observer* observer);

  // How long its steps are now: of a scheme that chooses them the mean since the record before, 0 as long as none is
  // known.
  double step() const { return chooses_steps ? own_step : h; }
  double own_step = 0.0;

  std::vector<std::string> notes;
  std::string why_end;  // the run must end here, if it must
};

// Whether the n-th is looked at: 1, 2, 4, 8 …
inline bool is_sample(std::uint64_t n) { return (n & (n - 1)) == 0; }

// M, diagonal, and F at a state.
struct MassAndForce {
  MassAndForce(const Model& model, const State& state);
  std::vector<double> M, F;
};

}  // namespace ricochet
