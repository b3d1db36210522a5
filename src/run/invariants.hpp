// What must hold in every run; what does not becomes a note, with the time at which it was first seen.
//
// Gaps are passed by no more than a step explains (gap_watch.hpp); a fixed step follows what forces do within it
// (force_watch.hpp); no acceleration becomes infinite on the way (pole_watch.hpp); contacts that slide have an
// acceleration (slide_watch.hpp); joints move and do not jump; impacts and the scheme add no energy.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "ricochet/core/ledger.hpp"
#include "run/force_watch.hpp"
#include "run/gap_watch.hpp"
#include "run/pole_watch.hpp"
#include "run/slide_watch.hpp"

namespace ricochet {

class Invariants {
 public:
  // h: the even step. resolved: forces are known to be smooth. Without notes only what must end the run is looked for.
  Invariants(const Model& model, const Scheme& scheme, double h, bool records_every_step, bool resolved = false,
             bool takes_notes = true);
  Invariants(const Invariants&) = delete;  // the watches share the run

  // What is recorded; impulse, pushed: of contacts since the last call, and whether one of them did. The observer, if
  // there is one, is told at once of forces that may take very long. Before it: how many steps of its own the scheme
  // has made so far, where it chooses them.
  void see_own_steps(double t, std::uint64_t made);
  void see(const State& state, const GapRates& rates, const std::vector<double>& impulse, bool pushed,
           Observer* observer);
  // Gaps and poles between records.
  void see_poles(const State& state, bool pushed, Observer* observer) { poles_.see(state, pushed, observer); }
  void see_gaps(const State& state, const GapRates& rates) { gaps_.see_depths(state, rates); }
  void see_impact(const Impact& impact);
  // Of a step from a state whose contact problem has no solution.
  void see_end(const State& state) { gaps_.see_end(state); }
  void see_closing(int j, double rate) { gaps_.see_closing(j, rate); }
  void see_force(const State& state);
  void see_energy(double t, const LedgerTerms<double>& terms, double turnover);
  // At the end of the run; `kinetic`: the largest energy of motion.
  void conclude(const State& state, const EnergyLedger& energy, double kinetic, bool chose_steps);

  const std::vector<std::string>& notes() const { return run_.notes; }
  std::string& why_end() { return run_.why_end; }  // the run must end here, if it must

 private:
  void see_slides(const State& state, const GapRates& rates, const std::vector<double>& impulse);
  void see_returning_slip(const State& state, const std::vector<double>& impulse);
  void see_joints(const State& state);
  std::string why_gain(const State& state) const;

  WatchedRun run_;
  const bool takes_notes_;
  GapWatch gaps_{run_};
  ForceWatch forces_;
  PoleWatch poles_{run_};
  std::optional<SlideWatch> slides_;           // until it has told something
  std::uint64_t records_ = 0, flights_ = 0;    // of all, and of those without a push
  std::array<std::uint64_t, 2> pressed_ = {};  // those without and with one
  struct {
    double t = 0.0;
    std::uint64_t made = 0;
  } own_steps_;  // when they were counted last
  bool told_jump_ = false, told_gain_ = false, told_slip_ = false;
  double step_energy_ = 0.0;             // that forces and impulses of the first step turn over, at rest too
  double first_gain_, first_numerical_;  // NaN: never
  struct {
    double energy = 0.0, t = 0.0;
  } most_numerical_;
};

}  // namespace ricochet
