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
#include "ricochet/study/refinement.hpp"
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
//
// A plan that refines itself grows by generations (SweepGrowth): its later trajectories come behind, of both directions
// in turns. Copies share what has grown.
class SweepPlan {
 public:
  // Throws InputError ("sweep.axis[0].range") for a table that makes no sense, or if there is none.
  explicit SweepPlan(const Scenario& scenario);

  const std::vector<SweepAxis>& axes() const { return axes_; }  // of the first grid
  bool is_grid() const { return sampling_ == SweepSampling::grid; }
  bool both_directions() const { return both_; }
  // Grid: the number of values of each axis, preceded by 2 for both directions. Otherwise one number.
  const std::vector<std::uint64_t>& shape() const { return shape_; }
  std::uint64_t count() const;                             // trajectories so far
  std::uint64_t most() const { return count_ + budget_; }  // that there may be
  bool refines() const { return refinement_ != nullptr; }
  Refinement& refinement() const { return *refinement_; }
  std::uint64_t node(std::uint64_t trajectory) const;  // of the refinement
  std::uint64_t trajectory(std::uint64_t node, bool backward) const;
  bool has_same_parameters(std::uint64_t a, std::uint64_t b) const;  // two nodes
  std::vector<double> values(std::uint64_t trajectory) const;        // one an axis

  std::uint64_t chain_count() const;
  // Its trajectories in the order in which they run; one, unless an axis is continued.
  std::vector<std::uint64_t> chain(std::uint64_t chain) const;
  // Those that lead up to it, from the scenario's start: of a piece of a continuation, but for the first one.
  std::vector<std::uint64_t> lead(std::uint64_t chain) const;
  // Where a later trajectory of a continuation starts: at the end of this one.
  std::optional<std::uint64_t> predecessor(std::uint64_t trajectory) const;

  // As a result has it: trajectories in the order of the file, and its axes and shape. One refined axis is a grid with
  // uneven steps, two are a list.
  struct Listing {
    std::vector<std::uint64_t> order = {};
    std::vector<SweepAxis> axes = {};  // without values if it is no grid
    std::vector<std::uint64_t> shape = {};
    bool is_grid = true;
    std::vector<std::int32_t> levels = {};  // of a refined list: how often the grid was halved there
  };
  Listing listing() const;

  // Attractors are told apart among trajectories with the same parameters, which differ in initial values and in their
  // direction only: those of one cell. Samples of several parameters have no neighbours and share one cell.
  std::uint64_t cell(std::uint64_t trajectory) const;
  // Pairs of cells that are neighbours along a parameter.
  std::vector<std::pair<std::uint64_t, std::uint64_t>> cell_neighbours() const;

 private:
  std::uint64_t first_chains() const;
  std::uint64_t begin_of_piece(std::uint64_t piece) const;  // in a continuation; pieces differ by at most one
  // Trajectories begin … end − 1 of a whole continuation.
  std::vector<std::uint64_t> continued(std::uint64_t whole, std::uint64_t begin, std::uint64_t end) const;
  double refined_value(std::size_t axis, std::uint64_t place) const;
  bool is_start(std::size_t axis) const { return axes_[axis].parameter.starts_with("initial."); }
  std::vector<SweepAxis> axes_;
  SweepSampling sampling_ = SweepSampling::grid;
  std::uint64_t seed_ = 1;
  bool both_ = false, backward_ = false;
  std::optional<std::size_t> continued_ = std::nullopt;  // axis along which states are handed on
  std::uint64_t pieces_ = 1, overlap_ = 0;               // of a continuation
  std::vector<std::uint64_t> shape_;
  std::uint64_t count_ = 0;  // of the first grid
  std::uint64_t budget_ = 0;
  std::shared_ptr<Refinement> refinement_;
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
  bool settles = false;              // transients end when the motion has settled
};
// Which trajectories end in the same motion, and which of these motions are branches along a parameter; `read` gives
// trajectory i.
Attractors attractors_of(const BuiltSweep& sweep, const std::function<SweepTrajectory(std::uint64_t)>& read);

// Where a sweep that refines itself looks closer: at neighbours that differ in period, impacts of a period, attractor,
// or in whether they failed.
class SweepGrowth {
 public:
  explicit SweepGrowth(const BuiltSweep& sweep);
  // Once all trajectories so far are there: plans the next generation. None: it is done.
  std::vector<Refinement::Place> grow(const std::function<SweepTrajectory(std::uint64_t)>& read);

 private:
  struct Look {
    bool failed = false;
    std::int64_t period = 0;
    double impacts = 0.0;  // of a period, or of all the time where only statistics are kept
  };
  bool differ(std::uint64_t a, std::uint64_t b) const;
  bool differ_in(std::uint64_t a, std::uint64_t b, bool same_parameters) const;

  const BuiltSweep& sweep_;
  Attractors motions_;
  std::vector<Look> looks_;  // of all trajectories so far
};

// Throws InputError with the field's path in the scenario.
BuiltSweep build_sweep(const Scenario& scenario, const Attachments* files = nullptr);

}  // namespace ricochet
