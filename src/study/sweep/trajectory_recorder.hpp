// What is kept of one trajectory of a sweep, whoever runs it: alone or in a lane.
#pragma once

#include <memory>
#include <vector>

#include "ricochet/study/sweep.hpp"
#include "run/start.hpp"

namespace ricochet {

// The even grid of a trajectory of a sweep, and which part of it is kept.
struct SweepGrid {
  TimeSpan span;
  double h = 0.0;
  std::uint64_t steps = 0, transient = 0;  // of all, and before the first that is kept
  std::uint64_t per_period = 0;            // 0: no period
  std::uint64_t look = 1;                  // between looks at the size of the motion
  bool settles = false;                    // the transient may end sooner

  double duration() const { return static_cast<double>(steps - transient) * h; }
};

// With a period the step divides it, and stroboscopic trajectories last whole periods. Schemes that choose their steps
// go from one kept point to the next where nothing else looks at them. Throws InputError.
SweepGrid sweep_grid(const SweepCase& a_case, const SweepSettings& settings);

// A state, borrowed.
struct StateView {
  double t = 0.0;
  const double *q = nullptr, *v = nullptr, *z = nullptr;
};

// Whether a function that went from s0 to s1 passed through 0 in the direction wanted.
template <class Value>
Mask<Value> crosses(const Value& s0, const Value& s1, SectionDirection direction) {
  const Value zero = 0.0;
  const Mask<Value> rising = (s0 < zero) & (s1 >= zero), falling = (s0 > zero) & (s1 <= zero);
  if (direction == SectionDirection::rising) return rising;
  return direction == SectionDirection::falling ? falling : rising | falling;
}

// Outputs that are made of the state, at points.
class PointOutputs {
 public:
  PointOutputs(std::shared_ptr<const Model> model, std::shared_ptr<const Outputs> outputs)
      : model_(std::move(model)), outputs_(std::move(outputs)) {}
  int count() const { return static_cast<int>(outputs_->names_of_state().size()); }
  void append(const StateView& state, std::vector<double>& to);

 private:
  const std::shared_ptr<const Model> model_;
  const std::shared_ptr<const Outputs> outputs_;
  GapRates gaps_{*model_};
  State state_;
  std::vector<double> observed_ = std::vector<double>(static_cast<std::size_t>(model_->layout().no())),
                      observed_rate_ = observed_, values_ = std::vector<double>(outputs_->names().size());
};

class TrajectoryRecorder {
 public:
  // meets_at_grid: impacts are, and scatter the points of a periodic motion.
  TrajectoryRecorder(const SweepSettings& settings, const SweepCase& a_case, const SweepGrid& grid, std::uint64_t index,
                     bool meets_at_grid);

  // The start, and then the motion after every `look` steps, transient too: how large it is, and whether it has
  // settled.
  void look(const StateView& state, std::uint64_t steps = 0);
  // With the transient that the motion needed.
  const SweepGrid& grid() const { return grid_; }
  // Whether the next point of the section is one that is passed over: it then counts, wherever it is.
  bool pass_over();
  // A point of the section.
  void point(const StateView& state);
  // An impact, with the state after it.
  void impact(const Impact& impact, const StateView& after);
  // The section function passed through 0 between two nodes; s is linear between them unless something touched.
  void crossing(const StateView& begin, double s0, const StateView& end, double s1, bool touched);

  bool is_full() const { return kept_ >= settings_.most_points; }

  // The slot. `moments`: of the statistics.
  SweepTrajectory finish(const StateView& end, std::uint64_t steps, std::vector<double> moments);

 private:
  void append(const StateView& state, std::vector<double>& to) const;
  void append_point(const StateView& state);
  bool skip();
  void settle(const StateView& state, std::uint64_t steps);
  void append_impacts(std::vector<double>& statistics) const;
  double period_tolerance() const;
  double cycle_impacts() const;

  const SweepSettings& settings_;
  const int nq_, nz_;
  SweepGrid grid_;
  const bool meets_at_grid_;
  std::unique_ptr<PointOutputs> outputs_;
  SweepTrajectory slot_;
  std::uint64_t skipped_ = 0, kept_ = 0;
  double impulse_ = 0.0, largest_impulse_ = 0.0, lost_ = 0.0;
  std::vector<double> between_;
  std::vector<double> last_periods_;  // t, q, v, z after each of them
  std::vector<double> looked_q_;      // at the last look
  double looked_at_ = 0.0;
  std::vector<double> impact_times_;
};

}  // namespace ricochet
