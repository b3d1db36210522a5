// What gaps do in a run that they should not.
//
// A gap is passed by no more than the rates at which it closes make in a step or two; opposite walls leave room; a
// fixed step does not jump over what it should see; a gap that comes to 0 is negative behind it and falls on, and one
// that pushes is about to.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

#include "run/start.hpp"
#include "run/watched_run.hpp"

namespace ricochet {

class GapWatch {
 public:
  explicit GapWatch(WatchedRun& run) : run_(run), contacts_(static_cast<std::size_t>(run.model.nc())) {}

  // What is recorded; impulse, pushed: of contacts since the last call, and whether one of them did.
  void see(const State& state, const GapRates& rates, const std::vector<double>& impulse, bool pushed);
  // How far they are inside; between records too.
  void see_depths(const State& state, const GapRates& rates);
  void see_impact(const Impact& impact);
  // Of a step from a state whose contact problem has no solution.
  void see_end(State state);
  // Any push of a scheme that reports it, and the rate at which the gap closed before.
  void see_closing(int j, double rate) { contacts_[j].recent = std::max(contacts_[j].recent, rate); }

  const State& last() const { return last_; }  // recorded; empty before the first
  // What forces in a step and the last impulses turn over, though they may cancel.
  double energy_in_step(const State& state, const GapRates& rates) const;

 private:
  struct Contact {
    double fastest = 0.0;               // closing rate so far,
    double recent = 0.0, before = 0.0;  // that pushes took since gaps were seen last, and the one then
    double widest = 0.0, depth = 0.0;   // gap; how far it was inside then
    double rounded = 0.0;               // how far it has been inside by round-off
    double steepest = 0.0;              // gradient so far
    bool began_closed = false;
    double unpushed = 0.0;     // how far it has been inside since it closed, while nothing pushed
    std::uint64_t pushes = 0;  // records with one
  };
  struct Pushes {
    std::vector<double> M, push;
  };
  Pushes pushes_in_step(const State& state, const GapRates& rates) const;
  double move_in_step(int j, const State& state, const GapRates& rates) const;
  void see_depth(int j, double span, bool is_start, const State& state, const GapRates& rates);
  bool is_lasting(int j, double depth, const State& state, const GapRates& rates);
  static double way(const Contact& contact, double rate, double span);
  bool has_jumped(int j, double sunk, double span, const State& state, const GapRates& rates) const;
  void see_wild(const State& state);
  void see_passing(const State& state, const GapRates& rates, const std::vector<double>& impulse);
  void see_exclusion(const State& state, const GapRates& rates);
  void see_flat(int j, double t, const GapRates& rates);
  void see_turn(int j, const State& state, const GapRates& rates);
  void see_push(int j, const State& state, const GapRates& rates);
  void note_coarse(int j, double t, const char* does, double by);
  void note_violation(int j, double t, double depth);

  WatchedRun& run_;
  std::vector<Contact> contacts_;
  std::optional<std::vector<std::pair<int, int>>> walls_;  // opposite ones, once they have been looked for
  double seen_ = std::numeric_limits<double>::infinity();  // when depths were
  State last_;                                             // recorded, with gaps, rates and impulses
  std::vector<double> last_gap_, last_rate_, last_impulse_;
  std::uint64_t records_ = 0;
  bool told_flat_ = false, told_push_ = false, told_violation_ = false, told_coarse_ = false, told_turn_ = false,
       told_passing_ = false, told_exclusion_ = false;
};

}  // namespace ricochet
