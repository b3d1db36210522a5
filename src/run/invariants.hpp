// What must hold in every run; what does not becomes a note, with the time at which it was first seen.
//
// A gap is passed by no more than the rates at which it closes make in a step or two; opposite walls leave room; a
// fixed step does not jump over what it should see, and follows what forces do within it; a gap that comes to 0 is
// negative behind it and falls on, and one that pushes is about to; joints move and do not jump; contacts that slide
// have an acceleration; no acceleration becomes infinite on the way; impacts and the scheme add no energy.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "ricochet/core/ledger.hpp"
#include "ricochet/model/poles.hpp"
#include "ricochet/run/simulate.hpp"
#include "run/resolution.hpp"
#include "run/slide_watch.hpp"
#include "run/start.hpp"

namespace ricochet {

class Invariants {
 public:
  // h: the even step. resolved: forces are known to be smooth. Without notes only what must end the run is looked for.
  Invariants(const Model& model, const Scheme& scheme, double h, bool records_every_step, bool resolved = false,
             bool takes_notes = true);

  // What is recorded; impulse, pushed: of contacts since the last call, and whether one of them did. The observer, if
  // there is one, is told at once of forces that may take very long.
  void see(const State& state, const GapRates& rates, const std::vector<double>& impulse, bool pushed,
           Observer* observer);
  // Gaps and poles between records.
  void see_poles(const State& state, bool pushed, Observer* observer);
  void see_gaps(const State& state, const GapRates& rates);
  void see_impact(const Impact& impact);
  // Any push of a scheme that reports it, and the rate at which the gap closed before.
  void see_closing(int j, double rate) { recent_[j] = std::max(recent_[j], rate); }
  void see_force(const State& state);
  void see_energy(double t, const LedgerTerms<double>& terms, double turnover);
  // At the end of the run; `kinetic`: the largest energy of motion.
  void conclude(const State& state, const EnergyLedger& energy, double kinetic, bool chose_steps);

  std::vector<std::string> notes;
  std::string why_end;  // the run must end here, if it must

 private:
  struct Pushes {
    std::vector<double> M, push;
  };
  Pushes pushes_in_step(const State& state, const GapRates& rates) const;
  double move_in_step(int j, const State& state, const GapRates& rates) const;
  double energy_in_step(const State& state, const GapRates& rates) const;
  void note_coarse(int j, double t, const char* does, double by);
  void note_violation(int j, double t, double depth);
  void see_slides(const State& state, const GapRates& rates, const std::vector<double>& impulse);
  void see_exclusion(const State& state, const GapRates& rates);
  void see_passing(const State& state, const GapRates& rates, const std::vector<double>& impulse);
  void see_flat(int j, double t, const GapRates& rates);
  void see_turn(int j, const State& state, const GapRates& rates);
  void see_push(int j, const State& state, const GapRates& rates);
  void see_joints(const State& state);
  void see_swing(const State& state);
  void see_noise(const State& state, Observer* observer);
  void see_wild_gap(const State& state);
  void tell_pole(const Pole& pole, Observer* observer);
  void end_or_note(std::string text, Observer* observer);
  void note_swing(double kinetic);
  std::string why_gain(const State& state) const;

  const Model& model_;
  const Layout& layout_;
  const double h_;
  const bool records_every_step_, takes_notes_;
  const bool is_rigid_;         // impacts happen at instants
  const bool has_fixed_steps_;  // which are met at nodes
  const bool chooses_steps_;
  const bool has_position_law_;
  const bool locates_;                      // impacts as well as numbers allow: gaps are not passed by a step's way
  const double gap_tolerance_, gap_error_;  // what gaps are then off by: absolute, and a share of their size
  // By constraint: closing rates so far, those that pushes took since gaps were seen last, and the one then; the widest
  // gap, and how far it was inside then.
  std::vector<double> fastest_, recent_, before_, widest_, depth_;
  std::optional<std::vector<std::pair<int, int>>> walls_;  // opposite ones, once they have been looked for
  std::vector<double> unpushed_;  // how far it has been inside since it closed, while nothing pushed
  double seen_ = std::numeric_limits<double>::infinity();  // when that was
  State last_;                                             // when gaps were seen, with their values and rates
  std::vector<double> last_gap_, last_rate_, last_impulse_;
  std::vector<std::uint64_t> pushes_;        // records with one, by constraint
  std::uint64_t records_ = 0, flights_ = 0;  // of all, and of those without one
  struct {
    double energy = 0.0, omega = 0.0, t = 0.0;
  } swing_;  // that fixed steps see nothing of, with most energy
  const KnownPoles* const poles_ = dynamic_cast<const KnownPoles*>(&model_);
  std::optional<SlideWatch> slides_;  // until it has told something
  State passed_;                      // where the functions of poles were seen last; their values now and then
  std::vector<double> functions_, last_functions_;
  bool told_flat_ = false, told_push_ = false, told_jump_ = false, told_noise_ = false, told_pole_ = false;
  bool told_violation_ = false, told_coarse_ = false, told_gain_ = false, told_turn_ = false, told_passing_ = false,
       told_growth_ = false, told_exclusion_ = false;
  double step_energy_ = 0.0;             // that forces and impulses of the first step turn over, at rest too
  double first_gain_, first_numerical_;  // NaN: never
  struct {
    double energy = 0.0, t = 0.0;
  } most_numerical_;
};

}  // namespace ricochet
