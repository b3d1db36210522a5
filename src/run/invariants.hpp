// What must hold in every run; what does not becomes a note, with the time at which it was first seen.
//
// A gap is passed by no more than the rates at which it closes make in a step or two; a fixed step does not jump over
// what it should see, and follows what forces do within it; a gap that comes to 0 is negative behind it; impacts and
// the scheme add no energy.
#pragma once

#include <string>
#include <vector>

#include "ricochet/core/ledger.hpp"
#include "ricochet/run/simulate.hpp"
#include "run/start.hpp"

namespace ricochet {

class Invariants {
 public:
  // h: the even step.
  Invariants(const Model& model, const Scheme& scheme, double h, bool records_every_step);

  // pushed: a contact did so since the last call.
  void see_gaps(const State& state, const GapRates& rates, bool pushed);
  void see_impact(const Impact& impact);
  void see_force(const State& state);
  void see_energy(double t, const LedgerTerms<double>& terms, double turnover);
  // At the end of the run.
  void conclude(const State& state, const EnergyLedger& energy, bool chose_steps);

  std::vector<std::string> notes;

 private:
  void note_coarse(int j, double t, const char* does, double by);
  void note_violation(int j, double t, double depth);
  void see_turn(int j, const State& state, const GapRates& rates);
  std::string why_gain(const State& state) const;

  const Model& model_;
  const Layout& layout_;
  const double h_;
  const bool records_every_step_;
  const bool is_rigid_;         // impacts happen at instants
  const bool has_fixed_steps_;  // which are met at nodes
  const bool chooses_steps_;
  const bool has_position_law_;
  std::vector<double> fastest_, widest_;  // by constraint: closing rates and gaps so far
  State last_;                            // when gaps were seen, with their values and rates
  std::vector<double> last_gap_, last_rate_;
  bool told_violation_ = false, told_coarse_ = false, told_gain_ = false, told_turn_ = false, told_growth_ = false;
  double first_gain_, first_numerical_;  // NaN: never
};

}  // namespace ricochet
