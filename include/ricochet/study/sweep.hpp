// Many trajectories of one problem, each with its own values, and what is kept of their long-term motion.
//
// A trajectory runs over `transient`, of which nothing is kept, and then over `duration`; where it may (`settles`), the
// transient ends once the motion repeats. Trajectory i writes slot i
// and depends on nothing but its own values (and its predecessor, where it is continued): results are the same bytes
// for any number of threads, lanes and ranks.
#pragma once

#include <atomic>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "ricochet/formula/tape.hpp"
#include "ricochet/model/lagrangian.hpp"
#include "ricochet/run/simulate.hpp"

namespace ricochet {

enum class SweepRecord {
  stroboscopic,  // the state after every period
  impacts,       // the state after every impact
  section,       // the state where a function of it passes through 0
  statistics     // means and extremes, impacts and their impulses
};
enum class SectionDirection { rising, falling, both };

// One trajectory as numbers.
struct SweepCase {
  std::shared_ptr<const Model> model;
  std::vector<double> parameters = {};  // of the model, all of them in their order: what a lane of it needs
  State start = {};
  Scheme scheme = {};
  ComplementaritySettings solver = {};
  double from = 0.0;
  double step = 0.0;  // largest; with a period the step divides it
  double transient = 0.0, duration = 0.0;
  bool settles = false;  // the transient ends before that once the states after every period repeat
  double period = std::numeric_limits<double>::quiet_NaN();  // NaN: none
  std::shared_ptr<const Outputs> outputs = nullptr;          // kept at points, or which statistics are made of too
};

// Where trajectories come from. Called from several threads at once.
class SweepCases {
 public:
  virtual ~SweepCases() = default;
  // Throws InputError for values that cannot be run: the slot then says why.
  virtual SweepCase at(std::uint64_t trajectory) const = 0;
  // The equations that all trajectories share, if they differ in parameters, start and times only and have no
  // statistics of outputs: they can then run side by side in lanes.
  virtual const LagrangianFamily* family() const { return nullptr; }
  // The scheme that they share then; without it schemes that choose their steps do not run in lanes.
  virtual const Scheme* scheme() const { return nullptr; }
};

struct SweepSettings {
  SweepRecord record = SweepRecord::stroboscopic;
  // Of `section`: one output, a formula of t, q, v, z with the parameters of SweepCase.
  formula::Tape section = {};
  SectionDirection direction = SectionDirection::both;
  // Points that are passed over before the first one is kept, within duration, and the most that are kept of one
  // trajectory, which then ends.
  std::uint64_t skipped_points = 0;
  std::uint64_t most_points = std::numeric_limits<std::uint64_t>::max();
  std::vector<double> impulse_edges = {};  // of the histogram's bins
  bool lyapunov = false;                   // measure the largest exponent
  bool spectrum = false;                   // measure all exponents
  // Points of a periodic motion agree to this part of their size. By default 1e-6, and on a fixed step with impacts
  // 75 h/Δt with the mean time Δt between points, at most 0.05: impacts that are met at the grid scatter them.
  std::optional<double> period_tolerance = std::nullopt;
  int threads = 0;         // 0: one a core
  int lanes = lane_count;  // 1: every trajectory by itself
  const std::atomic<bool>* interrupt = nullptr;
};

// What is kept of one trajectory: its slot.
struct SweepTrajectory {
  std::uint64_t index = 0;
  std::string failure = {};  // why it could not be run or stopped; what was kept before is kept
  std::uint64_t steps = 0, impacts = 0;
  std::vector<double> points = {};                                  // row after row, with the columns of SweepColumns
  std::vector<double> statistics = {};                              // record = statistics
  std::vector<double> histogram = {};                               // impacts by impulse, one number a bin
  std::vector<double> final = {};                                   // q, v, z at the end
  std::vector<double> largest = {};                                 // |q|, |v|, |z| seen on the way, transient too
  static constexpr std::int64_t not_settled = -1;                   // as a period: the transient was too short to tell
  std::int64_t period = 0;                                          // the points repeat after so many; 0: they do not
  double cycle_impacts = std::numeric_limits<double>::quiet_NaN();  // impacts of one period, where there is one
  double settled_after = std::numeric_limits<double>::quiet_NaN();  // the transient that was enough; NaN: all of it
  double lyapunov = std::numeric_limits<double>::quiet_NaN();       // largest exponent, per time
  std::vector<double> spectrum = {};                                // all exponents, falling; empty if not measured
  bool operator==(const SweepTrajectory&) const = default;
};

// What the numbers of a slot are, in their order.
struct SweepColumns {
  std::vector<std::string> points, statistics, state;
};
// outputs: those that statistics are made of, or that points have.
SweepColumns sweep_columns(const Layout& layout, SweepRecord record, const std::vector<std::string>& outputs = {});

// Trajectories that follow each other: one, or those of a continuation, each of which starts where the last one ended.
struct SweepChain {
  std::vector<std::uint64_t> trajectories;
  std::vector<double> start = {};  // q, v, z to begin with; empty: the start of the first one
  std::uint64_t lead = 0;          // so many of them lead up to the others: they are run, and not handed over
};

// Who is next, and where results go. Both are called from several threads at once.
class SweepWork {
 public:
  virtual ~SweepWork() = default;
  virtual std::optional<SweepChain> next() = 0;
  virtual void finished(SweepTrajectory&& trajectory) = 0;
};

// Throws InputError ("sweep.measure") if what the settings measure cannot be measured under the scheme.
void check_measures(const Scheme& scheme, const SweepSettings& settings);

// Runs until there is no more work, or until interrupted: what was finished then has been handed over. An exception of
// `work` ends the sweep and is thrown again.
void sweep(const SweepCases& cases, const SweepSettings& settings, SweepWork& work);

}  // namespace ricochet
