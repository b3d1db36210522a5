// What the error of a computed motion is measured in.
#pragma once

#include <array>
#include <cstddef>
#include <limits>
#include <string_view>
#include <vector>

#include "ricochet/model/model.hpp"
#include "ricochet/run/solution.hpp"
#include "ricochet/study/reference_motion.hpp"

namespace ricochet {

// With |·| the largest coordinate, over the nodes of a window with the step h:
//     sup = max |·|,   L1 = h Σ |·|,   L2 = √(h Σ |·|²),   energy = mean of |E − E_reference|.
// The sup norm of v is missing: it does not converge next to an impact. v_hausdorff is the distance of the graphs of v.
enum class Norm : std::size_t { q_sup, q_l1, q_l2, v_l1, v_l2, v_hausdorff, energy };
inline constexpr std::size_t norm_count = 7;
inline constexpr std::array<std::string_view, norm_count> norm_names = {"q_sup", "q_l1",        "q_l2",  "v_l1",
                                                                        "v_l2",  "v_hausdorff", "energy"};
inline constexpr std::array<std::string_view, norm_count> norm_titles = {
    "q in the sup norm", "q in L1", "q in L2", "v in L1", "v in L2", "graph of v, Hausdorff distance",
    "energy, mean error"};

// One number a norm; NaN where it was not measured.
class Errors {
 public:
  Errors() { values_.fill(std::numeric_limits<double>::quiet_NaN()); }
  explicit Errors(double value) { values_.fill(value); }
  double& operator[](Norm norm) { return values_[static_cast<std::size_t>(norm)]; }
  double operator[](Norm norm) const { return values_[static_cast<std::size_t>(norm)]; }
  double& at(std::size_t i) { return values_.at(i); }
  double at(std::size_t i) const { return values_.at(i); }

 private:
  std::array<double, norm_count> values_;
};

// The reference as the norms need it: the graphs of its velocities once, its states at the nodes of each run.
struct MeasuringStick {
  const ReferenceMotion* motion = nullptr;
  std::vector<Graph> graphs = {};  // of v, one a coordinate; none: v_hausdorff is not measured
};

// Graphs fine enough for motions with steps of at least h. None for more than 16 coordinates.
MeasuringStick measuring_stick(const ReferenceMotion& motion, TimeSpan window, double h);

// Nodes are even in time from the first one in the window on.
Errors measure(const Model& model, const Trajectory& path, TimeSpan window, const MeasuringStick& stick);

// The size of the motion in each norm, to judge errors by.
Errors size_of(const Model& model, const ReferenceMotion& motion, TimeSpan window, std::size_t nodes = 1000);

// The slope of the line through (log h, log error), least squares.
struct OrderFit {
  double order = 0.0;
  double spread = 0.0;     // standard error of the slope; NaN for fewer than three points
  std::size_t points = 0;  // fewer than two: there is no order
};

// Errors not above the floor are those of the reference or of round-off, and left out.
OrderFit fit_order(const std::vector<double>& h, const std::vector<double>& error, double floor = 0.0);

}  // namespace ricochet
