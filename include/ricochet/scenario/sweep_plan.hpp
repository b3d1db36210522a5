// From the [sweep] table of a scenario to trajectories as numbers.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "ricochet/scenario/attachments.hpp"
#include "ricochet/scenario/scenario.hpp"
#include "ricochet/study/attractors.hpp"
#include "ricochet/study/sweep.hpp"

namespace ricochet {

struct SweepAxis {
  std::string parameter;            // the key: "model.parameters.w"
  std::string name;                 // its last part: "w"; the whole key where two axes would share it
  std::vector<double> values = {};  // of a grid
  bool logarithmic = false;
  double first = 0.0, last = 0.0;  // the ends of the range, also of a sampled axis
};

enum class SweepSampling { grid, latin_hypercube, random };

// Which trajectories there are and in what order they may run. On a grid the last axis varies fastest; with a
// continuation in both directions all trajectories come twice, first forward and then backward.
class SweepPlan {
 public:
  // Throws InputError ("sweep.axis[0].range") for a table that makes no sense, or if there is none.
  explicit SweepPlan(const Scenario& scenario);

  const std::vector<SweepAxis>& axes() const { return axes_; }
  bool is_grid() const { return sampling_ == SweepSampling::grid; }
  bool both_directions() const { return both_; }
  // Grid: the number of values of each axis, preceded by 2 for both directions. Otherwise one number.
  const std::vector<std::uint64_t>& shape() const { return shape_; }
  std::uint64_t count() const { return count_; }               // trajectories
  std::vector<double> values(std::uint64_t trajectory) const;  // one an axis

  std::uint64_t chain_count() const;
  // Its trajectories in the order in which they run; one, unless an axis is continued.
  std::vector<std::uint64_t> chain(std::uint64_t chain) const;

  // Attractors are told apart among trajectories with the same parameters, which differ in initial values and in their
  // direction only: those of one cell. Samples of several parameters have no neighbours and share one cell.
  std::uint64_t cell(std::uint64_t trajectory) const;
  // Pairs of cells that are neighbours along a parameter.
  std::vector<std::pair<std::uint64_t, std::uint64_t>> cell_neighbours() const;

 private:
  bool is_start(std::size_t axis) const { return axes_[axis].parameter.starts_with("initial."); }
  std::vector<SweepAxis> axes_;
  SweepSampling sampling_ = SweepSampling::grid;
  std::uint64_t seed_ = 1;
  bool both_ = false, backward_ = false;
  std::optional<std::size_t> continued_ = std::nullopt;  // axis along which states are handed on
  std::vector<std::uint64_t> shape_;
  std::uint64_t count_ = 0;
  std::uint64_t grid_ = 0;  // trajectories of one direction
};

// What engine and files need besides: how trajectories are made and what is kept of them. `files` must outlive it.
struct BuiltSweep {
  SweepPlan plan;
  std::unique_ptr<SweepCases> cases;
  SweepSettings settings;  // all but threads, lanes and interrupt
  SweepColumns columns;
  std::string record;                // "stroboscopic", "impacts", "section", "statistics"
  bool attractors = false;           // tell which trajectories end in the same motion
  double attractor_tolerance = 0.0;  // points of one motion agree to this part of their size
  Layout layout;                     // of the model
};
// Which trajectories end in the same motion, and which of these motions are branches along a parameter; `read` gives
// trajectory i.
Attractors attractors_of(const BuiltSweep& sweep, const std::function<SweepTrajectory(std::uint64_t)>& read);

// Throws InputError with the field's path in the scenario.
BuiltSweep build_sweep(const Scenario& scenario, const Attachments* files = nullptr);

}  // namespace ricochet
